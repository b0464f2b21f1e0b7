/*
 * The DUT as a whole: its ports, streams, cores and kernel side. One exists; the control thread
 * owns it.
 */
#ifndef TANDEM_DUT_DUT_H
#define TANDEM_DUT_DUT_H

#include "dut/engine.h"
#include "dut/kernel_probe.h"
#include "dut/kernel_setup.h"
#include "dut/kernel_watch.h"
#include "dut/options.h"
#include "dut/stages.h"
#include "dut/topology.h"
#include "common/clock.h"

enum port_role {
	ROLE_WIRE,
	ROLE_KERNEL,
	ROLE_STAGE /* an end of the rings between two stages */
};

struct dut_port {
	struct port port;
	enum port_role role;
	uint64_t missed;		    /* port_missed, as last looked at */
	uint64_t down_since;		    /* ns, since when the link is down; 0 while it is up */
	bool was_up;			    /* ever */
	uint64_t goodbye_since;		    /* ns, 0 while there was none */
	bool link_up;			    /* as last told on stderr */
	uint32_t state __rte_cache_aligned; /* enum poll_state; read every round, written when a
					       link changes */
} __rte_cache_aligned;

struct dut {
	struct dut_options options;
	int argc;
	char **argv; /* the whole command line, for the record */

	unsigned int n_ports, n_streams, n_cores;
	struct dut_port ports[DUT_MAX_PORTS];
	struct stream streams[DUT_MAX_STREAMS];
	struct poll_core cores[DUT_MAX_STREAMS];
	volatile bool stop_cores;
	bool running; /* the cores poll */

	bool kernel_made; /* the kernel side is ours: kernel below is in use */
	bool watching;	  /* watch below is open */
	struct kernel_path kernel;
	struct stage stages[DUT_MAX_STAGES];
	struct kernel_probe probe;
	struct kernel_watch watch;
	uint64_t kernel_dropped;
	struct cpu_watch cpu;
	struct capture_out *capture; /* NULL for none */
	struct capture_counts captured;

	char started[32];	  /* ISO 8601 */
	struct clock_point begin; /* when it could first forward */
};

/* A role's name in records. */
static inline const char *port_role_name(enum port_role role)
{
	return role == ROLE_KERNEL ? "kernel" : role == ROLE_STAGE ? "stage" : "wire";
}

/* Brings up ports, kernel side and streams as the options say, no core yet. 0 or a negative errno,
 * a line in err. */
int dut_setup(struct dut *d, const volatile bool *stop, char *err, size_t errlen);

/* Ends the capture, if there is one; what it holds is counted in d->captured. The cores have
 * stopped. 0 or a negative errno, a line in err. */
int dut_capture_end(struct dut *d, char *err, size_t errlen);

/* Closes and removes everything that dut_setup made, also after it failed half-way. The cores have
 * stopped. */
void dut_teardown(struct dut *d);

/* Gives each stream the core that polls it: by --config, else spread over EAL's lcores. Part of
 * dut_setup. 0 or a negative errno, a line in err. */
int dut_make_cores(struct dut *d, char *err, size_t errlen);

/* Starts the polling cores; stops and joins them. May be done again and again: counters go on. To
 * stop what does not run does nothing. */
int dut_start_cores(struct dut *d, char *err, size_t errlen);
void dut_stop_cores(struct dut *d);

/* How many frames a core asks for, from its next round on. */
void dut_set_burst(struct dut *d, uint16_t burst);

struct prompt;

/* Watches links, kernel, prompt and time until *stop, the prompt quits or the duration has passed.
 * 0 or a negative errno, a line in err. */
int dut_control(struct dut *d, struct prompt *prompt, const volatile bool *stop, char *err,
		size_t errlen);

#endif

/*
 * The DUT's own options (those after "--").
 */
#ifndef TANDEM_DUT_OPTIONS_H
#define TANDEM_DUT_OPTIONS_H

#include "common/capture_out.h"
#include "dut/impair_list.h"
#include "dut/kni_options.h"
#include "dut/split_rule.h"
#include "common/opts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUT_MAX_BURST	   512u
#define STATS_PERIOD_UNSET UINT64_MAX

#define DUT_DEFAULT_SEED 1u

enum forward_mode {
	FORWARD_IO,
	FORWARD_KERNEL,
	FORWARD_IMPAIR,
	FORWARD_SPLIT, /* a share through the kernel, the rest as io */
	FORWARD_SERIES /* as io, then through the kernel */
};
enum on_full { ON_FULL_DROP, ON_FULL_WAIT };

/* The driver behind a kernel port that the DUT makes. */
enum kernel_driver {
	KERNEL_AUTO, /* the fastest in a short probe */
	KERNEL_AF_XDP,
	KERNEL_AF_PACKET,
	KERNEL_TAP,
	KERNEL_VIRTIO_USER, /* on /dev/vhost-net */
	KERNEL_KNI,	    /* rte_kni, with the net_kni driver as a plugin of EAL */
	KERNEL_DRIVERS,
	KERNEL_UNSET = KERNEL_DRIVERS /* not named by the user */
};

struct dut_options {
	unsigned int forward_mode; /* enum forward_mode */
	unsigned int topology;	   /* enum topology */
	uint64_t rxd, txd;
	uint64_t rxq, txq; /* equal */
	uint64_t burst;
	uint64_t mbcache;
	uint64_t max_frame;	  /* FCS included */
	unsigned int on_full;	  /* enum on_full */
	unsigned int kernel_path; /* enum kernel_driver */
	const char *kernel_netns; /* NULL: one of our own */
	struct split_rule split;
	struct impair_list impair;
	uint64_t seed;
	const char *impair_log; /* NULL for none */
	struct capture_options capture;
	const char *stats_file;
	uint64_t stats_period_ns; /* 0 never, STATS_PERIOD_UNSET by whether stderr is a terminal */
	uint64_t duration_ns;	  /* 0 until stopped */
	uint64_t wait_link_ns;	  /* 0 for ever */
	uint64_t stall_threshold_ns;
	bool interactive;
	const char *cmdline_file; /* NULL for none */
	bool promiscuous;	  /* always: ports are opened so */
	uint64_t portmask;	  /* of wire ports, 0: all */
	struct kni_config kni;
};

/*
 * Parses the DUT's arguments (no program name) over the defaults. Strings point into argv.
 * OPT_ERROR leaves one line in err; OPT_HELP and OPT_VERSION have printed nothing yet:
 * dut_options_help does.
 */
enum opt_result dut_options_parse(struct dut_options *o, int argc, char **argv, char *err,
				  size_t errlen);
void dut_options_help(FILE *out);

/* The table behind them. */
extern const struct opt_command dut_command;

/* Whether frames take a kernel path in a mode. */
static inline bool forward_has_kernel(unsigned int mode)
{
	return mode == FORWARD_KERNEL || mode == FORWARD_SPLIT || mode == FORWARD_SERIES;
}

/* The names as the user writes them. */
const char *forward_mode_name(unsigned int mode);
const char *topology_name(unsigned int topology);
const char *on_full_name(unsigned int on_full);
const char *kernel_driver_name(unsigned int driver);

#endif

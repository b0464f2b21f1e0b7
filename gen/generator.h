/*
 * The generator as a whole: ports, directions, the polling core; opened once, used for many trials.
 */
#ifndef TANDEM_GENERATOR_H
#define TANDEM_GENERATOR_H

#include "common/capture_out.h"
#include "common/dpdk/port.h"
#include "gen/config.h"
#include "gen/dut_link.h"
#include "gen/worker.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct generator {
	const struct gen_config *config;
	const volatile bool *stop;
	struct port ports[MAX_PORTS];
	uint16_t n_ports;
	struct direction directions[MAX_PORTS];
	uint16_t n_directions;
	struct inbound *inbound; /* workers x spaces; a row a worker */
	struct worker *workers;	 /* crew.n of them */
	struct crew crew;
	bool wait_on_full;
	bool ports_need_priming; /* first pass through a large ring page-faults: done before the
				    first trial */
	bool learned;
	uint64_t seed;	  /* --seed, or from the clock */
	uint8_t trial_id; /* of the stamps; a new one each segment */
	uint64_t trial_number;
	double hz;		     /* TSC rate as last measured */
	json_t *warnings;	     /* texts, for run.json; NULL until known */
	struct capture_out *capture; /* NULL for none */
	struct dut_link dut;
	json_t *dut_info; /* what /tandem/dut/info said, or NULL */
	json_t *dut_host; /* facts of the DUT's host where that is another one, or NULL */
	char path[32];	  /* "io", "kernel", --path, or "" where unknown */
};

/*
 * Opens the ports that EAL has and everything a trial needs; waits for the links. Returns 0 or a
 * negative errno with a line in err; generator_close is due in both cases.
 */
int generator_open(struct generator *g, const struct gen_config *config, const volatile bool *stop,
		   char *err, size_t errlen);
void generator_close(struct generator *g);

/* A frame that finds the ring full is lost at the DUT's door: the link has no wire (design: a full
 * link). */
bool generator_counts_refused_as_lost(const struct generator *g, const struct direction *d);

/* Waits for all links; a device that was made anew is known afterwards. 0, or an errno with a line
 * in err. */
int generator_wait_links(struct generator *g, char *err, size_t errlen);

/* Line rate in bits a second for a % rate: --line-rate, else the port's; 0 where there is none. */
double generator_line_rate(const struct generator *g, const struct direction *d);

/*
 * Learns the way before traffic: the gateway's MAC by ARP, and that probes come back on each
 * direction. Returns 0, or a negative errno with a line in err that names what does not answer.
 */
int generator_learn(struct generator *g, char *err, size_t errlen);

#endif

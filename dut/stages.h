/*
 * The seams of series mode: a pair of rings for each wire port, with an ethdev at either end.
 *
 * The io stage sends on one end what the kernel stage receives on the other, and back. To the
 * forwarding engines both ends are ports like all others, so that a frame passes two whole DUTs
 * one after the other, with two receives and two sends, just as if two programs were joined.
 */
#ifndef TANDEM_DUT_STAGES_H
#define TANDEM_DUT_STAGES_H

#include "dut/topology.h"
#include "common/dpdk/port.h"

#include <stddef.h>

#define DUT_MAX_STAGES (DUT_MAX_PORTS / SERIES_FORWARDS) /* a wire port has three more */

struct rte_ring;

struct stage {
	char io_vdev[RTE_ETH_NAME_MAX_LEN]; /* "" while there is none */
	char kernel_vdev[RTE_ETH_NAME_MAX_LEN];
	struct rte_ring *up[DUT_MAX_QUEUES];   /* from the io stage to the kernel stage */
	struct rte_ring *down[DUT_MAX_QUEUES]; /* back */
};

struct dut;

/*
 * Makes n stages, each two more ports of the DUT's, opened with queues as in config; their places
 * go to ends. 0 or a negative errno with a line in err.
 */
int stages_open(struct dut *d, unsigned int n, const struct port_config *config,
		struct stage_ends *ends, char *err, size_t errlen);

/* Removes what stages_open made, also after a failure half-way. The ports are closed before. */
void stages_close(struct dut *d);

#endif

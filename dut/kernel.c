/*
 * The kernel engine: frames are carried both ways between wire ports and kernel ports, whose far
 * end routes them.
 */
#include "dut/engine.h"

static __rte_always_inline int kernel_loop(struct poll_core *core, const bool wait)
{
	struct rte_mbuf *frames[DUT_MAX_BURST];
	struct stream *end = core->streams + core->n_streams;

	while (!*core->stop) {
		bool busy = false;

		for (struct stream *s = core->streams; s != end; s++)
			if (stream_carry(core, s, frames, busy, wait))
				busy = true;
			else if (s->tx_reaps && port_polled(s->tx_state))
				rte_eth_tx_burst(s->tx_id, s->queue, frames, 0);
		core_round(core, busy);
	}
	return 0;
}

static int kernel_run(void *arg)
{
	struct poll_core *core = arg;

	loop_watch_start(core->watch);
	core->mark = tsc_now();
	return core->on_full == ON_FULL_WAIT ? kernel_loop(core, true) : kernel_loop(core, false);
}

const struct forward_engine kernel_engine = {.name = "kernel", .run = kernel_run};

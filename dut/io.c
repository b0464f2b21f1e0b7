/*
 * The io engine: every frame goes on untouched, as fast as the ports allow.
 *
 * The loop exists once for each way to meet a full ring, so that neither pays for the other.
 * Drivers that make no system call have a round accounted for as a whole with one TSC read, and any
 * long gap in it is a stall. With one that enters the kernel (af_packet as the wire) the kernel
 * engine's loop does the same carrying, timing such calls.
 */
#include "dut/engine.h"

static __rte_always_inline int io_loop(struct poll_core *core, const bool wait)
{
	struct rte_mbuf *frames[DUT_MAX_BURST];
	struct stream *end = core->streams + core->n_streams;

	while (!*core->stop) {
		const uint16_t burst = core_burst(core);
		uint32_t moved = 0;

		for (struct stream *s = core->streams; s != end; s++) {
			uint16_t n = stream_receive(s, frames, burst);

			if (n == 0)
				continue;
			moved += n;
			stream_send(core, s, frames, n, wait);
		}
		core_round(core, moved != 0);
	}
	return 0;
}

static int io_run(void *arg)
{
	struct poll_core *core = arg;

	for (unsigned int i = 0; i < core->n_streams; i++)
		if (core->streams[i].rx_syscalls || core->streams[i].tx_syscalls)
			return kernel_engine.run(core);
	loop_watch_start(core->watch);
	core->mark = tsc_now();
	return core->on_full == ON_FULL_WAIT ? io_loop(core, true) : io_loop(core, false);
}

const struct forward_engine io_engine = {.name = "io", .run = io_run};

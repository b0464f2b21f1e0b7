/*
 * The kernel engine: frames are carried both ways between wire ports and kernel ports, whose far
 * end routes them.
 *
 * A call into a kernel port's driver may enter the kernel and even route the frames within the
 * call, which takes far longer than a round should; so the time of calls that moved frames is kept
 * apart from the loop's own. A call that found nothing is the loop's: it is short, and costs no
 * second look at the clock.
 */
#include "dut/engine.h"

/* Receives and sends one stream, timing the calls of drivers that enter the kernel. */
static __rte_always_inline uint16_t kernel_stream(struct poll_core *core, struct stream *s,
						  struct rte_mbuf **frames, bool busy,
						  const bool wait)
{
	uint16_t n;

	if (s->rx_syscalls)
		core_account(core, busy);
	n = stream_receive(s, frames, core->burst);
	if (n == 0)
		return 0;
	if (s->rx_syscalls)
		core_account_driver(core, true);
	if (s->tx_syscalls)
		core_account(core, true);
	stream_send(core, s, frames, n, wait);
	if (s->tx_syscalls)
		core_account_driver(core, true);
	return n;
}

static __rte_always_inline int kernel_loop(struct poll_core *core, const bool wait)
{
	struct rte_mbuf *frames[DUT_MAX_BURST];
	struct stream *end = core->streams + core->n_streams;

	while (!*core->stop) {
		bool busy = false;

		for (struct stream *s = core->streams; s != end; s++)
			busy |= kernel_stream(core, s, frames, busy, wait) != 0;
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

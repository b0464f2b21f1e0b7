/*
 * The split engine: of what a wire port receives, a share goes to the kernel as in kernel mode and
 * the rest to the next wire port as in io mode; what the kernel sends goes to the wire.
 *
 * Streams come in threes (topology_split_forwards), two of which share one receiving queue: a burst
 * is received once, its mbufs are sorted into two lists, and each list is sent and counted as the
 * frames of its own stream. What io forwards goes first, for the kernel's share may take long.
 */
#include "dut/engine.h"
#include "dut/split_rule.h"
#include "dut/topology.h"
#include "common/stamp.h"

#include <rte_mbuf.h>
#include <rte_prefetch.h>

#define AHEAD 4u /* frames whose headers are fetched before they are looked at */

static inline void prefetch_frame(const struct rte_mbuf *m, const struct split_rule *rule)
{
	rte_prefetch0(rte_pktmbuf_mtod(m, const void *));
	if (rule->kind == SPLIT_STREAM && m->data_len >= STAMP_LEN)
		rte_prefetch0(rte_pktmbuf_mtod_offset(m, const void *, m->data_len - STAMP_LEN));
}

/* Moves the kernel's frames to a list of their own, and the others together; returns how many
 * others there are. Both keep their order. */
static inline uint16_t sort_burst(const struct split_rule *rule, struct rte_mbuf **frames,
				  uint16_t n, struct rte_mbuf **kernel)
{
	uint16_t others = 0, kernels = 0;

	for (uint16_t i = 0; i < n && i < AHEAD; i++)
		prefetch_frame(frames[i], rule);
	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = frames[i];

		if (i + AHEAD < n)
			prefetch_frame(frames[i + AHEAD], rule);
		if (split_rule_to_kernel(rule, rte_pktmbuf_mtod(m, const uint8_t *), m->data_len))
			kernel[kernels++] = m;
		else
			frames[others++] = m;
	}
	return others;
}

static __rte_always_inline void send_timed(struct poll_core *core, struct stream *s,
					   struct rte_mbuf **frames, uint16_t n, const bool wait)
{
	if (n == 0)
		return;
	if (s->tx_syscalls)
		core_account(core, true);
	stream_send(core, s, frames, n, wait);
	if (s->tx_syscalls)
		core_account_driver(core, true);
}

/* What came from the wire, to both sides. */
static __rte_always_inline bool split_wire(struct poll_core *core, struct stream *to_kernel,
					   struct stream *io, bool busy, const bool wait)
{
	struct rte_mbuf *frames[DUT_MAX_BURST], *kernel[DUT_MAX_BURST];
	uint16_t n, others;

	if (io->rx_syscalls)
		core_account(core, busy);
	n = stream_receive(io, frames, core_burst(core));
	if (n == 0)
		return false;
	if (io->rx_syscalls)
		core_account_driver(core, true);
	others = sort_burst(io->split, frames, n, kernel);
	send_timed(core, io, frames, others, wait);
	send_timed(core, to_kernel, kernel, n - others, wait);
	return true;
}

static __rte_always_inline int split_loop(struct poll_core *core, const bool wait)
{
	struct rte_mbuf *frames[DUT_MAX_BURST];
	struct stream *end = core->streams + core->n_streams;

	while (!*core->stop) {
		bool busy = false;

		for (struct stream *s = core->streams; s != end; s += SPLIT_FORWARDS) {
			busy |= split_wire(core, &s[0], &s[1], busy, wait);
			busy |= stream_carry(core, &s[2], frames, busy, wait) != 0;
		}
		core_round(core, busy);
	}
	return 0;
}

static int split_run(void *arg)
{
	struct poll_core *core = arg;

	loop_watch_start(core->watch);
	core->mark = tsc_now();
	return core->on_full == ON_FULL_WAIT ? split_loop(core, true) : split_loop(core, false);
}

const struct forward_engine split_engine = {.name = "split", .run = split_run};

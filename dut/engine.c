/*
 * The rare ends of the data path: a full or dead transmit side, and a peer that says goodbye.
 */
#include "dut/engine.h"

#include <rte_mbuf.h>
#include <rte_pause.h>

#include <sched.h>

#define IDLE_ROUNDS 64u

/* The core that receives a goodbye stops at once; only the control thread, which sees the link,
 * resumes. */
void stream_goodbye(const struct stream *s, struct rte_mbuf *m)
{
	uint32_t on = POLL_ON;

	rte_pktmbuf_free(m);
	__atomic_compare_exchange_n(s->rx_state, &on, POLL_GOODBYE, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
}

/* Not at once: the next frame is often only a few rounds away. */
void core_yield(struct poll_core *core)
{
	if (++core->idle_rounds < IDLE_ROUNDS)
		return;
	core->idle_rounds = 0;
	sched_yield();
}

uint16_t stream_drop(struct stream *s, struct rte_mbuf **frames, uint16_t n, uint16_t sent)
{
	if (port_polled(s->tx_state))
		counter_add(&s->count.backpressured, 1);
	counter_add(&s->count.tx_dropped, n - sent);
	rte_pktmbuf_free_bulk(frames + sent, n - sent);
	return sent;
}

/*
 * Offers the rest again until it is taken, the link goes down or the DUT stops. Each try is
 * accounted for on its own, or a long wait would look like a stall.
 */
uint16_t stream_wait(struct poll_core *core, struct stream *s, struct rte_mbuf **frames, uint16_t n,
		     uint16_t sent)
{
	if (port_polled(s->tx_state))
		counter_add(&s->count.backpressured, 1);
	while (sent < n && port_polled(s->tx_state) && !*core->stop) {
		rte_pause();
		core_account(core, true);
		if (core->yields)
			core_yield(core);
		sent += stream_transmit(s, frames + sent, n - sent);
		if (s->tx_syscalls)
			core_account_driver(core, true);
	}
	if (sent < n) {
		counter_add(&s->count.tx_dropped, n - sent);
		rte_pktmbuf_free_bulk(frames + sent, n - sent);
	}
	return sent;
}

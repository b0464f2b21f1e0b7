/*
 * A forwarding engine: a loop that a core runs over its streams until told to stop.
 *
 * A stream is a queue of a receiving port and the same queue of the port its frames leave on; one
 * core polls it, so nothing here is locked. What all engines do with a stream is here, inline; what
 * is rare is in engine.c.
 */
#ifndef TANDEM_DUT_ENGINE_H
#define TANDEM_DUT_ENGINE_H

#include "dut/counters.h"
#include "dut/options.h"
#include "common/clock.h"
#include "common/dpdk/capture_tap.h"
#include "common/dpdk/eal.h"
#include "common/dpdk/loop.h"
#include "common/dpdk/port.h"

#include <rte_branch_prediction.h>
#include <rte_ethdev.h>

/* Whether the data path may touch a port: set by the control thread, and by the core that receives
 * a goodbye. */
enum poll_state {
	POLL_DOWN, /* its link is down */
	POLL_ON,
	POLL_GOODBYE /* its peer is about to go: hands off until the link went down and up */
};

struct impair;

struct stream {
	uint16_t rx_id, tx_id;	    /* ethdev ports */
	uint16_t queue;		    /* of both */
	uint8_t rx_index, tx_index; /* their places in the DUT's list */
	bool rx_memif;		    /* the last frame of a burst may be a goodbye */
	bool rx_syscalls, tx_syscalls;
	bool tx_reaps; /* its sending port frees what it sent only when called, so also when idle */
	uint32_t *rx_state; /* enum poll_state */
	const uint32_t *tx_state;
	struct impair *impair;		/* NULL but in impair mode */
	struct capture_tap *tap;	/* of the core that polls it; NULL: no capture */
	const struct split_rule *split; /* NULL but in split mode */
	struct stream_counters count __rte_cache_aligned;
} __rte_cache_aligned;

struct forward_engine;

struct poll_core {
	const struct forward_engine *engine;
	struct stream *streams; /* the n_streams that this core polls */
	unsigned int n_streams;
	uint16_t burst;
	bool yields; /* another polling thread may need its CPU */
	uint16_t idle_rounds;
	enum on_full on_full;
	const volatile bool *stop;
	struct loop_watch *watch;
	uint64_t mark; /* TSC up to which time is accounted for */
	struct poll_thread thread;
	struct cpu_times times; /* of its threads that have ended */
	struct core_counters count __rte_cache_aligned;
} __rte_cache_aligned;

struct forward_engine {
	const char *name;
	int (*run)(void *poll_core); /* until *stop; returns 0 */
};

extern const struct forward_engine io_engine;
extern const struct forward_engine kernel_engine;
extern const struct forward_engine impair_engine;
extern const struct forward_engine split_engine; /* of streams in threes: topology.h */

/* The rare ends of the inline functions below. */
void core_yield(struct poll_core *core);
void stream_goodbye(const struct stream *s, struct rte_mbuf *m);
uint16_t stream_drop(struct stream *s, struct rte_mbuf **frames, uint16_t n, uint16_t sent);
uint16_t stream_wait(struct poll_core *core, struct stream *s, struct rte_mbuf **frames, uint16_t n,
		     uint16_t sent);

/* Frames to ask for in this round: the control thread may change it at any time. */
static inline uint16_t core_burst(const struct poll_core *core)
{
	return __atomic_load_n(&core->burst, __ATOMIC_RELAXED);
}

/* Time since the mark was spent outside the driver, in a round that moved frames or not. */
static inline void core_account(struct poll_core *core, bool busy)
{
	uint64_t now = tsc_now();

	loop_own(core->watch, core->mark, now);
	if (busy)
		counter_add(&core->count.busy_cycles, now - core->mark);
	counter_add(&core->count.total_cycles, now - core->mark);
	core->mark = now;
}

/* As core_account for time spent inside the driver. */
static inline void core_account_driver(struct poll_core *core, bool busy)
{
	uint64_t now = tsc_now();

	loop_driver(core->watch, core->mark, now);
	if (busy)
		counter_add(&core->count.busy_cycles, now - core->mark);
	counter_add(&core->count.total_cycles, now - core->mark);
	core->mark = now;
}

/* A round has ended: one of many without a frame makes way for who shares the CPU. */
static inline void core_round(struct poll_core *core, bool busy)
{
	counter_add(&core->count.rounds, 1);
	core_account(core, busy);
	if (unlikely(core->yields) && !busy)
		core_yield(core);
}

static inline bool port_polled(const uint32_t *state)
{
	return likely(__atomic_load_n(state, __ATOMIC_ACQUIRE) == POLL_ON);
}

/* Receives a burst of a stream; 0 also while its port is not to be touched. */
static __rte_always_inline uint16_t stream_receive(const struct stream *s, struct rte_mbuf **frames,
						   uint16_t burst)
{
	uint16_t n;

	if (!port_polled(s->rx_state))
		return 0;
	n = rte_eth_rx_burst(s->rx_id, s->queue, frames, burst);
	/* A goodbye is the last frame a peer sends, and so the last of its burst. */
	if (s->rx_memif && n > 0 && unlikely(port_is_goodbye(frames[n - 1])))
		stream_goodbye(s, frames[--n]);
	if (unlikely(s->tap != NULL) && n > 0)
		capture_tap_received(s->tap, s->rx_index, frames, n, tsc_now());
	return n;
}

/* rte_eth_tx_burst of a stream, captured where it is asked for. */
static __rte_always_inline uint16_t stream_transmit(const struct stream *s,
						    struct rte_mbuf **frames, uint16_t n)
{
	if (likely(s->tap == NULL))
		return rte_eth_tx_burst(s->tx_id, s->queue, frames, n);
	return capture_tap_send(s->tap, s->tx_index, s->tx_id, s->queue, frames, n, tsc_now());
}

/* Sends n > 0 frames of a stream on; what is not taken is dropped or, with wait, offered again. */
static __rte_always_inline void stream_send(struct poll_core *core, struct stream *s,
					    struct rte_mbuf **frames, uint16_t n, const bool wait)
{
	uint16_t sent = port_polled(s->tx_state) ? stream_transmit(s, frames, n) : 0;

	counter_add(&s->count.rx, n);
	if (unlikely(sent < n))
		sent = wait ? stream_wait(core, s, frames, n, sent)
			    : stream_drop(s, frames, n, sent);
	counter_add(&s->count.tx, sent);
}

/*
 * Receives and sends one stream, timing the calls of drivers that enter the kernel. Such a call may
 * even route the frames, which takes far longer than a round should; so the time of calls that
 * moved frames is kept apart from the loop's own. A call that found nothing is the loop's: it is
 * short, and costs no second look at the clock. Returns how many frames came.
 */
static __rte_always_inline uint16_t stream_carry(struct poll_core *core, struct stream *s,
						 struct rte_mbuf **frames, bool busy,
						 const bool wait)
{
	uint16_t n;

	if (s->rx_syscalls)
		core_account(core, busy);
	n = stream_receive(s, frames, core_burst(core));
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

#endif

/*
 * One loop receives and sends, so that neither side waits for the other: at most one receive burst
 * a port is taken before sending has its turn. The clock is read after each call into a driver and
 * after each burst taken; those readings are stamp points, pacing clock and stall watch at once.
 */
#include "gen/worker.h"

#include "common/clock.h"

#include <rte_ethdev.h>

#define RX_BURST 64u

static void note_stall(struct worker *w)
{
	uint64_t n = w->watch->stall_count;
	const struct stall *last = n && n <= LOOP_MAX_STALLS ? &w->watch->stalls[n - 1] : NULL;

	for (uint16_t d = 0; last && d < w->n_directions; d++) {
		struct sender *s = &w->directions[d].tx;

		checkpoints_stall(s->checkpoints, s->sent, last->begin);
	}
}

/* Polls every receive port once. Returns the latest reading of the clock. */
static uint64_t receive(struct worker *w, uint64_t mark)
{
	struct rte_mbuf *burst[RX_BURST];

	for (uint16_t i = 0; i < w->n_receivers; i++) {
		struct receiver *r = &w->receivers[i];
		uint16_t n = r->goodbye ? 0 : rte_eth_rx_burst(r->port, r->queue, burst, RX_BURST);
		uint64_t now = tsc_now(), last_stall;

		if (loop_driver(w->watch, mark, now))
			note_stall(w);
		mark = now;
		if (!n)
			continue;
		last_stall = w->watch->last_stall_end;
		receiver_take(r, burst, n, now, last_stall ? now - last_stall : UINT64_MAX);
		mark = tsc_now();
		if (loop_own(w->watch, now, mark))
			note_stall(w);
	}
	return mark;
}

static uint64_t transmit_only_clock(struct worker *w, uint64_t mark)
{
	uint64_t now = tsc_now();

	if (loop_driver(w->watch, mark, now))
		note_stall(w);
	return now;
}

/* At rate max, N frames end the sending; a paced trial ends with the interval of its last frame. */
static bool all_sent(const struct worker *w)
{
	if (w->segment.pps > 0)
		return false;
	for (uint16_t d = 0; d < w->n_directions; d++)
		if (!sender_done(&w->directions[d].tx))
			return false;
	return true;
}

static bool all_received(const struct worker *w)
{
	for (uint16_t d = 0; d < w->n_directions; d++)
		if (w->directions[d].rx.account.window->received < w->directions[d].tx.sent)
			return false;
	return true;
}

static bool peer_left(const struct worker *w)
{
	for (uint16_t i = 0; i < w->n_receivers; i++)
		if (w->receivers[i].goodbye)
			return true;
	return false;
}

static uint64_t last_receive(const struct worker *w)
{
	uint64_t last = w->tx_end;

	for (uint16_t i = 0; i < w->n_receivers; i++)
		if (w->receivers[i].last_rx > last)
			last = w->receivers[i].last_rx;
	return last;
}

static bool interrupted(const struct worker *w)
{
	return *w->stop || __atomic_load_n(&w->abort, __ATOMIC_RELAXED) || peer_left(w);
}

static void begin_segment(struct worker *w)
{
	const struct segment *seg = &w->segment;

	w->begin = tsc_now();
	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = &w->directions[d].tx;
		/* Directions start evenly staggered within one frame's time, so that they do not
		 * send in step. */
		uint64_t stagger =
			seg->pps > 0 ? (uint64_t)(seg->hz / seg->pps * d / w->n_directions) : 0;

		pacing_init(&s->pacing, seg->pps, seg->hz, w->begin + stagger, seg->frames,
			    seg->lag_seconds);
		if (seg->train)
			pacing_set_train(&s->pacing, seg->train);
		if (seg->poisson)
			pacing_set_poisson(&s->pacing, seg->seed + d);
		s->frame_limit = seg->frames;
	}
	__atomic_store_n(&w->phase, WORKER_SENDING, __ATOMIC_RELEASE);
}

static void end_sending(struct worker *w, uint64_t now)
{
	w->tx_end = now;
	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = &w->directions[d].tx;
		struct account *a = &w->directions[d].rx.account;

		a->received_while_sending = a->window->received;
		/* Due in the trial and never reached. */
		if (s->pacing.frames_per_cycle && s->pacing.scheduled < s->pacing.limit) {
			uint64_t due = pacing_due(&s->pacing, now);

			s->unsent += due;
			s->pacing.scheduled += due;
		}
	}
	__atomic_store_n(&w->phase, WORKER_DRAINING, __ATOMIC_RELEASE);
}

static uint64_t send_phase(struct worker *w)
{
	uint64_t now = w->begin, end = w->begin + w->segment.duration;

	for (;;) {
		now = w->segment.receive ? receive(w, now) : transmit_only_clock(w, now);
		if ((int64_t)(now - end) >= 0 || all_sent(w) || interrupted(w))
			break;
		for (uint16_t d = 0; d < w->n_directions; d++)
			sender_run(&w->directions[d].tx, now);
	}
	end_sending(w, now);
	return now;
}

static void drain_phase(struct worker *w, uint64_t now)
{
	/* After an interruption what is still on its way is waited for only briefly. */
	uint64_t longest = interrupted(w) && w->segment.quiet < w->segment.drain ? w->segment.quiet
										 : w->segment.drain;

	while (w->segment.receive && now - w->tx_end < longest && !peer_left(w)) {
		if (all_received(w) && now - last_receive(w) >= w->segment.quiet)
			break;
		now = receive(w, now);
	}
}

int worker_run(void *worker)
{
	struct worker *w = worker;

	loop_watch_start(w->watch);
	begin_segment(w);
	drain_phase(w, send_phase(w));
	loop_watch_stop(w->watch);
	w->end = tsc_now();
	__atomic_store_n(&w->phase, WORKER_DONE, __ATOMIC_RELEASE);
	return 0;
}

/*
 * One loop receives and sends, so that neither side waits for the other: a few bursts are sent in a
 * round, and more may be taken from each port than were sent. The clock is read after each call
 * into a driver and after each burst taken; those readings are stamp points, pacing clock and stall
 * watch at once.
 */
#include "gen/worker.h"

#include "common/clock.h"
#include "common/dpdk/capture_tap.h"

#include <sched.h>

#include <rte_ethdev.h>

#define RX_BURST     64u
#define TX_BURSTS    4u	 /* sent in a round at most */
#define FLOOR_ROUNDS 64u /* rounds between looks at what the merging waits for */
#define FLOOR_PART   16u /* of all spaces looked at each time, so that many are no long gap */

static struct sender *lane(const struct worker *w, uint16_t direction)
{
	return &w->directions[direction].lanes[w->index];
}

static void note_stall(struct worker *w)
{
	uint64_t n = w->watch->stall_count;

	__atomic_store_n(&w->crew->stalls[w->index].end, w->watch->last_stall_end,
			 __ATOMIC_RELAXED);
	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = lane(w, d);

		checkpoints_stall(s->checkpoints, s->sent,
				  w->watch->stalls[(n - 1) % LOOP_MAX_STALLS].begin);
	}
}

/* When the last stall of any worker ended; 0 when none stalled. Whoever stalled, its frames were
 * under way. */
static uint64_t last_stall_end(const struct worker *w)
{
	uint64_t last = 0;

	for (unsigned int i = 0; i < w->crew->n; i++) {
		uint64_t end = __atomic_load_n(&w->crew->stalls[i].end, __ATOMIC_RELAXED);

		if (end > last)
			last = end;
	}
	return last;
}

/* One burst from a port. Returns how many frames it held; *mark is the latest reading of the clock.
 */
static uint16_t receive_burst(struct worker *w, struct receiver *r, uint64_t *mark)
{
	struct rte_mbuf *burst[RX_BURST];
	uint16_t n = r->goodbye ? 0 : rte_eth_rx_burst(r->port, r->queue, burst, RX_BURST);
	uint64_t now = tsc_now(), stalled;

	if (loop_driver(w->watch, *mark, now))
		note_stall(w);
	*mark = now;
	if (!n)
		return 0;
	if (__builtin_expect(w->tap != NULL, 0))
		capture_tap_received(w->tap, (uint16_t)(r - w->receivers), burst, n, now);
	stalled = last_stall_end(w);
	receiver_take(r, burst, n, now, stalled && stalled <= now ? now - stalled : UINT64_MAX);
	*mark = tsc_now();
	if (loop_own(w->watch, now, *mark))
		note_stall(w);
	return n;
}

/* Polls every receive port, a few bursts each while they come full. Returns the latest reading of
 * the clock. */
static uint64_t receive(struct worker *w, uint64_t mark)
{
	bool idle = true;

	for (uint16_t i = 0; i < w->n_receivers; i++) {
		uint32_t left = w->rx_budget;
		uint16_t n;

		do {
			n = receive_burst(w, &w->receivers[i], &mark);
			idle &= !n;
			left -= n;
		} while (n == RX_BURST && left >= RX_BURST);
	}
	if (w->shares_core && idle) {
		sched_yield();
		mark = tsc_now(); /* time given away is no stall */
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

/* A round's first half. Returns the latest reading of the clock. */
static uint64_t poll_ports(struct worker *w, uint64_t mark)
{
	return w->crew->segment.receive ? receive(w, mark) : transmit_only_clock(w, mark);
}

static void heed_floor(struct worker *w, uint32_t space)
{
	uint32_t of_direction = w->crew->n * w->directions[0].streams;
	struct seq_merge *m = &w->directions[space / of_direction].merges[space % of_direction];

	seq_window_leave(m->window[w->index], __atomic_load_n(&m->floor, __ATOMIC_RELAXED));
}

/* Old words are let go where the merging waits for them. */
static void heed_floors(struct worker *w)
{
	uint32_t spaces = w->n_directions * w->crew->n * w->directions[0].streams;

	if (w->crew->n == 1)
		return;
	for (uint32_t i = 0; i < (spaces + FLOOR_PART - 1) / FLOOR_PART; i++)
		heed_floor(w, w->floors_heeded++ % spaces);
}

/* At rate max, N frames end the sending; a paced trial ends with the interval of its last frame. */
static bool all_sent(const struct worker *w)
{
	if (w->crew->segment.pps > 0)
		return false;
	for (uint16_t d = 0; d < w->n_directions; d++)
		if (!sender_done(lane(w, d)))
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

static bool interrupted(const struct worker *w)
{
	return *w->crew->stop || __atomic_load_n(&w->crew->abort, __ATOMIC_RELAXED) || peer_left(w);
}

/* This worker's share of n frames that are dealt out in turn. */
static uint64_t share(const struct worker *w, uint64_t n)
{
	unsigned int workers = w->crew->n;

	return n == UINT64_MAX ? n : n / workers + (w->index < n % workers);
}

/*
 * A load from t0 on, frames of it in all. Lanes start evenly staggered within one lane's interval,
 * so that they do not send in step.
 */
static void set_load(struct worker *w, double pps, uint64_t t0, uint64_t frames)
{
	const struct segment *seg = &w->crew->segment;
	unsigned int lanes = w->crew->n * w->n_directions;
	double interval = pps > 0 ? seg->hz / pps * w->crew->n : 0;

	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = lane(w, d);
		uint64_t stagger = (uint64_t)(interval * (w->index * w->n_directions + d) / lanes);

		s->frame_limit = share(w, frames);
		pacing_init(&s->pacing, pps / w->crew->n, seg->hz, t0 + stagger, s->frame_limit,
			    seg->lag_seconds);
		if (seg->train)
			pacing_set_train(&s->pacing, seg->train);
		if (seg->poisson)
			pacing_set_poisson(&s->pacing,
					   seg->seed + lane_space(w->crew->n, d, w->index, 1));
	}
}

static void begin_sending(struct worker *w)
{
	const struct segment *seg = &w->crew->segment;

	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = lane(w, d);
		const struct deal deal = deal_for(w->directions[d].streams, seg->pps / w->crew->n,
						  s->burst, seg->train);

		sender_deal(s, &deal);
	}
	set_load(w, w->crew->segment.pps, w->crew->begin, w->crew->segment.frames);
	__atomic_store_n(&w->phase, WORKER_SENDING, __ATOMIC_RELEASE);
}

/* What was due by now and never reached is unsent. */
static void give_up_due(struct worker *w, uint64_t now)
{
	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct sender *s = lane(w, d);

		if (s->pacing.frames_per_cycle && s->pacing.scheduled < s->pacing.limit) {
			uint64_t due = pacing_due(&s->pacing, now);

			s->unsent += due;
			s->pacing.scheduled += due;
		}
	}
}

/* The load falls, without a gap. Returns UINT64_MAX: it does so once. */
static uint64_t lower_load(struct worker *w, uint64_t at)
{
	const struct segment *seg = &w->crew->segment;
	double seconds = (double)(seg->duration - seg->then_after) / seg->hz;

	give_up_due(w, at);
	set_load(w, seg->then_pps, at, (uint64_t)(seg->then_pps * seconds));
	return UINT64_MAX;
}

static void end_sending(struct worker *w, uint64_t now)
{
	w->tx_end = now;
	for (uint16_t d = 0; d < w->n_directions; d++) {
		struct account *accounts = w->directions[d].accounts[w->index];

		for (uint32_t i = 0; i < w->directions[d].streams; i++)
			accounts[i].received_while_sending = accounts[i].received;
	}
	give_up_due(w, now);
	__atomic_store_n(&w->phase, WORKER_DRAINING, __ATOMIC_RELEASE);
}

/* Receives until the control thread has said when sending begins, and it has come. */
static uint64_t wait_phase(struct worker *w)
{
	uint64_t now = tsc_now(), begin = 0;

	__atomic_store_n(&w->phase, WORKER_READY, __ATOMIC_RELEASE);
	while (!begin || ((int64_t)(now - begin) < 0 && !interrupted(w))) {
		now = poll_ports(w, now);
		if (begin)
			continue;
		begin = __atomic_load_n(&w->crew->begin, __ATOMIC_ACQUIRE);
		/* What stalled while the others started is not the trial's; there is time for this
		 * before it begins. */
		if (begin) {
			loop_watch_reset(w->watch);
			w->crew->stalls[w->index].end = 0;
			now = tsc_now();
		}
	}
	return now;
}

/* A few bursts at once keep the DUT's bursts full, too; each has a reading of the clock of its own.
 */
static void send_bursts(struct sender *s, uint64_t now)
{
	for (uint32_t i = 1; sender_run(s, now) && i < TX_BURSTS; i++)
		now = tsc_now();
}

/* Frames that came due in the last round are a moment late, not unsent. */
static uint64_t send_last(struct worker *w, uint64_t now, uint64_t end)
{
	uint64_t lag = (uint64_t)(w->crew->segment.lag_seconds * w->crew->segment.hz);
	bool any = w->crew->segment.pps > 0;

	while (any && now - end < lag && !interrupted(w)) {
		any = false;
		for (uint16_t d = 0; d < w->n_directions; d++) {
			if (!pacing_due(&lane(w, d)->pacing, now))
				continue;
			any = true;
			sender_run(lane(w, d), tsc_now());
		}
		now = poll_ports(w, now);
	}
	return now;
}

static uint64_t send_phase(struct worker *w, uint64_t now)
{
	const struct segment *seg = &w->crew->segment;
	uint64_t end, fall;

	begin_sending(w);
	end = w->crew->begin + seg->duration;
	fall = seg->then_pps > 0 ? w->crew->begin + seg->then_after : UINT64_MAX;
	for (uint32_t round = 0;; round++) {
		now = poll_ports(w, now);
		if ((int64_t)(now - end) >= 0 || all_sent(w) || interrupted(w))
			break;
		if (__builtin_expect(now >= fall, 0))
			fall = lower_load(w, fall);
		for (uint16_t d = 0; d < w->n_directions; d++)
			send_bursts(lane(w, d), d ? tsc_now() : now);
		if (__builtin_expect(round % FLOOR_ROUNDS == 0, 0))
			heed_floors(w);
	}
	if ((int64_t)(now - end) >= 0)
		now = send_last(w, now, end);
	end_sending(w, now);
	return now;
}

static void drain_phase(struct worker *w, uint64_t now)
{
	const struct segment *seg = &w->crew->segment;
	uint64_t end = w->tx_end + seg->drain;
	bool brief = false;

	while (seg->receive && (int64_t)(now - end) < 0 && !peer_left(w) &&
	       !__atomic_load_n(&w->crew->drained, __ATOMIC_RELAXED)) {
		/* After an interruption, before or now, stragglers are waited for only briefly. */
		if (!brief && interrupted(w)) {
			brief = true;
			if ((int64_t)(now + seg->quiet - end) < 0)
				end = now + seg->quiet;
		}
		now = receive(w, now);
		heed_floors(w);
	}
}

int worker_run(void *worker)
{
	struct worker *w = worker;

	/* Room for two directions' bursts, or their duplicates, and never less than one of ours. */
	w->rx_budget = RX_BURST + 2 * TX_BURSTS * lane(w, 0)->burst;
	loop_watch_start(w->watch);
	drain_phase(w, send_phase(w, wait_phase(w)));
	loop_watch_stop(w->watch);
	__atomic_store_n(&w->phase, WORKER_DONE, __ATOMIC_RELEASE);
	return 0;
}

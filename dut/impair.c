/*
 * The impair engine's loop: receive, decide, hold, send.
 *
 * What the generator must find is counted where it becomes true: drops when they are made, all else
 * when the sending port has taken the frame. A copy is made at the moment of sending, so that it
 * always follows its original.
 */
#include "dut/impair.h"
#include "common/stamp.h"

#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>
#include <rte_pause.h>

#define NAP_NS 1000000u /* a stall of the loop is slept in steps, so that the DUT can stop */

static struct impair_mark *mark_of(const struct impair *im, struct rte_mbuf *m)
{
	return RTE_MBUF_DYNFIELD(m, im->mark_at, struct impair_mark *);
}

/* The trial of a mark; NULL when its place was given to another meanwhile. */
static struct impair_trial *trial_of(struct impair *im, const struct impair_mark *mark)
{
	struct impair_trial *trial = &im->trials.trial[mark->place];

	return trial->use == mark->use ? trial : NULL;
}

static void note(struct impair *im, const struct impair_mark *mark, struct impair_trial *trial,
		 enum impair_count what)
{
	impair_count(&im->trials, trial, what);
	impair_log_add(&im->log, mark->number, mark->space, mark->seq, (uint8_t)what);
}

/* The port took a frame. */
static void note_sent(struct impair *im, const struct impair_mark *mark)
{
	struct impair_trial *trial;

	if (!(mark->flags & MARK_STAMPED))
		return;
	trial = trial_of(im, mark);
	if (mark->flags & MARK_COPY) {
		note(im, mark, trial, COUNT_DUPLICATED);
		return;
	}
	impair_count(&im->trials, trial, COUNT_SENT_FIRST);
	if (mark->flags & MARK_CORRUPT)
		note(im, mark, trial, COUNT_CORRUPTED);
	if (im->list->kinds & IMPAIR_DELAY)
		impair_count(&im->trials, trial, COUNT_DELAYED);
	if (trial && impair_sequence_sent(trial, mark->space, mark->seq))
		note(im, mark, trial, COUNT_REORDERED);
}

/* One call of the driver for what is left of out; returns how many it took. */
static unsigned int send_some(struct poll_core *core, struct stream *s, unsigned int sent)
{
	struct impair *im = s->impair;
	unsigned int taken;

	if (!port_polled(s->tx_state))
		return 0;
	if (s->tx_syscalls)
		core_account(core, true);
	taken = stream_transmit(s, im->out + sent, (uint16_t)(im->n_out - sent));
	if (s->tx_syscalls)
		core_account_driver(core, true);
	for (unsigned int i = 0; i < taken; i++)
		note_sent(im, &im->out_mark[sent + i]);
	return taken;
}

/* What the port did not take is dropped: --on-full drop, its link is down, or the DUT stops. */
static void drop_rest(struct stream *s, unsigned int sent)
{
	struct impair *im = s->impair;

	counter_add(&s->count.tx_dropped, im->n_out - sent);
	for (unsigned int i = sent; i < im->n_out; i++) {
		const struct impair_mark *mark = &im->out_mark[i];

		if ((mark->flags & (MARK_STAMPED | MARK_COPY)) == MARK_STAMPED)
			note(im, mark, trial_of(im, mark), COUNT_TX_DROPPED);
	}
	rte_pktmbuf_free_bulk(im->out + sent, im->n_out - sent);
}

static void send_out(struct poll_core *core, struct stream *s)
{
	struct impair *im = s->impair;
	unsigned int sent;

	if (im->n_out == 0)
		return;
	sent = send_some(core, s, 0);
	if (sent < im->n_out && port_polled(s->tx_state))
		counter_add(&s->count.backpressured, 1);
	while (sent < im->n_out && core->on_full == ON_FULL_WAIT && port_polled(s->tx_state) &&
	       !*core->stop) {
		rte_pause();
		core_account(core, true);
		if (core->yields)
			core_yield(core);
		sent += send_some(core, s, sent);
	}
	counter_add(&s->count.tx, sent);
	if (sent < im->n_out)
		drop_rest(s, sent);
	im->n_out = 0;
}

static void emit_one(struct impair *im, struct rte_mbuf *m, const struct impair_mark *mark)
{
	im->out[im->n_out] = m;
	im->out_mark[im->n_out++] = *mark;
}

/* The last stage: the frame, and its copy, among those that are sent next. */
static void emit(struct poll_core *core, struct stream *s, struct rte_mbuf *m)
{
	struct impair *im = s->impair;
	struct impair_mark mark = *mark_of(im, m);
	struct rte_mbuf *copy = NULL;

	if (im->n_out + 2 > IMPAIR_OUT)
		send_out(core, s);
	if (mark.flags & MARK_TWICE)
		copy = rte_pktmbuf_copy(m, m->pool, 0, UINT32_MAX);
	emit_one(im, m, &mark);
	if (!copy)
		return;
	mark.flags |= MARK_COPY;
	emit_one(im, copy, &mark);
}

/* Room in the delay store was seen to before the frames were received. */
static void to_delay(struct poll_core *core, struct stream *s, struct rte_mbuf *m)
{
	struct impair *im = s->impair;

	if (!(im->list->kinds & IMPAIR_DELAY) || !hold_put(&im->delay, mark_of(im, m)->release, m))
		emit(core, s, m);
}

static void to_reorder(struct poll_core *core, struct stream *s, struct impair_trial *trial,
		       struct rte_mbuf *m)
{
	struct impair *im = s->impair;

	/* Held frames wait for those that are not; when the store is full, one more passes. */
	if ((im->list->kinds & IMPAIR_REORDER) && impair_holds_back(&trial->stages) &&
	    hold_put(&im->reorder, im->passed + im->list->depth, m))
		return;
	im->passed++;
	to_delay(core, s, m);
	while (hold_due(&im->reorder, im->passed))
		to_delay(core, s, hold_take(&im->reorder));
}

/* True when outage, policer or drop takes the frame out. */
static bool taken_out(struct impair *im, struct impair_trial *trial, const struct stamp *stamp,
		      const struct impair_mark *mark, uint64_t now)
{
	unsigned int kinds = im->list->kinds;
	uint64_t time = trial->stamp_clock ? stamp->tx_time : now;

	if ((kinds & IMPAIR_OUTAGE) && impair_is_out(&trial->stages, time))
		note(im, mark, trial, COUNT_OUTAGE);
	else if ((kinds & IMPAIR_RATE) && impair_polices(&trial->stages, time))
		note(im, mark, trial, COUNT_POLICED);
	else if ((kinds & IMPAIR_DROP) && impair_drops(&trial->stages))
		note(im, mark, trial, COUNT_DROPPED);
	else
		return false;
	return true;
}

/* Takes a received frame through the stages. */
static void take(struct poll_core *core, struct stream *s, struct rte_mbuf *m, uint64_t now)
{
	struct impair *im = s->impair;
	struct impair_mark *mark = mark_of(im, m);
	unsigned int kinds = im->list->kinds;
	struct impair_trial *trial;
	struct stamp stamp;
	int at = stamp_take(rte_pktmbuf_mtod(m, const uint8_t *), m->data_len, &stamp);

	if (at < 0) {
		mark->flags = 0;
		emit(core, s, m);
		return;
	}
	trial = impair_trial_find(&im->trials, stamp.trial, stamp.tx_time, now);
	*mark = (struct impair_mark){
		.seq = stamp.seq,
		.space = stamp.space,
		.use = trial->use,
		.place = (uint8_t)(trial - im->trials.trial),
		.number = stamp.trial,
		.flags = MARK_STAMPED,
	};
	impair_count(&im->trials, trial, COUNT_SEEN);
	if (taken_out(im, trial, &stamp, mark, now)) {
		rte_pktmbuf_free(m);
		return;
	}
	if ((kinds & IMPAIR_CORRUPT) && impair_corrupts(&trial->stages)) {
		if (impair_flip(&trial->stages, rte_pktmbuf_mtod(m, uint8_t *), m->data_len,
				(uint32_t)at))
			mark->flags |= MARK_CORRUPT;
		else
			note(im, mark, trial, COUNT_CORRUPT_REFUSED);
	}
	if ((kinds & IMPAIR_DUP) && impair_duplicates(&trial->stages))
		mark->flags |= MARK_TWICE;
	if (kinds & IMPAIR_DELAY)
		mark->release = now + impair_delays(&trial->stages);
	to_reorder(core, s, trial, m);
}

/* Sends on what is due; returns how many frames were. */
static unsigned int release(struct poll_core *core, struct stream *s, uint64_t now)
{
	struct impair *im = s->impair;
	unsigned int n = 0;

	/* A pause: nobody may come any more to pass the held ones. */
	if (im->reorder.n > 0 && now - im->last_frame > im->flush_after)
		for (; im->reorder.n > 0; n++)
			to_delay(core, s, hold_take(&im->reorder));
	for (; hold_due(&im->delay, now); n++)
		emit(core, s, hold_take(&im->delay));
	return n;
}

/* A burst of one stream; true when it moved frames. */
static bool impair_stream(struct poll_core *core, struct stream *s, bool busy)
{
	struct rte_mbuf *frames[DUT_MAX_BURST];
	struct impair *im = s->impair;
	const uint16_t burst = core_burst(core);
	unsigned int released;
	uint16_t n = 0;
	uint64_t now;

	if (s->rx_syscalls)
		core_account(core, busy);
	if (!(im->list->kinds & IMPAIR_DELAY) || hold_free(&im->delay) >= im->reorder.n + burst)
		n = stream_receive(s, frames, burst);
	if (n > 0 && s->rx_syscalls)
		core_account_driver(core, true);
	now = tsc_now();
	if (n > 0)
		im->last_frame = now;
	counter_add(&s->count.rx, n);
	for (uint16_t i = 0; i < n; i++)
		take(core, s, frames[i], now);
	released = release(core, s, now);
	send_out(core, s);
	return n > 0 || released > 0;
}

/* Does nothing for a while: the stall that was asked for, one gap to the loop's watch. */
static void stall(struct poll_core *core, uint64_t cycles, uint64_t nap_cycles)
{
	uint64_t end = core->mark + cycles, now;

	while (!*core->stop && (now = tsc_now()) < end) {
		if (end - now > 2 * nap_cycles)
			clock_sleep(NAP_NS);
		else
			rte_pause();
	}
	core_account(core, false);
}

/* What is still held when the DUT stops is counted and freed. */
static void abandon(struct stream *s)
{
	struct impair *im = s->impair;
	struct rte_mbuf *m;

	while ((m = hold_take(&im->reorder)) || (m = hold_take(&im->delay))) {
		const struct impair_mark *mark = mark_of(im, m);

		note(im, mark, trial_of(im, mark), COUNT_HELD_AT_END);
		rte_pktmbuf_free(m);
	}
}

static int impair_run(void *arg)
{
	struct poll_core *core = arg;
	struct stream *end = core->streams + core->n_streams;
	const struct impair_list *list = core->streams->impair->list;
	double per_ns = clock_hz_estimate() / 1e9;
	uint64_t stall_cycles = (uint64_t)((double)list->stall_ns * per_ns);
	uint64_t period = (uint64_t)((double)list->stall_period_ns * per_ns), next;

	loop_watch_start(core->watch);
	core->mark = tsc_now();
	next = core->mark + period;
	while (!*core->stop) {
		bool busy = false;

		for (struct stream *s = core->streams; s != end; s++)
			busy |= impair_stream(core, s, busy);
		core_round(core, busy);
		if (stall_cycles && core->mark >= next) {
			next = core->mark + period;
			stall(core, stall_cycles, (uint64_t)(NAP_NS * per_ns));
		}
	}
	for (struct stream *s = core->streams; s != end; s++)
		abandon(s);
	return 0;
}

const struct forward_engine impair_engine = {.name = "impair", .run = impair_run};

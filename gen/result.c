/*
 * From counters to a trial's result: rates, losses and what they are put down to, the DUT's part.
 */
#include "gen/result.h"

#include "gen/dut_client.h"
#include "gen/stream_result.h"
#include "common/results.h"

#include <math.h>
#include <stdlib.h>

#define OUTAGE_SLACK_S 0.02   /* frames of the last moments may be lost or late */
#define MIN_SLACK_S    100e-6 /* a frame sent this shortly before a stall may be lost in it */

static void take_tx(struct trial_result *r, const struct generator *g, const struct direction *d)
{
	uint64_t end = g->crew.begin, bytes = 0;

	for (unsigned int l = 0; l < g->crew.n; l++) {
		const struct sender *s = &d->lanes[l];

		r->sent += s->sent + s->unstamped;
		r->unstamped += s->unstamped;
		bytes += s->bytes;
		r->refused += s->refused;
		r->unsent += s->unsent;
		r->backpressured += s->backpressured;
		r->no_mbuf += s->no_mbuf;
		hist_merge(r->lateness, s->lateness);
		hist_merge(r->spacing, s->spacing);
		if (s->side_by_side)
			hist_add_n(r->spacing, 0, s->side_by_side);
		if (g->workers[l].tx_end > end)
			end = g->workers[l].tx_end;
	}
	r->offered = r->sent + r->refused + r->unsent;
	r->actual_s = (double)(end - g->crew.begin) / r->tsc_hz;
	r->tx_pps = r->actual_s > 0 ? (double)r->sent / r->actual_s : NAN;
	r->rate_error_ppm = NAN;
	r->tx_size = r->sent ? (double)bytes / (double)r->sent : NAN;
	if (r->spec.pps > 0 && r->offered)
		r->rate_error_ppm = trial_rate_error_ppm(r);
}

/* When the last of the lost frames was sent, counted from the fall of the load; 0 where none was
 * lost after it. */
static double recovery(const struct trial_result *r, const struct generator *g,
		       const struct direction *d)
{
	uint64_t fall = g->crew.begin + g->crew.segment.then_after;
	double last = 0;

	for (unsigned int i = 0; i < g->crew.n * d->streams; i++) {
		const struct seq_window *w = d->merges[i].result;
		const struct checkpoints *c = d->lanes[i / d->streams].checkpoints;
		uint64_t earliest, latest;

		if (!w->lost)
			continue;
		checkpoints_time(c, deal_place(&c->deal, i % d->streams, w->last_lost), &earliest,
				 &latest);
		if (latest == UINT64_MAX)
			latest = g->workers[i / d->streams].tx_end;
		last = fmax(last, (double)(int64_t)(latest - fall) / r->tsc_hz);
	}
	return last;
}

/*
 * The longest outage that a core saw: each receives a share of the frames, and when nothing comes,
 * none receives any. One that had not ended with the trial has no known length.
 */
static void take_outage(struct trial_result *r, const struct receiver *receiver, uint64_t tx_end)
{
	uint64_t slack = (uint64_t)(OUTAGE_SLACK_S * r->tsc_hz);

	if (!receiver->last_tx)
		return;
	if (stamp_age(tx_end, receiver->last_tx) > (int64_t)(2 * receiver->gap_max + slack))
		r->outage_s = NAN;
	else
		r->outage_s = fmax((double)receiver->gap_max / r->tsc_hz, r->outage_s);
}

static void take_rx(struct trial_result *r, const struct generator *g, const struct direction *d)
{
	streams_sum_up(g, d, r);
	for (unsigned int w = 0; w < g->crew.n; w++) {
		const struct receiver *receiver = &g->workers[w].receivers[d->rx_port];

		r->foreign += receiver->foreign + receiver->stale;
		r->stale += receiver->stale;
		take_outage(r, receiver, g->workers[w].tx_end);
	}
	/* Without a stamp nothing is known to be ours. */
	if (r->sent && r->sent == r->unstamped)
		r->rx_pps = NAN;
	if (r->spec.then_pps > 0)
		r->recovery_s = recovery(r, g, d);
}

static void take_stalls(struct trial_result *r, const struct generator *g)
{
	for (unsigned int w = 0; w < g->crew.n; w++) {
		const struct loop_watch *watch = g->workers[w].watch;

		r->stalls_not_listed |= watch->stall_count > LOOP_MAX_STALLS;
		r->stalls += watch->stall_count;
		r->stall_total += watch->stall_cycles;
		if (watch->stall_max > r->stall_max)
			r->stall_max = watch->stall_max;
	}
}

/* The stalls of all workers in one list, which the caller frees; NULL and *n 0 when out of memory.
 */
static struct stall *own_stalls(const struct generator *g, uint32_t *n)
{
	struct stall *stalls = calloc((size_t)g->crew.n * LOOP_MAX_STALLS, sizeof(*stalls));

	*n = 0;
	for (unsigned int w = 0; stalls && w < g->crew.n; w++)
		*n += loop_stalls(g->workers[w].watch, 0, stalls + *n, LOOP_MAX_STALLS);
	return stalls;
}

/* Losses near stalls of generator and DUT. theirs are the DUT's stalls, where they are on our
 * clock. */
static void attribute(struct trial_result *r, const struct generator *g, const struct direction *d,
		      const struct stall *theirs, uint32_t n_theirs)
{
	/* A frame is in danger as long as it travels. */
	uint64_t slack = (uint64_t)(MIN_SLACK_S * g->hz),
		 travel = r->clean->count ? r->clean->max : 0;
	uint32_t n_own;
	struct stall *own;

	if (!r->loss_runs)
		return;
	own = own_stalls(g, &n_own);
	if (travel > slack)
		slack = travel;
	streams_attribute(g, d, own, n_own, theirs, n_theirs, slack, r->streams);
	for (uint32_t i = 0; i < d->streams; i++) {
		r->lost_in_gen_stall += r->streams[i].lost_in_gen_stall;
		r->lost_in_dut_stall += r->streams[i].lost_in_dut_stall;
	}
	free(own);
}

/* What the DUT did in the trial, the same for all directions. */
struct dut_view {
	bool known;
	struct dut_change change;
	struct stall *stalls; /* n of them */
	uint32_t n;
	bool all_listed; /* none of its stalls is missing in the list */
};

static void dut_look(struct dut_view *v, struct generator *g, const struct edge *before,
		     const struct edge *after, double trial_s)
{
	*v = (struct dut_view){0};
	v->known = before->dut && after->dut &&
		   dut_compare(before->dut, after->dut, trial_s, tsc_now(), &v->change);
	if (v->known && v->change.stalls)
		v->stalls = calloc(LOOP_MAX_STALLS, sizeof(*v->stalls));
	if (v->stalls)
		v->n = dut_stalls(&g->dut, v->change.stalls, v->stalls, LOOP_MAX_STALLS);
	v->all_listed = v->known && v->n >= v->change.stalls;
}

static json_t *dut_part(const struct generator *g, const struct dut_change *c, double max_stall)
{
	return json_pack(
		"{s:O, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:{s:I, s:o, s:I}}", "config",
		g->dut_info, "cpu_busy", result_real(c->cpu_busy), "cycles_per_frame",
		result_real(c->cycles_per_frame), "system_share", result_real(c->system_share),
		"softirq_share", result_real(c->softirq_share), "kernel_threads_share",
		result_real(c->kernel_threads_share), "rx_missed", (json_int_t)c->rx_missed,
		"tx_dropped", (json_int_t)c->tx_dropped, "kernel_dropped",
		(json_int_t)c->kernel_dropped, "stalls", "count", (json_int_t)c->stalls, "max_ns",
		isnan(max_stall) ? json_null()
				 : json_integer((json_int_t)(max_stall / c->tsc_hz * 1e9)),
		"total_ns", (json_int_t)((double)c->stall_cycles / c->tsc_hz * 1e9));
}

/* The DUT's snapshots only know its longest stall ever: the list has those of this trial. */
static uint64_t longest(const struct stall *stalls, uint32_t n)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (stalls[i].end - stalls[i].begin > most)
			most = stalls[i].end - stalls[i].begin;
	return most;
}

/*
 * Frames missed at our own receive side: what the driver counts, and on memif and vhost, which
 * count nothing, what the DUT's wire ports could not hand us. With two directions nobody says which
 * of them those were of: then they count as lost.
 */
static void take_missed(struct trial_result *r, const struct generator *g,
			const struct direction *d, uint64_t before, uint64_t after,
			const struct dut_change *change)
{
	const struct port *port = &g->ports[d->rx_port];

	r->missed_went_back = after < before;
	r->gen_missed = r->missed_went_back ? 0 : after - before;
	/* Where nothing was lost, nothing was missed. */
	r->gen_missed_known = port->counts_missed || !r->lost;
	if (change && port->kind == PORT_EMBEDDED && g->n_directions == 1) {
		r->gen_missed += change->wire_tx_dropped;
		r->gen_missed_known = true;
	} else if (change && port->kind == PORT_EMBEDDED) {
		r->wire_dropped = change->wire_tx_dropped;
	}
	if (r->gen_missed > r->lost)
		r->gen_missed = r->lost; /* duplicates and foreign frames are dropped there too */
}

/* Frames that found the ring full because the DUT stood still. */
static void attribute_refused(struct trial_result *r, const struct generator *g,
			      const struct direction *d, const struct dut_view *dut)
{
	uint64_t slack = (uint64_t)(MIN_SLACK_S * g->hz);

	for (unsigned int l = 0; l < g->crew.n && r->lost_in_dut_stall_known; l++)
		r->refused_in_dut_stall +=
			refusals_in_stalls(d->lanes[l].refusals, dut->stalls, dut->n, slack);
}

static void take_losses(struct generator *g, const struct direction *d, const struct edge *before,
			const struct edge *after, const struct dut_view *dut,
			struct trial_result *r)
{
	const struct dut_change *change = dut->known ? &dut->change : NULL;
	double stamped = (double)(r->sent - r->unstamped);
	double entered = stamped + (r->refused_counts ? (double)r->refused : 0);

	take_missed(r, g, d, before->missed[d->rx_port], after->missed[d->rx_port], change);
	/* A stall that is not listed may have lost any frame. */
	r->lost_in_dut_stall_known = dut->all_listed && change->same_clock;
	attribute(r, g, d, dut->stalls, r->lost_in_dut_stall_known ? dut->n : 0);
	attribute_refused(r, g, d, dut);
	r->loss_ratio = stamped > 0
				? ((double)(r->lost - r->gen_missed) + entered - stamped) / entered
				: NAN;
	if (change) {
		r->dut_stalls = change->stalls;
		r->dut_stall_s = (double)change->stall_cycles / change->tsc_hz;
		r->dut = dut_part(g, change,
				  dut->all_listed ? (double)longest(dut->stalls, dut->n) : NAN);
	}
}

void results_take(struct generator *g, const struct edge *before, const struct edge *after,
		  struct trial_result *results)
{
	struct dut_view dut;

	for (uint16_t i = 0; i < g->n_directions; i++) {
		results[i].stamp_trial = g->trial_id;
		take_tx(&results[i], g, &g->directions[i]);
		take_stalls(&results[i], g);
		streams_count(g, &g->directions[i], !g->config->tx_only, results[i].streams);
	}
	if (g->config->tx_only)
		return;
	dut_look(&dut, g, before, after, results[0].actual_s);
	for (uint16_t i = 0; i < g->n_directions; i++) {
		take_rx(&results[i], g, &g->directions[i]);
		take_losses(g, &g->directions[i], before, after, &dut, &results[i]);
	}
	free(dut.stalls);
}

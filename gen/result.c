/*
 * From counters to a trial's result: rates, losses and what they are put down to, the DUT's part.
 */
#include "gen/result.h"

#include "gen/dut_client.h"

#include <math.h>
#include <stdlib.h>

#define MIN_SLACK_S 100e-6 /* a frame sent this shortly before a stall may be lost in it */

static void take_tx(struct trial_result *r, const struct worker *w, const struct direction *d)
{
	const struct sender *s = &d->tx;

	r->actual_s = (double)(w->tx_end - w->begin) / r->tsc_hz;
	r->sent = s->sent;
	r->refused = s->refused;
	r->unsent = s->unsent;
	r->offered = s->sent + s->refused + s->unsent;
	r->backpressured = s->backpressured;
	r->no_mbuf = s->no_mbuf;
	r->tx_pps = r->actual_s > 0 ? (double)s->sent / r->actual_s : NAN;
	r->rate_error_ppm = NAN;
	/* What was offered to the port, sent or refused, against what was asked for. */
	if (r->spec.pps > 0 && r->offered)
		r->rate_error_ppm =
			((double)(s->sent + s->refused) / r->actual_s / r->spec.pps - 1) * 1e6;
	hist_merge(r->lateness, s->lateness);
	hist_merge(r->spacing, s->spacing);
	if (s->side_by_side)
		hist_add_n(r->spacing, 0, s->side_by_side);
}

static void take_rx(struct trial_result *r, const struct generator *g, const struct direction *d)
{
	const struct account *a = &d->rx.account;
	const struct seq_window *w = a->window;
	const struct receiver *receiver = &g->receivers[d->rx_port];
	double receiving_s = (double)(g->worker.tx_end - a->first_rx) / r->tsc_hz;

	r->received = w->received;
	r->lost = r->sent - w->received;
	r->settled_lost = w->lost;
	r->duplicate = w->duplicate;
	r->reordered = w->reordered;
	r->corrupt = a->corrupt;
	r->too_late = w->too_late;
	r->negative = a->negative;
	r->beyond = a->beyond;
	r->foreign = receiver->foreign + receiver->stale;
	r->stale = receiver->stale;
	r->misdirected = receiver->misdirected;
	r->longest_loss_run = w->longest_run;
	r->loss_runs = w->runs;
	/*
	 * Frames a second while sending, counted from the first arrival: neither the ring's first
	 * filling nor what still comes out of it afterwards belongs to the rate.
	 */
	r->rx_pps = a->first_rx && receiving_s > 0 ? (double)a->received_while_sending / receiving_s
						   : 0;
	hist_merge(r->clean, a->clean);
	hist_merge(r->all, a->clean);
	hist_merge(r->all, a->shadow);
	r->ipdv_mean = a->ipdv_pairs ? (double)a->ipdv_sum / (double)a->ipdv_pairs : NAN;
	r->ipdv_max = a->ipdv_pairs ? (double)a->ipdv_max : NAN;
	r->extent_mean = w->reordered ? (double)w->extent_sum / (double)w->reordered : NAN;
	r->extent_max = w->extent_max;
	r->jitter_cycles = r->all->count > 1 ? (double)a->jitter_x16 / 16 : NAN;
}

static void take_stalls(struct trial_result *r, const struct loop_watch *w)
{
	r->stalls = w->stall_count;
	r->stall_max = w->stall_max;
	r->stall_total = w->stall_cycles;
}

/* Losses near stalls of generator and DUT. */
static void attribute(struct trial_result *r, const struct generator *g, const struct direction *d,
		      const struct dut_change *change, uint64_t first_dut_stall)
{
	const struct seq_window *w = d->rx.account.window;
	uint64_t n_runs = w->runs < SEQ_MAX_RUNS ? w->runs : SEQ_MAX_RUNS;
	const struct loop_watch *watch = g->worker.watch;
	uint32_t n_own = (uint32_t)(watch->stall_count < LOOP_MAX_STALLS ? watch->stall_count
									 : LOOP_MAX_STALLS);
	/* A frame is in danger as long as it travels. */
	uint64_t slack = (uint64_t)(MIN_SLACK_S * g->hz),
		 travel = r->clean->count ? r->clean->max : 0;
	struct stall *theirs;

	if (travel > slack)
		slack = travel;
	r->lost_in_gen_stall = checkpoints_attribute(d->tx.checkpoints, w->kept, n_runs,
						     watch->stalls, n_own, NULL, 0, slack);
	if (!change || !change->same_clock)
		return;
	r->lost_in_dut_stall_known = true;
	theirs = change->stalls && n_runs ? calloc(LOOP_MAX_STALLS, sizeof(*theirs)) : NULL;
	if (theirs) {
		uint32_t n = dut_stalls(g->config->dut_telemetry, first_dut_stall, theirs,
					LOOP_MAX_STALLS);

		r->lost_in_dut_stall = checkpoints_attribute(
			d->tx.checkpoints, w->kept, n_runs, theirs, n, watch->stalls, n_own, slack);
	}
	free(theirs);
}

static json_t *dut_part(const struct generator *g, const struct dut_change *c, uint64_t max_stall)
{
	return json_pack("{s:O, s:o, s:I, s:I, s:I, s:{s:I, s:o, s:I}}", "config", g->dut_info,
			 "cpu_busy", isnan(c->cpu_busy) ? json_null() : json_real(c->cpu_busy),
			 "rx_missed", (json_int_t)c->rx_missed, "tx_dropped",
			 (json_int_t)c->tx_dropped, "kernel_dropped", (json_int_t)c->kernel_dropped,
			 "stalls", "count", (json_int_t)c->stalls, "max_ns",
			 c->stalls ? json_integer((json_int_t)((double)max_stall / c->tsc_hz * 1e9))
				   : json_integer(0),
			 "total_ns", (json_int_t)((double)c->stall_cycles / c->tsc_hz * 1e9));
}

/* The longest of the DUT's stalls in this trial; its snapshots only know the longest ever. */
static uint64_t longest_dut_stall(const struct generator *g, const struct dut_change *c,
				  uint64_t first)
{
	struct stall *stalls = c->stalls ? calloc(LOOP_MAX_STALLS, sizeof(*stalls)) : NULL;
	uint32_t n =
		stalls ? dut_stalls(g->config->dut_telemetry, first, stalls, LOOP_MAX_STALLS) : 0;
	uint64_t longest = 0;

	for (uint32_t i = 0; i < n; i++)
		if (stalls[i].end - stalls[i].begin > longest)
			longest = stalls[i].end - stalls[i].begin;
	free(stalls);
	return longest;
}

/* Everything of a direction's result that is read from counters. */
static void take_losses(struct generator *g, uint16_t i, const struct edge *before,
			const struct edge *after, struct trial_result *r)
{
	const struct direction *d = &g->directions[i];
	uint16_t rx = d->rx_port;
	struct dut_change change;
	bool dut_known = before->dut && after->dut &&
			 dut_compare(before->dut, after->dut, r->actual_s, tsc_now(), &change);
	uint64_t first_stall =
		(uint64_t)json_integer_value(json_object_get(before->dut, "stall_count"));
	double entered;

	r->missed_went_back = after->missed[rx] < before->missed[rx];
	r->gen_missed = r->missed_went_back ? 0 : after->missed[rx] - before->missed[rx];
	/* memif and vhost have no imissed: what the DUT's wire port could not hand us was lost at
	 * our door. */
	if (dut_known && g->ports[rx].kind == PORT_EMBEDDED)
		r->gen_missed += change.wire_tx_dropped;
	if (r->gen_missed > r->lost)
		r->gen_missed = r->lost; /* duplicates and foreign frames are dropped there too */
	attribute(r, g, d, dut_known ? &change : NULL, first_stall);
	entered = (double)r->sent + (r->refused_counts ? (double)r->refused : 0);
	r->loss_ratio =
		entered > 0
			? ((double)(r->lost - r->gen_missed) + entered - (double)r->sent) / entered
			: NAN;
	if (dut_known)
		r->dut = dut_part(g, &change, longest_dut_stall(g, &change, first_stall));
}

void result_take(struct generator *g, uint16_t i, const struct edge *before,
		 const struct edge *after, struct trial_result *r)
{
	struct direction *d = &g->directions[i];

	r->stamp_trial = g->trial_id;
	take_tx(r, &g->worker, d);
	take_stalls(r, g->worker.watch);
	if (r->tx_only)
		return;
	seq_window_finish(d->rx.account.window, d->tx.sent);
	take_rx(r, g, d);
	take_losses(g, i, before, after, r);
}

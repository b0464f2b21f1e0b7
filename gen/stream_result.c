/*
 * Streams counted, summed up and told apart.
 */
#include "gen/stream_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A sequence space, settled. */
static void count_space(struct stream_counts *c, struct seq_merge *m, uint64_t sent)
{
	const struct seq_window *w = m->result;

	seq_merge_finish(m, sent);
	c->received += w->received;
	c->settled_lost += w->lost;
	c->duplicate += w->duplicate;
	c->reordered += w->reordered;
	c->too_late += w->too_late;
	c->loss_runs += w->runs;
	c->loss_runs_kept += seq_window_kept(w);
	c->longest_loss_run = larger(c->longest_loss_run, w->longest_run);
	c->extent_sum += w->extent_sum;
	c->extent_max = larger(c->extent_max, w->extent_max);
	c->incomplete |= m->incomplete;
	/* Numbers that another core never sent, seen only now. */
	if (w->next > sent)
		c->beyond++;
}

/* What one core received. */
static void count_account(struct stream_counts *c, const struct account *a)
{
	c->bytes += a->bytes;
	c->arrived += a->received;
	c->corrupt += a->corrupt;
	c->negative += a->negative;
	c->beyond += a->beyond;
	c->misdirected += a->misdirected;
	c->while_sending += a->received_while_sending;
	c->ipdv_pairs += a->ipdv_pairs;
	c->ipdv_sum += a->ipdv_sum;
	c->ipdv_max = larger(c->ipdv_max, a->ipdv_max);
	/* Each core has its own running estimate. */
	c->jitter += a->jitter * (double)a->received;
	c->clean_jitter += a->clean_jitter * (double)a->received;
}

void streams_count(const struct generator *g, struct direction *d, bool received,
		   struct stream_counts *counts)
{
	memset(counts, 0, d->streams * sizeof(*counts));
	for (uint32_t i = 0; i < d->streams; i++) {
		struct stream_counts *c = &counts[i];

		for (unsigned int l = 0; l < g->crew.n; l++) {
			uint64_t sent = d->lanes[l].streams[i].sent;

			c->sent += sent;
			if (!received)
				continue;
			count_space(c, direction_merge(d, l, i), sent);
			count_account(c, &d->accounts[l][i]);
		}
	}
}

void streams_attribute(const struct generator *g, const struct direction *d,
		       const struct stall *own, uint32_t n_own, const struct stall *theirs,
		       uint32_t n_theirs, uint64_t slack, struct stream_counts *counts)
{
	for (uint32_t i = 0; i < d->streams; i++) {
		for (unsigned int l = 0; l < g->crew.n; l++) {
			const struct seq_window *w = direction_merge(d, l, i)->result;
			const struct checkpoints *c = d->lanes[l].checkpoints;
			uint64_t n = seq_window_kept(w);

			counts[i].lost_in_gen_stall +=
				checkpoints_attribute(c, i, w->kept, n, own, n_own, NULL, 0, slack);
			counts[i].lost_in_dut_stall += checkpoints_attribute(
				c, i, w->kept, n, theirs, n_theirs, own, n_own, slack);
		}
	}
}

static void add(struct stream_counts *sum, const struct stream_counts *c)
{
	sum->sent += c->sent;
	sum->received += c->received;
	sum->bytes += c->bytes;
	sum->arrived += c->arrived;
	sum->settled_lost += c->settled_lost;
	sum->duplicate += c->duplicate;
	sum->reordered += c->reordered;
	sum->too_late += c->too_late;
	sum->loss_runs += c->loss_runs;
	sum->loss_runs_kept += c->loss_runs_kept;
	sum->longest_loss_run = larger(sum->longest_loss_run, c->longest_loss_run);
	sum->extent_sum += c->extent_sum;
	sum->extent_max = larger(sum->extent_max, c->extent_max);
	sum->corrupt += c->corrupt;
	sum->negative += c->negative;
	sum->beyond += c->beyond;
	sum->misdirected += c->misdirected;
	sum->while_sending += c->while_sending;
	sum->ipdv_pairs += c->ipdv_pairs;
	sum->ipdv_sum += c->ipdv_sum;
	sum->ipdv_max = larger(sum->ipdv_max, c->ipdv_max);
	sum->jitter += c->jitter;
	sum->clean_jitter += c->clean_jitter;
	sum->incomplete |= c->incomplete;
}

static void merge_latency(struct trial_result *r, const struct generator *g,
			  const struct direction *d, uint32_t stream)
{
	for (unsigned int w = 0; w < g->crew.n; w++) {
		const struct account *a = &d->accounts[w][stream];

		hist_merge(r->clean, a->clean);
		hist_merge(r->all, a->clean);
		hist_merge(r->all, a->shadow);
	}
}

/* From counts to a result whose histograms are merged. */
static void fill(struct trial_result *r, const struct stream_counts *c)
{
	double seconds, frames = (double)c->received;

	r->received = c->received;
	r->lost = r->sent - r->unstamped - r->received;
	r->rx_size = c->arrived ? (double)c->bytes / (double)c->arrived + FRAME_FCS : NAN;
	r->settled_lost = c->settled_lost;
	r->duplicate = c->duplicate;
	r->reordered = c->reordered;
	r->too_late = c->too_late;
	r->loss_runs = c->loss_runs;
	r->loss_runs_kept = c->loss_runs_kept;
	r->longest_loss_run = c->longest_loss_run;
	r->extent_mean = c->reordered ? (double)c->extent_sum / (double)c->reordered : NAN;
	r->extent_max = c->extent_max;
	r->corrupt = c->corrupt;
	r->negative = c->negative;
	r->beyond = c->beyond;
	r->misdirected = c->misdirected;
	r->accounts_incomplete = c->incomplete;
	r->ipdv_mean = c->ipdv_pairs ? (double)c->ipdv_sum / (double)c->ipdv_pairs : NAN;
	r->ipdv_max = c->ipdv_pairs ? (double)c->ipdv_max : NAN;
	r->jitter_cycles = r->all->count > 1 ? c->jitter / frames : NAN;
	r->clean_jitter_cycles = r->clean->count > 1 ? c->clean_jitter / frames : NAN;
	/*
	 * Frames a second while sending. What is sent in the last round trip cannot be back yet, so
	 * the time is shorter by the smallest one; what still comes out of the DUT's queues
	 * afterwards is not of this rate.
	 */
	seconds = r->actual_s - (r->all->count ? (double)r->all->min / r->tsc_hz : 0);
	r->rx_pps = seconds > 0 ? fmin((double)c->while_sending / seconds, r->tx_pps) : 0;
}

static bool closes(const struct stream_counts *c)
{
	return c->received <= c->sent && c->settled_lost == c->sent - c->received;
}

void streams_sum_up(const struct generator *g, const struct direction *d, struct trial_result *r)
{
	struct stream_counts sum = {0};

	for (uint32_t i = 0; i < d->streams; i++) {
		add(&sum, &r->streams[i]);
		merge_latency(r, g, d, i);
		r->streams_open += d->streams > 1 && !closes(&r->streams[i]);
	}
	fill(r, &sum);
}

/* A stream's share of n frames that no stream has. */
static uint64_t share(uint64_t n, uint32_t streams, uint32_t stream)
{
	return n / streams + (stream < n % streams);
}

void stream_result(const struct generator *g, const struct trial_result *whole, uint32_t stream,
		   struct trial_result *r)
{
	const struct direction *d = whole->from;
	const struct stream_counts *c = &whole->streams[stream];
	struct hist *all = r->all, *clean = r->clean;
	double entered;

	*r = *whole;
	r->all = all;
	r->clean = clean;
	hist_clear(all);
	hist_clear(clean);
	r->lateness = NULL;
	r->spacing = NULL;
	r->streams = NULL;
	r->dut = NULL;
	r->n_reasons = 0;
	snprintf(r->stream, sizeof(r->stream), "%u", stream);
	r->spec.pps /= d->streams;
	r->spec.then_pps /= d->streams;
	r->sent = c->sent;
	r->refused = share(whole->refused, d->streams, stream);
	r->refused_in_dut_stall = share(whole->refused_in_dut_stall, d->streams, stream);
	r->unsent = share(whole->unsent, d->streams, stream);
	r->offered = r->sent + r->refused + r->unsent;
	r->tx_pps = r->actual_s > 0 ? (double)r->sent / r->actual_s : NAN;
	r->outage_s = NAN;
	r->recovery_s = NAN;
	if (r->spec.pps > 0 && r->offered)
		r->rate_error_ppm = trial_rate_error_ppm(r);
	if (r->tx_only)
		return;
	merge_latency(r, g, d, stream);
	fill(r, c);
	r->lost_in_gen_stall = c->lost_in_gen_stall;
	r->lost_in_dut_stall = c->lost_in_dut_stall;
	/* Whose frames were missed is not known; where none were, none of this stream's were. */
	r->gen_missed_known = whole->gen_missed_known && !whole->gen_missed;
	r->gen_missed = 0;
	entered = (double)r->sent + (r->refused_counts ? (double)r->refused : 0);
	r->loss_ratio = entered > 0 ? ((double)r->lost + entered - (double)r->sent) / entered : NAN;
}

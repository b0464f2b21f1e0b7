/*
 * The life of a trial (design section 4): links, learning, warm-up, measuring, drain; then the
 * counters are read once and become a result. The polling thread knows nothing of all this; it runs
 * one segment at a time.
 */
#include "gen/trial.h"

#include "common/clock.h"
#include "gen/crew.h"
#include "gen/dut_client.h"
#include "gen/progress.h"
#include "gen/replay.h"
#include "gen/result.h"
#include "gen/stream_result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAG_SECONDS	  50e-6 /* frames later than this are unsent */
#define BURST_LAG_SECONDS 10.0
#define QUIET_NS \
	100000000ull /* nothing missing and nothing came for this long: the drain may end */
#define WARMUP_QUIET_NS 5000000ull
#define FRAMES_MAX_NS	3600000000000ull     /* a trial of N frames without a duration */
#define REPLAY_MAX_NS	31622400000000000ull /* a year: a capture ends by itself */
#define PRIME_FRAMES	40000u		     /* twice round the largest ring: 2^14 slots */
#define PRIME_PPS	400e3

/* At a rate far below one frame a day the time of N frames overflows: it is as good as for ever. */
static uint64_t cycles(const struct generator *g, double seconds)
{
	return (uint64_t)fmin(seconds * g->hz, 0x1p62);
}

/* Frames due in a paced trial, or the frame limit; never 0. */
static uint64_t frame_limit(const struct trial_spec *spec)
{
	double due = spec->pps > 0 ? floor(spec->pps * (double)spec->duration_ns / 1e9) : INFINITY;

	if (spec->frames && (double)spec->frames < due)
		return spec->frames;
	if (due == INFINITY)
		return UINT64_MAX;
	return due < 1 ? 1 : (uint64_t)due;
}

static int load_frames(struct generator *g, const struct trial_spec *spec, char *err, size_t errlen)
{
	for (uint16_t i = 0; i < g->n_directions; i++) {
		struct direction *d = &g->directions[i];
		int rc;

		/* A replay brings its own; these prime the rings. */
		d->spec.size = spec->replay ? FRAME_MIN : spec->frame_size;
		rc = frame_build(&d->spec, &d->frame, err, errlen);
		if (rc)
			return rc;
		for (unsigned int l = 0; l < g->crew.n; l++) {
			sender_load(&d->lanes[l], &d->spec, &d->frame);
			d->lanes[l].burst =
				(uint16_t)(spec->burst ? spec->burst : g->config->burst);
		}
	}
	return 0;
}

/* A segment of a trial as the user configured it; the caller says how long. */
static struct segment configured_segment(const struct generator *g, double pps)
{
	const struct gen_config *c = g->config;

	return (struct segment){
		.pps = pps,
		.frames = UINT64_MAX,
		.drain = cycles(g, (double)c->drain_ns / 1e9),
		.lag_seconds = LAG_SECONDS,
		.train = c->train.frames,
		.poisson = c->arrival == ARRIVAL_POISSON,
		.seed = g->seed + g->trial_number, /* repeats are independent of each other */
		.hz = g->hz,
		.receive = !c->tx_only,
	};
}

/* The first pass through a ring and its mbufs meets pages that were never touched: off the record,
 * once. */
static int prime(struct generator *g, bool *link_lost, char *err, size_t errlen)
{
	struct segment segment = {
		.pps = PRIME_PPS,
		.frames = PRIME_FRAMES,
		.duration = cycles(g, 2 * PRIME_FRAMES / PRIME_PPS),
		.drain = cycles(g, 0.05),
		.quiet = cycles(g, WARMUP_QUIET_NS / 1e9),
		.lag_seconds = LAG_SECONDS,
		.hz = g->hz,
		.receive = true,
	};
	int rc = 0;

	if (g->ports_need_priming && !g->config->tx_only)
		rc = crew_run(g, &segment, NULL, "prime", link_lost, err, errlen);
	if (!rc)
		g->ports_need_priming = false;
	return rc;
}

static int warm_up(struct generator *g, const struct trial_spec *spec, struct progress *progress,
		   bool *link_lost, char *err, size_t errlen)
{
	struct segment segment = configured_segment(g, spec->pps);

	if (!g->config->warmup_ns || spec->cold || spec->replay)
		return 0;
	segment.duration = cycles(g, (double)g->config->warmup_ns / 1e9);
	segment.quiet = cycles(g, WARMUP_QUIET_NS / 1e9);
	/* Stragglers of the warm-up carry its trial number and cannot be taken for the trial's. */
	if (segment.drain > cycles(g, 0.2))
		segment.drain = cycles(g, 0.2);
	return crew_run(g, &segment, progress, "warm-up", link_lost, err, errlen);
}

/* A DUT that no longer says what it did is no reason to stop: said once, and when it is back. */
static void tell_dut(struct generator *g, const char *problem)
{
	if (problem && !g->dut.warned)
		fprintf(stderr,
			"tandem-gen: warning: %s; records go without the DUT's part until it "
			"answers\n",
			problem);
	else if (!problem && g->dut.warned)
		fprintf(stderr, "tandem-gen: %s answers again\n", g->config->dut.text);
	g->dut.warned = problem != NULL;
}

static void read_edge(struct generator *g, struct edge *edge)
{
	char err[512];

	for (uint16_t i = 0; i < g->n_ports; i++)
		edge->missed[i] = port_missed(&g->ports[i]);
	edge->dut = NULL;
	if (g->config->dut.way != DUT_NOWHERE) {
		edge->dut = dut_snapshot(&g->dut, err, sizeof(err));
		tell_dut(g, edge->dut ? NULL : err);
	}
	edge->clock = clock_point_now();
}

static int allocate(struct trial_result *r, const struct direction *d)
{
	struct hist **hists[] = {&r->all, &r->clean, &r->lateness, &r->spacing};

	for (size_t i = 0; i < 4; i++) {
		*hists[i] = malloc(sizeof(struct hist));
		if (!*hists[i])
			return -ENOMEM;
		hist_reset(*hists[i]);
	}
	r->from = d;
	r->streams = calloc(d->streams, sizeof(*r->streams));
	return r->streams ? 0 : -ENOMEM;
}

void trial_release(struct trial_result *r)
{
	free(r->all);
	free(r->clean);
	free(r->lateness);
	free(r->spacing);
	free(r->streams);
	json_decref(r->dut);
	r->all = r->clean = r->lateness = r->spacing = NULL;
	r->streams = NULL;
	r->dut = NULL;
}

static void begin_result(struct generator *g, uint16_t i, const struct trial_spec *spec,
			 struct trial_result *r)
{
	const struct direction *d = &g->directions[i];

	r->trial = g->trial_number;
	r->spec = *spec;
	r->burst = d->lanes[0].burst;
	r->on_full = g->wait_on_full ? "wait" : "drop";
	r->tx_only = g->config->tx_only;
	r->verified = g->config->verify || g->ports[d->rx_port].checks_sums;
	/* Checksums that were wrong before say nothing of the way. */
	if (spec->replay && spec->replay->facts.wrong_sums && !spec->replay->rules.fix_sums)
		r->verified = false;
	r->refused_counts = generator_counts_refused_as_lost(g, d);
	r->line_rate_bps = generator_line_rate(g, d);
	r->loss_ratio = NAN;
	r->rx_pps = NAN;
	r->recovery_s = NAN;
	r->outage_s = NAN;
	r->jitter_cycles = NAN;
	r->clean_jitter_cycles = NAN;
	snprintf(r->direction, sizeof(r->direction), "%u>%u", d->tx_port, d->rx_port);
	clock_iso8601(r->started, sizeof(r->started));
}

/* The lane sends the capture, and what comes back has any size. */
static int begin_replay(struct generator *g, struct replay *replay, char *err, size_t errlen)
{
	struct direction *d = &g->directions[0];
	int rc;

	if (!replay)
		return 0;
	rc = replay_begin(replay, d->spec.dst_mac, d->spec.src_mac, g->hz, LAG_SECONDS, err,
			  errlen);
	if (rc)
		return rc;
	d->lanes[0].replay = replay;
	d->frame.len = 0;
	return 0;
}

static int end_replay(struct generator *g, struct replay *replay, char *err, size_t errlen)
{
	if (!replay)
		return 0;
	g->directions[0].lanes[0].replay = NULL;
	return replay_end(replay, err, errlen);
}

/* Frames of the measured part are captured, not those before. */
static void set_taps(struct generator *g, bool on)
{
	for (unsigned int w = 0; w < g->crew.n; w++) {
		struct capture_tap *tap = on ? capture_out_tap(g->capture, w) : NULL;

		g->workers[w].tap = tap;
		for (uint16_t d = 0; d < g->n_directions; d++) {
			g->directions[d].lanes[w].tap = tap;
			g->directions[d].lanes[w].tap_port = g->directions[d].tx_port;
		}
	}
}

static void end_capture(struct generator *g, struct trial_result *results)
{
	struct capture_counts counts;

	if (!g->capture)
		return;
	set_taps(g, false);
	capture_out_settle(g->capture, &counts);
	for (uint16_t i = 0; i < g->n_directions; i++) {
		results[i].captured = true;
		results[i].capture = counts;
	}
}

static int measure(struct generator *g, const struct trial_spec *spec, struct progress *progress,
		   struct trial_result *results, bool link_lost, char *err, size_t errlen)
{
	struct segment segment = configured_segment(g, spec->replay ? 0 : spec->pps);
	struct edge before = {0}, after = {0};
	char later_err[256];
	double hz;
	int rc, later;

	segment.frames =
		spec->replay ? (spec->frames ? spec->frames : UINT64_MAX) : frame_limit(spec);
	segment.duration = cycles(g, (double)(spec->duration_ns + spec->then_ns) / 1e9);
	segment.then_pps = spec->then_pps;
	segment.then_after = cycles(g, (double)spec->duration_ns / 1e9);
	segment.bears_outage = spec->bears_outage;
	segment.quiet = cycles(g, QUIET_NS / 1e9);
	/* A burst has as many frames as it was asked to have, however fast they go out. */
	if (spec->cold && spec->frames)
		segment.lag_seconds = BURST_LAG_SECONDS;
	/* N frames at a rate take N intervals: the last one is sent an interval before the end. */
	if (spec->pps > 0 && spec->frames && !spec->replay &&
	    segment.duration > cycles(g, (double)segment.frames / spec->pps))
		segment.duration = cycles(g, (double)segment.frames / spec->pps);
	g->trial_number++;
	for (uint16_t i = 0; i < g->n_directions; i++)
		begin_result(g, i, spec, &results[i]);
	rc = begin_replay(g, spec->replay, err, errlen);
	if (rc)
		return rc;
	set_taps(g, true);
	read_edge(g, &before);
	rc = crew_run(g, &segment, progress, "measure", &link_lost, err, errlen);
	read_edge(g, &after);
	end_capture(g, results);
	later = end_replay(g, spec->replay, later_err, sizeof(later_err));
	if (!rc && later) {
		snprintf(err, errlen, "%s", later_err);
		rc = later;
	}
	hz = clock_hz(&before.clock, &after.clock);
	if (!isnan(hz))
		g->hz = hz;
	for (uint16_t i = 0; i < g->n_directions; i++) {
		results[i].tsc_hz = g->hz;
		results[i].link_lost = link_lost;
	}
	if (!rc)
		results_take(g, &before, &after, results);
	for (uint16_t i = 0; i < g->n_directions && !rc; i++)
		verdict_reach(&results[i]);
	json_decref(before.dut);
	json_decref(after.dut);
	return rc;
}

int trial_run(struct generator *g, const struct trial_spec *asked, struct progress *progress,
	      struct trial_result *results, char *err, size_t errlen)
{
	struct trial_spec spec = *asked;
	bool link_lost = false;
	int rc = generator_wait_links(g, err, errlen);

	if (!spec.duration_ns)
		spec.duration_ns = spec.replay ? REPLAY_MAX_NS : FRAMES_MAX_NS;
	memset(results, 0, sizeof(*results) * g->n_directions);
	if (!rc && !g->learned)
		rc = generator_learn(g, err, errlen);
	if (!rc)
		rc = load_frames(g, &spec, err, errlen);
	for (uint16_t i = 0; i < g->n_directions && !rc; i++)
		rc = allocate(&results[i], &g->directions[i]);
	if (!rc)
		rc = prime(g, &link_lost, err, errlen);
	if (!rc)
		rc = warm_up(g, &spec, progress, &link_lost, err, errlen);
	if (!rc)
		rc = measure(g, &spec, progress, results, link_lost, err, errlen);
	if (!rc && *g->stop) {
		snprintf(err, errlen, "stopped by the user");
		rc = -EINTR;
	}
	if (rc)
		for (uint16_t i = 0; i < g->n_directions; i++)
			trial_release(&results[i]);
	return rc;
}

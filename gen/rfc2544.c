/*
 * From a configuration to each method's specification, and from its result to a record.
 */
#include "gen/rfc2544.h"

#include "common/results.h"
#include "gen/methods/back_to_back.h"
#include "gen/methods/loss.h"
#include "gen/methods/recovery.h"
#include "gen/methods/reset.h"
#include "gen/methods/throughput.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define FIRST_RANGE_PPS 1e8 /* for a plan: what the highest load may be at most */

static double duration_s(const struct gen_config *config)
{
	return (double)config->duration_ns / 1e9;
}

static json_t *record(enum outcome outcome, const struct tally *tally, json_t *reasons)
{
	return json_pack("{s:s, s:o, s:o, s:o}", "outcome", outcome_name(outcome), "trials",
			 result_count(tally->trials), "time_s", result_real(tally->cost_s),
			 "reasons", reasons);
}

/* A test that cannot be done without what another one did not find. */
static int skip(struct rfc2544 *t, const char *why)
{
	return measure_end(t->measure,
			   record(OUTCOME_SKIPPED, &(struct tally){0}, json_pack("[s]", why)));
}

static struct throughput_spec throughput_spec(const struct gen_config *config, double max_pps,
					      double min_pps)
{
	struct throughput_spec spec = {THROUGHPUT_DEFAULTS};

	spec.max_pps = max_pps;
	spec.min_pps = min_pps;
	spec.tolerance = config->method.tolerance;
	spec.width = config->method.width;
	spec.duration_s = duration_s(config);
	spec.pdr_tolerance = THROUGHPUT_PDR;
	return spec;
}

static json_t *throughput_reasons(const struct throughput_result *r)
{
	json_t *reasons = json_array();

	if (r->bounded_by_stalls)
		json_array_append_new(
			reasons,
			json_string("the upper bound lost frames in the DUT's stalls only: on a "
				    "quieter host it may be higher"));
	if (r->wide && r->outcome == OUTCOME_FOUND)
		json_array_append_new(
			reasons, json_string("the bounds are further apart than the width: the "
					     "load that the generator achieves varies more"));
	if (r->outcome == OUTCOME_ZERO_LOSS_IMPOSSIBLE)
		json_array_append_new(
			reasons, json_string("stalls of this host lose frames at any load: see the "
					     "PDR"));
	if (r->outcome == OUTCOME_GENERATOR_LIMITED)
		json_array_append_new(reasons, json_string("the generator could not send more: the "
							   "DUT's limit is at or above the lower "
							   "bound"));
	if (r->disturbed)
		json_array_append_new(reasons, json_string("a bound is of a disturbed trial"));
	return reasons;
}

int rfc2544_throughput(struct rfc2544 *t)
{
	struct throughput_spec spec = throughput_spec(t->config, t->max_pps, t->min_pps);
	struct throughput_result r;
	int rc = throughput_search(&spec, &t->measure->measurer, &r);
	json_t *fields;

	if (rc)
		return rc;
	t->throughput_pps = r.throughput_pps;
	t->at_line_rate = r.outcome == OUTCOME_LINE_RATE;
	/* What no loss was seen at still serves the tests that need a load, and is marked. */
	if (isnan(t->throughput_pps))
		t->throughput_pps = isnan(r.lower_pps) ? r.pdr_pps : r.lower_pps;
	t->measure->throughput_pps = t->throughput_pps;
	fields = record(r.outcome, &r.tally, throughput_reasons(&r));
	json_object_set_new(fields, "throughput_pps", result_real(r.throughput_pps));
	json_object_set_new(fields, "lower_bound_pps", result_real(r.lower_pps));
	json_object_set_new(fields, "upper_bound_pps", result_real(r.upper_pps));
	json_object_set_new(fields, "loss_tolerance", json_real(spec.tolerance));
	json_object_set_new(fields, "width", json_real(spec.width));
	json_object_set_new(fields, "trial_s", json_real(spec.duration_s));
	if (r.pdr_outcome != OUTCOME_SKIPPED) {
		json_object_set_new(fields, "pdr_pps", result_real(r.pdr_pps));
		json_object_set_new(fields, "pdr_loss_ratio", json_real(spec.pdr_tolerance));
	}
	return measure_end(t->measure, fields);
}

double rfc2544_throughput_s(const struct gen_config *config, double overhead_s)
{
	struct throughput_spec spec = throughput_spec(config, FIRST_RANGE_PPS, 100);

	return throughput_estimate_s(&spec, overhead_s);
}

static const double latency_loads[] = {1, 0.9, 0.5, 0.1};

#define N_LATENCY_LOADS (sizeof(latency_loads) / sizeof(latency_loads[0]))

static json_t *latency_point(const json_t *trial, double share)
{
	static const char *const parts[] = {"loss_ratio", "verdict", "latency_ns",
					    "latency_clean_ns"};
	json_t *point = json_pack("{s:f, s:o}", "percent", share * 100, "rate_pps",
				  result_real(result_num(trial, "tx.pps")));

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_t *value = json_object_get(trial, parts[i]);

		json_object_set_new(point, parts[i], value ? json_incref(value) : json_null());
	}
	return point;
}

/* Latency at the throughput (RFC 2544, section 26.2) and below it; every frame is a sample. */
int rfc2544_latency(struct rfc2544 *t)
{
	json_t *loads = json_array(), *fields;
	struct tally tally = {0};
	bool any = false;

	if (!(t->throughput_pps > 0)) {
		json_decref(loads);
		return skip(t, "there is no throughput to measure it at");
	}
	for (size_t i = 0; i < N_LATENCY_LOADS; i++) {
		struct method_ask ask = {.pps = t->throughput_pps * latency_loads[i],
					 .duration_s = duration_s(t->config),
					 .tolerance = t->config->method.tolerance};
		struct observation seen;
		int rc = tally_trial(&tally, &t->measure->measurer, &ask, TALLY_REPEATS, &seen);

		if (rc) {
			json_decref(loads);
			return rc;
		}
		any |= !seen.invalid;
		json_array_append_new(loads, latency_point(json_array_get(t->measure->records, 0),
							   latency_loads[i]));
	}
	fields = record(any ? OUTCOME_FOUND : OUTCOME_INVALID, &tally, json_array());
	json_object_set_new(fields, "throughput_pps", json_real(t->throughput_pps));
	json_object_set_new(fields, "loads", loads);
	return measure_end(t->measure, fields);
}

double rfc2544_latency_s(const struct gen_config *config, double overhead_s)
{
	size_t loads = N_LATENCY_LOADS;

	return (double)loads * (duration_s(config) + overhead_s);
}

static struct loss_spec loss_spec(const struct gen_config *config, double max_pps)
{
	struct loss_spec spec = {LOSS_DEFAULTS};

	spec.max_pps = max_pps;
	spec.step = fmin(fmax(config->method.step, LOSS_STEP_MIN), LOSS_STEP_MAX);
	spec.duration_s = duration_s(config);
	return spec;
}

static const char *verdict(const struct observation *seen)
{
	return seen->invalid ? "invalid" : seen->disturbed ? "disturbed" : "valid";
}

int rfc2544_loss(struct rfc2544 *t)
{
	struct loss_spec spec = loss_spec(t->config, t->max_pps);
	struct loss_result r;
	int rc = loss_measure(&spec, &t->measure->measurer, &r);
	json_t *points, *fields;

	if (rc)
		return rc;
	points = json_array();
	for (unsigned int i = 0; i < r.points; i++) {
		const struct observation *seen = &r.point[i].seen;

		json_array_append_new(
			points,
			json_pack("{s:f, s:o, s:o, s:s}", "percent", r.point[i].share * 100,
				  "offered_pps",
				  result_real(seen->invalid ? NAN : seen->offered_pps),
				  "loss_ratio", result_real(seen->invalid ? NAN : seen->loss_ratio),
				  "verdict", verdict(seen)));
	}
	fields = record(
		r.outcome, &r.tally,
		r.generator_limited
			? json_pack("[s]", "generator-limited: the highest load is what it sent")
			: json_array());
	json_object_set_new(fields, "max_load_pps", result_real(r.highest_pps));
	json_object_set_new(fields, "points", points);
	return measure_end(t->measure, fields);
}

double rfc2544_loss_s(const struct gen_config *config, double overhead_s)
{
	struct loss_spec spec = loss_spec(config, FIRST_RANGE_PPS);

	return loss_estimate_s(&spec, overhead_s);
}

static json_t *spread_of(const struct spread *s)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "mean", result_real(s->count ? s->average : NAN),
			 "min", result_real(s->count ? s->min : NAN), "max",
			 result_real(s->count ? s->max : NAN), "stdev",
			 result_real(s->count ? s->stdev : NAN));
}

static struct back_to_back_spec burst_spec(const struct gen_config *config, double max_pps,
					   double throughput_pps)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS};

	spec.max_pps = max_pps;
	spec.throughput_pps = throughput_pps;
	/* The longest burst: RFC 9004 has up to 30 s; a trial's time where that is shorter. */
	spec.max_burst_s = fmin(spec.max_burst_s, duration_s(config));
	spec.resolution = 0.001;
	if (config->method.repetitions)
		spec.repetitions = (unsigned int)config->method.repetitions;
	return spec;
}

int rfc2544_back_to_back(struct rfc2544 *t)
{
	struct back_to_back_spec spec = burst_spec(t->config, t->max_pps, t->throughput_pps);
	struct back_to_back_result r;
	json_t *fields;
	int rc;

	if (!(t->throughput_pps > 0))
		return skip(t, "without a throughput a buffer has no size");
	rc = back_to_back_search(&spec, &t->measure->measurer, &r);
	if (rc)
		return rc;
	fields = record(r.outcome, &r.tally, json_array());
	json_object_set_new(fields, "burst_rate_pps", result_real(r.burst_pps));
	json_object_set_new(fields, "repetitions", result_count(r.frames.count));
	json_object_set_new(fields, "burst_frames", spread_of(&r.frames));
	json_object_set_new(fields, "implied_buffer_s", result_real(r.implied_s));
	json_object_set_new(fields, "corrected_buffer_s", result_real(r.corrected_s));
	json_object_set_new(fields, "throughput_pps", json_real(t->throughput_pps));
	return measure_end(t->measure, fields);
}

double rfc2544_back_to_back_s(const struct gen_config *config, double overhead_s)
{
	struct back_to_back_spec spec = burst_spec(config, 1e6, 0.9e6);

	return back_to_back_trials(&spec) * overhead_s;
}

static struct recovery_spec recovery_spec(const struct gen_config *config, double max_pps,
					  double throughput_pps)
{
	struct recovery_spec spec = {RECOVERY_DEFAULTS};

	spec.throughput_pps = throughput_pps;
	spec.max_pps = max_pps;
	spec.overload_s = duration_s(config);
	spec.then_s = duration_s(config);
	if (config->method.repetitions)
		spec.repetitions = (unsigned int)config->method.repetitions;
	return spec;
}

int rfc2544_recovery(struct rfc2544 *t)
{
	struct recovery_spec spec = recovery_spec(t->config, t->max_pps, t->throughput_pps);
	struct recovery_result r;
	json_t *fields;
	int rc;

	if (!(t->throughput_pps > 0))
		return skip(t, "without a throughput there is no overload");
	rc = recovery_measure(&spec, &t->measure->measurer, &r);
	if (rc)
		return rc;
	fields = record(r.outcome, &r.tally, json_array());
	json_object_set_new(fields, "overload_pps", result_real(r.overload_pps));
	json_object_set_new(fields, "then_pps", result_real(r.then_pps));
	json_object_set_new(fields, "repetitions", result_count(r.recovery_s.count));
	json_object_set_new(fields, "recovery_s", spread_of(&r.recovery_s));
	return measure_end(t->measure, fields);
}

double rfc2544_recovery_s(const struct gen_config *config, double overhead_s)
{
	struct recovery_spec spec = recovery_spec(config, 1.2e6, 1e6);

	return recovery_estimate_s(&spec, overhead_s);
}

int rfc2544_reset(struct rfc2544 *t)
{
	struct reset_spec spec = {RESET_DEFAULTS};
	struct reset_result r;
	json_t *fields;
	int rc;

	if (!(t->throughput_pps > 0))
		return skip(t, "there is no throughput to measure it at");
	spec.pps = t->throughput_pps;
	spec.duration_s = duration_s(t->config);
	t->measure->command = t->config->method.reset_command;
	t->measure->bears_outage = true;
	rc = reset_measure(&spec, &t->measure->measurer, &r);
	t->measure->command = NULL;
	t->measure->bears_outage = false;
	if (rc)
		return rc;
	fields = record(r.outcome, &r.tally, json_array());
	json_object_set_new(fields, "rate_pps", json_real(spec.pps));
	json_object_set_new(fields, "outage_s", result_real(r.outage_s));
	json_object_set_new(fields, "lost", result_count(r.lost));
	return measure_end(t->measure, fields);
}

double rfc2544_reset_s(const struct gen_config *config, double overhead_s)
{
	return duration_s(config) + overhead_s;
}

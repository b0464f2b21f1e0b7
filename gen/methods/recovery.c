/*
 * Recovery after an overload, repeated. An overload that loses nothing overloads nothing: its
 * recovery time of zero would praise a DUT for a test that did not take place.
 */
#include "gen/methods/recovery.h"

#include <errno.h>
#include <math.h>

static bool sensible(const struct recovery_spec *spec)
{
	return spec->throughput_pps > 0 && isfinite(spec->max_pps) &&
	       spec->max_pps >= spec->throughput_pps * (1 - TALLY_SHORTFALL) &&
	       spec->overload_share > 1 && spec->then_share > 0 && spec->then_share < 1 &&
	       spec->overload_s > 0 && spec->then_s > 0 && spec->repetitions > 0;
}

double recovery_estimate_s(const struct recovery_spec *spec, double overhead_s)
{
	return spec->repetitions * (spec->overload_s + spec->then_s + overhead_s);
}

static enum outcome judge(const struct recovery_spec *spec, const struct observation *seen,
			  double then_pps)
{
	if (seen->invalid)
		return OUTCOME_INVALID;
	if (seen->lost == 0) {
		bool reached = seen->offered_pps > spec->throughput_pps * (1 + TALLY_SHORTFALL);

		return reached ? OUTCOME_NOT_OVERLOADED : OUTCOME_GENERATOR_LIMITED;
	}
	if (isnan(seen->recovery_s))
		return OUTCOME_INVALID;
	/* The last frame of all was lost, or the one before it. */
	if (seen->recovery_s > spec->then_s - 2 / then_pps)
		return OUTCOME_UNBOUNDED;
	return OUTCOME_FOUND;
}

int recovery_measure(const struct recovery_spec *spec, const struct measurer *m,
		     struct recovery_result *result)
{
	*result = (struct recovery_result){
		.overload_pps = fmin(spec->throughput_pps * spec->overload_share, spec->max_pps),
		.reached_pps = NAN};
	result->then_pps = result->overload_pps * spec->then_share;
	spread_init(&result->recovery_s);
	if (!sensible(spec))
		return -EINVAL;
	if (spec->max_pps <= spec->throughput_pps * (1 + TALLY_SHORTFALL)) {
		result->outcome = OUTCOME_LINE_RATE;
		return 0;
	}
	for (unsigned int n = 0; n < spec->repetitions; n++) {
		/* Loss is what the test is about: any is tolerated, none makes a repeat. */
		struct method_ask ask = {.pps = result->overload_pps,
					 .duration_s = spec->overload_s,
					 .then_pps = result->then_pps,
					 .then_duration_s = spec->then_s,
					 .tolerance = 1};
		struct observation seen;
		enum outcome outcome;
		int error = tally_trial(&result->tally, m, &ask, spec->repeats, &seen);

		if (error)
			return error;
		outcome = judge(spec, &seen, result->then_pps);
		if (!seen.invalid)
			result->reached_pps = fmin(result->reached_pps, seen.offered_pps);
		if (outcome != OUTCOME_FOUND) {
			result->outcome = outcome;
			return 0;
		}
		spread_add(&result->recovery_s, seen.recovery_s);
	}
	result->outcome = OUTCOME_FOUND;
	return 0;
}

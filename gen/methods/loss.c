/*
 * Loss against load. Nothing is searched: each point is what one trial saw. Where the generator
 * does not reach the highest load, the steps are shares of what it reached, for else the upper
 * points would all be the same load.
 */
#include "gen/methods/loss.h"

#include <errno.h>
#include <math.h>

/* The share of a step that rounding may take or give. */
#define STEP_EPSILON 1e-6

static bool sensible(const struct loss_spec *spec)
{
	return spec->max_pps > 0 && isfinite(spec->max_pps) && spec->duration_s > 0 &&
	       spec->step >= LOSS_STEP_MIN - STEP_EPSILON &&
	       spec->step <= LOSS_STEP_MAX + STEP_EPSILON;
}

unsigned int loss_trials(const struct loss_spec *spec)
{
	return (unsigned int)ceil(1 / spec->step - STEP_EPSILON);
}

double loss_estimate_s(const struct loss_spec *spec, double overhead_s)
{
	return loss_trials(spec) * (spec->duration_s + overhead_s);
}

/* One point; invalid trials are repeated, what is lost in stalls is shown and not repeated away. */
static int measure_point(const struct loss_spec *spec, const struct measurer *m,
			 struct loss_result *result, struct observation *seen, double pps)
{
	struct method_ask ask = {.pps = pps, .duration_s = spec->duration_s};

	for (unsigned int n = 0;; n++) {
		int error = tally_trial(&result->tally, m, &ask, 0, seen);

		if (error || !seen->invalid || n >= spec->repeats)
			return error;
	}
}

int loss_measure(const struct loss_spec *spec, const struct measurer *m, struct loss_result *result)
{
	unsigned int clean = 0, valid = 0;

	*result = (struct loss_result){.highest_pps = spec->max_pps};
	if (!sensible(spec))
		return -EINVAL;
	while (clean < 2 && result->points < loss_trials(spec)) {
		struct loss_point *p = &result->point[result->points];
		int error;

		p->share = 1 - result->points * spec->step;
		error = measure_point(spec, m, result, &p->seen, p->share * result->highest_pps);
		if (error)
			return error;
		result->points++;
		valid += !p->seen.invalid;
		clean = tally_passed(&p->seen, 0) ? clean + 1 : 0;
		if (p->seen.generator_limited && !p->seen.invalid && valid == 1) {
			result->generator_limited = true;
			result->highest_pps = p->seen.offered_pps;
			p->share = 1;
		}
	}
	if (clean >= 2)
		result->outcome = OUTCOME_FOUND;
	else
		result->outcome = valid ? OUTCOME_NONE : OUTCOME_INVALID;
	return 0;
}

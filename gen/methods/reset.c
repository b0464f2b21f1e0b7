/*
 * The outage of a restart. Frames that the DUT missed are either lost or, on a link that goes down
 * with the DUT, never sent: both are missing.
 */
#include "gen/methods/reset.h"

#include <errno.h>
#include <math.h>

static bool sensible(const struct reset_spec *spec)
{
	return spec->pps > 0 && isfinite(spec->pps) && spec->duration_s > 0;
}

double reset_estimate_s(const struct reset_spec *spec, double overhead_s)
{
	return spec->duration_s + overhead_s;
}

int reset_measure(const struct reset_spec *spec, const struct measurer *m,
		  struct reset_result *result)
{
	/* Loss is what the test is about: any is tolerated, none makes a repeat. */
	struct method_ask ask = {.pps = spec->pps, .duration_s = spec->duration_s, .tolerance = 1};
	struct observation seen;
	double due = spec->pps * spec->duration_s, unsent;
	int error;

	*result = (struct reset_result){.outage_s = NAN, .loss_s = NAN};
	if (!sensible(spec))
		return -EINVAL;
	error = tally_trial(&result->tally, m, &ask, 0, &seen);
	if (error)
		return error;
	if (seen.invalid) {
		result->outcome = OUTCOME_INVALID;
		return 0;
	}
	result->lost = seen.lost;
	/* A generator a little slow all along is no outage. */
	unsent = due - (double)seen.offered;
	if (unsent <= due * TALLY_SHORTFALL || seen.outage_s < unsent / spec->pps / 2)
		unsent = 0;
	if (seen.lost == seen.lost_in_dut_stall && unsent <= 0) {
		result->outcome = OUTCOME_NO_RESET_SEEN;
		return 0;
	}
	result->outage_s = seen.outage_s;
	result->loss_s = ((double)seen.lost + unsent) / spec->pps;
	result->outcome = isnan(seen.outage_s) ? OUTCOME_UNBOUNDED : OUTCOME_FOUND;
	return 0;
}

/*
 * Counting and repeating single trials, and the statistics of repeated tests. One place, so that
 * all methods agree on which trial says something of the load.
 */
#include "gen/methods/tally.h"

#include <math.h>

int tally_trial(struct tally *tally, const struct measurer *m, const struct method_ask *ask,
		unsigned int repeats, struct observation *seen)
{
	for (unsigned int n = 0;; n++) {
		int error = measure_trial(m, ask, seen);

		if (error)
			return error;
		tally->trials++;
		tally->cost_s += seen->cost_s;
		if (n >= repeats ||
		    (!seen->invalid && !tally_failed_in_stalls(seen, ask->tolerance)))
			return 0;
	}
}

bool tally_passed(const struct observation *seen, double tolerance)
{
	return !seen->invalid && seen->loss_ratio <= tolerance;
}

bool tally_failed_in_stalls(const struct observation *seen, double tolerance)
{
	uint64_t other = seen->lost - seen->lost_in_dut_stall;

	return !seen->invalid && seen->loss_ratio > tolerance && seen->lost_in_dut_stall > 0 &&
	       (double)other <= tolerance * (double)seen->offered;
}

bool tally_fell_short(const struct observation *seen, double asked_pps)
{
	return seen->generator_limited || seen->offered_pps < asked_pps * (1 - TALLY_SHORTFALL);
}

void spread_init(struct spread *spread)
{
	*spread = (struct spread){.average = NAN, .min = NAN, .max = NAN, .stdev = NAN};
}

/* Welford's update: no loss of digits where values differ little from each other. */
void spread_add(struct spread *spread, double value)
{
	double before = spread->count ? spread->average : 0;

	spread->count++;
	spread->average = before + (value - before) / (double)spread->count;
	spread->square_sum += (value - before) * (value - spread->average);
	spread->stdev = sqrt(spread->square_sum / (double)spread->count);
	spread->min = fmin(spread->min, value);
	spread->max = fmax(spread->max, value);
}

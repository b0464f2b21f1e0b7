/*
 * What all methods do with a single trial: count it, and repeat it where its outcome says nothing
 * of the load. Also the summary statistics of a repeated test.
 */
#ifndef TANDEM_TALLY_H
#define TANDEM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/methods/method.h"

/* A load this share below the asked one was not reached (the verdict's own limit). */
#define TALLY_SHORTFALL 0.001

/* Repeats of an invalid or stalled trial, unless a test says otherwise. */
#define TALLY_REPEATS 2

/* What a method took. */
struct tally {
	uint64_t trials;
	double cost_s;
};

/*
 * Runs one trial, and again up to `repeats` times while it is invalid or failed only by losses in
 * the DUT's stalls; the last one is in `seen`. Repeating what failed is the loss verification of
 * ETSI GS NFV-TST 009, clause 12.3, which RFC 9004 names, here only where there is evidence that
 * the load was not the cause. Returns 0, or the trial's negative errno.
 */
int tally_trial(struct tally *tally, const struct measurer *m, const struct method_ask *ask,
		unsigned int repeats, struct observation *seen);

/* Whether a valid trial kept within the loss ratio `tolerance`. */
bool tally_passed(const struct observation *seen, double tolerance);

/* Whether it would have, had the DUT not stalled. */
bool tally_failed_in_stalls(const struct observation *seen, double tolerance);

/* Whether the achieved load stayed below the asked one, by the generator's fault or not. */
bool tally_fell_short(const struct observation *seen, double asked_pps);

/* Average, extremes and standard deviation of the population; NaN while empty. */
struct spread {
	uint64_t count;
	double average, min, max, stdev;
	double square_sum; /* of the deviations from the average so far */
};

void spread_init(struct spread *spread);
void spread_add(struct spread *spread, double value);

#endif

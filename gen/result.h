/*
 * From counters to a trial's result.
 */
#ifndef TANDEM_RESULT_H
#define TANDEM_RESULT_H

#include "common/clock.h"
#include "gen/trial.h"

/* What is read before and after the measured segment. */
struct edge {
	struct clock_point clock;
	uint64_t missed[MAX_PORTS];
	json_t *dut; /* the DUT's counters, NULL where unknown */
};

/*
 * Fills the results of all directions, whose tsc_hz is set, from the counters. Settles their
 * sequence spaces; asks the DUT for its stalls.
 */
void results_take(struct generator *g, const struct edge *before, const struct edge *after,
		  struct trial_result *results);

#endif

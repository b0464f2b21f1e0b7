/*
 * Frame loss rate against load (RFC 2544 section 26.3): from the highest load down in steps of at
 * most a tenth of it, until two trials in a row lose nothing.
 */
#ifndef TANDEM_LOSS_H
#define TANDEM_LOSS_H

#include <stdbool.h>

#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

#define LOSS_STEP_MAX	0.1
#define LOSS_STEP_MIN	0.005
#define LOSS_POINTS_MAX 200

struct loss_spec {
	double max_pps;
	double step; /* share of the highest load, LOSS_STEP_MIN to LOSS_STEP_MAX */
	double duration_s;
	unsigned int repeats; /* of an invalid trial */
};

#define LOSS_DEFAULTS .step = LOSS_STEP_MAX, .duration_s = 60, .repeats = TALLY_REPEATS

struct loss_point {
	double share;		 /* of the highest load, as asked */
	struct observation seen; /* unusable where seen.invalid */
};

struct loss_result {
	/* found: two trials without loss; none: the lowest load loses too; invalid: no trial is
	   valid */
	enum outcome outcome;
	double highest_pps; /* what 100 % is: max_pps, or the achieved load where the generator
			       could not reach that */
	bool generator_limited;
	unsigned int points;
	struct loss_point point[LOSS_POINTS_MAX]; /* from the highest load down */
	struct tally tally;
};

/* Returns 0, -EINVAL for a spec without sense, or the trial's negative errno with the points so
 * far. */
int loss_measure(const struct loss_spec *spec, const struct measurer *m,
		 struct loss_result *result);

/* Trials at most, without repeats, and their time. */
unsigned int loss_trials(const struct loss_spec *spec);
double loss_estimate_s(const struct loss_spec *spec, double overhead_s);

#endif

/*
 * What the trials at one load say of a goal: RFC 9971, section 6 and appendices A and B. Pure
 * arithmetic on durations and loss ratios, apart from how loads are chosen.
 */
#ifndef TANDEM_MLR_CLASSIFY_H
#define TANDEM_MLR_CLASSIFY_H

#include <stddef.h>

#include "gen/methods/mlr_goal.h"

enum mlr_class {
	MLR_UNDECIDED,
	MLR_LOWER, /* whatever the trials that are still missing say, the load achieves the goal */
	MLR_UPPER, /* whatever they say, it fails it */
};

/* Seconds of the trials at a load, as the goal sees them. Zero them to begin. */
struct mlr_sums {
	double full_low_s, full_high_s; /* of the final duration or longer, by loss */
	double short_low_s, short_high_s;
};

void mlr_sums_add(struct mlr_sums *sums, const struct mlr_goal *goal, double duration_s,
		  double loss_ratio);

enum mlr_class mlr_classify(const struct mlr_sums *sums, const struct mlr_goal *goal);

/* One full-length trial. */
struct mlr_sample {
	double duration_s, loss_ratio;
};

/*
 * Conditional throughput at a load: its forwarding rate in the trial that stands at the quantile of
 * the exceed ratio, trials that are missing in the duration sum counted as lost. `full` are its
 * full-length trials, sorted here. NaN when there are none.
 */
double mlr_conditional_throughput(double load_pps, struct mlr_sample *full, size_t n,
				  const struct mlr_goal *goal);

/* Whether a trial of that duration is a full-length one. */
bool mlr_is_full_length(const struct mlr_goal *goal, double duration_s);

#endif

/*
 * Classification of loads. Both estimates of the RFC are the same comparison: of the time that must
 * count as high-loss now, and of that plus all that is missing, with the time that may be
 * high-loss.
 */
#include "gen/methods/mlr_classify.h"

#include <math.h>
#include <stdlib.h>

/* Sums of durations like 0.1 s are not exact; this share of them is no time. */
#define SLACK 1e-9

bool mlr_is_full_length(const struct mlr_goal *goal, double duration_s)
{
	return duration_s >= goal->final_trial_s * (1 - SLACK);
}

void mlr_sums_add(struct mlr_sums *sums, const struct mlr_goal *goal, double duration_s,
		  double loss_ratio)
{
	bool high = loss_ratio > goal->loss_ratio;

	if (mlr_is_full_length(goal, duration_s))
		*(high ? &sums->full_high_s : &sums->full_low_s) += duration_s;
	else
		*(high ? &sums->short_high_s : &sums->short_low_s) += duration_s;
}

enum mlr_class mlr_classify(const struct mlr_sums *sums, const struct mlr_goal *goal)
{
	/* Short trials never speak for a load; low-loss ones only take back what high-loss ones
	 * said against it. */
	double balance_s = sums->short_low_s * goal->exceed_ratio / (1 - goal->exceed_ratio);
	double high_s = sums->full_high_s + fmax(sums->short_high_s - balance_s, 0);
	double whole_s = fmax(high_s + sums->full_low_s, goal->duration_sum_s);
	double allowed_s = whole_s * (goal->exceed_ratio + SLACK);

	if (high_s > allowed_s)
		return MLR_UPPER;
	if (whole_s - sums->full_low_s <= allowed_s)
		return MLR_LOWER;
	return MLR_UNDECIDED;
}

static int by_loss(const void *a, const void *b)
{
	const struct mlr_sample *x = a, *y = b;

	return (x->loss_ratio > y->loss_ratio) - (x->loss_ratio < y->loss_ratio);
}

double mlr_conditional_throughput(double load_pps, struct mlr_sample *full, size_t n,
				  const struct mlr_goal *goal)
{
	double whole_s = 0, left_s;
	size_t i = 0;

	if (!n)
		return NAN;
	qsort(full, n, sizeof(*full), by_loss);
	for (size_t k = 0; k < n; k++)
		whole_s += full[k].duration_s;
	whole_s = fmax(whole_s, goal->duration_sum_s);
	left_s = whole_s * (1 - goal->exceed_ratio) - full[0].duration_s;
	while (left_s > whole_s * SLACK && ++i < n)
		left_s -= full[i].duration_s;
	return i < n ? load_pps * (1 - full[i].loss_ratio) : 0;
}

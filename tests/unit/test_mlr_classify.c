/*
 * Load classification and conditional throughput, held against the worked example of RFC 9971,
 * appendix C: four goals, six points in time, every verdict known. The RFC's tables call the last
 * goal's load a lower bound at the last two points, though the exceed ratios they give, 43 % and 27
 * %, are above the goal's 20 %: by its section 6.1 and its appendix A it stays an upper bound.
 */
#include "tests/unit/unit.h"

#include "gen/methods/mlr_classify.h"

#define GOALS  4
#define POINTS 6

/* Final trial, duration sum, loss ratio, exceed ratio: only these matter here. */
static const struct mlr_goal goals[GOALS] = {
	{"rfc2544", .final_trial_s = 60, .duration_sum_s = 60},
	{"tst009", .final_trial_s = 60, .duration_sum_s = 120, .exceed_ratio = 0.5},
	{"short", .final_trial_s = 1, .duration_sum_s = 120, .loss_ratio = 0.005,
	 .exceed_ratio = 0.5},
	{"exceed", .final_trial_s = 60, .duration_sum_s = 60, .loss_ratio = 0.005,
	 .exceed_ratio = 0.2},
};

/* What is added at each point: so many trials of a duration and a loss ratio. */
static const struct {
	int n;
	double duration_s, loss_ratio;
} added[POINTS] = {{59, 1, 0}, {1, 1, 0.01}, {59, 1, 0.01}, {1, 1, 0}, {1, 60, 0.001}, {1, 60, 0}};

#define L MLR_LOWER
#define U MLR_UPPER
#define X MLR_UNDECIDED
static const enum mlr_class verdicts[POINTS][GOALS] = {
	{X, X, X, X}, {U, X, X, X}, {U, X, X, U}, {U, X, L, U}, {U, X, L, U}, {U, L, L, U},
};
#undef L
#undef U
#undef X

/* The example up to a point. */
static struct mlr_sums sums_at(int point, const struct mlr_goal *goal)
{
	struct mlr_sums sums = {0};

	for (int p = 0; p <= point; p++)
		for (int i = 0; i < added[p].n; i++)
			mlr_sums_add(&sums, goal, added[p].duration_s, added[p].loss_ratio);
	return sums;
}

static void test_example_of_the_rfc(void **state)
{
	struct mlr_sums sums;

	(void)state;
	for (int p = 0; p < POINTS; p++)
		for (int g = 0; g < GOALS; g++) {
			sums = sums_at(p, &goals[g]);
			assert_int_equal(mlr_classify(&sums, &goals[g]), verdicts[p][g]);
		}
	sums = sums_at(POINTS - 1, &goals[3]);
	assert_true(sums.full_high_s == 0 && sums.full_low_s == 120);
	assert_true(sums.short_high_s == 60 && sums.short_low_s == 60);
}

static double conditional(const struct mlr_goal *goal)
{
	struct mlr_sample full[128];
	size_t n = 0;

	for (int p = POINTS; p--;)
		for (int i = 0; i < added[p].n; i++)
			if (mlr_is_full_length(goal, added[p].duration_s))
				full[n++] = (struct mlr_sample){added[p].duration_s,
								added[p].loss_ratio};
	return mlr_conditional_throughput(1e6, full, n, goal);
}

static void test_throughput_of_the_example(void **state)
{
	(void)state;
	assert_true(conditional(&goals[1]) == 1e6);
	assert_true(conditional(&goals[2]) == 1e6);
	assert_true(fabs(conditional(&goals[3]) - 999e3) < 1e-6);
}

static enum mlr_class classify(const struct mlr_goal *goal, int low, int high)
{
	struct mlr_sums sums = {0};

	for (int i = 0; i < low; i++)
		mlr_sums_add(&sums, goal, goal->final_trial_s, goal->loss_ratio);
	for (int i = 0; i < high; i++)
		mlr_sums_add(&sums, goal, goal->final_trial_s, goal->loss_ratio + 1e-9);
	return mlr_classify(&sums, goal);
}

/* 21 trials of one second: eleven of a kind decide, however many of the other there are. */
static void test_majority(void **state)
{
	struct mlr_goal goal = {.final_trial_s = 1, .duration_sum_s = 21, .exceed_ratio = 0.5};

	(void)state;
	assert_int_equal(classify(&goal, 0, 0), MLR_UNDECIDED);
	for (int other = 0; other <= 10; other++) {
		assert_int_equal(classify(&goal, 10, other), MLR_UNDECIDED);
		assert_int_equal(classify(&goal, other, 10), MLR_UNDECIDED);
		assert_int_equal(classify(&goal, 11, other), MLR_LOWER);
		assert_int_equal(classify(&goal, other, 11), MLR_UPPER);
	}
	/* More than the sum: the ratio alone counts, and one more trial may turn it. */
	assert_int_equal(classify(&goal, 12, 12), MLR_LOWER);
	assert_int_equal(classify(&goal, 12, 13), MLR_UPPER);

	/* Sums of a tenth are not exact, the verdicts are. */
	goal.final_trial_s = 0.1;
	goal.duration_sum_s = 2;
	assert_int_equal(classify(&goal, 9, 0), MLR_UNDECIDED);
	assert_int_equal(classify(&goal, 10, 10), MLR_LOWER);
	assert_int_equal(classify(&goal, 9, 10), MLR_UNDECIDED);
	assert_int_equal(classify(&goal, 9, 11), MLR_UPPER);

	/* A tenth may be bad. */
	goal.exceed_ratio = 0.1;
	assert_int_equal(classify(&goal, 17, 2), MLR_UNDECIDED);
	assert_int_equal(classify(&goal, 18, 2), MLR_LOWER);
	assert_int_equal(classify(&goal, 0, 2), MLR_UNDECIDED);
	assert_int_equal(classify(&goal, 0, 3), MLR_UPPER);

	/* None may. */
	goal.exceed_ratio = 0;
	assert_int_equal(classify(&goal, 19, 0), MLR_UNDECIDED);
	assert_int_equal(classify(&goal, 20, 0), MLR_LOWER);
	assert_int_equal(classify(&goal, 20, 1), MLR_UPPER);
	assert_int_equal(classify(&goal, 0, 1), MLR_UPPER);
}

/* Short trials may fail a load but not pass it, and passing ones excuse failing ones. */
static void test_short_trials(void **state)
{
	struct mlr_goal goal = {.final_trial_s = 10, .duration_sum_s = 20, .exceed_ratio = 0.5};
	struct mlr_sums sums = {0};

	(void)state;
	for (int i = 0; i < 1000; i++)
		mlr_sums_add(&sums, &goal, 1, 0);
	assert_int_equal(mlr_classify(&sums, &goal), MLR_UNDECIDED);
	for (int i = 0; i < 1010; i++)
		mlr_sums_add(&sums, &goal, 1, 0.5);
	assert_int_equal(mlr_classify(&sums, &goal), MLR_UNDECIDED);
	mlr_sums_add(&sums, &goal, 1, 0.5);
	assert_int_equal(mlr_classify(&sums, &goal), MLR_UPPER);
	mlr_sums_add(&sums, &goal, 10, 0); /* 10 s low-loss against 11 s high-loss */
	assert_int_equal(mlr_classify(&sums, &goal), MLR_UPPER);
	mlr_sums_add(&sums, &goal, 12, 0); /* longer than needed is as good */
	assert_int_equal(mlr_classify(&sums, &goal), MLR_LOWER);
}

static void test_conditional_throughput(void **state)
{
	struct mlr_goal goal = {
		.final_trial_s = 1, .duration_sum_s = 5, .exceed_ratio = 0.5, .loss_ratio = 0.5};
	struct mlr_sample s[] = {{1, 0.3}, {1, 0.1}, {1, 0.5}, {1, 0.2}, {1, 0.4}};

	(void)state;
	/* 2.5 s of 5 must pass: the third best, whatever the order they came in. */
	assert_true(fabs(mlr_conditional_throughput(1000, s, 5, &goal) - 700) < 1e-9);
	/* Of the best three alone, the others missing: the same, no better. */
	assert_true(fabs(mlr_conditional_throughput(1000, s, 3, &goal) - 700) < 1e-9);
	/* Too few: the missing ones count as lost. */
	assert_true(mlr_conditional_throughput(1000, s, 2, &goal) == 0);
	assert_true(isnan(mlr_conditional_throughput(1000, s, 0, &goal)));
	/* Exactly half is enough. */
	goal.duration_sum_s = 2;
	assert_true(fabs(mlr_conditional_throughput(1000, s, 2, &goal) - 900) < 1e-9);
	/* All must pass. */
	goal.exceed_ratio = 0;
	assert_true(fabs(mlr_conditional_throughput(1000, s, 2, &goal) - 800) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example_of_the_rfc),
		cmocka_unit_test(test_throughput_of_the_example),
		cmocka_unit_test(test_majority),
		cmocka_unit_test(test_short_trials),
		cmocka_unit_test(test_conditional_throughput),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

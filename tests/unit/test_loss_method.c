/*
 * Loss against load: which loads are tried, and when it ends.
 */
#include "tests/unit/unit.h"

#include "gen/methods/loss.h"
#include "tests/unit/sim_dut.h"

static const struct loss_spec defaults = {LOSS_DEFAULTS, .max_pps = 1e6};

static struct loss_result measure(const struct sim_dut_spec *sim, const struct loss_spec *spec)
{
	struct loss_result r;
	struct sim_dut dut;

	sim_dut_init(&dut, sim);
	assert_int_equal(loss_measure(spec, &dut.measurer, &r), 0);
	assert_int_equal(r.tally.trials, dut.trials);
	return r;
}

static void test_ends_after_two_clean_trials(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 6.5e5, .overhead_s = 1};
	struct loss_result r = measure(&sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_int_equal(r.points, 6); /* 100, 90, 80, 70 lose, 60 and 50 do not */
	for (unsigned int i = 0; i < r.points; i++) {
		double share = 1 - 0.1 * i;

		assert_true(fabs(r.point[i].share - share) < 1e-9);
		assert_true(fabs(r.point[i].seen.offered_pps - share * 1e6) < 1e-3);
		assert_true(fabs(r.point[i].seen.loss_ratio - fmax(1 - 0.65 / share, 0)) < 1e-6);
	}
	assert_true(r.tally.cost_s < loss_estimate_s(&defaults, 1));
}

static void test_a_lossless_dut(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct loss_result r = measure(&sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_int_equal(r.points, 2);
	assert_false(r.generator_limited);
}

static void test_a_dut_that_always_loses(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 0};
	struct loss_spec spec = defaults;
	struct loss_result r = measure(&sim, &spec);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_NONE);
	assert_int_equal(r.points, 10);
	assert_true(r.point[9].share > 0.099 && r.point[9].share < 0.101);
	spec.step = LOSS_STEP_MIN;
	r = measure(&sim, &spec);
	assert_int_equal(r.points, LOSS_POINTS_MAX);
	assert_int_equal(loss_trials(&spec), LOSS_POINTS_MAX);
	spec.step = 0.03;
	r = measure(&sim, &spec);
	assert_int_equal(r.points, 34);
	assert_true(r.point[33].share > 0);
	spec.step = 0.2; /* coarser than RFC 2544 allows */
	assert_int_equal(loss_measure(&spec, NULL, &r), -EINVAL);
}

/* A clean trial between two that lose is no end. */
static void test_noise_resets_the_count(void **state)
{
	int longer = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct sim_dut_spec sim = {.capacity_pps = 7.5e5, .noise_share = 0.4, .seed = seed};
		struct loss_result r = measure(&sim, &defaults);

		if (r.outcome != OUTCOME_FOUND)
			continue;
		assert_true(r.point[r.points - 1].seen.lost == 0);
		assert_true(r.point[r.points - 2].seen.lost == 0);
		for (unsigned int i = 1; i < r.points - 1; i++)
			assert_true(r.point[i].seen.lost || r.point[i - 1].seen.lost);
		longer += r.points > 5;
	}
	assert_true(longer > 0);
}

static void test_generator_limit(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3.1e5, .generator_limit_pps = 4e5};
	struct loss_result r = measure(&sim, &defaults);

	(void)state;
	assert_true(r.generator_limited && r.highest_pps == 4e5);
	assert_int_equal(r.points, 5); /* 400, 360, 320 kpps lose, 280 and 240 do not */
	assert_true(fabs(r.point[1].seen.offered_pps - 3.6e5) < 1e-3);
}

static void test_invalid_trials(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 6.5e5, .invalid_share = 1};
	struct loss_result r = measure(&sim, &defaults);
	int repeated = 0;

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_INVALID);
	assert_int_equal(r.tally.trials, 10 * (1 + TALLY_REPEATS));
	sim.invalid_share = 0.2;
	for (sim.seed = 1; sim.seed <= 20; sim.seed++) {
		r = measure(&sim, &defaults);
		repeated += r.tally.trials > r.points;
		assert_int_equal(r.outcome, OUTCOME_FOUND);
		for (unsigned int i = 0; i < r.points; i++)
			assert_true(r.point[i].seen.invalid || r.point[i].seen.lost == 0 ||
				    r.point[i].share > 0.65);
	}
	assert_true(repeated > 10);
}

static void test_the_user_ends_it(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 0, .interrupt_after = 3};
	struct loss_result r;
	struct sim_dut dut;

	(void)state;
	sim_dut_init(&dut, &sim);
	assert_int_equal(loss_measure(&defaults, &dut.measurer, &r), -EINTR);
	assert_int_equal(r.outcome, OUTCOME_UNFINISHED);
	assert_int_equal(r.points, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_after_two_clean_trials),
		cmocka_unit_test(test_a_lossless_dut),
		cmocka_unit_test(test_a_dut_that_always_loses),
		cmocka_unit_test(test_noise_resets_the_count),
		cmocka_unit_test(test_generator_limit),
		cmocka_unit_test(test_invalid_trials),
		cmocka_unit_test(test_the_user_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

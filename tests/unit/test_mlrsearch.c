/*
 * MLRsearch against simulated DUTs: every goal's bounds enclose what the DUT can do, and where
 * there is no such thing the result says so; every search ends.
 */
#include "tests/unit/mlr_bench.h"

enum { NDR, PDR, GOALS };

static void test_thousand_capacities(void **state)
{
	double cost_s = 0;
	uint64_t seed = 1, trials = 0, most = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct mlr_spec spec = mlr_spec_of("ndr,pdr");
		struct sim_dut_spec sim = {.seed = seed};
		struct mlr_result r[GOALS];
		double width, loss = spec.goals.list[PDR].loss_ratio;
		struct mlr_bench b;

		/* Every other one with another width, from a tenth of a percent to ten. */
		width = i % 2 ? pow(10, -1 - 2 * sim_random(&seed)) : spec.goals.list[NDR].width;
		spec.goals.list[NDR].width = spec.goals.list[PDR].width = width;
		sim.capacity_pps = MLR_BENCH_PPS * 0.99 * pow(900, -sim_random(&seed));
		mlr_bench_search(&b, &sim, &spec, r);
		mlr_assert_encloses(&r[NDR], sim.capacity_pps, width, 1);
		mlr_assert_encloses(&r[PDR], sim.capacity_pps / (1 - loss), width, 2);
		assert_true(r[NDR].conditional_throughput_pps == r[NDR].relevant_lower_bound_pps);
		assert_true(r[PDR].conditional_throughput_pps <= sim.capacity_pps + 1);
		assert_true(r[PDR].conditional_throughput_pps >=
			    r[PDR].relevant_lower_bound_pps * (1 - loss) - 1);
		trials += b.dut.trials;
		cost_s += b.dut.clock_s;
		if (b.dut.trials > most)
			most = b.dut.trials;
	}
	print_message("NDR and PDR of a step: %.1f trials, %.1f s in the mean, at most %d trials\n",
		      (double)trials / 1000, cost_s / 1000, (int)most);
	assert_true(most < 150);
}

/* All goals share all trials: a second one is cheaper than a search of its own. */
static void test_goals_share_trials(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3e6};
	struct mlr_spec both = mlr_spec_of("ndr,pdr"), ndr = mlr_spec_of("ndr"),
			pdr = mlr_spec_of("pdr");
	struct mlr_spec eight = mlr_spec_of("pdr,ndr,a=1%,b=2%,c=0.1%,d=5%,e=0.2%,f=10%");
	struct mlr_result r[MLR_GOALS_MAX];
	struct mlr_bench b;
	double alone, together;

	(void)state;
	mlr_bench_search(&b, &sim, &ndr, r);
	alone = b.dut.clock_s;
	mlr_bench_search(&b, &sim, &pdr, r);
	alone += b.dut.clock_s;
	mlr_bench_search(&b, &sim, &both, r);
	together = b.dut.clock_s;
	print_message("NDR and PDR: %.0f s in one search, %.0f s in two\n", together, alone);
	assert_true(together < alone);
	mlr_bench_search(&b, &sim, &eight, r);
	print_message("eight goals: %.0f s\n", b.dut.clock_s);
	for (unsigned int i = 0; i < eight.goals.n; i++) {
		const struct mlr_goal *g = &eight.goals.list[i];

		mlr_assert_encloses(&r[i], 3e6 / (1 - g->loss_ratio), g->width, 2);
	}
}

static void test_rfc2544_as_a_goal(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3e6};
	struct mlr_spec spec =
		mlr_spec_of("ndr:exceed=0%:trial=60s:sum=60s,tst=0%:trial=60s:sum=120s");
	struct mlr_result r[2];
	struct mlr_bench b;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	for (int i = 0; i < 2; i++) {
		mlr_assert_encloses(&r[i], 3e6, 0.005, 1);
		assert_true(r[i].conditional_throughput_pps == r[i].relevant_lower_bound_pps);
	}
	assert_true(b.dut.clock_s > 60 && b.dut.clock_s < 300);
}

static void test_infinite_capacity(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	struct mlr_bench b;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	for (int i = 0; i < GOALS; i++) {
		assert_int_equal(r[i].outcome, OUTCOME_LINE_RATE);
		assert_true(r[i].relevant_lower_bound_pps == MLR_BENCH_PPS);
		assert_true(r[i].conditional_throughput_pps == MLR_BENCH_PPS);
		assert_true(isnan(r[i].relevant_upper_bound_pps));
	}
	assert_int_equal(b.dut.trials, 11);
}

static void test_zero_capacity(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 0};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	struct mlr_bench b;

	(void)state;
	for (int i = 0; i < 2; i++) {
		mlr_bench_search(&b, &sim, &spec, r);
		for (int k = 0; k < GOALS; k++) {
			assert_int_equal(r[k].outcome, OUTCOME_NONE);
			assert_true(isnan(r[k].relevant_lower_bound_pps));
			assert_true(isnan(r[k].conditional_throughput_pps));
			assert_true(fabs(r[k].relevant_upper_bound_pps * 1000 / MLR_BENCH_PPS - 1) <
				    1e-9);
		}
		assert_true(b.dut.trials <= 20);
		sim.capacity_pps = MLR_BENCH_PPS / 1001; /* just below the lowest load */
		spec.goals.list[PDR].loss_ratio = 0;
	}
}

static void test_stalls_make_zero_loss_impossible(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3e6,
				   .noise_share = 1,
				   .noise_loss_ratio = 1e-5,
				   .noise_in_dut_stall = true,
				   .noise_disturbed = true};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	struct mlr_bench b;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	assert_int_equal(r[NDR].outcome, OUTCOME_ZERO_LOSS_IMPOSSIBLE);
	assert_true(r[NDR].bounded_by_stalls && isnan(r[NDR].conditional_throughput_pps));
	mlr_assert_encloses(&r[PDR], 3e6 * (1 + 0.00499 / 0.995), 0.005, 100);
	assert_true(!r[PDR].bounded_by_stalls && r[PDR].disturbed_share == 1);

	sim.noise_in_dut_stall = false; /* for all that is known the DUT itself */
	mlr_bench_search(&b, &sim, &spec, r);
	assert_int_equal(r[NDR].outcome, OUTCOME_NONE);
}

static void test_the_only_load(void **state)
{
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct sim_dut_spec sim = {.capacity_pps = 999};
	struct mlr_result r[GOALS];
	struct mlr_bench b;

	(void)state;
	spec.max_load_pps = spec.min_load_pps = 1000;
	mlr_bench_search(&b, &sim, &spec, r); /* loses a frame in a thousand */
	assert_int_equal(r[NDR].outcome, OUTCOME_NONE);
	assert_true(r[NDR].relevant_upper_bound_pps == 1000);
	assert_int_equal(r[PDR].outcome, OUTCOME_LINE_RATE);
	assert_true(r[PDR].relevant_lower_bound_pps == 1000);
	assert_true(fabs(r[PDR].conditional_throughput_pps - 999) < 1e-9);
	assert_int_equal(b.dut.trials, 11);
}

static void test_drift(void **state)
{
	static const double drifts[] = {-0.2, 0.2, -0.02};

	(void)state;
	for (size_t i = 0; i < sizeof(drifts) / sizeof(drifts[0]); i++) {
		struct sim_dut_spec sim = {
			.capacity_pps = 5e6, .drift_per_hour = drifts[i], .overhead_s = 2};
		struct mlr_spec spec = mlr_spec_of("ndr,pdr");
		struct mlr_result r[GOALS];
		struct mlr_bench b;
		double least, most;

		mlr_bench_search(&b, &sim, &spec, r);
		least = fmin(5e6, sim_dut_capacity_pps(&b.dut));
		most = fmax(5e6, sim_dut_capacity_pps(&b.dut));
		assert_true(b.dut.trials < 200);
		assert_int_equal(r[NDR].outcome, OUTCOME_FOUND);
		assert_true(r[NDR].relevant_lower_bound_pps <= most);
		assert_true(r[NDR].relevant_lower_bound_pps >= least * 0.995);
		assert_true(r[PDR].relevant_lower_bound_pps <= most / 0.995);
		assert_true(r[PDR].relevant_lower_bound_pps >= least);
	}
}

/* What a buffer swallows in a trial looks like capacity, the less the longer the trial. */
static void test_buffer(void **state)
{
	static const double durations[] = {1, 10};
	struct sim_dut_spec sim = {.capacity_pps = 1e6, .buffer_frames = 65536};
	struct mlr_spec spec = mlr_spec_of("ndr");
	struct mlr_result r;
	struct mlr_bench b;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		spec.goals.list[0].initial_trial_s = durations[i];
		spec.goals.list[0].final_trial_s = durations[i];
		mlr_bench_search(&b, &sim, &spec, &r);
		mlr_assert_encloses(&r, 1e6 + 65536 / durations[i], 0.005, 1);
	}
}

static void test_time_runs_out(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3e6, .overhead_s = 0.5};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	int unfinished = 0;
	struct mlr_bench b;

	(void)state;
	for (spec.max_time_s = 0.1; spec.max_time_s < 150; spec.max_time_s += 7) {
		mlr_bench_search(&b, &sim, &spec, r);
		assert_true(b.dut.clock_s <= spec.max_time_s);
		assert_true(r[NDR].timed_out || r[PDR].timed_out || !b.dut.trials ||
			    b.last_left_s == 0);
		for (int i = 0; i < GOALS; i++) {
			if (!b.dut.trials)
				assert_int_equal(r[i].outcome, OUTCOME_INVALID);
			if (r[i].outcome != OUTCOME_UNFINISHED)
				continue;
			unfinished++;
			assert_true(r[i].timed_out);
			if (b.dut.clock_s > 10) {
				assert_true(r[i].coarse_lower_pps <= 3.02e6);
				assert_true(r[i].coarse_upper_pps >= 3e6);
			}
		}
	}
	assert_true(unfinished > 10);
	assert_int_equal(r[NDR].outcome, OUTCOME_FOUND);
	assert_true(isnan(r[NDR].coarse_lower_pps));
}

static void test_invalid_trials(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 5e6, .invalid_share = 1};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	struct mlr_bench b;
	int found = 0;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	for (int i = 0; i < GOALS; i++) {
		assert_int_equal(r[i].outcome, OUTCOME_INVALID);
		assert_true(isnan(r[i].relevant_lower_bound_pps));
		assert_true(isnan(r[i].relevant_upper_bound_pps));
		assert_true(isnan(r[i].conditional_throughput_pps));
	}
	assert_true(b.dut.trials <= 9);
	sim.invalid_share = 0.2;
	for (sim.seed = 1; sim.seed <= 100; sim.seed++) {
		mlr_bench_search(&b, &sim, &spec, r);
		if (r[NDR].outcome == OUTCOME_INVALID)
			continue;
		mlr_assert_encloses(&r[NDR], 5e6, 0.005, 1);
		mlr_assert_encloses(&r[PDR], 5e6 / 0.995, 0.005, 1);
		found++;
	}
	assert_true(found >= 99);
}

static void test_the_user_ends_it(void **state)
{
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];

	(void)state;
	for (uint64_t n = 1; n < 30; n++) {
		struct sim_dut_spec sim = {.capacity_pps = 5e6, .interrupt_after = n};
		struct mlr_bench b;

		mlr_bench_init(&b, &sim);
		assert_int_equal(mlr_bench_run(&b, &spec, r), -EINTR);
		assert_int_equal(b.dut.trials, n);
		assert_int_equal(r[PDR].outcome, OUTCOME_UNFINISHED);
		assert_false(r[PDR].timed_out);
	}
}

static void test_refuses_nonsense(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct mlr_spec good = mlr_spec_of("ndr"), bad[8];
	struct mlr_result r[MLR_GOALS_MAX];
	struct mlr_bench b;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		bad[i] = good;
	bad[0].max_load_pps = 0;
	bad[1].max_load_pps = NAN;
	bad[2].max_load_pps = INFINITY;
	bad[3].min_load_pps = MLR_BENCH_PPS * 2;
	bad[4].min_load_pps = 1e-3;
	bad[5].max_time_s = -1;
	bad[6].goals.n = 0;
	bad[7].goals.list[0].width = 0;
	mlr_bench_init(&b, &sim);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(mlr_bench_run(&b, &bad[i], r), -EINVAL);
	assert_int_equal(b.dut.trials, 0);
	assert_int_equal(mlr_search(&good, &b.dut.measurer, NULL, r), 0);
}

static void test_estimate(void **state)
{
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct sim_dut_spec sim = {.capacity_pps = 3e6, .overhead_s = 0.5};
	struct mlr_result r[GOALS];
	double estimate_s = mlr_estimate_s(&spec.goals, 0.5);
	struct mlr_bench b;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	print_message("estimated %.0f s, took %.0f s\n", estimate_s, b.dut.clock_s);
	assert_true(b.dut.clock_s < estimate_s && b.dut.clock_s > estimate_s / 2);
	assert_true(b.dut.trials < mlr_trials_max(&spec.goals));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thousand_capacities),
		cmocka_unit_test(test_goals_share_trials),
		cmocka_unit_test(test_rfc2544_as_a_goal),
		cmocka_unit_test(test_infinite_capacity),
		cmocka_unit_test(test_zero_capacity),
		cmocka_unit_test(test_stalls_make_zero_loss_impossible),
		cmocka_unit_test(test_the_only_load),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_time_runs_out),
		cmocka_unit_test(test_invalid_trials),
		cmocka_unit_test(test_the_user_ends_it),
		cmocka_unit_test(test_refuses_nonsense),
		cmocka_unit_test(test_estimate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

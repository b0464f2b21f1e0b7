/*
 * MLRsearch with generators that do not send what they are asked for: bounds are of what was sent,
 * and a load that was not reached is told from one that the DUT did not take.
 */
#include "tests/unit/mlr_bench.h"

enum { NDR, PDR, GOALS };

static void test_generator_limit(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY, .generator_limit_pps = 5e6};
	struct mlr_spec spec = mlr_spec_of("ndr,pdr");
	struct mlr_result r[GOALS];
	struct mlr_bench b;

	(void)state;
	mlr_bench_search(&b, &sim, &spec, r);
	for (int i = 0; i < GOALS; i++) {
		assert_int_equal(r[i].outcome, OUTCOME_GENERATOR_LIMITED);
		assert_true(r[i].relevant_lower_bound_pps == 5e6);
		assert_true(isnan(r[i].relevant_upper_bound_pps));
	}
	assert_int_equal(b.dut.trials, 11);

	sim.capacity_pps = 4e6; /* below the limit it can be found all the same */
	mlr_bench_search(&b, &sim, &spec, r);
	mlr_assert_encloses(&r[NDR], 4e6, 0.005, 1);
	mlr_assert_encloses(&r[PDR], 4e6 / 0.995, 0.005, 1);

	sim.capacity_pps = 4.99e6; /* the NDR is below the limit, the PDR above */
	mlr_bench_search(&b, &sim, &spec, r);
	mlr_assert_encloses(&r[NDR], 4.99e6, 0.005, 1);
	assert_int_equal(r[PDR].outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(r[PDR].relevant_lower_bound_pps == 5e6);
	assert_true(fabs(r[PDR].conditional_throughput_pps - 4.99e6) < 1);

	/* Short of the highest load, who knows why. */
	for (sim.rate_error_ppm = -2000; sim.rate_error_ppm > -1e5; sim.rate_error_ppm *= 5) {
		sim.capacity_pps = INFINITY;
		sim.generator_limit_pps = 0;
		mlr_bench_search(&b, &sim, &spec, r);
		assert_int_equal(r[NDR].outcome, OUTCOME_GENERATOR_LIMITED);
		assert_true(fabs(r[NDR].relevant_lower_bound_pps /
					 (MLR_BENCH_PPS * (1 + sim.rate_error_ppm * 1e-6)) -
				 1) < 1e-3);
		assert_true(b.dut.trials <= 11);
	}

	sim = (struct sim_dut_spec){.capacity_pps = 4e6};
	sim.generator_limit_pps = 5000; /* below the lowest load */
	mlr_bench_search(&b, &sim, &spec, r);
	assert_int_equal(r[NDR].outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(r[NDR].relevant_lower_bound_pps == 5000);
}

/* Where its limit is not the same twice there is still an end, and no figure beyond what was sent.
 */
static void test_generator_limit_varies(void **state)
{
	static const double capacities[] = {INFINITY, 4.97e6, 3e6};

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		uint64_t trials = 0;
		int found = 0;

		for (uint64_t seed = 1; seed <= 100; seed++) {
			struct sim_dut_spec sim = {.capacity_pps = capacities[k],
						   .generator_limit_pps = 5e6,
						   .seed = seed};
			struct mlr_spec spec = mlr_spec_of("ndr,pdr");
			struct mlr_result r[GOALS];
			struct mlr_bench b;

			mlr_bench_init(&b, &sim);
			b.limit_jitter = 0.02;
			assert_int_equal(mlr_bench_run(&b, &spec, r), 0);
			trials += b.dut.trials;
			for (int i = 0; i < GOALS; i++) {
				double lower = r[i].relevant_lower_bound_pps;

				assert_true(r[i].outcome == OUTCOME_GENERATOR_LIMITED ||
					    r[i].outcome == OUTCOME_FOUND);
				assert_true(lower <= 5e6 && lower <= sim.capacity_pps / 0.995);
				assert_true(lower >= fmin(4.8e6, sim.capacity_pps * 0.995));
				found += r[i].regular;
			}
		}
		print_message("a limit of 4.9 to 5 Mpps, a DUT of %g: %d of 200 regular, "
			      "%.1f trials\n",
			      capacities[k], found, (double)trials / 100);
		assert_true(trials < 100 * 150);
	}
}

/* Short of the load without knowing why: bounds are of what was sent. */
static void test_bounds_are_achieved_loads(void **state)
{
	uint64_t seed = 2, trials = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct sim_dut_spec sim = {.capacity_pps = MLR_BENCH_PPS *
							   (0.01 + 0.98 * sim_random(&seed)),
					   .rate_error_ppm = 8000 * sim_random(&seed) - 4000};
		struct mlr_spec spec = mlr_spec_of("ndr,pdr");
		struct mlr_result r[GOALS];
		struct mlr_bench b;

		mlr_bench_search(&b, &sim, &spec, r);
		mlr_assert_encloses(&r[NDR], sim.capacity_pps, 0.005, 1);
		mlr_assert_encloses(&r[PDR], sim.capacity_pps / 0.995, 0.005, 1);
		trials += b.dut.trials;
	}
	print_message("rates off by up to 0.4 %%: %.1f trials\n", (double)trials / 200);
}

/* A generator that misses each load by a little: trials of a load are still counted together. */
static void test_jitter(void **state)
{
	static const double jitters[] = {20e-6, 200e-6, 500e-6, 2e-3};

	(void)state;
	for (size_t k = 0; k < sizeof(jitters) / sizeof(jitters[0]); k++) {
		uint64_t seed = 3, trials = 0;
		int found = 0;

		for (int i = 0; i < 100; i++) {
			struct sim_dut_spec sim = {.capacity_pps = 1e6 + 1e7 * sim_random(&seed),
						   .seed = seed};
			struct mlr_spec spec = mlr_spec_of("ndr,pdr");
			struct mlr_result r[GOALS];
			struct mlr_bench b;

			mlr_bench_init(&b, &sim);
			b.jitter = jitters[k];
			assert_int_equal(mlr_bench_run(&b, &spec, r), 0);
			trials += b.dut.trials;
			found += r[NDR].regular && r[PDR].regular;
			if (r[NDR].regular)
				mlr_assert_encloses(&r[NDR], sim.capacity_pps, 0.005,
						    sim.capacity_pps * jitters[k]);
		}
		print_message("loads that vary by %.0f ppm: %d of 100 regular, %.1f trials\n",
			      jitters[k] * 1e6, found, (double)trials / 100);
		if (jitters[k] <= 500e-6)
			assert_true(found >= 99);
	}
}

static void test_busy_host(void **state)
{
	uint64_t seed = 4, trials = 0, most = 0;
	int regular = 0, right = 0, unfinished = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct sim_dut_spec sim = {.capacity_pps = 1e6 + 1e7 * sim_random(&seed),
					   .seed = seed};
		struct mlr_spec spec = mlr_spec_of("ndr,pdr");
		struct mlr_result r[GOALS];
		struct mlr_bench b;

		mlr_bench_init(&b, &sim);
		b.busy = true;
		assert_int_equal(mlr_bench_run(&b, &spec, r), 0);
		for (int k = 0; k < GOALS; k++) {
			double lower = r[k].relevant_lower_bound_pps;
			double true_pps = sim.capacity_pps / (1 - spec.goals.list[k].loss_ratio);

			regular += r[k].regular;
			right += lower <= true_pps * 1.005 && lower >= true_pps * 0.99;
			unfinished += r[k].outcome == OUTCOME_UNFINISHED;
		}
		trials += b.dut.trials;
		if (b.dut.trials > most)
			most = b.dut.trials;
	}
	print_message("busy host: %d of 400 regular, %d within 1 %%, %.1f trials, at most %d\n",
		      regular, right, (double)trials / 200, (int)most);
	assert_true(regular >= 380 && right >= 380 && !unfinished);
	assert_true(most < 500);
}

/* Sending that ends early makes a short trial, which does not pass a load. */
static void test_cut_short(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct mlr_spec spec = mlr_spec_of("ndr:sum=3s");
	struct mlr_result r;
	struct mlr_bench b;

	(void)state;
	mlr_bench_init(&b, &sim);
	b.cut_short = 0.5;
	assert_int_equal(mlr_bench_run(&b, &spec, &r), 0);
	assert_int_equal(r.outcome, OUTCOME_UNFINISHED);
	assert_true(isnan(r.relevant_lower_bound_pps));
	assert_int_equal(b.dut.trials, mlr_trials_max(&spec.goals));
}

static double any(uint64_t *seed, double share, double most)
{
	return sim_random(seed) < share ? most * sim_random(seed) : 0;
}

/* Whatever host, generator, DUT and goals: there is an end, and the bounds are in order. */
static void test_anything_ends(void **state)
{
	static const char *const goals[] = {
		"ndr,pdr",
		"ndr:exceed=0%:trial=60s",
		"a=0%:exceed=10%:width=0.01%,b=1%:initial=100ms:trial=10s:sum=30s",
		"pdr=50%:width=50%,ndr:sum=1s,c=0.1%:exceed=90%:sum=100s",
		"ndr:initial=1ms:trial=100ms:sum=5s",
	};
	uint64_t seed = 6, most = 0;
	double trials = 0;

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct mlr_spec spec = mlr_spec_of(goals[i % 5]);
		struct sim_dut_spec sim = {
			.capacity_pps = MLR_BENCH_PPS * pow(1e4, -sim_random(&seed)),
			.soft = any(&seed, 0.5, 0.1),
			.buffer_frames = any(&seed, 0.3, 1e5),
			.drift_per_hour = any(&seed, 0.3, 10) - any(&seed, 0.3, 10),
			.stalls_per_s = any(&seed, 0.3, 1),
			.stall_s = 0.01,
			.noise_share = any(&seed, 0.5, 1),
			.noise_loss_ratio = any(&seed, 1, 0.02),
			.invalid_share = any(&seed, 0.3, 0.5),
			.rate_error_ppm = any(&seed, 0.3, 1e5) - any(&seed, 0.3, 1e5),
			.generator_limit_pps = any(&seed, 0.3, MLR_BENCH_PPS),
			.seed = seed};
		struct mlr_result r[MLR_GOALS_MAX];
		struct mlr_bench b;

		mlr_bench_init(&b, &sim);
		b.jitter = any(&seed, 0.3, 0.1);
		b.limit_jitter = any(&seed, 0.3, 0.3);
		b.busy = sim_random(&seed) < 0.3;
		assert_int_equal(mlr_bench_run(&b, &spec, r), 0);
		assert_true(b.dut.trials <= 3 * mlr_trials_max(&spec.goals));
		trials += (double)b.dut.trials / mlr_trials_max(&spec.goals) / 500;
		if (b.dut.trials > most)
			most = b.dut.trials;
	}
	print_message("anything: %.3f of the trials allowed, at most %d\n", trials, (int)most);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generator_limit),
		cmocka_unit_test(test_generator_limit_varies),
		cmocka_unit_test(test_bounds_are_achieved_loads),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_busy_host),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_anything_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

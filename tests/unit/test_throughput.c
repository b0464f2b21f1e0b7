/*
 * Throughput search against simulated DUTs: it finds what they can do, and says what it cannot
 * know.
 */
#include "tests/unit/unit.h"

#include "gen/methods/throughput.h"
#include "tests/unit/sim_dut.h"

static const struct throughput_spec defaults = {THROUGHPUT_DEFAULTS, .max_pps = 14880952};

static struct throughput_result search(struct sim_dut *dut, const struct sim_dut_spec *sim,
				       const struct throughput_spec *spec)
{
	struct throughput_result r;

	sim_dut_init(dut, sim);
	assert_int_equal(throughput_search(spec, &dut->measurer, &r), 0);
	assert_int_equal(r.tally.trials, dut->trials);
	assert_true(fabs(r.tally.cost_s - dut->clock_s) < 1e-6);
	return r;
}

static void assert_within(double found, double capacity, double width)
{
	assert_true(found <= capacity * (1 + 1e-9));
	assert_true(found >= capacity * (1 - width));
}

static void test_thousand_capacities(void **state)
{
	uint64_t seed = 1;
	uint64_t most = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct throughput_spec spec = defaults;
		struct sim_dut_spec sim = {.capacity_pps = INFINITY, .overhead_s = 2};
		struct throughput_result r;
		struct sim_dut dut;

		spec.width = pow(10, -1 - 3 * sim_random(&seed));
		/* From the lowest load to the highest, evenly over the orders of magnitude. */
		sim.capacity_pps = spec.max_pps * pow(1000, -sim_random(&seed));
		r = search(&dut, &sim, &spec);
		assert_int_equal(r.outcome, OUTCOME_FOUND);
		assert_within(r.throughput_pps, sim.capacity_pps, spec.width);
		assert_true(r.upper_pps > sim.capacity_pps);
		assert_true(r.tally.trials <= throughput_trials(&spec));
		assert_true(r.tally.cost_s <= throughput_estimate_s(&spec, 2));
		assert_true(dut.ask.duration_s == spec.duration_s);
		if (r.tally.trials > most && spec.width > 0.004)
			most = r.tally.trials;
	}
	print_message("at most %d trials for widths over 0.4 %%\n", (int)most);
}

static void test_line_rate(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct sim_dut dut;
	struct throughput_result r = search(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_LINE_RATE);
	assert_true(r.throughput_pps == defaults.max_pps && isnan(r.upper_pps));
	assert_int_equal(r.tally.trials, 1);
}

static void test_generator_limit(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY, .generator_limit_pps = 5e6};
	struct sim_dut dut;
	struct throughput_result r = search(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(isnan(r.throughput_pps) && r.lower_pps == 5e6 && isnan(r.upper_pps));
	assert_int_equal(r.tally.trials, 1);

	sim.capacity_pps = 4e6; /* below the limit it can be found all the same */
	r = search(&dut, &sim, &defaults);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_within(r.throughput_pps, 4e6, defaults.width);

	sim.capacity_pps = INFINITY; /* short of the highest load without knowing why */
	sim.generator_limit_pps = 0;
	sim.rate_error_ppm = -5000;
	r = search(&dut, &sim, &defaults);
	assert_int_equal(r.outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(isnan(r.throughput_pps));
}

static void test_bounds_are_achieved_loads(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct sim_dut_spec sim = {.capacity_pps = INFINITY,
					   .rate_error_ppm = 4000 * sim_random(&seed) - 2000};
		struct throughput_result r;
		struct sim_dut dut;

		sim.capacity_pps = defaults.max_pps * (0.01 + 0.98 * sim_random(&seed));
		r = search(&dut, &sim, &defaults);
		assert_int_equal(r.outcome, OUTCOME_FOUND);
		assert_within(r.throughput_pps, sim.capacity_pps, defaults.width);
	}
}

static void test_zero_capacity(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 0, .noise_disturbed = true};
	struct throughput_spec spec = defaults;
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	spec.pdr_tolerance = THROUGHPUT_PDR;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_NONE);
	assert_int_equal(r.pdr_outcome, OUTCOME_NONE);
	assert_true(isnan(r.throughput_pps) && isnan(r.lower_pps) && isnan(r.pdr_pps));
	assert_true(dut.ask.pps == spec.max_pps / 1000);
	assert_true(r.tally.trials <= throughput_trials(&spec));
	sim.noise_share = 1; /* a disturbed host is no excuse for losing everything */
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_NONE);
}

/* What a stall spoils now and then is tried again, so that it does not look like the capacity. */
static void test_repeats_what_stalls_spoilt(void **state)
{
	int right = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct sim_dut_spec sim = {.capacity_pps = 3e6,
					   .noise_share = 0.1,
					   .noise_loss_ratio = 1e-5,
					   .noise_in_dut_stall = true,
					   .seed = seed};
		struct sim_dut dut;
		struct throughput_result r = search(&dut, &sim, &defaults);

		assert_int_equal(r.outcome, OUTCOME_FOUND);
		assert_true(r.throughput_pps <= 3e6 * (1 + 1e-9));
		if (r.throughput_pps >= 3e6 * (1 - defaults.width))
			right++;
		else
			assert_true(r.bounded_by_stalls);
	}
	print_message("%d of 200 right with a tenth of the trials spoilt by stalls\n", right);
	assert_true(right >= 190);
}

static void test_zero_loss_impossible(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 3e6, .noise_share = 1, .noise_loss_ratio = 1e-5};
	struct throughput_spec spec = defaults;
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	spec.pdr_tolerance = THROUGHPUT_PDR;
	r = search(&dut, &sim, &spec); /* for all that is known the DUT itself */
	assert_int_equal(r.outcome, OUTCOME_NONE);

	sim.noise_in_dut_stall = true;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_ZERO_LOSS_IMPOSSIBLE);
	assert_true(isnan(r.throughput_pps));
	assert_int_equal(r.pdr_outcome, OUTCOME_FOUND);
	assert_within(r.pdr_pps, 3e6 / (1 - THROUGHPUT_PDR), spec.width);

	sim.noise_in_dut_stall = false;
	sim.noise_disturbed = true;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_ZERO_LOSS_IMPOSSIBLE);
	assert_true(r.disturbed);
	assert_within(r.pdr_pps, 3e6 / (1 - THROUGHPUT_PDR), spec.width);

	spec.pdr_tolerance = 0;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.pdr_outcome, OUTCOME_SKIPPED);
	assert_true(isnan(r.pdr_pps));
}

/* Stalls that the buffer bridges at low loads only: there is a result, and what it rests on. */
static void test_bounded_by_stalls(void **state)
{
	struct sim_dut_spec sim = {
		.capacity_pps = 3e6, .buffer_frames = 4096, .stalls_per_s = 0.5, .stall_s = 0.01};
	struct throughput_spec spec = defaults;
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	spec.pdr_tolerance = THROUGHPUT_PDR;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_within(r.throughput_pps, 4097 / 0.01, spec.width);
	assert_true(r.bounded_by_stalls);
	assert_int_equal(r.pdr_outcome, OUTCOME_FOUND);
	assert_true(r.pdr_pps > 1e6 && r.pdr_pps < 3.1e6);
	/* The PDR has some answers from the trials before. */
	assert_true(r.tally.trials < 4 * throughput_trials(&spec));
}

static void test_soft_loss_and_tolerance(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 2e6, .soft = 0.03};
	struct throughput_spec spec = defaults;
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	r = search(&dut, &sim, &spec);
	assert_within(r.throughput_pps, 2e6 * 0.971, 2 * spec.width);
	spec.tolerance = 0.001;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.throughput_pps > 2e6 * 0.975 && r.throughput_pps < 2e6 * 0.985);
	assert_true(dut.ask.tolerance == 0.001);
}

static void test_drift_stays_between_what_was(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 5e6, .drift_per_hour = -0.2};
	struct sim_dut dut;
	struct throughput_result r = search(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.throughput_pps <= 5e6);
	assert_true(r.throughput_pps >= sim_dut_capacity_pps(&dut) * (1 - defaults.width));
}

static void test_invalid_trials(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 5e6, .invalid_share = 1};
	struct sim_dut dut;
	struct throughput_result r = search(&dut, &sim, &defaults);
	int found = 0;

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_INVALID);
	assert_int_equal(r.tally.trials, 1 + TALLY_REPEATS);
	assert_true(isnan(r.throughput_pps) && isnan(r.lower_pps) && isnan(r.upper_pps));
	sim.invalid_share = 0.1;
	for (sim.seed = 1; sim.seed <= 100; sim.seed++) {
		r = search(&dut, &sim, &defaults);
		if (r.outcome == OUTCOME_INVALID)
			continue;
		assert_int_equal(r.outcome, OUTCOME_FOUND);
		assert_within(r.throughput_pps, 5e6, defaults.width);
		found++;
	}
	assert_true(found >= 95);
}

static void test_the_user_ends_it(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 5e6, .interrupt_after = 4};
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	sim_dut_init(&dut, &sim);
	assert_int_equal(throughput_search(&defaults, &dut.measurer, &r), -EINTR);
	assert_int_equal(r.outcome, OUTCOME_UNFINISHED);
	assert_int_equal(r.tally.trials, 4);
	assert_true(r.upper_pps > 5e6 && r.lower_pps < 5e6 && isnan(r.throughput_pps));
}

static void test_refuses_nonsense(void **state)
{
	static const struct throughput_spec bad[] = {
		{THROUGHPUT_DEFAULTS},
		{THROUGHPUT_DEFAULTS, .max_pps = NAN},
		{THROUGHPUT_DEFAULTS, .max_pps = INFINITY},
		{THROUGHPUT_DEFAULTS, .max_pps = 10, .min_pps = 11},
		{THROUGHPUT_DEFAULTS, .max_pps = 1e12, .min_pps = 1},
		{.max_pps = 10, .duration_s = 60},
		{.max_pps = 10, .duration_s = 60, .width = 1},
		{.max_pps = 10, .width = 0.01},
		{THROUGHPUT_DEFAULTS, .max_pps = 10, .tolerance = -1},
	};
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct throughput_result r;
	struct sim_dut dut;

	(void)state;
	sim_dut_init(&dut, &sim);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(throughput_search(&bad[i], &dut.measurer, &r), -EINVAL);
	assert_int_equal(dut.trials, 0);
}

static void test_the_only_load(void **state)
{
	struct throughput_spec spec = {THROUGHPUT_DEFAULTS, .max_pps = 1000, .min_pps = 1000};
	struct sim_dut_spec sim = {.capacity_pps = 500};
	struct sim_dut dut;
	struct throughput_result r = search(&dut, &sim, &spec);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_NONE);
	assert_int_equal(r.tally.trials, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thousand_capacities),
		cmocka_unit_test(test_line_rate),
		cmocka_unit_test(test_generator_limit),
		cmocka_unit_test(test_bounds_are_achieved_loads),
		cmocka_unit_test(test_zero_capacity),
		cmocka_unit_test(test_repeats_what_stalls_spoilt),
		cmocka_unit_test(test_zero_loss_impossible),
		cmocka_unit_test(test_bounded_by_stalls),
		cmocka_unit_test(test_soft_loss_and_tolerance),
		cmocka_unit_test(test_drift_stays_between_what_was),
		cmocka_unit_test(test_invalid_trials),
		cmocka_unit_test(test_the_user_ends_it),
		cmocka_unit_test(test_refuses_nonsense),
		cmocka_unit_test(test_the_only_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Back-to-back search against simulated buffers: the longest burst is known from the buffer, the
 * rate of the bursts and what drains meanwhile.
 */
#include "tests/unit/unit.h"

#include "gen/methods/back_to_back.h"
#include "tests/unit/sim_dut.h"

enum { MAX_PPS = 1488095 };

static struct back_to_back_result search(struct sim_dut *dut, const struct sim_dut_spec *sim,
					 const struct back_to_back_spec *spec)
{
	struct back_to_back_result r;

	sim_dut_init(dut, sim);
	assert_int_equal(back_to_back_search(spec, &dut->measurer, &r), 0);
	assert_int_equal(r.tally.trials, dut->trials);
	return r;
}

static void test_finds_any_buffer(void **state)
{
	uint64_t seed = 1;
	uint64_t trials = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
		struct sim_dut_spec sim = {.capacity_pps = INFINITY, .overhead_s = 2};
		struct back_to_back_result r;
		struct sim_dut dut;
		double truth;

		sim.capacity_pps = MAX_PPS * 0.9 * sim_random(&seed);
		sim.buffer_frames = floor(pow(10, 1 + 4 * sim_random(&seed)));
		spec.throughput_pps = sim.capacity_pps;
		spec.resolution_frames = 1 + (uint64_t)(9 * sim_random(&seed));
		spec.resolution = i % 2 ? 0.01 * sim_random(&seed) : 0;
		spec.repetitions = 10;
		r = search(&dut, &sim, &spec);
		assert_int_equal(r.outcome, OUTCOME_FOUND);
		assert_int_equal(r.frames.count, 10);
		truth = sim_dut_longest_burst(&dut, MAX_PPS);
		assert_true(r.frames.max <= truth);
		assert_true(r.frames.min >=
			    truth - fmax((double)spec.resolution_frames, spec.resolution * truth));
		assert_true(r.frames.stdev <= r.frames.max - r.frames.min);
		assert_true(r.tally.trials <= back_to_back_trials(&spec));
		assert_true(r.tally.cost_s <= back_to_back_estimate_s(&spec, 2));
		trials += r.tally.trials;
		/* What the buffer holds, in time at the rate of the bursts. */
		assert_true(fabs(r.implied_s - r.frames.average / MAX_PPS) < 1e-12);
		assert_true(fabs(r.corrected_s * MAX_PPS - sim.buffer_frames) <=
			    (truth - r.frames.average + 1) * (1 - sim.capacity_pps / MAX_PPS) +
				    1e-6);
	}
	print_message("%.1f bursts for 10 repetitions\n", (double)trials / 1000);
}

static void test_exact_in_single_frames(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {.capacity_pps = 20000, .buffer_frames = 4096};
	struct back_to_back_result r;
	double values[50] = {0};
	struct sim_dut dut;

	(void)state;
	spec.throughput_pps = 20000;
	spec.values = values;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.frames.count, 50);
	assert_true(r.frames.min == sim_dut_longest_burst(&dut, MAX_PPS));
	assert_true(r.frames.max == r.frames.min && r.frames.stdev < 1e-9);
	for (int i = 0; i < 50; i++)
		assert_true(values[i] == r.frames.max);
	assert_true(fabs(r.corrected_s - 4096.0 / MAX_PPS) < 1.0 / MAX_PPS);
	print_message("%d bursts for 50 repetitions\n", (int)r.tally.trials);
}

static void test_not_applicable(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {.capacity_pps = INFINITY};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	spec.throughput_pps = MAX_PPS * 0.9995;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_LINE_RATE);
	assert_int_equal(r.tally.trials, 0);
	assert_true(isnan(r.frames.average) && isnan(r.implied_s));
}

static void test_longest_passes(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {.capacity_pps = 0.99 * MAX_PPS, .buffer_frames = 1e6};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_UNBOUNDED);
	assert_int_equal(r.tally.trials, 1);
	assert_int_equal(dut.ask.frames, 2 * MAX_PPS);
	assert_true(isnan(r.frames.average) && isnan(r.corrected_s));
	sim.generator_limit_pps = MAX_PPS / 2.0;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_GENERATOR_LIMITED);
}

/* Slower bursts still tell the buffer, by the rate they had. */
static void test_slow_generator(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {
		.capacity_pps = 2e5, .buffer_frames = 1000, .generator_limit_pps = 8e5};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	spec.throughput_pps = 2e5;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(fabs(r.burst_pps - 8e5) < 1e-3);
	assert_true(r.frames.max == sim_dut_longest_burst(&dut, 8e5));
	assert_true(fabs(r.corrected_s * 8e5 - 1000) < 1);
	spec.throughput_pps = 9e5; /* contradicts what the bursts lost */
	r = search(&dut, &sim, &spec);
	assert_true(isnan(r.corrected_s) && r.implied_s > 0);
}

static void test_nothing_passes(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {.capacity_pps = 0};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_NONE);
	assert_int_equal(dut.ask.frames, 1);
	sim.capacity_pps = 1000;
	sim.buffer_frames = 100;
	sim.noise_share = 1;
	sim.noise_in_dut_stall = true;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_ZERO_LOSS_IMPOSSIBLE);
}

static void test_buffer_that_varies(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {
		.capacity_pps = 7e5, .buffer_frames = 1000, .drift_per_hour = 1, .overhead_s = 2};
	struct back_to_back_result r;
	struct sim_dut dut;
	double first, last;

	(void)state;
	sim_dut_init(&dut, &sim);
	first = sim_dut_longest_burst(&dut, MAX_PPS);
	r = search(&dut, &sim, &spec);
	last = sim_dut_longest_burst(&dut, MAX_PPS);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(last > first && r.frames.min >= first && r.frames.max <= last);
	assert_true(r.frames.stdev > 0 && r.frames.average > r.frames.min);
}

static void test_noise_and_invalid_trials(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {.capacity_pps = 2e5,
				   .buffer_frames = 1000,
				   .noise_share = 0.05,
				   .noise_in_dut_stall = true,
				   .invalid_share = 0.02,
				   .seed = 3};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	spec.throughput_pps = 2e5;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.frames.max == sim_dut_longest_burst(&dut, MAX_PPS));
	assert_true(r.frames.average > 0.99 * r.frames.max);
	sim.invalid_share = 1;
	r = search(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_INVALID);
	assert_int_equal(r.tally.trials, 1 + TALLY_REPEATS);
}

static void test_the_user_ends_it(void **state)
{
	struct back_to_back_spec spec = {BACK_TO_BACK_DEFAULTS, .max_pps = MAX_PPS};
	struct sim_dut_spec sim = {
		.capacity_pps = 2e5, .buffer_frames = 1000, .interrupt_after = 40};
	struct back_to_back_result r;
	struct sim_dut dut;

	(void)state;
	sim_dut_init(&dut, &sim);
	assert_int_equal(back_to_back_search(&spec, &dut.measurer, &r), -EINTR);
	assert_int_equal(r.outcome, OUTCOME_UNFINISHED);
	assert_true(r.frames.count > 0 && r.tally.trials == 40);
	spec.max_burst_s = 0;
	assert_int_equal(back_to_back_search(&spec, &dut.measurer, &r), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_any_buffer),
		cmocka_unit_test(test_exact_in_single_frames),
		cmocka_unit_test(test_not_applicable),
		cmocka_unit_test(test_longest_passes),
		cmocka_unit_test(test_slow_generator),
		cmocka_unit_test(test_nothing_passes),
		cmocka_unit_test(test_buffer_that_varies),
		cmocka_unit_test(test_noise_and_invalid_trials),
		cmocka_unit_test(test_the_user_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

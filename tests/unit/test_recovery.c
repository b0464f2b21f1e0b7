/*
 * Recovery from an overload and from a reset, against DUTs whose times are known.
 */
#include "tests/unit/unit.h"

#include "gen/methods/recovery.h"
#include "gen/methods/reset.h"
#include "tests/unit/sim_dut.h"

static const struct recovery_spec defaults = {RECOVERY_DEFAULTS, .throughput_pps = 1e5,
					      .max_pps = 1e6};

static struct recovery_result recover(struct sim_dut *dut, const struct sim_dut_spec *sim,
				      const struct recovery_spec *spec)
{
	struct recovery_result r;

	sim_dut_init(dut, sim);
	assert_int_equal(recovery_measure(spec, &dut->measurer, &r), 0);
	assert_int_equal(r.tally.trials, dut->trials);
	return r;
}

static struct reset_result reset(const struct sim_dut_spec *sim)
{
	const struct reset_spec spec = {RESET_DEFAULTS, .pps = 1e5};
	struct reset_result r;
	struct sim_dut dut;

	sim_dut_init(&dut, sim);
	assert_int_equal(reset_measure(&spec, &dut.measurer, &r), 0);
	assert_int_equal(r.tally.trials, 1);
	return r;
}

static void test_known_time(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 1e5, .recovery_s = 0.25, .overhead_s = 2};
	struct sim_dut dut;
	struct recovery_result r = recover(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_int_equal(r.recovery_s.count, defaults.repetitions);
	assert_true(fabs(r.recovery_s.average - 0.25) < 1e-9 && r.recovery_s.stdev < 1e-9);
	assert_true(fabs(dut.ask.pps - 1.1e5) < 1e-6 && dut.ask.duration_s == 60);
	assert_true(fabs(dut.ask.then_pps - 0.55e5) < 1e-6); /* half of the overload */
	assert_true(fabs(r.reached_pps - 1.1e5) < 1e-6);
	assert_true(fabs(r.tally.cost_s - recovery_estimate_s(&defaults, 2)) < 1e-6);
}

static void test_until_the_queue_is_drained(void **state)
{
	struct sim_dut_spec sim = {
		.capacity_pps = 1e5, .buffer_frames = 9000, .loses_until_drained = true};
	struct sim_dut dut;
	struct recovery_result r = recover(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(fabs(r.recovery_s.average - 0.2) < 1e-9);
	sim.loses_until_drained = false; /* a plain queue loses nothing more */
	r = recover(&dut, &sim, &defaults);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.recovery_s.max == 0);
}

static void test_the_highest_load_caps(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 1e5, .recovery_s = 0.1};
	struct recovery_spec spec = defaults;
	struct recovery_result r;
	struct sim_dut dut;

	(void)state;
	spec.max_pps = 1.04e5;
	r = recover(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.overload_pps == 1.04e5 && r.then_pps == 0.52e5);
	spec.max_pps = 1e5;
	r = recover(&dut, &sim, &spec);
	assert_int_equal(r.outcome, OUTCOME_LINE_RATE);
	assert_int_equal(r.tally.trials, 0);
}

static void test_no_overload(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 2e5};
	struct sim_dut dut;
	struct recovery_result r = recover(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_NOT_OVERLOADED);
	assert_int_equal(r.tally.trials, 1);
	assert_true(isnan(r.recovery_s.average));
	sim.capacity_pps = sim.generator_limit_pps = 1e5;
	r = recover(&dut, &sim, &defaults);
	assert_int_equal(r.outcome, OUTCOME_GENERATOR_LIMITED);
	assert_true(r.reached_pps == 1e5);
}

static void test_never_recovers(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 1e5, .recovery_s = 1000};
	struct sim_dut dut;
	struct recovery_result r = recover(&dut, &sim, &defaults);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_UNBOUNDED);
	sim.recovery_s = 1;
	sim.invalid_share = 1;
	r = recover(&dut, &sim, &defaults);
	assert_int_equal(r.outcome, OUTCOME_INVALID);
	assert_true(isnan(r.reached_pps));
}

static void test_the_user_ends_it(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = 1e5, .interrupt_after = 2};
	struct reset_spec again = {RESET_DEFAULTS, .pps = 1e5};
	struct recovery_spec spec = defaults;
	struct reset_result outage;
	struct recovery_result r;
	struct sim_dut dut;

	(void)state;
	sim_dut_init(&dut, &sim);
	assert_int_equal(recovery_measure(&defaults, &dut.measurer, &r), -EINTR);
	assert_int_equal(r.outcome, OUTCOME_UNFINISHED);
	assert_int_equal(r.recovery_s.count, 2);
	assert_int_equal(reset_measure(&again, &dut.measurer, &outage), -EINTR);
	assert_int_equal(outage.outcome, OUTCOME_UNFINISHED);
	spec.throughput_pps = NAN;
	assert_int_equal(recovery_measure(&spec, &dut.measurer, &r), -EINVAL);
	again.duration_s = 0;
	assert_int_equal(reset_measure(&again, &dut.measurer, &outage), -EINVAL);
}

static void test_reset(void **state)
{
	struct sim_dut_spec sim = {.capacity_pps = INFINITY, .outage_s = 3.5};
	struct reset_result r = reset(&sim);

	(void)state;
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(fabs(r.outage_s - 3.5) < 1e-4 && fabs(r.loss_s - 3.5) < 1e-4);
	assert_int_equal(r.lost, 350000);
	sim.outage_s = 100;
	r = reset(&sim);
	assert_int_equal(r.outcome, OUTCOME_UNBOUNDED);
	assert_true(isnan(r.outage_s) && fabs(r.loss_s - 60) < 1e-4);
	sim.outage_s = 0;
	r = reset(&sim);
	assert_int_equal(r.outcome, OUTCOME_NO_RESET_SEEN);
	assert_true(isnan(r.outage_s) && r.lost == 0);
	sim.rate_error_ppm = -3000; /* slow all along, but nothing was missing in between */
	r = reset(&sim);
	assert_int_equal(r.outcome, OUTCOME_NO_RESET_SEEN);
	sim.noise_share = 1;
	sim.noise_in_dut_stall = true; /* a stall is no reset */
	r = reset(&sim);
	assert_int_equal(r.outcome, OUTCOME_NO_RESET_SEEN);
	sim.invalid_share = 1;
	r = reset(&sim);
	assert_int_equal(r.outcome, OUTCOME_INVALID);
}

/* On a link that goes down with the DUT the frames of the outage are not sent at all. */
static int link_down(void *context, const struct method_ask *ask, struct observation *seen)
{
	(void)context;
	*seen = (struct observation){.offered_pps = ask->pps * (1 - 2.0 / ask->duration_s),
				     .duration_s = ask->duration_s,
				     .cost_s = ask->duration_s,
				     .offered = (uint64_t)(ask->pps * (ask->duration_s - 2)),
				     .recovery_s = NAN,
				     .outage_s = 2};
	return 0;
}

static void test_reset_of_a_link(void **state)
{
	const struct reset_spec spec = {RESET_DEFAULTS, .pps = 1e5};
	const struct measurer m = {.trial = link_down};
	struct reset_result r;

	(void)state;
	assert_int_equal(reset_measure(&spec, &m, &r), 0);
	assert_int_equal(r.outcome, OUTCOME_FOUND);
	assert_true(r.outage_s == 2 && fabs(r.loss_s - 2) < 1e-9 && r.lost == 0);
}

static void test_names(void **state)
{
	(void)state;
	for (enum outcome a = OUTCOME_UNFINISHED; a <= OUTCOME_SKIPPED; a++) {
		assert_string_not_equal(outcome_name(a), "unknown");
		for (enum outcome b = OUTCOME_UNFINISHED; b < a; b++)
			assert_string_not_equal(outcome_name(a), outcome_name(b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_time),
		cmocka_unit_test(test_until_the_queue_is_drained),
		cmocka_unit_test(test_the_highest_load_caps),
		cmocka_unit_test(test_no_overload),
		cmocka_unit_test(test_never_recovers),
		cmocka_unit_test(test_the_user_ends_it),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_reset_of_a_link),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

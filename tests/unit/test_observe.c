/*
 * What a method sees of a trial's records.
 */
#include "tests/unit/unit.h"

#include "gen/measure.h"

#include <math.h>
#include <stdlib.h>

static const struct method_ask asked = {.pps = 1000, .duration_s = 10};

/* A record of 10,000 frames in ten seconds, with what the test is about put over it. */
static json_t *record(const char *over)
{
	json_t *r = json_loads("{\"stream\":\"all\",\"verdict\":\"valid\",\"refused_is_loss\":true,"
			       "\"generator_limited\":false,\"outage_s\":0.001,"
			       "\"duration_s\":{\"actual\":10},"
			       "\"tx\":{\"sent\":10000,\"refused\":0},"
			       "\"rx\":{\"lost\":0,\"gen_missed\":0,\"lost_in_gen_stall\":0,"
			       "\"lost_in_dut_stall\":null,\"pps\":1000},"
			       "\"test\":{\"cost_s\":11}}",
			       0, NULL);
	json_t *more = json_loads(over, 0, NULL);

	assert_non_null(r);
	assert_non_null(more);
	json_object_update_recursive(r, more);
	json_decref(more);
	return r;
}

static struct observation observe(const char *over)
{
	json_t *records = json_pack("[o]", record(over));
	struct observation seen;

	measure_observe(records, &asked, &seen);
	json_decref(records);
	return seen;
}

static void test_clean(void **state)
{
	struct observation seen = observe("{}");

	(void)state;
	assert_float_equal(seen.offered_pps, 1000, 1e-9);
	assert_float_equal(seen.duration_s, 10, 1e-9);
	assert_float_equal(seen.cost_s, 11, 1e-9);
	assert_int_equal(seen.offered, 10000);
	assert_int_equal(seen.lost, 0);
	assert_true(seen.loss_ratio == 0 && !seen.invalid && !seen.disturbed &&
		    !seen.generator_limited);
}

static void test_loss(void **state)
{
	struct observation seen = observe("{\"rx\":{\"lost\":100,\"lost_in_dut_stall\":40}}");

	(void)state;
	assert_int_equal(seen.lost, 100);
	assert_int_equal(seen.lost_in_dut_stall, 40);
	assert_float_equal(seen.loss_ratio, 0.01, 1e-12);
}

/* What the generator lost is left out above and below the line. */
static void test_own_losses(void **state)
{
	struct observation seen = observe("{\"rx\":{\"lost\":1000,\"gen_missed\":400,"
					  "\"lost_in_gen_stall\":500}}");

	(void)state;
	assert_int_equal(seen.lost, 500);
	assert_int_equal(seen.offered, 9500);
	assert_float_equal(seen.loss_ratio, 500.0 / 9500, 1e-12);
	assert_float_equal(seen.offered_pps, 1000, 1e-9);
	seen = observe("{\"rx\":{\"lost\":10,\"gen_missed\":10}}");
	assert_true(seen.lost == 0 && seen.loss_ratio == 0);
	seen = observe("{\"rx\":{\"lost\":10,\"gen_missed\":null}}");
	assert_int_equal(seen.lost, 10);
}

static void test_refused(void **state)
{
	struct observation seen =
		observe("{\"tx\":{\"sent\":9000,\"refused\":1000},\"rx\":{\"lost\":9}}");

	(void)state;
	assert_int_equal(seen.lost, 1009);
	assert_int_equal(seen.offered, 10000);
	assert_float_equal(seen.offered_pps, 1000, 1e-9);
	seen = observe("{\"tx\":{\"refused\":10,\"refused_in_dut_stall\":10},"
		       "\"rx\":{\"lost_in_dut_stall\":0}}");
	assert_true(seen.lost == 10 && seen.lost_in_dut_stall == 10);
	/* A wire refuses what it cannot carry: that was never offered to the DUT. */
	seen = observe("{\"refused_is_loss\":false,\"tx\":{\"sent\":9000,\"refused\":1000}}");
	assert_true(seen.lost == 0 && seen.offered == 9000 && seen.generator_limited);
	assert_float_equal(seen.offered_pps, 900, 1e-9);
}

static void test_verdicts(void **state)
{
	struct observation seen = observe("{\"verdict\":\"disturbed\"}");

	(void)state;
	assert_true(seen.disturbed && !seen.invalid);
	seen = observe("{\"verdict\":\"invalid\"}");
	assert_true(seen.invalid);
	seen = observe("{\"verdict\":null}");
	assert_true(seen.invalid);
	seen = observe("{\"generator_limited\":true}");
	assert_true(seen.generator_limited);
	seen = observe("{\"tx\":{\"sent\":0}}");
	assert_true(seen.loss_ratio == 1 && seen.offered_pps == 0);
}

static void test_directions_and_streams(void **state)
{
	json_t *records =
		json_pack("[o, o, o]", record("{\"stream\":\"0\",\"rx\":{\"lost\":9999}}"),
			  record("{\"tx\":{\"sent\":9900},\"rx\":{\"lost\":1}}"),
			  record("{\"verdict\":\"disturbed\",\"rx\":{\"lost\":50,\"pps\":995}}"));
	struct observation seen;

	(void)state;
	measure_observe(records, &asked, &seen);
	json_decref(records);
	assert_int_equal(seen.lost, 50);
	assert_float_equal(seen.loss_ratio, 0.005, 1e-12);
	assert_float_equal(seen.offered_pps, 990, 1e-9);
	assert_float_equal(seen.forwarded_pps, 995, 1e-9);
	assert_true(seen.disturbed && !seen.invalid);

	records = json_array();
	measure_observe(records, &asked, &seen);
	json_decref(records);
	assert_true(seen.invalid);
}

/* With two loads the first is said to have been offered, by as much as both together were. */
static void test_falling_load(void **state)
{
	struct method_ask ask = {
		.pps = 1100, .duration_s = 5, .then_pps = 550, .then_duration_s = 5};
	json_t *records =
		json_pack("[o]", record("{\"tx\":{\"sent\":8250},\"then\":{\"recovery_s\":0.25}}"));
	struct observation seen;

	(void)state;
	measure_observe(records, &ask, &seen);
	json_decref(records);
	assert_float_equal(seen.offered_pps, 1100, 1e-9);
	assert_float_equal(seen.recovery_s, 0.25, 1e-12);
	assert_false(seen.generator_limited);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),	     cmocka_unit_test(test_loss),
		cmocka_unit_test(test_own_losses),   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_verdicts),     cmocka_unit_test(test_directions_and_streams),
		cmocka_unit_test(test_falling_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What the DUT's counters say of a trial, from two snapshots.
 */
#include "tests/unit/unit.h"

#include "gen/dut_client.h"

static json_t *before, *after;
static struct dut_change change;

static int setup(void **state)
{
	(void)state;
	before = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:s, s:I, s:I}",
			   "tsc", (json_int_t)1000000000, "tsc_hz", (json_int_t)2000000000,
			   "busy_cycles", (json_int_t)500, "lcore1_busy_cycles", (json_int_t)500,
			   "kernel_dropped", (json_int_t)3, "stall_count", (json_int_t)10,
			   "stall_cycles", (json_int_t)9000, "stall_max", (json_int_t)4000,
			   "port0_role", "wire", "port0_rx_missed", (json_int_t)100,
			   "port0_tx_dropped", (json_int_t)200, "port1_role", "kernel",
			   "port1_rx_missed", (json_int_t)5, "port1_tx_dropped", (json_int_t)6);
	after = json_deep_copy(before);
	return before && after ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	json_decref(before);
	json_decref(after);
	return 0;
}

static void grow(const char *key, json_int_t by)
{
	json_int_t value = json_integer_value(json_object_get(after, key));

	json_object_set_new(after, key, json_integer(value + by));
}

static bool compare(double trial_s)
{
	return dut_compare(before, after, trial_s, 1000000000, &change);
}

static void test_nothing_changed(void **state)
{
	(void)state;
	assert_true(compare(1));
	assert_int_equal(change.rx_missed, 0);
	assert_int_equal(change.tx_dropped, 0);
	assert_int_equal(change.wire_tx_dropped, 0);
	assert_int_equal(change.kernel_dropped, 0);
	assert_int_equal(change.stalls, 0);
	assert_int_equal(change.stall_cycles, 0);
	assert_true(change.cpu_busy == 0);
	assert_true(change.tsc_hz == 2e9);
}

static void test_what_grew(void **state)
{
	(void)state;
	grow("port0_rx_missed", 7);
	grow("port0_tx_dropped", 11);
	grow("port1_rx_missed", 13);
	grow("port1_tx_dropped", 17);
	grow("kernel_dropped", 19);
	grow("stall_count", 2);
	grow("stall_cycles", 5000);
	assert_true(compare(1));
	assert_int_equal(change.rx_missed, 20);
	assert_int_equal(change.tx_dropped, 28);
	assert_int_equal(change.wire_tx_dropped, 11); /* the wire port's alone */
	assert_int_equal(change.kernel_dropped, 19);
	assert_int_equal(change.stalls, 2);
	assert_int_equal(change.stall_cycles, 5000);
}

static void test_counters_that_went_back(void **state)
{
	static const char *const keys[] = {
		"port0_rx_missed", "port0_tx_dropped", "port1_rx_missed", "port1_tx_dropped",
		"kernel_dropped",  "stall_count",      "stall_cycles",	  "busy_cycles"};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		grow(keys[i], -1);
		assert_false(compare(1));
		grow(keys[i], 1);
		assert_true(compare(1));
	}
}

static void test_cpu_share(void **state)
{
	(void)state;
	/* 2 seconds of 2 GHz, three quarters of one core's cycles. */
	grow("busy_cycles", 3000000000);
	assert_true(compare(2));
	assert_true(fabs(change.cpu_busy - 0.75) < 1e-9);
	/* The same work on two cores. */
	json_object_set_new(after, "lcore2_busy_cycles", json_integer(0));
	assert_true(compare(2));
	assert_true(fabs(change.cpu_busy - 0.375) < 1e-9);
	/* The drain's work counts too, but nothing is busier than always. */
	grow("busy_cycles", 90000000000);
	assert_true(compare(2));
	assert_true(change.cpu_busy == 1);
}

static void test_cost_of_frames(void **state)
{
	(void)state;
	/* A DUT that does not say so. */
	assert_true(compare(2));
	assert_true(isnan(change.cycles_per_frame));
	assert_true(isnan(change.system_share));
	assert_true(isnan(change.softirq_share));
	assert_true(isnan(change.kernel_threads_share));
	for (int i = 0; i < 2; i++) {
		json_t *snapshot = i ? after : before;

		json_object_set_new(snapshot, "wire_rx", json_integer(1000));
		json_object_set_new(snapshot, "lcores_system_ns", json_integer(70));
		json_object_set_new(snapshot, "softirq_ns", json_integer(80));
		json_object_set_new(snapshot, "kernel_threads_ns", json_integer(90));
	}
	/* No frame came: no figure, not 0. */
	assert_true(compare(2));
	assert_true(isnan(change.cycles_per_frame));
	assert_true(change.softirq_share == 0);
	/* Four seconds from snapshot to snapshot, two of them sending. */
	grow("tsc", 8000000000);
	grow("wire_rx", 500);
	grow("busy_cycles", 100000);
	grow("lcores_system_ns", 1000000000);
	grow("softirq_ns", 500000000);
	grow("kernel_threads_ns", 1800000000);
	assert_true(compare(2));
	assert_true(fabs(change.cycles_per_frame - 200) < 1e-9);
	assert_true(fabs(change.system_share - 0.25) < 1e-9);
	assert_true(fabs(change.softirq_share - 0.25) < 1e-9);
	assert_true(fabs(change.kernel_threads_share - 0.9) < 1e-9);
	/* One that goes back is unknown, and no reason to drop the rest. */
	grow("softirq_ns", -500000001);
	assert_true(compare(2));
	assert_true(isnan(change.softirq_share));
	assert_true(fabs(change.system_share - 0.25) < 1e-9);
}

static void test_cpu_share_is_unknown_without_a_clock(void **state)
{
	(void)state;
	assert_true(compare(0));
	assert_true(isnan(change.cpu_busy));
	assert_false(change.same_clock);
	json_object_del(after, "tsc_hz");
	assert_true(compare(1));
	assert_true(isnan(change.cpu_busy));
	assert_false(change.same_clock);
}

static void test_same_clock(void **state)
{
	uint64_t tsc = 1000000000, second = 2000000000;

	(void)state;
	assert_true(dut_compare(before, after, 1, tsc, &change));
	assert_true(change.same_clock);
	/* A reply is a moment old, never a second. */
	dut_compare(before, after, 1, tsc + second / 2, &change);
	assert_true(change.same_clock);
	dut_compare(before, after, 1, tsc + 2 * second, &change);
	assert_false(change.same_clock);
	dut_compare(before, after, 1, tsc - tsc / 2, &change);
	assert_true(change.same_clock);
	dut_compare(before, after, 1, UINT64_MAX / 2, &change);
	assert_false(change.same_clock);
}

static void test_empty_and_strange_replies(void **state)
{
	json_t *empty = json_object(),
	       *strange = json_pack("{s:s, s:i, s:n, s:[]}", "tsc_hz", "x", "port0_role", 5,
				    "busy_cycles", "stall_count");

	(void)state;
	assert_true(dut_compare(empty, empty, 1, 0, &change));
	assert_true(isnan(change.cpu_busy));
	assert_true(dut_compare(strange, strange, 1, 0, &change));
	assert_true(isnan(change.cpu_busy));
	assert_int_equal(change.rx_missed, 0);
	/* A DUT that was restarted without its counters. */
	grow("kernel_dropped", 1);
	assert_false(dut_compare(after, empty, 1, 0, &change));
	json_decref(empty);
	json_decref(strange);
}

static void test_nobody_answers(void **state)
{
	struct dut_place place;
	struct dut_link link;
	struct stall stall;
	char err[256] = "";

	(void)state;
	assert_int_equal(dut_place_parse(&place, "unix:/nonexistent/telemetry", err, sizeof(err)),
			 0);
	dut_link_init(&link, &place, "ssh", "tandem-dut");
	assert_null(dut_snapshot(&link, err, sizeof(err)));
	assert_true(*err);
	assert_null(strchr(err, '\n'));
	assert_int_equal(dut_stalls(&link, 0, &stall, 1), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_nothing_changed),
		CASE(test_what_grew),
		CASE(test_counters_that_went_back),
		CASE(test_cpu_share),
		CASE(test_cost_of_frames),
		CASE(test_cpu_share_is_unknown_without_a_clock),
		CASE(test_same_clock),
		CASE(test_empty_and_strange_replies),
		CASE(test_nobody_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

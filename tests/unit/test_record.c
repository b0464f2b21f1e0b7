/*
 * Records: every field of the design, unknown is null, figures in order, sums that add up; medians.
 */
#include "tests/unit/unit.h"

#include "common/results.h"
#include "gen/record.h"

static struct hist all, clean, lateness, spacing;
static struct gen_config config;
static struct generator g;
static struct trial_result r;

static int setup(void **state)
{
	uint64_t seed = 41;

	(void)state;
	hist_reset(&all);
	hist_reset(&clean);
	hist_reset(&lateness);
	hist_reset(&spacing);
	for (int i = 0; i < 9990; i++) {
		uint64_t cycles = 2000 + unit_random(&seed) % 100000;

		hist_add(&all, cycles);
		if (i % 10)
			hist_add(&clean, cycles);
		hist_add(&lateness, cycles / 10);
		hist_add(&spacing, cycles / 20);
	}
	gen_config_init(&config);

	g = (struct generator){.config = &config, .path = "io", .seed = 99};
	r = (struct trial_result){
		.trial = 3,
		.started = "2026-01-01T00:00:00.000Z",
		.direction = "0>1",
		.spec = {.frame_size = 128, .pps = 10100, .duration_ns = 1000000000},
		.burst = 32,
		.on_full = "drop",
		.tsc_hz = 2e9,
		.actual_s = 1.0001,
		.line_rate_bps = 1e10,
		.offered = 10100,
		.sent = 10000,
		.refused = 70,
		.unsent = 30,
		.backpressured = 5,
		.no_mbuf = 1,
		.tx_pps = 9999,
		.rx_pps = 9989,
		.rate_error_ppm = -123.5,
		.received = 9990,
		.lost = 10,
		.lost_in_gen_stall = 4,
		.lost_in_dut_stall = 6,
		.lost_in_dut_stall_known = true,
		.longest_loss_run = 7,
		.loss_runs = 2,
		.duplicate = 11,
		.reordered = 12,
		.corrupt = 13,
		.foreign = 14,
		.gen_missed = 2,
		.gen_missed_known = true,
		.verified = true,
		.loss_ratio = 0.0008,
		.all = &all,
		.clean = &clean,
		.lateness = &lateness,
		.spacing = &spacing,
		.jitter_cycles = 500,
		.clean_jitter_cycles = 400,
		.stalls = 1,
		.stall_max = 4000000,
		.stall_total = 4000000,
		.generator_limited = true,
		.verdict = VERDICT_DISTURBED,
		.n_reasons = 1,
		.reasons = {"the generator stalled"},
	};
	return 0;
}

static void assert_number(const json_t *record, const char *key, double want)
{
	double got = result_num(record, key);

	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%s is %g, not %g", key, got, want);
}

static void assert_null_at(const json_t *record, const char *key)
{
	json_t *value = result_get(record, key);

	if (!value || !json_is_null(value))
		fail_msg("%s is not null", key);
}

static void test_every_field_is_there(void **state)
{
	static const char *const keys[] = {"schema",
					   "trial",
					   "started",
					   "path",
					   "direction",
					   "stream",
					   "frame_size",
					   "rate_requested_pps",
					   "burst",
					   "on_full",
					   "seed",
					   "tsc_hz",
					   "duration_s.requested",
					   "duration_s.actual",
					   "tx.offered",
					   "tx.sent",
					   "tx.refused",
					   "tx.unsent",
					   "tx.backpressured",
					   "tx.pps",
					   "tx.l1_bps",
					   "tx.l2_bps",
					   "tx.rate_error_ppm",
					   "tx.lateness_ns",
					   "tx.spacing_ns",
					   "rx.received",
					   "rx.lost",
					   "rx.lost_in_gen_stall",
					   "rx.lost_in_dut_stall",
					   "rx.longest_loss_run",
					   "rx.duplicate",
					   "rx.reordered",
					   "rx.corrupt",
					   "rx.foreign",
					   "rx.gen_missed",
					   "rx.pps",
					   "rx.l1_bps",
					   "rx.l2_bps",
					   "loss_ratio",
					   "stalls.count",
					   "stalls.max_ns",
					   "stalls.total_ns",
					   "dut",
					   "verdict",
					   "arrival",
					   "rx.reorder_extent",
					   "ipdv_ns.mean",
					   "ipdv_ns.max",
					   "reasons"};
	static const char *const views[] = {"latency_ns", "latency_clean_ns"};
	static const char *const figures[] = {"count", "min", "mean", "max",   "stdev", "p50",
					      "p90",   "p99", "p999", "p9999", "pdv",	"jitter"};
	json_t *o = record_make(&g, &r);

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!result_get(o, keys[i]))
			fail_msg("%s is missing", keys[i]);
	for (size_t v = 0; v < 2; v++)
		for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
			char key[64];

			snprintf(key, sizeof(key), "%s.%s", views[v], figures[i]);
			if (!json_is_number(result_get(o, key)))
				fail_msg("%s is missing", key);
		}
	json_decref(o);
}

static void test_values(void **state)
{
	json_t *o = record_make(&g, &r);

	(void)state;
	assert_string_equal(result_str(o, "schema"), "tandem.trial/1");
	assert_string_equal(result_str(o, "path"), "io");
	assert_string_equal(result_str(o, "direction"), "0>1");
	assert_string_equal(result_str(o, "stream"), "all");
	assert_string_equal(result_str(o, "started"), "2026-01-01T00:00:00.000Z");
	assert_string_equal(result_str(o, "on_full"), "drop");
	assert_string_equal(result_str(o, "verdict"), "disturbed");
	assert_number(o, "trial", 3);
	assert_number(o, "frame_size", 128);
	assert_number(o, "rate_requested_pps", 10100);
	assert_number(o, "seed", 99);
	assert_number(o, "duration_s.requested", 1);
	assert_number(o, "duration_s.actual", 1.0001);
	assert_number(o, "tx.l1_bps", 9999.0 * (128 + 20) * 8);
	assert_number(o, "tx.l2_bps", 9999.0 * 128 * 8);
	assert_number(o, "rx.l1_bps", 9989.0 * (128 + 20) * 8);
	assert_number(o, "tx.rate_error_ppm", -123.5);
	assert_number(o, "rx.lost_in_dut_stall", 6);
	assert_number(o, "rx.corrupt", 13);
	assert_number(o, "loss_ratio", 0.0008);
	/* Cycles of a 2 GHz clock: half as many nanoseconds. */
	assert_number(o, "latency_ns.jitter", 250);
	assert_number(o, "stalls.max_ns", 2000000);
	assert_int_equal(json_array_size(json_object_get(o, "reasons")), 1);
	assert_true(json_is_true(json_object_get(o, "generator_limited")));
	json_decref(o);
}

static void test_accounts_add_up(void **state)
{
	json_t *o = record_make(&g, &r);

	(void)state;
	assert_number(o, "tx.offered",
		      result_num(o, "tx.sent") + result_num(o, "tx.refused") +
			      result_num(o, "tx.unsent"));
	assert_number(o, "rx.lost", result_num(o, "tx.sent") - result_num(o, "rx.received"));
	assert_number(o, "latency_ns.count", result_num(o, "rx.received"));
	json_decref(o);
}

static void assert_in_order(const json_t *o, const char *view)
{
	static const char *const figures[] = {"min", "p50", "p90", "p99", "p999", "p9999", "max"};
	double last = 0, mean;
	char key[64];

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		double value;

		snprintf(key, sizeof(key), "%s.%s", view, figures[i]);
		value = result_num(o, key);
		assert_true(json_is_integer(result_get(o, key)));
		if (!(value >= last))
			fail_msg("%s is %g, less than the one before", key, value);
		last = value;
	}
	snprintf(key, sizeof(key), "%s.mean", view);
	mean = result_num(o, key);
	snprintf(key, sizeof(key), "%s.min", view);
	assert_true(mean >= result_num(o, key) - 0.5);
	assert_true(mean <= last + 0.5);
}

static void test_figures_are_in_order(void **state)
{
	uint64_t seed = 43;

	(void)state;
	for (int round = 0; round < 200; round++) {
		json_t *o;

		hist_reset(&all);
		for (uint64_t i = 1 + unit_random(&seed) % 30; i > 0; i--)
			hist_add(&all, unit_random(&seed) >> (24 + unit_random(&seed) % 38));
		r.tsc_hz = 1e9 + (double)(unit_random(&seed) % 4000000000u);
		o = record_make(&g, &r);
		assert_in_order(o, "latency_ns");
		assert_in_order(o, "latency_clean_ns");
		assert_in_order(o, "tx.lateness_ns");
		assert_in_order(o, "tx.spacing_ns");
		assert_true(fabs(result_num(o, "latency_ns.pdv") -
				 (result_num(o, "latency_ns.p999") -
				  result_num(o, "latency_ns.min"))) <= 1);
		json_decref(o);
	}
}

static void test_unknown_is_null(void **state)
{
	static const char *const unknown[] = {"path",
					      "rate_requested_pps",
					      "line_rate_bps",
					      "duration_s.requested",
					      "tx.rate_error_ppm",
					      "rx.lost_in_dut_stall",
					      "rx.corrupt",
					      "loss_ratio",
					      "latency_ns.min",
					      "latency_ns.mean",
					      "latency_ns.max",
					      "latency_ns.stdev",
					      "latency_ns.p50",
					      "latency_ns.p9999",
					      "latency_ns.pdv",
					      "latency_ns.jitter",
					      "tx.lateness_ns.p50",
					      "dut"};
	json_t *o;

	(void)state;
	g.path[0] = '\0';
	r.spec.pps = 0;
	r.spec.frames = 10;
	r.line_rate_bps = 0;
	r.rate_error_ppm = NAN;
	r.lost_in_dut_stall_known = false;
	r.verified = false;
	r.loss_ratio = NAN;
	r.jitter_cycles = NAN;
	hist_reset(&all);
	hist_reset(&lateness);
	o = record_make(&g, &r);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_null_at(o, unknown[i]);
	assert_number(o, "latency_ns.count", 0);
	json_decref(o);
}

static void test_tx_only_knows_nothing_of_receiving(void **state)
{
	json_t *o;

	(void)state;
	r.tx_only = true;
	r.loss_ratio = NAN;
	o = record_make(&g, &r);
	assert_null_at(o, "rx");
	assert_null_at(o, "loss_ratio");
	assert_null_at(o, "latency_ns");
	assert_null_at(o, "latency_clean_ns");
	assert_number(o, "tx.sent", 10000);
	json_decref(o);
}

static void test_the_dut_part_joins(void **state)
{
	json_t *o;

	(void)state;
	r.dut = json_pack("{s:f}", "cpu_busy", 0.75);
	o = record_make(&g, &r);
	assert_number(o, "dut.cpu_busy", 0.75);
	json_decref(o);
	assert_number(r.dut, "cpu_busy", 0.75); /* still ours */
	json_decref(r.dut);
}

static void test_record_is_one_line_of_json(void **state)
{
	json_t *o = record_make(&g, &r), *back;
	char *text = json_dumps(o, JSON_COMPACT);

	(void)state;
	assert_non_null(text);
	assert_null(strchr(text, '\n'));
	back = json_loads(text, 0, NULL);
	assert_true(json_equal(o, back));
	json_decref(back);
	json_decref(o);
	free(text);
}

static json_t *repeats(const double *pps, size_t n)
{
	json_t *records = json_array();

	for (size_t i = 0; i < n; i++) {
		r.rx_pps = pps[i];
		json_array_append_new(records, record_make(&g, &r));
	}
	return records;
}

static json_t *repeated(const json_t *repeat, const char *key, const char *figure)
{
	return json_object_get(json_object_get(repeat, key), figure);
}

static void assert_repeat(const double *pps, size_t n, double median, double min, double max)
{
	json_t *records = repeats(pps, n), *o = record_repeat(records);

	assert_string_equal(result_str(o, "schema"), "tandem.repeat/1");
	assert_number(o, "trials", (double)n);
	assert_number(o, "frame_size", 128);
	assert_true(json_number_value(repeated(o, "rx.pps", "median")) == median);
	assert_true(json_number_value(repeated(o, "rx.pps", "min")) == min);
	assert_true(json_number_value(repeated(o, "rx.pps", "max")) == max);
	assert_number(o, "disturbed", (double)n);
	assert_number(o, "invalid", 0);
	json_decref(o);
	json_decref(records);
}

static void test_medians(void **state)
{
	static const double one[] = {5}, odd[] = {9, 1, 5}, even[] = {8, 2, 4, 100};

	(void)state;
	assert_repeat(one, 1, 5, 5, 5);
	assert_repeat(odd, 3, 5, 1, 9);
	assert_repeat(even, 4, 6, 2, 100);
}

static void test_repeat_leaves_unknown_out(void **state)
{
	static const double pps[] = {NAN, 3, NAN, 7}, none[] = {NAN, NAN};
	json_t *records = repeats(pps, 4), *o = record_repeat(records);

	(void)state;
	assert_int_equal(json_integer_value(repeated(o, "rx.pps", "samples")), 2);
	assert_true(json_number_value(repeated(o, "rx.pps", "median")) == 5);
	json_decref(o);
	json_decref(records);
	records = repeats(none, 2);
	o = record_repeat(records);
	assert_int_equal(json_integer_value(repeated(o, "rx.pps", "samples")), 0);
	assert_true(json_is_null(repeated(o, "rx.pps", "median")));
	assert_true(json_is_null(repeated(o, "rx.pps", "min")));
	json_decref(o);
	json_decref(records);
}

/* Of a single stream some things are nobody's to say. */
static void test_a_stream(void **state)
{
	static const char *const unknown[] = {"tx.backpressured", "tx.no_mbuf", "tx.lateness_ns",
					      "tx.spacing_ns", "rx.foreign"};
	json_t *o;

	(void)state;
	snprintf(r.stream, sizeof(r.stream), "12");
	r.lateness = r.spacing = NULL;
	config.streams = 20;
	o = record_make(&g, &r);
	assert_string_equal(result_str(o, "stream"), "12");
	assert_number(o, "streams", 20);
	assert_number(o, "tx.sent", 10000);
	assert_number(o, "rx.lost", 10);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_null_at(o, unknown[i]);
	json_decref(o);
}

#define CASE(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_every_field_is_there),
		CASE(test_values),
		CASE(test_accounts_add_up),
		CASE(test_figures_are_in_order),
		CASE(test_unknown_is_null),
		CASE(test_tx_only_knows_nothing_of_receiving),
		CASE(test_the_dut_part_joins),
		CASE(test_record_is_one_line_of_json),
		CASE(test_medians),
		CASE(test_repeat_leaves_unknown_out),
		CASE(test_a_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * From summary rows to curves: labels, frame sizes, marks and gaps.
 */
#include "tests/unit/unit.h"

#include "common/results.h"
#include "plots/figure.h"
#include "plots/series.h"

#define DATA "tests/unit/data/plot/"

static struct result results[RESULTS_MAX];
static struct series_set set;
static char err[256];

static void load(const char *const *paths, size_t n)
{
	assert_int_equal(results_load(paths, n, LOAD_SUMMARY, results, err, sizeof(err)), 0);
	assert_int_equal(series_collect(results, n, &set, err, sizeof(err)), 0);
}

/* Rows made here instead of read from a file. */
static struct result of_rows(json_t *rows)
{
	struct result r = {.path = "made", .name = "made", .summary = rows};

	assert_non_null(rows);
	return r;
}

static void test_series_of_a_run(void **state)
{
	static const uint32_t sizes[] = {64, 128, 256, 512, 1024, 1280, 1518};
	const char *paths[] = {DATA "run1"};

	(void)state;
	load(paths, 1);
	assert_int_equal(set.n, 2);
	assert_string_equal(set.series[0].label, "io path");
	assert_string_equal(set.series[1].label, "kernel path");
	assert_int_equal(set.n_sizes, 7);
	assert_memory_equal(set.size, sizes, sizeof(sizes));
	assert_true(series_any(&set, "max") && series_any(&set, "paced"));
	results_free(results, 1);
}

static void test_marks_and_gaps(void **state)
{
	const char *paths[] = {DATA "run1"};
	const struct series *kernel = &set.series[1];
	struct point p;

	(void)state;
	load(paths, 1);
	p = series_point(series_trial(kernel, 0, "max"), "rx.pps", 1e-6);
	assert_int_equal(p.mark, POINT_VALID);
	assert_true(fabs(p.value - 0.648) < 1e-9);
	p = series_point(series_trial(kernel, 3, "max"), "rx.pps", 1e-6);
	assert_int_equal(p.mark, POINT_DISTURBED);
	p = series_point(series_trial(kernel, 5, "max"), "rx.pps", 1e-6);
	assert_int_equal(p.mark, POINT_INVALID);
	/* 256 bytes were not run paced; 1280 was, but gave no sample. */
	assert_null(series_trial(kernel, 2, "paced"));
	p = series_point(series_trial(kernel, 2, "paced"), "latency_ns.p50", 1);
	assert_int_equal(p.mark, POINT_MISSING);
	assert_true(isnan(p.value));
	p = series_point(series_trial(kernel, 5, "paced"), "latency_ns.p50", 1);
	assert_int_equal(p.mark, POINT_INVALID);
	assert_true(isnan(p.value));
	results_free(results, 1);
}

static void test_labels_say_what_differs(void **state)
{
	const char *paths[] = {DATA "run1", DATA "paced"};
	json_t *rows = json_pack("[{s:s,s:s,s:s,s:i},{s:s,s:s,s:s,s:i},{s:n,s:s,s:s,s:i}]", "path",
				 "io", "direction", "0>1", "stream", "all", "frame_size", 512,
				 "path", "io", "direction", "1>0", "stream", "all", "frame_size",
				 64, "path", "direction", "0>1", "stream", "all", "frame_size", 64);
	struct result made;

	(void)state;
	load(paths, 2);
	assert_int_equal(set.n, 3);
	assert_string_equal(set.series[0].label, "run1: io path");
	assert_string_equal(set.series[2].label, "paced: io path");
	assert_true(series_has(&set.series[0], set.n_sizes, "max"));
	assert_false(series_has(&set.series[2], set.n_sizes, "max"));
	results_free(results, 2);

	made = of_rows(rows);
	assert_int_equal(series_collect(&made, 1, &set, err, sizeof(err)), 0);
	assert_int_equal(set.n, 3);
	assert_string_equal(set.series[1].label, "io path 1>0");
	assert_string_equal(set.series[2].label, "unknown path 0>1");
	assert_int_equal(set.size[0], 64);
	/* The first has no row at 64 bytes. */
	assert_null(set.series[0].row[0]);
	assert_null(series_trial(&set.series[0], 0, "max"));
	json_decref(rows);
}

static void test_too_many_are_refused(void **state)
{
	json_t *rows = json_array();
	struct result made;
	char path[16];

	(void)state;
	for (unsigned int i = 0; i <= SERIES_MAX; i++) {
		snprintf(path, sizeof(path), "p%u", i);
		json_array_append_new(rows, json_pack("{s:s,s:i}", "path", path, "frame_size", 64));
	}
	made = of_rows(rows);
	assert_int_equal(series_collect(&made, 1, &set, err, sizeof(err)), -E2BIG);
	assert_non_null(strstr(err, "more than 8 curves"));
	json_array_clear(rows);
	for (unsigned int i = 0; i <= SIZES_MAX; i++)
		json_array_append_new(
			rows, json_pack("{s:s,s:i}", "path", "io", "frame_size", (int)(64 + i)));
	assert_int_equal(series_collect(&made, 1, &set, err, sizeof(err)), -E2BIG);
	assert_non_null(strstr(err, "frame sizes"));
	json_decref(rows);
}

/* Records of other types than expected must not crash, whatever they hold. */
static void test_odd_records(void **state)
{
	json_t *rows =
		json_pack("[{s:i,s:[],s:s},{s:s,s:f,s:i},i,{s:s,s:i,s:{s:s,s:i}}]", "path", 3,
			  "direction", "frame_size", "64", "path", "io", "frame_size", -1.0, "max",
			  1, 7, "path", "io", "frame_size", 64, "max", "rx", "x", "verdict", 1);
	struct result made = of_rows(rows);
	struct point p;

	(void)state;
	assert_int_equal(series_collect(&made, 1, &set, err, sizeof(err)), 0);
	assert_int_equal(set.n, 1);
	assert_int_equal(set.n_sizes, 1);
	p = series_point(series_trial(&set.series[0], 0, "max"), "rx.pps", 1);
	assert_int_equal(p.mark, POINT_INVALID);
	assert_true(isnan(p.value));
	json_decref(rows);
}

static void test_offered(void **state)
{
	const char *run[] = {DATA "run1"}, *paced[] = {DATA "paced"};
	char text[160];

	(void)state;
	load(run, 1);
	offered_text(&set.series[0], set.n_sizes, "paced", text, sizeof(text));
	assert_string_equal(text, "offered 50 % of the forwarding rate, 1.12 Mpps to 3.96 Mpps");
	offered_text(&set.series[0], set.n_sizes, "max", text, sizeof(text));
	assert_non_null(strstr(text, "at max"));
	results_free(results, 1);
	load(paced, 1);
	offered_text(&set.series[0], set.n_sizes, "paced", text, sizeof(text));
	assert_string_equal(text, "offered 1.12 Mpps to 3.96 Mpps");
	results_free(results, 1);
}

static void test_origin(void **state)
{
	const char *paths[] = {DATA "run1", DATA "line10g"};
	char text[256];

	(void)state;
	load(paths, 2);
	/* What both say stands there once. */
	assert_string_equal(results_origin(results, 2, text, sizeof(text)),
			    "bench-a, AMD EPYC 7763 64-Core Processor, 2026-03-02 14:05 UTC");
	results_origin(results, 2, text, 12);
	assert_int_equal(strlen(text), 11);
	results_free(results, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series_of_a_run),
		cmocka_unit_test(test_marks_and_gaps),
		cmocka_unit_test(test_labels_say_what_differs),
		cmocka_unit_test(test_too_many_are_refused),
		cmocka_unit_test(test_odd_records),
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_origin),
	};

	return cmocka_run_group_tests_name("plot series", tests, NULL, NULL);
}

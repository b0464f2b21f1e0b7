/*
 * Two results side by side: medians, the rank test against known probabilities, conditions, and
 * what was measured differently.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include "plots/compare.h"
#include "plots/compare_notes.h"
#include "plots/rank_test.h"

#include <stdio.h>

static struct comparison c;
static struct result results[3];
static char err[512];

static void near(double value, double expected)
{
	assert_true(fabs(value - expected) <= 1e-6);
}

/* Probabilities of Mann and Whitney's own table (1947) and of the definition. */
static void test_rank_test(void **state)
{
	const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10},
		     mixed[] = {1.5, 2.5, 3.5, 4.5, 5.5};
	const double ties[] = {1, 1, 1, 1}, same[] = {1, 1, 1, 1};
	double many[60], other[60];

	(void)state;
	/* 2 of the 252 ways to deal ten ranks are as far apart. */
	near(rank_test(low, 5, high, 5), 2.0 / 252);
	near(rank_test(high, 5, low, 5), 2.0 / 252);
	near(rank_test(low, 3, high, 3), 2.0 / 20);
	/* U = 10 of 25. */
	near(rank_test(low, 5, mixed, 5), 0.6904761905);
	near(rank_test(ties, 4, same, 4), 1);
	assert_true(isnan(rank_test(low, 2, high, 5)));
	for (int i = 0; i < 60; i++) {
		many[i] = i;
		other[i] = i + 40;
	}
	assert_true(rank_test(many, 60, other, 60) < 1e-6);
	assert_true(rank_test(many, 60, many, 60) > 0.9);
}

static void test_median(void **state)
{
	double odd[] = {9, 1, 5}, even[] = {8, 1, 3, 5};

	(void)state;
	near(sample_median(odd, 3), 5);
	near(sample_median(even, 4), 4);
}

/* A result of n trials at 64 bytes: forwarding rates from first on, one more each time. */
static void put_run(const char *name, const char *path, double first, int n, double p99)
{
	char file[64], line[1024];

	snprintf(file, sizeof(file), "%s.jsonl", name);
	folder_put(file, "w", "");
	for (int i = 0; i < n; i++) {
		snprintf(line, sizeof(line),
			 "{\"schema\":\"tandem.trial/"
			 "1\",\"trial\":%d,\"started\":\"2026-01-01T00:00:00.000Z\","
			 "\"path\":\"%s\",\"direction\":\"0>0\",\"stream\":\"all\",\"frame_size\":"
			 "64,"
			 "\"rate_requested_pps\":null,\"burst\":%d,\"tx\":{\"pps\":2e6},\"rx\":{"
			 "\"pps\":%f},"
			 "\"dut\":{\"cpu_busy\":0.5},\"verdict\":\"valid\",\"reasons\":[]}\n"
			 "{\"schema\":\"tandem.trial/"
			 "1\",\"trial\":%d,\"started\":\"2026-01-01T00:00:00.000Z\","
			 "\"path\":\"%s\",\"direction\":\"0>0\",\"stream\":\"all\",\"frame_size\":"
			 "64,"
			 "\"rate_requested_pps\":%f,\"burst\":%d,\"tx\":{\"pps\":5e5},\"rx\":{"
			 "\"pps\":5e5},"
			 "\"loss_ratio\":0,\"latency_ns\":{\"p99\":%f},\"verdict\":\"%s\","
			 "\"reasons\":[]}\n",
			 2 * i + 1, path, first > 1.5e6 ? 64 : 32, first + i, 2 * i + 2, path,
			 i == 0 ? 1e5 : 5e5, first > 1.5e6 ? 64 : 32,
			 /* Another load, and an invalid one, do not count. */
			 i == 0 || i == 1 ? 1e9 : p99 + i, i == 1 ? "invalid" : "disturbed");
		folder_put(file, "a", line);
	}
}

static int compare(const char *a, const char *b, const char *path_a, const char *path_b)
{
	static char names[2][192];
	const char *paths[2] = {names[0], names[1]};

	snprintf(names[0], sizeof(names[0]), "%s/%s.jsonl", folder, a);
	snprintf(names[1], sizeof(names[1]), "%s/%s.jsonl", folder, b);
	assert_int_equal(results_load(paths, 2, LOAD_TRIALS, results, err, sizeof(err)), 0);
	return compare_results(&results[0], &results[1], NULL, path_a, path_b, &c, err,
			       sizeof(err));
}

static void test_with_itself(void **state)
{
	(void)state;
	put_run("a", "io", 1e6, 8, 2000);
	assert_int_equal(compare("a", "a", NULL, NULL), 0);
	assert_int_equal(c.n, 1);
	for (unsigned int m = 0; m < METRICS; m++) {
		double change = compare_change(&c.row[0].cell[m]);

		assert_true(isnan(change) || fabs(change) <= 0);
		assert_int_not_equal(c.row[0].cell[m].apart, APART_REAL);
	}
	assert_int_equal(c.row[0].cell[METRIC_FORWARDING].apart, APART_NOISE);
	compare_note(&results[0], &results[1], &c);
	assert_int_equal(c.n_notes, 0);
	results_free(results, 2);
}

static void test_apart(void **state)
{
	struct fail_if condition;

	(void)state;
	put_run("a", "io", 1e6, 8, 2000);
	put_run("b", "io", 2e6, 8, 2000);
	assert_int_equal(compare("a", "b", NULL, NULL), 0);
	near(c.row[0].cell[METRIC_FORWARDING].a / 1e6, 1.0000035);
	assert_int_equal(c.row[0].cell[METRIC_FORWARDING].apart, APART_REAL);
	assert_true(compare_change(&c.row[0].cell[METRIC_FORWARDING]) > 0.99);
	/* Eight trials less the one at another load and the invalid one. */
	assert_int_equal(c.row[0].cell[METRIC_LATENCY_P99].n_a, 6);
	near(c.row[0].cell[METRIC_LATENCY_P99].a, 2004.5);
	assert_int_equal(c.row[0].cell[METRIC_LATENCY_P99].apart, APART_NOISE);
	assert_int_equal(fail_if_parse(&condition, "forwarding>5%", err, sizeof(err)), 0);
	assert_non_null(fail_if_holds(&condition, &c));
	assert_int_equal(fail_if_parse(&condition, "forwarding<-5%", err, sizeof(err)), 0);
	assert_null(fail_if_holds(&condition, &c));
	assert_int_equal(fail_if_parse(&condition, "forwarding>0.5", err, sizeof(err)), 0);
	assert_non_null(fail_if_holds(&condition, &c));
	/* What is noise does not fail. */
	assert_int_equal(fail_if_parse(&condition, "latency-p99>-50%", err, sizeof(err)), 0);
	assert_null(fail_if_holds(&condition, &c));
	compare_note(&results[0], &results[1], &c);
	assert_int_equal(c.n_notes, 1);
	assert_string_equal(c.note[0], "burst: 32 against 64");
	results_free(results, 2);
}

static void test_paths(void **state)
{
	(void)state;
	put_run("a", "io", 1e6, 2, 2000);
	put_run("b", "kernel", 1e5, 2, 9000);
	/* One path each: these two. */
	assert_int_equal(compare("a", "b", NULL, NULL), 0);
	assert_string_equal(c.row[0].path_b, "kernel");
	/* Two trials tell nothing of noise, and count all the same. */
	assert_int_equal(c.row[0].cell[METRIC_FORWARDING].apart, APART_UNKNOWN);
	results_free(results, 2);
	assert_int_equal(compare("a", "b", "io", "io"), -ENODATA);
	assert_non_null(strstr(err, "--paths"));
	results_free(results, 2);
}

static void test_bad_conditions(void **state)
{
	static const char *const texts[] = {
		"",	    "forwarding", "forwarding<", "forwarding<x",   "speed<1",
		"loss>1%%", "loss>1% ",	  "loss=1",	 "forwarding<nan", "forwarding<1e999"};
	struct fail_if condition;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(fail_if_parse(&condition, texts[i], err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, "latency-p99.9"));
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_test),
		cmocka_unit_test(test_median),
		CASE(test_with_itself),
		CASE(test_apart),
		CASE(test_paths),
		cmocka_unit_test(test_bad_conditions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

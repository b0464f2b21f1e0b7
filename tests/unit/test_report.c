/*
 * The report of test methods: records come back as they were kept, tables line up, words stand
 * where there is no figure, and CSV has one row a test, size and load.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdio.h>

#include "common/report.h"
#include "common/results.h"

static char err[512];

/* A record: what all have, and the members of more, which is JSON. */
static json_t *record(const char *test, int size, const char *outcome, const char *more)
{
	json_t *t = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:f, s:s, s:[]}", "schema",
			      TEST_SCHEMA, "test", test, "started", "2026-01-01T00:00:00.000Z",
			      "path", "io", "direction", "0>1", "stream", "all",
			      "theoretical_max_pps", 10e9 / 8 / (size + 20), "trials", 14, "time_s",
			      840.5, "outcome", outcome, "reasons");
	json_t *own = json_loads(more, 0, NULL);

	assert_non_null(t);
	assert_non_null(own);
	json_object_set_new(t, "frame_size", size ? json_integer(size) : json_null());
	json_object_update(t, own);
	json_decref(own);
	return t;
}

static void add(json_t *tests, const char *test, int size, const char *outcome, const char *more)
{
	json_array_append_new(tests, record(test, size, outcome, more));
}

/* What a function prints, to be freed. */
static char *printed(const json_t *tests, bool csv)
{
	FILE *out = fopen(folder_path("printed"), "w");

	assert_non_null(out);
	if (csv)
		assert_int_equal(report_print_csv(tests, out), 0);
	else
		report_print(tests, out);
	fclose(out);
	return strdup(folder_read("printed"));
}

/* Rules stand below each other within a table; a heading has as many as its rows. */
static void assert_lines_up(const char *text)
{
	const char *above = NULL, *line = text;

	for (; *line; line = strchr(line, '\n') + 1) {
		size_t len = strcspn(line, "\n"), rules = 0;

		for (size_t i = 0; i < len; i++) {
			rules += line[i] == '|';
			if (line[i] == '|' && above && above[i] != '|')
				fail_msg("does not line up:\n%.*s", (int)len, line);
		}
		if (rules && !above)
			assert_in_range(len, 1, 121);
		above = rules ? line : NULL;
	}
}

static void assert_says(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static void test_records_are_kept(void **state)
{
	json_t *t = record("throughput", 64, "found", "{\"throughput_pps\":8e6}"), *tests;

	(void)state;
	assert_int_equal(result_open(folder, 0, err, sizeof(err)), 0);
	assert_int_equal(result_read_tests(folder, &tests, err, sizeof(err)), -ENOENT);
	assert_null(tests);
	assert_says(err, "tests.jsonl");
	assert_int_equal(result_append_test("/proc/none", t, err, sizeof(err)), -ENOENT);
	for (int i = 0; i < 2; i++)
		assert_int_equal(result_append_test(folder, t, err, sizeof(err)), 0);
	assert_int_equal(result_open(folder, 0, err, sizeof(err)), -EEXIST);
	folder_put("tests.jsonl", "a", "{\"cut");
	assert_int_equal(result_read_tests(folder, &tests, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(tests), 2);
	assert_true(result_num(json_array_get(tests, 1), "throughput_pps") == 8e6);
	json_decref(tests);
	json_decref(t);
}

static void test_bad_lines_are_named(void **state)
{
	static const char *const bad[] = {"{\"a\":1,}\n", "[1]\n",
					  "{\"schema\":\"tandem.trial/1\"}\n", "nothing\n"};
	json_t *tests;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		folder_put("tests.jsonl", "w", "{\"schema\":\"tandem.test/1\"}\n");
		folder_put("tests.jsonl", "a", bad[i]);
		assert_int_equal(result_read_tests(folder, &tests, err, sizeof(err)), -EBADMSG);
		assert_null(tests);
		assert_says(err, "tests.jsonl, line 2: ");
		assert_null(strchr(err, '\n'));
	}
}

static void add_throughfolder_put(json_t *tests)
{
	add(tests, "throughput", 1518, "line-rate", "{\"throughput_pps\":812743.8}");
	add(tests, "throughput", 64, "found",
	    "{\"throughput_pps\":8e6,\"lower_bound_pps\":8e6,\"upper_bound_pps\":8.04e6,"
	    "\"loss_tolerance\":0.001,\"width\":0.005,\"trial_s\":60}");
	add(tests, "throughput", 256, "generator-limited",
	    "{\"throughput_pps\":2.67e6,\"lower_bound_pps\":2.67e6,"
	    "\"reasons\":[\"it\",\"is\\nslow\"]}");
	add(tests, "throughput", 512, "zero-loss-impossible",
	    "{\"throughput_pps\":null,\"pdr_pps\":1.9e6,\"pdr_loss_ratio\":0.001}");
	add(tests, "throughput", 0, "none", "{}");
}

static void test_throughput(void **state)
{
	json_t *tests = json_array();
	char *text, *at;

	(void)state;
	add_throughfolder_put(tests);
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "Throughput (RFC 2544, 26.1), io path, ports 0>1\n");
	assert_says(text, "    64 |    14.881 |    8.000    53.76    5.376 |    8.000    8.040 |   "
			  "0.1000   60.00   14   840.5 |\n");
	assert_says(text, "| line rate\n");
	/* A bound is said to be one and stands in no column of results. */
	assert_says(text, "   256 |     4.529 |        -        -        - |    2.670        - |");
	assert_says(text, "| >= 2.67 Mpps, generator-limited\n");
	assert_says(text, "| zero loss impossible on this host; PDR 1.90 Mpps at 0.1 % loss\n");
	assert_says(text, "| loss at the lowest load too\n");
	assert_says(text, "\n   256: it; is slow\n");
	/* By size, without one last. */
	at = strstr(text, "\n    64 |");
	assert_non_null(at);
	at = strstr(at, "\n   256 |");
	assert_non_null(at);
	at = strstr(at, "\n  1518 |");
	assert_non_null(at);
	assert_non_null(strstr(at, "\n     - |"));
	free(text);
	json_decref(tests);
}

static const char loads[] =
	"{\"throughput_pps\":8e6,\"loads\":["
	"{\"percent\":100,\"rate_pps\":8e6,\"loss_ratio\":1e-9,\"verdict\":\"valid\",\"latency_"
	"ns\":"
	"{\"min\":410,\"mean\":1012.5,\"p50\":950,\"p99\":34930,\"p999\":70000,\"pdv\":69590},"
	"\"latency_clean_ns\":{\"p50\":480,\"p999\":35000,\"pdv\":34800}},"
	"{\"percent\":50,\"rate_pps\":4e6,\"loss_ratio\":0,\"verdict\":\"disturbed\","
	"\"latency_ns\":null,\"latency_clean_ns\":null}]}";

static void test_latency(void **state)
{
	json_t *tests = json_array();
	char *text;

	(void)state;
	add(tests, "latency", 64, "found", loads);
	add(tests, "latency", 128, "skipped", "{\"loads\":[],\"reasons\":[\"no throughput\"]}");
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "    64 |    14.881 |  100    8.000  <0.0001 |    0.41    1.01    0.95   "
			  "34.93   70.00   69.59 |    0.48   35.00   34.80 |\n");
	assert_says(text, "   50    4.000        0d|       -");
	assert_says(text, "| skipped\n   128: no throughput\n");
	assert_says(text, "d disturbed");
	free(text);
	json_decref(tests);
}

/* Points from 100 % down by step, as JSON. */
static char *points(int step)
{
	static char text[8192];
	int used = snprintf(text, sizeof(text), "{\"max_load_pps\":14e6,\"points\":[");

	for (int percent = 100; percent >= 10; percent -= step)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 "%s{\"percent\":%d,\"offered_pps\":%d,\"loss_ratio\":%f,"
				 "\"verdict\":\"%s\"}",
				 percent < 100 ? "," : "", percent, percent * 140000,
				 percent > 60 ? (percent - 60) / 100.0 : 0.0,
				 percent == 70 ? "invalid" : "valid");
	snprintf(text + used, sizeof(text) - (size_t)used, "]}");
	return text;
}

static void test_loss(void **state)
{
	json_t *tests = json_array(), *shorter;
	char *text;

	(void)state;
	add(tests, "loss", 64, "found", points(10));
	shorter = record("loss", 128, "found", points(10));
	json_array_remove(json_object_get(shorter, "points"), 9);
	/* A hair off: the same load. */
	json_object_set_new(json_array_get(json_object_get(shorter, "points"), 8), "percent",
			    json_real(20.000000001));
	json_array_append_new(tests, shorter);
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "     100       90       80       70       60       50       40       30 "
			  "      20        10 |");
	assert_says(text,
		    " 40.0000  30.0000  20.0000  10.0000!       0        0        0        0  "
		    "      0         0 |\n");
	assert_says(text, "        0         - |\n");
	assert_says(text, "! invalid");
	free(text);
	json_decref(tests);

	/* In finer steps: further tables. */
	tests = json_array();
	add(tests, "loss", 64, "found", points(5));
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "       95       90 ");
	assert_says(strstr(text, "      55 |"), "Frame loss rate");
	free(text);
	json_decref(tests);
}

static void test_other_pages(void **state)
{
	json_t *tests = json_array();
	char *text;

	(void)state;
	add(tests, "soak", 64, "found",
	    "{\"rate_pps\":54e3,\"interval_s\":10,\"intervals\":360,\"lost\":12,"
	    "\"loss_ratio\":6e-8,\"worst\":{\"trial\":17,\"started\":\"2026-01-01T00:00:00.000Z\","
	    "\"loss_ratio\":1.2e-5,\"p99_ns\":33e3,\"max_ns\":4.4e6}}");
	add(tests, "mlrsearch", 64, "irregular",
	    "{\"goals\":[{\"name\":\"ndr\",\"loss_ratio\":0,\"exceed_ratio\":0.5,\"width\":0.005,"
	    "\"conditional_throughput_pps\":null,\"relevant_lower_bound_pps\":1e6,"
	    "\"relevant_upper_bound_pps\":null,\"regular\":false},"
	    "{\"name\":\"a-very-long-name\",\"loss_ratio\":0.005,"
	    "\"conditional_throughput_pps\":9e6,\"regular\":true}]}");
	add(tests, "reset", 64, "skipped", "{\"reasons\":[\"no --reset-command\"]}");
	add(tests, "reset", 128, "found", "{\"rate_pps\":8e6,\"outage_s\":3.1415,\"lost\":25132}");
	add(tests, "recovery", 256, "not-overloaded", "{}");
	add(tests, "recovery", 64, "unbounded", "{\"overload_pps\":8.8e6,\"then_pps\":4e6}");
	add(tests, "recovery", 128, "found",
	    "{\"recovery_s\":{\"mean\":0.0123,\"min\":0.01,\"max\":0.02,\"stdev\":0.003}}");
	add(tests, "back-to-back", 64, "unbounded",
	    "{\"burst_rate_pps\":14.88e6,\"burst_frames\":{\"mean\":1000000}}");
	add(tests, "back-to-back", 128, "found",
	    "{\"burst_rate_pps\":8e6,\"repetitions\":50,\"burst_frames\":{\"mean\":4096.25,"
	    "\"min\":4000,\"max\":4200,\"stdev\":12.5},\"implied_buffer_s\":0.000275,"
	    "\"corrected_buffer_s\":0.0001}");
	add(tests, "juggling", 64, "found", "{}");
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "System recovery");
	/* In the standard's order, not in the file's. */
	assert_says(strstr(text, "Back-to-back"), "Reset");
	assert_says(strstr(text, "MLRsearch"), "Soak");
	assert_says(text, "| >= 1000000 frames, unbounded\n");
	assert_says(text,
		    "    4096.2    4000.0    4200.0      12.5      50 |   0.2750    0.1000 |\n");
	assert_says(text, "| loss did not end\n");
	assert_says(text, "| the overload lost nothing\n");
	assert_says(text, "    12.300    10.000    20.000     3.000       - |\n");
	assert_says(text, "    3.1415         25132 |\n");
	assert_says(text, "| skipped\n");
	assert_says(text, "      ndr        0     50.0   0.500 |        -        - |");
	assert_says(text, "| irregular\n");
	assert_says(text, " a-very-l   0.5000 ");
	assert_says(text, " 2026-01-01T00:00:00.000Z  0.0012    33.00  4400.00 |\n");
	assert_says(text, "\n1 records of unknown tests are left out.\n");
	free(text);
	json_decref(tests);
}

static void test_blocks(void **state)
{
	json_t *tests = json_array(), *t;
	char *text, *first;

	(void)state;
	add(tests, "throughput", 64, "found", "{\"throughput_pps\":8e6}");
	add(tests, "throughput", 64, "found", "{\"throughput_pps\":54e3,\"path\":\"kernel\"}");
	add(tests, "throughput", 64, "found", "{\"throughput_pps\":7e6,\"direction\":\"1>0\"}");
	/* Done again: both stand. */
	add(tests, "throughput", 64, "found", "{\"throughput_pps\":8.5e6}");
	t = record("throughput", 64, "found", "{\"path\":null}");
	json_object_del(t, "direction");
	json_array_append_new(tests, t);
	text = printed(tests, false);
	assert_lines_up(text);
	assert_says(text, "kernel path, ports 0>1\n");
	assert_says(text, "io path, ports 1>0\n");
	assert_says(text, "unknown path\n");
	first = strstr(text, "io path, ports 0>1\n");
	assert_says(first, " 8.000 ");
	assert_true(strstr(first, " 8.500 ") < strstr(text, "kernel path"));
	/* The kernel's in its own unit. */
	assert_says(strstr(text, "kernel path"), " 54.000 ");
	free(text);
	json_decref(tests);
	tests = json_array();
	text = printed(tests, false);
	assert_string_equal(text, "no tests\n");
	free(text);
	json_decref(tests);
}

static void test_csv(void **state)
{
	json_t *tests = json_array();
	size_t columns = 1, commas = 0, lines = 0;
	char *text, *line;

	(void)state;
	add_throughfolder_put(tests);
	add(tests, "latency", 64, "found", loads);
	add(tests, "loss", 64, "found", points(10));
	add(tests, "mlrsearch", 64, "found",
	    "{\"goals\":[{\"name\":\"ndr\",\"loss_ratio\":0.5,"
	    "\"conditional_throughput_pps\":7440476,\"relevant_lower_bound_pps\":2}]}");
	text = printed(tests, true);
	line = strchr(text, '\n');
	for (char *p = text; p < line; p++)
		columns += *p == ',';
	/* As many cells as headings in each row: commas outside quotes. */
	for (int quoted = 0; *++line;) {
		quoted ^= *line == '"';
		commas += !quoted && *line == ',';
		if (quoted || *line != '\n')
			continue;
		assert_int_equal(commas + 1, columns);
		commas = 0;
		lines++;
	}
	assert_int_equal(lines, 5 + 2 + 10 + 1);
	assert_ptr_equal(strstr(text, "test,path,direction,stream,frame_size,goal,load_percent,"),
			 text);
	assert_says(text, "\nthroughput,io,0>1,all,64,,,,found,,,,14880952.38");
	assert_says(text, ",\"it; is\nslow\",");
	assert_says(text, "\nlatency,io,0>1,all,64,,50,4000000.0,found,disturbed,");
	assert_says(text, "\nloss,io,0>1,all,64,,90,12600000,found,valid,");
	assert_says(text, "\nmlrsearch,io,0>1,all,64,ndr,,,found,,,,14880952.381,7440476,49.99");
	free(text);
	json_decref(tests);
}

static void test_files(void **state)
{
	json_t *tests = json_array();
	char *text;

	(void)state;
	add_throughfolder_put(tests);
	assert_int_equal(report_write(folder, tests, err, sizeof(err)), 0);
	text = printed(tests, false);
	assert_string_equal(folder_read("report.txt"), text);
	free(text);
	text = printed(tests, true);
	assert_string_equal(folder_read("report.csv"), text);
	free(text);
	assert_int_equal(report_write("/proc/none", tests, err, sizeof(err)), -ENOENT);
	assert_says(err, "report.txt");
	json_decref(tests);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_records_are_kept),
		TEST(test_bad_lines_are_named),
		TEST(test_throughput),
		TEST(test_latency),
		TEST(test_loss),
		TEST(test_other_pages),
		TEST(test_blocks),
		TEST(test_csv),
		TEST(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

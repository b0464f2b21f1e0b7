/*
 * Charts: lines put in order, percentile text read, and each verb that draws one: the same bytes
 * twice, the right words in it, and one line for what cannot be drawn.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include "plots/chart.h"
#include "plots/figures.h"
#include "plots/hgrm.h"
#include "plots/searched.h"

#include <stdio.h>

#define DATA "tests/unit/data/plot/"

static char err[512];

static void test_lines_in_order(void **state)
{
	struct chart_line line = {0};

	(void)state;
	assert_int_equal(chart_point_add(&line, 3, 1, POINT_VALID), 0);
	assert_int_equal(chart_point_add(&line, 1, 5, POINT_VALID), 0);
	assert_int_equal(chart_point_add(&line, 1, 9, POINT_DISTURBED), 0);
	assert_int_equal(chart_point_add(&line, 1, 7, POINT_VALID), 0);
	assert_int_equal(chart_point_add(&line, NAN, 7, POINT_VALID), 0);
	assert_int_equal(chart_point_add(&line, 2, INFINITY, POINT_VALID), 0);
	assert_int_equal(line.n, 4);
	chart_line_order(&line);
	assert_int_equal(line.n, 2);
	assert_true(line.point[0].x == 1 && line.point[0].y == 7);
	/* One of those behind the median was disturbed. */
	assert_int_equal(line.point[0].mark, POINT_DISTURBED);
	assert_true(line.point[1].x == 3 && line.point[1].y == 1);
	free(line.point);
}

static void test_no_more_lines_than_told_apart(void **state)
{
	struct chart_panel panel = {0};
	struct chart_line *line;

	(void)state;
	for (unsigned int i = 0; i < CHART_LINES; i++)
		assert_int_equal(chart_line_add(&panel, "x", "choose", &line, err, sizeof(err)), 0);
	assert_int_equal(chart_line_add(&panel, "x", "choose", &line, err, sizeof(err)), -E2BIG);
	assert_non_null(strstr(err, "choose"));
}

static void test_percentile_text(void **state)
{
	struct hgrm h;

	(void)state;
	folder_put("good", "w",
		   "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
		   "     100.000 0.000000000000          1           1.00\r\n"
		   "     200.000 0.500000000000         50           2.00\n"
		   "     900.500 1.000000000000        100\n"
		   "#[Mean    =      150.000, StdDeviation   =       20.000]\n");
	assert_int_equal(hgrm_read(folder_path("good"), &h, err, sizeof(err)), 0);
	assert_int_equal(h.n, 3);
	assert_true(h.row[1].value == 200 && h.row[1].quantile == 0.5 && h.row[1].count == 50);
	assert_true(h.row[2].value == 900.5);
	hgrm_free(&h);
}

static void test_bad_percentile_text(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", "no percentile text"},
		{"Value Percentile\n", "no percentile text"},
		{"100 0.5 10\nx\n", "line 2"},
		{"100 0.5 10\n90 0.6 20\n", "line 2"},
		{"100 0.5 10\n110 0.4 20\n", "line 2"},
		{"100 0.5 10\n110 0.6 5\n", "line 2"},
		{"100 1.5 10\n", "line 1"},
		{"nan 0.5 10\n", "line 1"},
		{"100 0.5 -1\n", "line 1"},
		{"inf 0.5 1\n", "line 1"},
	};
	struct hgrm h;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		folder_put("bad", "w", bad[i].text);
		assert_int_equal(hgrm_read(folder_path("bad"), &h, err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, bad[i].says));
		assert_null(strchr(err, '\n'));
	}
	assert_int_equal(hgrm_read("/no/such/file", &h, err, sizeof(err)), -ENOENT);
}

static void test_file_names(void **state)
{
	struct hgrm_name name;

	(void)state;
	assert_true(hgrm_name("io-64B-paced-0-1-t13.hgrm", &name));
	assert_string_equal(name.path, "io");
	assert_int_equal(name.frame_size, 64);
	assert_true(name.paced && name.from == '0' && name.to == '1' && name.trial == 13);
	assert_true(hgrm_name("kernel-1518B-max-0-0-t2.hgrm", &name));
	assert_false(name.paced);
	assert_false(hgrm_name("io-64B-paced-0-1-t13.hgrm.old", &name));
	assert_false(hgrm_name("io-64B-other-0-1-t13.hgrm", &name));
	assert_false(hgrm_name("notes.hgrm", &name));
	assert_false(hgrm_name("", &name));
}

/* Draws a figure of a result; the caller frees the picture. NULL with a line in err. */
static char *draw(figure_maker make, const char *path, const struct figure_options *options,
		  size_t *len)
{
	struct result result;
	struct series_set set;
	struct figure_input in = {options, &result, 1, &set};
	struct figure figure;
	char *data = NULL;
	int rc;

	assert_int_equal(results_load(&path, 1, LOAD_TRIALS, &result, err, sizeof(err)), 0);
	assert_int_equal(series_collect(&result, 1, &set, err, sizeof(err)), 0);
	rc = make(&in, &figure, err, sizeof(err));
	if (rc == 0)
		rc = figure_render(&figure, &in, CANVAS_SVG, &data, len, err, sizeof(err));
	results_free(&result, 1);
	return rc == 0 ? data : NULL;
}

static void test_every_chart(void **state)
{
	static const struct {
		figure_maker make;
		const char *path;
		const char *words[8];
	} charts[] = {
		{latency_load_figure,
		 DATA "loads",
		 {"Latency by offered load", "io path, 64 B", "kernel path, 1518 B", "(Mpps)",
		  "disturbed trial"}},
		{loss_figure,
		 DATA "loads",
		 {"Frame loss by offered load", "io path, 1518 B", "(%)"}},
		{percentiles_figure,
		 DATA "loads",
		 {"Latency by percentile", "99.999 %", "io path, 64 B", "kernel path, 64 B"}},
		{histogram_figure, DATA "loads", {"Latency histogram", "Share of samples"}},
		{cpu_figure, DATA "loads", {"Cycles a frame", "CPU (%)", "kernel path"}},
		{timeline_figure,
		 DATA "soak",
		 {"over time", "sent", "received", "loss", "p99", "stalled for over 1 %", "(s)"}},
		{spacing_figure,
		 DATA "loads",
		 {"departures", "as scheduled", "Late by", "p99.9", "(kpps, log scale)"}},
	};
	const struct figure_options options = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(charts) / sizeof(charts[0]); i++) {
		size_t len[2];
		char *a = draw(charts[i].make, charts[i].path, &options, &len[0]);
		char *b = draw(charts[i].make, charts[i].path, &options, &len[1]);

		assert_non_null(a);
		assert_int_equal(len[0], len[1]);
		assert_memory_equal(a, b, len[0]);
		assert_null(strstr(a, "nan"));
		for (size_t w = 0; charts[i].words[w]; w++)
			assert_non_null(strstr(a, charts[i].words[w]));
		free(a);
		free(b);
	}
}

/* A folder with one soak trial and what searches found at two sizes. */
static void put_found(void)
{
	char line[8192];
	FILE *in = fopen(DATA "soak/trials.jsonl", "r");

	assert_non_null(in);
	assert_non_null(fgets(line, sizeof(line), in));
	fclose(in);
	folder_put("trials.jsonl", "w", line);
	folder_put("tests.jsonl", "w",
		   "{\"schema\":\"tandem.test/1\",\"test\":\"mlrsearch\",\"path\":\"io\","
		   "\"direction\":\"0>0\",\"frame_size\":64,\"outcome\":\"found\",\"reasons\":[],"
		   "\"goals\":["
		   "{\"name\":\"ndr\",\"relevant_lower_bound_pps\":900000,\"relevant_upper_bound_"
		   "pps\":905000},"
		   "{\"name\":\"pdr\",\"relevant_lower_bound_pps\":990000,\"relevant_upper_bound_"
		   "pps\":null}]}\n"
		   "{\"schema\":\"tandem.test/1\",\"test\":\"mlrsearch\",\"path\":\"io\","
		   "\"direction\":\"0>0\",\"frame_size\":1518,\"outcome\":\"irregular\","
		   "\"reasons\":[],\"goals\":["
		   "{\"name\":\"ndr\",\"relevant_lower_bound_pps\":80000,\"relevant_upper_bound_"
		   "pps\":81000}]}\n"
		   "{\"schema\":\"tandem.test/1\",\"test\":\"throughput\",\"path\":\"io\","
		   "\"direction\":\"0>0\",\"frame_size\":64,\"outcome\":\"none\",\"reasons\":[],"
		   "\"throughput_pps\":null,\"upper_bound_pps\":100}\n");
}

static void test_what_searches_found(void **state)
{
	const struct figure_options options = {0};
	const char *path = folder;
	struct searched found;
	struct series_set set;
	struct result result;
	char *svg;
	size_t len;

	(void)state;
	put_found();
	assert_int_equal(results_load(&path, 1, LOAD_SUMMARY, &result, err, sizeof(err)), 0);
	assert_int_equal(series_collect(&result, 1, &set, err, sizeof(err)), 0);
	/* 1518 bytes are known from the search alone. */
	assert_int_equal(set.n_sizes, 2);
	searched_collect(&result, 1, &set, 4, &found);
	assert_int_equal(found.n, 3);
	assert_string_equal(found.line[0].label, "io path, NDR");
	assert_true(found.line[0].lower[0] == 900000 && found.line[0].upper[0] == 905000);
	assert_true(found.line[0].regular[0] && !found.line[0].regular[1]);
	/* Without an upper bound there is no band; without any there is nothing. */
	assert_true(found.line[1].upper[0] == 990000 && isnan(found.line[1].lower[1]));
	assert_true(isnan(found.line[2].lower[0]));
	searched_collect(&result, 1, &set, 1, &found);
	assert_true(found.n == 1 && found.more);
	results_free(&result, 1);
	svg = draw(throughput_figure, folder, &options, &len);
	assert_non_null(svg);
	assert_non_null(strstr(svg, "io path, NDR"));
	assert_non_null(strstr(svg, "io path, PDR"));
	assert_null(strstr(svg, "nan"));
	free(svg);
}

static void test_sizes_are_chosen(void **state)
{
	const struct figure_options one = {.sizes = {1, {64}}}, none = {.sizes = {1, {512}}};
	size_t len;
	char *svg = draw(loss_figure, DATA "loads", &one, &len);

	(void)state;
	assert_non_null(svg);
	assert_non_null(strstr(svg, "64 B"));
	assert_null(strstr(svg, "1518 B"));
	free(svg);
	assert_null(draw(loss_figure, DATA "loads", &none, &len));
	assert_non_null(strstr(err, "nothing to draw loss from"));
	assert_null(draw(percentiles_figure, DATA "loads", &none, &len));
	assert_non_null(strstr(err, "no .hgrm file"));
}

static void test_what_cannot_be_drawn(void **state)
{
	const struct figure_options options = {0};
	size_t len;

	(void)state;
	/* Two paths and sizes are no one timeline. */
	assert_null(draw(timeline_figure, DATA "loads", &options, &len));
	assert_non_null(strstr(err, "--sizes"));
	assert_null(draw(percentiles_figure, DATA "soak", &options, &len));
	assert_non_null(strstr(err, "no .hgrm file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_in_order),
		cmocka_unit_test(test_no_more_lines_than_told_apart),
		cmocka_unit_test_setup_teardown(test_percentile_text, folder_setup,
						folder_teardown),
		cmocka_unit_test_setup_teardown(test_bad_percentile_text, folder_setup,
						folder_teardown),
		cmocka_unit_test(test_file_names),
		cmocka_unit_test(test_every_chart),
		cmocka_unit_test_setup_teardown(test_what_searches_found, folder_setup,
						folder_teardown),
		cmocka_unit_test(test_sizes_are_chosen),
		cmocka_unit_test(test_what_cannot_be_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

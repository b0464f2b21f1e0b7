/*
 * Result folders: what is written is read back, what a crash left is survived, what is wrong is
 * named.
 */
#include "tests/unit/unit.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/results.h"

static char top[64], dir[128], err[512];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int setup(void **state)
{
	(void)state;
	strcpy(top, "/tmp/tandem-results-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	snprintf(dir, sizeof(dir), "%s/a/b", top);
	err[0] = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put(const char *name, const char *mode, const char *text)
{
	FILE *out = fopen(path_of(name), mode);

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static char *slurp(const char *name)
{
	static char text[65536];
	FILE *in = fopen(path_of(name), "r");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* A trial; rate 0 stands for max. */
static json_t *trial(const char *path, int size, double rate, double rx_pps, const char *verdict)
{
	json_t *t = json_pack(
		"{s:s, s:s, s:s, s:s, s:i, s:{s:f, s:I}, s:{s:f, s:f, s:f}, s:f, s:s, s:[]}",
		"schema", TRIAL_SCHEMA, "path", path, "direction", "0>1", "stream", "all",
		"frame_size", size, "tx", "pps", rx_pps, "sent", (json_int_t)9007199254740993, "rx",
		"pps", rx_pps, "l1_bps", rx_pps * 8 * (size + 20), "l2_bps", rx_pps * 8 * size,
		"loss_ratio", rate > 0 ? 0.0 : 0.25, "verdict", verdict, "reasons");

	assert_non_null(t);
	json_object_set_new(t, "rate_requested_pps", rate > 0 ? json_real(rate) : json_null());
	if (rate > 0)
		json_object_set_new(
			t, "latency_ns",
			json_pack("{s:i, s:f, s:i}", "min", 1500, "p50", 2500.0, "p99", 99000));
	return t;
}

static void append(json_t *t)
{
	assert_int_equal(result_append_trial(dir, t, err, sizeof(err)), 0);
	json_decref(t);
}

static void test_reaching_into_a_record(void **state)
{
	json_t *t = trial("io", 64, 1e6, 1e6, "valid"), *value;

	(void)state;
	assert_true(result_num(t, "frame_size") == 64 && result_num(t, "latency_ns.p50") == 2500);
	assert_true(isnan(result_num(t, "latency_ns")) && isnan(result_num(t, "no.such.thing")));
	assert_true(isnan(result_num(t, "verdict")) && isnan(result_num(NULL, "x")));
	assert_true(isnan(result_num(t, "frame_size.x")) && isnan(result_num(t, "")));
	assert_string_equal(result_str(t, "path"), "io");
	assert_null(result_str(t, "frame_size"));
	assert_null(result_str(t, "dut.mode"));
	json_decref(t);
	value = result_real(1.5);
	assert_true(json_real_value(value) == 1.5);
	json_decref(value);
	value = result_real(NAN);
	assert_true(json_is_null(value));
	value = result_real(INFINITY);
	assert_true(json_is_null(value));
}

static void test_append_or_refuse(void **state)
{
	json_t *trials;

	(void)state;
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0); /* still empty */
	append(trial("io", 64, 1e6, 1e6, "valid"));
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), -EEXIST);
	assert_non_null(strstr(err, "holds a run already"));
	assert_int_equal(result_open(dir, 1, err, sizeof(err)), 0);
	append(trial("io", 128, 1e6, 1e6, "valid"));
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 2);
	/* A counter above 2^53 comes back whole. */
	assert_true(json_integer_value(result_get(json_array_get(trials, 1), "tx.sent")) ==
		    9007199254740993);
	json_decref(trials);
	/* The file by its name. */
	assert_int_equal(result_read_trials(path_of("trials.jsonl"), &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 2);
	json_decref(trials);
}

static void test_folders_that_cannot_be(void **state)
{
	char file[160], name[PATH_MAX + 8];

	(void)state;
	assert_int_equal(result_open("", 0, err, sizeof(err)), -EINVAL);
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	put("file", "w", "x");
	snprintf(file, sizeof(file), "%s/file", dir);
	assert_int_equal(result_open(file, 0, err, sizeof(err)), -ENOTDIR);
	snprintf(file, sizeof(file), "%s/file/below", dir);
	assert_int_equal(result_open(file, 0, err, sizeof(err)), -ENOTDIR);
	assert_null(strchr(err, '\n'));
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(result_open(name, 0, err, sizeof(err)), -ENAMETOOLONG);
	put("run.json", "w", "{ cut");
	assert_int_equal(result_open(dir, 1, err, sizeof(err)), -EBADMSG);
	assert_non_null(strstr(err, "run.json, line 1"));
}

static void test_cut_last_line(void **state)
{
	json_t *trials;

	(void)state;
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	append(trial("io", 64, 1e6, 1e6, "valid"));
	put("trials.jsonl", "a", "{\"schema\":\"tandem.trial/1\",\"pa");
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 1);
	json_decref(trials);
	/* The next record does not run into what is left of it. */
	append(trial("io", 128, 1e6, 1e6, "valid"));
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 2);
	json_decref(trials);
	/* Nothing but a cut line. */
	put("trials.jsonl", "w", "{\"sch");
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 0);
	json_decref(trials);
	append(trial("io", 64, 1e6, 1e6, "valid"));
	assert_int_equal(slurp("trials.jsonl")[0], '{');
	assert_null(strstr(slurp("trials.jsonl"), "{\"sch{"));
}

static void test_bad_lines_are_named(void **state)
{
	static const char *const bad[] = {"{\"a\":1,}\n",  "[1]\n",
					  "7\n",	   "{\"schema\":\"tandem.trial/2\"}\n",
					  "{\"a\":1} x\n", "{\"a\":1,\"a\":2}\n",
					  "\xff\n"};
	json_t *trials;

	(void)state;
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), -ENOENT);
	assert_null(trials);
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), -ENOENT);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put("trials.jsonl", "w", "{\"schema\":\"tandem.trial/1\"}\n\n");
		put("trials.jsonl", "a", bad[i]);
		assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), -EBADMSG);
		assert_null(trials);
		assert_non_null(strstr(err, "trials.jsonl, line 3: "));
		assert_null(strchr(err, '\n'));
	}
}

static void test_run_joins_commands(void **state)
{
	json_t *first = json_pack("{s:[s], s:s}", "commands", "one", "note", "old");
	json_t *second = json_pack("{s:[s]}", "commands", "two"), *run;

	(void)state;
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	assert_int_equal(result_read_run(dir, &run, err, sizeof(err)), 0);
	assert_null(run);
	/* At its start and at its end. */
	assert_int_equal(result_write_run(dir, first, err, sizeof(err)), 0);
	assert_int_equal(result_write_run(dir, first, err, sizeof(err)), 0);
	assert_int_equal(result_write_run(dir, second, err, sizeof(err)), 0);
	assert_int_equal(result_write_run(dir, second, err, sizeof(err)), 0);
	assert_int_equal(result_read_run(dir, &run, err, sizeof(err)), 0);
	assert_string_equal(result_str(run, "schema"), RUN_SCHEMA);
	assert_int_equal(json_array_size(json_object_get(run, "commands")), 2);
	assert_string_equal(json_string_value(json_array_get(json_object_get(run, "commands"), 1)),
			    "two");
	assert_null(json_object_get(run, "note"));
	json_decref(run);
	put("run.json", "w", "[]");
	assert_int_equal(result_read_run(dir, &run, err, sizeof(err)), -EBADMSG);
	assert_null(run);
	json_decref(first);
	json_decref(second);
}

static json_t *sample(void)
{
	json_t *trials = json_array();

	json_array_append_new(trials, trial("io", 1518, 0, 2e6, "valid"));
	json_array_append_new(trials, trial("kernel", 64, 0, 54e3, "valid"));
	json_array_append_new(trials, trial("io", 64, 0, 7e6, "valid"));
	json_array_append_new(trials, trial("io", 64, 0, 8e6, "disturbed"));
	json_array_append_new(trials, trial("io", 64, 4e6, 4e6, "valid"));
	json_array_append_new(trials, trial("io", 512, 3e6, 3e6, "invalid"));
	return trials;
}

static void test_summary(void **state)
{
	static const struct {
		const char *path;
		int size, max, paced;
	} expected[] = {
		{"io", 64, 1, 1}, {"io", 512, 0, 1}, {"io", 1518, 1, 0}, {"kernel", 64, 1, 0}};
	json_t *trials = sample(), *rows = result_summary(trials), *row;

	(void)state;
	assert_int_equal(json_array_size(rows), 4);
	for (size_t i = 0; i < 4; i++) {
		row = json_array_get(rows, i);
		assert_string_equal(result_str(row, "path"), expected[i].path);
		assert_int_equal((int)result_num(row, "frame_size"), expected[i].size);
		assert_int_equal(json_is_object(json_object_get(row, "max")), expected[i].max);
		assert_int_equal(json_is_object(json_object_get(row, "paced")), expected[i].paced);
	}
	/* The last one at max stands. */
	assert_true(result_num(json_array_get(rows, 0), "max.rx.pps") == 8e6);
	json_decref(rows);
	json_decref(trials);
}

/* Streams are on disk with their trial, and none of the summary's rows. */
static void test_streams_are_no_summary(void **state)
{
	json_t *streams = json_array(), *trials, *rows;
	char name[16];

	(void)state;
	for (int i = 0; i < 300; i++) {
		json_t *t = trial("io", 64, 0, 1e4, "valid");

		snprintf(name, sizeof(name), "%d", i);
		json_object_set_new(t, "stream", json_string(name));
		json_array_append_new(streams, t);
	}
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	assert_int_equal(result_append_trials(dir, streams, err, sizeof(err)), 0);
	append(trial("io", 64, 0, 3e6, "valid"));
	assert_int_equal(result_read_trials(dir, &trials, err, sizeof(err)), 0);
	assert_int_equal(json_array_size(trials), 301);
	assert_string_equal(result_str(json_array_get(trials, 299), "stream"), "299");
	rows = result_summary(trials);
	assert_int_equal(json_array_size(rows), 1);
	assert_true(result_num(json_array_get(rows, 0), "max.rx.pps") == 3e6);
	json_decref(rows);
	json_decref(trials);
	json_decref(streams);
}

static void test_csv(void **state)
{
	json_t *t = trial("io, \"fast\"", 64, 1e6, 1e6, "disturbed"), *trials = json_array(), *rows;
	size_t columns = 1, commas = 0;
	char *text, *line;

	(void)state;
	json_array_append_new(json_object_get(t, "reasons"), json_string("one, two"));
	json_array_append_new(json_object_get(t, "reasons"), json_string("a \"b\"\nc"));
	json_array_append_new(trials, t);
	rows = result_summary(trials);
	assert_int_equal(result_open(dir, 0, err, sizeof(err)), 0);
	assert_int_equal(result_write_csv(dir, rows, err, sizeof(err)), 0);
	text = slurp("summary.csv");
	line = strchr(text, '\n') + 1;
	for (char *p = text; p < line; p++)
		columns += *p == ',';
	assert_int_equal(columns, 43);
	assert_ptr_equal(strstr(line, "\"io, \"\"fast\"\"\",0>1,all,64,,,,,,,,1000000.0,"), line);
	assert_non_null(strstr(line, ",9007199254740993,"));
	assert_non_null(strstr(line, ",disturbed,\"one, two; a \"\"b\"\"\nc\"\n"));
	/* As many cells as headings: commas outside quotes. */
	for (int quoted = 0; *line; line++) {
		quoted ^= *line == '"';
		commas += !quoted && *line == ',';
	}
	assert_int_equal(commas + 1, columns);
	json_decref(rows);
	json_decref(trials);
	assert_int_equal(result_write_csv("/proc/none", NULL, err, sizeof(err)), -ENOENT);
}

static void test_table_lines_up(void **state)
{
	json_t *trials = sample(), *rows = result_summary(trials), *none = json_array();
	char *text = NULL, *line, *save;
	size_t size = 0, width = 0, rows_seen = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	result_print_table(rows, out);
	fclose(out);
	assert_non_null(strstr(text, "\nio path, ports 0>1\n"));
	assert_non_null(strstr(text, "\nkernel path, ports 0>1\n"));
	assert_non_null(strstr(text, "d disturbed"));
	assert_non_null(strstr(text, "! invalid"));
	assert_non_null(strstr(text, " 8000.000 ")); /* kpps, for the 54 kpps of the kernel */
	assert_non_null(strstr(text, " 25.0000 "));
	assert_non_null(strstr(text, "1.50    2.50   99.00 |"));
	assert_non_null(strstr(text, "kpps"));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strchr(line, '|'))
			continue;
		if (!width)
			width = strlen(line);
		assert_int_equal(strlen(line), width);
		rows_seen++;
	}
	assert_int_equal(rows_seen, 4 + 2 * 2);
	assert_true(width <= 121);
	free(text);
	out = open_memstream(&text, &size);
	result_print_table(none, out);
	fclose(out);
	assert_string_equal(text, "no trials\n");
	free(text);
	json_decref(none);
	json_decref(rows);
	json_decref(trials);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_reaching_into_a_record),
		TEST(test_append_or_refuse),
		TEST(test_folders_that_cannot_be),
		TEST(test_cut_last_line),
		TEST(test_bad_lines_are_named),
		TEST(test_run_joins_commands),
		TEST(test_summary),
		TEST(test_streams_are_no_summary),
		TEST(test_csv),
		TEST(test_table_lines_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

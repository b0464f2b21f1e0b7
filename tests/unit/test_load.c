/*
 * Reading results as tandem-plot does: a bad line takes nothing with it but itself and is named,
 * and what struct trial holds is what the record says.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/load.h"
#include "plots/expand.h"
#include "plots/reasons.h"
#include "tests/unit/folder.h"

#define DATA "tests/unit/data/plot/"
#define GOOD                                                                            \
	"{\"schema\":\"tandem.trial/1\",\"trial\":1,\"frame_size\":64,\"path\":\"io\"," \
	"\"rate_requested_pps\":1000,\"tx\":{\"pps\":1000}}\n"

static struct result result;
static char err[1024];

/* Loads the test's folder with stderr thrown away; what was told there is in the result too. */
static int load_folder(void)
{
	const char *paths[] = {folder};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), saved = dup(STDERR_FILENO), rc;

	err[0] = '\0';
	fflush(stderr);
	dup2(null, STDERR_FILENO);
	rc = results_load(paths, 1, LOAD_TRIALS, &result, err, sizeof(err));
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	return rc;
}

static const char *warning(size_t i)
{
	return json_string_value(json_array_get(result.warnings, i));
}

static void test_bad_lines_are_left_out(void **state)
{
	static const struct {
		const char *line, *says;
	} bad[] = {
		{"{\"a\":1,}\n", "line 2: "},
		{"[1]\n", "line 2: no record of a trial"},
		{"{\"schema\":\"tandem.trial/2\"}\n", "line 2: a record of schema tandem.trial/2"},
		{"{\"tx\":{\"pps\":\"fast\"}}\n", "line 2: tx.pps is no number"},
		{"{\"tx\":{\"pps\":NaN}}\n", "line 2: "},
		{"{\"tx\":{\"pps\":\"NaN\"}}\n", "line 2: tx.pps is no number"},
		{"{\"tx\":{\"sent\":-1}}\n", "line 2: tx.sent is negative"},
		{"{\"tx\":{\"sent\":1.5}}\n", "line 2: tx.sent is no whole number"},
		{"{\"tx\":{\"sent\":99999999999999999999}}\n", "line 2: "},
		{"{\"tx\":{\"pps\":1e300}}\n", "line 2: tx.pps is 1e+300, more than can be"},
		{"{\"tx\":{\"pps\":1e999}}\n", "line 2: "},
		{"{\"tx\":7}\n", "line 2: tx is no record"},
		{"{\"frame_size\":0}\n", "line 2: frame_size is 0"},
		{"{\"loss_ratio\":27}\n", "line 2: loss_ratio is 27, over 1"},
		{"{\"verdict\":\"good\"}\n", "line 2: verdict is none of"},
		{"{\"reasons\":\"x\"}\n", "line 2: reasons is no list"},
		{"{\"reasons\":[1]}\n", "line 2: reasons holds no text"},
		{"{\"latency_ns\":{\"min\":5,\"p50\":4}}\n",
		 "line 2: latency_ns: p50 is less than min"},
		{"{\"latency_ns\":{\"min\":5,\"mean\":2,\"max\":9}}\n",
		 "line 2: latency_ns: the mean lies outside"},
		{"{\"path\":\"\\u0000\"}\n", "line 2: "},
		{"{\"schema\":\"\\u001b[31m\"}\n", "line 2: a record of schema  [31m"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		folder_put("trials.jsonl", "w", GOOD);
		folder_put("trials.jsonl", "a", bad[i].line);
		folder_put("trials.jsonl", "a", GOOD);
		assert_int_equal(load_folder(), 0);
		assert_int_equal(result.trials.n, 2);
		assert_int_equal(json_array_size(result.warnings), 1);
		if (!strstr(warning(0), bad[i].says))
			fail_msg("'%s' lacks '%s'", warning(0), bad[i].says);
		assert_non_null(strstr(warning(0), "/trials.jsonl, "));
		assert_null(strchr(warning(0), '\n'));
		results_free(&result, 1);
	}
}

/* A trial that says of itself that its counters are impossible is shown with its mark. */
static void test_impossible_counters_of_an_invalid_trial(void **state)
{
	(void)state;
	folder_put("trials.jsonl", "w",
		   "{\"verdict\":\"invalid\",\"frame_size\":64,\"rx\":{\"lost\":-5},"
		   "\"loss_ratio\":-2.6}\n");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(result.trials.n, 1);
	assert_int_equal(result.trials.trial[0].verdict, TRIAL_INVALID);
	assert_int_equal(json_array_size(result.warnings), 0);
	results_free(&result, 1);
}

static void test_a_cut_line_is_told(void **state)
{
	(void)state;
	folder_put("trials.jsonl", "w", GOOD "{\"schema\":\"tandem.tri");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(result.trials.n, 1);
	assert_non_null(strstr(warning(0), "line 2: cut off"));
	results_free(&result, 1);
}

/* As an editor on another system leaves it: a byte order mark, carriage returns, blank lines. */
static void test_edited_elsewhere(void **state)
{
	json_t *record;

	(void)state;
	folder_put("trials.jsonl", "w", "\xef\xbb\xbf{\"frame_size\":64}\r\n\r\n{\"trial\":2}\r\n");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(result.trials.n, 2);
	assert_int_equal(json_array_size(result.warnings), 0);
	record = result_trial_record(&result, &result.trials.trial[0]);
	assert_true(result_num(record, "frame_size") == 64);
	json_decref(record);
	results_free(&result, 1);
}

static void test_nothing_good(void **state)
{
	(void)state;
	folder_put("trials.jsonl", "w", "x\n{}x\n[]\n");
	assert_int_equal(load_folder(), -EBADMSG);
	assert_non_null(strstr(err, "trials.jsonl, line 1: "));
	assert_non_null(strstr(err, "none of its 3 records"));
	assert_null(strchr(err, '\n'));
	results_free(&result, 1);
	folder_put("trials.jsonl", "w", "\n\n");
	assert_int_equal(load_folder(), -ENODATA);
	results_free(&result, 1);
}

/* Of many bad lines the first ones are told, and how many there are. */
static void test_many_bad_lines(void **state)
{
	(void)state;
	folder_put("trials.jsonl", "w", GOOD);
	for (int i = 0; i < 40; i++)
		folder_put("trials.jsonl", "a", "bad\n");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(json_array_size(result.warnings), 11);
	assert_non_null(strstr(warning(9), "line 11: "));
	assert_non_null(strstr(warning(10), "40 lines in all"));
	results_free(&result, 1);
}

/* run.json and tests.jsonl stand beside the trials: broken ones take no trial with them. */
static void test_broken_neighbours(void **state)
{
	(void)state;
	folder_put("trials.jsonl", "w", GOOD);
	folder_put("run.json", "w", "{\"host\":");
	folder_put("tests.jsonl", "w",
		   "{\"schema\":\"tandem.test/1\",\"test\":\"throughput\"}\n{\"goals\":[7]}\n");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(result.trials.n, 1);
	assert_null(result.run);
	assert_int_equal(json_array_size(result.tests), 1);
	assert_int_equal(json_array_size(result.warnings), 2);
	assert_non_null(strstr(warning(0), "tests.jsonl, line 2: goals holds what is no record"));
	assert_non_null(strstr(warning(1), "run.json, line 1: "));
	results_free(&result, 1);
	folder_put("tests.jsonl", "w", "x\n");
	folder_put("run.json", "w", "{}");
	assert_int_equal(load_folder(), 0);
	assert_int_equal(json_array_size(result.tests), 0);
	assert_non_null(strstr(warning(0), "tests.jsonl, line 1: "));
	results_free(&result, 1);
}

/* What a trial's figures are is what its record says at their places. */
static void test_figures(void **state)
{
	const char *paths[] = {DATA "run1"};
	json_t *all, *record;

	(void)state;
	assert_int_equal(results_load(paths, 1, LOAD_TRIALS, &result, err, sizeof(err)), 0);
	assert_int_equal(result_read_trials(DATA "run1", &all, err, sizeof(err)), 0);
	assert_int_equal(result.trials.n, json_array_size(all));
	assert_int_equal(result.n_trials, json_array_size(all));
	for (size_t i = 0; i < result.trials.n; i++) {
		const struct trial *t = &result.trials.trial[i];
		const struct trial_group *g = &result.trials.group[t->group];

		record = json_array_get(all, i);
		for (int f = 0; f < TRIAL_FIGURES; f++) {
			double value = result_num(record, trial_figure_path(f));

			assert_true(isnan(value) == isnan(t->figure[f]));
			assert_true(isnan(value) ||
				    fabs(t->figure[f] - value) <= 1e-6 * fabs(value));
		}
		assert_string_equal(g->path, result_str(record, "path"));
		assert_string_equal(g->stream, "all");
		assert_string_equal(g->test, "");
		assert_int_equal(t->frame_size, (int)result_num(record, "frame_size"));
		assert_true(t->started == trial_time(result_str(record, "started")));
		record = result_trial_record(&result, t);
		assert_true(json_equal(record, json_array_get(all, i)));
		json_decref(record);
	}
	assert_true(result.trials.n_groups == 2);
	json_decref(all);
	results_free(&result, 1);
	/* Without them only what does not grow. */
	assert_int_equal(results_load(paths, 1, LOAD_SUMMARY, &result, err, sizeof(err)), 0);
	assert_int_equal(result.trials.n, 0);
	assert_true(result.n_trials > 0 && json_array_size(result.summary) > 0);
	results_free(&result, 1);
}

static void test_taken_from_elsewhere(void **state)
{
	struct result made = {.path = "made"};
	json_t *record = json_pack("{s:i,s:s,s:f,s:{s:s}}", "frame_size", 64, "path", "io",
				   "rate_requested_pps", 1e6, "test", "name", "soak");

	(void)state;
	assert_int_equal(result_take_trial(&made, LOAD_TRIALS, record, TRIAL_NO_LINE), 0);
	json_object_del(record, "test");
	assert_int_equal(result_take_trial(&made, LOAD_TRIALS, record, TRIAL_NO_LINE), 0);
	assert_int_equal(made.trials.n, 2);
	assert_string_equal(made.trials.group[made.trials.trial[0].group].test, "soak");
	assert_string_equal(made.trials.group[made.trials.trial[1].group].test, "");
	/* A step of a test is no row. */
	assert_int_equal(json_array_size(made.summary), 1);
	assert_null(result_trial_record(&made, &made.trials.trial[0]));
	json_decref(record);
	results_free(&made, 1);
}

/* Reasons that differ in their numbers alone are one kind; the first of each is named. */
static void test_reasons(void **state)
{
	json_t *kinds = json_object(), *trial, *kind;
	char text[600];

	(void)state;
	for (int i = 1; i <= 3; i++) {
		trial = json_pack("{s:i, s:s, s:o}", "trial", i, "path", "io", "reasons",
				  json_pack("[o, s]",
					    json_sprintf("stalled %d times, %d.5 ms", i, i),
					    i == 3 ? "link lost" : "fell short"));
		reasons_take(kinds, trial);
		json_decref(trial);
	}
	assert_int_equal(json_object_size(kinds), 3);
	kind = json_object_get(kinds, "stalled # times, # ms");
	assert_string_equal(result_str(kind, "text"), "stalled 1 times, 1.5 ms");
	assert_true(result_num(kind, "count") == 3 && result_num(kind, "trial") == 1);
	assert_true(result_num(json_object_get(kinds, "link lost"), "trial") == 3);
	/* Many kinds are not all kept, long ones are cut between characters; other types are none.
	 */
	for (int i = 0; i < 100; i++) {
		memset(text, 'a' + i % 26, sizeof(text));
		text[i] = 'z';
		memcpy(text + 250, "\xe2\x82\xac\xe2\x82\xac", 6);
		text[599] = '\0';
		trial = json_pack("{s:[s, i]}", "reasons", text, 7);
		assert_non_null(trial);
		reasons_take(kinds, trial);
		json_decref(trial);
	}
	assert_in_range(json_object_size(kinds), 4, 60);
	json_decref(kinds);
}

/* A plan's folder stands for those of its tests that have trials. */
static void test_plan(void **state)
{
	const char *paths[4] = {DATA "run1", folder};
	char **owned;

	(void)state;
	folder_put("plan.jsonl", "w", "{}\n");
	assert_int_equal(results_expand(paths, 2, 4, &owned, err, sizeof(err)), -ENODATA);
	results_expand_free(owned);
	for (const char *const *name = (const char *const[]){"02-soak", "01-sweep", "03-reset",
							     "01-sweep.before-1", "notes", NULL};
	     *name; name++) {
		char file[64];

		assert_int_equal(mkdir(folder_path(*name), 0777), 0);
		snprintf(file, sizeof(file), "%s/trials.jsonl", *name);
		if (strcmp(*name, "03-reset"))
			folder_put(file, "w", GOOD);
	}
	paths[0] = DATA "run1";
	paths[1] = folder;
	assert_int_equal(results_expand(paths, 2, 4, &owned, err, sizeof(err)), 3);
	assert_string_equal(paths[0], DATA "run1");
	assert_string_equal(paths[1], folder_path("01-sweep"));
	assert_string_equal(paths[2], folder_path("02-soak"));
	results_expand_free(owned);
	paths[1] = folder;
	assert_int_equal(results_expand(paths, 2, 2, &owned, err, sizeof(err)), -E2BIG);
	assert_non_null(strstr(err, "name up to 2 of their folders"));
	results_expand_free(owned);
}

static void test_time(void **state)
{
	(void)state;
	assert_true(trial_time("1970-01-01T00:00:01.250Z") == 1.25);
	assert_true(trial_time("2026-01-01T00:00:00Z") == 1767225600);
	assert_true(isnan(trial_time(NULL)) && isnan(trial_time("")) && isnan(trial_time("noon")));
	assert_true(isnan(trial_time("2026-01-01T00:00:00+01:00")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
		IN_FOLDER(test_bad_lines_are_left_out),
		IN_FOLDER(test_impossible_counters_of_an_invalid_trial),
		IN_FOLDER(test_a_cut_line_is_told),
		IN_FOLDER(test_edited_elsewhere),
		IN_FOLDER(test_nothing_good),
		IN_FOLDER(test_many_bad_lines),
		IN_FOLDER(test_broken_neighbours),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_taken_from_elsewhere),
		cmocka_unit_test(test_reasons),
		IN_FOLDER(test_plan),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}

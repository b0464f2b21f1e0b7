/*
 * The folder of a run (design in results/README.md): run.json, trials.jsonl,
 * tests.jsonl, summary.csv, *.hgrm.
 *
 * The generator writes it, tandem-plot reads it. A record is a JSON object; result_num and
 * result_str reach into it by a dotted path, so that screen, CSV and plots read the same record.
 * Functions return 0 or a negative errno with one line in err.
 */
#ifndef TANDEM_RESULTS_H
#define TANDEM_RESULTS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRIAL_SCHEMA	"tandem.trial/1"
#define RUN_SCHEMA	"tandem.run/1"
#define DUT_SCHEMA	"tandem.dut/1"
#define SELFTEST_SCHEMA "tandem.selftest/1"
#define TEST_SCHEMA	"tandem.test/1"
#define PLAN_SCHEMA	"tandem.plan/1"

/* Value at "latency_ns.p50", borrowed; NULL where it is missing. */
json_t *result_get(const json_t *record, const char *dotted);

/* Number at "latency_ns.p50"; NaN where it is missing or null. String there; NULL likewise. */
double result_num(const json_t *record, const char *dotted);
const char *result_str(const json_t *record, const char *dotted);

/* A whole number for a record. New reference. */
json_t *result_count(uint64_t value);

/* A number for a record: null where it is NaN or infinite. New reference. */
json_t *result_real(double value);

/*
 * Opens a folder for writing, making it and its parents. An existing one that holds a run is
 * refused unless append. The folder stays usable after each call below: every file is written whole
 * or appended a line and flushed.
 */
int result_open(const char *dir, int append, char *err, size_t errlen);

/*
 * Writes a file of a folder whole: into a temporary one that is then renamed, so that a reader
 * never sees half a file and a full disk leaves the old one.
 */
int result_write_file(const char *dir, const char *name, const char *data, size_t size, char *err,
		      size_t errlen);

/*
 * The same with what print writes about records; print returns 0 or a negative errno. */
int result_write_text(const char *dir, const char *name,
		      int (*print)(const json_t *records, FILE *out), const json_t *records,
		      char *err, size_t errlen);

/* Appends one trial record as a line to trials.jsonl and flushes it to disk. */
int result_append_trial(const char *dir, const json_t *trial, char *err, size_t errlen);

/* The same with an array of records, all on disk at once. */
int result_append_trials(const char *dir, const json_t *trials, char *err, size_t errlen);

/* Writes run.json; where one exists, command lines are appended to its "commands" and the rest is
 * replaced. */
int result_write_run(const char *dir, json_t *run, char *err, size_t errlen);

/* Reads all trials of a folder, or of a .jsonl file, into a new array. A bad line is an error with
 * its number; a last line without end (a crash while writing) is left out. */
int result_read_trials(const char *path, json_t **trials, char *err, size_t errlen);

/* The same for what test methods found: tests.jsonl. */
int result_append_test(const char *dir, const json_t *test, char *err, size_t errlen);
int result_read_tests(const char *path, json_t **tests, char *err, size_t errlen);

/*
 * Reading by those who show results: a record at a time, so that memory does not grow with the
 * file, and a bad line takes nothing with it but itself. Bad is what is no JSON, is cut, names
 * another schema, or holds what no measurement gives (result_check_*).
 */
struct result_visitor {
	/*
	 * A good record, borrowed, and where its line begins in the file. Returns 0, or a negative
	 * errno that ends the reading.
	 */
	int (*record)(void *context, json_t *record, uint64_t offset);
	/* A line that was left out: one line of text with the names of file and line. */
	void (*skipped)(void *context, const char *what);
	void *context;
};

/*
 * Visits all records of a folder or file. That all its lines are bad is an error; an empty file is
 * none.
 */
int result_each_trial(const char *path, const struct result_visitor *visitor, char *err,
		      size_t errlen);
int result_each_test(const char *path, const struct result_visitor *visitor, char *err,
		     size_t errlen);

/*
 * Whether a record's known fields have their types and values that can be: counters are whole and
 * not negative, min <= p50 <= max, and so on; a trial whose verdict is invalid may hold impossible
 * counters. What is missing or null is fine. Return 0, or -EBADMSG with one line in why that names
 * the field.
 */
int result_check_trial(const json_t *trial, char *why, size_t len);
int result_check_test(const json_t *test, char *why, size_t len);

/* Records of the steps of a plan that ended, as those of trials above: plan.jsonl. */
int result_append_step(const char *dir, const json_t *step, char *err, size_t errlen);
int result_read_steps(const char *path, json_t **steps, char *err, size_t errlen);

/* Reads run.json; *run is NULL where there is none (no error). */
int result_read_run(const char *dir, json_t **run, char *err, size_t errlen);

/*
 * Rows of the summary, of all streams together: one a path, direction, stream and frame size, in
 * the order first seen, sizes ascending. Each is
 *   {"path","direction","stream","frame_size","max": trial or null, "paced": trial or null}
 * where max is the last trial at rate max (rate_requested_pps null) and paced the last one with a
 * rate. New array.
 */
json_t *result_summary(const json_t *trials);

/* The same trial by trial: takes one into the rows, which keep no others than they show. */
void result_summary_add(json_t *rows, json_t *trial);

/* Writes summary.csv from summary rows (columns in results/README.md). */
int result_write_csv(const char *dir, const json_t *summary, char *err, size_t errlen);

/* The same text on a stream. Returns 0 or -ENOMEM; the stream has its own error flag. */
int result_print_csv(const json_t *summary, FILE *out);

/* The summary as a table for people, lines up, units in the heading; disturbed and invalid rows are
 * marked. */
void result_print_table(const json_t *summary, FILE *out);

#endif

/*
 * Reading results. common/results.c knows the format; what is added here is what a user may get
 * wrong on the command line, told by name.
 */
#include "plots/load.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/import.h"
#include "plots/reasons.h"

#define WARNINGS_MAX 10u /* lines left out of one file that are told one by one */

/* Name and folder of a result; "latest" is a link to the folder whose name says more. */
static int locate(struct result *r, char *err, size_t errlen)
{
	char real[PATH_MAX];
	struct stat st;
	const char *slash;
	bool file;

	if (!realpath(r->path, real) || stat(real, &st) < 0) {
		int error = errno;

		snprintf(err, errlen, "%s: %s: name a result folder, such as results/latest",
			 r->path, strerror(error));
		return -error;
	}
	slash = strrchr(real, '/');
	snprintf(r->name, sizeof(r->name), "%.79s", slash[1] ? slash + 1 : real);
	file = !S_ISDIR(st.st_mode);
	slash = strrchr(r->path, '/');
	if (!file)
		snprintf(r->dir, sizeof(r->dir), "%s", r->path);
	else if (slash)
		snprintf(r->dir, sizeof(r->dir), "%.*s", (int)(slash - r->path) + 1, r->path);
	else
		snprintf(r->dir, sizeof(r->dir), ".");
	return file;
}

/* Tells it, and keeps it for who shows the result. */
static void warn(struct result *r, const char *what)
{
	fprintf(stderr, "tandem-plot: %s\n", what);
	json_array_append_new(r->warnings, json_string(what));
}

/* A file of records being read. */
struct reading {
	struct result *result;
	enum load load;
	size_t skipped;
};

static int on_trial(void *context, json_t *record, uint64_t offset)
{
	struct reading *reading = context;

	return result_take_trial(reading->result, reading->load, record, offset);
}

static int on_test(void *context, json_t *record, uint64_t offset)
{
	struct reading *reading = context;

	(void)offset;
	return json_array_append(reading->result->tests, record) ? -ENOMEM : 0;
}

/* Of a file that is broken all over, the first lines say enough. */
static void on_skipped(void *context, const char *what)
{
	struct reading *reading = context;
	char text[700];

	if (reading->skipped++ >= WARNINGS_MAX)
		return;
	snprintf(text, sizeof(text), "%s: left out", what);
	warn(reading->result, text);
}

static int read_records(struct result *r, enum load load, const char *path,
			int (*each)(const char *path, const struct result_visitor *visitor,
				    char *err, size_t errlen),
			int (*record)(void *context, json_t *record, uint64_t offset), char *err,
			size_t errlen)
{
	struct reading reading = {.result = r, .load = load};
	const struct result_visitor visitor = {record, on_skipped, &reading};
	char text[1400];
	int rc = each(path, &visitor, err, errlen);

	if (rc == -ENOMEM && !*err)
		snprintf(err, errlen, "%s: out of memory", path);
	if (rc >= 0 && reading.skipped > WARNINGS_MAX) {
		snprintf(text, sizeof(text), "%s: %zu lines in all are left out", path,
			 reading.skipped);
		warn(r, text);
	}
	return rc;
}

static int read_trials(struct result *r, enum load load, char *err, size_t errlen)
{
	int rc = read_records(r, load, r->path, result_each_trial, on_trial, err, errlen);

	if (rc >= 0 && r->n_trials == 0) {
		snprintf(err, errlen, "%s: no trials in it: run tandem-gen with --out first",
			 r->path);
		rc = -ENODATA;
	}
	return rc;
}

/* What stands beside the trials in a folder. They do not need it: what is broken is a warning. */
static void read_rest(struct result *r)
{
	char path[sizeof(r->file)], err[600] = "";

	snprintf(path, sizeof(path), "%s/tests.jsonl", r->path);
	if (access(path, F_OK) == 0 &&
	    read_records(r, LOAD_SUMMARY, path, result_each_test, on_test, err, sizeof(err)) < 0 &&
	    *err)
		warn(r, err);
	if (result_read_run(r->path, &r->run, err, sizeof(err)) < 0)
		warn(r, err);
}

static int load_one(struct result *r, enum load load, char *err, size_t errlen)
{
	int rc = locate(r, err, errlen);
	const bool folder = rc == 0;

	if (rc < 0)
		return rc;
	snprintf(r->file, sizeof(r->file), "%s%s", r->path, folder ? "/trials.jsonl" : "");
	r->tests = json_array();
	r->warnings = json_array();
	rc = !folder && import_is(r->path) ? import_result(r, load, err, errlen)
					   : read_trials(r, load, err, errlen);
	if (rc >= 0 && folder)
		read_rest(r);
	return rc;
}

int result_take_trial(struct result *r, enum load load, json_t *record, uint64_t offset)
{
	if (!r->summary)
		r->summary = json_array();
	if (!r->summary || (load == LOAD_TRIALS && trials_add(&r->trials, record, offset)))
		return -ENOMEM;
	if (load == LOAD_TRIALS) {
		if (!r->reasons)
			r->reasons = json_object();
		reasons_take(r->reasons, record);
	}
	if (r->n_trials++ == 0)
		r->started = trial_time(result_str(record, "started"));
	result_summary_add(r->summary, record);
	return 0;
}

json_t *result_trial_record(const struct result *r, const struct trial *trial)
{
	json_t *record = NULL;
	char *line = NULL;
	size_t size = 0, at;
	ssize_t len;
	FILE *in;

	if (trial->offset == TRIAL_NO_LINE)
		return NULL;
	in = fopen(r->file, "re");
	if (!in)
		return NULL;
	if (fseeko(in, (off_t)trial->offset, SEEK_SET) == 0) {
		len = getline(&line, &size, in);
		/* The first line may begin with a byte order mark. */
		at = len > 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
		if (len > 0)
			record = json_loadb(line + at, (size_t)len - at, 0, NULL);
	}
	free(line);
	fclose(in);
	return record;
}

int results_load(const char *const *paths, size_t n, enum load load, struct result *results,
		 char *err, size_t errlen)
{
	memset(results, 0, n * sizeof(*results));
	for (size_t i = 0; i < n; i++) {
		int rc;

		results[i].path = paths[i];
		rc = load_one(&results[i], load, err, errlen);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void results_free(struct result *results, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_decref(results[i].run);
		json_decref(results[i].summary);
		json_decref(results[i].tests);
		json_decref(results[i].reasons);
		json_decref(results[i].warnings);
		trials_free(&results[i].trials);
	}
}

/* Appends a part to a list "a, b", once. */
static void add_part(char *buf, size_t len, const char *part)
{
	size_t used = strlen(buf);

	if (part && part[0] && !strstr(buf, part))
		snprintf(buf + used, len - used, "%s%s", used ? ", " : "", part);
}

/* When the first trial began. */
static void add_date(char *buf, size_t len, const struct result *r)
{
	char date[40];
	struct tm tm;
	time_t second;

	if (r->n_trials == 0 || isnan(r->started))
		return;
	second = (time_t)r->started;
	if (gmtime_r(&second, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm))
		add_part(buf, len, date);
}

char *results_origin(const struct result *results, size_t n, char *buf, size_t len)
{
	buf[0] = 0;
	for (size_t i = 0; i < n; i++) {
		add_part(buf, len, result_str(results[i].run, "host.hostname"));
		add_part(buf, len, result_str(results[i].run, "host.cpu_model"));
	}
	for (size_t i = 0; i < n; i++)
		add_date(buf, len, &results[i]);
	return buf;
}

/*
 * Each finished trial is on disk before the next begins, so that a crash or Ctrl-C loses nothing
 * finished.
 */
#include "gen/run_output.h"

#include "common/results.h"
#include "gen/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Trials of a folder are numbered through, also when they were added later. */
static int find_last_trial(struct run_output *o, char *err, size_t errlen)
{
	json_t *trials = NULL, *trial;
	char path[4096];
	size_t i;
	int rc;

	snprintf(path, sizeof(path), "%s/trials.jsonl", o->dir);
	if (access(path, F_OK))
		return 0;
	rc = result_read_trials(o->dir, &trials, err, errlen);
	json_array_foreach (trials, i, trial) {
		uint64_t number = (uint64_t)json_integer_value(json_object_get(trial, "trial"));

		if (number > o->earlier_trials)
			o->earlier_trials = number;
	}
	json_decref(trials);
	return rc;
}

int run_output_open(struct run_output *o, const struct gen_config *config, char *err, size_t errlen)
{
	bool append = config->append || config->method.resume;
	int rc;

	*o = (struct run_output){.dir = config->out, .json = config->json, .records = json_array()};
	if (!o->dir)
		return 0;
	rc = result_open(o->dir, append, err, errlen);
	if (!rc && append)
		rc = find_last_trial(o, err, errlen);
	return rc;
}

int run_output_begin(struct run_output *o, const struct generator *g, int argc, char **argv,
		     char *err, size_t errlen)
{
	json_t *run;
	int rc;

	o->generator = g;
	if (!o->dir)
		return 0;
	run = record_run(g, argc, argv);
	rc = result_write_run(o->dir, run, err, errlen);
	json_decref(run);
	return rc;
}

/* Percentile text of a result, named after what was measured: io-64B-max-0to0-t3.hgrm. */
static int write_hgrm(const struct run_output *o, const struct trial_result *r, char *err,
		      size_t errlen)
{
	char size_text[16], name[128], *text = NULL;
	size_t size = 0;
	FILE *out;
	int rc;

	/* A search leaves dozens of trials; those that measure latency are of interest. */
	if (r->tx_only || !r->all->count ||
	    (o->test && strcmp(result_str(o->test, "name"), "latency")))
		return 0;
	snprintf(size_text, sizeof(size_text), r->spec.frame_size ? "%uB" : "mix",
		 r->spec.frame_size);
	snprintf(name, sizeof(name), "%s-%s-%s-%c-%c-t%llu.hgrm",
		 *o->generator->path ? o->generator->path : "path", size_text,
		 r->spec.pps > 0 ? "paced" : "max", r->direction[0], r->direction[2],
		 (unsigned long long)r->trial);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '_';
	out = open_memstream(&text, &size);
	if (!out) {
		snprintf(err, errlen, "%s: %s", name, strerror(errno));
		return -errno;
	}
	rc = hist_write_hgrm(r->all, 1e9 / r->tsc_hz, out);
	if (fclose(out))
		rc = -ENOMEM;
	if (rc)
		snprintf(err, errlen, "%s: %s", name, strerror(-rc));
	else
		rc = result_write_file(o->dir, name, text, size, err, errlen);
	free(text);
	return rc;
}

/* Results that could not be written are no results: a full disk, a reader that went. */
static int check_stdout(char *err, size_t errlen)
{
	int rc = fflush(stdout) ? -errno : ferror(stdout) ? -EIO : 0;

	if (rc)
		snprintf(err, errlen, "cannot write the results to stdout: %s", strerror(-rc));
	return rc;
}

void run_output_line(const json_t *record)
{
	json_dumpf(record, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
	putchar('\n');
}

/* The records of single streams go before that of all together; NULL where there is one stream. */
static int take_streams(const struct run_output *o, const struct trial_result *r, json_t **streams,
			char *err, size_t errlen)
{
	json_t *record;
	size_t i;

	*streams = NULL;
	if (r->from->streams == 1)
		return 0;
	*streams = record_streams(o->generator, r);
	if (!*streams) {
		snprintf(err, errlen, "no memory for the records of %u streams", r->from->streams);
		return -ENOMEM;
	}
	json_array_foreach (*streams, i, record) {
		if (o->test)
			json_object_set_new(record, "test", json_deep_copy(o->test));
		if (o->json)
			run_output_line(record);
	}
	return o->dir ? result_append_trials(o->dir, *streams, err, errlen) : 0;
}

int run_output_add(struct run_output *o, const struct trial_result *r, json_t **record, char *err,
		   size_t errlen)
{
	json_t *made = record_make(o->generator, r), *streams;
	int rc = take_streams(o, r, &streams, err, errlen), printed;

	if (o->test)
		json_object_set_new(made, "test", json_deep_copy(o->test));
	if (o->forgets)
		json_array_clear(o->records);
	o->n_records++;
	json_array_append_new(o->records, made);
	o->any_invalid |= r->verdict == VERDICT_INVALID;
	o->any_disturbed |= r->verdict == VERDICT_DISTURBED;
	if (o->json)
		run_output_line(made);
	else if (o->text)
		record_print(made, stdout);
	if (o->text && !o->json && streams)
		record_print_streams(streams, stdout);
	json_decref(streams);
	printed = check_stdout(err, errlen);
	if (o->dir && !rc) {
		rc = result_append_trial(o->dir, made, err, errlen);
		if (!rc)
			rc = write_hgrm(o, r, err, errlen);
	}
	if (record)
		*record = made;
	return rc ? rc : printed;
}

int run_output_end(struct run_output *o, char *err, size_t errlen)
{
	json_t *trials = NULL, *summary;
	int rc, printed = check_stdout(err, errlen);

	if (!o->dir || !o->n_records)
		return printed;
	rc = result_read_trials(o->dir, &trials, err, errlen);
	if (rc)
		return rc;
	summary = result_summary(trials);
	rc = result_write_csv(o->dir, summary, err, errlen);
	json_decref(summary);
	json_decref(trials);
	return rc ? rc : printed;
}

void run_output_close(struct run_output *o)
{
	json_decref(o->records);
	o->records = NULL;
}

int run_output_status(const struct run_output *o, bool strict)
{
	return o->any_invalid || (strict && o->any_disturbed);
}

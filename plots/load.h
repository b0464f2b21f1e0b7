/*
 * The results that a command line names, read and ready.
 */
#ifndef TANDEM_LOAD_H
#define TANDEM_LOAD_H

#include <jansson.h>
#include <stddef.h>

#include "plots/trials.h"

#define RESULTS_MAX 8u

struct result {
	const char *path; /* as on the command line: a folder, or a file of trials; borrowed */
	char name[80];	  /* its last part, links resolved */
	char dir[1024];	  /* the folder, where pictures go by default */
	char file[1280];  /* the file of its trials */
	json_t *run;	  /* run.json, NULL where there is none or it cannot be used */
	size_t n_trials;
	double started;	      /* of the first trial, UTC, in seconds since 1970; NaN unknown */
	struct trials trials; /* with LOAD_TRIALS: the figures of all trials, streams and tests
				 included */
	json_t *summary;      /* rows of result_summary; empty where all trials are of tests */
	json_t *tests;	      /* array: the records of tests.jsonl; empty where there are none */
	json_t *reasons;      /* with LOAD_TRIALS: why trials are not valid, as of reasons_take */
	json_t *warnings;     /* array of texts: what could not be used, as told on stderr */
};

enum load {
	LOAD_SUMMARY, /* memory does not grow with the trials: for who draws the summary's rows */
	LOAD_TRIALS   /* the figures of every trial, too */
};

/*
 * Reads n results (at most RESULTS_MAX); free them with results_free, after an error too. A line
 * that cannot be used is left out with a warning on stderr that names it (of many, the first ones).
 * Returns 0, or a negative errno with one line in err: no such folder, no trials in it, none that
 * can be used.
 */
int results_load(const char *const *paths, size_t n, enum load load, struct result *results,
		 char *err, size_t errlen);

void results_free(struct result *results, size_t n);

/*
 * Takes one more trial into a result that is zeros or read: its figures with LOAD_TRIALS, and the
 * record itself into the summary where it belongs there. For what is not read from a file of ours,
 * offset is TRIAL_NO_LINE. Returns 0 or -ENOMEM.
 */
int result_take_trial(struct result *r, enum load load, json_t *record, uint64_t offset);

/*
 * The whole record of a trial, read again from its file: for what struct trial does not hold. New
 * reference; NULL where it cannot be read any more.
 */
json_t *result_trial_record(const struct result *r, const struct trial *trial);

/* "host, CPU model, 2026-01-01 00:00 UTC": what of it the results say, for the line under a title.
 * Returns buf. */
char *results_origin(const struct result *results, size_t n, char *buf, size_t len);

#endif

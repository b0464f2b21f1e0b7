/*
 * Where results go: screen, JSON lines, the folder of a run.
 */
#ifndef TANDEM_RUN_OUTPUT_H
#define TANDEM_RUN_OUTPUT_H

#include "gen/trial.h"

#include <jansson.h>
#include <stddef.h>

struct run_output {
	const struct generator *generator;
	const char *dir;    /* NULL: no folder */
	bool json;	    /* a line a record on stdout */
	bool text;	    /* a block a record on stdout */
	json_t *records;    /* array of all records so far */
	const json_t *test; /* what the trials are of, NULL where of none; borrowed */
	bool forgets;	    /* records are not kept: there may be no end of them */
	uint64_t n_records;
	bool any_invalid, any_disturbed;
	uint64_t earlier_trials; /* number of the last trial that the folder held before */
};

/* Opens the folder, if any. 0 or a negative errno with a line in err. */
int run_output_open(struct run_output *o, const struct gen_config *config, char *err,
		    size_t errlen);

/* Writes run.json, when the ports are known. */
int run_output_begin(struct run_output *o, const struct generator *g, int argc, char **argv,
		     char *err, size_t errlen);

/* A record as a line of JSON on stdout. */
void run_output_line(const json_t *record);

/* A finished direction of a trial: recorded, printed, written and flushed. *record (borrowed) may
 * be NULL. */
int run_output_add(struct run_output *o, const struct trial_result *r, json_t **record, char *err,
		   size_t errlen);

/* summary.csv of all that stands in the folder. */
int run_output_end(struct run_output *o, char *err, size_t errlen);
void run_output_close(struct run_output *o);

/* 0, or 1 where a trial was invalid (with strict: or disturbed). */
int run_output_status(const struct run_output *o, bool strict);

#endif

/*
 * The results that a command line names, read and ready.
 */
#ifndef TANDEM_LOAD_H
#define TANDEM_LOAD_H

#include <jansson.h>
#include <stddef.h>

#define RESULTS_MAX 8u

struct result {
	const char *path; /* as on the command line: a folder, or a file of trials; borrowed */
	char name[80];	  /* its last part, links resolved */
	char dir[1024];	  /* the folder, where pictures go by default */
	json_t *run;	  /* run.json, NULL where there is none */
	json_t *trials;	  /* array, not empty */
	json_t *summary;  /* rows of result_summary */
};

/*
 * Reads n results (at most RESULTS_MAX); free them with results_free, after an error too. Returns
 * 0, or a negative errno with one line in err: no such folder, no trials in it, a line that is no
 * JSON (with its number).
 */
int results_load(const char *const *paths, size_t n, struct result *results, char *err,
		 size_t errlen);

void results_free(struct result *results, size_t n);

/* "host, CPU model, 2026-01-01 00:00 UTC": what of it the results say, for the line under a title.
 * Returns buf. */
char *results_origin(const struct result *results, size_t n, char *buf, size_t len);

#endif

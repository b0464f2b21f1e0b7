/*
 * Raw samples (--samples FILE): every round trip of a trial as a line of CSV, so that our
 * statistics can be checked by other means. Written after the trial, never during it.
 */
#ifndef TANDEM_SAMPLES_H
#define TANDEM_SAMPLES_H

#include "gen/trial.h"

#include <stddef.h>
#include <stdio.h>

struct samples {
	FILE *out; /* NULL when none are asked for */
	const char *path;
};

/* Opens the file and writes the heading. 0 or a negative errno with a line in err. */
int samples_open(struct samples *s, const char *path, char *err, size_t errlen);

/* The samples of one direction on one core: trial, direction, sequence, RX time since the first,
 * round trip, sequence space; in ns. */
int samples_write(struct samples *s, const struct trial_result *r, const struct sample_list *list,
		  uint64_t begin, char *err, size_t errlen);

/* Closes the file; a full disk shows here at the latest. */
int samples_close(struct samples *s, char *err, size_t errlen);

#endif

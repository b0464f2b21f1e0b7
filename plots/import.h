/*
 * Results of other instruments: each format is recognised by its content and becomes records as
 * tandem-gen would have written them, with the instrument's name for a path and everything that the
 * file does not say null.
 */
#ifndef TANDEM_IMPORT_H
#define TANDEM_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "plots/load.h"

#define IMPORT_MAX_BYTES (64u * 1024 * 1024)

/* One row of an instrument's results. NaN is unknown; rates in frames a second, latency in ns. */
struct imported {
	const char *source; /* "IxNetwork"; borrowed */
	double frame_size;
	double offered_pps, line_share; /* of the line rate: 0..1 */
	double sent, received, rx_pps, loss_ratio;
	double min, mean, max, p50, p90, p99, p999, p9999;
	double cpu_busy; /* 0..1 */
	/* What a search found: its name (NULL: none) and bounds. */
	const char *found;
	double lower_pps, upper_pps;
};

/* A row of which nothing is known. */
struct imported imported_unknown(const char *source);

/* Takes a row into a result: a trial, and a test where something was found. 0, or -ENOMEM. */
int import_take(struct result *r, enum load load, const struct imported *row);

/* A file in memory, with a NUL behind its end. */
struct import_file {
	const char *path;
	char *text;
	size_t len;
};

/*
 * Formats. knows looks whether a file is of it; take reads all of it. Returns 0, or -EINVAL with
 * one line in err that says what was found and what is needed, or -ENOMEM.
 */
struct import_format {
	const char *name;
	bool (*knows)(const struct import_file *file);
	int (*take)(const struct import_file *file, struct result *r, enum load load, char *err,
		    size_t errlen);
};

extern const struct import_format import_csv, import_json, import_hgrm, import_testpmd;

/* The beginning of a foreign text as it may stand in an error line: printable ASCII alone. Returns
 * buf. */
char *import_words(const char *text, char *buf, size_t len);

/* Whether a file is of another instrument: not tandem's own records. */
bool import_is(const char *path);

/* Reads such a file into a result that is located but empty. 0, or a negative errno with one line
 * in err. */
int import_result(struct result *r, enum load load, char *err, size_t errlen);

#endif

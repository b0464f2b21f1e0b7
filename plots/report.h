/*
 * The report of results as one HTML file that needs nothing beside it: what was found and how far
 * it can be trusted first, then tables and pictures, then how it was measured.
 */
#ifndef TANDEM_PLOTS_REPORT_H
#define TANDEM_PLOTS_REPORT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "plots/load.h"

/* What the sections write to, and about what. */
struct report {
	FILE *out;
	const struct result *results; /* read with LOAD_TRIALS */
	size_t n;
	const char *title;  /* NULL: the results' own */
	char dir[PATH_MAX]; /* where the report will stand, for links; "" has none */
};

/*
 * Writes the whole document to the report's stream. Returns 0, or a negative errno with one line in
 * err; the stream has its own error flag.
 */
int report_write_html(const struct report *report, char *err, size_t errlen);

/* A section of it, in the order of the page; some write nothing where they have nothing to say. */
void report_verdicts(const struct report *report);
void report_glance(const struct report *report);
void report_tables(const struct report *report);
int report_figures(const struct report *report, char *err, size_t errlen);
void report_details(const struct report *report);
void report_method(const struct report *report);
void report_environment(const struct report *report);
void report_files(const struct report *report);

/* How the page looks, between <style> and </style>. */
extern const char report_style[];

/* Begins a section with its heading; id is where links lead. </section> ends it. */
void report_section(const struct report *report, const char *id, const char *heading);

/* A heading with the result's name, where there is more than one. */
void report_result_name(const struct report *report, const struct result *r);

/* "io path, ports 0>1, stream 3" of a row or record, as text for a heading. */
char *report_row_title(const json_t *row, char *text, size_t len);

/* A row of a table of facts: a name and a value. */
void report_field(FILE *out, const char *name, const json_t *value);

/* All values within one, a row each, named by the way to them: "host.hugepages.2048kB.free". */
void report_fields(FILE *out, const char *name, const json_t *value);

/*
 * A link to a file in the folder of a result, as "<a href=...>label</a>"; only the label where the
 * report stands nowhere.
 */
void report_link(const struct report *report, const struct result *r, const char *file,
		 const char *label);

/* The name of the percentile file of a trial in the folder of a result, such as
 * "io-64B-paced-0-0-t2.hgrm"; false where there is none. */
bool report_hgrm(const struct result *r, const json_t *trial, char *name, size_t len);

#endif

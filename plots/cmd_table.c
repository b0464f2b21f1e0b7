/*
 * tandem-plot table: the summary of results as text, CSV or JSON on stdout.
 */
#include "plots/cmd.h"

#include <errno.h>
#include <stdio.h>

#include "common/report.h"
#include "common/results.h"
#include "plots/floor.h"

static const struct opt opts[] = {{.name = "csv",
				   .type = OPT_FLAG,
				   .offset = offsetof(struct plot_options, csv),
				   .group = "Output",
				   .help = "the columns of summary.csv (of one RESULT)"},
				  {.name = "json",
				   .type = OPT_FLAG,
				   .offset = offsetof(struct plot_options, json),
				   .help = "the rows with their trial records, as one array"},
				  {.name = "less-floor",
				   .type = OPT_FLAG,
				   .offset = offsetof(struct plot_options, less_floor),
				   .help = "take the floor that tandem-gen selftest found (its "
					   "minimum) off the latency; in the table only"},
				  {.name = NULL}};

static const char *const examples[] = {"tandem-plot table results/latest",
				       "forwarding rate, loss and latency by path and frame size",
				       "tandem-plot table --csv results/latest > latest.csv",
				       "the same for a spreadsheet",
				       "tandem-plot table --less-floor results/latest",
				       "latency without what the generator's own loop takes",
				       NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "table",
	.synopsis = "table RESULT... [options]",
	.summary =
		"Prints the summary of results: a row a path and frame size; and what test methods "
		"found.",
	.opts = opts,
	.examples = examples,
};

/* All rows, each with the name of its result. */
static int print_json(const struct result *results, size_t n)
{
	json_t *rows = json_array(), *row;
	size_t i;
	int rc;

	for (size_t r = 0; r < n; r++) {
		json_array_foreach (results[r].summary, i, row) {
			json_t *copy = json_pack("{s:s}", "result", results[r].name);

			json_object_update(copy, row);
			json_array_append_new(rows, copy);
		}
	}
	rc = json_dumpf(rows, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(rows);
	putchar('\n');
	return rc < 0 ? -EIO : 0;
}

/* A result's table with the floor of its own selftest taken off. */
static int print_less_floor(const struct result *r, const struct floor *floor)
{
	json_t *rows = floor_subtract(floor, r->summary);
	char title[192];

	if (!rows)
		return -ENOMEM;
	puts(floor_title(floor, title, sizeof(title)));
	result_print_table(rows, stdout);
	json_decref(rows);
	return 0;
}

static int print_tables(const struct plot_options *options, const struct result *results, size_t n,
			char *err, size_t errlen)
{
	struct floor floors[RESULTS_MAX];
	int rc = 0;

	/* All are looked at before the first is printed: an error leaves no half of the output. */
	for (size_t r = 0; r < n && options->less_floor; r++) {
		rc = floor_of(&results[r], &floors[r], err, errlen);
		if (rc < 0)
			return rc;
	}
	for (size_t r = 0; r < n && rc == 0; r++) {
		if (n > 1)
			printf("%s%s\n", r ? "\n" : "", results[r].name);
		if (options->less_floor)
			rc = print_less_floor(&results[r], &floors[r]);
		else if (json_array_size(results[r].summary) || !json_array_size(results[r].tests))
			result_print_table(results[r].summary, stdout);
		/* What test methods found: their trials are steps, which the summary leaves out. */
		if (json_array_size(results[r].tests))
			report_print(results[r].tests, stdout);
	}
	return rc;
}

/* Options that do not go together; NULL when they do. */
static const char *clash(const struct plot_options *options, size_t n)
{
	if (options->csv && options->json)
		return "give --csv or --json, not both";
	if (options->less_floor && (options->csv || options->json))
		return options->csv ? "--csv prints figures as they were measured: leave "
				      "--less-floor out"
				    : "--json prints figures as they were measured: leave "
				      "--less-floor out";
	if (options->csv && n > 1)
		return "--csv prints one RESULT: name one";
	return NULL;
}

static int run(const struct plot_options *options, const struct result *results, size_t n,
	       char *err, size_t errlen)
{
	const char *wrong = clash(options, n);
	int rc;

	if (wrong) {
		snprintf(err, errlen, "%s", wrong);
		return -EINVAL;
	}
	if (options->csv)
		rc = result_print_csv(results[0].summary, stdout);
	else if (options->json)
		rc = print_json(results, n);
	else
		rc = print_tables(options, results, n, err, errlen);
	if (rc < 0 && !*err)
		snprintf(err, errlen, "cannot print the summary: out of memory?");
	return rc;
}

const struct verb verb_table = {&command, "print the summary as text, CSV or JSON", LOAD_SUMMARY,
				run};

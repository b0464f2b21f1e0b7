/*
 * tandem-plot table: the summary of results as text, CSV or JSON on stdout.
 */
#include "plots/cmd.h"

#include <errno.h>
#include <stdio.h>

#include "common/results.h"

static const struct opt opts[] = {{.name = "csv",
				   .type = OPT_FLAG,
				   .offset = offsetof(struct plot_options, csv),
				   .group = "Output",
				   .help = "the columns of summary.csv (of one RESULT)"},
				  {.name = "json",
				   .type = OPT_FLAG,
				   .offset = offsetof(struct plot_options, json),
				   .help = "the rows with their trial records, as one array"},
				  {.name = NULL}};

static const char *const examples[] = {"tandem-plot table results/latest",
				       "forwarding rate, loss and latency by path and frame size",
				       "tandem-plot table --csv results/latest > latest.csv",
				       "the same for a spreadsheet", NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "table",
	.synopsis = "table RESULT... [options]",
	.summary = "Prints the summary of results: a row a path and frame size.",
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

static int run(const struct plot_options *options, const struct result *results, size_t n,
	       char *err, size_t errlen)
{
	int rc = 0;

	if (options->csv && (options->json || n > 1)) {
		snprintf(err, errlen,
			 options->json ? "give --csv or --json, not both"
				       : "--csv prints one RESULT, %zu were given",
			 n);
		return -EINVAL;
	}
	if (options->csv)
		rc = result_print_csv(results[0].summary, stdout);
	else if (options->json)
		rc = print_json(results, n);
	for (size_t r = 0; r < n && !options->csv && !options->json; r++) {
		if (n > 1)
			printf("%s%s\n", r ? "\n" : "", results[r].name);
		result_print_table(results[r].summary, stdout);
	}
	if (rc < 0)
		snprintf(err, errlen, "cannot print the summary: out of memory?");
	return rc;
}

const struct verb verb_table = {&command, "print the summary as text, CSV or JSON", run};

/*
 * tandem-plot compare: two results, figure by figure, and over a baseline.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plots/cmd.h"
#include "plots/compare.h"
#include "plots/compare_notes.h"

static int parse_fail_if(void *field, const char *text, char *err, size_t errlen)
{
	struct fail_list *list = field;
	struct fail_if checked;

	if (list->n == FAIL_IF_MAX) {
		snprintf(err, errlen, "--fail-if: at most %u conditions", FAIL_IF_MAX);
		return -EINVAL;
	}
	if (fail_if_parse(&checked, text, err, errlen))
		return -EINVAL;
	list->text[list->n++] = text;
	return 0;
}

static const struct opt opts[] = {
	PICTURE_OPTS,
	{.name = "baseline",
	 .type = OPT_STRING,
	 .offset = offsetof(struct plot_options, baseline),
	 .arg = "FILE",
	 .group = "Comparison",
	 .help = "a third result beside the two, in the table and in the pictures: a folder, or a "
		 "file of another instrument such as results/baselines/line-rate-10g.csv"},
	{.name = "paths",
	 .type = OPT_STRING,
	 .offset = offsetof(struct plot_options, paths),
	 .arg = "A,B",
	 .help = "the path of A and the path of B that are compared, such as io,kernel; default: "
		 "those of the same name"},
	{.name = "fail-if",
	 .type = OPT_PARSE,
	 .offset = offsetof(struct plot_options, fail_if),
	 .parse = parse_fail_if,
	 .arg = "CONDITION",
	 .help = "exit 1 where it holds for any path and size, such as 'forwarding<-2%' (of A) or "
		 "'loss>0.1' (in the table's unit); may be given several times. What is within "
		 "noise "
		 "does not count"},
	{.name = "no-pictures",
	 .type = OPT_FLAG,
	 .offset = offsetof(struct plot_options, no_pictures),
	 .help = "the table alone"},
	{.name = "csv",
	 .type = OPT_FLAG,
	 .offset = offsetof(struct plot_options, csv),
	 .group = "Table",
	 .help = "a row a metric, as CSV, and no pictures"},
	{.name = "json",
	 .type = OPT_FLAG,
	 .offset = offsetof(struct plot_options, json),
	 .help = "as JSON, and no pictures"},
	{.name = NULL}};

static const char *const examples[] = {
	"tandem-plot compare results/before results/after",
	"what has changed, and whether it is more than noise",
	"tandem-plot compare results/latest results/latest --paths io,kernel",
	"what the kernel path costs",
	"tandem-plot compare results/before results/after --fail-if 'forwarding<-2%' --no-pictures",
	"exit 1 where the forwarding rate fell by over 2 %, for use in CI",
	"tandem-plot compare results/old results/new --baseline "
	"results/baselines/line-rate-10g.csv",
	"with the line rate beside them",
	NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "compare",
	.synopsis = "compare A B [options]",
	.summary = "Compares two results: what was measured differently, then the median of each "
		   "metric by "
		   "path and frame size, their difference, and a mark where it is more than noise "
		   "(Mann-Whitney U test). Draws compare-throughput and compare-latency over B's.",
	.opts = opts,
	.examples = examples,
};

static int named_throughput(const struct figure_input *in, struct figure *figure, char *err,
			    size_t errlen)
{
	int rc = throughput_figure(in, figure, err, errlen);

	figure->name = "compare-throughput";
	return rc;
}

static int named_latency(const struct figure_input *in, struct figure *figure, char *err,
			 size_t errlen)
{
	int rc = latency_figure(in, figure, err, errlen);

	figure->name = "compare-latency";
	return rc;
}

/* One picture, beside B's results, in the folder or after the stem that --out says; what there is
 * no data for is none. */
static int draw_one(int (*make)(const struct figure_input *in, struct figure *figure, char *err,
				size_t errlen),
		    const char *what, const struct plot_options *options,
		    const struct result *results, size_t n, char *err, size_t errlen)
{
	const char *out = options->figure.out;
	struct plot_options own = *options;
	char stem[1100];
	struct stat st;
	int rc;

	if (!out) {
		own.figure.out = results[1].dir;
	} else if (out[strlen(out) - 1] != '/' && (stat(out, &st) || !S_ISDIR(st.st_mode))) {
		snprintf(stem, sizeof(stem), "%s-%s", out, what);
		own.figure.out = stem;
	}
	rc = write_figure(make, &own, results, n, err, errlen);
	return rc == -ENODATA ? 0 : rc;
}

static int draw(const struct plot_options *options, const struct result *results, size_t n,
		char *err, size_t errlen)
{
	int rc = draw_one(named_throughput, "throughput", options, results, n, err, errlen);

	return rc ? rc : draw_one(named_latency, "latency", options, results, n, err, errlen);
}

static int check_conditions(const struct plot_options *options, const struct comparison *c,
			    char *err, size_t errlen)
{
	for (size_t i = 0; i < options->fail_if.n; i++) {
		struct fail_if condition;
		const struct compare_row *row;

		if (fail_if_parse(&condition, options->fail_if.text[i], err, errlen))
			return -EINVAL;
		row = fail_if_holds(&condition, c);
		if (!row)
			continue;
		snprintf(err, errlen, "%s holds for %s, %u B: %+.2f %%", condition.text,
			 row->path_b, row->frame_size,
			 100 * compare_change(&row->cell[condition.metric]));
		return -EDOM; /* exit 1: a measurement failed */
	}
	return 0;
}

/* Where the two are given as one word: "io,kernel". */
static int split_paths(const struct plot_options *options, char *a, char *b, size_t len, char *err,
		       size_t errlen)
{
	const char *comma = options->paths ? strchr(options->paths, ',') : NULL;

	if (options->paths && (!comma || (size_t)(comma - options->paths) >= len ||
			       strlen(comma + 1) >= len || strchr(comma + 1, ','))) {
		snprintf(err, errlen, "--paths '%.40s': two names are needed, as io,kernel",
			 options->paths);
		return -EINVAL;
	}
	if (comma) {
		snprintf(a, len, "%.*s", (int)(comma - options->paths), options->paths);
		snprintf(b, len, "%s", comma + 1);
	}
	return 0;
}

static int run(const struct plot_options *options, const struct result *given, size_t n, char *err,
	       size_t errlen)
{
	struct comparison *c = malloc(sizeof(*c));
	struct result all[3] = {0};
	char path_a[64], path_b[64];
	const char *baseline = options->baseline;
	int rc = c ? split_paths(options, path_a, path_b, sizeof(path_a), err, errlen) : -ENOMEM;

	if (rc == 0 && n != 2) {
		snprintf(err, errlen, "name two RESULTs, A and B; a third one is --baseline");
		rc = -EINVAL;
	}
	if (rc == 0 && options->csv && options->json) {
		snprintf(err, errlen, "give --csv or --json, not both");
		rc = -EINVAL;
	}
	if (rc == 0 && baseline)
		rc = results_load(&baseline, 1, LOAD_TRIALS, &all[2], err, errlen) < 0 ? -EINVAL
										       : 0;
	if (rc == 0) {
		all[0] = given[0];
		all[1] = given[1];
		rc = compare_results(&all[0], &all[1], baseline ? &all[2] : NULL,
				     options->paths ? path_a : NULL, options->paths ? path_b : NULL,
				     c, err, errlen);
	}
	if (rc == 0) {
		compare_note(&all[0], &all[1], c);
		if (options->csv)
			compare_print_csv(c, stdout);
		else if (options->json)
			rc = compare_print_json(c, all[0].path, all[1].path, stdout);
		else
			compare_print(c, all[0].path, all[1].path, baseline, stdout);
	}
	if (rc == 0 && !options->csv && !options->json && !options->no_pictures)
		rc = draw(options, all, baseline ? 3 : 2, err, errlen);
	if (rc == 0)
		rc = check_conditions(options, c, err, errlen);
	results_free(&all[2], 1);
	free(c);
	return rc;
}

const struct verb verb_compare = {&command, "compare two results, with a baseline", LOAD_TRIALS,
				  run};

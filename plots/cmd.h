/*
 * The verbs of tandem-plot: a table in dispatch.c, a small file each.
 */
#ifndef TANDEM_PLOT_CMD_H
#define TANDEM_PLOT_CMD_H

#include "common/opts.h"
#include "plots/figure.h"

#define PLOT_PROGRAM "tandem-plot"

#define FAIL_IF_MAX 16u

/* Conditions of compare, as given. */
struct fail_list {
	size_t n;
	const char *text[FAIL_IF_MAX];
};

/* The command line of any verb; each verb's table of options says which of it the verb has. */
struct plot_options {
	struct figure_options figure;
	bool csv, json, less_floor;
	/* of compare */
	bool no_pictures;
	const char *baseline, *paths;
	struct fail_list fail_if;
};

struct verb {
	const struct opt_command *command;
	const char *brief; /* for the list of verbs */
	enum load load;	   /* what it needs of the trials */
	/* Does the work on what was read. Returns 0, or a negative errno with one line in err. */
	int (*run)(const struct plot_options *options, const struct result *results, size_t n,
		   char *err, size_t errlen);
};

extern const struct verb verb_throughput, verb_latency, verb_latency_load, verb_percentiles,
	verb_histogram, verb_loss, verb_cpu, verb_timeline, verb_spacing, verb_table, verb_report,
	verb_compare;

/* The program: finds the verb, reads options and results, runs it. Returns the exit status. */
int plot_main(int argc, char **argv);

/* As opt_document (common/opts_doc.h), of n verbs. */
int plot_document(const char *word, const struct verb *const *verbs, size_t n, FILE *out);

/* parse of struct opt for "svg", "png" or "svg,png" into a formats mask, and for "pps,l1,l2" into
 * an axis_list. */
int parse_formats(void *field, const char *text, char *err, size_t errlen);
int parse_axes(void *field, const char *text, char *err, size_t errlen);

/* The options that every picture has. */
#define PICTURE_OPTS                                                                           \
	{.name = "out",                                                                        \
	 .short_name = 'o',                                                                    \
	 .type = OPT_STRING,                                                                   \
	 .offset = offsetof(struct plot_options, figure.out),                                  \
	 .arg = "PATH",                                                                        \
	 .group = "Output",                                                                    \
	 .help = "where the pictures go: a folder, or the start of the file names, or a file " \
		 "name "                                                                       \
		 "that ends in .svg or .png; default: the first RESULT"},                      \
		{.name = "format",                                                             \
		 .type = OPT_PARSE,                                                            \
		 .offset = offsetof(struct plot_options, figure.formats),                      \
		 .parse = parse_formats,                                                       \
		 .arg = "LIST",                                                                \
		 .help = "svg, png or svg,png (default: both)"},                               \
	{                                                                                      \
		.name = "title", .type = OPT_STRING,                                           \
		.offset = offsetof(struct plot_options, figure.title), .arg = "TEXT",          \
		.help = "title of the picture instead of its own"                              \
	}

/* Collects the series of the results, makes the figure of them and writes it. As verb.run. */
int write_figure(int (*make)(const struct figure_input *in, struct figure *figure, char *err,
			     size_t errlen),
		 const struct plot_options *options, const struct result *results, size_t n,
		 char *err, size_t errlen);

#endif

/*
 * tandem-plot: curves and tables from result folders. A table of verbs; results are read before a
 * verb runs, so that all verbs tell what is wrong with them in the same words.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plots/cmd.h"
#include "plots/expand.h"

#define EXIT_FAILED 1
#define EXIT_USAGE  2

static const struct verb *const verbs[] = {&verb_throughput,  &verb_latency,   &verb_latency_load,
					   &verb_percentiles, &verb_histogram, &verb_loss,
					   &verb_cpu,	      &verb_timeline,  &verb_spacing,
					   &verb_table,	      &verb_report,    &verb_compare};
#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void help(FILE *out)
{
	fprintf(out, "Usage: " PLOT_PROGRAM " VERB RESULT... [options]\n\n"
		     "Curves, tables and reports of what tandem-gen measured. A RESULT is the "
		     "folder of a run, "
		     "such as\nresults/latest, or its trials.jsonl.\n\nVerbs:\n");
	for (size_t i = 0; i < N_VERBS; i++)
		fprintf(out, "  %-13s%s\n", verbs[i]->command->verb, verbs[i]->brief);
	fprintf(out,
		"\n" PLOT_PROGRAM " VERB --help tells a verb's options. Also: --help, --version.\n"
		"Exit: 0 done, 1 failed to write, 2 wrong usage or no such results.\n");
}

static int usage_error(const char *verb, const char *err)
{
	fprintf(stderr, PLOT_PROGRAM "%s%s: %s\n", verb ? " " : "", verb ? verb : "", err);
	return EXIT_USAGE;
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < N_VERBS; i++)
		if (strcmp(verbs[i]->command->verb, name) == 0)
			return verbs[i];
	return NULL;
}

static int unknown_verb(const char *name)
{
	char err[256];
	int at = name ? snprintf(err, sizeof(err), "unknown verb '%.40s'", name)
		      : snprintf(err, sizeof(err), "no verb given");

	for (size_t i = 0; i < N_VERBS; i++)
		at += snprintf(err + at, sizeof(err) - (size_t)at, "%s%s",
			       i ? ", " : ": known are ", verbs[i]->command->verb);
	snprintf(err + at, sizeof(err) - (size_t)at, " (see " PLOT_PROGRAM " --help)");
	return usage_error(NULL, err);
}

/* What the user got wrong or the results are without, against what failed although all was right.
 */
static int exit_status(int rc)
{
	return rc == -EINVAL || rc == -E2BIG || rc == -ENODATA ? EXIT_USAGE : EXIT_FAILED;
}

/* Reads the results and does the verb's work. Returns as verb.run. */
static int load_and_run(const struct verb *verb, const struct plot_options *options,
			const char *const *paths, size_t n, char *err, size_t errlen)
{
	struct result results[RESULTS_MAX];
	int rc = results_load(paths, n, verb->load, results, err, errlen);

	/* What cannot be read is what the user named. */
	if (rc < 0)
		rc = -EINVAL;
	else
		rc = verb->run(options, results, n, err, errlen);
	if (rc == 0 && fflush(stdout) != 0) {
		snprintf(err, errlen, "cannot write to stdout: %s", strerror(errno));
		rc = -EIO;
	}
	results_free(results, n);
	return rc;
}

static int run_verb(const struct verb *verb, const struct plot_options *options, const char **paths,
		    size_t n)
{
	struct plot_options own = *options;
	const char *first = paths[0];
	char err[512] = "", **owned;
	int rc = results_expand(paths, n, RESULTS_MAX, &owned, err, sizeof(err));

	/* What is made of a plan goes to its folder, not to that of its first test. */
	if (rc >= 0 && paths[0] != first && !own.figure.out)
		own.figure.out = first;
	if (rc >= 0)
		rc = load_and_run(verb, &own, paths, (size_t)rc, err, sizeof(err));
	results_expand_free(owned);
	if (rc < 0) {
		usage_error(verb->command->verb, err);
		return exit_status(rc);
	}
	return 0;
}

int plot_main(int argc, char **argv)
{
	struct plot_options options = {0};
	const char *paths[RESULTS_MAX];
	const struct verb *verb;
	char err[512] = "";
	size_t n = 0;

	if (argc < 2)
		return unknown_verb(NULL);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts(PLOT_PROGRAM " " TANDEM_VERSION);
		return 0;
	}
	if (plot_document(argv[1], verbs, N_VERBS, stdout) == 0)
		return 0;
	verb = find_verb(argv[1]);
	if (!verb)
		return unknown_verb(argv[1]);
	switch (opt_parse(verb->command, &options, argc - 2, argv + 2, paths, RESULTS_MAX, &n, err,
			  sizeof(err))) {
	case OPT_HELP:
		opt_help(verb->command, stdout);
		return 0;
	case OPT_VERSION:
		puts(PLOT_PROGRAM " " TANDEM_VERSION);
		return 0;
	case OPT_ERROR:
		return usage_error(argv[1], err);
	case OPT_OK:
		break;
	}
	if (n == 0)
		return usage_error(argv[1], "name a RESULT, such as results/latest");
	return run_verb(verb, &options, paths, n);
}

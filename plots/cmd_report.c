/*
 * tandem-plot report: one HTML file that tells all of a result.
 */
#include "plots/cmd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/results.h"
#include "plots/report.h"

#define DEFAULT_NAME "report.html"

static const struct opt opts[] = {
	{.name = "out",
	 .short_name = 'o',
	 .type = OPT_STRING,
	 .offset = offsetof(struct plot_options, figure.out),
	 .arg = "FILE",
	 .group = "Output",
	 .help = "the file, or a folder for " DEFAULT_NAME "; default: the first RESULT"},
	{.name = "title",
	 .type = OPT_STRING,
	 .offset = offsetof(struct plot_options, figure.title),
	 .arg = "TEXT",
	 .help = "title of the report instead of the run's"},
	{.name = NULL}};

static const char *const examples[] = {
	"tandem-plot report results/latest", "report.html in that folder",
	"tandem-plot report results/before results/after -o both.html",
	"two runs in one report, their curves in the same pictures", NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "report",
	.synopsis = "report RESULT... [options]",
	.summary =
		"Writes one HTML file that needs nothing beside it: verdicts and warnings, tables, "
		"curves, details of each frame size, how and where it was measured, and links to "
		"the raw records.",
	.opts = opts,
	.examples = examples,
};

/* Folder and name of the file. Returns 0 or -ENAMETOOLONG. */
static int place(const char *out, const struct result *first, char *dir, size_t dirlen,
		 const char **name)
{
	const char *slash = out ? strrchr(out, '/') : NULL;
	struct stat st;
	int len;

	*name = DEFAULT_NAME;
	if (!out || (stat(out, &st) == 0 && S_ISDIR(st.st_mode)) || (slash && !slash[1])) {
		len = snprintf(dir, dirlen, "%s", out ? out : first->dir);
	} else if (slash) {
		*name = slash + 1;
		len = snprintf(dir, dirlen, "%.*s", (int)(slash - out) + 1, out);
	} else {
		*name = out;
		len = snprintf(dir, dirlen, ".");
	}
	return len < (int)dirlen ? 0 : -ENAMETOOLONG;
}

static int run(const struct plot_options *options, const struct result *results, size_t n,
	       char *err, size_t errlen)
{
	struct report report = {.results = results, .n = n, .title = options->figure.title};
	char dir[1100], *text = NULL;
	const char *name;
	size_t size = 0;
	int rc;

	if (place(options->figure.out, &results[0], dir, sizeof(dir), &name)) {
		snprintf(err, errlen, "the name of the report is too long");
		return -EINVAL;
	}
	if (!realpath(dir, report.dir)) {
		snprintf(err, errlen, "cannot write %s/%s: %s", dir, name, strerror(errno));
		return -EIO;
	}
	report.out = open_memstream(&text, &size);
	rc = report.out ? report_write_html(&report, err, errlen) : -ENOMEM;
	if (report.out && fclose(report.out) && rc == 0)
		rc = -ENOMEM;
	if (rc == 0)
		rc = result_write_file(dir, name, text, size, err, errlen);
	else if (!*err)
		snprintf(err, errlen, "cannot make the report: %s", strerror(-rc));
	free(text);
	if (rc == 0)
		printf("%s%s%s\n", strcmp(dir, ".") ? dir : "",
		       strcmp(dir, ".") == 0 || dir[strlen(dir) - 1] == '/' ? "" : "/", name);
	return rc;
}

const struct verb verb_report = {&command, "write all of it as one HTML file", LOAD_TRIALS, run};

/*
 * The page around the sections.
 */
#include "plots/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/results.h"
#include "plots/html.h"

static void put_title(const struct report *report)
{
	const char *title = report->title;

	for (size_t i = 0; i < report->n && !title; i++)
		title = result_str(report->results[i].run, "title");
	if (title && (report->title || report->n == 1)) {
		html_text(report->out, title);
		return;
	}
	for (size_t i = 0; i < report->n; i++) {
		fputs(i ? ", " : "", report->out);
		html_text(report->out, report->results[i].name);
	}
}

static void put_head(const struct report *report)
{
	FILE *out = report->out;
	char origin[512];

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"tandem-plot " TANDEM_VERSION "\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      out);
	put_title(report);
	fputs(" - Tandem report</title>\n<style>\n", out);
	fputs(report_style, out);
	fputs("</style>\n</head>\n<body>\n<header>\n<p class=\"kicker\">Tandem report</p>\n<h1>",
	      out);
	put_title(report);
	fputs("</h1>\n<p class=\"origin\">", out);
	html_text(out, results_origin(report->results, report->n, origin, sizeof(origin)));
	fputs("</p>\n</header>\n", out);
}

/* Links to the sections that are there. */
static void put_contents(FILE *out, const char *body)
{
	static const struct {
		const char *id, *name;
	} links[] = {{"verdict", "Verdict"},	     {"glance", "At a glance"},
		     {"tables", "Tables"},	     {"curves", "Curves"},
		     {"details", "Details"},	     {"method", "Method"},
		     {"environment", "Environment"}, {"records", "Raw records"}};
	char section[48];

	fputs("<nav aria-label=\"Contents\"><ul>\n", out);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		snprintf(section, sizeof(section), "<section id=\"%s\"", links[i].id);
		if (strstr(body, section))
			fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n", links[i].id,
				links[i].name);
	}
	fputs("</ul></nav>\n", out);
}

static int put_sections(const struct report *report, char *err, size_t errlen)
{
	int rc;

	report_verdicts(report);
	report_glance(report);
	report_tables(report);
	rc = report_figures(report, err, errlen);
	if (rc < 0)
		return rc;
	report_details(report);
	report_method(report);
	report_environment(report);
	report_files(report);
	return 0;
}

int report_write_html(const struct report *report, char *err, size_t errlen)
{
	struct report inner = *report;
	char *body = NULL;
	size_t size = 0;
	int rc;

	inner.out = open_memstream(&body, &size);
	rc = inner.out ? put_sections(&inner, err, errlen) : -ENOMEM;
	if (inner.out && fclose(inner.out) && rc == 0)
		rc = -ENOMEM;
	if (rc == 0) {
		put_head(report);
		put_contents(report->out, body);
		fprintf(report->out,
			"<main>\n%s</main>\n<footer>\n<p>Made by tandem-plot " TANDEM_VERSION
			" from the records named above. Unknown figures are shown as -.</p>\n"
			"</footer>\n</body>\n</html>\n",
			body);
	}
	free(body);
	return rc;
}

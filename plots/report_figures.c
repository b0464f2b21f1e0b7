/*
 * All pictures that the results have data for, as SVG within the page.
 */
#include "plots/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figures.h"
#include "plots/html.h"

static const figure_maker makers[] = {throughput_figure, latency_figure,     latency_load_figure,
				      loss_figure,	 percentiles_figure, histogram_figure,
				      cpu_figure,	 timeline_figure,    spacing_figure};

/* Writes one picture without the lines that only a file of its own has. Returns 0 or a negative
 * errno. */
static int put_picture(const struct report *report, const struct figure *figure,
		       const struct figure_input *in, char *err, size_t errlen)
{
	char *data = NULL;
	const char *svg;
	size_t len = 0;
	int rc = figure_render(figure, in, CANVAS_SVG, &data, &len, err, errlen);

	if (rc < 0)
		return rc;
	svg = strstr(data, "<svg");
	fputs("<figure>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
	      report->out);
	html_text(report->out, figure->title);
	fputs("\">\n", report->out);
	if (svg)
		fwrite(svg, 1, len - (size_t)(svg - data), report->out);
	fputs("</div>\n</figure>\n", report->out);
	free(data);
	return 0;
}

int report_figures(const struct report *report, char *err, size_t errlen)
{
	const struct figure_options options = {.formats = 1u << CANVAS_SVG};
	struct series_set set;
	struct figure_input in = {&options, report->results, report->n, &set};
	struct figure figure;
	char none[256];
	bool any = false;
	int rc = series_collect(report->results, report->n, &set, none, sizeof(none));

	if (rc == -E2BIG) {
		report_section(report, "curves", "Curves");
		fputs("<p class=\"note\">", report->out);
		html_text(report->out, none);
		fputs("</p>\n</section>\n", report->out);
		return 0;
	}
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]) && rc >= 0; i++) {
		/* What the results have no data for is no picture of this report. */
		if (makers[i](&in, &figure, none, sizeof(none)) < 0)
			continue;
		if (!any)
			report_section(report, "curves", "Curves");
		any = true;
		rc = put_picture(report, &figure, &in, err, errlen);
	}
	if (any)
		fputs("</section>\n", report->out);
	return rc;
}

/*
 * The first thing to read: how many trials are valid, disturbed or invalid, why, and what could not
 * be read.
 */
#include "plots/report.h"

#include <math.h>

#include "common/results.h"
#include "plots/html.h"

static const struct {
	const char *name, *means;
} verdicts[] = {
	[TRIAL_VALID] = {"valid", "All trials are valid: the accounts close and the host did not "
				  "get in the way."},
	[TRIAL_DISTURBED] =
		{"disturbed",
		 "The figures stand, but the host got in the way of the trials marked "
		 "d: it took cores away, or the generator missed frames or fell short "
		 "of the asked rate. Clean latency is without the generator's own stalls."},
	[TRIAL_INVALID] = {"invalid", "Some trials are invalid (marked !): their counters are "
				      "impossible, no frame came back or the link was lost. Their "
				      "figures are not to be used."},
};

/* "io path, ports 0>0, 64 bytes, max": the first trial that had a reason. */
static void put_where(const struct report *report, const json_t *kind)
{
	double count = result_num(kind, "count"), size = result_num(kind, "frame_size");
	char title[160];

	fputs(" <span class=\"where\">", report->out);
	if (count > 1)
		html_textf(report->out, "%.0f trials, the first: ", count);
	if (!isnan(result_num(kind, "trial")))
		html_textf(report->out, "trial %.0f, ", result_num(kind, "trial"));
	html_text(report->out, report_row_title(kind, title, sizeof(title)));
	if (!isnan(size))
		html_textf(report->out, ", %.0f bytes", size);
	html_textf(report->out, ", %s",
		   isnan(result_num(kind, "rate_requested_pps")) ? "max" : "paced");
	fputs("</span>", report->out);
}

static void put_reasons(const struct report *report, const struct result *r)
{
	const char *key;
	json_t *kind;

	if (!json_object_size(r->reasons))
		return;
	fputs("<h3>Reasons</h3>\n<ul class=\"reasons\">\n", report->out);
	json_object_foreach (r->reasons, key, kind) {
		fputs("<li>", report->out);
		html_text(report->out, result_str(kind, "text"));
		put_where(report, kind);
		fputs("</li>\n", report->out);
	}
	fputs("</ul>\n", report->out);
}

static void put_list(const struct report *report, const char *heading, const json_t *texts)
{
	if (!json_array_size(texts))
		return;
	fprintf(report->out, "<h3>%s</h3>\n<ul class=\"warnings\">\n", heading);
	for (size_t i = 0; i < json_array_size(texts); i++) {
		fputs("<li>", report->out);
		html_value(report->out, json_array_get(texts, i));
		fputs("</li>\n", report->out);
	}
	fputs("</ul>\n", report->out);
}

static void put_counts(const struct report *report, const struct result *r)
{
	size_t count[3] = {0}, worst = TRIAL_VALID;

	for (size_t i = 0; i < r->trials.n; i++)
		count[r->trials.trial[i].verdict]++;
	for (size_t v = 0; v < 3; v++)
		if (count[v])
			worst = v;
	fprintf(report->out, "<div class=\"banner %s\">\n<p class=\"counts\">",
		verdicts[worst].name);
	for (size_t v = 0; v < 3; v++)
		fprintf(report->out, "<span class=\"chip %s%s\"><b>%zu</b> %s</span> ",
			verdicts[v].name, count[v] ? "" : " none", count[v], verdicts[v].name);
	fprintf(report->out, "<span class=\"of\">of %zu trials</span></p>\n<p>", r->n_trials);
	html_text(report->out, verdicts[worst].means);
	fputs("</p>\n</div>\n", report->out);
}

void report_verdicts(const struct report *report)
{
	report_section(report, "verdict", "Verdict");
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		put_counts(report, r);
		put_list(report, "Left out of this report", r->warnings);
		put_list(report, "Warnings of the run", json_object_get(r->run, "warnings"));
		put_reasons(report, r);
	}
	fputs("</section>\n", report->out);
}

/*
 * The tables that tandem-plot table prints: the summary, and what test methods found.
 */
#include "plots/report.h"

#include "common/results.h"
#include "plots/html.h"

struct tables {
	const struct report *report;
	struct column columns[SUMMARY_COLUMNS + 1];
	bool marked, tests;
};

static void put_block(void *context, const json_t *rows)
{
	struct tables *t = context;
	char title[160];

	t->marked |= html_table(t->report->out,
				report_row_title(json_array_get(rows, 0), title, sizeof(title)),
				t->columns, rows, NULL);
}

static void put_reason(void *context, const json_t *test, const char *text)
{
	const struct tables *t = context;

	html_textf(t->report->out, "%.0f bytes: ", result_num(test, "frame_size"));
	html_text(t->report->out, text);
	fputs("<br>\n", t->report->out);
}

static void put_part(void *context, const struct report_part *part)
{
	struct tables *t = context;
	char title[160], caption[320];
	const json_t *test = json_object_get(json_array_get(part->rows, 0), "test");

	snprintf(caption, sizeof(caption), "%s, %s", part->page->title,
		 report_row_title(test, title, sizeof(title)));
	t->marked |= html_table(t->report->out, caption, part->columns, part->rows, report_remark);
	if (part->last) {
		fputs("<p class=\"below\">", t->report->out);
		report_each_reason(part->rows, put_reason, t);
		fputs("</p>\n", t->report->out);
	}
}

void report_tables(const struct report *report)
{
	struct tables t = {.report = report};

	report_section(report, "tables", "Tables");
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		summary_columns(r->summary, t.columns);
		summary_each_block(r->summary, put_block, &t);
		t.tests |= json_array_size(r->tests) > 0;
		report_each(r->tests, put_part, &t);
	}
	fputs("<p class=\"note\">" SUMMARY_NOTE " Rates at max are forwarding rates (RFC 2285); a "
	      "throughput (RFC 1242) is found by a search.",
	      report->out);
	if (t.tests)
		fputs(" theory: frames a second that the line rate allows; - where the link has "
		      "none.",
		      report->out);
	if (t.marked)
		fputs(" d disturbed: the figures stand, the host got in the way. ! invalid: not to "
		      "be "
		      "used.",
		      report->out);
	fputs("</p>\n</section>\n", report->out);
}

/*
 * The few figures that people ask for first, a card a path: the highest rates, the round trip,
 * loss; and what test methods found.
 */
#include "plots/report.h"

#include <math.h>
#include <string.h>

#include "common/results.h"
#include "common/table.h"
#include "common/units.h"
#include "plots/html.h"

/* The row with the largest value there; NULL where none has one. */
static const json_t *largest(const json_t *rows, const char *where)
{
	const json_t *found = NULL, *row;
	double most = -1;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		row = json_array_get(rows, i);
		if (result_num(row, where) > most) {
			most = result_num(row, where);
			found = row;
		}
	}
	return found;
}

/* The smallest frame size with a value there: rows stand in their order. */
static const json_t *smallest_size(const json_t *rows, const char *where)
{
	for (size_t i = 0; i < json_array_size(rows); i++)
		if (!isnan(result_num(json_array_get(rows, i), where)))
			return json_array_get(rows, i);
	return NULL;
}

static void put_term(const struct report *report, const char *term)
{
	fprintf(report->out, "<dt>%s</dt><dd>", term);
}

/* "<b>9.50 Mpps</b> at 64 bytes", the trial's mark behind the figure. */
static void put_figure(const struct report *report, const char *figure, const json_t *row,
		       const json_t *trial)
{
	const char mark = trial ? table_mark(trial) : ' ';

	fputs("<b>", report->out);
	html_text(report->out, figure);
	fputs("</b>", report->out);
	if (mark != ' ')
		fprintf(report->out, " <abbr class=\"mark %s\" title=\"%s\">%c</abbr>",
			mark == 'd' ? "disturbed" : "invalid",
			mark == 'd' ? "disturbed" : "invalid", mark);
	if (!isnan(result_num(row, "frame_size")))
		html_textf(report->out, " at %.0f bytes", result_num(row, "frame_size"));
}

static void put_rates(const struct report *report, const json_t *rows)
{
	const json_t *row = largest(rows, "max.rx.pps");
	char text[64];

	if (!row)
		return;
	put_term(report, "Forwarding rate");
	put_figure(report, si_format(result_num(row, "max.rx.pps"), "pps", text, sizeof(text)), row,
		   json_object_get(row, "max"));
	row = largest(rows, "max.rx.l1_bps");
	if (row) {
		fputs("<br>", report->out);
		put_figure(
			report,
			si_format(result_num(row, "max.rx.l1_bps"), "bit/s L1", text, sizeof(text)),
			row, json_object_get(row, "max"));
	}
	fputs("</dd>\n", report->out);
}

static void put_latency(const struct report *report, const json_t *rows)
{
	const json_t *row = smallest_size(rows, "paced.latency_ns.p50");
	char text[64];

	if (!row)
		return;
	put_term(report, "Round trip, median");
	put_figure(report, ns_format(result_num(row, "paced.latency_ns.p50"), text, sizeof(text)),
		   row, json_object_get(row, "paced"));
	html_textf(
		report->out, ", offered %s",
		si_format(result_num(row, "paced.rate_requested_pps"), "pps", text, sizeof(text)));
	fputs("<br>p99 ", report->out);
	html_text(report->out,
		  ns_format(result_num(row, "paced.latency_ns.p99"), text, sizeof(text)));
	if (!isnan(result_num(row, "paced.latency_clean_ns.p99")))
		html_textf(report->out, ", clean %s",
			   ns_format(result_num(row, "paced.latency_clean_ns.p99"), text,
				     sizeof(text)));
	fputs("</dd>\n", report->out);
}

static void put_loss(const struct report *report, const json_t *rows)
{
	const json_t *row = largest(rows, "paced.loss_ratio");
	double loss = row ? result_num(row, "paced.loss_ratio") : NAN;
	char text[64];

	if (!row)
		return;
	put_term(report, "Highest loss, paced");
	if (loss == 0) {
		fputs("<b>none</b> at any size</dd>\n", report->out);
		return;
	}
	snprintf(text, sizeof(text), loss < 0.5e-6 ? "less than 0.0001 %%" : "%.4f %%", loss * 100);
	put_figure(report, text, row, json_object_get(row, "paced"));
	fputs("</dd>\n", report->out);
}

static void put_card(void *context, const json_t *rows)
{
	const struct report *report = context;
	char title[160];

	fputs("<div class=\"card\">\n<h3>", report->out);
	html_text(report->out, report_row_title(json_array_get(rows, 0), title, sizeof(title)));
	fputs("</h3>\n<dl>\n", report->out);
	put_rates(report, rows);
	put_latency(report, rows);
	put_loss(report, rows);
	fputs("</dl>\n</div>\n", report->out);
}

/* Of a throughput test or an MLRsearch: what is found is a rate. */
static bool is_search(const json_t *test)
{
	const char *name = result_str(test, "test");

	return name && (!strcmp(name, "throughput") || !strcmp(name, "mlrsearch"));
}

/* What a search found, a line a frame size and goal; bounds and the lack of a result in words. */
static void put_search(void *context, const struct report_part *part)
{
	const struct report *report = context;
	const json_t *first = json_object_get(json_array_get(part->rows, 0), "test");
	char title[160], text[192];

	if (!is_search(first))
		return;
	fputs("<div class=\"card\">\n<h3>", report->out);
	html_textf(report->out, "%s, %s", part->page->title,
		   report_row_title(first, title, sizeof(title)));
	fputs("</h3>\n<dl>\n", report->out);
	for (size_t i = 0; i < json_array_size(part->rows); i++) {
		const json_t *row = json_array_get(part->rows, i);
		const char *goal = result_str(row, "item.name");
		double pps = result_num(row, "result_pps");

		fputs("<dt>", report->out);
		html_textf(report->out, "%.0f bytes%s%s", result_num(row, "test.frame_size"),
			   goal ? ", " : "", goal ? goal : "");
		fputs("</dt><dd>", report->out);
		if (!isnan(pps))
			put_figure(report, si_format(pps, "pps", text, sizeof(text)), NULL, NULL);
		report_remark(row, text, sizeof(text));
		html_textf(report->out, "%s%s", !isnan(pps) && *text ? ", " : "", text);
		fputs("</dd>\n", report->out);
	}
	fputs("</dl>\n</div>\n", report->out);
}

static bool any_card(const struct result *r)
{
	for (size_t i = 0; i < json_array_size(r->tests); i++)
		if (is_search(json_array_get(r->tests, i)))
			return true;
	return json_array_size(r->summary);
}

void report_glance(const struct report *report)
{
	bool any = false;

	for (size_t i = 0; i < report->n; i++)
		any |= any_card(&report->results[i]);
	if (!any)
		return;
	report_section(report, "glance", "At a glance");
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		fputs("<div class=\"cards\">\n", report->out);
		summary_each_block(r->summary, put_card, (void *)(uintptr_t)report);
		report_each(r->tests, put_search, (void *)(uintptr_t)report);
		fputs("</div>\n", report->out);
	}
	fputs("</section>\n", report->out);
}

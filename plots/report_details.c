/*
 * Each frame size folded: all that its two trials say, side by side, or all that a test found.
 */
#include "plots/report.h"

#include <math.h>
#include <string.h>

#include "common/results.h"
#include "common/table.h"
#include "plots/html.h"

enum show {
	SHOW_VALUE,  /* as it stands in the record */
	SHOW_NUMBER, /* times scale, with so many decimals */
	SHOW_LOSS
};

/* A line of the table; where is NULL for a heading. */
static const struct line {
	const char *name, *where;
	enum show show;
	double scale;
	int decimals;
} lines[] = {
	{"Trial", NULL, SHOW_VALUE, 0, 0},
	{"verdict", "verdict", SHOW_VALUE, 0, 0},
	{"number", "trial", SHOW_VALUE, 0, 0},
	{"started", "started", SHOW_VALUE, 0, 0},
	{"duration, s", "duration_s.actual", SHOW_NUMBER, 1, 4},
	{"burst, frames", "burst", SHOW_VALUE, 0, 0},
	{"flows", "flows", SHOW_VALUE, 0, 0},
	{"on a full ring", "on_full", SHOW_VALUE, 0, 0},
	{"Sent", NULL, SHOW_VALUE, 0, 0},
	{"asked rate, kpps", "rate_requested_pps", SHOW_NUMBER, 1e-3, 3},
	{"sent, kpps", "tx.pps", SHOW_NUMBER, 1e-3, 3},
	{"sent, Gbit/s L1", "tx.l1_bps", SHOW_NUMBER, 1e-9, 3},
	{"sent, Gbit/s L2", "tx.l2_bps", SHOW_NUMBER, 1e-9, 3},
	{"rate error, ppm", "tx.rate_error_ppm", SHOW_NUMBER, 1, 2},
	{"offered, frames", "tx.offered", SHOW_VALUE, 0, 0},
	{"sent, frames", "tx.sent", SHOW_VALUE, 0, 0},
	{"refused, frames", "tx.refused", SHOW_VALUE, 0, 0},
	{"unsent, frames", "tx.unsent", SHOW_VALUE, 0, 0},
	{"backpressured, bursts", "tx.backpressured", SHOW_VALUE, 0, 0},
	{"lateness p99, us", "tx.lateness_ns.p99", SHOW_NUMBER, 1e-3, 3},
	{"Received", NULL, SHOW_VALUE, 0, 0},
	{"received, kpps", "rx.pps", SHOW_NUMBER, 1e-3, 3},
	{"received, Gbit/s L1", "rx.l1_bps", SHOW_NUMBER, 1e-9, 3},
	{"received, Gbit/s L2", "rx.l2_bps", SHOW_NUMBER, 1e-9, 3},
	{"received, frames", "rx.received", SHOW_VALUE, 0, 0},
	{"lost, frames", "rx.lost", SHOW_VALUE, 0, 0},
	{"loss, %", "loss_ratio", SHOW_LOSS, 0, 0},
	{"lost in the generator's stalls", "rx.lost_in_gen_stall", SHOW_VALUE, 0, 0},
	{"lost in the DUT's stalls", "rx.lost_in_dut_stall", SHOW_VALUE, 0, 0},
	{"longest loss run, frames", "rx.longest_loss_run", SHOW_VALUE, 0, 0},
	{"duplicate", "rx.duplicate", SHOW_VALUE, 0, 0},
	{"reordered", "rx.reordered", SHOW_VALUE, 0, 0},
	{"corrupt", "rx.corrupt", SHOW_VALUE, 0, 0},
	{"foreign", "rx.foreign", SHOW_VALUE, 0, 0},
	{"missed by the generator", "rx.gen_missed", SHOW_VALUE, 0, 0},
#define LATENCY(name, view)                                                           \
	{name, NULL, SHOW_VALUE, 0, 0}, {"samples", view ".count", SHOW_VALUE, 0, 0}, \
		{"min", view ".min", SHOW_NUMBER, 1e-3, 3},                           \
		{"mean", view ".mean", SHOW_NUMBER, 1e-3, 3},                         \
		{"p50", view ".p50", SHOW_NUMBER, 1e-3, 3},                           \
		{"p90", view ".p90", SHOW_NUMBER, 1e-3, 3},                           \
		{"p99", view ".p99", SHOW_NUMBER, 1e-3, 3},                           \
		{"p99.9", view ".p999", SHOW_NUMBER, 1e-3, 3},                        \
		{"p99.99", view ".p9999", SHOW_NUMBER, 1e-3, 3},                      \
		{"max", view ".max", SHOW_NUMBER, 1e-3, 3},                           \
		{"standard deviation", view ".stdev", SHOW_NUMBER, 1e-3, 3},          \
		{"PDV (p99.9 - min)", view ".pdv", SHOW_NUMBER, 1e-3, 3},             \
	{                                                                             \
		"jitter (RFC 3550)", view ".jitter", SHOW_NUMBER, 1e-3, 3             \
	}
	LATENCY("Latency, us", "latency_ns"),
	LATENCY("Clean latency, us", "latency_clean_ns"),
	{"Stalls and DUT", NULL, SHOW_VALUE, 0, 0},
	{"generator's stalls", "stalls.count", SHOW_VALUE, 0, 0},
	{"longest, ms", "stalls.max_ns", SHOW_NUMBER, 1e-6, 3},
	{"in all, ms", "stalls.total_ns", SHOW_NUMBER, 1e-6, 3},
	{"DUT's stalls", "dut.stalls.count", SHOW_VALUE, 0, 0},
	{"DUT's, in all, ms", "dut.stalls.total_ns", SHOW_NUMBER, 1e-6, 3},
	{"DUT's CPU busy, %", "dut.cpu_busy", SHOW_NUMBER, 100, 1},
	{"DUT's cycles a frame", "dut.cycles_per_frame", SHOW_NUMBER, 1, 1},
	{"DUT rx missed, frames", "dut.rx_missed", SHOW_VALUE, 0, 0},
	{"DUT tx dropped, frames", "dut.tx_dropped", SHOW_VALUE, 0, 0},
	{"DUT kernel dropped, frames", "dut.kernel_dropped", SHOW_VALUE, 0, 0},
};

static const char *const kinds[] = {"max", "paced"};

static void put_loss(FILE *out, double ratio)
{
	char text[64];
	FILE *cell = fmemopen(text, sizeof(text), "w");

	if (!cell)
		return;
	table_loss(cell, 40, ratio);
	fclose(cell);
	html_text(out, text + strspn(text, " "));
}

static void put_value(FILE *out, const struct line *line, const json_t *trial)
{
	const json_t *value = result_get(trial, line->where);

	fputs("<td>", out);
	if (line->show == SHOW_VALUE || !json_is_number(value))
		html_value(out, value);
	else if (line->show == SHOW_LOSS)
		put_loss(out, json_number_value(value));
	else
		html_textf(out, "%.*f", line->decimals, json_number_value(value) * line->scale);
	fputs("</td>", out);
}

static bool known(const struct line *line, const json_t *row)
{
	for (size_t k = 0; k < 2; k++) {
		const json_t *value = result_get(json_object_get(row, kinds[k]), line->where);

		if (value && !json_is_null(value))
			return true;
	}
	return false;
}

static void put_lines(FILE *out, const json_t *row, const bool *shown, int n_shown)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!lines[i].where) {
			fprintf(out,
				"<tr><th colspan=\"%d\" scope=\"colgroup\" class=\"group\">%s</th>"
				"</tr>\n",
				n_shown + 1, lines[i].name);
			continue;
		}
		if (!known(&lines[i], row))
			continue;
		fprintf(out, "<tr><th scope=\"row\">%s</th>", lines[i].name);
		for (size_t k = 0; k < 2; k++)
			if (shown[k])
				put_value(out, &lines[i], json_object_get(row, kinds[k]));
		fputs("</tr>\n", out);
	}
}

static void put_hgrm_links(const struct report *report, const struct result *r, const json_t *row,
			   const bool *shown)
{
	char name[256];
	bool any = false;

	for (size_t k = 0; k < 2; k++) {
		if (!shown[k] ||
		    !report_hgrm(r, json_object_get(row, kinds[k]), name, sizeof(name)))
			continue;
		fputs(any ? ", " : "<p class=\"below\">Percentiles: ", report->out);
		report_link(report, r, name, kinds[k]);
		any = true;
	}
	if (any)
		fputs("</p>\n", report->out);
}

static void put_reasons(FILE *out, const json_t *row)
{
	for (size_t k = 0; k < 2; k++) {
		const json_t *reasons = result_get(json_object_get(row, kinds[k]), "reasons");

		if (!json_array_size(reasons))
			continue;
		fprintf(out, "<p class=\"below\">%s: ", kinds[k]);
		html_value(out, reasons);
		fputs("</p>\n", out);
	}
}

static void put_row(const struct report *report, const struct result *r, const json_t *row)
{
	FILE *out = report->out;
	bool shown[2];
	char title[160], label[240];
	int n_shown = 0;

	for (size_t k = 0; k < 2; k++) {
		shown[k] = json_is_object(json_object_get(row, kinds[k]));
		n_shown += shown[k];
	}
	report_row_title(row, title, sizeof(title));
	if (isnan(result_num(row, "frame_size")))
		snprintf(label, sizeof(label), "%s, a mix of sizes", title);
	else
		snprintf(label, sizeof(label), "%s, %.0f bytes", title,
			 result_num(row, "frame_size"));
	fputs("<details>\n<summary>", out);
	html_text(out, label);
	for (size_t k = 0; k < 2; k++) {
		const char mark = table_mark(json_object_get(row, kinds[k]));

		if (shown[k])
			fprintf(out, " <span class=\"chip %s\">%s</span>",
				mark == ' '   ? "valid"
				: mark == 'd' ? "disturbed"
					      : "invalid",
				kinds[k]);
	}
	fputs("</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
	      out);
	html_text(out, label);
	fputs("\">\n<table class=\"detail\">\n<thead><tr><td></td>", out);
	for (size_t k = 0; k < 2; k++)
		if (shown[k])
			fprintf(out, "<th scope=\"col\">%s</th>", kinds[k]);
	fputs("</tr></thead>\n<tbody>\n", out);
	put_lines(out, row, shown, n_shown);
	fputs("</tbody>\n</table>\n</div>\n", out);
	put_reasons(out, row);
	put_hgrm_links(report, r, row, shown);
	fputs("</details>\n", out);
}

/* All of a test's record. */
static void put_test(const struct report *report, const json_t *test)
{
	FILE *out = report->out;
	const char *name = result_str(test, "test"), *outcome = result_str(test, "outcome");
	char title[160], label[260];

	snprintf(label, sizeof(label), "%.20s, %s", name ? name : "test",
		 report_row_title(test, title, sizeof(title)));
	if (!isnan(result_num(test, "frame_size")))
		snprintf(label + strlen(label), sizeof(label) - strlen(label), ", %.0f bytes",
			 result_num(test, "frame_size"));
	fputs("<details>\n<summary>", out);
	html_text(out, label);
	fputs(" <span class=\"chip\">", out);
	html_text(out, outcome ? outcome : "-");
	fputs("</span></summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	      "aria-label=\"",
	      out);
	html_text(out, label);
	fputs("\">\n<table class=\"facts\">\n<tbody>\n", out);
	report_fields(out, "", test);
	fputs("</tbody>\n</table>\n</div>\n</details>\n", out);
}

void report_details(const struct report *report)
{
	size_t rows = 0, tests = 0;

	for (size_t i = 0; i < report->n; i++) {
		rows += json_array_size(report->results[i].summary);
		tests += json_array_size(report->results[i].tests);
	}
	if (!rows && !tests)
		return;
	report_section(report, "details", "Details of each frame size");
	if (rows)
		fputs("<p class=\"note\">max: as fast as the port takes frames. paced: at a "
		      "rate.</p>\n",
		      report->out);
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		for (size_t row = 0; row < json_array_size(r->summary); row++)
			put_row(report, r, json_array_get(r->summary, row));
		for (size_t t = 0; t < json_array_size(r->tests); t++)
			put_test(report, json_array_get(r->tests, t));
	}
	fputs("</section>\n", report->out);
}

/*
 * The first thing to read: how many trials are valid, disturbed or invalid, why, and what could not
 * be read. Reasons that differ in their numbers alone are told once.
 */
#include "plots/report.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "common/results.h"
#include "plots/html.h"

#define REASONS_MAX 40u /* kinds of reasons that are told */

static const struct {
	const char *name, *means;
} verdicts[] = {
	[TRIAL_VALID] = {"valid", "All trials are valid: the accounts close and the host did not "
				  "get in the way."},
	[TRIAL_DISTURBED] =
		{"disturbed",
		 "The figures stand, but the host got in the way of some trials (marked "
		 "d): it took cores away, or the generator missed frames or fell short "
		 "of the asked rate. Clean latency is without the generator's own stalls."},
	[TRIAL_INVALID] = {"invalid", "Some trials are invalid (marked !): their counters are "
				      "impossible, no frame came back or the link was lost. Their "
				      "figures are not to be used."},
};

/* A reason with its numbers left out: what it has in common with others of its kind. */
static void kind_of(const char *reason, char *kind, size_t len)
{
	size_t n = 0;

	for (; *reason && n + 1 < len; reason++) {
		bool digit = isdigit((unsigned char)*reason);

		if (digit || (*reason == '.' && n && kind[n - 1] == '#')) {
			if (!n || kind[n - 1] != '#')
				kind[n++] = '#';
			continue;
		}
		kind[n++] = *reason;
	}
	kind[n] = '\0';
}

/* Takes the reasons of one trial into kinds: an object of {"text", "where", "count"}. */
static void take_reasons(json_t *kinds, const json_t *row, const char *which)
{
	const json_t *trial = json_object_get(row, which);
	const json_t *reasons = json_object_get(trial, "reasons");
	char kind[256], where[160], title[96];

	for (size_t i = 0; i < json_array_size(reasons); i++) {
		const char *text = json_string_value(json_array_get(reasons, i));
		json_t *known;

		if (!text)
			continue;
		kind_of(text, kind, sizeof(kind));
		known = json_object_get(kinds, kind);
		if (known) {
			json_int_t count = json_integer_value(json_object_get(known, "count"));

			json_object_set_new(known, "count", json_integer(count + 1));
		} else if (json_object_size(kinds) < REASONS_MAX) {
			snprintf(where, sizeof(where), "%s, %.0f bytes, %s",
				 report_row_title(row, title, sizeof(title)),
				 result_num(row, "frame_size"), which);
			json_object_set_new(kinds, kind,
					    json_pack("{s:s, s:s, s:i}", "text", text, "where",
						      where, "count", 1));
		}
	}
}

static void put_reasons(const struct report *report, const struct result *r)
{
	json_t *kinds = json_object(), *kind;
	const char *key;
	size_t i;
	json_t *row;

	json_array_foreach (r->summary, i, row) {
		take_reasons(kinds, row, "max");
		take_reasons(kinds, row, "paced");
	}
	if (json_object_size(kinds)) {
		fputs("<h3>Reasons, in the trials of the tables</h3>\n<ul class=\"reasons\">\n",
		      report->out);
		json_object_foreach (kinds, key, kind) {
			double count = result_num(kind, "count");

			fputs("<li>", report->out);
			html_text(report->out, result_str(kind, "text"));
			fputs(" <span class=\"where\">", report->out);
			if (count > 1)
				html_textf(report->out, "%.0f trials, the first: ", count);
			html_text(report->out, result_str(kind, "where"));
			fputs("</span></li>\n", report->out);
		}
		fputs("</ul>\n", report->out);
	}
	json_decref(kinds);
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

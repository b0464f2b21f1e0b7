/*
 * How evenly the generator's frames left, and how late: the spread of each paced trial against its
 * load, beside the gap that the schedule asks for.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"
#include "plots/chart.h"
#include "plots/figures.h"

enum { SPACING, LATENESS };

static const struct {
	const char *key, *label;
} quantiles[] = {{"p50", "p50"}, {"p99", "p99"}, {"p999", "p99.9"}, {"max", "max"}};
#define N_QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

static int add_trial(struct chart *chart, const json_t *record, const struct trial *t)
{
	static const char *const parts[] = {
		[SPACING] = "tx.spacing_ns", [LATENESS] = "tx.lateness_ns"};
	double kpps = (double)t->figure[TRIAL_ASKED_PPS] / 1e3;
	char key[64];
	int rc = 0;

	for (unsigned int p = SPACING; p <= LATENESS; p++) {
		for (size_t q = 0; q < N_QUANTILES && rc == 0; q++) {
			double ns;

			snprintf(key, sizeof(key), "%s.%s", parts[p], quantiles[q].key);
			ns = result_num(record, key);
			/* A log axis has no 0: on time to the nanosecond stands at one. */
			rc = chart_point_add(&chart->panel[p].line[q + (p == SPACING)], kpps,
					     fmax(ns, 1) / 1e3, chart_mark(t));
		}
	}
	/* Behind the others. */
	return rc ? rc
		  : chart_point_add(&chart->panel[SPACING].line[0], kpps, 1e3 / kpps,
				    POINT_MISSING);
}

static int make_lines(struct chart *chart, char *err, size_t errlen)
{
	static const struct style schedule = {{0xc8c8c8, 6, {0}, 0}, MARKER_NONE};
	struct chart_line *line;
	int rc = chart_line_add(&chart->panel[SPACING], "as scheduled", "", &line, err, errlen);

	if (rc == 0)
		line->style = schedule;
	for (unsigned int p = SPACING; p <= LATENESS; p++) {
		for (size_t q = 0; q < N_QUANTILES && rc == 0; q++) {
			rc = chart_line_add(&chart->panel[p],
					    p == SPACING ? quantiles[q].label : "", "", &line, err,
					    errlen);
			if (rc == 0)
				line->style = style_curve[q];
		}
	}
	return rc;
}

static int collect(const struct figure_input *in, struct chart *chart, char *err, size_t errlen)
{
	const struct result *r = &in->results[0];
	int rc = make_lines(chart, err, errlen);

	if (in->n_results > 1) {
		snprintf(err, errlen, "departures are of one result; %zu were given",
			 in->n_results);
		return -EINVAL;
	}
	chart->n = 2;
	chart->kind = CHART_LOG;
	chart->x_label = "Offered load (kpps, log scale)";
	chart->panel[SPACING].title = "Spacing of departures";
	chart->panel[SPACING].y_label = "Gap (\xc2\xb5s, log scale)";
	chart->panel[LATENESS].title = "Lateness against the schedule";
	chart->panel[LATENESS].y_label = "Late by (\xc2\xb5s, log scale)";
	chart->panel[SPACING].log = chart->panel[LATENESS].log = true;
	for (size_t i = 0; i < r->trials.n && rc == 0; i++) {
		const struct trial *t = &r->trials.trial[i];
		json_t *record;

		if (!(t->figure[TRIAL_ASKED_PPS] > 0) || !chart_names_size(in, t->frame_size))
			continue;
		record = result_trial_record(r, t);
		if (record)
			rc = add_trial(chart, record, t);
		json_decref(record);
	}
	for (size_t p = 0; p < chart->n; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			chart_line_order(&chart->panel[p].line[l]);
	return rc;
}

static void draw(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect, in, title);
}

int spacing_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	return chart_figure(in, collect, "spacing", "The generator's departures", draw, figure, err,
			    errlen);
}

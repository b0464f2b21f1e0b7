/*
 * A run over time: rate, loss and latency of one trial after the other, as a soak leaves them, with
 * the stretches in which the generator or the DUT stalled.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/chart.h"
#include "plots/figures.h"

#define STALLED 0.01 /* share of a trial from which it is shaded */

enum { RATE, LOSS, LATENCY, N_PANELS };

struct curve {
	unsigned int panel;
	const char *label;
	enum trial_figure figure, instead;
	double scale;
};

static const struct curve curves[] = {
	{RATE, "sent", TRIAL_TX_PPS, TRIAL_TX_PPS, 1e-3},
	{RATE, "received", TRIAL_RX_PPS, TRIAL_RX_PPS, 1e-3},
	{LOSS, "loss", TRIAL_LOSS_RATIO, TRIAL_LOSS_RATIO, 100},
	{LATENCY, "p50", TRIAL_P50, TRIAL_P50, 1e-3},
	{LATENCY, "p99", TRIAL_P99, TRIAL_P99, 1e-3},
	{LATENCY, "max", TRIAL_MAX, TRIAL_MAX, 1e-3},
};
#define N_CURVES (sizeof(curves) / sizeof(curves[0]))

static bool is_shown(const struct figure_input *in, const struct result *r,
		     const struct trial *trial)
{
	const char *stream = r->trials.group[trial->group].stream;

	return isfinite(trial->started) && (strcmp(stream, "all") == 0 || !*stream) &&
	       chart_names_size(in, trial->frame_size);
}

/* What is shown must be one thing: then a line is the same all along. */
static int check_one(const struct figure_input *in, const struct result *r, char *err,
		     size_t errlen)
{
	const struct trial *first = NULL;

	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.trial[i];
		const struct trial_group *group = &r->trials.group[t->group], *other;

		if (!is_shown(in, r, t))
			continue;
		first = first ? first : t;
		other = &r->trials.group[first->group];
		if (t->frame_size == first->frame_size && strcmp(group->path, other->path) == 0 &&
		    strcmp(group->direction, other->direction) == 0)
			continue;
		snprintf(err, errlen,
			 "%s: a timeline is of one path, direction and frame size; choose a size "
			 "with --sizes",
			 r->path);
		return -E2BIG;
	}
	return 0;
}

static int add_point(struct chart *chart, const struct curve *curve, const struct trial *t,
		     double start, char *err, size_t errlen)
{
	struct chart_panel *panel = &chart->panel[curve->panel];
	double y = (double)t->figure[curve->figure] * curve->scale;
	struct chart_line *line = NULL;

	for (size_t i = 0; i < panel->n; i++)
		if (strcmp(panel->line[i].label, curve->label) == 0)
			line = &panel->line[i];
	if (!line && chart_line_add(panel, curve->label, "", &line, err, errlen) < 0)
		return -E2BIG;
	/* In the middle of its time. */
	return chart_point_add(line, t->started - start + (double)t->figure[TRIAL_DURATION_S] / 2,
			       y, chart_mark(t));
}

static double known(const struct trial *t, enum trial_figure figure)
{
	return isfinite(t->figure[figure]) ? (double)t->figure[figure] : 0;
}

static void add_span(struct chart *chart, const struct trial *t, double start)
{
	double from = t->started - start, to = from + (double)t->figure[TRIAL_DURATION_S];
	double stalled = known(t, TRIAL_STALL_TOTAL_NS) + known(t, TRIAL_DUT_STALL_TOTAL_NS);

	if (!(stalled / 1e9 > STALLED * (to - from)) || chart->n_spans == CHART_SPANS)
		return;
	if (chart->n_spans && from - chart->span[chart->n_spans - 1].to < (to - from) / 2) {
		chart->span[chart->n_spans - 1].to = to;
		return;
	}
	chart->span[chart->n_spans].from = from;
	chart->span[chart->n_spans++].to = to;
}

static int collect(const struct figure_input *in, struct chart *chart, char *err, size_t errlen)
{
	static const size_t first_style[N_PANELS] = {[RATE] = 0, [LOSS] = 2, [LATENCY] = 3};
	const struct result *r = &in->results[0];
	int rc = 0;

	if (in->n_results > 1) {
		snprintf(err, errlen, "a timeline is of one result; %zu were given", in->n_results);
		return -EINVAL;
	}
	rc = check_one(in, r, err, errlen);
	chart->n = N_PANELS;
	chart->x_label = "Time since the start (s)";
	chart->panel[RATE].title = "Rate";
	chart->panel[RATE].y_label = "Rate (kpps)";
	chart->panel[LOSS].title = "Frame loss";
	chart->panel[LOSS].y_label = "Loss (%)";
	chart->panel[LOSS].y_max = 0.01;
	chart->panel[LATENCY].title = "Latency, all samples";
	chart->panel[LATENCY].y_label = "Latency (\xc2\xb5s, log scale)";
	chart->panel[LATENCY].log = true;
	chart->span_label = "generator or DUT stalled for over 1 % of the time";
	for (size_t i = 0; i < r->trials.n && rc == 0; i++) {
		const struct trial *t = &r->trials.trial[i];

		if (!is_shown(in, r, t))
			continue;
		for (size_t k = 0; k < N_CURVES && rc == 0; k++)
			rc = add_point(chart, &curves[k], t, r->started, err, errlen);
		add_span(chart, t, r->started);
	}
	for (size_t p = 0; p < N_PANELS; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			chart->panel[p].line[l].style = style_curve[first_style[p] + l];
	return rc;
}

static void draw(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect, in, title);
}

int timeline_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	return chart_figure(in, collect, "timeline", "Rate, loss and latency over time", draw,
			    figure, err, errlen);
}

/*
 * Latency and loss against the offered load, a line for each path and frame size. Trials of
 * searches are part of it: they are where the loads are.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plots/chart.h"
#include "plots/figures.h"

#define CHOOSE "choose with --sizes, or give fewer results"

/* What a point's y is made of: latency without the generator's stalls where the trial has it. */
struct reading {
	enum trial_figure figure, instead;
	double scale;
};

static const struct reading p50 = {TRIAL_CLEAN_P50, TRIAL_P50, 1e-3};
static const struct reading p99 = {TRIAL_CLEAN_P99, TRIAL_P99, 1e-3};
static const struct reading loss = {TRIAL_LOSS_RATIO, TRIAL_LOSS_RATIO, 100};

/* Bursts and trials in which the load changes have no one load. */
static bool has_one_load(const struct trial_group *group)
{
	static const char *const others[] = {"back-to-back", "recovery", "reset"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(group->test, others[i]) == 0)
			return false;
	return strcmp(group->stream, "all") == 0 || group->stream[0] == 0;
}

static int line_of(struct chart_panel *panel, const char *label, struct chart_line **line,
		   char *err, size_t errlen)
{
	for (size_t i = 0; i < panel->n; i++) {
		if (strcmp(panel->line[i].label, label) == 0) {
			*line = &panel->line[i];
			return 0;
		}
	}
	return chart_line_add(panel, label, CHOOSE, line, err, errlen);
}

static bool several_directions(const struct result *r)
{
	for (size_t i = 1; i < r->trials.n_groups; i++)
		if (strcmp(r->trials.group[i].direction, r->trials.group[0].direction) != 0)
			return true;
	return false;
}

static int add_trial(const struct figure_input *in, const struct result *r,
		     const struct trial *trial, const struct reading *reading,
		     struct chart_panel *panel, char *err, size_t errlen)
{
	const struct trial_group *group = &r->trials.group[trial->group];
	double y = (double)trial->figure[reading->figure];
	struct chart_line *line;
	char label[160];
	int rc;

	if (!isfinite(y))
		y = (double)trial->figure[reading->instead];
	if (!isfinite(trial->figure[TRIAL_ASKED_PPS]) || !isfinite(y) || !trial->frame_size ||
	    !has_one_load(group) || !chart_wants_size(in, trial->frame_size))
		return 0;
	snprintf(label, sizeof(label), "%.60s%s%.20s path%s%.8s, %u B",
		 in->n_results > 1 ? r->name : "", in->n_results > 1 ? ": " : "",
		 group->path[0] ? group->path : "unknown", several_directions(r) ? " " : "",
		 several_directions(r) ? group->direction : "", trial->frame_size);
	rc = line_of(panel, label, &line, err, errlen);
	return rc ? rc
		  : chart_point_add(line, (double)trial->figure[TRIAL_ASKED_PPS],
				    y * reading->scale, chart_mark(trial));
}

/* Loads in the unit that their largest suits. */
static void scale_loads(struct chart *chart)
{
	double most = 0, scale;

	for (size_t p = 0; p < chart->n; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			for (size_t i = 0; i < chart->panel[p].line[l].n; i++)
				most = fmax(most, chart->panel[p].line[l].point[i].x);
	scale = most >= 1e5 ? 1e-6 : 1e-3;
	chart->x_label = scale < 1e-4 ? "Offered load (Mpps)" : "Offered load (kpps)";
	for (size_t p = 0; p < chart->n; p++) {
		for (size_t l = 0; l < chart->panel[p].n; l++) {
			struct chart_line *line = &chart->panel[p].line[l];

			for (size_t i = 0; i < line->n; i++)
				line->point[i].x *= scale;
			chart_line_order(line);
		}
	}
}

static int collect(const struct figure_input *in, const struct reading *const *readings, size_t n,
		   struct chart *chart, char *err, size_t errlen)
{
	for (size_t p = 0; p < n; p++)
		for (size_t r = 0; r < in->n_results; r++)
			for (size_t i = 0; i < in->results[r].trials.n; i++) {
				int rc = add_trial(in, &in->results[r],
						   &in->results[r].trials.trial[i], readings[p],
						   &chart->panel[p], err, errlen);

				if (rc < 0)
					return rc;
			}
	chart->n = n;
	chart_note_sizes(in, chart);
	scale_loads(chart);
	/* One legend entry stands for a line's both panels. */
	for (size_t p = 1; p < n; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			chart->panel[p].line[l].label[0] = '\0';
	return 0;
}

static int collect_latency(const struct figure_input *in, struct chart *chart, char *err,
			   size_t errlen)
{
	static const struct reading *const readings[] = {&p50, &p99};

	chart->panel[0].title = "Typical latency (p50)";
	chart->panel[1].title = "p99";
	for (size_t p = 0; p < 2; p++) {
		chart->panel[p].y_label = "Latency (\xc2\xb5s, log scale)";
		chart->panel[p].log = true;
	}
	snprintf(chart->notes, sizeof(chart->notes),
		 "Round trip through the DUT, without frames in the shadow of the generator's own "
		 "stalls (clean), all samples where a trial has no such view.");
	return collect(in, readings, 2, chart, err, errlen);
}

static int collect_loss(const struct figure_input *in, struct chart *chart, char *err,
			size_t errlen)
{
	static const struct reading *const readings[] = {&loss};

	chart->panel[0].y_label = "Frame loss (%)";
	chart->panel[0].y_max = 1;
	snprintf(chart->notes, sizeof(chart->notes),
		 "Frame loss ratio of paced trials (RFC 2544, section 26.3): what the generator "
		 "missed itself is left out.");
	return collect(in, readings, 1, chart, err, errlen);
}

static void draw_latency(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect_latency, in, title);
}

static void draw_loss(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect_loss, in, title);
}

int latency_load_figure(const struct figure_input *in, struct figure *figure, char *err,
			size_t errlen)
{
	return chart_figure(in, collect_latency, "latency-load", "Latency by offered load",
			    draw_latency, figure, err, errlen);
}

int loss_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	return chart_figure(in, collect_loss, "loss", "Frame loss by offered load", draw_loss,
			    figure, err, errlen);
}

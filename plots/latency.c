/*
 * Latency against frame size: min, p50, p99 and p99.9 on a log axis, a panel a path, all with the
 * same axis, so that heights can be compared across.
 *
 * The curves are the clean view (without the shadow of the generator's own stalls) where a trial
 * has one; the p99 over all samples stands behind, lighter, to show how much was left out.
 */
#include "plots/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"
#include "plots/panel.h"

#define COLUMNS	     2 /* panels side by side; more series make more rows */
#define PANEL_WIDTH  520
#define PANEL_GAP    34
#define ROW_HEIGHT   400
#define ROW_GAP	     112
#define LEFT	     92
#define HEAD	     200 /* about what title, legend and notes take */
#define PANEL_TITLES 54
#define US_PER_NS    1e-3

static const struct {
	const char *member, *label;
} percentiles[LATENCY_P99_ALL + 1] = {
	[LATENCY_MIN] = {"min", "min"},
	[LATENCY_P50] = {"p50", "p50 (typical)"},
	[LATENCY_P99] = {"p99", "p99"},
	[LATENCY_P999] = {"p999", "p99.9 (worst case)"},
	[LATENCY_P99_ALL] = {"p99", "p99, all samples"},
};

/* Everything the picture shows, read once. */
struct views {
	struct point point[SERIES_MAX][LATENCY_P99_ALL + 1][SIZES_MAX];
	double lo, hi;	      /* of the values over 0 */
	size_t clean, merely; /* trials shown with a clean view, and without one */
	struct marks marks;
};

/* Latency is told at a paced rate; only where a series has none, at max, where queues are full. */
static const char *kind_of(const struct series *series, size_t n_sizes)
{
	return series_has(series, n_sizes, "paced") ? "paced" : "max";
}

static struct point latency_point(const json_t *trial, const char *view, const char *member)
{
	char dotted[48];

	snprintf(dotted, sizeof(dotted), "%s.%s", view, member);
	return series_point(trial, dotted, US_PER_NS);
}

static void collect_trial(const json_t *trial, struct views *v, size_t s, size_t i)
{
	bool clean = trial && isfinite(result_num(trial, "latency_clean_ns.p50"));
	const char *view = clean ? "latency_clean_ns" : "latency_ns";

	for (int k = LATENCY_MIN; k < LATENCY_P99_ALL; k++)
		v->point[s][k][i] = latency_point(trial, view, percentiles[k].member);
	v->point[s][LATENCY_P99_ALL][i] = latency_point(clean ? trial : NULL, "latency_ns", "p99");
	v->clean += clean;
	v->merely += !clean && isfinite(v->point[s][LATENCY_P50][i].value);
}

static void collect(const struct series_set *set, struct views *v)
{
	memset(v, 0, sizeof(*v));
	v->lo = v->hi = NAN;
	for (size_t s = 0; s < set->n; s++) {
		const struct series *series = &set->series[s];
		const char *kind = kind_of(series, set->n_sizes);

		for (size_t i = 0; i < set->n_sizes; i++)
			collect_trial(series_trial(series, i, kind), v, s, i);
		for (int k = LATENCY_MIN; k <= LATENCY_P99_ALL; k++) {
			series_range(v->point[s][k], set->n_sizes, &v->lo, &v->hi);
			marks_note(&v->marks, v->point[s][k], set->n_sizes);
		}
	}
}

static void make_legend(const struct views *v, struct legend *legend)
{
	/* In the order of the curves, upper first. */
	static const int order[] = {LATENCY_P999, LATENCY_P99, LATENCY_P99_ALL, LATENCY_P50,
				    LATENCY_MIN};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (order[i] != LATENCY_P99_ALL || v->clean)
			legend_add(legend, &style_latency[order[i]], POINT_VALID,
				   percentiles[order[i]].label);
	legend_add_marks(legend, v->marks.disturbed, v->marks.invalid);
}

static void make_notes(const struct views *v, char *buf, size_t len)
{
	const char *view =
		!v->clean   ? "All samples: the trials have no clean view."
		: v->merely ? "Curves: without frames in the shadow of the generator's own "
			      "stalls (clean), all samples where a trial has no such view."
			    : "Curves: clean, without frames in the shadow of the generator's own "
			      "stalls; dashed: all samples.";

	snprintf(buf, len,
		 "Round trip through the DUT; stamp points: TX, the TSC before tx_burst; RX, the "
		 "TSC "
		 "after rx_burst.\n%s",
		 view);
}

static void draw_panel(struct canvas *c, const struct figure_input *in, const struct views *v,
		       size_t s, struct panel *p)
{
	const struct series_set *set = in->set;
	const struct series *series = &set->series[s];
	char offered[160];

	p->n_x = set->n_sizes;
	p->size = set->size;
	p->title = series->label;
	p->note = offered_text(series, set->n_sizes, kind_of(series, set->n_sizes), offered,
			       sizeof(offered));
	p->y_label = s % COLUMNS ? NULL : "Latency (\302\265s, log scale)";
	axis_log(&p->y, v->lo, v->hi);
	panel_frame(c, p);
	for (int k = LATENCY_P99_ALL; k >= LATENCY_MIN; k--)
		panel_curve(c, p, v->point[s][k], &style_latency[k]);
}

static void draw(struct canvas *c, const struct figure_input *in, const char *title)
{
	const size_t rows = (in->set->n + COLUMNS - 1) / COLUMNS;
	struct legend legend = {0};
	struct views v;
	double top, bottom, height;
	char origin[512], notes[512];

	collect(in->set, &v);
	make_legend(&v, &legend);
	make_notes(&v, notes, sizeof(notes));
	page_frame(c, title, results_origin(in->results, in->n_results, origin, sizeof(origin)),
		   &legend, notes, &top, &bottom);
	top -= PANEL_TITLES;
	bottom += 60;
	height = (top - bottom - (double)(rows - 1) * ROW_GAP) / (double)rows;
	for (size_t s = 0; s < in->set->n; s++) {
		const size_t column = s % COLUMNS, row = s / COLUMNS;
		struct panel p = {
			.x0 = LEFT + (double)column * (PANEL_WIDTH + PANEL_GAP),
			.y1 = top - (double)row * (height + ROW_GAP),
		};

		p.x1 = p.x0 + PANEL_WIDTH;
		p.y0 = p.y1 - height;
		draw_panel(c, in, &v, s, &p);
	}
}

int latency_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	const size_t n = in->set->n;
	const int columns = n < COLUMNS ? (int)n : COLUMNS;
	const int rows = (int)(n + COLUMNS - 1) / COLUMNS;
	struct views v;

	collect(in->set, &v);
	if (!isfinite(v.hi)) {
		snprintf(err, errlen, "%s: no trial with a latency in it", in->results[0].path);
		return -ENODATA;
	}
	*figure = (struct figure){
		.name = "latency",
		.title = "Round-trip latency by frame size",
		.width =
			LEFT + columns * PANEL_WIDTH + (columns - 1) * PANEL_GAP + (int)PAGE_MARGIN,
		.height = HEAD + rows * ROW_HEIGHT + (rows - 1) * ROW_GAP,
		.draw = draw,
	};
	return 0;
}

/*
 * Charts: axes of what the lines span, and the lines in them.
 */
#include "plots/chart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/axis.h"
#include "plots/legend.h"
#include "plots/panel.h"

#define WIDTH	     1000
#define LEFT	     96.0
#define RIGHT	     48.0 /* half of the last number on the x axis */
#define ONE_PANEL    560
#define MORE_PANELS  270 /* height that each further one needs */
#define X_ROOM	     58.0
#define GAP	     62.0
#define TITLE_ROOM   34.0
#define TICK	     5.0
#define NUMBER_GAP   9.0
#define Y_LABEL_GAP  62.0
#define X_LABEL_DOWN 42.0
#define TITLE_UP     16.0
#define FONT_SPARE   1.06
#define HEADROOM     1.03
#define MARKERS_MAX  120 /* of a line: beyond that they hide it */
#define COLOUR_SPAN  0xf3d9d9u
#define NARROW	     1.0 /* pixels: a span is at least so wide */

static const struct pen frame_pen = {COLOUR_FRAME, 1, {0}, 0};
static const struct pen grid_pen = {COLOUR_GRID, 1, {0}, 0};
static const struct pen minor_pen = {COLOUR_MINOR, 1, {0}, 0};
static const struct pen no_pen = {0, 0, {0}, 0};

/* A panel on the page. */
struct place {
	double x0, y0, x1, y1;
	struct axis x, y;
};

int chart_line_add(struct chart_panel *panel, const char *label, const char *how,
		   struct chart_line **line, char *err, size_t errlen)
{
	if (panel->n == CHART_LINES) {
		snprintf(err, errlen, "more than %u lines do not fit in one picture: %s",
			 CHART_LINES, how);
		return -E2BIG;
	}
	*line = &panel->line[panel->n];
	(*line)->style = style_curve[panel->n++];
	snprintf((*line)->label, sizeof((*line)->label), "%s", label);
	return 0;
}

int chart_point_add(struct chart_line *line, double x, double y, enum point_mark mark)
{
	if (!isfinite(x) || !isfinite(y))
		return 0;
	if (line->n == line->room) {
		size_t room = line->room ? 2 * line->room : 32;
		struct chart_point *grown = realloc(line->point, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		line->point = grown;
		line->room = room;
	}
	line->point[line->n++] = (struct chart_point){x, y, mark};
	return 0;
}

static int by_x(const void *a, const void *b)
{
	double x = ((const struct chart_point *)a)->x, y = ((const struct chart_point *)b)->x;

	return (x > y) - (x < y);
}

static int by_y(const void *a, const void *b)
{
	double x = ((const struct chart_point *)a)->y, y = ((const struct chart_point *)b)->y;

	return (x > y) - (x < y);
}

/* Worst of the marks of n points. */
static enum point_mark worst_mark(const struct chart_point *points, size_t n)
{
	enum point_mark worst = points[0].mark;

	for (size_t i = 1; i < n; i++)
		if (points[i].mark > worst)
			worst = points[i].mark;
	return worst;
}

void chart_line_order(struct chart_line *line)
{
	size_t n = 0;

	if (line->n)
		qsort(line->point, line->n, sizeof(*line->point), by_x);
	for (size_t i = 0, end; i < line->n; i = end) {
		struct chart_point *same = line->point + i, middle;

		for (end = i + 1; end < line->n && line->point[end].x <= same->x;)
			end++;
		qsort(same, end - i, sizeof(*same), by_y);
		middle = same[(end - i - 1) / 2];
		middle.mark = worst_mark(same, end - i);
		line->point[n++] = middle;
	}
	line->n = n;
}

void chart_free(struct chart *chart)
{
	for (size_t p = 0; p < chart->n; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			free(chart->panel[p].line[l].point);
	chart->n = 0;
}

enum point_mark chart_mark(const struct trial *trial)
{
	return trial->verdict == TRIAL_VALID	   ? POINT_VALID
	       : trial->verdict == TRIAL_DISTURBED ? POINT_DISTURBED
						   : POINT_INVALID;
}

/* How many of the results' sizes are drawn where none was named. */
static size_t sizes_with_room(const struct figure_input *in)
{
	size_t lines = in->set->n * in->set->n_sizes;

	if (lines <= CHART_LINES || in->set->n > CHART_LINES)
		return in->set->n_sizes;
	return CHART_LINES / in->set->n;
}

bool chart_names_size(const struct figure_input *in, uint32_t size)
{
	const struct size_choice *named = &in->options->sizes;

	for (size_t i = 0; i < named->n; i++)
		if (named->size[i] == size)
			return true;
	return named->n == 0;
}

bool chart_wants_size(const struct figure_input *in, uint32_t size)
{
	size_t n = sizes_with_room(in), all = in->set->n_sizes;

	if (in->options->sizes.n || n == all)
		return chart_names_size(in, size);
	/* Evenly from the first to the last. */
	for (size_t i = 0; i < n; i++)
		if (in->set->size[n > 1 ? i * (all - 1) / (n - 1) : 0] == size)
			return true;
	return false;
}

void chart_note_sizes(const struct figure_input *in, struct chart *chart)
{
	size_t used = strlen(chart->notes);

	if (in->options->sizes.n || sizes_with_room(in) == in->set->n_sizes)
		return;
	snprintf(chart->notes + used, sizeof(chart->notes) - used,
		 "%sOf %zu frame sizes those are drawn that fit in one picture; --sizes chooses "
		 "others.",
		 used ? "\n" : "", in->set->n_sizes);
}

/* Smallest over 0 and largest of one coordinate of all lines; NaN where there is none. */
static void span_of(const struct chart_panel *panels, size_t n, bool of_x, double *lo, double *hi)
{
	*lo = *hi = NAN;
	for (size_t p = 0; p < n; p++) {
		for (size_t l = 0; l < panels[p].n; l++) {
			const struct chart_line *line = &panels[p].line[l];

			for (size_t i = 0; i < line->n; i++) {
				double v = of_x ? line->point[i].x : line->point[i].y;

				if (v > 0)
					*lo = fmin(*lo, v);
				*hi = fmax(*hi, v);
			}
		}
	}
}

static void percentile_axis(struct axis *axis)
{
	static const char *const labels[] = {"90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"};
	size_t n = 0;

	axis_log(axis, 10, 1e5);
	for (size_t i = 0; i < axis->n_ticks; i++) {
		struct tick *t = &axis->tick[i];
		double decade = log10(t->value);

		t->label[0] = 0;
		if (fabs(decade - round(decade)) < 1e-9 && n < sizeof(labels) / sizeof(labels[0]))
			snprintf(t->label, sizeof(t->label), "%s", labels[n++]);
	}
}

static void scale_axes(const struct chart *chart, const struct chart_panel *panel, struct place *at)
{
	double lo, hi;

	span_of(chart->panel, chart->n, true, &lo, &hi);
	if (chart->kind == CHART_PERCENTILES)
		percentile_axis(&at->x);
	else if (chart->kind == CHART_LOG)
		axis_log(&at->x, lo, hi);
	else
		axis_linear(&at->x, hi);
	span_of(panel, 1, false, &lo, &hi);
	hi = fmax(hi * HEADROOM, panel->y_max);
	if (panel->log)
		axis_log(&at->y, lo, hi);
	else
		axis_linear(&at->y, hi);
}

static double x_of(const struct place *p, double x)
{
	return p->x0 + (p->x1 - p->x0) * axis_fraction(&p->x, x);
}

static double y_of(const struct place *p, double y)
{
	return p->y0 + (p->y1 - p->y0) * axis_fraction(&p->y, y);
}

static void draw_spans(struct canvas *c, const struct chart *chart, const struct place *p)
{
	for (size_t i = 0; i < chart->n_spans; i++) {
		double from = x_of(p, chart->span[i].from), to = x_of(p, chart->span[i].to);
		double half = fmax(NARROW - (to - from), 0) / 2;
		const double box[] = {from - half, p->y0, to + half,   p->y0,
				      to + half,   p->y1, from - half, p->y1};

		canvas_polygon(c, box, 4, &no_pen, COLOUR_SPAN);
	}
}

static void draw_grid(struct canvas *c, const struct chart *chart, const struct chart_panel *panel,
		      const struct place *p, bool last)
{
	for (size_t i = 0; i < p->y.n_ticks; i++) {
		const struct tick *t = &p->y.tick[i];
		double y = y_of(p, t->value);

		canvas_line(c, p->x0, y, p->x1, y, t->label[0] ? &grid_pen : &minor_pen);
		if (!t->label[0])
			continue;
		canvas_line(c, p->x0 - TICK, y, p->x0, y, &frame_pen);
		canvas_text(c, p->x0 - NUMBER_GAP, y, &font_tick, TEXT_RIGHT, false, t->label);
	}
	canvas_text(c, p->x0 - Y_LABEL_GAP, (p->y0 + p->y1) / 2, &font_axis, TEXT_CENTRE, true,
		    panel->y_label);
	for (size_t i = 0; i < p->x.n_ticks; i++) {
		const struct tick *t = &p->x.tick[i];
		double x = x_of(p, t->value);

		canvas_line(c, x, p->y0, x, p->y1, t->label[0] ? &grid_pen : &minor_pen);
		if (!t->label[0])
			continue;
		canvas_line(c, x, p->y0 - TICK, x, p->y0, &frame_pen);
		canvas_text(c, x, p->y0 - TICK - NUMBER_GAP, &font_tick, TEXT_CENTRE, false,
			    t->label);
	}
	if (last)
		canvas_text(c, (p->x0 + p->x1) / 2, p->y0 - X_LABEL_DOWN, &font_axis, TEXT_CENTRE,
			    false, chart->x_label);
	if (panel->title)
		canvas_text(c, p->x0, p->y1 + TITLE_UP, &font_panel, TEXT_LEFT, false,
			    panel->title);
}

/* A line, broken at invalid points, which are markers alone. */
static void draw_line(struct canvas *c, const struct chart_line *line, const struct place *p)
{
	double *xy = malloc((4 * line->n + 4) * sizeof(*xy));
	size_t n = 0;

	for (size_t i = 0; xy && i <= line->n; i++) {
		const struct chart_point *point = &line->point[i];

		if (i == line->n || point->mark == POINT_INVALID) {
			canvas_polyline(c, xy, n, &line->style.pen);
			n = 0;
			continue;
		}
		if (line->steps && n) {
			xy[2 * n] = x_of(p, point->x);
			xy[2 * n + 1] = xy[2 * n - 1];
			n++;
		}
		xy[2 * n] = x_of(p, point->x);
		xy[2 * n + 1] = y_of(p, point->y);
		n++;
	}
	free(xy);
	for (size_t i = 0; i < line->n && line->n <= MARKERS_MAX; i++)
		style_point(c, x_of(p, line->point[i].x), y_of(p, line->point[i].y), &line->style,
			    line->point[i].mark);
}

static void make_legend(const struct chart *chart, struct legend *legend)
{
	static const struct style shade = {{COLOUR_SPAN, 9, {0}, 0}, MARKER_NONE};
	struct marks marks = {false, false};

	for (size_t p = 0; p < chart->n; p++) {
		for (size_t l = 0; l < chart->panel[p].n; l++) {
			const struct chart_line *line = &chart->panel[p].line[l];
			bool marked = false;

			for (size_t i = 0; i < line->n; i++)
				marked |= line->point[i].mark != POINT_MISSING;
			marked &= line->n <= MARKERS_MAX;
			for (size_t i = 0; marked && i < line->n; i++) {
				marks.disturbed |= line->point[i].mark == POINT_DISTURBED;
				marks.invalid |= line->point[i].mark == POINT_INVALID;
			}
			if (line->label[0])
				legend_add(legend, &line->style,
					   marked ? POINT_VALID : POINT_MISSING, line->label);
		}
	}
	if (chart->n_spans)
		legend_add(legend, &shade, POINT_MISSING, chart->span_label);
	legend_add_marks(legend, marks.disturbed, marks.invalid);
}

static void draw_panels(struct canvas *c, const struct chart *chart, double top, double bottom)
{
	const double height = (top - bottom - X_ROOM - TITLE_ROOM - GAP * (double)(chart->n - 1)) /
			      (double)chart->n;

	for (size_t i = 0; i < chart->n; i++) {
		const struct chart_panel *panel = &chart->panel[i];
		const double box_top = top - TITLE_ROOM - (height + GAP) * (double)i;
		struct place at = {LEFT, box_top - height, WIDTH - RIGHT, box_top, {0}, {0}};
		const double box[] = {at.x0, at.y0, at.x1, at.y0, at.x1, at.y1, at.x0, at.y1};

		scale_axes(chart, panel, &at);
		draw_spans(c, chart, &at);
		draw_grid(c, chart, panel, &at, i == chart->n - 1);
		for (size_t l = 0; l < panel->n; l++)
			draw_line(c, &panel->line[l], &at);
		canvas_polygon(c, box, 4, &frame_pen, NO_FILL);
	}
}

void chart_draw(struct canvas *c, chart_collect collect, const struct figure_input *in,
		const char *title)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	struct legend legend = {0};
	char origin[512], ignored[256];
	double top, bottom;

	if (chart && collect(in, chart, ignored, sizeof(ignored)) == 0) {
		make_legend(chart, &legend);
		page_frame(c, title,
			   results_origin(in->results, in->n_results, origin, sizeof(origin)),
			   &legend, chart->notes[0] ? chart->notes : NULL, &top, &bottom);
		draw_panels(c, chart, top, bottom);
	}
	if (chart)
		chart_free(chart);
	free(chart);
}

int chart_figure(const struct figure_input *in, chart_collect collect, const char *name,
		 const char *title,
		 void (*draw)(struct canvas *c, const struct figure_input *in, const char *title),
		 struct figure *figure, char *err, size_t errlen)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	size_t n = 0, points = 0;
	int rc;

	if (!chart) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	rc = collect(in, chart, err, errlen);
	n = chart->n;
	for (size_t p = 0; p < n; p++)
		for (size_t l = 0; l < chart->panel[p].n; l++)
			points += chart->panel[p].line[l].n;
	chart_free(chart);
	free(chart);
	if (rc == 0 && points == 0) {
		snprintf(err, errlen, "%s: nothing to draw %s from", in->results[0].path, name);
		rc = -ENODATA;
	}
	*figure = (struct figure){.name = name,
				  .title = title,
				  .width = WIDTH,
				  .height = n > 1 ? ONE_PANEL + (int)(n - 1) * MORE_PANELS
						  : ONE_PANEL,
				  .draw = draw};
	return rc;
}

/*
 * Panels and the page around them.
 */
#include "plots/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TICK	     5.0
#define NUMBER_GAP   9.0
#define Y_LABEL_GAP  52.0
#define X_LABEL_DOWN 42.0
#define TITLE_UP     16.0
#define NOTE_LINE    17.0
#define SHORT_STROKE \
	7.0 /* half length of what stands for a lone point of a curve without markers */
#define NO_VALUE_UP   11.0 /* where an invalid trial without a value is marked, above the bottom */
#define FONT_SPARE    1.06
#define SMALLEST_FONT 9.0

static const struct pen frame_pen = {COLOUR_FRAME, 1, {0}, 0};
static const struct pen grid_pen = {COLOUR_GRID, 1, {0}, 0};
static const struct pen minor_pen = {COLOUR_MINOR, 1, {0}, 0};

static double x_of(const struct panel *p, size_t i)
{
	return p->x0 + (p->x1 - p->x0) * ((double)i + 0.5) / (double)p->n_x;
}

static double y_of(const struct panel *p, double value)
{
	return p->y0 + (p->y1 - p->y0) * axis_fraction(&p->y, value);
}

/* A text that must not be wider than its place: a smaller font, then fewer letters. */
static void fit_text(struct canvas *c, double x, double y, struct font font, enum text_align align,
		     double width, const char *text)
{
	char cut[512];
	size_t len;

	snprintf(cut, sizeof(cut), "%s", text);
	while (font.size > SMALLEST_FONT && canvas_text_width(c, &font, cut) * FONT_SPARE > width)
		font.size -= 0.5;
	for (len = strlen(cut); len > 4 && canvas_text_width(c, &font, cut) * FONT_SPARE > width;
	     len--)
		memcpy(cut + len - 4, "...", 4);
	canvas_text(c, x, y, &font, align, false, cut);
}

static void y_axis(struct canvas *c, const struct panel *p)
{
	for (size_t i = 0; i < p->y.n_ticks; i++) {
		const struct tick *t = &p->y.tick[i];
		double y = y_of(p, t->value);

		canvas_line(c, p->x0, y, p->x1, y, t->label[0] ? &grid_pen : &minor_pen);
		if (!t->label[0])
			continue;
		canvas_line(c, p->x0 - TICK, y, p->x0, y, &frame_pen);
		if (p->y_label)
			canvas_text(c, p->x0 - NUMBER_GAP, y, &font_tick, TEXT_RIGHT, false,
				    t->label);
	}
	if (p->y_label)
		canvas_text(c, p->x0 - Y_LABEL_GAP, (p->y0 + p->y1) / 2, &font_axis, TEXT_CENTRE,
			    true, p->y_label);
}

static void x_axis(struct canvas *c, const struct panel *p)
{
	/* Numbers of many sizes would run into each other: then every second, third, ... one. */
	const double wide = canvas_text_width(c, &font_tick, "00000") * FONT_SPARE;
	const size_t every = 1 + (size_t)(wide * (double)p->n_x / (p->x1 - p->x0));

	for (size_t i = 0; i < p->n_x; i++) {
		char number[16];

		canvas_line(c, x_of(p, i), p->y0 - TICK, x_of(p, i), p->y0, &frame_pen);
		if (i % every)
			continue;
		snprintf(number, sizeof(number), "%u", p->size[i]);
		canvas_text(c, x_of(p, i), p->y0 - TICK - NUMBER_GAP, &font_tick, TEXT_CENTRE,
			    false, number);
	}
	canvas_text(c, (p->x0 + p->x1) / 2, p->y0 - X_LABEL_DOWN, &font_axis, TEXT_CENTRE, false,
		    "Frame size (bytes, FCS included)");
}

void panel_frame(struct canvas *c, const struct panel *p)
{
	const double box[] = {p->x0, p->y0, p->x1, p->y0, p->x1, p->y1, p->x0, p->y1};
	double up = p->y1 + TITLE_UP;

	y_axis(c, p);
	x_axis(c, p);
	canvas_polygon(c, box, 4, &frame_pen, NO_FILL);
	if (p->note) {
		fit_text(c, p->x0, up, font_note, TEXT_LEFT, p->x1 - p->x0, p->note);
		up += NOTE_LINE + 2;
	}
	if (p->title)
		fit_text(c, p->x0, up, font_panel, TEXT_LEFT, p->x1 - p->x0, p->title);
}

static bool joined(const struct point *p)
{
	return (p->mark == POINT_VALID || p->mark == POINT_DISTURBED) && isfinite(p->value);
}

void panel_curve(struct canvas *c, const struct panel *p, const struct point *points,
		 const struct style *style)
{
	double xy[2 * SIZES_MAX];
	size_t n = 0;

	for (size_t i = 0; i <= p->n_x; i++) {
		if (i < p->n_x && joined(&points[i])) {
			xy[2 * n] = x_of(p, i);
			xy[2 * n++ + 1] = y_of(p, points[i].value);
			continue;
		}
		if (n == 1 && style->marker == MARKER_NONE)
			canvas_line(c, xy[0] - SHORT_STROKE, xy[1], xy[0] + SHORT_STROKE, xy[1],
				    &style->pen);
		canvas_polyline(c, xy, n, &style->pen);
		n = 0;
	}
	if (style->marker == MARKER_NONE)
		return;
	for (size_t i = 0; i < p->n_x; i++)
		style_point(c, x_of(p, i),
			    isfinite(points[i].value) ? y_of(p, points[i].value)
						      : p->y0 + NO_VALUE_UP,
			    style, points[i].mark);
}

/* As axis_fraction, but over 1 for what lies above. */
static double fraction_above(const struct axis *axis, double value)
{
	if (value <= axis->hi)
		return axis_fraction(axis, value);
	return axis->log ? log(value / axis->lo) / log(axis->hi / axis->lo)
			 : (value - axis->lo) / (axis->hi - axis->lo);
}

/* A line through n corners (x in pixels, y as a fraction of the frame's height) without what is
 * above the frame. */
static void draw_clipped(struct canvas *c, const struct panel *p, const double (*corner)[2],
			 size_t n, const struct pen *pen)
{
	double xy[4 * (SIZES_MAX + 2)];
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		const double *at = corner[i], *before = i ? corner[i - 1] : at;

		if ((at[1] > 1) != (before[1] > 1)) {
			double part = (1 - before[1]) / (at[1] - before[1]);

			xy[2 * m] = before[0] + (at[0] - before[0]) * part;
			xy[2 * m++ + 1] = p->y1;
		}
		if (at[1] > 1) {
			canvas_polyline(c, xy, m, pen);
			m = 0;
			continue;
		}
		xy[2 * m] = at[0];
		xy[2 * m++ + 1] = p->y0 + (p->y1 - p->y0) * at[1];
	}
	canvas_polyline(c, xy, m, pen);
}

void panel_limit(struct canvas *c, const struct panel *p, const double *values,
		 const struct pen *pen)
{
	const double half = (p->x1 - p->x0) / (double)p->n_x / 2;
	double corner[SIZES_MAX + 2][2];
	size_t n = 0;

	for (size_t i = 0; i <= p->n_x; i++) {
		if (i < p->n_x && isfinite(values[i])) {
			double f = fraction_above(&p->y, values[i]);

			/* A limit holds for the whole place of a size, so its ends go half a place
			 * further. */
			if (n == 0) {
				corner[n][0] = x_of(p, i) - half;
				corner[n++][1] = f;
			}
			corner[n][0] = x_of(p, i);
			corner[n++][1] = f;
			continue;
		}
		if (n) {
			corner[n][0] = corner[n - 1][0] + half;
			corner[n][1] = corner[n - 1][1];
			draw_clipped(c, p, corner, n + 1, pen);
		}
		n = 0;
	}
}

/* Half way to white, twice: curves stay in front of it. */
static uint32_t lighter(uint32_t colour)
{
	return 0xc0c0c0u + ((colour >> 2) & 0x3f3f3fu);
}

void panel_band(struct canvas *c, const struct panel *p, const double *lower, const double *upper,
		uint32_t colour)
{
	static const struct pen none = {0, 0, {0}, 0};
	double xy[4 * SIZES_MAX];
	size_t first = 0, n;

	for (size_t end = 0; end <= p->n_x; end++) {
		if (end < p->n_x && isfinite(lower[end]) && isfinite(upper[end]))
			continue;
		n = 0;
		for (size_t i = first; i < end; i++) {
			xy[2 * n] = x_of(p, i);
			xy[2 * n++ + 1] = y_of(p, lower[i]);
		}
		for (size_t i = end; i-- > first;) {
			xy[2 * n] = x_of(p, i);
			xy[2 * n++ + 1] = fmax(y_of(p, upper[i]), y_of(p, lower[i]) + 3);
		}
		if (n == 2) { /* a lone size */
			const struct pen bar = {lighter(colour), 9, {0}, 0};

			canvas_line(c, xy[0], xy[1], xy[2], xy[3], &bar);
		}
		if (n > 2)
			canvas_polygon(c, xy, n, &none, lighter(colour));
		first = end + 1;
	}
}

void page_frame(struct canvas *c, const char *title, const char *origin,
		const struct legend *legend, const char *notes, double *top, double *bottom)
{
	const double width = canvas_width(c) - 2 * PAGE_MARGIN;
	double y = canvas_height(c) - 30;

	fit_text(c, PAGE_MARGIN, y, font_title, TEXT_LEFT, width, title);
	y -= 25;
	if (origin[0]) {
		fit_text(c, PAGE_MARGIN, y, font_subtitle, TEXT_LEFT, width, origin);
		y -= 18;
	}
	legend_draw(c, legend, PAGE_MARGIN, y, width);
	*top = y - legend_height(c, legend, width);
	*bottom = PAGE_MARGIN / 2;
	for (const char *end = notes ? notes + strlen(notes) : NULL; end;) {
		char line[400];
		const char *start = end;

		while (start > notes && start[-1] != '\n')
			start--;
		snprintf(line, sizeof(line), "%.*s", (int)(end - start), start);
		fit_text(c, PAGE_MARGIN, *bottom + NOTE_LINE / 2, font_note, TEXT_LEFT, width,
			 line);
		*bottom += NOTE_LINE;
		end = start > notes ? start - 1 : NULL;
	}
}

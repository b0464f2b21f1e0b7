/*
 * The looks, and the markers drawn by hand: libplot's own marker() is a text glyph in some formats
 * and differs between SVG and PNG.
 */
#include "plots/style.h"

const struct style style_curve[STYLE_CURVES] = {
	{{0x0072b2, 2, {0}, 0}, MARKER_CIRCLE},
	{{0xe08214, 2, {9, 4}, 2}, MARKER_SQUARE},
	{{0x117755, 2, {3, 3}, 2}, MARKER_TRIANGLE},
	{{0xaa4499, 2, {10, 3, 3, 3}, 4}, MARKER_DIAMOND},
	{{0x56b4e9, 2, {14, 4}, 2}, MARKER_TRIANGLE_DOWN},
	{{0x6b4c1e, 2, {5, 5}, 2}, MARKER_CIRCLE},
	{{0x999999, 2, {0}, 0}, MARKER_SQUARE},
	{{0x222222, 2, {2, 4}, 2}, MARKER_TRIANGLE},
};

const struct style style_latency[LATENCY_P99_ALL + 1] = {
	[LATENCY_MIN] = {{0x56b4e9, 2, {0}, 0}, MARKER_TRIANGLE},
	[LATENCY_P50] = {{0x0a5c97, 2, {0}, 0}, MARKER_CIRCLE},
	[LATENCY_P99] = {{0xe08214, 2, {0}, 0}, MARKER_SQUARE},
	[LATENCY_P999] = {{0x882255, 2, {0}, 0}, MARKER_DIAMOND},
	[LATENCY_P99_ALL] = {{0xeeb577, 1.6, {6, 4}, 2}, MARKER_NONE},
};

const struct pen style_line_rate = {0x333333, 1, {5, 3, 1.5, 3}, 4};

const struct font font_title = {20, true, COLOUR_TEXT};
const struct font font_subtitle = {13, false, COLOUR_MUTED};
const struct font font_panel = {14, true, COLOUR_TEXT};
const struct font font_axis = {13, false, COLOUR_TEXT};
const struct font font_tick = {12, false, COLOUR_TEXT};
const struct font font_legend = {13, false, COLOUR_TEXT};
const struct font font_note = {11.5, false, COLOUR_MUTED};

#define RADIUS	     4.2
#define BORDER	     1.8
#define CROSS_BORDER 1.5

/* Corners on the unit circle; a square is drawn a little smaller, a triangle larger, so that all
 * weigh the same. */
static const double square[] = {-.88, -.88, .88, -.88, .88, .88, -.88, .88};
static const double triangle[] = {-1.1, -.8, 1.1, -.8, 0, 1.2};
static const double triangle_down[] = {-1.1, .8, 1.1, .8, 0, -1.2};
static const double diamond[] = {0, -1.3, 1.15, 0, 0, 1.3, -1.15, 0};

static void shape(struct canvas *c, double x, double y, const double *corners, size_t n,
		  const struct pen *pen, uint32_t fill)
{
	double xy[8];

	for (size_t i = 0; i < n; i++) {
		xy[2 * i] = x + RADIUS * corners[2 * i];
		xy[2 * i + 1] = y + RADIUS * corners[2 * i + 1];
	}
	canvas_polygon(c, xy, n, pen, fill);
}

void style_point(struct canvas *c, double x, double y, const struct style *style,
		 enum point_mark mark)
{
	uint32_t colour = mark == POINT_INVALID ? COLOUR_INVALID : style->pen.colour;
	const struct pen border = {colour, BORDER, {0}, 0};
	const struct pen cross = {COLOUR_INVALID, CROSS_BORDER, {0}, 0};
	uint32_t fill = mark == POINT_VALID ? colour : COLOUR_WHITE;
	const double arm = RADIUS * 1.7;

	if (mark == POINT_MISSING)
		return;
	switch (style->marker) {
	case MARKER_CIRCLE:
		canvas_circle(c, x, y, RADIUS, &border, fill);
		break;
	case MARKER_SQUARE:
		shape(c, x, y, square, 4, &border, fill);
		break;
	case MARKER_TRIANGLE:
		shape(c, x, y, triangle, 3, &border, fill);
		break;
	case MARKER_DIAMOND:
		shape(c, x, y, diamond, 4, &border, fill);
		break;
	case MARKER_TRIANGLE_DOWN:
		shape(c, x, y, triangle_down, 3, &border, fill);
		break;
	case MARKER_NONE:
		break;
	}
	if (mark == POINT_INVALID) {
		canvas_line(c, x - arm, y - arm, x + arm, y + arm, &cross);
		canvas_line(c, x - arm, y + arm, x + arm, y - arm, &cross);
	}
}

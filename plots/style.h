/*
 * How curves and their points look: one place, so that both pictures and their legends agree.
 *
 * Colours are told apart by the common forms of colour blindness and differ in lightness; marker
 * and dash tell the curves apart once more, for print in grey.
 */
#ifndef TANDEM_STYLE_H
#define TANDEM_STYLE_H

#include "plots/canvas.h"
#include "plots/series.h"

enum marker {
	MARKER_NONE,
	MARKER_CIRCLE,
	MARKER_SQUARE,
	MARKER_TRIANGLE,
	MARKER_DIAMOND,
	MARKER_TRIANGLE_DOWN
};

struct style {
	struct pen pen;
	enum marker marker;
};

#define COLOUR_TEXT    0x1a1a1au
#define COLOUR_MUTED   0x595959u
#define COLOUR_FRAME   0x4d4d4du
#define COLOUR_GRID    0xd9d9d9u
#define COLOUR_MINOR   0xefefefu
#define COLOUR_INVALID 0xc00000u
#define COLOUR_WHITE   0xffffffu

#define STYLE_CURVES SERIES_MAX

extern const struct style
	style_curve[STYLE_CURVES];	 /* of the curves of a picture, in their order */
extern const struct pen style_line_rate; /* the ceiling that the link's speed sets */

/* The curves of a latency panel; all-samples p99 stands behind the clean one. */
enum latency_curve { LATENCY_MIN, LATENCY_P50, LATENCY_P99, LATENCY_P999, LATENCY_P99_ALL };
extern const struct style style_latency[LATENCY_P99_ALL + 1];

extern const struct font font_title, font_subtitle, font_panel, font_axis, font_tick, font_legend,
	font_note;

/* A point of a curve: filled when valid, hollow when disturbed, hollow, red and crossed when
 * invalid. */
void style_point(struct canvas *c, double x, double y, const struct style *style,
		 enum point_mark mark);

#endif

/*
 * Entries flow from left to right and into a next line, like words.
 */
#include "plots/legend.h"

#include <stdio.h>

#define LINE_HEIGHT 22.0
#define SAMPLE	    40.0 /* length of a sample of a line */
#define POINT_ONLY  14.0 /* and of a sample that is only a point */
#define PAD	    7.0
#define GAP	    26.0
#define FONT_SPARE  1.08 /* other fonts than Helvetica run up to this much wider */

void legend_add(struct legend *legend, const struct style *style, enum point_mark mark,
		const char *label)
{
	struct legend_entry *e = &legend->entry[legend->n];

	if (legend->n == LEGEND_MAX)
		return;
	legend->n++;
	e->style = *style;
	e->mark = mark;
	snprintf(e->label, sizeof(e->label), "%s", label);
}

void legend_add_marks(struct legend *legend, bool disturbed, bool invalid)
{
	static const struct style point = {{COLOUR_FRAME, 0, {0}, 0}, MARKER_CIRCLE};

	if (disturbed)
		legend_add(legend, &point, POINT_DISTURBED, "disturbed trial (hollow)");
	if (invalid)
		legend_add(legend, &point, POINT_INVALID, "invalid trial");
}

static double sample_width(const struct legend_entry *e)
{
	return e->style.pen.width > 0 ? SAMPLE : POINT_ONLY;
}

static void draw_entry(struct canvas *c, const struct legend_entry *e, double x, double y)
{
	double length = sample_width(e);

	if (e->style.pen.width > 0)
		canvas_line(c, x, y, x + length, y, &e->style.pen);
	style_point(c, x + length / 2, y, &e->style, e->mark);
	canvas_text(c, x + length + PAD, y, &font_legend, TEXT_LEFT, false, e->label);
}

/* Lays the entries out, and draws them where draw is set. Returns how many lines they take. */
static int flow(struct canvas *c, const struct legend *legend, double x, double y, double width,
		bool draw)
{
	double at = 0;
	int line = 0;

	for (size_t i = 0; i < legend->n; i++) {
		const struct legend_entry *e = &legend->entry[i];
		double need = sample_width(e) + PAD +
			      canvas_text_width(c, &font_legend, e->label) * FONT_SPARE;

		if (at > 0 && at + need > width) {
			line++;
			at = 0;
		}
		if (draw)
			draw_entry(c, e, x + at, y - (line + 0.5) * LINE_HEIGHT);
		at += need + GAP;
	}
	return legend->n ? line + 1 : 0;
}

double legend_height(struct canvas *c, const struct legend *legend, double width)
{
	return LINE_HEIGHT * flow(c, legend, 0, 0, width, false);
}

void legend_draw(struct canvas *c, const struct legend *legend, double x, double y, double width)
{
	flow(c, legend, x, y, width, true);
}

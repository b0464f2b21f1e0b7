/*
 * A chart: lines of (x, y) points in up to three panels that share their x axis. What is drawn over
 * frame sizes side by side is a panel (panel.h) instead.
 */
#ifndef TANDEM_CHART_H
#define TANDEM_CHART_H

#include "plots/figure.h"
#include "plots/style.h"

#define CHART_PANELS 3u
#define CHART_LINES  7u /* more than that nobody tells apart */
#define CHART_SPANS  4096u

enum chart_x {
	CHART_LINEAR,
	CHART_LOG,
	CHART_PERCENTILES /* x is 1 / (1 - quantile), from 90 % to 99.999 % */
};

struct chart_point {
	double x, y;
	enum point_mark mark; /* POINT_MISSING: a corner of the line without a marker */
};

struct chart_line {
	char label[160]; /* "" for one that another panel's legend entry stands for */
	struct style style;
	bool steps; /* a value holds until the next point */
	size_t n, room;
	struct chart_point *point;
};

struct chart_panel {
	const char *title, *y_label; /* borrowed */
	bool log;
	double y_max; /* the axis goes at least so far; 0 for what the data needs */
	size_t n;
	struct chart_line line[CHART_LINES];
};

struct chart {
	enum chart_x kind;
	const char *x_label; /* borrowed */
	char notes[512];
	size_t n;
	struct chart_panel panel[CHART_PANELS];
	/* Stretches of x that are shaded in every panel, with one entry in the legend. */
	const char *span_label;
	size_t n_spans;
	struct {
		double from, to;
	} span[CHART_SPANS];
};

/* What fills a chart that begins as {0}. 0, or a negative errno with one line in err. */
typedef int (*chart_collect)(const struct figure_input *in, struct chart *chart, char *err,
			     size_t errlen);

/* A new line of a panel in the style of its place; -E2BIG with a line in err that says what to do
 * (how) when there are CHART_LINES already. The line is valid until the next is added. */
int chart_line_add(struct chart_panel *panel, const char *label, const char *how,
		   struct chart_line **line, char *err, size_t errlen);

/* A point at the end of a line; what is not finite is left out. 0 or -ENOMEM. */
int chart_point_add(struct chart_line *line, double x, double y, enum point_mark mark);

/* Puts a line's points in the order of x. Those with the same x become their median, with the worst
 * of their marks: of an even number the lower one of the two in the middle. */
void chart_line_order(struct chart_line *line);

/*
 * The figure of a chart: collects once to see that there is something to draw, and sets name,
 * title, size and draw. As the figures of figure.h.
 */
int chart_figure(const struct figure_input *in, chart_collect collect, const char *name,
		 const char *title,
		 void (*draw)(struct canvas *c, const struct figure_input *in, const char *title),
		 struct figure *figure, char *err, size_t errlen);

/* Collects and draws: what a figure's draw does. */
void chart_draw(struct canvas *c, chart_collect collect, const struct figure_input *in,
		const char *title);

void chart_free(struct chart *chart);

/* A trial's mark by its verdict. */
enum point_mark chart_mark(const struct trial *trial);

/* Whether a frame size is one that the options name, or they name none. */
bool chart_names_size(const struct figure_input *in, uint32_t size);

/*
 * Whether a frame size is drawn: one that the options name, or where they name none, one of those
 * for which there is room: with more lines than CHART_LINES the smallest, the largest and some in
 * between.
 */
bool chart_wants_size(const struct figure_input *in, uint32_t size);

/* Adds to the notes that not all sizes are drawn, where that is so. */
void chart_note_sizes(const struct figure_input *in, struct chart *chart);

#endif

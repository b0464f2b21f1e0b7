/*
 * A panel: a frame with frame sizes side by side on x, an axis on y, and curves in it. And what
 * stands around the panels on a page: title, origin, legend, notes.
 */
#ifndef TANDEM_PANEL_H
#define TANDEM_PANEL_H

#include "plots/axis.h"
#include "plots/canvas.h"
#include "plots/legend.h"
#include "plots/series.h"
#include "plots/style.h"

struct panel {
	double x0, y0, x1, y1; /* the frame: left, bottom, right, top */
	struct axis y;
	size_t n_x;
	const uint32_t *size;	  /* n_x frame sizes */
	const char *title, *note; /* two lines above the frame; NULL for none */
	const char *y_label; /* NULL: the axis is the same as the neighbour's, and has no numbers */
};

/* Grid, frame, ticks, numbers, labels. */
void panel_frame(struct canvas *c, const struct panel *p);

/* Points of a curve, one a frame size: joined where neighbours are there and not invalid; gaps
 * elsewhere. */
void panel_curve(struct canvas *c, const struct panel *p, const struct point *points,
		 const struct style *style);

/* A limit, one value a frame size (NaN: none): a line without points, cut off at the frame. */
void panel_limit(struct canvas *c, const struct panel *p, const double *values,
		 const struct pen *pen);

/* A band between two values a frame size (NaN: a gap), at least a thin one. */
void panel_band(struct canvas *c, const struct panel *p, const double *lower, const double *upper,
		uint32_t colour);

#define PAGE_MARGIN 24.0

/*
 * Title, the line under it and the legend at the top, notes at the bottom ("\n" between two lines;
 * NULL for none). *top and *bottom are where the space between them ends.
 */
void page_frame(struct canvas *c, const char *title, const char *origin,
		const struct legend *legend, const char *notes, double *top, double *bottom);

#endif

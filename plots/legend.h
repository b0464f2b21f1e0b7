/*
 * The legend: a row of samples with their names above the panels, so that it never covers data.
 */
#ifndef TANDEM_LEGEND_H
#define TANDEM_LEGEND_H

#include "plots/canvas.h"
#include "plots/style.h"

#define LEGEND_MAX 16u

struct legend_entry {
	struct style style; /* pen width 0: no line in the sample */
	enum point_mark mark;
	char label[160];
};

struct legend {
	size_t n;
	struct legend_entry entry[LEGEND_MAX];
};

/* Adds an entry; beyond LEGEND_MAX nothing. */
void legend_add(struct legend *legend, const struct style *style, enum point_mark mark,
		const char *label);

/* Adds what hollow and crossed points mean, for the marks that are there. */
void legend_add_marks(struct legend *legend, bool disturbed, bool invalid);

/* Height in pixels when the entries flow into lines of a width. */
double legend_height(struct canvas *c, const struct legend *legend, double width);

/* Draws it from x to the right and from y (its upper edge) downwards. */
void legend_draw(struct canvas *c, const struct legend *legend, double x, double y, double width);

#endif

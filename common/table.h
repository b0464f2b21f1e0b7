/*
 * Cells of tables for people: figures lined up to the right, one unit a column, "-" where unknown.
 * A width counts the blank before the cell.
 */
#ifndef TANDEM_TABLE_H
#define TANDEM_TABLE_H

#include <jansson.h>
#include <stdio.h>

struct table_unit {
	const char *name;
	double factor;
};

/*
 * The unit for columns of frame rates between min and max (of those above 0): the one that fits the
 * largest, or a smaller one where the smallest would keep fewer than three digits and the largest
 * still fits its cell.
 */
struct table_unit table_rate_unit(double min, double max);

/* A number with so many decimals, fewer where it would not fit, a power of ten in the end. */
void table_number(FILE *out, int width, double value, int decimals);

/* A share as percent. A loss that is there never looks like none. */
void table_loss(FILE *out, int width, double ratio);

/* A group's heading in the middle of its columns, then the rule between groups. */
void table_group(FILE *out, int width, const char *text);

/* Text from a record: what would break the line is a blank. */
void table_text(FILE *out, const char *text);

/* "io path, ports 0>1, stream NAME" of a record. No line end. */
void table_title(FILE *out, const json_t *record);

/* ' ' valid or no trial, 'd' disturbed, '!' invalid (or no verdict known). */
char table_mark(const json_t *trial);

#endif

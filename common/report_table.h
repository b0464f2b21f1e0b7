/*
 * Tables described as data, and the rows of a record: what prints them as text and what writes them
 * as HTML show the same figures.
 */
#ifndef TANDEM_REPORT_TABLE_H
#define TANDEM_REPORT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/table.h"

enum cell {
	CELL_RATE,   /* frames/s, in the unit of the table; the heading gets its name */
	CELL_NUMBER, /* times scale */
	CELL_LOSS,   /* a share, shown as percent */
	CELL_TEXT
};

struct column {
	const char *heading; /* NULL ends the table */
	enum cell cell;
	int width;	   /* with the blank before it */
	const char *where; /* from the row */
	double scale;	   /* of a number */
	int decimals;
	const char *group; /* heading over this column and those after it that have none; a rule
			      before it */
	const char *mark;  /* where the trial stands whose verdict marks the cell, from the row */
};

/*
 * The rows of a record: one an entry of its loads, points or goals, or one where the test has no
 * such list or nothing in it. A row is {"test": record, "item": entry or null} and what is worked
 * out from them: "result_pps" (null where the outcome is no result), "percent" of the theoretical
 * maximum, "l1_bps". Appended to rows.
 */
void report_rows(const json_t *test, json_t *rows);

/* A test's page: columns as above. The loads of a loss test come behind its columns. */
struct report_page {
	const char *test; /* NULL ends the list */
	const char *title;
	const struct column *columns;
};

/* In the order of the standard, its successors behind. */
extern const struct report_page report_pages[];

/* The outcome of a row where it is more than its figures, in words; "" where it is not. */
void report_remark(const json_t *row, char *text, size_t len);

/*
 * The heading, then the rows; remark writes what follows the last rule of a row, "" for nothing.
 * Returns whether a mark was printed.
 */
bool report_table(const struct column *columns, const json_t *rows,
		  void (*remark)(const json_t *row, char *text, size_t len), FILE *out);

/* The unit of the table's rates, from the values of all of them. */
struct table_unit report_rate_unit(const struct column *columns, const json_t *rows);

/* A column ends a group where the next one begins one. */
bool report_ends_group(const struct column *column);

/* One cell, in the right of its width; unit as of report_rate_unit. */
void report_cell(const struct column *column, int width, const json_t *row,
		 const struct table_unit *unit, FILE *out);

/* A table of the tests' report: of one test, path, direction and stream. */
struct report_part {
	const struct report_page *page;
	const struct column *columns; /* the page's own, or with columns of loads */
	const json_t *rows;
	bool last; /* of its block: what is to be said below it comes now */
};

/* All tables of tests, in the order of report_pages. Returns how many records are of unknown tests.
 */
size_t report_each(const json_t *tests, void (*part)(void *context, const struct report_part *part),
		   void *context);

/*
 * The reasons of the records that rows are of, a record's joined by "; ". Each text is borrowed for
 * the call.
 */
void report_each_reason(const json_t *rows,
			void (*reason)(void *context, const json_t *test, const char *text),
			void *context);

/* The summary's table, from rows of result_summary: its columns with the units that fit all of
 * summary, and its blocks, a path, direction and stream each. */
#define SUMMARY_COLUMNS 14u
#define SUMMARY_NOTE                                                                               \
	"size: bytes with FCS. CPU: the DUT's busy share. Clean: without frames in the shadow of " \
	"the generator's own stalls."
void summary_columns(const json_t *summary, struct column into[SUMMARY_COLUMNS + 1]);
void summary_each_block(const json_t *summary, void (*block)(void *context, const json_t *rows),
			void *context);

#endif

/*
 * Tables described as data, and the rows of a record. Private to common/report*.c.
 */
#ifndef TANDEM_REPORT_TABLE_H
#define TANDEM_REPORT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

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

#endif

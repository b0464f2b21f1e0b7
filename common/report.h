/*
 * The report of test methods: the tables that RFC 2544 section 26 and its successors ask for, from
 * the records of tests.jsonl (format in results/README.md).
 *
 * A record per test, path, direction and frame size. All that stand in the file are shown, in the
 * order of frame sizes and then of the file: a test that was done twice has two rows.
 */
#ifndef TANDEM_REPORT_H
#define TANDEM_REPORT_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/*
 * For people: a table a test, path and direction, its columns lined up, units in the heading. What
 * is no result is said in words at the end of its row, and the reasons stand below the table.
 */
void report_print(const json_t *tests, FILE *out);

/*
 * For spreadsheets: a row a record, or a load or goal of it where there are several. Returns 0 or
 * -ENOMEM; the stream has its own error flag.
 */
int report_print_csv(const json_t *tests, FILE *out);

/* Writes both as report.txt and report.csv. Returns 0, or a negative errno with a line in err. */
int report_write(const char *dir, const json_t *tests, char *err, size_t errlen);

#endif

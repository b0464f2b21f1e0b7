/*
 * Writing HTML: whatever comes from a record or a command line is text, never markup.
 */
#ifndef TANDEM_HTML_H
#define TANDEM_HTML_H

#include <jansson.h>
#include <stdio.h>

#include "common/report_table.h"

/*
 * Text between tags or in a quoted attribute: & < > " ' escaped, control characters as blanks,
 * bytes that are no UTF-8 as U+FFFD.
 */
void html_text(FILE *out, const char *text);
void html_textf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A relative path as the value of href: all but what a path needs is percent-encoded. */
void html_url(FILE *out, const char *path);

/* A value of a record as text: numbers as they are, a list joined by "; ", "-" for null. */
void html_value(FILE *out, const json_t *value);

/*
 * A table in a box that scrolls: a heading of groups and one of columns, a row each. caption says
 * what it is, also to screen readers; remark as of report_table. Figures have the decimals that
 * their column asks for; unknown ones are "-"; marks stand behind their figures. Returns whether
 * there was a mark.
 */
bool html_table(FILE *out, const char *caption, const struct column *columns, const json_t *rows,
		void (*remark)(const json_t *row, char *text, size_t len));

#endif

/*
 * Cells of CSV files. The caller writes the commas and the line ends.
 */
#ifndef TANDEM_CSV_H
#define TANDEM_CSV_H

#include <jansson.h>
#include <stdio.h>

/* A cell of text, quoted where RFC 4180 asks for it. */
void csv_text(const char *text, FILE *out);

/*
 * A value of a record as a cell: nothing where it is unknown (NULL or null), a list of texts joined
 * by "; ". Returns 0 or -ENOMEM.
 */
int csv_value(const json_t *value, FILE *out);

#endif

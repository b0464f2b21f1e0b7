/*
 * tandem-dut's man page and bash completion.
 */
#ifndef TANDEM_DUT_DOCUMENT_H
#define TANDEM_DUT_DOCUMENT_H

#include <stdio.h>

/* As opt_document. */
int dut_document(const char *word, FILE *out);

#endif

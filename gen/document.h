/*
 * tandem-gen's man page and bash completion.
 */
#ifndef TANDEM_GEN_DOCUMENT_H
#define TANDEM_GEN_DOCUMENT_H

#include "gen/cmd.h"

#include <stdio.h>

/* As opt_document, of n verbs and those that are none of them. */
int gen_document(const char *word, const struct verb *const *verbs, size_t n, FILE *out);

#endif

/*
 * What does not stop a run but a reader of its figures should know: said on stderr and kept in
 * run.json.
 */
#ifndef TANDEM_WARNINGS_H
#define TANDEM_WARNINGS_H

#include "gen/generator.h"

/* Looks at ports, cores and clock. New reference to an array of texts, each printed as a line. */
json_t *warnings_collect(const struct generator *g);

#endif

/*
 * The progress line: one a second on a terminal, rewritten in place; a plain line every ten seconds
 * in a pipe.
 */
#ifndef TANDEM_PROGRESS_H
#define TANDEM_PROGRESS_H

#include "common/hist.h"

#include <stdbool.h>
#include <stdint.h>

struct generator;

struct progress {
	bool quiet, terminal, line_open;
	uint64_t last_ns; /* of the last line, or of the trial's begin */
	uint64_t last_sent, last_received;
	double left_after_s; /* work planned after this trial */
	char label[64];	     /* "io 64 B at 500 kpps" */
	struct hist *scratch;
};

/* Where stderr is a terminal, lines are rewritten. 0 or -ENOMEM. */
int progress_open(struct progress *p, bool quiet);
void progress_close(struct progress *p);

/* A trial begins. */
void progress_begin(struct progress *p, const char *label);

/* Called often by the control thread while workers run; prints when it is time. left_s is what is
 * left of this trial. */
void progress_tick(struct progress *p, const struct generator *g, const char *phase, double left_s);

/* Clears the line, so that something else can be printed. */
void progress_clear(struct progress *p);

#endif

/*
 * The control thread's side of the workers: it starts them together, watches over links, merging
 * and progress while they run, tells them when nothing is missing any more, and collects them.
 */
#ifndef TANDEM_CREW_H
#define TANDEM_CREW_H

#include "gen/generator.h"

struct progress;

/*
 * Runs one segment on all workers, with a new trial number in the stamps. *link_lost becomes true
 * when a link went down. phase names it in the progress line (progress may be NULL). 0, or a
 * negative errno with a line in err.
 */
int crew_run(struct generator *g, const struct segment *segment, struct progress *progress,
	     const char *phase, bool *link_lost, char *err, size_t errlen);

#endif

/*
 * The children of a plan: this program once more for every step, one after the other.
 *
 * The parent sleeps in sigtimedwait until the child ends or the user wants to: no handler, no
 * polling beside a measurement.
 */
#ifndef TANDEM_PLAN_CHILD_H
#define TANDEM_PLAN_CHILD_H

#include <signal.h>
#include <stdbool.h>

struct plan_children {
	sigset_t signals; /* taken by waiting: SIGINT, SIGTERM, SIGCHLD */
	sigset_t before;  /* the mask that children get */
	bool stopped;	  /* the user asked for an end */
};

/* From here on SIGINT and SIGTERM wait to be asked for. */
void plan_children_open(struct plan_children *c);

/* Whether the user asked for an end, by now. */
bool plan_children_stopped(struct plan_children *c);

/*
 * Runs this program with argv until it ends. SIGINT and SIGTERM reach the child too, which then has
 * ten seconds; it ends with its parent, however that ends. Returns 0 and what waitpid says in
 * *status, or a negative errno.
 */
int plan_children_run(struct plan_children *c, char *const *argv, int *status);

#endif

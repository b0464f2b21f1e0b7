/*
 * What the parts of --plan share. Private to gen/cmd_plan.c and gen/plan_steps.c.
 */
#ifndef TANDEM_PLAN_STEPS_H
#define TANDEM_PLAN_STEPS_H

#include "gen/cmd_plan.h"
#include "gen/plan.h"
#include "gen/plan_child.h"

#include <stdio.h>

struct plan_options {
	const char *path, *out;
	uint64_t step; /* from 1; 0: all */
	bool resume, dry_run;
};

struct plan_run {
	struct plan_call *call;
	struct plan_options options;
	struct plan plan;
	const char *dir; /* NULL: nothing is kept */
	bool *done;	 /* steps that ended well before */
	struct plan_children children;
	char err[512];
};

/* Prints what is wrong; returns status. */
int plan_complain(const char *what, int status);

/* "step 2 of 5: mlrsearch", and what there is to say of it. */
void plan_print_step(const struct plan_run *r, FILE *out, size_t index, const char *what);

/* Runs all steps that are not done, and reports. Returns the exit status. */
int plan_run_steps(struct plan_run *r);

#endif

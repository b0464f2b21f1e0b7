/*
 * The folder of a plan: plan.yaml (what was asked), plan.jsonl (a line a step that ended), the
 * folders of the steps, the report of all (format in results/README.md).
 *
 * Functions return 0 or a negative errno with one line in err.
 */
#ifndef TANDEM_PLAN_FOLDER_H
#define TANDEM_PLAN_FOLDER_H

#include "gen/plan.h"

#include <jansson.h>

/* "rfc2544 throughput"; its folder within dir, "dir/01-rfc2544-throughput", index from 0. Return
 * buf. */
char *plan_step_name(const struct plan_step *step, char *buf, size_t len);
char *plan_step_dir(const char *dir, const struct plan_step *step, size_t index, char *buf,
		    size_t len);

/* Whether a step's verb goes on in a folder by itself. */
bool plan_step_resumes(const struct plan_step *step);

/* A folder for a plan that begins, with a copy of the plan's file. One that holds a plan or a run
 * is refused. */
int plan_folder_make(const char *dir, const char *path, char *err, size_t errlen);

/* A folder of a plan that was stopped. The plan's file must be the one it was started with. */
int plan_folder_check(const char *dir, const char *path, char *err, size_t errlen);

/* Which of the plan's steps ended well there: n flags. */
int plan_folder_done(const char *dir, const struct plan *plan, bool *done, char *err,
		     size_t errlen);

/*
 * What an unfinished step left, when its verb cannot go on with it, is moved out of the way.
 * *before says what was found: "" for nothing, else how the step begins, for the user.
 */
int plan_folder_ready(const char *dir, const struct plan_step *step, size_t index, char *before,
		      size_t beforelen, char *err, size_t errlen);

/* A step ended. */
int plan_folder_add(const char *dir, const struct plan_step *step, size_t index, int status,
		    const char *started, double time_s, char *err, size_t errlen);

/* What the test methods of all steps found so far: written as the folder's report, and returned in
 * *tests, a new array. */
int plan_folder_report(const char *dir, const struct plan *plan, json_t **tests, char *err,
		       size_t errlen);

#endif

/*
 * The steps of a plan as children. What is finished is on disk before the next step begins, so that
 * a plan that was stopped, even by kill -9, goes on with --resume.
 */
#include "gen/plan_steps.h"

#include "common/clock.h"
#include "common/report.h"
#include "gen/plan_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

int plan_complain(const char *what, int status)
{
	fprintf(stderr, "tandem-gen: %s\n", what);
	return status;
}

void plan_print_step(const struct plan_run *r, FILE *out, size_t index, const char *what)
{
	char name[128];

	fprintf(out, "step %zu of %zu: %s%s%s\n", index + 1, r->plan.n,
		plan_step_name(&r->plan.steps[index], name, sizeof(name)), *what ? ": " : "", what);
	fflush(out);
}

/* What a child is called with; the caller frees the list. */
static char **child_argv(const struct plan_run *r, const char *path, const char *number)
{
	const struct eal_args *args = r->call->args;
	char **argv = calloc((size_t)args->eal_argc + 10, sizeof(*argv));
	int n = 0;

	if (!argv)
		return NULL;
	argv[n++] = (char *)(uintptr_t)r->call->program;
	for (int i = 0; i < args->eal_argc; i++)
		argv[n++] = args->eal_argv[i];
	argv[n++] = "--";
	argv[n++] = "--plan";
	argv[n++] = (char *)(uintptr_t)path;
	argv[n++] = "--step";
	argv[n++] = (char *)(uintptr_t)number;
	if (r->dir) {
		argv[n++] = "--out";
		argv[n++] = (char *)(uintptr_t)r->dir;
	}
	if (r->options.resume)
		argv[n++] = "--resume";
	return argv;
}

/* Why the plan cannot go on behind a child. Returns the plan's exit status. */
static int fatal_status(struct plan_run *r, size_t index, int wait)
{
	char name[128], how[96];

	if (WIFEXITED(wait))
		snprintf(how, sizeof(how), "ended with status %d", WEXITSTATUS(wait));
	else
		snprintf(how, sizeof(how), "was ended by signal %d (%s)", WTERMSIG(wait),
			 strsignal(WTERMSIG(wait)));
	snprintf(r->err, sizeof(r->err), "step %zu of %zu, %s, %s: the plan stops here", index + 1,
		 r->plan.n, plan_step_name(&r->plan.steps[index], name, sizeof(name)), how);
	return WIFEXITED(wait) && WEXITSTATUS(wait) == 2 ? 2 : 1;
}

/* How a step ended. */
struct ending {
	int status; /* of the step, or of the plan where that stops */
	bool stops; /* and r->err says why */
};

static struct ending failed(int status)
{
	return (struct ending){status, true};
}

static struct ending run_child(struct plan_run *r, size_t index)
{
	char path[PATH_MAX], number[24], **argv;
	int rc, wait = 0;

	snprintf(number, sizeof(number), "%zu", index + 1);
	/* The copy, which nobody edits while the plan runs. */
	if (r->dir)
		snprintf(path, sizeof(path), "%s/plan.yaml", r->dir);
	argv = child_argv(r, r->dir ? path : r->options.path, number);
	rc = argv ? plan_children_run(&r->children, argv, &wait) : -ENOMEM;
	free(argv);
	if (rc) {
		snprintf(r->err, sizeof(r->err), "step %zu cannot be run: %s", index + 1,
			 strerror(-rc));
		return failed(1);
	}
	if (WIFEXITED(wait) && WEXITSTATUS(wait) <= 1)
		return (struct ending){WEXITSTATUS(wait), false};
	return failed(fatal_status(r, index, wait));
}

/* A step from its folder to its line in plan.jsonl. */
static struct ending run_step(struct plan_run *r, size_t index)
{
	const struct plan_step *step = &r->plan.steps[index];
	char before[PATH_MAX + 128] = "", started[32];
	uint64_t begin = clock_ns();
	struct ending ending;

	if (r->dir && r->options.resume &&
	    plan_folder_ready(r->dir, step, index, before, sizeof(before), r->err, sizeof(r->err)))
		return failed(1);
	if (!step->config.quiet)
		plan_print_step(r, stderr, index, before);
	clock_iso8601(started, sizeof(started));
	ending = run_child(r, index);
	/* What the user stopped has not ended. */
	if (ending.stops || (ending.status && r->children.stopped) || !r->dir)
		return ending;
	if (plan_folder_add(r->dir, step, index, ending.status, started,
			    (double)(clock_ns() - begin) / 1e9, r->err, sizeof(r->err)))
		return failed(1);
	return ending;
}

/* The tables of all steps, also of a plan that was stopped. */
static int report(struct plan_run *r)
{
	json_t *tests = NULL;
	bool json = false;
	int rc = 0;

	if (!r->dir)
		return 0;
	for (size_t i = 0; i < r->plan.n; i++)
		json |= r->plan.steps[i].config.json;
	rc = plan_folder_report(r->dir, &r->plan, &tests, r->err, sizeof(r->err));
	if (json_array_size(tests) && !json) {
		puts("\nAll tests of the plan:");
		report_print(tests, stdout);
	}
	json_decref(tests);
	if (!rc && (fflush(stdout) || ferror(stdout))) {
		snprintf(r->err, sizeof(r->err), "cannot write the report to stdout");
		rc = -EIO;
	}
	return rc ? plan_complain(r->err, 1) : 0;
}

/* What the user stopped exits with 1, whatever the children made of it. */
static int stopped(const struct plan_run *r)
{
	fprintf(stderr, "tandem-gen: the plan was stopped%s\n",
		r->dir ? ": --resume goes on with it" : "");
	return 1;
}

static int run_steps(struct plan_run *r)
{
	int status = 0;

	for (size_t i = 0; i < r->plan.n; i++) {
		struct ending ending;

		if (plan_children_stopped(&r->children))
			return stopped(r);
		if (r->done[i]) {
			if (!r->plan.steps[i].config.quiet)
				plan_print_step(r, stderr, i, "done before");
			continue;
		}
		ending = run_step(r, i);
		if (r->children.stopped)
			return stopped(r);
		if (ending.stops)
			return plan_complain(r->err, ending.status);
		status |= ending.status;
	}
	return status;
}

int plan_run_steps(struct plan_run *r)
{
	int status, reported;

	plan_children_open(&r->children);
	status = run_steps(r);
	reported = report(r);
	return status ? status : reported;
}

/*
 * --plan on the command line: the plan is read and checked as a whole before anything is opened;
 * then its steps are run, or one of them, or printed.
 */
#include "gen/cmd_plan.h"

#include "common/units.h"
#include "gen/plan_folder.h"
#include "gen/plan_steps.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define AT(field) offsetof(struct plan_options, field)

static const struct opt options[] = {
	{"plan", 0, OPT_STRING, AT(path), 0, 0, NULL, NULL, "FILE",
	 "the tests, in YAML; gen/plans/acceptance.yaml is one", "Plan"},
	{"out", 'o', OPT_STRING, AT(out), 0, 0, NULL, NULL, "DIR",
	 "folder of the plan, instead of its own 'out:': a folder a test, and the report of all",
	 NULL},
	{"resume", 0, OPT_FLAG, AT(resume), 0, 0, NULL, NULL, NULL,
	 "go on with the plan in that folder, which was stopped: finished tests are not repeated, "
	 "nor finished trials of one that can go on. A test that failed is tried again",
	 NULL},
	{"dry-run", 0, OPT_FLAG, AT(dry_run), 0, 0, NULL, NULL, NULL,
	 "print the plan and how long it takes; nothing is sent", NULL},
	{"step", 0, OPT_UINT, AT(step), 1, 1000, NULL, NULL, "N",
	 "the N-th test alone, in this process, as the plan runs it", NULL},
	{NULL, 0, OPT_FLAG, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}};

static const char *const examples[] = {
	"tandem-gen -l 2 -a 0000:02:00.0 -- --plan acceptance.yaml",
	"one test after the other",
	"tandem-gen -l 2 -a 0000:02:00.0 -- --plan acceptance.yaml --resume",
	"goes on after a crash or Ctrl-C",
	"tandem-gen --plan acceptance.yaml --dry-run",
	"what it would do, and how long that takes",
	NULL,
};

const struct opt_command plan_command = {
	.program = "tandem-gen",
	.synopsis = "[EAL options] -- --plan FILE [options]",
	.summary = "A test plan: several tests, one after the other, from one YAML file.",
	.opts = options,
	.examples = examples};

bool plan_is_asked(const struct eal_args *args)
{
	if (!args->app_argc || *args->app_argv[0] != '-')
		return false;
	for (int i = 0; i < args->app_argc; i++)
		if (!strcmp(args->app_argv[i], "--plan") ||
		    !strncmp(args->app_argv[i], "--plan=", 7))
			return true;
	return false;
}

/* "--plan --help": the file's name is not missed. */
static bool help_is_asked(const struct eal_args *args)
{
	for (int i = 0; i < args->app_argc; i++)
		if (!strcmp(args->app_argv[i], "--help") || !strcmp(args->app_argv[i], "-h"))
			return true;
	return false;
}

static int help(void)
{
	opt_help(&plan_command, stdout);
	return 0;
}

static int read_options(struct plan_run *r)
{
	const struct eal_args *args = r->call->args;

	if (help_is_asked(args))
		return help();
	switch (opt_parse(&plan_command, &r->options, args->app_argc, args->app_argv, NULL, 0, NULL,
			  r->err, sizeof(r->err))) {
	case OPT_HELP:
		return help();
	case OPT_VERSION:
		puts("tandem-gen " TANDEM_VERSION);
		return 0;
	case OPT_ERROR:
		return plan_complain(r->err, 2);
	case OPT_OK:
		break;
	}
	return -1;
}

/* Two steps must not write to one place, and where a plan goes on is no matter of the plan. */
static int check_step(struct plan_run *r, size_t index)
{
	const struct plan_step *step = &r->plan.steps[index];
	const struct gen_config *c = &step->config;
	const char *what = NULL, *out = r->plan.steps[0].config.out;

	if (c->method.resume || c->append || c->method.dry_run)
		what = "resume, append and dry-run are not for a plan: --resume and --dry-run "
		       "stand on the command line, behind --plan";
	else if (!out != !c->out || (out && strcmp(out, c->out) != 0))
		what = "a plan has one folder: 'out:' stands at the top, each test has its own "
		       "within";
	for (size_t i = 0; i < index && c->samples && !what; i++)
		if (r->plan.steps[i].config.samples &&
		    !strcmp(r->plan.steps[i].config.samples, c->samples))
			what = "samples: two tests would write the same file";
	if (!what)
		return -1;
	snprintf(r->err, sizeof(r->err), "%s:%zu: %s", r->options.path, step->line, what);
	return plan_complain(r->err, 2);
}

/* -1 to go on, or the exit status. */
static int read_plan(struct plan_run *r)
{
	int status = -1;

	if (plan_read(r->options.path, r->call->verbs, r->call->n_verbs, &r->plan, r->err,
		      sizeof(r->err)))
		return plan_complain(r->err, 2);
	for (size_t i = 0; i < r->plan.n && status < 0; i++)
		status = check_step(r, i);
	if (status >= 0)
		return status;
	r->dir = r->options.out ? r->options.out : r->plan.steps[0].config.out;
	r->done = calloc(r->plan.n + 1, sizeof(*r->done));
	if (!r->done)
		return plan_complain("no memory", 1);
	if (r->options.step <= r->plan.n)
		return -1;
	snprintf(r->err, sizeof(r->err), "--step %llu: %s has %zu tests",
		 (unsigned long long)r->options.step, r->options.path, r->plan.n);
	return plan_complain(r->err, 2);
}

/* Opens the plan's folder; what was there before is known then. */
static int open_folder(struct plan_run *r)
{
	int rc = 0;

	if (!r->dir && r->options.resume)
		return plan_complain(
			"--resume needs the plan's folder: 'out:' in the plan, or --out DIR", 2);
	if (r->dir && r->options.resume)
		rc = plan_folder_check(r->dir, r->options.path, r->err, sizeof(r->err));
	else if (r->dir && !r->options.dry_run)
		rc = plan_folder_make(r->dir, r->options.path, r->err, sizeof(r->err));
	if (!rc && r->options.resume)
		rc = plan_folder_done(r->dir, &r->plan, r->done, r->err, sizeof(r->err));
	return rc ? plan_complain(r->err, 2) : -1;
}

/* The step is this process's: its folder is within the plan's. */
static int take_step(struct plan_run *r)
{
	static char dir[PATH_MAX];
	size_t index = r->options.step - 1;
	const struct plan_step *step = &r->plan.steps[index];
	struct gen_config *config = &r->call->config;

	r->call->verb = step->verb;
	*config = step->config;
	config->out = NULL;
	if (r->dir)
		config->out = plan_step_dir(r->dir, step, index, dir, sizeof(dir));
	if (r->options.resume && plan_step_resumes(step))
		config->method.resume = config->out;
	/* A child's program is /proc/self/exe. */
	prctl(PR_SET_NAME, "tandem-gen");
	return -1;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static int dry_run(const struct plan_run *r)
{
	double sum = 0;
	char text[32];
	size_t n = 0, unknown = 0;
	int status = 0;

	for (size_t i = 0; i < r->plan.n; i++) {
		const struct plan_step *step = &r->plan.steps[i];
		const struct gen_config *c = &step->config;
		double planned_s = step->verb->planned_s ? step->verb->planned_s(c) : NAN;
		int rc = 0;

		if (r->options.step && r->options.step != i + 1)
			continue;
		plan_print_step(r, stdout, i, r->done[i] ? "done before" : "");
		if (r->done[i])
			continue;
		if (step->verb->dry_run)
			rc = step->verb->dry_run(c);
		else
			printf("%zu size%s, %zu rate%s, %s at most\n", c->sizes.n,
			       plural(c->sizes.n), c->rates.n, plural(c->rates.n),
			       duration_format(planned_s, text, sizeof(text)));
		putchar('\n');
		status = rc > status ? rc : status;
		unknown += isnan(planned_s);
		sum += isnan(planned_s) ? 0 : planned_s;
		n++;
	}
	printf("%zu step%s, %s in all", n, plural(n), duration_format(sum, text, sizeof(text)));
	if (unknown)
		printf(" without %zu whose time is not known before", unknown);
	puts(", repeats of disturbed trials left aside");
	return status;
}

int plan_main(struct plan_call *call)
{
	static struct plan_run r; /* a step's configuration points into its plan */
	int status;

	r.call = call;
	status = read_options(&r);
	if (status < 0)
		status = read_plan(&r);
	if (status < 0 && r.options.step && !r.options.dry_run)
		return take_step(&r);
	if (status < 0)
		status = open_folder(&r);
	if (status < 0 && r.options.dry_run)
		status = dry_run(&r);
	if (status < 0)
		status = plan_run_steps(&r);
	plan_free(&r.plan);
	free(r.done);
	return status;
}

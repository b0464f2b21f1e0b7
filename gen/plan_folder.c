/*
 * The folder's files go through common/results.h: whole, or a line at a time and on disk before the
 * next step begins. What a step measured is never removed.
 */
#include "gen/plan_folder.h"

#include "common/report.h"
#include "common/results.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN_COPY    "plan.yaml"
#define PLAN_JOURNAL "plan.jsonl"

#define FAIL(code, ...) (snprintf(err, errlen, __VA_ARGS__), (code))

char *plan_step_name(const struct plan_step *step, char *buf, size_t len)
{
	const char *word = step->config.method.test;

	snprintf(buf, len, "%s%s%s", step->verb->command.verb, word ? " " : "", word ? word : "");
	return buf;
}

static char *folder_name(const struct plan_step *step, size_t index, char *buf, size_t len)
{
	char name[128];

	plan_step_name(step, name, sizeof(name));
	for (char *c = name; *c; c++)
		if (*c == ' ' || *c == '/')
			*c = '-';
	snprintf(buf, len, "%02zu-%s", index + 1, name);
	return buf;
}

char *plan_step_dir(const char *dir, const struct plan_step *step, size_t index, char *buf,
		    size_t len)
{
	char name[160];

	snprintf(buf, len, "%s/%s", dir, folder_name(step, index, name, sizeof(name)));
	return buf;
}

bool plan_step_resumes(const struct plan_step *step)
{
	for (const struct opt *o = step->verb->command.opts; o->name; o++)
		if (!strcmp(o->name, "resume"))
			return true;
	return false;
}

static bool holds(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX && !access(path, F_OK);
}

/* The text of a plan's file, to be freed: read twice, so it has to be a file. */
static int read_text(const char *path, char **text, size_t *size, char *err, size_t errlen)
{
	FILE *in = fopen(path, "re");
	struct stat st = {.st_size = 0};
	int rc = 0;

	*text = NULL;
	*size = 0;
	if (!in || fstat(fileno(in), &st))
		rc = FAIL(-errno, "%s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		rc = FAIL(-EINVAL,
			  "%s: is not a file, and a plan is read again by each of its steps", path);
	if (!rc) {
		*text = malloc((size_t)st.st_size + 1);
		if (*text)
			*size = fread(*text, 1, (size_t)st.st_size + 1, in);
		if (!*text || ferror(in))
			rc = FAIL(-EIO, "%s: cannot be read", path);
	}
	if (in)
		fclose(in);
	if (rc) {
		free(*text);
		*text = NULL;
	}
	return rc;
}

int plan_folder_make(const char *dir, const char *path, char *err, size_t errlen)
{
	char *text;
	size_t size;
	int rc;

	if (holds(dir, PLAN_COPY) || holds(dir, PLAN_JOURNAL))
		return FAIL(-EEXIST,
			    "%s holds a plan already: --resume goes on with it, or name another "
			    "folder",
			    dir);
	rc = read_text(path, &text, &size, err, errlen);
	if (rc)
		return rc;
	rc = result_open(dir, 0, err, errlen);
	if (!rc)
		rc = result_write_file(dir, PLAN_COPY, text, size, err, errlen);
	free(text);
	return rc;
}

int plan_folder_check(const char *dir, const char *path, char *err, size_t errlen)
{
	char copy[PATH_MAX], *now = NULL, *then = NULL;
	size_t now_size, then_size;
	int rc;

	if (!holds(dir, PLAN_COPY))
		return FAIL(-ENOENT, "%s holds no plan to go on with: leave --resume away", dir);
	snprintf(copy, sizeof(copy), "%s/%s", dir, PLAN_COPY);
	rc = read_text(path, &now, &now_size, err, errlen);
	if (!rc)
		rc = read_text(copy, &then, &then_size, err, errlen);
	if (!rc && (now_size != then_size || memcmp(now, then, now_size) != 0))
		rc = FAIL(-EINVAL,
			  "%s is not the plan that %s was started with: that one is %s, or name "
			  "another folder with --out",
			  path, dir, copy);
	free(now);
	free(then);
	return rc;
}

int plan_folder_done(const char *dir, const struct plan *plan, bool *done, char *err, size_t errlen)
{
	json_t *lines = NULL, *line;
	size_t i;
	int rc;

	memset(done, 0, plan->n * sizeof(*done));
	if (!holds(dir, PLAN_JOURNAL))
		return 0;
	rc = result_read_steps(dir, &lines, err, errlen);
	json_array_foreach (lines, i, line) {
		json_int_t step = json_integer_value(json_object_get(line, "step"));
		const json_t *status = json_object_get(line, "status");

		if (step >= 1 && (size_t)step <= plan->n && json_is_integer(status))
			done[step - 1] = json_integer_value(status) == 0;
	}
	json_decref(lines);
	return rc;
}

int plan_folder_ready(const char *dir, const struct plan_step *step, size_t index, char *before,
		      size_t beforelen, char *err, size_t errlen)
{
	char path[PATH_MAX], aside[PATH_MAX + 32];
	unsigned int n = 1;

	*before = '\0';
	plan_step_dir(dir, step, index, path, sizeof(path));
	/* An empty one is as good as none. */
	if (!rmdir(path) || errno == ENOENT)
		return 0;
	if (plan_step_resumes(step)) {
		snprintf(before, beforelen, "goes on");
		return 0;
	}
	do
		snprintf(aside, sizeof(aside), "%s.before-%u", path, n++);
	while (!access(aside, F_OK));
	if (rename(path, aside))
		return FAIL(-errno, "%s cannot be moved to %s: %s", path, aside, strerror(errno));
	snprintf(before, beforelen, "starts over; what it had is in %s", aside);
	return 0;
}

int plan_folder_add(const char *dir, const struct plan_step *step, size_t index, int status,
		    const char *started, double time_s, char *err, size_t errlen)
{
	char name[160];
	const char *word = step->config.method.test;
	json_t *line =
		json_pack("{s:s, s:I, s:s, s:s?, s:s, s:i, s:s, s:o}", "schema", PLAN_SCHEMA,
			  "step", (json_int_t)index + 1, "verb", step->verb->command.verb, "word",
			  word, "dir", folder_name(step, index, name, sizeof(name)), "status",
			  status, "started", started, "time_s", result_real(time_s));
	int rc = result_append_step(dir, line, err, errlen);

	json_decref(line);
	return rc;
}

int plan_folder_report(const char *dir, const struct plan *plan, json_t **tests, char *err,
		       size_t errlen)
{
	char path[PATH_MAX];
	int rc = 0;

	*tests = json_array();
	for (size_t i = 0; i < plan->n && !rc; i++) {
		json_t *own = NULL;

		plan_step_dir(dir, &plan->steps[i], i, path, sizeof(path));
		if (!holds(path, "tests.jsonl"))
			continue;
		rc = result_read_tests(path, &own, err, errlen);
		json_array_extend(*tests, own);
		json_decref(own);
	}
	if (!rc && json_array_size(*tests))
		rc = report_write(dir, *tests, err, errlen);
	return rc;
}

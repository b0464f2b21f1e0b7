/*
 * Reading results. common/results.c knows the format; what is added here is what a user may get
 * wrong on the command line, told by name.
 */
#include "plots/load.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/results.h"

/* Name and folder of a result; "latest" is a link to the folder whose name says more. */
static int locate(struct result *r, char *err, size_t errlen)
{
	char real[PATH_MAX];
	struct stat st;
	const char *slash;
	bool file;

	if (!realpath(r->path, real) || stat(real, &st) < 0) {
		int error = errno;

		snprintf(err, errlen, "%s: %s: name a result folder, such as results/latest",
			 r->path, strerror(error));
		return -error;
	}
	slash = strrchr(real, '/');
	snprintf(r->name, sizeof(r->name), "%.79s", slash[1] ? slash + 1 : real);
	file = !S_ISDIR(st.st_mode);
	slash = strrchr(r->path, '/');
	if (!file)
		snprintf(r->dir, sizeof(r->dir), "%s", r->path);
	else if (slash)
		snprintf(r->dir, sizeof(r->dir), "%.*s", (int)(slash - r->path) + 1, r->path);
	else
		snprintf(r->dir, sizeof(r->dir), ".");
	return file;
}

static int load_one(struct result *r, char *err, size_t errlen)
{
	int rc = locate(r, err, errlen);
	bool folder = rc == 0;

	if (rc >= 0)
		rc = result_read_trials(r->path, &r->trials, err, errlen);
	if (rc >= 0 && json_array_size(r->trials) == 0) {
		snprintf(err, errlen, "%s: no trials in it: run tandem-gen with --out first",
			 r->path);
		rc = -ENODATA;
	}
	if (rc >= 0 && folder)
		rc = result_read_run(r->path, &r->run, err, errlen);
	if (rc < 0)
		return rc;
	r->summary = result_summary(r->trials);
	if (json_array_size(r->summary) == 0) {
		snprintf(err, errlen, "%s: its trials name no frame size", r->path);
		return -ENODATA;
	}
	return 0;
}

int results_load(const char *const *paths, size_t n, struct result *results, char *err,
		 size_t errlen)
{
	memset(results, 0, n * sizeof(*results));
	for (size_t i = 0; i < n; i++) {
		int rc;

		results[i].path = paths[i];
		rc = load_one(&results[i], err, errlen);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void results_free(struct result *results, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_decref(results[i].run);
		json_decref(results[i].trials);
		json_decref(results[i].summary);
	}
}

/* Appends a part to a list "a, b", once. */
static void add_part(char *buf, size_t len, const char *part)
{
	size_t used = strlen(buf);

	if (part && part[0] && !strstr(buf, part))
		snprintf(buf + used, len - used, "%s%s", used ? ", " : "", part);
}

/* "2026-01-01T00:00:00.000Z" as "2026-01-01 00:00 UTC", other texts as they are. */
static void add_date(char *buf, size_t len, const char *started)
{
	char date[40];

	if (!started)
		return;
	if (strlen(started) >= 17 && started[10] == 'T')
		snprintf(date, sizeof(date), "%.10s %.5s UTC", started, started + 11);
	else
		snprintf(date, sizeof(date), "%.39s", started);
	add_part(buf, len, date);
}

char *results_origin(const struct result *results, size_t n, char *buf, size_t len)
{
	buf[0] = 0;
	for (size_t i = 0; i < n; i++) {
		add_part(buf, len, result_str(results[i].run, "host.hostname"));
		add_part(buf, len, result_str(results[i].run, "host.cpu_model"));
	}
	for (size_t i = 0; i < n; i++)
		add_date(buf, len, result_str(json_array_get(results[i].trials, 0), "started"));
	return buf;
}

/*
 * Keeping a selftest's figures in the place for state: root's in /var/lib, anybody else's at home.
 */
#include "gen/selftest.h"

#include "common/results.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *selftest_path(const char *file, char *buf, size_t len)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (file)
		snprintf(buf, len, "%s", file);
	else if (state && *state)
		snprintf(buf, len, "%s/tandem/selftest.json", state);
	else if (geteuid() == 0 || !home)
		snprintf(buf, len, "/var/lib/tandem/selftest.json");
	else
		snprintf(buf, len, "%s/.local/state/tandem/selftest.json", home);
	return buf;
}

json_t *selftest_last(void)
{
	char path[4096];
	json_error_t ignored;
	json_t *figures = json_load_file(selftest_path(NULL, path, sizeof(path)), 0, &ignored);
	const char *schema = json_string_value(json_object_get(figures, "schema"));

	if (schema && !strcmp(schema, SELFTEST_SCHEMA))
		return figures;
	json_decref(figures);
	return json_null();
}

static int make_folders(char *dir)
{
	for (char *slash = strchr(dir + 1, '/');; slash = strchr(slash + 1, '/')) {
		int rc;

		if (slash)
			*slash = '\0';
		rc = mkdir(dir, 0755) && errno != EEXIST ? -errno : 0;
		if (slash)
			*slash = '/';
		if (rc || !slash)
			return rc;
	}
}

int selftest_keep(const char *path, const json_t *figures, char *err, size_t errlen)
{
	char *copy = strdup(path), *name = strdup(path),
	     *text = json_dumps(figures, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	char *dir = copy ? dirname(copy) : NULL;
	int rc = -ENOMEM;

	if (copy && name && text) {
		rc = make_folders(dir);
		if (!rc)
			rc = result_write_file(dir, basename(name), text, strlen(text), err,
					       errlen);
		else
			snprintf(err, errlen, "%s: %s", dir, strerror(-rc));
	}
	free(copy);
	free(name);
	free(text);
	return rc;
}

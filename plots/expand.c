/*
 * From a plan's folder to those of its tests.
 */
#include "plots/expand.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool holds(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
	       access(path, F_OK) == 0;
}

/* "03-rfc2544-throughput", but not what had to begin again, "03-rfc2544-throughput.before-1". */
static int is_test(const struct dirent *entry)
{
	return isdigit((unsigned char)entry->d_name[0]) && !strstr(entry->d_name, ".before-");
}

/* What is collected: paths, and those of them that are new. */
struct list {
	const char **paths;
	size_t n, max;
	char **owned; /* ends with NULL */
	size_t n_owned;
};

static int add(struct list *list, const char *path)
{
	if (list->n == list->max)
		return -E2BIG;
	list->paths[list->n++] = path;
	return 0;
}

static int add_test(struct list *list, const char *dir, const char *name)
{
	char path[PATH_MAX], *kept;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (!holds(path, "trials.jsonl"))
		return 0;
	kept = list->n < list->max ? strdup(path) : NULL;
	if (!kept)
		return list->n < list->max ? -ENOMEM : -E2BIG;
	list->owned[list->n_owned++] = kept;
	return add(list, kept);
}

static int add_plan(struct list *list, const char *dir)
{
	struct dirent **entries = NULL;
	int n = scandir(dir, &entries, is_test, alphasort), rc = n < 0 ? -errno : 0;
	const size_t before = list->n;

	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = add_test(list, dir, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return rc == 0 && list->n == before ? -ENODATA : rc;
}

int results_expand(const char **paths, size_t n, size_t max, char ***owned, char *err,
		   size_t errlen)
{
	const char **named = malloc((n ? n : 1) * sizeof(*named));
	struct list list = {.paths = paths, .max = max, .owned = calloc(max + 1, sizeof(char *))};
	const char *plan = NULL;
	int rc = named && list.owned ? 0 : -ENOMEM;

	*owned = list.owned;
	if (rc == 0)
		memcpy(named, paths, n * sizeof(*named));
	for (size_t i = 0; i < n && rc == 0; i++) {
		plan = holds(named[i], "plan.jsonl") && !holds(named[i], "trials.jsonl") ? named[i]
											 : NULL;
		rc = plan ? add_plan(&list, plan) : add(&list, named[i]);
	}
	free(named);
	if (rc == 0)
		return (int)list.n;
	if (rc == -E2BIG && plan)
		snprintf(err, errlen, "%s: a plan of many tests: name up to %zu of their folders",
			 plan, max);
	else if (rc == -ENODATA)
		snprintf(err, errlen, "%s: a plan of which no test has a trial yet", plan);
	else
		snprintf(err, errlen, "%s: %s", plan ? plan : "results",
			 rc == -E2BIG ? "too many of them" : strerror(-rc));
	return rc;
}

void results_expand_free(char **owned)
{
	for (size_t i = 0; owned && owned[i]; i++)
		free(owned[i]);
	free(owned);
}

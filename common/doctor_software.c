/*
 * DPDK itself: its version, and who else runs it here.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TESTED "DPDK 22.11"

/* "DPDK 22.11" of "DPDK 22.11.5". */
static int series_length(const char *version)
{
	const char *dot = strchr(version, '.');

	return (int)(dot ? (size_t)(dot - version) + 1 + strcspn(dot + 1, ".-") : strlen(version));
}

void doctor_dpdk(const struct exam *e)
{
	const char *built = e->host->dpdk_built, *running = e->host->dpdk_running;
	struct doctor_row *row = doctor_row(e, "DPDK", DOCTOR_OK);
	int n = series_length(running);

	doctor_found(row, "%s", running);
	if (strcmp(built, running))
		doctor_more(row, ", built with %s", built);
	if (series_length(built) != n || strncmp(built, running, (size_t)n)) {
		row->state = DOCTOR_WARN;
		doctor_remedy(row,
			      "make clean all, so that headers and libraries are of one series");
	} else if (n != (int)strlen(TESTED) || strncmp(running, TESTED, strlen(TESTED))) {
		row->state = DOCTOR_WARN;
		doctor_more(row, ": not the series that Tandem was tested with");
		doctor_remedy(row, "install Debian 12's dpdk and libdpdk-dev (22.11)");
	}
}

struct others {
	const struct exam *e;
	unsigned int n;
	char list[200];
};

/* Whether a process has EAL's library mapped: every DPDK program of Debian's has, ours too. */
static bool maps_eal(const struct exam *e, const char *pid)
{
	char path[PATH_MAX], line[512];
	FILE *in = fopen(doctor_path(e, path, "/proc/%s/maps", pid), "re");
	bool found = false;

	while (in && !found && fgets(line, sizeof(line), in))
		found = strstr(line, "/librte_eal.so");
	if (in)
		fclose(in);
	return found;
}

static void look_at(const char *name, void *arg)
{
	struct others *o = arg;
	char path[PATH_MAX], comm[64];
	size_t used = strlen(o->list);

	if (!isdigit((unsigned char)*name) || atoi(name) == o->e->host->self ||
	    !maps_eal(o->e, name))
		return;
	if (!sysfs_text(doctor_path(o->e, path, "/proc/%s/comm", name), comm, sizeof(comm)))
		return; /* it has ended meanwhile */
	snprintf(o->list + used, sizeof(o->list) - used, "%s%.32s (%.16s)", o->n++ ? ", " : "",
		 comm, name);
}

void doctor_others(const struct exam *e)
{
	struct others o = {.e = e};
	struct doctor_row *row;
	char dir[PATH_MAX];

	if (!sysfs_each(doctor_path(e, dir, "/proc"), look_at, &o)) {
		doctor_found(doctor_row(e, "other DPDK programs", DOCTOR_NONE), "unknown");
		return;
	}
	row = doctor_row(e, "other DPDK programs", o.n ? DOCTOR_WARN : DOCTOR_OK);
	if (!o.n) {
		doctor_found(row, "none that we may see");
		return;
	}
	doctor_found(row, "%u: %s", o.n, o.list);
	doctor_remedy(row, "end them, or give both sides other cores, memory and --file-prefix");
}

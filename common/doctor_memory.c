/*
 * Memory: hugepages of each NUMA node, and how much a process may lock.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <ctype.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#define NODES	       "/sys/devices/system/node"
#define POOLS	       "/sys/kernel/mm/hugepages"
#define MINIMUM_MB     64  /* EAL does not start with less */
#define RECOMMENDED_MB 768 /* what both programs of `make run` take together */
#define MEMLOCK_MB     64  /* buffers of an af_xdp port or a NIC */
#define MAX_NODES      64

/* Pages of all sizes in a folder of pools, in MB. */
struct pools {
	const char *dir;
	unsigned long long total_mb, free_mb;
};

static void add_pool(const char *name, void *arg)
{
	unsigned long long kb, total, free_pages;
	struct pools *p = arg;
	char path[PATH_MAX];

	if (sscanf(name, "hugepages-%llukB", &kb) != 1)
		return;
	snprintf(path, sizeof(path), "%s/%s/nr_hugepages", p->dir, name);
	if (!sysfs_number(path, &total))
		return;
	snprintf(path, sizeof(path), "%s/%s/free_hugepages", p->dir, name);
	if (!sysfs_number(path, &free_pages))
		return;
	p->total_mb += total * kb / 1024;
	p->free_mb += free_pages * kb / 1024;
}

static void note_node(const char *name, void *arg)
{
	bool *nodes = arg;
	unsigned long node;
	char *end;

	if (strncmp(name, "node", 4) || !isdigit((unsigned char)name[4]))
		return;
	node = strtoul(name + 4, &end, 10);
	if (!*end && node < MAX_NODES)
		nodes[node] = true;
}

static enum doctor_state judge(const struct exam *e, unsigned long long free_mb)
{
	if (free_mb >= RECOMMENDED_MB)
		return DOCTOR_OK;
	if (free_mb >= MINIMUM_MB || e->role->no_huge)
		return DOCTOR_WARN;
	return DOCTOR_FAIL;
}

/* A node without CPUs that we may use needs none. */
static bool node_matters(const struct exam *e, unsigned int node)
{
	bool here[DOCTOR_MAX_CPUS], allowed[DOCTOR_MAX_CPUS];
	char path[PATH_MAX], text[1024];

	if (!doctor_allowed(e, allowed) ||
	    !sysfs_text(doctor_path(e, path, NODES "/node%u/cpulist", node), text, sizeof(text)))
		return true;
	doctor_cpus(text, here);
	for (unsigned int cpu = 0; cpu < DOCTOR_MAX_CPUS; cpu++)
		if (here[cpu] && allowed[cpu])
			return true;
	return false;
}

static void row_of_node(const struct exam *e, unsigned int node, bool only, bool enough_elsewhere)
{
	char dir[PATH_MAX], name[32];
	struct pools p = {.dir = dir};
	struct doctor_row *row;
	bool pools;

	doctor_path(e, dir, NODES "/node%u/hugepages", node);
	pools = sysfs_each(dir, add_pool, &p);
	snprintf(name, sizeof(name), "hugepages node %u", node);
	row = doctor_row(e, name, judge(e, p.free_mb));
	doctor_found(row, "%llu of %llu MB free%s", p.free_mb, p.total_mb,
		     pools ? "" : " (this kernel has none)");
	if (row->state != DOCTOR_OK && !only && !node_matters(e, node))
		row->state = DOCTOR_NONE;
	/* What one node lacks costs a trip to the other; it does not keep the role from running. */
	if (row->state == DOCTOR_FAIL && enough_elsewhere)
		row->state = DOCTOR_WARN;
	if (row->state == DOCTOR_WARN || row->state == DOCTOR_FAIL)
		doctor_remedy(row,
			      "echo 512 >" NODES "/node%u/hugepages/hugepages-2048kB/nr_hugepages, "
			      "or make host%s",
			      node, e->role->link == DOCTOR_NIC ? "" : "; --no-huge runs without");
}

void doctor_hugepages(const struct exam *e)
{
	bool nodes[MAX_NODES] = {false};
	char dir[PATH_MAX];
	struct pools all = {.dir = dir};
	struct doctor_row *row;
	unsigned int n = 0;

	doctor_path(e, dir, NODES);
	sysfs_each(dir, note_node, nodes);
	doctor_path(e, dir, POOLS);
	sysfs_each(dir, add_pool, &all);
	for (unsigned int node = 0; node < MAX_NODES; node++)
		n += nodes[node];
	for (unsigned int node = 0; node < MAX_NODES; node++)
		if (nodes[node])
			row_of_node(e, node, n == 1, n > 1 && all.free_mb >= MINIMUM_MB);
	if (n)
		return;
	/* A kernel without NUMA. */
	row = doctor_row(e, "hugepages", judge(e, all.free_mb));
	doctor_found(row, "%llu of %llu MB free", all.free_mb, all.total_mb);
	if (row->state != DOCTOR_OK)
		doctor_remedy(row, "sysctl vm.nr_hugepages=512, or make host%s",
			      e->role->link == DOCTOR_NIC ? "" : "; --no-huge runs without");
}

void doctor_memlock(const struct exam *e)
{
	bool needs = e->role->link == DOCTOR_NIC ||
		     doctor_uses(e->role, DOCTOR_LINK_AF_XDP, DOCTOR_AF_XDP);
	char path[PATH_MAX], text[256];
	struct doctor_row *row;
	unsigned long long kb;

	if (!sysfs_line(doctor_path(e, path, "/proc/self/limits"), "Max locked memory", ' ', text,
			sizeof(text))) {
		doctor_found(doctor_row(e, "memory locks", DOCTOR_NONE), "unknown");
		return;
	}
	text[strcspn(text, " ")] = '\0';
	row = doctor_row(e, "memory locks", DOCTOR_OK);
	if (!strcmp(text, "unlimited")) {
		doctor_found(row, "unlimited");
		return;
	}
	kb = strtoull(text, NULL, 10) / 1024;
	doctor_found(row, "%llu kB", kb);
	if (doctor_has_right(e, CAP_IPC_LOCK)) {
		doctor_more(row, ", and the right to lock more (CAP_IPC_LOCK)");
		return;
	}
	if (kb / 1024 >= MEMLOCK_MB)
		return;
	row->state = needs ? DOCTOR_FAIL : DOCTOR_NONE;
	if (needs)
		doctor_remedy(row, "ulimit -l unlimited (limits.conf: memlock), or run as root");
}

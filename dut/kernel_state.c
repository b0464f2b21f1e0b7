/*
 * The state file of the kernel side, and the removal of what an earlier crash left.
 *
 * A process is told by its pid and start time, so that a pid in use again does not keep leftovers
 * alive.
 */
#include "dut/kernel_state.h"
#include "dut/command.h"
#include "dut/netns.h"

#include <jansson.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE_DIR "/run/tandem"

/* When a process started, in clock ticks since boot: field 22 of its stat. 0 when there is no such
 * process. */
static unsigned long long start_time(long pid)
{
	unsigned long long ticks = 0;
	char path[64], line[1024];
	char *at = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(line, sizeof(line), f))
		at = strrchr(line, ')'); /* the name before it may hold anything */
	fclose(f);
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%llu", &ticks) != 1)
		return 0;
	return ticks;
}

static void state_path(const char *netns, char *path, size_t len)
{
	snprintf(path, len, STATE_DIR "/%s.json", netns);
}

/* The pid of the running process that wrote a state, 0 when it is gone. */
static long state_owner(const json_t *state)
{
	long pid = (long)json_integer_value(json_object_get(state, "pid"));
	unsigned long long started =
		(unsigned long long)json_integer_value(json_object_get(state, "start_time"));

	return pid > 0 && started > 0 && start_time(pid) == started ? pid : 0;
}

int kernel_state_write(const char *netns, bool made_netns, const char *const *interfaces,
		       unsigned int n, char *err, size_t errlen)
{
	char path[PATH_MAX], temporary[PATH_MAX + 8];
	json_t *state, *list;
	long owner;
	int rc = 0;

	state_path(netns, path, sizeof(path));
	state = json_load_file(path, 0, NULL);
	owner = state_owner(state);
	json_decref(state);
	if (owner && owner != (long)getpid()) {
		snprintf(err, errlen,
			 "the network namespace %s is in use by process %ld; give another "
			 "--kernel-netns",
			 netns, owner);
		return -EBUSY;
	}
	list = json_array();
	for (unsigned int i = 0; i < n; i++)
		json_array_append_new(list, json_string(interfaces[i]));
	state = json_pack("{s:I, s:I, s:s, s:b, s:o}", "pid", (json_int_t)getpid(), "start_time",
			  (json_int_t)start_time(getpid()), "netns", netns, "made_netns",
			  made_netns, "interfaces", list);
	snprintf(temporary, sizeof(temporary), "%s.tmp", path);
	if (mkdir(STATE_DIR, 0755) < 0 && errno != EEXIST)
		rc = -errno;
	else if (!state || json_dump_file(state, temporary, JSON_INDENT(1)) < 0 ||
		 rename(temporary, path) < 0)
		rc = errno ? -errno : -EIO;
	json_decref(state);
	if (rc < 0)
		snprintf(err, errlen, "cannot write %s: %s", path, strerror(-rc));
	return rc;
}

void kernel_state_remove(const char *netns)
{
	char path[PATH_MAX];

	state_path(netns, path, sizeof(path));
	unlink(path);
}

/* Removes what a dead process made: its namespace with all that is in it, or its interfaces in a
 * kept one. */
static void remove_leftovers(const json_t *state)
{
	const char *netns = json_string_value(json_object_get(state, "netns"));
	char ignored[256];
	json_t *interface;
	size_t i;

	if (!netns || !netns_exists(netns))
		return;
	fprintf(stderr, "tandem-dut: removing what process %lld left in the network namespace %s\n",
		(long long)json_integer_value(json_object_get(state, "pid")), netns);
	if (json_is_true(json_object_get(state, "made_netns"))) {
		COMMAND(ignored, sizeof(ignored), "ip", "netns", "del", netns);
		return;
	}
	json_array_foreach (json_object_get(state, "interfaces"), i, interface)
		COMMAND(ignored, sizeof(ignored), "ip", "-n", netns, "link", "del",
			json_string_value(interface));
}

void kernel_state_clean(void)
{
	DIR *dir = opendir(STATE_DIR);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX];
		const char *dot = strrchr(entry->d_name, '.');
		json_t *state;

		if (!dot || strcmp(dot, ".json") != 0)
			continue;
		snprintf(path, sizeof(path), STATE_DIR "/%s", entry->d_name);
		state = json_load_file(path, 0, NULL);
		if (state && state_owner(state) == 0) {
			remove_leftovers(state);
			unlink(path);
		}
		json_decref(state);
	}
	if (dir)
		closedir(dir);
}

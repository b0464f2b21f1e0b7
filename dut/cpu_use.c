/*
 * CPU times out of procfs (proc(5)): PROC/stat a CPU, PROC/PID/stat a thread.
 */
#include "dut/cpu_use.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t ticks_ns(uint64_t ticks)
{
	long hz = sysconf(_SC_CLK_TCK);

	return ticks * (1000000000u / (uint64_t)(hz > 0 ? hz : 100));
}

/* Fields 14 and 15 of a stat file. The name before them, in brackets, may hold anything. */
static bool read_times(const char *path, struct cpu_times *times)
{
	char line[1024];
	uint64_t user, system;
	const char *rest;
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return false;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	rest = strrchr(line, ')');
	if (!rest ||
	    sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64,
		   &user, &system) != 2)
		return false;
	*times = (struct cpu_times){ticks_ns(user), ticks_ns(system)};
	return true;
}

bool cpu_thread_times(const char *proc, pid_t tid, struct cpu_times *times)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/self/task/%d/stat", proc, (int)tid);
	return read_times(path, times);
}

static bool softirq_time(const struct cpu_watch *w, uint64_t *ns)
{
	char path[PATH_MAX], line[512];
	bool any = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/stat", w->proc);
	f = fopen(path, "re");
	if (!f)
		return false;
	*ns = 0;
	while (fgets(line, sizeof(line), f)) {
		uint64_t irq, softirq;
		unsigned int cpu;

		/* user, nice, system, idle and iowait come before. */
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &cpu, &irq,
			   &softirq) != 3 ||
		    cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &w->cpus))
			continue;
		*ns += ticks_ns(irq + softirq);
		any = true;
	}
	fclose(f);
	return any;
}

/* Threads that ended keep nothing in /proc: what they used is no longer counted. */
static uint64_t kthreads_time(const struct cpu_watch *w)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < w->n_kthreads; i++) {
		struct cpu_times times;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%d/stat", w->proc, (int)w->kthread[i]);
		if (read_times(path, &times))
			ns += times.user_ns + times.system_ns;
	}
	return ns;
}

/* net_kni has a thread of that name, too, which only answers requests. */
static bool carries_frames(const char *dir, const char *entry, bool kernel, const char *vhost)
{
	char path[PATH_MAX], name[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/comm", dir, entry);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(name, sizeof(name), f))
		name[0] = '\0';
	fclose(f);
	name[strcspn(name, "\n")] = '\0';
	return (kernel && !strncmp(name, "kni_", 4)) || !strcmp(name, vhost);
}

/* Threads of a folder of procfs. Linux 6.4 made vhost's kernel threads threads of the process. */
static void find_kthreads(struct cpu_watch *w, const char *dir, bool kernel, const char *vhost)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)) && w->n_kthreads < CPU_USE_MAX_KTHREADS) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);

		if (!*end && pid > 0 && carries_frames(dir, entry->d_name, kernel, vhost))
			w->kthread[w->n_kthreads++] = (pid_t)pid;
	}
	closedir(d);
}

void cpu_watch_open(struct cpu_watch *w, const char *proc, const cpu_set_t *cpus, pid_t pid)
{
	char vhost[32], tasks[PATH_MAX];

	*w = (struct cpu_watch){.proc = proc, .cpus = *cpus};
	snprintf(vhost, sizeof(vhost), "vhost-%d", (int)pid);
	snprintf(tasks, sizeof(tasks), "%s/self/task", proc);
	find_kthreads(w, proc, true, vhost);
	find_kthreads(w, tasks, false, vhost);
	w->known = softirq_time(w, &w->softirq_begin);
	w->kthreads_begin = kthreads_time(w);
}

struct cpu_use cpu_watch_read(const struct cpu_watch *w)
{
	struct cpu_use use = {.n_kthreads = w->n_kthreads};
	uint64_t softirq, kthreads = kthreads_time(w);

	if (!w->known || !softirq_time(w, &softirq))
		return use;
	use.known = true;
	use.softirq_ns = softirq > w->softirq_begin ? softirq - w->softirq_begin : 0;
	use.kthreads_ns = kthreads > w->kthreads_begin ? kthreads - w->kthreads_begin : 0;
	return use;
}

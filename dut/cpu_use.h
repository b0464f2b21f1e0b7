/*
 * CPU time that forwarding costs beyond busy rounds: system time of the polling threads, softirqs
 * on their CPUs, and kernel threads that carry frames for us (rte_kni's, vhost-net's).
 *
 * The kernel keeps these times in /proc; it counts in its clock's ticks, so they are good to some
 * 10 ms. Read by control threads alone, never by those that poll.
 */
#ifndef TANDEM_DUT_CPU_USE_H
#define TANDEM_DUT_CPU_USE_H

#include "dut/topology.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CPU_USE_MAX_KTHREADS 32u

struct cpu_times {
	uint64_t user_ns, system_ns;
};

/* Times since the watch was opened. */
struct cpu_use {
	bool known;	      /* /proc could be read */
	uint64_t softirq_ns;  /* interrupts and softirqs on the CPUs of the lcores, whoever caused
				 them */
	uint64_t kthreads_ns; /* of the kernel threads below, together */
	unsigned int n_kthreads;
};

struct cpu_watch {
	const char *proc; /* where procfs is mounted; tests have their own */
	cpu_set_t cpus;
	unsigned int n_kthreads;
	pid_t kthread[CPU_USE_MAX_KTHREADS];
	uint64_t softirq_begin, kthreads_begin;
	bool known;
};

/*
 * Begins to watch: finds the kernel threads named kni_* and vhost-PID (pid is the process whose
 * vhost-net threads count) and remembers what all have used so far. proc is kept, not copied.
 */
void cpu_watch_open(struct cpu_watch *w, const char *proc, const cpu_set_t *cpus, pid_t pid);

/* What was used since. known is false where /proc could not be read then or now. */
struct cpu_use cpu_watch_read(const struct cpu_watch *w);

/* User and system time of a thread of this process. False when it is gone. */
bool cpu_thread_times(const char *proc, pid_t tid, struct cpu_times *times);

#endif

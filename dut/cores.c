/*
 * The cores that poll: which of them polls which stream, and their threads.
 */
#include "dut/dut.h"
#include "dut/kni.h"
#include "common/share.h"
#include "common/dpdk/eal.h"

#include <rte_lcore.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct forward_engine *engine_of(unsigned int mode)
{
	switch (mode) {
	case FORWARD_KERNEL:
		return &kernel_engine;
	case FORWARD_IMPAIR:
		return &impair_engine;
	case FORWARD_SPLIT:
		return &split_engine;
	default:
		return &io_engine;
	}
}

/* Which cores share their CPUs with others, so that an idle one must make way. */
static void find_shared_cpus(struct dut *d)
{
	rte_cpuset_t cpus[RTE_MAX_LCORE];

	for (unsigned int i = 0; i < d->n_cores; i++)
		cpus[i] = rte_lcore_cpuset(d->cores[i].thread.lcore);
	for (unsigned int i = 0; i < d->n_cores; i++)
		d->cores[i].yields = share_is_shared(cpus, d->n_cores, i);
}

/* How many neighbouring streams one core must poll. */
static unsigned int streams_together(const struct dut *d, unsigned int lcores)
{
	if (d->options.forward_mode == FORWARD_SPLIT)
		return SPLIT_FORWARDS;
	/* Where there are lcores for all stages, each has its own; else both of a wire port share
	 * one, for a stage must not wait for another that waits for it. */
	if (d->options.forward_mode == FORWARD_SERIES)
		return lcores >= d->n_streams / (SERIES_FORWARDS / 2) ? SERIES_FORWARDS / 2
								      : SERIES_FORWARDS;
	return 1;
}

/* A core without streams yet. 0, or -ENOMEM with a line in err. */
static int add_core(struct dut *d, unsigned int lcore, bool syscalls, char *err, size_t errlen)
{
	struct poll_core *core = &d->cores[d->n_cores];

	*core = (struct poll_core){
		.engine = engine_of(d->options.forward_mode),
		.burst = (uint16_t)d->options.burst,
		.on_full = d->options.on_full,
		.stop = &d->stop_cores,
		.watch = loop_watch_new(d->options.stall_threshold_ns, syscalls),
		.thread = {.lcore = lcore},
	};
	if (!core->watch) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	d->n_cores++;
	return 0;
}

/* EAL's lcores, as many as there are streams for, and which of them polls which stream. */
static unsigned int spread(const struct dut *d, unsigned int *lcores, unsigned int *lcore_of)
{
	unsigned int together = streams_together(d, rte_lcore_count());
	unsigned int lcore, n = 0, units = d->n_streams / together;

	RTE_LCORE_FOREACH (lcore)
		if (n < units)
			lcores[n++] = lcore;
	for (unsigned int i = 0; i < d->n_streams; i++)
		lcore_of[i] = topology_core_of(i / together, units, n);
	return n;
}

static void watch_cpus(struct dut *d)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	for (unsigned int i = 0; i < d->n_cores; i++) {
		rte_cpuset_t own = rte_lcore_cpuset(d->cores[i].thread.lcore);

		CPU_OR(&cpus, &cpus, &own);
	}
	cpu_watch_open(&d->cpu, "/proc", &cpus, getpid());
}

int dut_make_cores(struct dut *d, char *err, size_t errlen)
{
	unsigned int lcores[DUT_MAX_STREAMS], lcore_of[DUT_MAX_STREAMS];
	unsigned int n = kni_lcores(d, lcores, lcore_of);
	bool syscalls = false;
	int rc = 0;

	if (n == 0)
		n = spread(d, lcores, lcore_of);

	for (unsigned int i = 0; i < d->n_streams; i++)
		syscalls |= d->streams[i].rx_syscalls || d->streams[i].tx_syscalls;
	for (unsigned int i = 0; i < n && rc == 0; i++)
		rc = add_core(d, lcores[i], syscalls, err, errlen);
	if (rc < 0)
		return rc;
	for (unsigned int i = 0; i < d->n_streams; i++) {
		struct poll_core *core = &d->cores[lcore_of[i]];

		if (core->n_streams++ == 0)
			core->streams = &d->streams[i];
	}
	find_shared_cpus(d);
	watch_cpus(d);
	return 0;
}

int dut_start_cores(struct dut *d, char *err, size_t errlen)
{
	d->stop_cores = false;
	for (unsigned int i = 0; i < d->n_cores; i++) {
		struct poll_core *core = &d->cores[i];
		unsigned int lcore = core->thread.lcore;
		char name[16];
		int rc;

		snprintf(name, sizeof(name), "dut-%u", lcore);
		rc = poll_thread_start(&core->thread, lcore, name, core->engine->run, core);
		if (rc == 0)
			continue;
		snprintf(err, errlen, "cannot start the polling thread of lcore %u: %s", lcore,
			 strerror(-rc));
		d->stop_cores = true;
		while (i-- > 0)
			poll_thread_join(&d->cores[i].thread);
		return rc;
	}
	d->running = true;
	return 0;
}

/* The kernel forgets a thread's CPU time with the thread. */
static void keep_times(struct poll_core *core)
{
	struct cpu_times now;

	if (cpu_thread_times("/proc", core->thread.tid, &now)) {
		core->times.user_ns += now.user_ns;
		core->times.system_ns += now.system_ns;
	}
	core->thread.tid = 0;
}

void dut_stop_cores(struct dut *d)
{
	d->stop_cores = true;
	for (unsigned int i = 0; d->running && i < d->n_cores; i++) {
		keep_times(&d->cores[i]);
		poll_thread_join(&d->cores[i].thread);
		loop_watch_stop(d->cores[i].watch);
	}
	d->running = false;
}

void dut_set_burst(struct dut *d, uint16_t burst)
{
	/* Telemetry reads the one, the data path the others. */
	__atomic_store_n(&d->options.burst, burst, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < d->n_cores; i++)
		__atomic_store_n(&d->cores[i].burst, burst, __ATOMIC_RELAXED);
}

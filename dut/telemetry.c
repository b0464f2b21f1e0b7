/*
 * Telemetry: flat objects of integers and text, for a reply holds 16 KiB and no fractions; times
 * are in TSC cycles.
 *
 * The handlers run in DPDK's telemetry thread and read counters only. The lock is against teardown
 * alone, so the data path never meets it.
 */
#include "dut/telemetry.h"
#include "dut/dut.h"
#include "dut/impair.h"
#include "common/results.h"

#include <rte_telemetry.h>

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STALLS_A_PAGE 128u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct dut *the_dut;

__attribute__((format(printf, 3, 4))) static void add_count(struct rte_tel_data *data,
							    uint64_t value, const char *format, ...)
{
	char name[64];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	rte_tel_data_add_dict_u64(data, name, value);
}

static void info(const struct dut *d, struct rte_tel_data *data)
{
	const struct dut_options *o = &d->options;
	char lcores[128] = "";
	size_t used = 0;

	for (unsigned int i = 0; i < d->n_cores && used < sizeof(lcores); i++)
		used += (size_t)snprintf(lcores + used, sizeof(lcores) - used, "%s%u", i ? "," : "",
					 d->cores[i].thread.lcore);
	rte_tel_data_add_dict_string(data, "version", TANDEM_VERSION);
	add_count(data, (uint64_t)getpid(), "pid");
	rte_tel_data_add_dict_string(data, "path", forward_mode_name(o->forward_mode));
	rte_tel_data_add_dict_string(data, "forward_mode", forward_mode_name(o->forward_mode));
	rte_tel_data_add_dict_string(data, "kernel_path",
				     d->kernel_made ? kernel_driver_name(o->kernel_path) : "");
	rte_tel_data_add_dict_string(data, "kernel_netns", d->kernel_made ? d->kernel.ns.name : "");
	rte_tel_data_add_dict_string(data, "split", o->split.text);
	rte_tel_data_add_dict_string(data, "port_topology", topology_name(o->topology));
	add_count(data, o->burst, "burst");
	add_count(data, o->rxd, "rxd");
	add_count(data, o->txd, "txd");
	add_count(data, o->rxq, "rxq");
	add_count(data, o->txq, "txq");
	add_count(data, o->mbcache, "mbcache");
	rte_tel_data_add_dict_string(data, "on_full", on_full_name(o->on_full));
	rte_tel_data_add_dict_string(data, "lcores", lcores);
	add_count(data, d->n_ports, "ports");
}

static struct cpu_times all_times(const struct dut_snapshot *s)
{
	struct cpu_times all = {0};

	for (unsigned int i = 0; i < s->n_cores; i++) {
		all.user_ns += s->core_times[i].user_ns;
		all.system_ns += s->core_times[i].system_ns;
	}
	return all;
}

static void stats(const struct dut *d, struct rte_tel_data *data)
{
	struct dut_snapshot s;

	dut_snapshot_take(d, &s);
	add_count(data, s.tsc, "tsc");
	add_count(data, (uint64_t)clock_hz_estimate(), "tsc_hz");
	add_count(data, s.all_cores.busy_cycles, "busy_cycles");
	add_count(data, s.all_cores.total_cycles, "total_cycles");
	add_count(data, s.wire_rx, "wire_rx");
	add_count(data, all_times(&s).user_ns, "lcores_user_ns");
	add_count(data, all_times(&s).system_ns, "lcores_system_ns");
	if (s.cpu.known) {
		add_count(data, s.cpu.softirq_ns, "softirq_ns");
		add_count(data, s.cpu.kthreads_ns, "kernel_threads_ns");
	}
	add_count(data, s.stall_count, "stall_count");
	add_count(data, s.stall_cycles, "stall_cycles");
	add_count(data, s.stall_max, "stall_max_cycles");
	if (s.kernel_known)
		add_count(data, s.kernel_dropped, "kernel_dropped");
	add_count(data, s.kernel_refused, "kernel_refused");
	for (unsigned int i = 0; d->options.forward_mode == FORWARD_SPLIT && i < SPLIT_PATHS; i++) {
		add_count(data, s.paths[i].rx, "path_%s_rx", split_path_name(i));
		add_count(data, s.paths[i].tx, "path_%s_tx", split_path_name(i));
		add_count(data, s.paths[i].dropped, "path_%s_dropped", split_path_name(i));
	}
	for (unsigned int i = 0; i < s.n_ports; i++) {
		char name[32];

		add_count(data, s.ports[i].rx, "port%u_rx", i);
		add_count(data, s.ports[i].tx, "port%u_tx", i);
		add_count(data, s.ports[i].tx_dropped, "port%u_tx_dropped", i);
		add_count(data, s.ports[i].rx_missed, "port%u_rx_missed", i);
		snprintf(name, sizeof(name), "port%u_role", i);
		rte_tel_data_add_dict_string(data, name, port_role_name(d->ports[i].role));
		snprintf(name, sizeof(name), "port%u_driver", i);
		rte_tel_data_add_dict_string(data, name, d->ports[i].port.driver);
	}
	for (unsigned int i = 0; i < s.n_cores; i++) {
		add_count(data, s.cores[i].busy_cycles, "lcore%u_busy_cycles",
			  d->cores[i].thread.lcore);
		add_count(data, s.cores[i].total_cycles, "lcore%u_total_cycles",
			  d->cores[i].thread.lcore);
	}
}

/* The kernel interfaces behind the kernel ports, nothing where there are none. */
static void kernel(const struct dut *d, struct rte_tel_data *data)
{
	for (unsigned int i = 0; d->watching && i < d->kernel.n; i++) {
		const struct kernel_link *link = &d->kernel.links[i];
		char name[32];

		snprintf(name, sizeof(name), "link%u_interface", i);
		rte_tel_data_add_dict_string(data, name, link->kernel_if);
		add_count(data, kernel_watch_up(&d->watch, i), "link%u_up", i);
		add_count(data, kernel_watch_mtu(&d->watch, i), "link%u_mtu", i);
		add_count(data, __atomic_load_n(&link->wire_mtu, __ATOMIC_RELAXED),
			  "link%u_wire_mtu", i);
	}
	if (d->watching)
		add_count(data, __atomic_load_n(&d->watch.n_events, __ATOMIC_RELAXED), "changes");
}

/* Counts of all trials or, with a trial's number, of that one. */
static int impairment(const struct dut *d, const char *params, struct rte_tel_data *data)
{
	struct rte_tel_data *trials;
	struct impair_counts counts;
	const uint64_t *count = counts.total;

	if (d->options.forward_mode != FORWARD_IMPAIR)
		return 0;
	impair_counts(d, &counts);
	if (params && *params) {
		unsigned long number = strtoul(params, NULL, 10);

		count = NULL;
		for (unsigned int i = 0; i < counts.n_trials; i++)
			if (counts.trial[i].number == number)
				count = counts.trial[i].count;
		if (!count)
			return -ENOENT;
		add_count(data, number, "trial");
	}
	trials = rte_tel_data_alloc();
	if (!trials)
		return -ENOMEM;
	rte_tel_data_start_array(trials, RTE_TEL_U64_VAL);
	for (unsigned int i = 0; i < counts.n_trials; i++)
		rte_tel_data_add_array_u64(trials, counts.trial[i].number);
	rte_tel_data_add_dict_string(data, "list", d->options.impair.text);
	add_count(data, d->options.seed, "seed");
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		add_count(data, count[i], "%s", impair_count_name(i));
	rte_tel_data_add_dict_container(data, "trials", trials, 0);
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	uint64_t x = ((const struct stall *)a)->begin, y = ((const struct stall *)b)->begin;

	return (x > y) - (x < y);
}

/* All stalls that are kept, of all cores, in the order in which they began. NULL when out of
 * memory. */
static struct stall *all_stalls(const struct dut *d, uint32_t *total)
{
	struct stall *list = malloc(d->n_cores * sizeof(*list) * LOOP_MAX_STALLS);

	*total = 0;
	for (unsigned int i = 0; list && i < d->n_cores; i++) {
		uint32_t n = loop_stalls(d->cores[i].watch, 0, list + *total, LOOP_MAX_STALLS);

		*total += n < LOOP_MAX_STALLS ? n : LOOP_MAX_STALLS;
	}
	if (list && d->n_cores > 1)
		qsort(list, *total, sizeof(*list), by_begin);
	return list;
}

static int stalls(const struct dut *d, const char *params, struct rte_tel_data *data)
{
	struct rte_tel_data *begin = rte_tel_data_alloc(), *end = rte_tel_data_alloc();
	uint32_t first = params ? (uint32_t)strtoul(params, NULL, 10) : 0, total;
	struct stall *list = all_stalls(d, &total);

	if (!begin || !end || !list) {
		rte_tel_data_free(begin);
		rte_tel_data_free(end);
		free(list);
		return -ENOMEM;
	}
	if (first > total)
		first = total;
	rte_tel_data_start_array(begin, RTE_TEL_U64_VAL);
	rte_tel_data_start_array(end, RTE_TEL_U64_VAL);
	for (uint32_t i = first; i < total && i - first < STALLS_A_PAGE; i++) {
		rte_tel_data_add_array_u64(begin, list[i].begin);
		rte_tel_data_add_array_u64(end, list[i].end);
	}
	free(list);
	add_count(data, total, "total");
	add_count(data, first, "first");
	rte_tel_data_add_dict_container(data, "begin", begin, 0);
	rte_tel_data_add_dict_container(data, "end", end, 0);
	return 0;
}

static int answer(const char *command, const char *params, struct rte_tel_data *data)
{
	int rc = 0;

	rte_tel_data_start_dict(data);
	pthread_mutex_lock(&lock);
	if (!the_dut)
		rc = -ENODEV;
	else if (strcmp(command, "/tandem/dut/info") == 0)
		info(the_dut, data);
	else if (strcmp(command, "/tandem/dut/stats") == 0)
		stats(the_dut, data);
	else if (strcmp(command, "/tandem/dut/kernel") == 0)
		kernel(the_dut, data);
	else if (strcmp(command, "/tandem/dut/impairment") == 0)
		rc = impairment(the_dut, params, data);
	else
		rc = stalls(the_dut, params, data);
	pthread_mutex_unlock(&lock);
	return rc;
}

int dut_telemetry_start(const struct dut *d)
{
	int rc;

	pthread_mutex_lock(&lock);
	the_dut = d;
	pthread_mutex_unlock(&lock);
	rc = rte_telemetry_register_cmd("/tandem/dut/info", answer,
					"The DUT's version and settings. No parameter.");
	if (rc == 0)
		rc = rte_telemetry_register_cmd(
			"/tandem/dut/stats", answer,
			"The DUT's counters; times in TSC cycles. No parameter.");
	if (rc == 0)
		rc = rte_telemetry_register_cmd(
			"/tandem/dut/kernel", answer,
			"Link and MTU of the kernel interfaces as the kernel has them; 0 for an "
			"MTU that is unknown or was never set. No parameter.");
	if (rc == 0)
		rc = rte_telemetry_register_cmd(
			"/tandem/dut/impairment", answer,
			"What the impairment did, nothing in other modes. Parameter: the number of "
			"one trial");
	if (rc == 0)
		rc = rte_telemetry_register_cmd(
			"/tandem/dut/stalls", answer,
			"Begin and end (TSC) of the DUT's stalls from one on. Parameter: "
			"the first one wanted");
	return rc;
}

void dut_telemetry_stop(void)
{
	pthread_mutex_lock(&lock);
	the_dut = NULL;
	pthread_mutex_unlock(&lock);
}

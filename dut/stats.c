/*
 * The DUT's record: built once at the end, also after Ctrl-C, from a snapshot; the table is printed
 * from it.
 */
#include "dut/stats.h"
#include "dut/dut.h"
#include "dut/impair.h"
#include "dut/kernel_follow.h"
#include "common/host.h"
#include "common/results.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A quantile of a histogram of cycles in ns, null while it is empty. */
static json_t *quantile_ns(const struct hist *h, double q, double hz)
{
	return result_real(hist_quantile(h, q) * 1e9 / hz);
}

static json_t *hist_record(const struct hist *running, double hz)
{
	struct hist *h = malloc(sizeof(*h));
	json_t *record = json_object();

	if (!h)
		return record;
	hist_copy(h, running);
	json_object_set_new(record, "count", result_count(h->count));
	json_object_set_new(record, "min", quantile_ns(h, 0, hz));
	json_object_set_new(record, "mean", result_real(hist_mean(h) * 1e9 / hz));
	json_object_set_new(record, "max", quantile_ns(h, 1, hz));
	json_object_set_new(record, "p50", quantile_ns(h, 0.5, hz));
	json_object_set_new(record, "p99", quantile_ns(h, 0.99, hz));
	json_object_set_new(record, "p999", quantile_ns(h, 0.999, hz));
	free(h);
	return record;
}

static json_t *config_record(const struct dut *d)
{
	const struct dut_options *o = &d->options;

	return json_pack("{s:s, s:s?, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:f}",
			 "forward_mode", forward_mode_name(o->forward_mode), "split",
			 o->split.kind == SPLIT_NONE ? NULL : o->split.text, "port_topology",
			 topology_name(o->topology), "rxd", (json_int_t)o->rxd, "txd",
			 (json_int_t)o->txd, "rxq", (json_int_t)o->rxq, "txq", (json_int_t)o->txq,
			 "burst", (json_int_t)o->burst, "mbcache", (json_int_t)o->mbcache,
			 "max_frame", (json_int_t)o->max_frame, "on_full", on_full_name(o->on_full),
			 "stall_threshold_us", (double)o->stall_threshold_ns / 1e3);
}

static json_t *ports_record(const struct dut *d, const struct dut_snapshot *s)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < s->n_ports; i++) {
		const struct dut_port *port = &d->ports[i];
		const struct port_snapshot *c = &s->ports[i];

		json_array_append_new(
			list,
			json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "port", (int)i,
				  "name", port->port.name, "driver", port->port.driver, "role",
				  port_role_name(port->role), "rx", (json_int_t)c->rx, "tx",
				  (json_int_t)c->tx, "dropped", (json_int_t)c->tx_dropped,
				  "backpressured", (json_int_t)c->backpressured, "rx_missed",
				  (json_int_t)c->rx_missed));
	}
	return list;
}

static json_t *paths_record(const struct dut *d, const struct dut_snapshot *s)
{
	json_t *record;

	if (d->options.forward_mode != FORWARD_SPLIT)
		return json_null();
	record = json_object();
	for (unsigned int i = 0; i < SPLIT_PATHS; i++) {
		const struct path_snapshot *p = &s->paths[i];

		json_object_set_new(record, split_path_name(i),
				    json_pack("{s:I, s:I, s:I}", "rx", (json_int_t)p->rx, "tx",
					      (json_int_t)p->tx, "dropped",
					      (json_int_t)p->dropped));
	}
	return record;
}

static json_t *busy_share(const struct core_counters *c)
{
	return c->total_cycles ? json_real((double)c->busy_cycles / (double)c->total_cycles)
			       : json_null();
}

/* Busy cycles for each frame of n, null without any. */
static json_t *cycles_a_frame(uint64_t cycles, uint64_t n)
{
	return n ? json_real((double)cycles / (double)n) : json_null();
}

static json_t *lcores_record(const struct dut *d, const struct dut_snapshot *s, double hz)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < s->n_cores; i++) {
		const struct core_counters *c = &s->cores[i];

		json_array_append_new(
			list, json_pack("{s:i, s:o, s:I, s:I, s:I, s:I, s:o, s:f, s:f, s:o, s:o}",
					"lcore", (int)d->cores[i].thread.lcore, "busy_share",
					busy_share(c), "rounds", (json_int_t)c->rounds,
					"busy_cycles", (json_int_t)c->busy_cycles, "total_cycles",
					(json_int_t)c->total_cycles, "frames",
					(json_int_t)s->core_frames[i], "cycles_per_frame",
					cycles_a_frame(c->busy_cycles, s->core_frames[i]), "user_s",
					(double)s->core_times[i].user_ns / 1e9, "system_s",
					(double)s->core_times[i].system_ns / 1e9, "loop_ns",
					hist_record(&d->cores[i].watch->own, hz), "driver_ns",
					hist_record(&d->cores[i].watch->driver, hz)));
	}
	return list;
}

/* What all of it costs: a share of 1 is one whole CPU. */
static json_t *cpu_record(const struct dut_snapshot *s, double seconds)
{
	bool known = s->cpu.known && seconds > 0;

	return json_pack("{s:o, s:o, s:o, s:I}", "cycles_per_frame",
			 cycles_a_frame(s->all_cores.busy_cycles, s->wire_rx), "softirq_share",
			 known ? json_real((double)s->cpu.softirq_ns / 1e9 / seconds) : json_null(),
			 "kernel_threads_share",
			 known ? json_real((double)s->cpu.kthreads_ns / 1e9 / seconds)
			       : json_null(),
			 "kernel_threads", (json_int_t)s->cpu.n_kthreads);
}

static json_t *kernel_record(const struct dut *d, const struct dut_snapshot *s)
{
	if (!forward_has_kernel(d->options.forward_mode))
		return json_null();
	return json_pack("{s:s?, s:s?, s:o, s:o, s:o, s:o, s:o}", "path",
			 d->kernel_made ? kernel_driver_name(d->options.kernel_path) : NULL,
			 "netns", d->kernel_made ? d->kernel.ns.name : NULL, "refused",
			 result_count(s->kernel_refused), "dropped",
			 s->kernel_known ? result_count(s->kernel_dropped) : json_null(), "probe",
			 kernel_probe_record(&d->probe), "links", kernel_links_record(d), "events",
			 kernel_events_record(d));
}

json_t *stats_record(const struct dut *d, const struct dut_snapshot *s, double hz, double seconds)
{
	json_t *command = json_array();
	char ended[32];

	for (int i = 0; i < d->argc; i++) {
		/* Arguments are bytes; JSON wants UTF-8. */
		json_t *word = json_string(d->argv[i]);

		json_array_append_new(command, word ? word : json_null());
	}
	return json_pack(
		"{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:{s:I, s:o, s:o}}",
		"schema", DUT_SCHEMA, "started", d->started, "ended",
		clock_iso8601(ended, sizeof(ended)), "duration_s", result_real(seconds), "command",
		command, "config", config_record(d), "host", host_facts(), "tsc_hz",
		result_real(hz), "ports", ports_record(d, s), "paths", paths_record(d, s), "lcores",
		lcores_record(d, s, hz), "cpu", cpu_record(s, seconds), "kernel",
		kernel_record(d, s), "impairment", impair_record(d), "capture",
		d->options.capture.path ? capture_record(&d->options.capture, &d->captured)
					: json_null(),
		"stalls", "count", (json_int_t)s->stall_count, "max_ns",
		result_real((double)s->stall_max * 1e9 / hz), "total_ns",
		result_real((double)s->stall_cycles * 1e9 / hz));
}

int stats_check_path(const char *option, const char *path, char *err, size_t errlen)
{
	char temporary[PATH_MAX];
	FILE *f;

	snprintf(temporary, sizeof(temporary), "%s.tmp", path);
	f = fopen(temporary, "we");
	if (!f) {
		int rc = -errno;

		snprintf(err, errlen, "%s: cannot write %s: %s", option, path, strerror(-rc));
		return rc;
	}
	fclose(f);
	unlink(temporary);
	return 0;
}

int stats_write(const json_t *record, const char *path, char *err, size_t errlen)
{
	char temporary[PATH_MAX];
	FILE *f;
	bool failed;

	snprintf(temporary, sizeof(temporary), "%s.tmp", path);
	errno = 0;
	f = fopen(temporary, "we");
	failed = !f || json_dumpf(record, f, JSON_INDENT(2)) < 0 || fputc('\n', f) == EOF;
	if (f)
		failed |= fclose(f) != 0;
	if (!failed && rename(temporary, path) == 0)
		return 0;
	snprintf(err, errlen, "cannot write the record to %s: %s", path,
		 strerror(errno ? errno : EIO));
	unlink(temporary);
	return errno ? -errno : -EIO;
}

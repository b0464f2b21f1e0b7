/*
 * The DUT's screen: the progress line on stderr, the table at the end on stdout. Plain lines
 * without colours, so that a terminal, a pipe and a log file show the same.
 */
#include "dut/dut.h"
#include "dut/impair_trials.h"
#include "dut/stats.h"
#include "common/results.h"
#include "common/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static double busy_percent(const struct core_counters *now, const struct core_counters *then)
{
	uint64_t total = now->total_cycles - then->total_cycles;

	return total ? 100.0 * (double)(now->busy_cycles - then->busy_cycles) / (double)total : 0;
}

/* What each path of split mode carried since *last, at the end of a line of used characters. */
static size_t add_paths(char *line, size_t len, size_t used, const struct dut_snapshot *now,
			const struct dut_snapshot *last, double seconds)
{
	char rx[32], tx[32];

	for (unsigned int i = 0; i < SPLIT_PATHS && used < len; i++) {
		const struct path_snapshot *n = &now->paths[i], *l = &last->paths[i];

		used += (size_t)snprintf(
			line + used, len - used, "  %s path rx %s tx %s dropped %" PRIu64,
			split_path_name(i),
			si_format((double)(n->rx - l->rx) / seconds, "pps", rx, sizeof(rx)),
			si_format((double)(n->tx - l->tx) / seconds, "pps", tx, sizeof(tx)),
			n->dropped - l->dropped);
	}
	return used;
}

void stats_progress(const struct dut *d, struct dut_snapshot *last, uint64_t elapsed_ns)
{
	struct dut_snapshot now;
	char line[2048], rx[32], tx[32];
	double seconds;
	size_t used;

	dut_snapshot_take(d, &now);
	seconds = (double)(now.tsc - last->tsc) / clock_hz_estimate();
	used = (size_t)snprintf(line, sizeof(line), "%7s",
				duration_format((double)elapsed_ns / 1e9, rx, sizeof(rx)));
	for (unsigned int i = 0; i < now.n_ports && used < sizeof(line); i++) {
		const struct port_snapshot *n = &now.ports[i], *l = &last->ports[i];

		used += (size_t)snprintf(
			line + used, sizeof(line) - used, "  %s rx %s tx %s dropped %" PRIu64,
			d->ports[i].port.name,
			si_format((double)(n->rx - l->rx) / seconds, "pps", rx, sizeof(rx)),
			si_format((double)(n->tx - l->tx) / seconds, "pps", tx, sizeof(tx)),
			n->tx_dropped - l->tx_dropped);
	}
	if (d->options.forward_mode == FORWARD_SPLIT)
		used = add_paths(line, sizeof(line), used, &now, last, seconds);
	for (unsigned int i = 0; i < now.n_cores && used < sizeof(line); i++)
		used += (size_t)snprintf(line + used, sizeof(line) - used,
					 "  lcore %u busy %.0f %%", d->cores[i].thread.lcore,
					 busy_percent(&now.cores[i], &last->cores[i]));
	if (now.kernel_known && used < sizeof(line))
		used += (size_t)snprintf(line + used, sizeof(line) - used,
					 "  kernel dropped %" PRIu64,
					 now.kernel_dropped - last->kernel_dropped);
	if (used < sizeof(line))
		snprintf(line + used, sizeof(line) - used, "  stalls %" PRIu64,
			 now.stall_count - last->stall_count);
	fprintf(stderr, "%s\n", line);
	*last = now;
}

static void print_number(double value, int width, FILE *out)
{
	if (isnan(value))
		fprintf(out, " %*s", width, "-");
	else
		fprintf(out, " %*.0f", width, value);
}

static void print_ports(const json_t *record, FILE *out)
{
	static const char *const columns[] = {"rx", "tx", "dropped", "backpressured", "rx_missed"};
	json_t *port;
	size_t i;

	fprintf(out, "%-4s %-18s %-6s %14s %14s %14s %14s %14s\n", "port", "name", "role",
		"rx frames", "tx frames", "tx dropped", "backpressured", "rx missed");
	json_array_foreach (json_object_get(record, "ports"), i, port) {
		fprintf(out, "%-4zu %-18s %-6s", i, result_str(port, "name"),
			result_str(port, "role"));
		for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
			print_number(result_num(port, columns[c]), 14, out);
		fputc('\n', out);
	}
}

static void print_paths(const json_t *paths, FILE *out)
{
	const char *name;
	json_t *path;

	if (!json_is_object(paths))
		return;
	fprintf(out, "%-6s %14s %14s %14s\n", "path", "rx frames", "tx frames", "dropped");
	json_object_foreach ((json_t *)(uintptr_t)paths, name, path) {
		fprintf(out, "%-6s", name);
		print_number(result_num(path, "rx"), 14, out);
		print_number(result_num(path, "tx"), 14, out);
		print_number(result_num(path, "dropped"), 14, out);
		fputc('\n', out);
	}
}

static void print_lcores(const json_t *record, FILE *out)
{
	char loop[32], loop_max[32], driver[32];
	json_t *lcore;
	size_t i;

	fprintf(out, "%-5s %7s %13s %9s %9s %14s %16s %16s %16s\n", "lcore", "busy %",
		"cycles/frame", "user s", "system s", "rounds", "loop p99", "loop max",
		"driver p99");
	json_array_foreach (json_object_get(record, "lcores"), i, lcore) {
		fprintf(out, "%-5.0f %7.1f", result_num(lcore, "lcore"),
			100 * result_num(lcore, "busy_share"));
		print_number(result_num(lcore, "cycles_per_frame"), 13, out);
		fprintf(out, " %9.2f %9.2f %14.0f %16s %16s %16s\n", result_num(lcore, "user_s"),
			result_num(lcore, "system_s"), result_num(lcore, "rounds"),
			ns_format(result_num(lcore, "loop_ns.p99"), loop, sizeof(loop)),
			ns_format(result_num(lcore, "loop_ns.max"), loop_max, sizeof(loop_max)),
			ns_format(result_num(lcore, "driver_ns.p99"), driver, sizeof(driver)));
	}
}

/* The kernel's part, where it has one. */
static void print_cpu(const json_t *record, FILE *out)
{
	double softirq = result_num(record, "cpu.softirq_share");

	if (!json_is_object(json_object_get(record, "kernel")) || isnan(softirq))
		return;
	fprintf(out, "kernel CPU: softirq %.1f %%, %.0f kernel threads %.1f %%\n", 100 * softirq,
		result_num(record, "cpu.kernel_threads"),
		100 * result_num(record, "cpu.kernel_threads_share"));
}

static void print_impairment(const json_t *impairment, FILE *out)
{
	if (!json_is_object(impairment))
		return;
	fprintf(out, "impairment: %s, seed %.0f\n ", result_str(impairment, "list"),
		result_num(impairment, "seed"));
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		fprintf(out, "%s %s %.0f", i ? "," : "", impair_count_name(i),
			result_num(impairment, impair_count_name(i)));
	fputc('\n', out);
}

void stats_print(const json_t *record, FILE *out)
{
	const char *path = result_str(record, "kernel.path");
	char max[32], total[32];

	print_ports(record, out);
	print_paths(json_object_get(record, "paths"), out);
	print_lcores(record, out);
	print_cpu(record, out);
	if (json_is_object(json_object_get(record, "kernel"))) {
		fprintf(out, "kernel: path %s, refused", path ? path : "as given");
		print_number(result_num(record, "kernel.refused"), 0, out);
		fprintf(out, ", dropped");
		print_number(result_num(record, "kernel.dropped"), 0, out);
		fputc('\n', out);
	}
	print_impairment(json_object_get(record, "impairment"), out);
	fprintf(out, "stalls: %.0f, longest %s, together %s, in %.1f s\n",
		result_num(record, "stalls.count"),
		ns_format(result_num(record, "stalls.max_ns"), max, sizeof(max)),
		ns_format(result_num(record, "stalls.total_ns"), total, sizeof(total)),
		result_num(record, "duration_s"));
	fflush(out);
}

/*
 * Records for people.
 */
#include "common/results.h"
#include "gen/record.h"

#include <math.h>
#include <string.h>

static void print_count(FILE *out, const json_t *record, const char *label, const char *key)
{
	const json_t *value = result_get(record, key);

	if (json_is_integer(value))
		fprintf(out, "  %s %lld", label, (long long)json_integer_value(value));
	else
		fprintf(out, "  %s -", label);
}

static void print_rate(FILE *out, const json_t *record, const char *side)
{
	char key[32], pps[32], l1[32], l2[32];
	double value[3];

	for (int i = 0; i < 3; i++) {
		static const char *const names[] = {"pps", "l1_bps", "l2_bps"};

		snprintf(key, sizeof(key), "%s.%s", side, names[i]);
		value[i] = result_num(record, key);
	}
	fprintf(out, "%s  (%s L1, %s L2)", si_format(value[0], "pps", pps, sizeof(pps)),
		si_format(value[1], "bit/s", l1, sizeof(l1)),
		si_format(value[2], "bit/s", l2, sizeof(l2)));
}

static void print_latency(FILE *out, const json_t *record, const char *view, const char *label)
{
	static const char *const names[] = {"min", "mean", "p50",   "p90",
					    "p99", "p999", "p9999", "max"};
	static const char *const shown[] = {"min", "mean",  "p50",    "p90",
					    "p99", "p99.9", "p99.99", "max"};
	char key[48], text[32];

	fprintf(out, "  %-13s", label);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(key, sizeof(key), "%s.%s", view, names[i]);
		fprintf(out, " %s %s", shown[i],
			ns_format(result_num(record, key), text, sizeof(text)));
	}
	snprintf(key, sizeof(key), "%s.count", view);
	print_count(out, record, " samples", key);
	fputc('\n', out);
}

/* What the kernel's part took, where the DUT has one. */
static void print_cpu(FILE *out, const json_t *record)
{
	double cycles = result_num(record, "dut.cycles_per_frame");
	double softirq = result_num(record, "dut.softirq_share");
	double threads = result_num(record, "dut.kernel_threads_share");

	if (!isnan(cycles))
		fprintf(out, ", %.0f cycles/frame", cycles);
	if (!strcmp(result_str(record, "path") ? result_str(record, "path") : "", "io"))
		return;
	if (!isnan(softirq))
		fprintf(out, ", system %.1f %%, softirq %.1f %%",
			result_num(record, "dut.system_share") * 100, softirq * 100);
	if (threads > 0)
		fprintf(out, ", kernel threads %.1f %%", threads * 100);
}

static void print_dut(FILE *out, const json_t *record)
{
	double busy = result_num(record, "dut.cpu_busy");

	if (!json_is_object(json_object_get(record, "dut")))
		return;
	fprintf(out, "  DUT           ");
	if (!isnan(busy))
		fprintf(out, "CPU busy %.1f %%", busy * 100);
	print_cpu(out, record);
	print_count(out, record, "rx missed", "dut.rx_missed");
	print_count(out, record, "tx dropped", "dut.tx_dropped");
	print_count(out, record, "kernel dropped", "dut.kernel_dropped");
	print_count(out, record, "stalls", "dut.stalls.count");
	fputc('\n', out);
}

static void print_capture(FILE *out, const json_t *record)
{
	if (!json_object_get(record, "capture"))
		return;
	fprintf(out, "  captured      %s:", result_str(record, "capture.file"));
	print_count(out, record, "so far", "capture.written");
	print_count(out, record, "filtered out", "capture.filtered");
	print_count(out, record, "missed", "capture.dropped");
	fputc('\n', out);
}

void record_print(const json_t *r, FILE *out)
{
	const char *path = result_str(r, "path"), *verdict = result_str(r, "verdict");
	double requested = result_num(r, "rate_requested_pps"), loss = result_num(r, "loss_ratio");
	const json_t *reasons = json_object_get(r, "reasons");
	bool received = json_is_object(json_object_get(r, "rx"));
	char text[32], longest[32], size[32];
	size_t i;
	json_t *reason;

	snprintf(size, sizeof(size), isnan(result_num(r, "frame_size")) ? "mixed sizes" : "%.0f B",
		 result_num(r, "frame_size"));
	fprintf(out, "trial %.0f  %s%s%s, direction %s, %s, %.3f s: %s\n", result_num(r, "trial"),
		path ? path : "", path ? ", " : "", size, result_str(r, "direction"),
		isnan(requested) ? "rate max"
				 : si_format(requested, "pps asked", longest, sizeof(longest)),
		result_num(r, "duration_s.actual"), verdict);
	fprintf(out, "  sent          ");
	print_rate(out, r, "tx");
	print_count(out, r, "frames", "tx.sent");
	print_count(out, r, "refused", "tx.refused");
	print_count(out, r, "unsent", "tx.unsent");
	fputc('\n', out);
	if (received) {
		fprintf(out, "  %s", isnan(requested) ? "forwarded     " : "received      ");
		print_rate(out, r, "rx");
		print_count(out, r, "frames", "rx.received");
		print_count(out, r, "duplicate", "rx.duplicate");
		print_count(out, r, "reordered", "rx.reordered");
		fputc('\n', out);
		fprintf(out, isnan(loss) ? "  loss          -" : "  loss          %.6f %%",
			loss * 100);
		print_count(out, r, "lost", "rx.lost");
		print_count(out, r, "in generator stalls", "rx.lost_in_gen_stall");
		print_count(out, r, "in DUT stalls", "rx.lost_in_dut_stall");
		print_count(out, r, "own side missed", "rx.gen_missed");
		fputc('\n', out);
		print_latency(out, r, "latency_ns", "latency");
		print_latency(out, r, "latency_clean_ns", "  clean");
	}
	fprintf(out, "  stalls        %.0f, longest %s, in all %s\n", result_num(r, "stalls.count"),
		ns_format(result_num(r, "stalls.max_ns"), longest, sizeof(longest)),
		ns_format(result_num(r, "stalls.total_ns"), text, sizeof(text)));
	record_print_replay(r, out);
	print_capture(out, r);
	print_dut(out, r);
	json_array_foreach ((json_t *)(uintptr_t)reasons, i, reason)
		fprintf(out, "  %-13s %s\n",
			i			    ? ""
			: !strcmp(verdict, "valid") ? "note"
						    : verdict,
			json_string_value(reason));
}

void record_print_total(const json_t *total, FILE *out)
{
	fprintf(out, "both directions: %s\n  sent          ", result_str(total, "verdict"));
	print_rate(out, total, "tx");
	print_count(out, total, "frames", "tx.sent");
	fprintf(out, "\n  received      ");
	print_rate(out, total, "rx");
	print_count(out, total, "frames", "rx.received");
	fprintf(out, "\n  loss          %.6f %%", result_num(total, "loss_ratio") * 100);
	print_count(out, total, "lost", "rx.lost");
	fputc('\n', out);
}

void record_print_repeat(const json_t *repeat, FILE *out)
{
	static const struct {
		const char *key, *label;
		double scale;
		const char *unit;
	} rows[] = {
		{"tx.pps", "sent", 1e-3, "kpps"},
		{"rx.pps", "received", 1e-3, "kpps"},
		{"loss_ratio", "loss", 100, "%"},
		{"latency_ns.min", "latency min", 1e-3, "us"},
		{"latency_ns.p50", "latency p50", 1e-3, "us"},
		{"latency_ns.p99", "latency p99", 1e-3, "us"},
		{"latency_ns.max", "latency max", 1e-3, "us"},
		{"latency_clean_ns.p50", "clean p50", 1e-3, "us"},
		{"latency_clean_ns.p99", "clean p99", 1e-3, "us"},
		{"dut.cpu_busy", "DUT CPU", 100, "%"},
	};

	fprintf(out, "%.0f trials (%.0f disturbed, %.0f invalid)  %12s %12s %12s\n",
		result_num(repeat, "trials"), result_num(repeat, "disturbed"),
		result_num(repeat, "invalid"), "median", "min", "max");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const json_t *row = json_object_get(repeat, rows[i].key);
		double median = result_num(row, "median");

		if (isnan(median))
			continue;
		fprintf(out, "  %-14s %-22s %12.3f %12.3f %12.3f\n", rows[i].label, rows[i].unit,
			median * rows[i].scale, result_num(row, "min") * rows[i].scale,
			result_num(row, "max") * rows[i].scale);
	}
}

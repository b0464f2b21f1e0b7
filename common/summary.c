/*
 * The rows of a summary, chosen from a run's trials, and the same rows as CSV for spreadsheets.
 */
#include "common/csv.h"
#include "common/results.h"
#include "common/results_path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const group_keys[] = {"path", "direction", "stream"};

static bool same_value(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	/* Missing and null are both "unknown". */
	if (!x || json_is_null(x))
		return !y || json_is_null(y);
	return y && json_equal(x, y);
}

static bool same_group(const json_t *a, const json_t *b)
{
	for (size_t i = 0; i < sizeof(group_keys) / sizeof(group_keys[0]); i++)
		if (!same_value(a, b, group_keys[i]))
			return false;
	return true;
}

/* A trial without one frame size (a mix) comes last. */
static double size_order(const json_t *record)
{
	double size = result_num(record, "frame_size");

	return isnan(size) ? INFINITY : size;
}

/* The row of a trial, a new one in its place where there is none yet; borrowed. */
static json_t *row_of(json_t *rows, const json_t *trial)
{
	size_t at = json_array_size(rows);
	json_t *row, *value;
	bool seen = false;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		row = json_array_get(rows, i);
		if (!same_group(row, trial)) {
			if (seen) {
				at = i;
				break;
			}
			continue;
		}
		if (same_value(row, trial, "frame_size"))
			return row;
		seen = true;
		if (size_order(row) > size_order(trial)) {
			at = i;
			break;
		}
	}
	row = json_object();
	for (size_t i = 0; i < sizeof(group_keys) / sizeof(group_keys[0]); i++) {
		value = json_object_get(trial, group_keys[i]);
		json_object_set_new(row, group_keys[i], value ? json_incref(value) : json_null());
	}
	value = json_object_get(trial, "frame_size");
	json_object_set_new(row, "frame_size", value ? json_incref(value) : json_null());
	json_object_set_new(row, "max", json_null());
	json_object_set_new(row, "paced", json_null());
	json_array_insert_new(rows, at, row);
	return row;
}

/* A thousand streams are no summary, and a trial of a test method is a step on its way: they stand
 * in trials.jsonl. */
static bool is_part(const json_t *trial)
{
	const char *stream = result_str(trial, "stream");

	return (stream && strcmp(stream, "all")) || json_is_object(json_object_get(trial, "test"));
}

void result_summary_add(json_t *rows, json_t *trial)
{
	/* Another instrument's has a rate, whether its file says which or not. */
	bool paced = !isnan(result_num(trial, "rate_requested_pps")) || result_str(trial, "source");

	if (is_part(trial) || (!paced && isnan(result_num(trial, "tx.pps"))))
		return;
	json_object_set(row_of(rows, trial), paced ? "paced" : "max", trial);
}

json_t *result_summary(const json_t *trials)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(trials); i++)
		result_summary_add(rows, json_array_get(trials, i));
	return rows;
}

static const struct column {
	const char *name;
	const char *where; /* from the row */
} columns[] = {
	{"path", "path"},
	{"direction", "direction"},
	{"stream", "stream"},
	{"frame_size", "frame_size"},
	{"forwarding_rate_pps", "max.rx.pps"},
	{"forwarding_rate_l1_bps", "max.rx.l1_bps"},
	{"forwarding_rate_l2_bps", "max.rx.l2_bps"},
	{"max_sent_pps", "max.tx.pps"},
	{"max_loss_ratio", "max.loss_ratio"},
	{"max_verdict", "max.verdict"},
	{"max_reasons", "max.reasons"},
	{"rate_requested_pps", "paced.rate_requested_pps"},
	{"tx_pps", "paced.tx.pps"},
	{"rx_pps", "paced.rx.pps"},
	{"sent", "paced.tx.sent"},
	{"received", "paced.rx.received"},
	{"lost", "paced.rx.lost"},
	{"loss_ratio", "paced.loss_ratio"},
	{"latency_min_ns", "paced.latency_ns.min"},
	{"latency_mean_ns", "paced.latency_ns.mean"},
	{"latency_p50_ns", "paced.latency_ns.p50"},
	{"latency_p90_ns", "paced.latency_ns.p90"},
	{"latency_p99_ns", "paced.latency_ns.p99"},
	{"latency_p999_ns", "paced.latency_ns.p999"},
	{"latency_p9999_ns", "paced.latency_ns.p9999"},
	{"latency_max_ns", "paced.latency_ns.max"},
	{"latency_stdev_ns", "paced.latency_ns.stdev"},
	{"pdv_ns", "paced.latency_ns.pdv"},
	{"clean_min_ns", "paced.latency_clean_ns.min"},
	{"clean_p50_ns", "paced.latency_clean_ns.p50"},
	{"clean_p99_ns", "paced.latency_clean_ns.p99"},
	{"clean_p999_ns", "paced.latency_clean_ns.p999"},
	{"clean_max_ns", "paced.latency_clean_ns.max"},
	{"clean_count", "paced.latency_clean_ns.count"},
	{"dut_cpu_busy", "paced.dut.cpu_busy"},
	{"dut_cpu_busy_max", "max.dut.cpu_busy"},
	{"dut_cycles_per_frame", "paced.dut.cycles_per_frame"},
	{"dut_cycles_per_frame_max", "max.dut.cycles_per_frame"},
	{"dut_system_share", "paced.dut.system_share"},
	{"dut_softirq_share", "paced.dut.softirq_share"},
	{"dut_kernel_threads_share", "paced.dut.kernel_threads_share"},
	{"verdict", "paced.verdict"},
	{"reasons", "paced.reasons"},
};

int result_print_csv(const json_t *summary, FILE *out)
{
	const size_t n = sizeof(columns) / sizeof(columns[0]);
	int rc = 0;

	for (size_t c = 0; c < n; c++)
		fprintf(out, "%s%s", c ? "," : "", columns[c].name);
	fputc('\n', out);
	for (size_t i = 0; i < json_array_size(summary) && !rc; i++) {
		for (size_t c = 0; c < n && !rc; c++) {
			if (c)
				fputc(',', out);
			rc = csv_value(result_get(json_array_get(summary, i), columns[c].where),
				       out);
		}
		fputc('\n', out);
	}
	return rc;
}

int result_write_csv(const char *dir, const json_t *summary, char *err, size_t errlen)
{
	return result_write_text(dir, "summary.csv", result_print_csv, summary, err, errlen);
}

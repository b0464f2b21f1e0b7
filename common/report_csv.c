/*
 * The report as CSV: a wide table, one column a quantity whichever test it comes from, so that a
 * spreadsheet filters by "test" and draws what is left.
 */
#include "common/report.h"

#include "common/csv.h"
#include "common/report_table.h"
#include "common/results.h"

#include <string.h>

#define MAX_SOURCES 6

/* Where a column's value stands, in the rows of one test or, with NULL, of all. */
struct source {
	const char *test, *where;
};

static const struct csv_column {
	const char *name;
	struct source from[MAX_SOURCES]; /* the first that holds */
} columns[] = {
	{"test", {{NULL, "test.test"}}},
	{"path", {{NULL, "test.path"}}},
	{"direction", {{NULL, "test.direction"}}},
	{"stream", {{NULL, "test.stream"}}},
	{"frame_size", {{NULL, "test.frame_size"}}},
	{"goal", {{"mlrsearch", "item.name"}}},
	{"load_percent", {{"latency", "item.percent"}, {"loss", "item.percent"}}},
	{"load_pps",
	 {{"latency", "item.rate_pps"},
	  {"loss", "item.offered_pps"},
	  {"back-to-back", "test.burst_rate_pps"},
	  {"recovery", "test.overload_pps"},
	  {"reset", "test.rate_pps"},
	  {"soak", "test.rate_pps"}}},
	{"outcome", {{NULL, "test.outcome"}}},
	{"verdict", {{"latency", "item.verdict"}, {"loss", "item.verdict"}}},
	{"regular", {{"mlrsearch", "item.regular"}}},
	{"reasons", {{NULL, "test.reasons"}}},
	{"theoretical_max_pps", {{NULL, "test.theoretical_max_pps"}}},
	{"throughput_pps",
	 {{"mlrsearch", "item.conditional_throughput_pps"}, {NULL, "test.throughput_pps"}}},
	{"throughput_percent", {{NULL, "percent"}}},
	{"lower_bound_pps",
	 {{"mlrsearch", "item.relevant_lower_bound_pps"}, {NULL, "test.lower_bound_pps"}}},
	{"upper_bound_pps",
	 {{"mlrsearch", "item.relevant_upper_bound_pps"}, {NULL, "test.upper_bound_pps"}}},
	{"loss_tolerance", {{"mlrsearch", "item.loss_ratio"}, {NULL, "test.loss_tolerance"}}},
	{"exceed_ratio", {{"mlrsearch", "item.exceed_ratio"}}},
	{"width", {{"mlrsearch", "item.width"}, {NULL, "test.width"}}},
	{"pdr_pps", {{NULL, "test.pdr_pps"}}},
	{"pdr_loss_ratio", {{NULL, "test.pdr_loss_ratio"}}},
	{"min_load_pps", {{NULL, "test.min_load_pps"}}},
	{"max_load_pps", {{NULL, "test.max_load_pps"}}},
	{"loss_ratio",
	 {{"latency", "item.loss_ratio"},
	  {"loss", "item.loss_ratio"},
	  {"soak", "test.loss_ratio"}}},
	{"lost", {{NULL, "test.lost"}}},
	{"latency_min_ns", {{NULL, "item.latency_ns.min"}}},
	{"latency_mean_ns", {{NULL, "item.latency_ns.mean"}}},
	{"latency_p50_ns", {{NULL, "item.latency_ns.p50"}}},
	{"latency_p90_ns", {{NULL, "item.latency_ns.p90"}}},
	{"latency_p99_ns", {{NULL, "item.latency_ns.p99"}}},
	{"latency_p999_ns", {{NULL, "item.latency_ns.p999"}}},
	{"latency_p9999_ns", {{NULL, "item.latency_ns.p9999"}}},
	{"latency_max_ns", {{NULL, "item.latency_ns.max"}}},
	{"latency_stdev_ns", {{NULL, "item.latency_ns.stdev"}}},
	{"pdv_ns", {{NULL, "item.latency_ns.pdv"}}},
	{"latency_count", {{NULL, "item.latency_ns.count"}}},
	{"clean_min_ns", {{NULL, "item.latency_clean_ns.min"}}},
	{"clean_mean_ns", {{NULL, "item.latency_clean_ns.mean"}}},
	{"clean_p50_ns", {{NULL, "item.latency_clean_ns.p50"}}},
	{"clean_p99_ns", {{NULL, "item.latency_clean_ns.p99"}}},
	{"clean_p999_ns", {{NULL, "item.latency_clean_ns.p999"}}},
	{"clean_max_ns", {{NULL, "item.latency_clean_ns.max"}}},
	{"clean_pdv_ns", {{NULL, "item.latency_clean_ns.pdv"}}},
	{"clean_count", {{NULL, "item.latency_clean_ns.count"}}},
	{"repetitions", {{NULL, "test.repetitions"}}},
	{"burst_mean_frames", {{NULL, "test.burst_frames.mean"}}},
	{"burst_min_frames", {{NULL, "test.burst_frames.min"}}},
	{"burst_max_frames", {{NULL, "test.burst_frames.max"}}},
	{"burst_stdev_frames", {{NULL, "test.burst_frames.stdev"}}},
	{"implied_buffer_s", {{NULL, "test.implied_buffer_s"}}},
	{"corrected_buffer_s", {{NULL, "test.corrected_buffer_s"}}},
	{"then_pps", {{NULL, "test.then_pps"}}},
	{"recovery_mean_s", {{NULL, "test.recovery_s.mean"}}},
	{"recovery_min_s", {{NULL, "test.recovery_s.min"}}},
	{"recovery_max_s", {{NULL, "test.recovery_s.max"}}},
	{"recovery_stdev_s", {{NULL, "test.recovery_s.stdev"}}},
	{"outage_s", {{NULL, "test.outage_s"}}},
	{"interval_s", {{NULL, "test.interval_s"}}},
	{"intervals", {{NULL, "test.intervals"}}},
	{"worst_trial", {{NULL, "test.worst.trial"}}},
	{"worst_started", {{NULL, "test.worst.started"}}},
	{"worst_loss_ratio", {{NULL, "test.worst.loss_ratio"}}},
	{"worst_p99_ns", {{NULL, "test.worst.p99_ns"}}},
	{"worst_max_ns", {{NULL, "test.worst.max_ns"}}},
	{"trial_s", {{NULL, "test.trial_s"}}},
	{"trials", {{NULL, "test.trials"}}},
	{"time_s", {{NULL, "test.time_s"}}},
	{"started", {{NULL, "test.started"}}},
};

static const json_t *find(const struct csv_column *column, const json_t *row, const char *test)
{
	const json_t *value = NULL;

	for (size_t s = 0; s < MAX_SOURCES && column->from[s].where; s++) {
		const struct source *from = &column->from[s];

		if (!from->test || (test && !strcmp(from->test, test)))
			value = result_get(row, from->where);
		if (value)
			break;
	}
	return value;
}

int report_print_csv(const json_t *tests, FILE *out)
{
	const size_t n = sizeof(columns) / sizeof(columns[0]);
	int rc = 0;

	for (size_t c = 0; c < n; c++)
		fprintf(out, "%s%s", c ? "," : "", columns[c].name);
	fputc('\n', out);
	for (size_t i = 0; i < json_array_size(tests) && !rc; i++) {
		const json_t *record = json_array_get(tests, i);
		const char *test = result_str(record, "test");
		json_t *rows = json_array();

		report_rows(record, rows);
		for (size_t r = 0; r < json_array_size(rows); r++) {
			for (size_t c = 0; c < n && !rc; c++) {
				if (c)
					fputc(',', out);
				rc = csv_value(find(&columns[c], json_array_get(rows, r), test),
					       out);
			}
			fputc('\n', out);
		}
		json_decref(rows);
	}
	return rc;
}

/*
 * Several records in one: repeats by median and spread, directions by their sum.
 */
#include "gen/record.h"

#include "common/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static json_t *median_of(const json_t *records, const char *key)
{
	size_t n = 0;
	double *values = calloc(json_array_size(records) + 1, sizeof(*values));
	json_t *o, *record;
	size_t i;

	if (!values)
		return json_null();
	json_array_foreach ((json_t *)(uintptr_t)records, i, record) {
		double v = result_num(record, key);

		if (!isnan(v))
			values[n++] = v;
	}
	qsort(values, n, sizeof(*values), by_value);
	o = json_pack("{s:o, s:o, s:o, s:o}", "samples", result_count(n), "median",
		      n ? json_real(n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2)
			: json_null(),
		      "min", n ? json_real(values[0]) : json_null(), "max",
		      n ? json_real(values[n - 1]) : json_null());
	free(values);
	return o;
}

json_t *record_repeat(const json_t *records)
{
	static const char *const keys[] = {"tx.pps",
					   "rx.pps",
					   "rx.lost",
					   "loss_ratio",
					   "latency_ns.min",
					   "latency_ns.p50",
					   "latency_ns.p99",
					   "latency_ns.max",
					   "latency_clean_ns.p50",
					   "latency_clean_ns.p99",
					   "dut.cpu_busy"};
	static const char *const copied[] = {"path", "direction", "stream", "frame_size",
					     "rate_requested_pps"};
	const json_t *first = json_array_get(records, 0);
	json_t *o = json_pack("{s:s, s:o}", "schema", "tandem.repeat/1", "trials",
			      result_count(json_array_size(records)));
	size_t invalid = 0, disturbed = 0, i;
	json_t *record;

	for (i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		json_object_set(o, copied[i], json_object_get(first, copied[i]));
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set_new(o, keys[i], median_of(records, keys[i]));
	json_array_foreach ((json_t *)(uintptr_t)records, i, record) {
		const char *verdict = result_str(record, "verdict");

		invalid += verdict && !strcmp(verdict, "invalid");
		disturbed += verdict && !strcmp(verdict, "disturbed");
	}
	json_object_set_new(o, "disturbed", result_count(disturbed));
	json_object_set_new(o, "invalid", result_count(invalid));
	return o;
}

static void add_numbers(json_t *into, const json_t *part)
{
	static const char *const added[] = {"offered",
					    "sent",
					    "refused",
					    "unsent",
					    "received",
					    "lost",
					    "lost_in_gen_stall",
					    "duplicate",
					    "reordered",
					    "gen_missed",
					    "pps",
					    "l1_bps",
					    "l2_bps"};

	for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		const json_t *n = json_object_get(part, added[i]),
			     *sum = json_object_get(into, added[i]);

		if (json_is_integer(n))
			json_object_set_new(
				into, added[i],
				json_integer(json_integer_value(sum) + json_integer_value(n)));
		else if (json_is_real(n))
			json_object_set_new(into, added[i],
					    json_real(json_number_value(sum) + json_real_value(n)));
	}
}

static int severity(const char *verdict)
{
	return !verdict || !strcmp(verdict, "invalid") ? 2 : !strcmp(verdict, "disturbed") ? 1 : 0;
}

/* What a loss ratio is of: refused frames are part of it where they count as lost (they do unless
 * they show that the generator was the limit). */
static double entered(const json_t *record)
{
	bool refused_count = json_is_false(json_object_get(record, "generator_limited"));

	return result_num(record, "tx.sent") +
	       (refused_count ? result_num(record, "tx.refused") : 0);
}

json_t *record_total(const json_t *records)
{
	const json_t *first = json_array_get(records, 0);
	json_t *o = json_pack("{s:s, s:o}", "schema", "tandem.total/1", "directions",
			      result_count(json_array_size(records)));
	json_t *tx = json_object(), *rx = json_object(), *record;
	const char *worst = "valid";
	double lost = 0, sent = 0;
	size_t i;

	json_array_foreach ((json_t *)(uintptr_t)records, i, record) {
		const char *verdict = result_str(record, "verdict");

		add_numbers(tx, json_object_get(record, "tx"));
		add_numbers(rx, json_object_get(record, "rx"));
		lost += result_num(record, "loss_ratio") * entered(record);
		sent += entered(record);
		if (severity(verdict) > severity(worst))
			worst = verdict;
	}
	json_object_set(o, "trial", json_object_get(first, "trial"));
	json_object_set(o, "path", json_object_get(first, "path"));
	json_object_set(o, "frame_size", json_object_get(first, "frame_size"));
	json_object_set(o, "rate_requested_pps", json_object_get(first, "rate_requested_pps"));
	json_object_set_new(o, "tx", tx);
	json_object_set_new(o, "rx", rx);
	json_object_set_new(o, "loss_ratio", result_real(lost / sent));
	json_object_set_new(o, "verdict", json_string(worst ? worst : "invalid"));
	return o;
}

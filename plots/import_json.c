/*
 * JSON of TRex (its stateless statistics, its NDR bench), NFVbench and FD.io CSIT.
 */
#include "plots/import.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/results.h"

static bool knows(const struct import_file *file)
{
	const char *text = file->text + strspn(file->text, " \t\r\n");

	return *text == '{' || *text == '[';
}

/* The first member of that name anywhere in a value, at most so deep; NULL. */
static const json_t *find(const json_t *value, const char *name, int depth)
{
	const json_t *found = json_object_get(value, name), *member;
	const char *key;
	size_t i;

	if (found || depth == 0)
		return found;
	json_object_foreach ((json_t *)(uintptr_t)value, key, member) {
		found = find(member, name, depth - 1);
		if (found)
			return found;
	}
	json_array_foreach (value, i, member) {
		found = find(member, name, depth - 1);
		if (found)
			return found;
	}
	return NULL;
}

static double usec(const json_t *o, const char *dotted)
{
	return result_num(o, dotted) * 1e3;
}

/* NFVbench, a rate of a size: "ndr" or "pdr". */
static int take_nfvbench_rate(const json_t *rate, const char *goal, double size, struct result *r,
			      enum load load)
{
	struct imported row = imported_unknown("NFVbench");

	row.frame_size = size;
	row.found = goal;
	row.lower_pps = result_num(rate, "rate_pps");
	row.offered_pps = row.lower_pps;
	row.rx_pps = result_num(rate, "stats.overall.rx.pkt_rate");
	row.loss_ratio = result_num(rate, "stats.overall.drop_percentage") / 100;
	row.min = usec(rate, "stats.overall.min_delay_usec");
	row.mean = usec(rate, "stats.overall.avg_delay_usec");
	row.max = usec(rate, "stats.overall.max_delay_usec");
	return import_take(r, load, &row);
}

/* "64", "IMIX": the sizes are the members that hold ndr or pdr. */
static int take_nfvbench(const json_t *sizes, struct result *r, enum load load)
{
	static const char *const goals[] = {"ndr", "pdr"};
	const json_t *member;
	const char *key;
	int rc = 0;

	json_object_foreach ((json_t *)(uintptr_t)sizes, key, member) {
		double size = isdigit((unsigned char)*key) ? strtod(key, NULL) : NAN;

		for (size_t g = 0; g < 2 && rc == 0; g++) {
			const json_t *rate = json_object_get(member, goals[g]);

			if (json_is_object(rate) && isfinite(size))
				rc = take_nfvbench_rate(rate, goals[g], size, r, load);
		}
	}
	return rc;
}

/* The object whose members are frame sizes, in NFVbench's nest of results. */
static const json_t *nfvbench_sizes(const json_t *value, int depth)
{
	const json_t *member, *found;
	const char *key;

	json_object_foreach ((json_t *)(uintptr_t)value, key, member)
		if (json_object_get(member, "ndr") || json_object_get(member, "pdr"))
			return value;
	json_object_foreach ((json_t *)(uintptr_t)value, key, member) {
		found = depth ? nfvbench_sizes(member, depth - 1) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

/* A CSIT test's name or tags have the size: "64b", "1518B". */
static double csit_size(const json_t *root)
{
	static const char *const keys[] = {"test_id", "test_name_long", "test_name_short"};
	const json_t *tags = json_object_get(root, "tags"), *tag;
	size_t i;

	json_array_foreach (tags, i, tag) {
		const char *text = json_string_value(tag);
		char *end = NULL;
		double size = text ? strtod(text, &end) : 0;

		if (text && end && size >= 64 && (*end == 'B' || *end == 'b') && !end[1])
			return size;
	}
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		for (const char *at = result_str(root, keys[i]); at && *at; at++) {
			char *end = NULL;
			double size = isdigit((unsigned char)*at) ? strtod(at, &end) : 0;

			if (end && size >= 64 && size <= 9216 && (*end == 'b' || *end == 'B') &&
			    (end[1] == '-' || !end[1]))
				return size;
		}
	}
	return NAN;
}

static int take_csit(const json_t *root, struct result *r, enum load load)
{
	static const char *const goals[] = {"ndr", "pdr"};
	int rc = 0;

	for (size_t g = 0; g < 2 && rc == 0; g++) {
		const json_t *goal = json_object_get(json_object_get(root, "result"), goals[g]);
		struct imported row = imported_unknown("CSIT");

		if (!goal)
			continue;
		row.frame_size = csit_size(root);
		row.found = goals[g];
		row.lower_pps = result_num(goal, "lower.rate.value");
		row.upper_pps = result_num(goal, "upper.rate.value");
		/* Latency of the run at half of the PDR, in microseconds. */
		if (g == 1) {
			row.min = usec(root, "result.latency_forward.pdr_50.min");
			row.mean = usec(root, "result.latency_forward.pdr_50.avg");
			row.max = usec(root, "result.latency_forward.pdr_50.max");
			row.offered_pps = row.lower_pps / 2;
		}
		rc = import_take(r, load, &row);
	}
	return rc;
}

/* Statistics of a client: "global", ports by number, "latency" by stream. */
static int take_trex(const json_t *root, struct result *r, enum load load)
{
	struct imported row = imported_unknown("TRex");
	const json_t *total = json_object_get(root, "total"), *stream;
	const char *key;

	row.sent = result_num(total, "opackets");
	row.received = result_num(total, "ipackets");
	row.offered_pps = result_num(root, "global.tx_pps");
	row.rx_pps = result_num(root, "global.rx_pps");
	/* A rate and its bits tell the size: L2 without the FCS. */
	if (result_num(root, "global.tx_pps") > 0)
		row.frame_size = round(result_num(root, "global.tx_bps") / 8 /
				       result_num(root, "global.tx_pps")) +
				 4;
	json_object_foreach (json_object_get(root, "latency"), key, stream) {
		if (isdigit((unsigned char)*key) && !isfinite(row.mean)) {
			row.min = usec(stream, "latency.total_min");
			row.mean = usec(stream, "latency.average");
			row.max = usec(stream, "latency.total_max");
		}
	}
	return import_take(r, load, &row);
}

/* The NDR bench's results: a rate that was found, and statistics of its run. */
static int take_ndr_bench(const json_t *root, struct result *r, enum load load)
{
	const json_t *results = find(root, "ndr_results", 3), *run;
	struct imported row = imported_unknown("TRex NDR bench");
	const json_t *size = find(root, "size", 4);

	if (!results)
		results = root;
	run = find(results, "result", 2);
	run = run ? run : results;
	row.frame_size = json_is_string(size) ? strtod(json_string_value(size), NULL)
					      : result_num(root, "frame_size");
	row.found = "ndr";
	row.lower_pps = result_num(run, "rate_tx_pps");
	if (!isfinite(row.lower_pps))
		row.lower_pps = result_num(run, "tx_pps");
	row.offered_pps = row.lower_pps;
	row.rx_pps = result_num(run, "rx_pps");
	row.loss_ratio = result_num(run, "drop_rate_percentage") / 100;
	return import_take(r, load, &row);
}

static int take(const struct import_file *file, struct result *r, enum load load, char *err,
		size_t errlen)
{
	json_error_t bad;
	json_t *root = json_loadb(file->text, file->len, 0, &bad);
	const json_t *sizes;
	int rc;

	if (!root) {
		snprintf(err, errlen, "%s, line %d: %s", file->path, bad.line, bad.text);
		return -EINVAL;
	}
	sizes = nfvbench_sizes(json_object_get(root, "benchmarks"), 8);
	if (sizes) {
		rc = take_nfvbench(sizes, r, load);
	} else if (json_object_get(json_object_get(root, "result"), "ndr") ||
		   json_object_get(json_object_get(root, "result"), "pdr")) {
		rc = take_csit(root, r, load);
	} else if (find(root, "ndr_results", 3) || find(root, "rate_tx_pps", 4)) {
		rc = take_ndr_bench(root, r, load);
	} else if (json_object_get(root, "global") && json_object_get(root, "total")) {
		rc = take_trex(root, r, load);
	} else {
		const char *key = json_object_iter_key(json_object_iter(root));
		char first[48];

		snprintf(err, errlen,
			 "%s: no JSON that is known (it begins with '%.40s'): TRex statistics have "
			 "'global' and 'total', its NDR bench 'ndr_results', NFVbench "
			 "'benchmarks', CSIT "
			 "'result' with 'ndr' or 'pdr'",
			 file->path, import_words(key ? key : "", first, sizeof(first)));
		rc = -EINVAL;
	}
	json_decref(root);
	return rc;
}

const struct import_format import_json = {"JSON", knows, take};

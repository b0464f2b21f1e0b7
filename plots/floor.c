/*
 * Taking the floor off. The minimum is taken off all figures alike: the shortest round trip is what
 * every frame pays in the generator and its link, the rest of the floor's spread is chance and
 * cannot be told apart from the DUT's.
 */
#include "plots/floor.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"
#include "common/units.h"

int floor_of(const struct result *r, struct floor *floor, char *err, size_t errlen)
{
	const json_t *selftest = result_get(r->run, "selftest");
	const char *schema = result_str(selftest, "schema");

	*floor = (struct floor){.ns = result_num(selftest, "floor_ns.min"),
				.started = result_str(selftest, "started"),
				.loop = result_str(selftest, "loop")};
	if (schema && strcmp(schema, SELFTEST_SCHEMA) != 0) {
		snprintf(err, errlen,
			 "%s: its run.json carries a selftest of schema %.40s, expected %s",
			 r->path, schema, SELFTEST_SCHEMA);
		return -ENODATA;
	}
	if (schema && floor->ns >= 0)
		return 0;
	snprintf(err, errlen,
		 "%s: its run.json carries no selftest to take a floor from: run 'tandem-gen ... "
		 "-- selftest' first, then measure",
		 r->path);
	return -ENODATA;
}

static void subtract(json_t *latency, double ns)
{
	static const char *const keys[] = {"min", "mean", "p50",   "p90",
					   "p99", "p999", "p9999", "max"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		double value = result_num(latency, keys[i]);

		if (!isnan(value))
			json_object_set_new(latency, keys[i], result_real(fmax(value - ns, 0)));
	}
}

json_t *floor_subtract(const struct floor *floor, const json_t *summary)
{
	json_t *rows = json_deep_copy(summary), *row;
	size_t i;

	json_array_foreach (rows, i, row) {
		subtract(result_get(row, "paced.latency_ns"), floor->ns);
		subtract(result_get(row, "paced.latency_clean_ns"), floor->ns);
	}
	return rows;
}

char *floor_title(const struct floor *floor, char *buf, size_t len)
{
	char ns[32];

	snprintf(buf, len, "latency less the floor of %s (selftest%s%.40s%s%.40s)",
		 ns_format(floor->ns, ns, sizeof(ns)), floor->started ? " of " : "",
		 floor->started ? floor->started : "", floor->loop ? ", over " : "",
		 floor->loop ? floor->loop : "");
	return buf;
}

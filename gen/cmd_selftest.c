/*
 * selftest: what the generator can be trusted for on this host. Two trials through a loop (a ring,
 * an embedded link to a DUT in io mode, or a cable): one slow, frame by frame, for floor latency,
 * jitter and rate error; one at max for the highest rate with every frame stamped and checked. The
 * gaps of its own loop are shown as they fell.
 */
#include "common/clock.h"
#include "common/host.h"
#include "common/results.h"
#include "common/units.h"
#include "gen/campaign.h"
#include "gen/record.h"
#include "gen/selftest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	double below_s;
	const char *name;
} gap_classes[] = {{1e-6, "below 1 us"}, {1e-5, "below 10 us"}, {1e-4, "below 100 us"},
		   {1e-3, "below 1 ms"}, {1e-2, "below 10 ms"}, {INFINITY, "10 ms and more"}};

#define N_CLASSES (sizeof(gap_classes) / sizeof(gap_classes[0]))

static void defaults(struct gen_config *config)
{
	if (!config->sizes.n)
		config->sizes = (struct size_list){.size = {FRAME_MIN}, .n = 1};
	if (!config->rates.n)
		config->rates =
			(struct rate_list){.rate = {{.kind = RATE_PPS, .value = 10e3}}, .n = 1};
	if (!config->duration_ns)
		config->duration_ns = 5000000000ull;
}

/* Rounds of the loop by the length of the gap they made, of all workers. */
static void add_gaps(const struct generator *g, uint64_t count[N_CLASSES])
{
	for (unsigned int w = 0; w < g->crew.n; w++) {
		const struct hist *parts[] = {&g->workers[w].watch->own,
					      &g->workers[w].watch->driver};

		for (size_t p = 0; p < 2; p++) {
			for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
				double seconds = (double)hist_bucket_low(i) / g->hz;
				size_t class = 0;

				while (seconds >= gap_classes[class].below_s)
					class ++;
				count[class] += parts[p]->bucket[i];
			}
		}
	}
}

static int run_trial(struct campaign *c, const struct rate *rate, uint32_t burst, json_t **record)
{
	const struct gen_config *config = c->invocation->config;
	json_t *records = json_array();
	int rc = campaign_trial(c, config->sizes.size[0], rate,
				&(struct trial_extra){.burst = burst}, records);

	*record = rc ? NULL : json_incref(json_array_get(records, 0));
	json_decref(records);
	return rc;
}

static json_t *figures(const struct generator *g, const json_t *slow, const json_t *fast,
		       const uint64_t *gaps)
{
	json_t *host = host_facts(), *loop = json_array(), *o;
	char now[32];

	for (size_t i = 0; i < N_CLASSES; i++)
		json_array_append_new(loop, json_pack("{s:s, s:I}", "gap", gap_classes[i].name,
						      "rounds", (json_int_t)gaps[i]));
	o = json_pack("{s:s, s:s, s:s, s:O, s:O, s:i}", "schema", SELFTEST_SCHEMA, "started",
		      clock_iso8601(now, sizeof(now)), "loop", g->ports[0].driver, "cpu_model",
		      json_object_get(host, "cpu_model"), "frame_size",
		      json_object_get(slow, "frame_size"), "cores", (int)g->crew.n);
	json_object_set(o, "rate_pps", json_object_get(slow, "rate_requested_pps"));
	json_object_set(o, "floor_ns", json_object_get(slow, "latency_clean_ns"));
	json_object_set(o, "floor_all_ns", json_object_get(slow, "latency_ns"));
	json_object_set(o, "rate_error_ppm", result_get(slow, "tx.rate_error_ppm"));
	json_object_set(o, "lateness_ns", result_get(slow, "tx.lateness_ns"));
	json_object_set(o, "highest_rate_pps", result_get(fast, "rx.pps"));
	json_object_set(o, "highest_rate_generator_limited",
			json_object_get(fast, "generator_limited"));
	json_object_set(o, "stalls", json_object_get(slow, "stalls"));
	json_object_set(o, "loop_gaps", loop);
	json_decref(loop);
	json_decref(host);
	return o;
}

static const char *time_at(const json_t *o, const char *key, char *buf, size_t len)
{
	return ns_format(result_num(o, key), buf, len);
}

static void print(const json_t *f)
{
	char a[32], b[32], c[32], d[32], e[32];
	const json_t *limited = json_object_get(f, "highest_rate_generator_limited");
	size_t i;
	json_t *row;

	printf("selftest over %s, %.0f-byte frames, %.0f core%s\n", result_str(f, "loop"),
	       result_num(f, "frame_size"), result_num(f, "cores"),
	       result_num(f, "cores") > 1 ? "s" : "");
	printf("  floor latency   min %s  p50 %s  p99 %s  p99.9 %s  max %s  (clean, %s, a time "
	       "stamp a frame)\n",
	       time_at(f, "floor_ns.min", a, sizeof(a)), time_at(f, "floor_ns.p50", b, sizeof(b)),
	       time_at(f, "floor_ns.p99", c, sizeof(c)), time_at(f, "floor_ns.p999", d, sizeof(d)),
	       time_at(f, "floor_ns.max", e, sizeof(e)),
	       si_format(result_num(f, "rate_pps"), "pps", (char[32]){0}, 32));
	printf("  own jitter      PDV %s  (p99.9 - min), RFC 3550 jitter %s\n",
	       time_at(f, "floor_ns.pdv", a, sizeof(a)),
	       time_at(f, "floor_ns.jitter", b, sizeof(b)));
	printf("  pacing          rate error %.2f ppm  lateness p50 %s  p99 %s\n",
	       result_num(f, "rate_error_ppm"), time_at(f, "lateness_ns.p50", a, sizeof(a)),
	       time_at(f, "lateness_ns.p99", b, sizeof(b)));
	printf("  highest rate    %s, every frame stamped and checked%s\n",
	       si_format(result_num(f, "highest_rate_pps"), "pps", a, sizeof(a)),
	       json_is_true(limited) ? "" : " (the link was the limit)");
	printf("  own stalls      %.0f, longest %s, in all %s\n", result_num(f, "stalls.count"),
	       time_at(f, "stalls.max_ns", a, sizeof(a)),
	       time_at(f, "stalls.total_ns", b, sizeof(b)));
	printf("  gaps in the loop of both trials:\n");
	json_array_foreach (json_object_get(f, "loop_gaps"), i, row)
		printf("    %-16s %14.0f rounds\n", result_str(row, "gap"),
		       result_num(row, "rounds"));
}

static int run(const struct invocation *invocation)
{
	static struct campaign c;
	const struct gen_config *config = invocation->config;
	/* The figures go into a file of their own, not into a run's folder. */
	struct gen_config inner = *config;
	struct invocation inside = {&inner, invocation->stop, invocation->argc, invocation->argv};
	static const struct rate max = {.kind = RATE_MAX};
	uint64_t gaps[N_CLASSES] = {0};
	json_t *slow = NULL, *fast = NULL, *f = NULL;
	char path[4096];
	int rc;

	inner.out = NULL;
	inner.json = false;
	rc = campaign_open(&c, &inside);
	c.progress.left_after_s = campaign_trial_seconds(&c);
	if (!rc)
		rc = run_trial(&c, &config->rates.rate[0], 1, &slow);
	if (!rc)
		add_gaps(&c.generator, gaps);
	c.progress.left_after_s = 0;
	if (!rc)
		rc = run_trial(&c, &max, 0, &fast);
	if (!rc) {
		add_gaps(&c.generator, gaps);
		f = figures(&c.generator, slow, fast, gaps);
		rc = selftest_keep(selftest_path(config->out, path, sizeof(path)), f, c.err,
				   sizeof(c.err));
	}
	if (f && config->json) {
		run_output_line(f);
	} else if (f) {
		print(f);
		if (!rc)
			printf("kept in %s; run.json of later runs carries it\n", path);
	}
	json_decref(slow);
	json_decref(fast);
	json_decref(f);
	return campaign_close(&c, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 0 --vdev net_ring0 -- selftest",
	"the generator alone, through a ring in memory",
	"tandem-gen -l 2 -a 0000:02:00.0 -- selftest",
	"with a cable from the port back to itself (or from port 0 to port 1)",
	NULL,
};

const struct verb verb_selftest = {
	.command = {.program = "tandem-gen",
		    .verb = "selftest",
		    .synopsis = "[EAL options] -- selftest [options]",
		    .summary = "What the generator can be trusted for on this host, through a loop "
			       "back to itself.",
		    .opts = selftest_options,
		    .examples = examples},
	.defaults = defaults,
	.run = run,
};

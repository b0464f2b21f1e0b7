/*
 * soak: one load for hours, a record an interval, the worst interval named. Intervals are trials
 * right after one another; each closes its own accounts, so that nothing grows with time.
 */
#include "gen/measure.h"

#include "common/clock.h"
#include "common/results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What all intervals came to. */
struct soak {
	uint64_t intervals, invalid, disturbed, sent, refused, lost;
	double seconds;
	json_t *worst; /* record of the worst interval; NULL before the first */
};

static void defaults(struct gen_config *config)
{
	if (!config->sizes.n)
		config->sizes = (struct size_list){.size = {FRAME_MIN}, .n = 1};
	if (!config->duration_ns)
		config->duration_ns = 3600000000000ull;
	if (!config->method.interval_ns)
		config->method.interval_ns = 60000000000ull;
	if (config->method.interval_ns > config->duration_ns)
		config->method.interval_ns = config->duration_ns;
}

static int check(const struct gen_config *config, char *err, size_t errlen)
{
	const struct rate_list *rates = &config->rates;

	if (rates->n == 1 && config->sizes.n == 1 && rates->rate[0].kind != RATE_MAX)
		return 0;
	snprintf(err, errlen, "a soak is of one frame size at one rate, e.g. --rate 500kpps");
	return -EINVAL;
}

static double planned_s(const struct gen_config *config)
{
	return (double)(config->warmup_ns + config->duration_ns + config->drain_ns) / 1e9;
}

/* More loss is worse; with as much, a longer p99.9. */
static bool is_worse(const json_t *a, const json_t *b)
{
	double loss_a = result_num(a, "loss_ratio"), loss_b = result_num(b, "loss_ratio");

	if (!b || loss_a > loss_b)
		return true;
	return !(loss_a < loss_b) &&
	       result_num(a, "latency_ns.p999") > result_num(b, "latency_ns.p999");
}

static uint64_t count_of(const json_t *record, const char *key)
{
	double value = result_num(record, key);

	return isnan(value) ? 0 : (uint64_t)value;
}

static void add(struct soak *s, json_t *records)
{
	size_t i;
	json_t *record;

	s->intervals++;
	json_array_foreach (records, i, record) {
		const char *verdict = result_str(record, "verdict"), *stream;

		stream = result_str(record, "stream");
		if (stream && strcmp(stream, "all"))
			continue;
		s->invalid += verdict && !strcmp(verdict, "invalid");
		s->disturbed += verdict && !strcmp(verdict, "disturbed");
		s->sent += count_of(record, "tx.sent");
		s->lost += count_of(record, "rx.lost") - count_of(record, "rx.gen_missed");
		if (json_is_true(json_object_get(record, "refused_is_loss")))
			s->refused += count_of(record, "tx.refused");
		s->seconds = fmax(s->seconds, 0) + result_num(record, "duration_s.actual");
		if (is_worse(record, s->worst)) {
			json_decref(s->worst);
			s->worst = json_incref(record);
		}
	}
}

static json_t *or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static json_t *fields_of(const struct soak *s, const struct gen_config *config, double pps)
{
	double door = (double)(s->sent + s->refused);
	json_t *reasons = json_array(), *fields;
	char text[128];

	if (s->invalid) {
		snprintf(text, sizeof(text), "%llu intervals are invalid",
			 (unsigned long long)s->invalid);
		json_array_append_new(reasons, json_string(text));
	}
	if (s->disturbed) {
		snprintf(text, sizeof(text), "%llu intervals are disturbed",
			 (unsigned long long)s->disturbed);
		json_array_append_new(reasons, json_string(text));
	}
	fields = json_pack(
		"{s:s, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o}", "outcome",
		s->invalid == s->intervals ? "invalid" : "found", "trials",
		result_count(s->intervals), "time_s", result_real(s->seconds), "reasons", reasons,
		"rate_pps", pps, "interval_s", (double)config->method.interval_ns / 1e9,
		"intervals", result_count(s->intervals), "lost", result_count(s->lost + s->refused),
		"loss_ratio", result_real(door > 0 ? (double)(s->lost + s->refused) / door : NAN));
	json_object_set_new(fields, "worst",
			    json_pack("{s:o, s:o, s:o, s:o, s:o}", "trial",
				      or_null(result_get(s->worst, "trial")), "started",
				      or_null(result_get(s->worst, "started")), "loss_ratio",
				      or_null(result_get(s->worst, "loss_ratio")), "p99_ns",
				      or_null(result_get(s->worst, "latency_ns.p99")), "max_ns",
				      or_null(result_get(s->worst, "latency_ns.max"))));
	return fields;
}

static int run_interval(struct measure *m, const struct trial_spec *spec, uint64_t step)
{
	json_t *test = json_pack("{s:s, s:I}", "name", m->test, "step", (json_int_t)step);
	int rc;

	json_array_clear(m->records);
	rc = campaign_run(&m->campaign, spec, test, clock_ns(), m->records);
	json_decref(test);
	return rc;
}

/* What was measured before an error or the user's Ctrl-C stands. */
static int soak(struct measure *m, const struct gen_config *config)
{
	const struct generator *g = &m->campaign.generator;
	struct trial_spec spec = {.frame_size = config->sizes.size[0]};
	struct soak s = {0};
	uint64_t left = config->duration_ns;
	int rc = rate_to_pps(&config->rates.rate[0], spec.frame_size,
			     generator_line_rate(g, &g->directions[0]), 0, &spec.pps,
			     m->campaign.err, sizeof(m->campaign.err)),
	    ended;

	if (rc)
		return rc;
	measure_begin(m, "soak", spec.frame_size);
	while (left && !rc) {
		spec.duration_ns =
			left < config->method.interval_ns ? left : config->method.interval_ns;
		left -= spec.duration_ns;
		m->campaign.progress.left_after_s = (double)left / 1e9;
		rc = run_interval(m, &spec, s.intervals);
		if (!rc)
			add(&s, m->records);
		spec.cold = true; /* it goes on as it was */
	}
	ended = s.intervals ? measure_end(m, fields_of(&s, config, spec.pps)) : 0;
	json_decref(s.worst);
	return rc ? rc : ended;
}

static int run(const struct invocation *invocation)
{
	static struct measure m;
	int rc = measure_open(&m, invocation);

	m.campaign.output.forgets = true;
	if (!rc)
		rc = soak(&m, invocation->config);
	return measure_report(&m, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 2 -a 0000:02:00.0 -- soak --rate 1mpps --duration 8h --out results/night",
	"a night at a million frames a second, a record a minute",
	NULL,
};

const struct verb verb_soak = {
	.command = {.program = "tandem-gen",
		    .verb = "soak",
		    .synopsis = "[EAL options] -- soak --rate RATE [options]",
		    .summary = "One load for hours: a record an interval, the worst one named.",
		    .opts = soak_options,
		    .examples = examples},
	.defaults = defaults,
	.check = check,
	.planned_s = planned_s,
	.run = run,
};

/*
 * The runner of test methods: pauses, trials, repeats, records, and the way through a journal.
 */
#include "gen/measure.h"

#include "common/clock.h"
#include "common/report.h"
#include "common/results.h"
#include "gen/reset_command.h"

#include <errno.h>
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHORTFALL	   0.01 /* of the asked load; less is evidence at the achieved one */
#define SAME_LOAD	   1e-6 /* relative; a load that was written and read again */
#define SETTLE_SHARE	   12.0
#define SETTLE_MAX_S	   5.0
#define BURST_SETTLE_S	   0.1
#define BURST_SETTLE_MAX_S 2.0 /* RFC 9004, section 6.2 */
#define NAP_NS		   20000000
#define MAX_TRIAL_S	   1.0 /* the look at what the link takes */
#define OVERLOAD	   1.2
#define MIN_PPS		   100
#define RESET_AFTER	   0.25 /* of the trial */

static const struct gen_config *config_of(const struct measure *m)
{
	return m->campaign.invocation->config;
}

__attribute__((format(printf, 3, 4))) static int fail(struct measure *m, int rc, const char *format,
						      ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(m->campaign.err, sizeof(m->campaign.err), format, args);
	va_end(args);
	return rc;
}

static int open_journal(struct measure *m)
{
	const char *dir = config_of(m)->method.resume;
	char path[4096];

	if (!dir)
		return 0;
	snprintf(path, sizeof(path), "%s/tests.jsonl", dir);
	/* The tests are written anew as the trials lead to them again. */
	if (unlink(path) && errno != ENOENT)
		return fail(m, -errno, "%s/tests.jsonl: %s", dir, strerror(errno));
	snprintf(path, sizeof(path), "%s/trials.jsonl", dir);
	if (access(path, F_OK)) {
		m->journal = json_array();
		return 0;
	}
	return result_read_trials(dir, &m->journal, m->campaign.err, sizeof(m->campaign.err));
}

static int run_trial(void *context, const struct method_ask *ask, struct observation *seen);

int measure_open(struct measure *m, const struct invocation *invocation)
{
	int rc;

	memset(m, 0, sizeof(*m));
	m->measurer = (struct measurer){run_trial, m};
	m->throughput_pps = NAN;
	m->left_s = NAN;
	m->records = json_array();
	m->tests = json_array();
	rc = campaign_open(&m->campaign, invocation);
	return rc ? rc : open_journal(m);
}

int measure_report(struct measure *m, int rc)
{
	const struct run_output *o = &m->campaign.output;
	char ignored[256];
	int status, later = 0;

	if (json_array_size(m->tests) && !o->json)
		report_print(m->tests, stdout);
	if (json_array_size(m->tests) && o->dir)
		later = report_write(o->dir, m->tests, rc ? ignored : m->campaign.err,
				     rc ? sizeof(ignored) : sizeof(m->campaign.err));
	if (!rc)
		rc = later;
	m->campaign.output.any_invalid = m->any_invalid;
	status = campaign_close(&m->campaign, rc);
	json_decref(m->records);
	json_decref(m->tests);
	json_decref(m->journal);
	return status;
}

void measure_begin(struct measure *m, const char *test, uint32_t size)
{
	m->test = test;
	m->size = size;
	m->step = 0;
	json_array_clear(m->records);
}

/* A trial's pause: the time for the DUT to come to rest. */
static double settle_s(const struct measure *m, const struct method_ask *ask)
{
	const struct method_config *c = &config_of(m)->method;

	if (c->settle_ns != SETTLE_AUTO)
		return (double)c->settle_ns / 1e9;
	if (ask->frames)
		return m->throughput_pps > 0
			       ? fmin(BURST_SETTLE_MAX_S,
				      BURST_SETTLE_S + 2 * (double)ask->frames / m->throughput_pps)
			       : BURST_SETTLE_MAX_S;
	return fmin(SETTLE_MAX_S, ask->duration_s / SETTLE_SHARE);
}

double measure_overhead_s(const struct gen_config *config, double duration_s)
{
	double settle = config->method.settle_ns != SETTLE_AUTO
				? (double)config->method.settle_ns / 1e9
				: fmin(SETTLE_MAX_S, duration_s / SETTLE_SHARE);

	/* The drain: short where nothing is missing, else whole. */
	return settle + (double)(config->warmup_ns + config->drain_ns) / 1e9;
}

static int settle(const struct measure *m, double seconds)
{
	uint64_t end = clock_ns() + (uint64_t)(seconds * 1e9);

	while (clock_ns() < end) {
		if (*m->campaign.invocation->stop)
			return -EINTR;
		clock_sleep(NAP_NS);
	}
	return 0;
}

static struct trial_spec spec_of(const struct measure *m, const struct method_ask *ask)
{
	return (struct trial_spec){
		.frame_size = m->size,
		.pps = ask->pps,
		.duration_ns = ask->frames ? 0 : (uint64_t)llround(ask->duration_s * 1e9),
		.frames = ask->frames,
		.then_pps = ask->then_pps,
		.then_ns = ask->then_pps > 0 ? (uint64_t)llround(ask->then_duration_s * 1e9) : 0,
		.cold = ask->frames > 0,
		.bears_outage = m->bears_outage,
	};
}

/* Runs a trial on the ports; its records come into m->records. */
static int run_on_ports(struct measure *m, const struct method_ask *ask, unsigned int attempt)
{
	struct trial_spec spec = spec_of(m, ask);
	struct reset_command command = {0};
	uint64_t begin = clock_ns();
	json_t *test;
	int rc = settle(m, settle_s(m, ask));

	if (!rc && m->command) {
		double wait = (double)config_of(m)->warmup_ns / 1e9 + RESET_AFTER * ask->duration_s;

		rc = reset_command_start(&command, m->command, wait, m->campaign.err,
					 sizeof(m->campaign.err));
	}
	if (rc)
		return rc;
	test = json_pack("{s:s, s:i, s:i}", "name", m->test, "step", (int)m->step, "attempt",
			 (int)attempt);
	m->campaign.progress.left_after_s = fmax(
		0, (isnan(m->left_s) ? m->planned_s - m->spent_s : m->left_s) - ask->duration_s);
	rc = campaign_run(&m->campaign, &spec, test, begin, m->records);
	json_decref(test);
	if (m->command && reset_command_end(&command))
		fprintf(stderr, "tandem-gen: the reset command ended with status %d\n",
			command.status);
	return rc;
}

static bool is_whole(const json_t *record)
{
	const char *stream = result_str(record, "stream");

	return !stream || !strcmp(stream, "all");
}

/* The records of the next trial in the journal; false when there is none, or it was cut off. */
static bool take_group(struct measure *m)
{
	size_t i = m->replayed, n = json_array_size(m->journal), whole = 0;
	double trial = result_num(json_array_get(m->journal, i), "trial");

	for (; i < n && result_num(json_array_get(m->journal, i), "trial") == trial; i++) {
		whole += is_whole(json_array_get(m->journal, i));
		json_array_append(m->records, json_array_get(m->journal, i));
	}
	if (whole < m->campaign.generator.n_directions) {
		json_array_clear(m->records);
		m->replayed = n;
		return false;
	}
	m->replayed = i;
	return true;
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= SAME_LOAD * fabs(b);
}

/* Takes a finished trial from the journal. 1 when it was there, 0 when it has to be run. */
static int replay(struct measure *m, const struct method_ask *ask, unsigned int attempt)
{
	const json_t *r;
	const char *name;

	if (m->replayed >= json_array_size(m->journal) || !take_group(m))
		return 0;
	r = json_array_get(m->records, 0);
	name = result_str(r, "test.name");
	if (name && !strcmp(name, m->test) && result_num(r, "frame_size") == m->size &&
	    result_num(r, "test.step") == m->step && result_num(r, "test.attempt") == attempt &&
	    same(result_num(r, "rate_requested_pps"), ask->pps > 0 ? ask->pps : NAN))
		return 1;
	return fail(m, -EINVAL,
		    "--resume %s: trial %zu there is of another plan: give the options the run was "
		    "started with",
		    config_of(m)->method.resume, (size_t)result_num(r, "trial"));
}

/* What was due and never sent, or came back and was lost on our side, may have made the outcome. */
static bool disturbance_decides(const json_t *records, const struct method_ask *ask,
				const struct observation *seen)
{
	double most = 0;

	if (seen->invalid)
		return false; /* the method's to repeat */
	if (!ask->frames && seen->loss_ratio <= ask->tolerance &&
	    seen->offered_pps < ask->pps * (1 - SHORTFALL))
		return true;
	for (size_t i = 0; i < json_array_size(records); i++)
		if (is_whole(json_array_get(records, i)))
			most = fmax(most,
				    result_num(json_array_get(records, i), "rx.lost") /
					    result_num(json_array_get(records, i), "tx.sent"));
	return most > ask->tolerance && seen->loss_ratio <= ask->tolerance;
}

static int run_trial(void *context, const struct method_ask *ask, struct observation *seen)
{
	struct measure *m = context;
	double cost = 0;
	int rc;

	for (unsigned int attempt = 0;; attempt++) {
		json_array_clear(m->records);
		rc = replay(m, ask, attempt);
		if (!rc)
			rc = run_on_ports(m, ask, attempt);
		if (rc < 0)
			return rc;
		measure_observe(m->records, ask, seen);
		cost += seen->cost_s;
		m->spent_s += seen->cost_s;
		if (attempt >= config_of(m)->method.retries ||
		    !disturbance_decides(m->records, ask, seen))
			break;
	}
	seen->cost_s = cost;
	m->step++;
	return 0;
}

static double line_rate(const struct measure *m)
{
	return generator_line_rate(&m->campaign.generator, &m->campaign.generator.directions[0]);
}

int measure_pps(struct measure *m, const struct rate *rate, double *pps)
{
	return rate_to_pps(rate, m->size, line_rate(m), 0, pps, m->campaign.err,
			   sizeof(m->campaign.err));
}

/* What a trial at max sends. */
static int look_at_link(struct measure *m, double *pps)
{
	const struct gen_config *c = config_of(m);
	struct method_ask ask = {.duration_s = fmin(MAX_TRIAL_S, (double)c->duration_ns / 1e9)};
	struct observation seen;
	int rc;

	measure_begin(m, "max", m->size);
	rc = run_trial(m, &ask, &seen);
	if (rc)
		return rc;
	if (seen.invalid || !(seen.offered_pps > 0))
		return fail(m, -EIO, "no highest load: nothing came back at max");
	/* Where the DUT held the generator back, more can be offered than it took. */
	*pps = seen.offered_pps * (seen.generator_limited ? 1 : OVERLOAD);
	return 0;
}

int measure_bounds(struct measure *m, double *max_pps, double *min_pps)
{
	const struct method_config *c = &config_of(m)->method;
	int rc = 0;

	*min_pps = MIN_PPS;
	if (c->min_rate.kind != RATE_MAX)
		rc = measure_pps(m, &c->min_rate, min_pps);
	if (rc)
		return rc;
	if (c->max_rate.kind != RATE_MAX)
		rc = measure_pps(m, &c->max_rate, max_pps);
	else if (line_rate(m) > 0)
		*max_pps = line_rate_pps(line_rate(m), m->size);
	else
		rc = look_at_link(m, max_pps);
	if (!rc && *min_pps > *max_pps)
		rc = fail(m, -EINVAL, "--min-rate is above the highest load");
	return rc;
}

static json_t *or_null(const json_t *value)
{
	return value ? json_incref((json_t *)(uintptr_t)value) : json_null();
}

int measure_end(struct measure *m, json_t *fields)
{
	const json_t *last = json_array_get(m->records, 0);
	double line = result_num(last, "line_rate_bps");
	json_t *test = json_pack("{s:s, s:s}", "schema", TEST_SCHEMA, "test", m->test);
	const char *outcome;
	int rc = 0;

	json_object_set_new(test, "started", or_null(result_get(last, "started")));
	json_object_set_new(test, "path", or_null(result_get(last, "path")));
	json_object_set_new(test, "direction",
			    m->campaign.generator.n_directions > 1
				    ? json_string("both")
				    : or_null(result_get(last, "direction")));
	json_object_set_new(test, "stream", json_string("all"));
	json_object_set_new(test, "frame_size", result_count(m->size));
	json_object_set_new(test, "theoretical_max_pps",
			    result_real(line > 0 ? line_rate_pps(line, m->size) : NAN));
	json_object_update(test, fields);
	json_decref(fields);
	outcome = result_str(test, "outcome");
	m->any_invalid |= outcome && !strcmp(outcome, "invalid");
	json_array_append_new(m->tests, test);
	if (config_of(m)->json)
		run_output_line(test);
	if (m->campaign.output.dir)
		rc = result_append_test(m->campaign.output.dir, test, m->campaign.err,
					sizeof(m->campaign.err));
	return rc;
}

/*
 * One way in and one way out for all verbs.
 */
#include "gen/campaign.h"

#include "common/clock.h"
#include "gen/warnings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int open_capture(struct campaign *c)
{
	struct generator *g = &c->generator;
	const char *names[MAX_PORTS];
	int rc;

	for (uint16_t i = 0; i < g->n_ports; i++)
		names[i] = g->ports[i].name;
	g->capture = capture_out_open(&g->config->capture, "tandem-gen " TANDEM_VERSION, names,
				      g->n_ports, g->crew.n, &rc, c->err, sizeof(c->err));
	return rc;
}

int campaign_open(struct campaign *c, const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	int rc;

	memset(c, 0, sizeof(*c));
	c->invocation = invocation;
	rc = progress_open(&c->progress, config->quiet);
	if (!rc)
		rc = run_output_open(&c->output, config, c->err, sizeof(c->err));
	if (!rc && config->samples)
		rc = samples_open(&c->samples, config->samples, c->err, sizeof(c->err));
	if (!rc)
		rc = generator_open(&c->generator, config, invocation->stop, c->err,
				    sizeof(c->err));
	if (!rc)
		rc = open_capture(c);
	if (!rc)
		c->generator.warnings = warnings_collect(&c->generator);
	c->generator.trial_number = c->output.earlier_trials;
	if (!rc)
		rc = run_output_begin(&c->output, &c->generator, invocation->argc, invocation->argv,
				      c->err, sizeof(c->err));
	return rc;
}

static void label(const struct campaign *c, const struct trial_spec *spec, char *buf, size_t len)
{
	char rate[32];

	if (spec->replay) {
		snprintf(buf, len, "%s%sreplay", c->generator.path, *c->generator.path ? " " : "");
		return;
	}
	snprintf(buf, len, "%s%s%u B %s", c->generator.path, *c->generator.path ? " " : "",
		 spec->frame_size,
		 spec->pps > 0 ? si_format(spec->pps, "pps", rate, sizeof(rate)) : "max");
}

static bool any_disturbed(const struct generator *g, const struct trial_result *results)
{
	for (uint16_t i = 0; i < g->n_directions; i++)
		if (results[i].verdict == VERDICT_DISTURBED)
			return true;
	return false;
}

static void release(const struct generator *g, struct trial_result *results)
{
	for (uint16_t i = 0; i < g->n_directions; i++)
		trial_release(&results[i]);
}

static int write_samples(struct campaign *c, uint16_t direction, const struct trial_result *result)
{
	int rc = 0;

	for (unsigned int w = 0; w < c->generator.crew.n && !rc; w++)
		rc = samples_write(&c->samples, result,
				   c->generator.directions[direction].accounts[w]->samples,
				   c->generator.crew.begin, c->err, sizeof(c->err));
	return rc;
}

/* One trial, not yet recorded. */
static int run_once(struct campaign *c, const struct trial_spec *spec, struct trial_result *results)
{
	char text[sizeof(c->progress.label)];
	int rc;

	label(c, spec, text, sizeof(text));
	progress_begin(&c->progress, text);
	rc = trial_run(&c->generator, spec, &c->progress, results, c->err, sizeof(c->err));
	progress_clear(&c->progress);
	return rc;
}

/* Records all directions, and releases them. */
static int record(struct campaign *c, struct trial_result *results, json_t *records)
{
	int rc = 0;

	for (uint16_t i = 0; i < c->generator.n_directions; i++) {
		json_t *made = NULL;

		if (!rc)
			rc = run_output_add(&c->output, &results[i], &made, c->err, sizeof(c->err));
		if (!rc && c->invocation->config->samples)
			rc = write_samples(c, i, &results[i]);
		if (made && records)
			json_array_append(records, made);
	}
	release(&c->generator, results);
	return rc;
}

int campaign_trial(struct campaign *c, uint32_t size, const struct rate *rate,
		   const struct trial_extra *extra, json_t *records)
{
	const struct gen_config *config = c->invocation->config;
	struct trial_result results[MAX_PORTS];
	struct trial_spec spec = {.frame_size = size,
				  .duration_ns = config->duration_ns,
				  .burst = extra ? extra->burst : 0,
				  .frames = config->frames};
	double line_rate = generator_line_rate(&c->generator, &c->generator.directions[0]);
	int rc = rate_to_pps(rate, size, line_rate, extra ? extra->max_pps : 0, &spec.pps, c->err,
			     sizeof(c->err));

	for (uint64_t attempt = 0; !rc; attempt++) {
		rc = run_once(c, &spec, results);
		if (rc || attempt == config->retry_disturbed ||
		    !any_disturbed(&c->generator, results))
			break;
		release(&c->generator, results);
	}
	return rc ? rc : record(c, results, records);
}

int campaign_run(struct campaign *c, const struct trial_spec *spec, json_t *test, uint64_t begin,
		 json_t *records)
{
	struct trial_result results[MAX_PORTS];
	int rc = run_once(c, spec, results);

	if (rc)
		return rc;
	json_object_set_new(test, "cost_s", json_real((double)(clock_ns() - begin) / 1e9));
	c->output.test = test;
	rc = record(c, results, records);
	c->output.test = NULL;
	return rc;
}

double campaign_planned_s(const struct gen_config *config)
{
	double trial_s = (double)(config->warmup_ns + config->duration_ns + config->drain_ns) / 1e9;
	double trials = (double)(config->sizes.n * config->rates.n * config->repeat);

	return config->duration_ns ? trials * trial_s : NAN;
}

double campaign_trial_seconds(const struct campaign *c)
{
	const struct gen_config *config = c->invocation->config;

	/* The drain ends early where nothing is missing. */
	return (double)(config->duration_ns + config->warmup_ns) / 1e9 + 0.2;
}

/* Of two results the first that is an error, its line in c->err. */
static int first_error(struct campaign *c, int rc, int later, const char *err)
{
	if (!rc && later)
		snprintf(c->err, sizeof(c->err), "%s", err);
	return rc ? rc : later;
}

int campaign_close(struct campaign *c, int rc)
{
	const struct gen_config *config = c->invocation->config;
	char err[256];
	int status;

	progress_close(&c->progress);
	rc = first_error(c, rc, run_output_end(&c->output, err, sizeof(err)), err);
	rc = first_error(c, rc, samples_close(&c->samples, err, sizeof(err)), err);
	rc = first_error(c, rc, capture_out_close(c->generator.capture, err, sizeof(err)), err);
	c->generator.capture = NULL;
	generator_close(&c->generator);
	if (rc)
		fprintf(stderr, "tandem-gen: %s\n", *c->err ? c->err : strerror(-rc));
	status = run_output_status(&c->output, config->strict);
	run_output_close(&c->output);
	if (rc == -EINVAL)
		return 2;
	return rc ? 1 : status;
}

/*
 * mlrsearch: for several loss ratio goals in one search, the load that achieves each (RFC 9971),
 * over frame sizes.
 */
#include "common/results.h"
#include "common/units.h"
#include "gen/measure.h"
#include "gen/methods/mlrsearch.h"

#include <math.h>
#include <stdio.h>

static void defaults(struct gen_config *config)
{
	static const struct size_list sizes = {.size = {64, 128, 256, 512, 1024, 1280, 1518},
					       .n = 7};
	struct mlr_goals *goals = &config->method.goals;
	char err[128];

	if (!config->sizes.n)
		config->sizes = sizes;
	if (!goals->n)
		mlr_goals_add(goals, "ndr,pdr", err, sizeof(err));
	/* Where there is no line rate, the look at what the link takes is as long as a trial. */
	config->duration_ns = (uint64_t)(goals->list[0].final_trial_s * 1e9);
}

static double size_s(const struct gen_config *config)
{
	double overhead = measure_overhead_s(config, config->method.goals.list[0].final_trial_s);
	double seconds = mlr_estimate_s(&config->method.goals, overhead);

	return config->method.max_time_ns ? fmin(seconds, (double)config->method.max_time_ns / 1e9)
					  : seconds;
}

static double planned_s(const struct gen_config *config)
{
	return size_s(config) * (double)config->sizes.n;
}

static int dry_run(const struct gen_config *config)
{
	const struct mlr_goals *goals = &config->method.goals;
	char text[32];

	for (unsigned int i = 0; i < goals->n; i++) {
		const struct mlr_goal *g = &goals->list[i];

		printf("goal %-12s loss %g %%, exceeded in %g %% of the time at most, width %g %%, "
		       "trials %g to %g s, %g s of them\n",
		       g->name, g->loss_ratio * 100, g->exceed_ratio * 100, g->width * 100,
		       g->initial_trial_s, g->final_trial_s, g->duration_sum_s);
	}
	for (size_t s = 0; s < config->sizes.n; s++)
		printf("mlrsearch %6u   about %s\n", config->sizes.size[s],
		       duration_format(size_s(config), text, sizeof(text)));
	printf("\n%zu sizes, about %s\n", config->sizes.n,
	       duration_format(planned_s(config), text, sizeof(text)));
	return 0;
}

static json_t *goal_record(const struct mlr_goal *g, const struct mlr_result *r)
{
	json_t *o = json_pack("{s:s, s:f, s:f, s:f, s:s, s:b}", "name", g->name, "loss_ratio",
			      g->loss_ratio, "exceed_ratio", g->exceed_ratio, "width", g->width,
			      "outcome", outcome_name(r->outcome), "regular", r->regular);

	json_object_set_new(o, "initial_trial_s", json_real(g->initial_trial_s));
	json_object_set_new(o, "final_trial_s", json_real(g->final_trial_s));
	json_object_set_new(o, "duration_sum_s", json_real(g->duration_sum_s));
	json_object_set_new(o, "conditional_throughput_pps",
			    result_real(r->conditional_throughput_pps));
	json_object_set_new(o, "relevant_lower_bound_pps",
			    result_real(r->relevant_lower_bound_pps));
	json_object_set_new(o, "relevant_upper_bound_pps",
			    result_real(r->relevant_upper_bound_pps));
	json_object_set_new(o, "disturbed_share", result_real(r->disturbed_share));
	json_object_set_new(o, "trials", result_count(r->tally.trials));
	return o;
}

static void add_reason(json_t *reasons, const char *goal, const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "%s: %s", goal, what);
	json_array_append_new(reasons, json_string(text));
}

static void add_reasons(json_t *reasons, const struct mlr_goal *g, const struct mlr_result *r)
{
	if (r->timed_out)
		add_reason(reasons, g->name, "the time ended before its bounds were narrow");
	if (r->bounded_by_stalls)
		add_reason(
			reasons, g->name,
			"the upper bound lost frames in the DUT's stalls only: on a quieter host "
			"it may be higher");
	if (r->outcome == OUTCOME_GENERATOR_LIMITED)
		add_reason(reasons, g->name,
			   "the generator could not send more: the DUT's limit is at or above the "
			   "lower bound");
	if (r->outcome == OUTCOME_ZERO_LOSS_IMPOSSIBLE)
		add_reason(reasons, g->name, "stalls of this host lose frames at any load");
}

static json_t *fields_of(const struct mlr_spec *spec, const struct mlr_result *results)
{
	json_t *goals = json_array(), *reasons = json_array();
	const char *outcome = "found";
	struct tally tally = {0};

	for (unsigned int i = 0; i < spec->goals.n; i++) {
		const struct mlr_result *r = &results[i];

		json_array_append_new(goals, goal_record(&spec->goals.list[i], r));
		add_reasons(reasons, &spec->goals.list[i], r);
		tally.trials += r->tally.trials;
		tally.cost_s += r->tally.cost_s;
		if (r->outcome == OUTCOME_INVALID)
			outcome = "invalid";
		else if (!r->regular && *outcome == 'f')
			outcome = "irregular";
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:f, s:f, s:o}", "outcome", outcome, "trials",
			 result_count(tally.trials), "time_s", result_real(tally.cost_s), "reasons",
			 reasons, "min_load_pps", spec->min_load_pps, "max_load_pps",
			 spec->max_load_pps, "goals", goals);
}

static void note_progress(void *context, const struct mlr_progress *progress)
{
	struct measure *m = context;

	m->left_s = progress->left_s;
}

static int run_size(struct measure *m, uint32_t size)
{
	const struct gen_config *config = m->campaign.invocation->config;
	struct mlr_watch watch = {.progress = note_progress, .context = m};
	struct mlr_spec spec = {.goals = config->method.goals,
				.max_time_s = (double)config->method.max_time_ns / 1e9};
	struct mlr_result results[MLR_GOALS_MAX];
	int rc;

	measure_begin(m, "max", size);
	rc = measure_bounds(m, &spec.max_load_pps, &spec.min_load_pps);
	if (rc)
		return rc;
	measure_begin(m, "mlrsearch", size);
	rc = mlr_search(&spec, &m->measurer, &watch, results);
	m->left_s = NAN;
	return rc ? rc : measure_end(m, fields_of(&spec, results));
}

static int run(const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	static struct measure m;
	int rc = measure_open(&m, invocation);

	m.planned_s = planned_s(config);
	for (size_t s = 0; s < config->sizes.n && !rc; s++)
		rc = run_size(&m, config->sizes.size[s]);
	return measure_report(&m, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 2 -a 0000:02:00.0 -- mlrsearch --out results/mlr",
	"NDR and PDR (0.5 %) of seven frame sizes, goals as FD.io CSIT has them",
	"tandem-gen -l 2 -a 0000:02:00.0 -- mlrsearch --sizes 64 --goal ndr --goal "
	"pdr=0.1%:width=1%",
	"zero loss, and a tenth of a percent within one percent",
	"tandem-gen -l 2 -a 0000:02:00.0 -- mlrsearch --goal ndr:trial=60s:sum=60s:exceed=0%",
	"a goal that is RFC 2544's throughput",
	NULL,
};

const struct verb verb_mlrsearch = {
	.command = {.program = "tandem-gen",
		    .verb = "mlrsearch",
		    .synopsis = "[EAL options] -- mlrsearch [options]",
		    .summary = "RFC 9971: the loads that achieve several loss ratio goals, in one "
			       "search of short trials.",
		    .opts = mlrsearch_options,
		    .examples = examples},
	.defaults = defaults,
	.dry_run = dry_run,
	.planned_s = planned_s,
	.run = run,
};

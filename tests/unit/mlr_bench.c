/*
 * The bench: faults of the generator, checks of every trial.
 */
#include "tests/unit/mlr_bench.h"

/*
 * What a generator on a busy host was seen to do: each trial of a second is half a percent short or
 * a little more, one in ten by a few percent, and now and then several in a row by a third.
 */
static double fall_short(struct mlr_bench *b)
{
	if (b->bad)
		b->bad--;
	else if (sim_random(&b->random) < 0.01)
		b->bad = 1 + (unsigned int)(20 * sim_random(&b->random));
	if (b->bad)
		return 0.2 + 0.2 * sim_random(&b->random);
	if (sim_random(&b->random) < 0.1)
		return 0.04 * sim_random(&b->random);
	return 0.005 - 0.002 * log1p(-sim_random(&b->random));
}

static bool is_a_goals(const struct mlr_spec *spec, double loss_ratio)
{
	for (unsigned int i = 0; i < spec->goals.n; i++)
		if (spec->goals.list[i].loss_ratio == loss_ratio)
			return true;
	return false;
}

static int trial(void *context, const struct method_ask *ask, struct observation *seen)
{
	struct mlr_bench *b = context;
	struct method_ask sent = *ask;
	double least =
		b->spec->min_load_pps > 0 ? b->spec->min_load_pps : b->spec->max_load_pps / 1000;
	int error;

	assert_true(ask->pps <= b->spec->max_load_pps);
	/* Below the lowest load only where the generator cannot reach that. */
	assert_true(ask->pps >= fmin(least, b->least_pps));
	assert_true(ask->duration_s > 0 && ask->frames == 0 && ask->then_pps == 0);
	assert_true(is_a_goals(b->spec, ask->tolerance));
	b->dut.spec.generator_limit_pps =
		b->limit_pps * (1 - b->limit_jitter * sim_random(&b->random));
	sent.pps *= 1 + b->jitter * (2 * sim_random(&b->random) - 1);
	if (b->busy)
		sent.pps *= 1 - fall_short(b);
	sent.duration_s *= 1 - b->cut_short;
	error = measure_trial(&b->dut.measurer, &sent, seen);
	if (!seen->invalid)
		b->least_pps = fmin(b->least_pps, seen->offered_pps);
	seen->generator_limited |= b->busy && seen->offered_pps < ask->pps * 0.99;
	return error;
}

static void progress(void *context, const struct mlr_progress *p)
{
	struct mlr_bench *b = context;

	b->reports++;
	assert_int_equal(p->trials, b->dut.trials);
	assert_true(fabs(p->spent_s - b->dut.clock_s) < 1e-6);
	assert_true(p->left_s >= 0);
	b->last_left_s = p->left_s;
}

void mlr_bench_init(struct mlr_bench *b, const struct sim_dut_spec *sim)
{
	memset(b, 0, sizeof(*b));
	sim_dut_init(&b->dut, sim);
	b->measurer = (struct measurer){trial, b};
	b->least_pps = INFINITY;
	b->limit_pps = b->dut.spec.generator_limit_pps;
	b->random = sim->seed + 77;
}

int mlr_bench_run(struct mlr_bench *b, const struct mlr_spec *spec, struct mlr_result *r)
{
	const struct mlr_watch watch = {progress, b};
	uint64_t trials = 0;
	double cost_s = 0;
	int error;

	b->spec = spec;
	error = mlr_search(spec, &b->measurer, &watch, r);
	if (error == -EINVAL)
		return error;
	for (unsigned int i = 0; i < spec->goals.n; i++) {
		trials += r[i].tally.trials;
		cost_s += r[i].tally.cost_s;
		assert_int_equal(r[i].regular, r[i].outcome == OUTCOME_FOUND);
		assert_true(!(r[i].relevant_lower_bound_pps >= r[i].relevant_upper_bound_pps));
	}
	assert_int_equal(trials, b->dut.trials);
	assert_int_equal(b->reports, trials + 1);
	assert_true(fabs(cost_s - b->dut.clock_s) < 1e-6);
	return error;
}

struct mlr_spec mlr_spec_of(const char *goals)
{
	struct mlr_spec spec = {.max_load_pps = MLR_BENCH_PPS};
	char err[256] = "";

	if (mlr_goals_add(&spec.goals, goals, err, sizeof(err)))
		fail_msg("%s", err);
	return spec;
}

void mlr_bench_search(struct mlr_bench *b, const struct sim_dut_spec *sim,
		      const struct mlr_spec *spec, struct mlr_result *r)
{
	mlr_bench_init(b, sim);
	assert_int_equal(mlr_bench_run(b, spec, r), 0);
}

void mlr_assert_encloses(const struct mlr_result *r, double true_pps, double width, double blur)
{
	assert_int_equal(r->outcome, OUTCOME_FOUND);
	assert_true(r->relevant_lower_bound_pps <= true_pps + blur);
	assert_true(r->relevant_upper_bound_pps >= true_pps - blur);
	assert_true(r->relevant_upper_bound_pps - r->relevant_lower_bound_pps <=
		    width * r->relevant_upper_bound_pps * (1 + 1e-9));
	assert_false(r->timed_out);
}

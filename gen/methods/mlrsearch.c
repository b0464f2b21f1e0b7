/*
 * The controller: asks every goal what it wants tried, tries the one that is furthest behind and
 * smallest, enters the trial for all of them, until none wants anything.
 */
#include "gen/methods/mlrsearch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "gen/methods/mlr_select.h"

#define DEFAULT_RANGE 1000
#define HIGHEST_RANGE 1e9 /* of the highest to the lowest load */

/* Loads that differ by less are one though something else was asked for, but never so much that two
 * sides of a goal's width could be taken for one. */
#define SAME_LOAD	0.001
#define SAME_LOAD_WIDTH 0.2

/* In a row: loads that came out lower until the generator is taken for unable to hold them, or the
 * search for hopeless; trials that could not be used until it is given up. */
#define MISSES_MAX   3
#define MISSES_VAIN  30
#define UNUSABLE_MAX 3

struct search {
	const struct mlr_spec *spec;
	const struct measurer *measurer;
	const struct mlr_watch *watch;
	struct mlr_result *results;
	struct mlr_focus focus[MLR_GOALS_MAX];
	struct mlr_book book;
	struct mlr_range range;
	struct tally tally;
	double reach_pps;  /* highest load achieved */
	double missed_pps; /* highest one in the latest misses */
	double stretch;	   /* asked / achieved load lately: so much more is asked for */
	double sent_s;	   /* by the trials in the tally */
	unsigned int misses, unusable;
	bool timed_out;
};

static double min_pps(const struct mlr_spec *spec)
{
	return spec->min_load_pps > 0 ? spec->min_load_pps : spec->max_load_pps / DEFAULT_RANGE;
}

static bool sensible(const struct mlr_spec *spec)
{
	if (!(spec->max_load_pps > 0) || !isfinite(spec->max_load_pps) ||
	    !(min_pps(spec) <= spec->max_load_pps) ||
	    spec->max_load_pps / min_pps(spec) > HIGHEST_RANGE || !(spec->max_time_s >= 0) ||
	    !spec->goals.n || spec->goals.n > MLR_GOALS_MAX)
		return false;
	for (unsigned int i = 0; i < spec->goals.n; i++)
		if (!mlr_goal_sensible(&spec->goals.list[i]))
			return false;
	return true;
}

/* Trials that decide a load when they all say the same. */
static double deciding_trials(const struct mlr_goal *rung)
{
	double share = fmax(rung->exceed_ratio, 1 - rung->exceed_ratio);

	return ceil(rung->duration_sum_s * share / rung->final_trial_s - 1e-9);
}

static double rung_s(const struct mlr_goal *rung, double overhead_s, int loads)
{
	return loads * deciding_trials(rung) * (rung->final_trial_s + overhead_s);
}

unsigned int mlr_trials_max(const struct mlr_goals *goals)
{
	double trials = 0;

	for (unsigned int i = 0; i < goals->n; i++) {
		struct mlr_focus f;

		mlr_focus_init(&f, &goals->list[i]);
		for (unsigned int k = 0; k < f.n_rungs; k++)
			trials += MLR_LOADS_MAX *
				  ceil(f.rungs[k].duration_sum_s / f.rungs[k].final_trial_s);
	}
	return (unsigned int)trials;
}

double mlr_estimate_s(const struct mlr_goals *goals, double overhead_s)
{
	double s = 0;

	for (unsigned int i = 0; i < goals->n; i++) {
		struct mlr_focus f;

		mlr_focus_init(&f, &goals->list[i]);
		for (unsigned int k = 0; k < f.n_rungs; k++)
			s += rung_s(&f.rungs[k], overhead_s, 2);
	}
	return s;
}

static double overhead_s(const struct search *s)
{
	return s->tally.trials ? fmax(s->tally.cost_s - s->sent_s, 0) / (double)s->tally.trials : 0;
}

/* What a goal still needs if all goes well. */
static double left_s(const struct search *s, const struct mlr_focus *focus)
{
	struct mlr_bounds b = mlr_book_bounds(&s->book, &focus->rungs[focus->rung]);
	int loads = (b.lower < 0) + (b.upper < 0);
	double left = rung_s(&focus->rungs[focus->rung], overhead_s(s), loads ? loads : 1);

	for (unsigned int k = focus->rung + 1; k < focus->n_rungs; k++)
		left += rung_s(&focus->rungs[k], overhead_s(s), 2);
	return left;
}

static void report(struct search *s)
{
	struct mlr_progress p = {.trials = (unsigned int)s->tally.trials,
				 .spent_s = s->tally.cost_s};

	if (!s->watch || !s->watch->progress)
		return;
	for (unsigned int i = 0; i < s->spec->goals.n; i++) {
		struct mlr_focus look = s->focus[i];
		struct mlr_want want;

		if (mlr_focus_next(&look, &s->book, &s->range, &want))
			p.left_s += left_s(s, &look);
	}
	if (s->spec->max_time_s > 0)
		p.left_s = fmin(p.left_s, fmax(s->spec->max_time_s - p.spent_s, 0));
	s->watch->progress(s->watch->context, &p);
}

/* The goal whose wish comes first, or -1: coarse before fine, then the smaller load. */
static int most_urgent(struct search *s, struct mlr_want *want)
{
	int found = -1;

	for (int i = 0; i < (int)s->spec->goals.n; i++) {
		struct mlr_want one;

		if (!mlr_focus_next(&s->focus[i], &s->book, &s->range, &one))
			continue;
		if (found >= 0 &&
		    (s->focus[i].rung > s->focus[found].rung ||
		     (s->focus[i].rung == s->focus[found].rung && one.pps >= want->pps)))
			continue;
		*want = one;
		found = i;
	}
	return found;
}

/*
 * What the generator turned out to reach. A load far below what it once sent it misses because the
 * host is busy, which passes; one near to that it misses because it cannot hold it.
 */
static void learn_range(struct search *s, const struct method_ask *ask, double wanted_pps,
			const struct observation *seen, bool fell_short)
{
	bool ended = seen->generator_limited || ask->pps >= s->spec->max_load_pps;

	s->misses = fell_short ? s->misses + 1 : 0;
	s->missed_pps = s->misses > 1 ? fmax(s->missed_pps, seen->offered_pps) : seen->offered_pps;
	s->reach_pps = fmax(s->reach_pps, seen->offered_pps);
	if (s->misses && !(s->misses % MISSES_MAX) &&
	    wanted_pps >= s->reach_pps * (1 - MLR_ALIKE)) {
		s->reach_pps = s->missed_pps;
		ended = true;
	}
	if (ended)
		s->range.max_pps = fmin(s->range.max_pps, s->reach_pps);
	s->range.min_pps = fmin(s->range.min_pps, s->range.max_pps);
}

/* By how much more to ask for. What varies from trial to trial is halved. */
static void learn_stretch(struct search *s, const struct method_ask *ask,
			  const struct observation *seen)
{
	double ratio = ask->pps / seen->offered_pps;

	if (!seen->generator_limited && fabs(ratio - 1) <= MLR_ALIKE)
		s->stretch += (ratio - s->stretch) / 2;
}

/* Enters a trial and learns from the load that came of it. */
static void enter(struct search *s, unsigned int goal, const struct mlr_want *want,
		  const struct method_ask *ask, const struct observation *seen)
{
	int load = mlr_book_add(&s->book, ask, seen);
	double wanted = want->load == MLR_NO_LOAD ? want->pps : s->book.loads[want->load].pps;
	bool missed = want->load == MLR_NO_LOAD ? fabs(seen->offered_pps / wanted - 1) > MLR_ALIKE
						: load != want->load;

	if (missed && want->load != MLR_NO_LOAD)
		mlr_book_missed(&s->book, want->load);
	learn_range(s, ask, wanted, seen, missed && seen->offered_pps < wanted);
	learn_stretch(s, ask, seen);
	mlr_focus_tried(&s->focus[goal], want, load);
}

static bool out_of_time(const struct search *s, double duration_s)
{
	return s->spec->max_time_s > 0 &&
	       s->tally.cost_s + duration_s + overhead_s(s) > s->spec->max_time_s;
}

/* Runs one trial for a goal, more while it is invalid. 0 or a negative errno. */
static int try(struct search *s, unsigned int goal, const struct mlr_want *want)
{
	double pps = want->load == MLR_NO_LOAD ? want->pps * s->stretch : want->pps;
	struct method_ask ask = {.pps = fmin(fmax(pps, s->range.min_pps), s->spec->max_load_pps),
				 .duration_s = want->duration_s,
				 .tolerance = s->spec->goals.list[goal].loss_ratio};
	struct tally *own = &s->results[goal].tally;
	struct observation seen;
	bool usable = false;

	for (unsigned int n = 0; n <= TALLY_REPEATS && !usable; n++) {
		double before_s = own->cost_s;
		int error;

		s->timed_out = out_of_time(s, ask.duration_s);
		if (s->timed_out)
			return 0;
		error = tally_trial(own, s->measurer, &ask, 0, &seen);
		if (error)
			return error;
		s->tally.trials++;
		s->tally.cost_s += own->cost_s - before_s;
		s->sent_s += ask.duration_s;
		usable = !seen.invalid && seen.offered && seen.offered_pps > 0;
		if (usable)
			enter(s, goal, want, &ask, &seen);
		report(s);
	}
	s->unusable = usable ? 0 : s->unusable + 1;
	return 0;
}

static enum outcome outcome_of(const struct search *s, unsigned int goal, struct mlr_bounds b)
{
	const struct mlr_goal *g = &s->spec->goals.list[goal];
	bool short_of_max = s->range.max_pps < s->spec->max_load_pps * (1 - TALLY_SHORTFALL);

	if (mlr_near_enough(&s->book, b, g))
		return OUTCOME_FOUND;
	if (mlr_at_max(&s->book, &s->range, b.lower))
		return short_of_max ? OUTCOME_GENERATOR_LIMITED : OUTCOME_LINE_RATE;
	if (mlr_at_min(&s->book, &s->range, b.upper))
		return mlr_book_bounded_by_stalls(&s->book, b.upper, g)
			       ? OUTCOME_ZERO_LOSS_IMPOSSIBLE
			       : OUTCOME_NONE;
	if (s->misses >= MISSES_VAIN || s->focus[goal].loads >= MLR_LOADS_MAX)
		return OUTCOME_GENERATOR_LIMITED;
	return !s->book.n_trials || s->unusable >= UNUSABLE_MAX ? OUTCOME_INVALID
								: OUTCOME_UNFINISHED;
}

static void coarse_bounds(const struct search *s, unsigned int goal, struct mlr_result *r)
{
	const struct mlr_focus *f = &s->focus[goal];

	for (unsigned int k = f->rung + 1; k--;) {
		struct mlr_bounds b = mlr_book_bounds(&s->book, &f->rungs[k]);

		if (b.lower < 0 || b.upper < 0)
			continue;
		r->coarse_lower_pps = s->book.loads[b.lower].pps;
		r->coarse_upper_pps = s->book.loads[b.upper].pps;
		return;
	}
}

static void tell(const struct search *s, unsigned int goal)
{
	const struct mlr_goal *g = &s->spec->goals.list[goal];
	struct mlr_bounds b = mlr_book_bounds(&s->book, g);
	struct mlr_result *r = &s->results[goal];

	r->outcome = outcome_of(s, goal, b);
	r->regular = r->outcome == OUTCOME_FOUND;
	r->timed_out = s->timed_out && r->outcome == OUTCOME_UNFINISHED;
	if (r->outcome == OUTCOME_UNFINISHED)
		coarse_bounds(s, goal, r);
	if (b.lower >= 0) {
		r->relevant_lower_bound_pps = s->book.loads[b.lower].pps;
		r->conditional_throughput_pps =
			mlr_book_conditional_throughput(&s->book, b.lower, g);
		r->disturbed_share = mlr_book_disturbed(&s->book, b.lower);
	}
	if (b.upper >= 0) {
		r->relevant_upper_bound_pps = s->book.loads[b.upper].pps;
		r->bounded_by_stalls = mlr_book_bounded_by_stalls(&s->book, b.upper, g);
		r->disturbed_share =
			fmax(r->disturbed_share, mlr_book_disturbed(&s->book, b.upper));
	}
}

static int run(struct search *s)
{
	struct mlr_want want;
	int goal, error = 0;

	report(s);
	while (!error && !s->timed_out && s->unusable < UNUSABLE_MAX && s->misses < MISSES_VAIN &&
	       s->book.n_trials < s->book.max_trials) {
		goal = most_urgent(s, &want);
		if (goal < 0)
			break;
		error = try(s, (unsigned int)goal, &want);
	}
	return error;
}

int mlr_search(const struct mlr_spec *spec, const struct measurer *m, const struct mlr_watch *watch,
	       struct mlr_result *results)
{
	struct search s = {
		.spec = spec, .measurer = m, .watch = watch, .results = results, .stretch = 1};
	double same = SAME_LOAD;
	int error;

	if (!sensible(spec))
		return -EINVAL;
	s.range = (struct mlr_range){min_pps(spec), spec->max_load_pps};
	for (unsigned int i = 0; i < spec->goals.n; i++) {
		const struct mlr_goal *g = &spec->goals.list[i];

		results[i] = (struct mlr_result){.conditional_throughput_pps = NAN,
						 .relevant_lower_bound_pps = NAN,
						 .relevant_upper_bound_pps = NAN,
						 .coarse_lower_pps = NAN,
						 .coarse_upper_pps = NAN};
		mlr_focus_init(&s.focus[i], g);
		same = fmin(same, g->width * SAME_LOAD_WIDTH);
	}
	error = mlr_book_init(&s.book, mlr_trials_max(&spec->goals), same);
	if (!error)
		error = run(&s);
	for (unsigned int i = 0; i < spec->goals.n; i++)
		tell(&s, i);
	mlr_book_free(&s.book);
	return error;
}

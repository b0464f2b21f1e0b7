/*
 * Choosing loads. Distances are logarithms of ratios, in which a width is the same everywhere.
 *
 * A bound of the rung is hard, one of the rung before is soft. Where the bounds are near enough the
 * soft ones are tried until they are hard, the smaller first: an upper bound found late makes
 * larger ones worthless. Else a load is tried between them: where the DUT's forwarding rate in an
 * overload lets the boundary be expected, by growing steps away from the nearer bound, or in the
 * middle.
 */
#include "gen/methods/mlr_select.h"

#include <math.h>
#include <stdio.h>

/* A rung's duration sum is about so many times that of the rung before. */
#define RUNG_SUM 5.0

/* And its width so many times narrower: a load in between leaves halves that are narrow enough,
 * with something to spare for loads that are not quite what was asked for. */
#define RUNG_WIDTH 1.8

/* In widths: a step beyond a bound; from the expected boundary down to where the lower bound is
 * sought (one third, so that halving never comes near the boundary itself); the least distance to
 * a known load; how far a load with trials may be from the wanted one to be taken instead. */
#define STEP 0.9
#define LEAD 0.3
#define GAP  0.3
#define SNAP 0.25

/* A load that came out as another one more often than as itself is given up. */
#define MISSES 3

static double log_width(const struct mlr_goal *goal)
{
	return -log1p(-goal->width);
}

static double pps_of(const struct mlr_book *book, int load)
{
	return book->loads[load].pps;
}

void mlr_focus_init(struct mlr_focus *f, const struct mlr_goal *goal)
{
	double growth = goal->duration_sum_s / goal->initial_trial_s;
	double longer = goal->final_trial_s / goal->initial_trial_s;

	*f = (struct mlr_focus){.pending = MLR_NO_LOAD};
	f->n_rungs = 1 + (unsigned int)ceil(log(growth) / log(RUNG_SUM));
	if (f->n_rungs > MLR_RUNGS_MAX)
		f->n_rungs = MLR_RUNGS_MAX;
	for (unsigned int i = 0; i < f->n_rungs; i++) {
		double left = f->n_rungs - 1 - i, share = i ? 1 - left / (f->n_rungs - 1) : 0;
		struct mlr_goal *rung = &f->rungs[i];

		*rung = *goal;
		if (!left)
			break;
		rung->width = fmin(goal->width * pow(RUNG_WIDTH, left), MLR_WIDTH_MOST);
		rung->final_trial_s = goal->initial_trial_s * pow(longer, share);
		rung->duration_sum_s =
			fmax(goal->initial_trial_s * pow(growth, share), rung->final_trial_s);
	}
}

bool mlr_at_max(const struct mlr_book *book, const struct mlr_range *range, int load)
{
	return load >= 0 && pps_of(book, load) >= range->max_pps * (1 - book->same);
}

bool mlr_at_min(const struct mlr_book *book, const struct mlr_range *range, int load)
{
	return load >= 0 && pps_of(book, load) <= range->min_pps * (1 + book->same);
}

bool mlr_near_enough(const struct mlr_book *book, struct mlr_bounds b, const struct mlr_goal *goal)
{
	return b.lower >= 0 && b.upper >= 0 &&
	       pps_of(book, b.lower) >= pps_of(book, b.upper) * (1 - goal->width);
}

static bool satisfied(const struct mlr_book *book, const struct mlr_range *range,
		      struct mlr_bounds b, const struct mlr_goal *goal)
{
	return mlr_near_enough(book, b, goal) || mlr_at_max(book, range, b.lower) ||
	       mlr_at_min(book, range, b.upper);
}

/* Whether it makes sense to ask for a load once more. */
static bool usable(const struct mlr_book *book, const struct mlr_range *range, int load)
{
	const struct mlr_load *l = &book->loads[load];

	return l->misses < l->trials + MISSES && l->pps <= range->max_pps * (1 + book->same);
}

/* Everything one choice needs to know. */
struct view {
	const struct mlr_book *book;
	const struct mlr_range *range;
	const struct mlr_goal *goal; /* of the rung */
	double width;
	struct mlr_bounds hard, near; /* near: the soft ones where they are nearer */
};

static bool is_open(const struct view *v, int load)
{
	return usable(v->book, v->range, load) &&
	       mlr_book_classify(v->book, load, v->goal) == MLR_UNDECIDED;
}

/* Bounds of the rung before, where they lie between the hard ones. */
static void look_nearer(struct view *v, const struct mlr_goal *before)
{
	const struct mlr_book *book = v->book;

	for (int i = 0; i < (int)book->n_loads; i++)
		if ((v->hard.lower < 0 || pps_of(book, i) > pps_of(book, v->hard.lower)) &&
		    (v->near.upper < 0 || pps_of(book, i) < pps_of(book, v->near.upper)) &&
		    mlr_book_classify(book, i, before) == MLR_UPPER && is_open(v, i))
			v->near.upper = i;
	for (int i = 0; i < (int)book->n_loads; i++)
		if ((v->near.lower < 0 || pps_of(book, i) > pps_of(book, v->near.lower)) &&
		    (v->near.upper < 0 || pps_of(book, i) < pps_of(book, v->near.upper)) &&
		    mlr_book_classify(book, i, before) == MLR_LOWER && is_open(v, i))
			v->near.lower = i;
}

/*
 * Where a lower bound is expected: a little below the load at which the DUT, forwarding what it
 * forwarded at this too high one, would lose just the goal's share.
 */
static double expected(const struct view *v, int load)
{
	const struct mlr_load *l = &v->book->loads[load];

	return fmin(l->pps, l->pps * (1 - l->least_loss) / (1 - v->goal->loss_ratio)) *
	       exp(-LEAD * v->width);
}

static double step(double *size, double width)
{
	*size = *size > 0 ? 2 * *size : STEP * width;
	return *size;
}

static double above(struct mlr_focus *f, const struct view *v, int lower)
{
	f->step_down = 0;
	return pps_of(v->book, lower) * exp(step(&f->step_up, v->width));
}

static double below(struct mlr_focus *f, const struct view *v, int upper)
{
	f->step_up = 0;
	return fmin(pps_of(v->book, upper) * exp(-step(&f->step_down, v->width)),
		    expected(v, upper));
}

/* With bounds on both sides. */
static double between(struct mlr_focus *f, const struct view *v)
{
	double lower = pps_of(v->book, v->near.lower), upper = pps_of(v->book, v->near.upper);
	double gap = log(upper / lower), middle = sqrt(lower * upper), pps;
	double boundary = expected(v, v->near.upper);

	if (boundary <= lower * exp(GAP * v->width))
		pps = fmin(above(f, v, v->near.lower), middle);
	else if (boundary < middle)
		pps = boundary;
	else
		pps = fmax(below(f, v, v->near.upper), middle);
	/* One load is enough where it leaves nothing too wide on either side. */
	if (gap < 2 * 0.95 * v->width)
		pps = fmin(fmax(pps, upper * exp(-0.95 * v->width)), lower * exp(0.95 * v->width));
	return fmin(fmax(pps, lower * exp(GAP * v->width)), upper * exp(-GAP * v->width));
}

/* With none: the highest load, which shows what the DUT forwards; then what that lets expect. */
static double first(const struct view *v)
{
	int highest = MLR_NO_LOAD;

	for (int i = 0; i < (int)v->book->n_loads; i++)
		if (highest < 0 || pps_of(v->book, i) > pps_of(v->book, highest))
			highest = i;
	if (highest < 0 || v->book->loads[highest].least_loss <= v->goal->loss_ratio)
		return v->range->max_pps;
	return expected(v, highest);
}

/* The ends of the range attract what would come too near to them to tell more. */
static double in_range(const struct view *v, double pps)
{
	if (pps > v->range->max_pps * exp(-GAP * v->width))
		return v->range->max_pps;
	if (pps < v->range->min_pps * exp(GAP * v->width))
		return v->range->min_pps;
	return pps;
}

/* A load near this one that has trials already, perhaps for another goal. */
static int tried_near(const struct view *v, double pps)
{
	const struct mlr_bounds *b = &v->near;
	double nearest = SNAP * v->width;
	int found = MLR_NO_LOAD;

	for (int i = 0; i < (int)v->book->n_loads; i++) {
		double off = fabs(log(pps_of(v->book, i) / pps));

		if (off <= nearest && i != b->lower && i != b->upper &&
		    (b->lower < 0 || pps_of(v->book, i) > pps_of(v->book, b->lower)) &&
		    (b->upper < 0 || pps_of(v->book, i) < pps_of(v->book, b->upper)) &&
		    is_open(v, i)) {
			nearest = off;
			found = i;
		}
	}
	return found;
}

/* Chooses a load, new or not. */
static void choose(struct mlr_focus *f, const struct view *v, struct mlr_want *want)
{
	int lower = v->near.lower, upper = v->near.upper;
	bool soft_lower = lower != v->hard.lower, soft_upper = upper != v->hard.upper;

	want->load = MLR_NO_LOAD;
	if (mlr_near_enough(v->book, v->near, v->goal))
		want->load = soft_lower ? lower : upper;
	else if (lower >= 0 && upper >= 0)
		want->pps = between(f, v);
	else if (upper >= 0 && soft_upper && mlr_at_min(v->book, v->range, upper))
		want->load = upper;
	else if (lower >= 0 && soft_lower && mlr_at_max(v->book, v->range, lower))
		want->load = lower;
	else if (upper >= 0)
		want->pps = in_range(v, below(f, v, upper));
	else if (lower >= 0)
		want->pps = in_range(v, above(f, v, lower));
	else
		want->pps = in_range(v, first(v));
	if (want->load == MLR_NO_LOAD)
		want->load = tried_near(v, want->pps);
	if (want->load != MLR_NO_LOAD)
		want->pps = v->book->loads[want->load].asked_pps;
}

/* Whether the load that is being tried still matters. */
static bool goes_on(const struct view *v, int load)
{
	return load != MLR_NO_LOAD && is_open(v, load) &&
	       (v->hard.lower < 0 || pps_of(v->book, load) > pps_of(v->book, v->hard.lower)) &&
	       (v->hard.upper < 0 || pps_of(v->book, load) < pps_of(v->book, v->hard.upper));
}

bool mlr_focus_next(struct mlr_focus *f, const struct mlr_book *book, const struct mlr_range *range,
		    struct mlr_want *want)
{
	struct view v = {.book = book, .range = range};

	for (;; f->rung++) {
		v.goal = &f->rungs[f->rung];
		v.hard = mlr_book_bounds(book, v.goal);
		if (!satisfied(book, range, v.hard, v.goal))
			break;
		if (f->rung == f->n_rungs - 1)
			return false;
		f->pending = MLR_NO_LOAD;
		f->step_up = f->step_down = 0;
	}
	if (f->loads >= MLR_LOADS_MAX)
		return false;
	v.width = log_width(v.goal);
	v.near = v.hard;
	want->duration_s = v.goal->final_trial_s;
	if (goes_on(&v, f->pending)) {
		want->load = f->pending;
		want->pps = book->loads[f->pending].asked_pps;
		return true;
	}
	if (f->rung)
		look_nearer(&v, v.goal - 1);
	choose(f, &v, want);
	f->pending = want->load;
	return true;
}

void mlr_focus_tried(struct mlr_focus *f, const struct mlr_want *want, int load)
{
	if (want->load == MLR_NO_LOAD) {
		f->pending = load;
		f->loads++;
	}
}

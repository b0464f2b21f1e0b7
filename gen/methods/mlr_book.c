/*
 * Trials and loads. There are tens of loads and hundreds of trials, so all is found by looking
 * through them: nothing that is derived can then be out of date.
 */
#include "gen/methods/mlr_book.h"

#include "gen/methods/tally.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A trial whose sending ended early by more than this is one of the duration that it had. */
#define CUT_SHORT 0.01

#define SAME_ASKED 1e-9

int mlr_book_init(struct mlr_book *book, unsigned int max_trials, double same)
{
	*book = (struct mlr_book){.max_trials = max_trials, .same = same};
	book->trials = calloc(max_trials, sizeof(*book->trials));
	book->loads = calloc(max_trials, sizeof(*book->loads));
	book->scratch = calloc(max_trials, sizeof(*book->scratch));
	return book->trials && book->loads && book->scratch ? 0 : -ENOMEM;
}

void mlr_book_free(struct mlr_book *book)
{
	free(book->trials);
	free(book->loads);
	free(book->scratch);
	*book = (struct mlr_book){0};
}

/*
 * The load that an achieved one is the same as, the nearest of those that are near enough. Of loads
 * for which something else was asked only the nearest are: they may be no more alike than the sides
 * of a goal's width.
 */
static int same_load(const struct mlr_book *book, double asked_pps, double pps)
{
	int found = MLR_NO_LOAD, asked = MLR_NO_LOAD;
	double nearest = book->same, alike = MLR_ALIKE;

	for (int i = 0; i < (int)book->n_loads; i++) {
		const struct mlr_load *load = &book->loads[i];
		double off = fabs(pps / load->first_pps - 1);

		if (off <= alike && fabs(asked_pps / load->asked_pps - 1) <= SAME_ASKED) {
			alike = off;
			asked = i;
		}
		if (off <= nearest) {
			nearest = off;
			found = i;
		}
	}
	return asked != MLR_NO_LOAD ? asked : found;
}

static int new_load(struct mlr_book *book, double asked_pps, double pps)
{
	book->loads[book->n_loads] = (struct mlr_load){
		.asked_pps = asked_pps, .first_pps = pps, .least_loss = 1, .first_trial = -1};
	return (int)book->n_loads++;
}

static double effective_s(const struct method_ask *ask, const struct observation *seen)
{
	return seen->duration_s < ask->duration_s * (1 - CUT_SHORT) ? seen->duration_s
								    : ask->duration_s;
}

/* The trials of a load, one after the other. */
static const struct mlr_trial *trial_after(const struct mlr_book *book, const struct mlr_load *load,
					   const struct mlr_trial *trial)
{
	int next = trial ? trial->next : load->first_trial;

	return next < 0 ? NULL : &book->trials[next];
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_pps(const struct mlr_book *book, const struct mlr_load *load)
{
	const struct mlr_trial *t = NULL;
	unsigned int n = 0;

	while ((t = trial_after(book, load, t)))
		book->scratch[n++] = t->pps;
	qsort(book->scratch, n, sizeof(*book->scratch), by_size);
	return (book->scratch[(n - 1) / 2] + book->scratch[n / 2]) / 2;
}

int mlr_book_add(struct mlr_book *book, const struct method_ask *ask,
		 const struct observation *seen)
{
	int at = same_load(book, ask->pps, seen->offered_pps), trial = (int)book->n_trials++;
	struct mlr_load *load;

	if (at == MLR_NO_LOAD)
		at = new_load(book, ask->pps, seen->offered_pps);
	load = &book->loads[at];
	book->trials[trial] = (struct mlr_trial){
		.pps = seen->offered_pps,
		.duration_s = effective_s(ask, seen),
		.loss_ratio = seen->loss_ratio,
		.loss_outside_stalls =
			(double)(seen->lost - seen->lost_in_dut_stall) / (double)seen->offered,
		.disturbed = seen->disturbed,
		.next = -1};
	if (load->trials)
		book->trials[load->last_trial].next = trial;
	else
		load->first_trial = trial;
	load->last_trial = trial;
	load->trials++;
	load->pps = median_pps(book, load);
	load->least_loss = fmin(load->least_loss, seen->loss_ratio);
	return at;
}

void mlr_book_missed(struct mlr_book *book, int at)
{
	struct mlr_load *load = &book->loads[at];

	load->misses++;
	if (load->asked_pps > load->pps * (1 + TALLY_SHORTFALL))
		load->asked_pps = load->pps;
}

static struct mlr_sums sums_of(const struct mlr_book *book, int at, const struct mlr_goal *goal,
			       bool outside_stalls)
{
	const struct mlr_load *load = &book->loads[at];
	const struct mlr_trial *t = NULL;
	struct mlr_sums sums = {0};

	while ((t = trial_after(book, load, t)))
		mlr_sums_add(&sums, goal, t->duration_s,
			     outside_stalls ? t->loss_outside_stalls : t->loss_ratio);
	return sums;
}

enum mlr_class mlr_book_classify(const struct mlr_book *book, int at, const struct mlr_goal *goal)
{
	struct mlr_sums sums = sums_of(book, at, goal, false);

	return mlr_classify(&sums, goal);
}

bool mlr_book_bounded_by_stalls(const struct mlr_book *book, int at, const struct mlr_goal *goal)
{
	struct mlr_sums sums = sums_of(book, at, goal, true);

	return mlr_classify(&sums, goal) != MLR_UPPER;
}

double mlr_book_conditional_throughput(const struct mlr_book *book, int at,
				       const struct mlr_goal *goal)
{
	const struct mlr_load *load = &book->loads[at];
	struct mlr_sample *full = calloc(load->trials, sizeof(*full));
	const struct mlr_trial *t = NULL;
	double pps = NAN;
	size_t n = 0;

	while (full && (t = trial_after(book, load, t)))
		if (mlr_is_full_length(goal, t->duration_s))
			full[n++] = (struct mlr_sample){t->duration_s, t->loss_ratio};
	if (full)
		pps = mlr_conditional_throughput(load->pps, full, n, goal);
	free(full);
	return pps;
}

double mlr_book_disturbed(const struct mlr_book *book, int at)
{
	const struct mlr_load *load = &book->loads[at];
	const struct mlr_trial *t = NULL;
	unsigned int disturbed = 0;

	while ((t = trial_after(book, load, t)))
		disturbed += t->disturbed;
	return (double)disturbed / load->trials;
}

struct mlr_bounds mlr_book_bounds(const struct mlr_book *book, const struct mlr_goal *goal)
{
	struct mlr_bounds b = {MLR_NO_LOAD, MLR_NO_LOAD};

	for (int i = 0; i < (int)book->n_loads; i++)
		if (mlr_book_classify(book, i, goal) == MLR_UPPER &&
		    (b.upper < 0 || book->loads[i].pps < book->loads[b.upper].pps))
			b.upper = i;
	for (int i = 0; i < (int)book->n_loads; i++)
		if ((b.upper < 0 || book->loads[i].pps < book->loads[b.upper].pps) &&
		    (b.lower < 0 || book->loads[i].pps > book->loads[b.lower].pps) &&
		    mlr_book_classify(book, i, goal) == MLR_LOWER)
			b.lower = i;
	return b;
}

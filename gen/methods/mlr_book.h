/*
 * The trials of a search, by load. What a load is worth is what was offered, never what was asked
 * for: the median of its trials, for on a busy host each falls short by a little else. Trials of
 * the same asked load are of one load as long as what they achieved is alike; where it is not, as
 * when the generator comes to its end, a trial is of the load that it reached.
 */
#ifndef TANDEM_MLR_BOOK_H
#define TANDEM_MLR_BOOK_H

#include "gen/methods/method.h"
#include "gen/methods/mlr_classify.h"

#define MLR_NO_LOAD (-1)

/* Loads achieved when the same was asked for are alike if they differ by no more. */
#define MLR_ALIKE 0.02

struct mlr_trial {
	double pps; /* offered */
	double duration_s;
	double loss_ratio, loss_outside_stalls; /* the latter without what the DUT's stalls lost */
	bool disturbed;
	int next; /* of the same load, or -1 */
};

struct mlr_load {
	double asked_pps;  /* ask for this to get the load again */
	double first_pps;  /* achieved in its first trial: what others are compared with */
	double pps;	   /* median of what was achieved */
	double least_loss; /* loss ratio of its best trial */
	unsigned int trials, misses; /* misses: it was asked for and another one came */
	int first_trial, last_trial;
};

struct mlr_book {
	struct mlr_trial *trials;
	struct mlr_load *loads; /* in the order in which they were found */
	double *scratch;	/* for finding medians */
	unsigned int n_trials, n_loads, max_trials;
	double same; /* whatever was asked for, loads that differ by no more are one */
};

/* Room for max_trials. 0 or -ENOMEM; free it in both cases. */
int mlr_book_init(struct mlr_book *book, unsigned int max_trials, double same);
void mlr_book_free(struct mlr_book *book);

/* Enters a usable trial, while there is room. Returns its load. */
int mlr_book_add(struct mlr_book *book, const struct method_ask *ask,
		 const struct observation *seen);

/*
 * A trial of a known load was asked for and became one of another. Where the load had been reached
 * by asking for more, at the generator's end, it is asked for itself from now on.
 */
void mlr_book_missed(struct mlr_book *book, int at);

enum mlr_class mlr_book_classify(const struct mlr_book *book, int at, const struct mlr_goal *goal);

/* Whether it takes a DUT that stalled to make the load an upper bound. */
bool mlr_book_bounded_by_stalls(const struct mlr_book *book, int at, const struct mlr_goal *goal);

/* NaN where it has no full-length trials. */
double mlr_book_conditional_throughput(const struct mlr_book *book, int at,
				       const struct mlr_goal *goal);

/* Share of the load's trials that were disturbed. */
double mlr_book_disturbed(const struct mlr_book *book, int at);

struct mlr_bounds {
	int lower, upper; /* loads, or MLR_NO_LOAD */
};

/*
 * The relevant bounds as they are now: the smallest upper bound, and the largest lower bound below
 * it; a larger one is taken for a fluke (RFC 9971, section 4.8).
 */
struct mlr_bounds mlr_book_bounds(const struct mlr_book *book, const struct mlr_goal *goal);

#endif

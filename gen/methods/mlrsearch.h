/*
 * MLRsearch, the multiple loss ratio search of RFC 9971: for each of several goals the highest load
 * that achieves it, from many short trials that all goals share. The part which the RFC calls the
 * controller.
 *
 * A load is what was offered, a frame rate of one direction. The duration of a trial is the one
 * asked for, unless sending ended early. Trials that stay invalid are used for nothing.
 */
#ifndef TANDEM_MLRSEARCH_H
#define TANDEM_MLRSEARCH_H

#include <stdbool.h>

#include "gen/methods/mlr_goal.h"
#include "gen/methods/method.h"
#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

struct mlr_spec {
	struct mlr_goals goals;
	double max_load_pps; /* tried first; the line rate, or the highest rate there is */
	double min_load_pps; /* nothing is tried below; 0: a thousandth of the highest */
	double max_time_s;   /* that all trials may cost together; 0: no limit */
};

/* Of one goal. Unknown: NaN. */
struct mlr_result {
	/*
	 * found: a regular result in the RFC's sense. All others are irregular: line-rate (the
	 * highest load achieves the goal: it stands as lower bound, there is no upper one),
	 * generator-limited (the highest that the generator reaches does, or it cannot hold the
	 * loads that would have to be tried), none (the lowest load fails it),
	 * zero-loss-impossible (so it does, by the DUT's stalls alone), invalid (no trial could
	 * be used, or too many in a row could not), unfinished (time, trials or the user ran out).
	 */
	enum outcome outcome;
	bool regular;
	bool timed_out;		/* the time ended the search before this goal was reached */
	bool bounded_by_stalls; /* without losses in the DUT's stalls the relevant upper bound
				   would be none: on a quiet host the result may be higher */
	double conditional_throughput_pps;
	double relevant_lower_bound_pps, relevant_upper_bound_pps;
	double coarse_lower_pps, coarse_upper_pps; /* unfinished: where it probably would lie */
	double disturbed_share;			   /* of the trials at the relevant bounds */
	/* What was done for its sake; the goals' sum is the whole search. With several goals this
	 * is less than the goal would take alone. */
	struct tally tally;
};

struct mlr_progress {
	unsigned int trials;
	double spent_s, left_s; /* cost of the trials so far; what is left, estimated */
};

/* Called before the first trial and after each. */
struct mlr_watch {
	void (*progress)(void *context, const struct mlr_progress *progress);
	void *context;
};

/*
 * Searches. `watch` may be NULL; `results` has room for all goals. Returns 0, or a negative errno:
 * -EINVAL for a spec without sense (the results are not touched), -ENOMEM, or the trial's own; the
 * results then say what is known so far. It ends for any DUT: trials are limited to mlr_trials_max.
 */
int mlr_search(const struct mlr_spec *spec, const struct measurer *m, const struct mlr_watch *watch,
	       struct mlr_result *results);

/* Trials a search takes at most, without repeats of invalid ones. */
unsigned int mlr_trials_max(const struct mlr_goals *goals);

/* About the time a search takes when a trial costs `overhead_s` beyond sending: what it takes when
 * no goal finds the trials of another useful, and nothing is inconsistent. */
double mlr_estimate_s(const struct mlr_goals *goals, double overhead_s);

#endif

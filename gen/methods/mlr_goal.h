/*
 * What MLRsearch looks for (RFC 9971, section 4.6): the highest load of which the DUT loses no more
 * than a loss ratio, in all but a share of the trials. Several goals are searched for at once.
 */
#ifndef TANDEM_MLR_GOAL_H
#define TANDEM_MLR_GOAL_H

#include <stdbool.h>
#include <stddef.h>

#define MLR_GOALS_MAX 8
#define MLR_NAME_SIZE 32

struct mlr_goal {
	char name[MLR_NAME_SIZE];
	double loss_ratio;   /* a trial with more is a high-loss trial */
	double exceed_ratio; /* share of the trials' time that may be high-loss at a lower bound */
	double width;	     /* of the relevant bounds at most, relative to the upper one */
	double initial_trial_s; /* the search begins with trials so short */
	double final_trial_s;	/* shorter ones do not make a lower bound */
	double duration_sum_s;	/* of full-length trials that decides a load for certain */
};

struct mlr_goals {
	struct mlr_goal list[MLR_GOALS_MAX];
	unsigned int n;
};

/* FD.io CSIT's, for both NDR and PDR but for the loss ratio. */
#define MLR_PDR_LOSS_RATIO  0.005
#define MLR_EXCEED_RATIO    0.5
#define MLR_WIDTH	    0.005
#define MLR_INITIAL_TRIAL_S 1.0
#define MLR_FINAL_TRIAL_S   1.0
#define MLR_DURATION_SUM_S  21.0

/* What the settings may be. Below the least width the loads that a generator achieves blur. */
#define MLR_WIDTH_LEAST	  1e-4
#define MLR_WIDTH_MOST	  0.5
#define MLR_EXCEED_MOST	  0.99
#define MLR_TRIAL_LEAST_S 1e-3
#define MLR_TRIAL_MOST_S  3600.0
#define MLR_SUM_MOST_S	  86400.0
#define MLR_TRIALS_MOST	  1000 /* of the final duration in a duration sum */

/*
 * Reads a goal: "ndr", "pdr" (0.5 %), "pdr=0.1%" or "NAME=0.1%", with settings behind colons:
 * "pdr=0.5%:exceed=50%:width=1%:initial=100ms:trial=1s:sum=20s". What is not given is CSIT's, made
 * to fit: trials are no longer than their sum, initial ones no longer than final ones. Returns 0,
 * or -EINVAL with one line in err.
 */
int mlr_goal_parse(const char *text, struct mlr_goal *goal, char *err, size_t errlen);

/* Adds one goal, or several with commas between. Names are unique. Errors as above. */
int mlr_goals_add(struct mlr_goals *goals, const char *text, char *err, size_t errlen);

/* Whether a goal made in another way keeps to the bounds above. */
bool mlr_goal_sensible(const struct mlr_goal *goal);

#endif

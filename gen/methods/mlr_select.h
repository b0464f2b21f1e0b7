/*
 * Which load a goal wants tried next. RFC 9971 leaves that open: it decides how long a search
 * takes, never what a load is found to be.
 *
 * A goal is approached in rungs. The first asks for wide bounds and one short trial a load, each
 * further one for narrower bounds and more trials, the last one is the goal itself. What the rung
 * before found is where the next one looks, but it has to be confirmed there: a rung that was
 * misled by noise costs time and nothing else.
 */
#ifndef TANDEM_MLR_SELECT_H
#define TANDEM_MLR_SELECT_H

#include "gen/methods/mlr_book.h"

#define MLR_RUNGS_MAX 6

/* A goal for which so many loads were tried gets nowhere. */
#define MLR_LOADS_MAX 64

/* Loads that may be asked for. The generator's limit lowers the upper end. */
struct mlr_range {
	double min_pps, max_pps;
};

/* A goal on its way. */
struct mlr_focus {
	struct mlr_goal rungs[MLR_RUNGS_MAX];
	unsigned int n_rungs, rung;
	double step_up, step_down; /* of the search beyond a bound: logarithms of a ratio */
	int pending;		   /* load that is being tried until it is decided */
	unsigned int loads;	   /* tried for it */
};

struct mlr_want {
	double pps;
	int load; /* the one it is a trial more of, or MLR_NO_LOAD */
	double duration_s;
};

void mlr_focus_init(struct mlr_focus *focus, const struct mlr_goal *goal);

/* Says what to try next. False when the goal is reached, known to be out of the range, or given up.
 */
bool mlr_focus_next(struct mlr_focus *focus, const struct mlr_book *book,
		    const struct mlr_range *range, struct mlr_want *want);

/* What was tried for it became a trial of this load. */
void mlr_focus_tried(struct mlr_focus *focus, const struct mlr_want *want, int load);

/* Whether a lower bound is the highest load that may be asked for, an upper one the lowest. */
bool mlr_at_max(const struct mlr_book *book, const struct mlr_range *range, int load);
bool mlr_at_min(const struct mlr_book *book, const struct mlr_range *range, int load);

/* Whether both bounds are known and no further apart than the goal's width. */
bool mlr_near_enough(const struct mlr_book *book, struct mlr_bounds bounds,
		     const struct mlr_goal *goal);

#endif

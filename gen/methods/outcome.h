/*
 * How a test method ended. A figure never stands without it: a load that the generator could not
 * exceed is no throughput, and a burst that always passed is no buffer size.
 */
#ifndef TANDEM_OUTCOME_H
#define TANDEM_OUTCOME_H

enum outcome {
	OUTCOME_UNFINISHED,	      /* ended by an error or the user */
	OUTCOME_FOUND,		      /* what was looked for */
	OUTCOME_LINE_RATE,	      /* the DUT takes the highest load there is */
	OUTCOME_GENERATOR_LIMITED,    /* the generator ended first: figures are lower bounds */
	OUTCOME_ZERO_LOSS_IMPOSSIBLE, /* the host, not the load, makes the DUT lose frames */
	OUTCOME_NONE,		      /* frames were lost at the lowest load tried too */
	OUTCOME_INVALID,	      /* repeated trials stayed invalid */
	OUTCOME_UNBOUNDED,	      /* the longest try did not reach the end of it */
	OUTCOME_NOT_OVERLOADED,	      /* nothing was lost where the load should be too high */
	OUTCOME_NO_RESET_SEEN,	      /* the DUT never stopped forwarding */
	OUTCOME_SKIPPED,	      /* not asked for, or not applicable */
};

/* In words with hyphens, as records and tables have it: "found", "line-rate". Never NULL. */
const char *outcome_name(enum outcome outcome);

#endif

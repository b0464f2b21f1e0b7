/*
 * Throughput: the highest load of which the DUT loses no frame (RFC 1242 section 3.17, RFC 2544
 * section 26.1). A binary search between a lowest and the highest load; every trial has the full
 * duration (RFC 2544 section 24: 60 s), so that the one which gives the result needs no
 * confirmation.
 */
#ifndef TANDEM_THROUGHPUT_H
#define TANDEM_THROUGHPUT_H

#include <stdbool.h>

#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

struct throughput_spec {
	double max_pps;	      /* tried first; the line rate, or the highest rate there is */
	double min_pps;	      /* below it nothing is tried; 0: a thousandth of max_pps */
	double tolerance;     /* loss ratio that still passes; RFC 2544: 0 */
	double width;	      /* the result lies within this share below the true one */
	double duration_s;    /* of each trial */
	unsigned int repeats; /* of an invalid or stalled trial */
	double pdr_tolerance; /* where zero loss proves impossible, search for this too; 0: don't */
};

#define THROUGHPUT_WIDTH      0.005
#define THROUGHPUT_DURATION_S 60.0
#define THROUGHPUT_PDR	      0.005
#define THROUGHPUT_DEFAULTS \
	.width = THROUGHPUT_WIDTH, .duration_s = THROUGHPUT_DURATION_S, .repeats = TALLY_REPEATS

/* Loads are achieved ones, never the asked ones. Unknown: NaN. */
struct throughput_result {
	enum outcome outcome;
	double throughput_pps;	     /* known when found or line-rate */
	double lower_pps, upper_pps; /* highest that passed, lowest that failed */
	bool wide; /* the bounds are further apart than asked: the achieved loads varied too much */
	bool bounded_by_stalls;	  /* upper_pps lost frames in the DUT's stalls only: on a quiet host
				     the throughput may be higher */
	bool disturbed;		  /* a bound is of a trial that was disturbed each time */
	enum outcome pdr_outcome; /* skipped where not needed or not asked for */
	double pdr_pps;
	struct tally tally;
};

/*
 * Searches. Returns 0 and a result, or a negative errno: -EINVAL for a spec without sense, else the
 * trial's own; `result` then holds what is known so far.
 */
int throughput_search(const struct throughput_spec *spec, const struct measurer *m,
		      struct throughput_result *result);

/* Trials a search takes at most, without repeats and the PDR. */
unsigned int throughput_trials(const struct throughput_spec *spec);

/* Their time, when each costs `overhead_s` beyond sending. */
double throughput_estimate_s(const struct throughput_spec *spec, double overhead_s);

#endif

/*
 * Back-to-back frames (RFC 2544 section 26.4 as updated by RFC 9004): the longest burst at the
 * highest load of which the DUT loses no frame, averaged over many repetitions, and the time its
 * buffer holds (RFC 9004 section 6.4).
 */
#ifndef TANDEM_BACK_TO_BACK_H
#define TANDEM_BACK_TO_BACK_H

#include <stdint.h>

#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

struct back_to_back_spec {
	double max_pps;	       /* the maximum theoretical frame rate */
	double throughput_pps; /* as measured; NaN: unknown */
	uint64_t min_frames;   /* shortest burst tried */
	double max_burst_s;    /* longest burst tried, in time at max_pps; RFC 9004: up to 30 s */
	uint64_t resolution_frames; /* a repetition ends when its bounds are that close */
	double resolution;	    /* or this share of the burst, whichever is more; 0: none */
	unsigned int repetitions;
	unsigned int repeats; /* of an invalid or stalled burst */
	double *values;	      /* room for the value of each repetition, as RFC 9004 section 6.3 asks
				 for; the caller's; NULL: not wanted */
};

#define BACK_TO_BACK_DEFAULTS                                                             \
	.throughput_pps = NAN, .min_frames = 1, .max_burst_s = 2, .resolution_frames = 1, \
	.repetitions = 50, .repeats = TALLY_REPEATS

struct back_to_back_result {
	/*
	 * found; line-rate: the throughput is the highest load, so no burst can fill a buffer and
	 * none was tried; generator-limited: the bursts were slower than max_pps, times are for
	 * what was reached; unbounded: the longest burst passed; zero-loss-impossible: the shortest
	 * lost frames in the DUT's stalls; none: it lost frames otherwise; invalid. All but found
	 * and generator-limited end the repetitions.
	 */
	enum outcome outcome;
	struct spread frames; /* of the longest burst without loss, over the repetitions */
	double burst_pps;     /* achieved, over the bursts that bound the values; NaN: none */
	double implied_s;     /* average burst / frame rate */
	double corrected_s; /* less what left the DUT meanwhile: implied * (1 - throughput / rate);
			       NaN where the throughput is unknown */
	struct tally tally;
};

/* Returns 0, -EINVAL for a spec without sense, or the trial's negative errno with what is known so
 * far. The measurer is to leave the DUT idle for 2 s between bursts (RFC 9004 section 6.2). */
int back_to_back_search(const struct back_to_back_spec *spec, const struct measurer *m,
			struct back_to_back_result *result);

/*
 * Bursts, without repeats: a first search at most, then for each repetition the three that a DUT
 * needs whose buffer differs little from the one before. A DUT that differs more takes longer.
 */
unsigned int back_to_back_trials(const struct back_to_back_spec *spec);

/* Their time, were all bursts as long as the longest. */
double back_to_back_estimate_s(const struct back_to_back_spec *spec, double overhead_s);

#endif

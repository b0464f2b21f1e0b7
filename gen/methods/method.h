/*
 * What a test method sees of the world: a function that runs one trial and says what was observed.
 * Methods are pure: no clock, no port, no file. They run against real ports through gen/measure.h
 * and against simulated DUTs in the tests, where hours of trials pass in milliseconds.
 *
 * Loads are frames a second of one direction. With several directions an observation is that of the
 * worst one.
 */
#ifndef TANDEM_METHOD_H
#define TANDEM_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/* What a method wants to be tried. */
struct method_ask {
	double pps;	   /* intended load; 0: as fast as the link takes it */
	double duration_s; /* of sending */
	uint64_t frames; /* back-to-back: a burst of N at that load instead of a duration; else 0 */
	/* recovery: the load falls to this without a gap and stays so for as long; else 0 */
	double then_pps, then_duration_s;
	/* A loss ratio up to which the caller takes the trial for passed. A disturbed trial is
	 * repeated only where it was exceeded or the load was missed: only there can the
	 * disturbance have made the outcome. */
	double tolerance;
};

/* What was seen. Unknown times are NaN. */
struct observation {
	double offered_pps; /* the achieved load: frames sent or refused at the DUT's door a second
			     */
	double duration_s;  /* of sending, as it was */
	double cost_s;	    /* time the trial took with learning, warm-up, drain and repeats */
	uint64_t offered;   /* frames sent or refused at the DUT's door */
	uint64_t lost; /* of those, the DUT's: what the generator missed itself, or lost in its own
			  stalls, is left out */
	double loss_ratio; /* lost / offered; 1 where nothing was offered */
	double forwarded_pps;
	uint64_t lost_in_dut_stall; /* part of lost, where known */
	bool invalid;	/* no repeat gave a trial whose accounts close: nothing here may be used */
	bool disturbed; /* no repeat was free of the host's disturbance */
	bool generator_limited; /* the generator did not reach the load and the DUT did not hinder
				   it */
	double recovery_s; /* from the fall of the load to the last loss after it; 0: none was lost
			    */
	double outage_s;   /* longest gap between a received frame and the next, by their send times
			    */
};

/* Runs one trial. Returns 0, or a negative errno that ends the method (-EINTR: the user). */
struct measurer {
	int (*trial)(void *context, const struct method_ask *ask, struct observation *seen);
	void *context;
};

static inline int measure_trial(const struct measurer *m, const struct method_ask *ask,
				struct observation *seen)
{
	return m->trial(m->context, ask, seen);
}

#endif

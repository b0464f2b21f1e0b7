/*
 * Between a test method and the ports: runs the trials that a method asks for, records each, and
 * says what was observed. An observation is made of the record alone, so that a run which was
 * stopped can go on: trials that stand in its folder are read instead of sent again, in the same
 * order, and the method takes the same way.
 */
#ifndef TANDEM_MEASURE_H
#define TANDEM_MEASURE_H

#include "gen/campaign.h"
#include "gen/methods/method.h"

struct measure {
	struct campaign campaign;
	struct measurer measurer;  /* what methods are given */
	const char *test;	   /* that runs now; stands in its trials */
	uint32_t size;		   /* its frames */
	unsigned int step;	   /* trials of it so far, without repeats */
	double throughput_pps;	   /* of this size, for the pause before a burst; NaN: unknown */
	const char *command;	   /* shell command for the next trial, NULL for none */
	bool bears_outage;	   /* the DUT restarts in the next trial */
	json_t *records;	   /* of the latest trial, a direction each */
	json_t *tests;		   /* records of the tests that ended */
	json_t *journal;	   /* trials of the run that goes on, NULL without one */
	size_t replayed;	   /* of them, so far */
	double planned_s, spent_s; /* of the whole campaign at most; so far */
	double left_s;		   /* of this test as it says itself; NaN: it does not */
	bool any_invalid;	   /* a test found nothing that can be used */
};

/* Opens ports, output and journal. 0 or a negative errno with a line in m->campaign.err;
 * measure_close is due in both cases. */
int measure_open(struct measure *m, const struct invocation *invocation);

/*
 * The report of all tests that ended: printed, and written where there is a folder; then everything
 * is closed. rc as returned by the last call. Returns the exit status.
 */
int measure_report(struct measure *m, int rc);

/* The next trials are of this test, with frames of this size. */
void measure_begin(struct measure *m, const char *test, uint32_t size);

/* Highest and lowest load of this size: as configured, or the line rate, or what a trial at max
 * sends. 0 or a negative errno. */
int measure_bounds(struct measure *m, double *max_pps, double *min_pps);

/* Frames a second of a rate at this size. 0, or a negative errno. */
int measure_pps(struct measure *m, const struct rate *rate, double *pps);

/*
 * Ends a test: fields (taken over) is its record but for what all have in common, which is added.
 * It is written, and printed with --json. 0 or a negative errno.
 */
int measure_end(struct measure *m, json_t *fields);

/* What a record, or those of two directions, say of the load asked for. Pure. */
void measure_observe(const json_t *records, const struct method_ask *ask, struct observation *seen);

/* Seconds that a trial takes beyond sending, as far as is known before. */
double measure_overhead_s(const struct gen_config *config, double duration_s);

#endif

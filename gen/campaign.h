/*
 * What all verbs share: the generator, its output and progress, opened and closed in one place, and
 * a trial run and recorded in one call.
 */
#ifndef TANDEM_CAMPAIGN_H
#define TANDEM_CAMPAIGN_H

#include "gen/cmd.h"
#include "gen/progress.h"
#include "gen/run_output.h"
#include "gen/samples.h"

struct campaign {
	const struct invocation *invocation;
	struct generator generator;
	struct run_output output;
	struct progress progress;
	struct samples samples;
	char err[512];
};

/* Opens everything. Returns 0, or the negative errno of what failed, its line in c->err. */
int campaign_open(struct campaign *c, const struct invocation *invocation);

/* What a verb may want different for one trial; 0 is as configured. */
struct trial_extra {
	double max_pps; /* the forwarding rate that a %max refers to */
	uint32_t burst;
};

/*
 * Runs one trial at a rate, in frames of a size; extra may be NULL. The records are printed and
 * written; records (an array, may be NULL) gets them too. Returns 0 or a negative errno.
 */
int campaign_trial(struct campaign *c, uint32_t size, const struct rate *rate,
		   const struct trial_extra *extra, json_t *records);

/*
 * Runs one trial of a test once, as spec says. test (name, step) becomes part of its records, with
 * the time it cost since begin (clock_ns). Returns 0 or a negative errno.
 */
int campaign_run(struct campaign *c, const struct trial_spec *spec, json_t *test, uint64_t begin,
		 json_t *records);

/* Seconds that all trials of a configuration take at most: every rate at every size; NaN where
 * frames end a trial. */
double campaign_planned_s(const struct gen_config *config);

/* Seconds a trial of this campaign takes, for the time left. */
double campaign_trial_seconds(const struct campaign *c);

/* Ends the output, closes everything, prints what went wrong (rc and c->err), and returns the exit
 * status. */
int campaign_close(struct campaign *c, int rc);

#endif

/*
 * System recovery (RFC 2544 section 26.5): the DUT is overloaded with 110 % of its throughput, or
 * the highest load where that is lower, for at least 60 s; then the load falls to half of that, and
 * the time from there to the last lost frame is the recovery time.
 */
#ifndef TANDEM_RECOVERY_H
#define TANDEM_RECOVERY_H

#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

struct recovery_spec {
	double throughput_pps, max_pps;
	double overload_share; /* of the throughput */
	double overload_s;
	double then_share; /* of the overload */
	double then_s;	   /* how long a recovery can be seen */
	unsigned int repetitions;
	unsigned int repeats; /* of an invalid trial */
};

#define RECOVERY_DEFAULTS                                                         \
	.overload_share = 1.1, .overload_s = 60, .then_share = 0.5, .then_s = 60, \
	.repetitions = 5, .repeats = TALLY_REPEATS

struct recovery_result {
	/*
	 * found; line-rate: no load over the throughput exists; generator-limited: none was
	 * reached; not-overloaded: the overload lost nothing; unbounded: loss did not end within
	 * then_s; invalid. All but found end the repetitions.
	 */
	enum outcome outcome;
	double overload_pps, then_pps; /* as asked */
	double reached_pps;	       /* the lowest overload achieved; NaN before the first */
	struct spread recovery_s;      /* of the repetitions that recovered */
	struct tally tally;
};

/* Returns 0, -EINVAL for a spec without sense, or the trial's negative errno with what is known so
 * far. A trial's offered_pps is taken for that of the overload. */
int recovery_measure(const struct recovery_spec *spec, const struct measurer *m,
		     struct recovery_result *result);

/* Time of all repetitions, without repeats. */
double recovery_estimate_s(const struct recovery_spec *spec, double overhead_s);

#endif

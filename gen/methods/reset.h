/*
 * Reset (RFC 2544 section 26.6, RFC 6201): how long the DUT forwards nothing while it restarts. The
 * load is steady; who restarts the DUT, and how, is the caller's matter.
 */
#ifndef TANDEM_RESET_H
#define TANDEM_RESET_H

#include "gen/methods/outcome.h"
#include "gen/methods/tally.h"

struct reset_spec {
	double pps;	   /* RFC 2544: the throughput of the smallest frame */
	double duration_s; /* has to hold the whole restart */
};

#define RESET_DEFAULTS .duration_s = 60

struct reset_result {
	/* found; no-reset-seen; unbounded: it did not come back within the trial; invalid */
	enum outcome outcome;
	double outage_s; /* from the last frame before to the first after it, RFC 6201's time-stamp
			    method; NaN where it did not come back */
	double loss_s; /* frames missing / load, RFC 6201's frame-loss method: less than the outage
			  where the DUT's queue survived, more where it lost frames afterwards too
			*/
	uint64_t lost;
	struct tally tally;
};

/* One trial, never repeated: a repeat would need another restart. Returns 0, -EINVAL for a spec
 * without sense, or the trial's negative errno. */
int reset_measure(const struct reset_spec *spec, const struct measurer *m,
		  struct reset_result *result);

double reset_estimate_s(const struct reset_spec *spec, double overhead_s);

#endif

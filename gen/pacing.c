/*
 * The one place where a rate is turned into fixed point.
 */
#include "gen/pacing.h"

#include <math.h>

void pacing_init(struct pacing *p, double pps, double hz, uint64_t t0, uint64_t limit,
		 double lag_seconds)
{
	double ratio = pps / hz;
	double lag = ceil(lag_seconds * pps);

	*p = (struct pacing){.t0 = t0, .limit = limit};
	if (pps <= 0)
		return;
	/* A rate above one frame a cycle cannot be paced: it is due at once. */
	p->frames_per_cycle = ratio >= 1 ? UINT64_MAX : (uint64_t)ldexp(ratio, 64);
	p->cycles_per_frame = hz / pps;
	p->max_lag = lag < 1 ? 1 : (uint64_t)lag;
}

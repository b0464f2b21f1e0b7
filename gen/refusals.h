/*
 * When frames were refused: on a link without a wire the ring is full because the DUT does not take
 * frames, and it makes a difference whether it was too slow or stalled. Kept in stretches of time,
 * the earliest ones of a trial; read after it.
 */
#ifndef TANDEM_REFUSALS_H
#define TANDEM_REFUSALS_H

#include "common/dpdk/loop.h"

#include <stdint.h>

#define MAX_REFUSALS  4096u
#define REFUSALS_JOIN 65536u /* cycles: refusals this close are one stretch */

/* Frames refused from begin to end, TSC. */
struct refusal {
	uint64_t begin, end, frames;
};

struct refusals {
	uint32_t count;
	struct refusal at[MAX_REFUSALS];
};

static inline void refusals_reset(struct refusals *r)
{
	r->count = 0;
}

/* Notes that frames were refused now. What finds no room is left out. */
void refusals_note(struct refusals *r, uint64_t now, uint32_t frames);

/*
 * Frames of the stretches that lie in one of n stalls; a stretch may outlast a stall by slack
 * cycles, for the ring is emptied only then.
 */
uint64_t refusals_in_stalls(const struct refusals *r, const struct stall *stalls, uint32_t n,
			    uint64_t slack);

#endif

/*
 * Checkpoints: pairs of a lane's frame number and TSC, kept at intervals while sending, so that
 * after the trial a lost frame's send time is known within an interval, and losses can be held
 * against the stalls of generator and DUT.
 */
#ifndef TANDEM_CHECKPOINTS_H
#define TANDEM_CHECKPOINTS_H

#include "common/dpdk/loop.h"
#include "gen/deal.h"
#include "gen/seq_window.h"

#include <stdint.h>

#define MAX_CHECKPOINTS 65536u

struct checkpoint {
	uint64_t seq; /* frames the lane sent before: the first one at or after tsc */
	uint64_t tsc;
};

struct checkpoints {
	uint64_t next_at;  /* TSC from which the next one is due */
	uint64_t interval; /* cycles */
	struct deal deal;  /* of the lane's frames to streams */
	uint32_t count;
	struct checkpoint at[MAX_CHECKPOINTS];
};

/* Empties them for a trial of the given length in cycles: the interval is such that they suffice.
 * There is one stream, until deal says otherwise. */
void checkpoints_reset(struct checkpoints *c, uint64_t trial_cycles);

/* Notes that numbers from seq on are sent at tsc. */
static inline void checkpoints_note(struct checkpoints *c, uint64_t seq, uint64_t tsc)
{
	if (__builtin_expect(tsc < c->next_at, 1))
		return;
	c->next_at = tsc + c->interval;
	if (c->count < MAX_CHECKPOINTS)
		c->at[c->count++] = (struct checkpoint){seq, tsc};
}

/* The sender stalled: the numbers below seq went out before begin, the next ones after it. */
void checkpoints_stall(struct checkpoints *c, uint64_t seq, uint64_t begin);

/* Earliest and latest time at which a frame of the lane may have been sent; 0 and UINT64_MAX where
 * unknown. */
void checkpoints_time(const struct checkpoints *c, uint64_t seq, uint64_t *earliest,
		      uint64_t *latest);

/*
 * Of n loss runs of a stream, frames that may have been lost in one of the stalls: sent between
 * slack cycles before its begin and its end. A run is cut at checkpoints. Frames already in
 * `others` (n_others, may be 0) are left out.
 */
uint64_t checkpoints_attribute(const struct checkpoints *c, uint32_t stream,
			       const struct loss_run *runs, uint64_t n_runs,
			       const struct stall *stalls, uint32_t n_stalls,
			       const struct stall *others, uint32_t n_others, uint64_t slack);

#endif

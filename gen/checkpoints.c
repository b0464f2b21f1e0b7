/*
 * After the trial: when was a frame sent, and which stall was near.
 */
#include "gen/checkpoints.h"

#include <string.h>

void checkpoints_reset(struct checkpoints *c, uint64_t trial_cycles)
{
	memset(c, 0, sizeof(*c));
	c->deal = deal_for(1, 0, 1, 0);
	/* A tenth is left for the checkpoints that stalls add. */
	c->interval = trial_cycles / (MAX_CHECKPOINTS / 10 * 9) + 1;
}

void checkpoints_stall(struct checkpoints *c, uint64_t seq, uint64_t begin)
{
	if (c->count < MAX_CHECKPOINTS)
		c->at[c->count++] = (struct checkpoint){seq, begin};
	c->next_at = 0; /* the first burst after the stall makes one too */
}

/* Index of the last checkpoint at or below seq, or -1. */
static int64_t find(const struct checkpoints *c, uint64_t seq)
{
	int64_t low = -1, high = c->count;

	while (high - low > 1) {
		int64_t middle = (low + high) / 2;

		if (c->at[middle].seq <= seq)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void checkpoints_time(const struct checkpoints *c, uint64_t seq, uint64_t *earliest,
		      uint64_t *latest)
{
	int64_t i = find(c, seq);

	*earliest = i >= 0 ? c->at[i].tsc : 0;
	*latest = i + 1 < (int64_t)c->count ? c->at[i + 1].tsc : UINT64_MAX;
}

static int near_any(const struct stall *stalls, uint32_t n, uint64_t earliest, uint64_t latest,
		    uint64_t slack)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t from = stalls[i].begin > slack ? stalls[i].begin - slack : 0;

		if (latest >= from && earliest <= stalls[i].end)
			return 1;
	}
	return 0;
}

uint64_t checkpoints_attribute(const struct checkpoints *c, uint32_t stream,
			       const struct loss_run *runs, uint64_t n_runs,
			       const struct stall *stalls, uint32_t n_stalls,
			       const struct stall *others, uint32_t n_others, uint64_t slack)
{
	uint64_t frames = 0;

	for (uint64_t r = 0; r < n_runs && n_stalls; r++) {
		uint64_t seq = runs[r].first, end = seq + runs[r].length;

		while (seq < end) {
			uint64_t place = deal_place(&c->deal, stream, seq), stop = end;
			int64_t i = find(c, place);
			uint64_t earliest, latest, piece;

			if (i + 1 < (int64_t)c->count)
				stop = deal_share(&c->deal, stream, c->at[i + 1].seq);
			checkpoints_time(c, place, &earliest, &latest);
			if (latest ==
			    UINT64_MAX) /* the last interval: nothing was sent an interval later */
				latest = earliest + c->interval;
			piece = (stop < end ? stop : end) - seq;
			if (near_any(stalls, n_stalls, earliest, latest, slack) &&
			    !near_any(others, n_others, earliest, latest, slack))
				frames += piece;
			seq += piece;
		}
	}
	return frames;
}

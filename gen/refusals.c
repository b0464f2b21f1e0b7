/*
 * The slow path of a full ring: nothing here is touched while frames are taken.
 */
#include "gen/refusals.h"

void refusals_note(struct refusals *r, uint64_t now, uint32_t frames)
{
	struct refusal *last = r->count ? &r->at[r->count - 1] : NULL;

	if (last && now - last->end <= REFUSALS_JOIN) {
		last->end = now;
		last->frames += frames;
	} else if (r->count < MAX_REFUSALS) {
		r->at[r->count++] = (struct refusal){now, now, frames};
	}
}

uint64_t refusals_in_stalls(const struct refusals *r, const struct stall *stalls, uint32_t n,
			    uint64_t slack)
{
	uint64_t frames = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct refusal *at = &r->at[i];

		for (uint32_t s = 0; s < n; s++) {
			if (at->begin < stalls[s].begin || at->end > stalls[s].end + slack)
				continue;
			frames += at->frames;
			break;
		}
	}
	return frames;
}

/*
 * Dealing frames to streams.
 */
#include "gen/deal.h"

#define PPS_A_FRAME 1e6 /* frames due within a microsecond are one turn */

struct deal deal_for(uint32_t streams, double pps, uint32_t burst, uint64_t train)
{
	double due = pps / PPS_A_FRAME;

	/* A single stream's turn never ends. */
	if (streams == 1)
		return (struct deal){1, UINT32_MAX};
	if (train)
		return (struct deal){streams, train < UINT32_MAX ? (uint32_t)train : UINT32_MAX};
	if (pps <= 0 || due >= burst)
		return (struct deal){streams, burst};
	return (struct deal){streams, due > 1 ? (uint32_t)due : 1};
}

uint64_t deal_share(const struct deal *d, uint32_t stream, uint64_t n)
{
	uint64_t round = (uint64_t)d->streams * d->turn, rest = n % round;
	uint64_t before = (uint64_t)stream * d->turn, own = rest > before ? rest - before : 0;

	return n / round * d->turn + (own < d->turn ? own : d->turn);
}

uint64_t deal_place(const struct deal *d, uint32_t stream, uint64_t seq)
{
	return (seq / d->turn * d->streams + stream) * d->turn + seq % d->turn;
}

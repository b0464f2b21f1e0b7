/*
 * The one place where a rate is turned into fixed point.
 */
#include "gen/pacing.h"

#include <math.h>

#define GAPS	      4096u /* quantiles of the exponential distribution, by their middles */
#define GAP_BITS      28    /* their fractional bits; the largest, ln(8192), fits 32 bits */
#define TIME_BITS     12    /* fractional bits of times since t0: 100 hours at 5 GHz fit */
#define MEAN_BITS     24    /* those of the mean gap, so that its rounding makes no drift */
#define GAP_SHIFT     (GAP_BITS + MEAN_BITS - TIME_BITS)
#define POISSON_SLACK 64 /* frames: gaps of 0 come in clusters */
#define DEFAULT_STATE 0x9e3779b97f4a7c15ull

static uint32_t exponential[GAPS]; /* mean exactly 1, up to rounding */

void pacing_init(struct pacing *p, double pps, double hz, uint64_t t0, uint64_t limit,
		 double lag_seconds)
{
	double ratio = pps / hz;
	double lag = ceil(lag_seconds * pps);

	*p = (struct pacing){.t0 = t0, .limit = limit, .train = 1};
	if (pps <= 0)
		return;
	/* A rate above one frame a cycle cannot be paced: it is due at once. */
	p->frames_per_cycle = ratio >= 1 ? UINT64_MAX : (uint64_t)ldexp(ratio, 64);
	p->cycles_per_frame = hz / pps;
	p->max_lag = lag < 1 ? 1 : (uint64_t)lag;
	p->lag = (uint64_t)ldexp(lag_seconds * hz, TIME_BITS);
}

void pacing_set_train(struct pacing *p, uint64_t n)
{
	p->train = n ? n : 1;
	p->frames_per_cycle /= p->train;
	if (p->max_lag < p->train)
		p->max_lag = p->train;
}

static void fill_table(void)
{
	double sum = 0;

	if (exponential[0])
		return;
	for (uint32_t i = 0; i < GAPS; i++)
		sum += -log((i + 0.5) / GAPS);
	for (uint32_t i = GAPS; i-- > 0;)
		exponential[i] =
			(uint32_t)llround(ldexp(-log((i + 0.5) / GAPS) * GAPS / sum, GAP_BITS));
}

void pacing_set_poisson(struct pacing *p, uint64_t seed)
{
	fill_table();
	p->poisson = true;
	p->random = seed ^ DEFAULT_STATE ? seed ^ DEFAULT_STATE : DEFAULT_STATE;
	/* A gap of a minute and more is cut short rather than let overflow. */
	p->mean_gap = (uint64_t)llround(fmin(ldexp(p->cycles_per_frame, MEAN_BITS), 0x1p62));
	/* Lateness is judged by time as frames come due; what then waits for room is bounded by
	 * what the lag may hold. */
	p->max_lag += (uint64_t)ceil(4 * sqrt((double)p->max_lag)) + POISSON_SLACK;
}

/* xorshift64*: Marsaglia's generator, good enough to pick one of 4,096 gaps. */
static uint32_t pick(struct pacing *p)
{
	p->random ^= p->random >> 12;
	p->random ^= p->random << 25;
	p->random ^= p->random >> 27;
	return (uint32_t)((p->random * 0x2545f4914f6cdd1dull) >> 52);
}

uint64_t pacing_poisson_due(struct pacing *p, uint64_t now)
{
	uint64_t elapsed = (now - p->t0) << TIME_BITS;

	while (p->next_gap_end <= elapsed && p->came_due < p->limit) {
		if (elapsed - p->next_gap_end > p->lag)
			p->came_late++;
		p->came_due++;
		p->next_gap_end +=
			(uint64_t)(((unsigned __int128)p->mean_gap * exponential[pick(p)] +
				    (1ull << (GAP_SHIFT - 1))) >>
				   GAP_SHIFT);
	}
	return p->came_due;
}

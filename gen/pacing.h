/*
 * Pacing: which frames are due when. Pure arithmetic on TSC values.
 *
 * Constant rate: frame n is due at t0 + n x hz / pps, in fixed point with 64 fractional bits: no
 * step from whole cycles and no drift over hours (the product's error is below one frame in 2^64
 * cycles). In trains of N, N frames are due together every N x hz / pps. Poisson: gaps are
 * exponential with that mean, from a seeded generator.
 *
 * What cannot be sent within the lag bound is given up as unsent; it is never squeezed in later
 * above the asked rate.
 */
#ifndef TANDEM_PACING_H
#define TANDEM_PACING_H

#include <stdbool.h>
#include <stdint.h>

struct pacing {
	uint64_t frames_per_cycle; /* 0.64 fixed point (of trains: trains per cycle); 0: rate max,
				      nothing is due */
	double cycles_per_frame;
	uint64_t t0;
	uint64_t scheduled; /* frames that were sent, refused or given up */
	uint64_t limit;	    /* frames due in the whole trial */
	uint64_t max_lag;   /* frames that may be late; more are unsent */
	uint64_t train;	    /* frames due together, at least 1 */

	/* Poisson only; times in cycles since t0 with 12 fractional bits, the mean gap with 24 */
	bool poisson;
	uint64_t random;
	uint64_t mean_gap, next_gap_end, lag;
	uint64_t came_due,
		came_late; /* frames so far; those of them that were late when first seen */
};

/*
 * pps frames a second on a TSC of hz, limit frames in all, starting at t0; lag_seconds bounds the
 * lateness (one frame is always allowed). pps 0 is rate max.
 */
void pacing_init(struct pacing *p, double pps, double hz, uint64_t t0, uint64_t limit,
		 double lag_seconds);

/* Makes an initialised pacing send trains of n frames at the same average rate. */
void pacing_set_train(struct pacing *p, uint64_t n);

/* Makes an initialised pacing send with exponential gaps; the same seed gives the same gaps. */
void pacing_set_poisson(struct pacing *p, uint64_t seed);

/* The Poisson part of pacing_due: frames that have come due by now. */
uint64_t pacing_poisson_due(struct pacing *p, uint64_t now);

/* Frames due by now and not yet scheduled; none before t0. */
static inline uint64_t pacing_due(struct pacing *p, uint64_t now)
{
	uint64_t due;

	if (__builtin_expect((int64_t)(now - p->t0) < 0, 0))
		return 0;
	if (__builtin_expect(p->poisson, 0))
		due = pacing_poisson_due(p, now);
	else
		due = ((uint64_t)(((unsigned __int128)(now - p->t0) * p->frames_per_cycle) >> 64) +
		       1) *
		      p->train;
	if (due > p->limit)
		due = p->limit;
	return due - p->scheduled;
}

/*
 * Of due frames, those too late to send: they are scheduled here as unsent and their number is
 * returned; what is left of due may be sent.
 */
static inline uint64_t pacing_give_up(struct pacing *p, uint64_t *due)
{
	uint64_t unsent = p->came_late; /* 0 unless Poisson */

	if (__builtin_expect(*due <= p->max_lag && !unsent, 1))
		return 0;
	if (unsent > *due)
		unsent = *due;
	if (*due - unsent > p->max_lag)
		unsent = *due - p->max_lag;
	p->came_late = 0;
	p->scheduled += unsent;
	*due -= unsent;
	return unsent;
}

/* How late the next frame to be scheduled is, in cycles; 0 when it is not due yet. Not for Poisson.
 */
static inline uint64_t pacing_lateness(const struct pacing *p, uint64_t now)
{
	uint64_t first_of_train = p->train == 1 ? p->scheduled : p->scheduled / p->train * p->train;
	double late = (double)(int64_t)(now - p->t0) - (double)first_of_train * p->cycles_per_frame;

	return late > 0 ? (uint64_t)late : 0;
}

#endif

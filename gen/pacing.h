/*
 * Pacing: which frames are due when. Pure arithmetic on TSC values.
 *
 * Frame n is due at t0 + n x hz / pps, in fixed point with 64 fractional bits: no step from whole
 * cycles and no drift over hours (the product's error is below one frame in 2^64 cycles). What
 * cannot be sent within the lag bound is given up as unsent; it is never squeezed in later above
 * the asked rate.
 */
#ifndef TANDEM_PACING_H
#define TANDEM_PACING_H

#include <stdint.h>

struct pacing {
	uint64_t frames_per_cycle; /* 0.64 fixed point; 0: rate max, nothing is due */
	double cycles_per_frame;
	uint64_t t0;
	uint64_t scheduled; /* frames that were sent, refused or given up */
	uint64_t limit;	    /* frames due in the whole trial */
	uint64_t max_lag;   /* frames that may be late; more are unsent */
};

/*
 * pps frames a second on a TSC of hz, limit frames in all, starting at t0; lag_seconds bounds the
 * lateness (one frame is always allowed). pps 0 is rate max.
 */
void pacing_init(struct pacing *p, double pps, double hz, uint64_t t0, uint64_t limit,
		 double lag_seconds);

/* Frames due by now and not yet scheduled; none before t0. */
static inline uint64_t pacing_due(const struct pacing *p, uint64_t now)
{
	uint64_t due;

	if (__builtin_expect((int64_t)(now - p->t0) < 0, 0))
		return 0;
	due = (uint64_t)(((unsigned __int128)(now - p->t0) * p->frames_per_cycle) >> 64) + 1;
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
	uint64_t unsent;

	if (__builtin_expect(*due <= p->max_lag, 1))
		return 0;
	unsent = *due - p->max_lag;
	p->scheduled += unsent;
	*due = p->max_lag;
	return unsent;
}

/* How late the next frame to be scheduled is, in cycles; 0 when it is not due yet. */
static inline uint64_t pacing_lateness(const struct pacing *p, uint64_t now)
{
	double late = (double)(int64_t)(now - p->t0) - (double)p->scheduled * p->cycles_per_frame;

	return late > 0 ? (uint64_t)late : 0;
}

#endif

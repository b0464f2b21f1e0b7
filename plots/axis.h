/*
 * Axes: a range that covers the data and ends on round numbers, and the ticks on it. Pure
 * arithmetic.
 */
#ifndef TANDEM_AXIS_H
#define TANDEM_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define AXIS_TICKS_MAX 160u

struct tick {
	double value;
	char label[24]; /* empty: a line of the grid without a number */
};

struct axis {
	bool log;
	double lo, hi; /* the range: lo < hi, both > 0 on a log axis */
	size_t n_ticks;
	struct tick tick[AXIS_TICKS_MAX]; /* ascending, from lo to hi */
};

/* A linear axis from 0 to the first round step (1, 2 or 5 times a power of ten) at or over
 * max. */
void axis_linear(struct axis *axis, double max);

/*
 * A log axis from the last of 1, 2, 5 times a power of ten at or under lo to the first at or over
 * hi, 0 < lo <= hi. Up to three decades these numbers are labelled, over more only the powers of
 * ten; the other whole multiples are lines.
 */
void axis_log(struct axis *axis, double lo, double hi);

/* Where a value stands on the axis: 0 at lo, 1 at hi; what lies outside stands at the end (0 on a
 * log axis too). */
double axis_fraction(const struct axis *axis, double value);

#endif

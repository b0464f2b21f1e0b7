/*
 * Time: the TSC, and its rate measured against CLOCK_MONOTONIC_RAW.
 *
 * rte_get_tsc_hz() rounds to 10 MHz and was 0.19 % wrong on one host; a reported figure always uses
 * a rate that was measured here over the trial itself.
 */
#ifndef TANDEM_CLOCK_H
#define TANDEM_CLOCK_H

#include <stdint.h>
#include <stddef.h>
#include <x86intrin.h>

static inline uint64_t tsc_now(void)
{
	return __rdtsc();
}

/* One moment on both clocks. */
struct clock_point {
	uint64_t tsc;
	uint64_t ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t
		width_tsc; /* how far apart the reads around it were: the uncertainty of the pair */
};

/* The moment now; of several tries the one whose reads were closest together. Under 2 us, rarely
 * more. */
struct clock_point clock_point_now(void);

/* TSC cycles a second between two moments, NaN when they are less than 1 ms apart. */
double clock_hz(const struct clock_point *from, const struct clock_point *to);

/* A first estimate of the TSC's rate, measured once over about 20 ms and kept: for pacing and
 * timeouts. */
double clock_hz_estimate(void);

uint64_t clock_ns(void); /* CLOCK_MONOTONIC_RAW now */

/* Sleeps; a signal ends it early, so that Ctrl-C is heeded at once. */
void clock_sleep(uint64_t ns);

/* "2026-01-01T00:00:00.000Z", the wall clock now. Returns buf. */
char *clock_iso8601(char *buf, size_t len);

/* Name for a results folder: "20260101-000000". Returns buf. */
char *clock_compact(char *buf, size_t len);

#endif

/*
 * The TSC measured against CLOCK_MONOTONIC_RAW, which no time daemon bends, and the wall clock's
 * text.
 */
#include "common/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define PAIR_TRIES	10
#define PAIR_BUDGET_NS	1500u	 /* no more tries after this long */
#define MIN_INTERVAL_NS 1000000u /* below, the reads' uncertainty would show in the rate */
#define ESTIMATE_NS	20000000

uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static struct clock_point read_pair(void)
{
	struct clock_point p;
	uint64_t before;

	_mm_lfence(); /* rdtsc may otherwise run ahead of what stands before it */
	before = tsc_now();
	p.ns = clock_ns();
	_mm_lfence();
	p.width_tsc = tsc_now() - before;
	p.tsc = before + p.width_tsc / 2;
	return p;
}

struct clock_point clock_point_now(void)
{
	struct clock_point best = read_pair(), next;
	uint64_t start = best.ns;

	for (int i = 1; i < PAIR_TRIES; i++) {
		next = read_pair();
		if (next.width_tsc < best.width_tsc)
			best = next;
		if (next.ns - start > PAIR_BUDGET_NS)
			break;
	}
	return best;
}

double clock_hz(const struct clock_point *from, const struct clock_point *to)
{
	if (to->ns < from->ns || to->ns - from->ns < MIN_INTERVAL_NS)
		return NAN;
	return (double)(to->tsc - from->tsc) * 1e9 / (double)(to->ns - from->ns);
}

void clock_sleep(uint64_t ns)
{
	struct timespec t = {.tv_sec = (time_t)(ns / 1000000000u),
			     .tv_nsec = (long)(ns % 1000000000u)};

	nanosleep(&t, NULL);
}

static double estimated_hz;

static void estimate(void)
{
	struct clock_point from = clock_point_now(), to;
	struct timespec left = {.tv_nsec = ESTIMATE_NS};

	/* An interrupted sleep goes on with what is left of it. */
	while (nanosleep(&left, &left))
		;
	to = clock_point_now();
	estimated_hz = clock_hz(&from, &to);
}

double clock_hz_estimate(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, estimate);
	return estimated_hz;
}

char *clock_iso8601(char *buf, size_t len)
{
	char text[32];
	struct timespec ts;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &ts);
	gmtime_r(&ts.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf, len, "%s.%03ldZ", text, ts.tv_nsec / 1000000);
	return buf;
}

char *clock_compact(char *buf, size_t len)
{
	char text[32];
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y%m%d-%H%M%S", &tm);
	snprintf(buf, len, "%s", text);
	return buf;
}

/*
 * Where a polling loop's time goes: time inside the driver's rx/tx calls, the rest, and stalls.
 *
 * A stall is a gap over the threshold outside driver calls, or one inside a driver call in which
 * the thread was taken off its core (its run delay or involuntary switches rose, read from /proc
 * only after a long gap), or any long gap in a driver that makes no system call, for nothing but
 * the scheduler can take that long there.
 *
 * One writer (the polling thread); others read through loop_stalls() and hist_copy().
 */
#ifndef TANDEM_LOOP_H
#define TANDEM_LOOP_H

#include "common/hist.h"

#include <stdbool.h>
#include <stdint.h>

#define LOOP_MAX_STALLS 8192u /* the last ones are kept, all are counted */

struct stall {
	uint64_t begin, end; /* TSC */
};

struct loop_watch {
	uint64_t threshold; /* cycles */
	bool driver_makes_syscalls;
	int schedstat_fd, status_fd;
	uint64_t run_delay_ns; /* as last read */
	uint64_t involuntary;
	uint64_t stall_count; /* all, also those not kept */
	uint64_t stall_cycles;
	uint64_t stall_max;
	uint64_t last_stall_end; /* TSC; 0 before the first */
	struct hist own;	 /* cycles outside the driver, a round */
	struct hist driver;	 /* cycles inside it, a round */
	struct stall stalls[LOOP_MAX_STALLS];
};

/*
 * A watch with a threshold in nanoseconds; NULL when out of memory. loop_watch_start is called by
 * the polling thread itself (it opens that thread's /proc files), loop_watch_stop when its loop
 * ends; what was recorded stays. loop_watch_reset forgets everything recorded.
 */
struct loop_watch *loop_watch_new(uint64_t threshold_ns, bool driver_makes_syscalls);
void loop_watch_start(struct loop_watch *w);
void loop_watch_stop(struct loop_watch *w);
void loop_watch_reset(struct loop_watch *w);
void loop_watch_free(struct loop_watch *w);

/* Looks at a gap over the threshold; true when it was a stall, which is then recorded. */
bool loop_long_gap(struct loop_watch *w, uint64_t begin, uint64_t end, bool in_driver);

/* Time from begin to end was spent outside the driver. Returns true when it was a stall. */
static inline bool loop_own(struct loop_watch *w, uint64_t begin, uint64_t end)
{
	uint64_t gap = end - begin;

	hist_add(&w->own, gap);
	if (__builtin_expect(gap > w->threshold, 0))
		return loop_long_gap(w, begin, end, false);
	return false;
}

/* Time from begin to end was spent inside the driver. Returns true when it was a stall all the
 * same. */
static inline bool loop_driver(struct loop_watch *w, uint64_t begin, uint64_t end)
{
	uint64_t gap = end - begin;

	hist_add(&w->driver, gap);
	if (__builtin_expect(gap > w->threshold, 0))
		return loop_long_gap(w, begin, end, true);
	return false;
}

/* Copies stalls first..first+max-1 of those kept; returns how many there were. Safe while the loop
 * runs. */
uint32_t loop_stalls(const struct loop_watch *w, uint32_t first, struct stall *to, uint32_t max);

#endif

/*
 * The slow path of a loop watch: what a long gap was. The kernel's own account of the thread (run
 * delay in schedstat, involuntary switches in status) tells a driver that works for long from a
 * thread that was taken off its core; it costs a few microseconds, so it is read only after a gap
 * over the threshold.
 */
#include "common/dpdk/loop.h"

#include "common/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A rise of the run delay below this is the scheduler's ordinary business, not a stall. */
#define RUN_DELAY_FLOOR_NS 20000u

static size_t read_whole(int fd, char *buf, size_t len)
{
	ssize_t n = fd < 0 ? -1 : pread(fd, buf, len - 1, 0);

	if (n < 0)
		n = 0;
	buf[n] = '\0';
	return (size_t)n;
}

/* True when the kernel says that the thread waited for its core since the last look. */
static bool taken_off_core(struct loop_watch *w)
{
	static const char key[] = "nonvoluntary_ctxt_switches:";
	char text[4096];
	unsigned long long run_delay = w->run_delay_ns, involuntary = w->involuntary;
	bool taken;
	const char *at;

	if (read_whole(w->schedstat_fd, text, sizeof(text)))
		sscanf(text, "%*u %llu", &run_delay);
	if (read_whole(w->status_fd, text, sizeof(text)) && (at = strstr(text, key)))
		involuntary = strtoull(at + strlen(key), NULL, 10);
	taken = run_delay > w->run_delay_ns + RUN_DELAY_FLOOR_NS || involuntary > w->involuntary;
	w->run_delay_ns = run_delay;
	w->involuntary = involuntary;
	return taken;
}

struct loop_watch *loop_watch_new(uint64_t threshold_ns, bool driver_makes_syscalls)
{
	struct loop_watch *w = aligned_alloc(64, (sizeof(*w) + 63) / 64 * 64);

	if (!w)
		return NULL;
	/* Touches every page now, so that the polling thread does not fault later. */
	memset(w, 0, sizeof(*w));
	w->threshold = (uint64_t)((double)threshold_ns * clock_hz_estimate() / 1e9);
	w->driver_makes_syscalls = driver_makes_syscalls;
	w->schedstat_fd = -1;
	w->status_fd = -1;
	hist_reset(&w->own);
	hist_reset(&w->driver);
	return w;
}

void loop_watch_start(struct loop_watch *w)
{
	w->schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	w->status_fd = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
	taken_off_core(w); /* takes the first reading */
}

void loop_watch_reset(struct loop_watch *w)
{
	w->stall_count = 0;
	w->stall_cycles = 0;
	w->stall_max = 0;
	w->last_stall_end = 0;
	hist_reset(&w->own);
	hist_reset(&w->driver);
	taken_off_core(w);
}

void loop_watch_stop(struct loop_watch *w)
{
	if (w->schedstat_fd >= 0)
		close(w->schedstat_fd);
	if (w->status_fd >= 0)
		close(w->status_fd);
	w->schedstat_fd = -1;
	w->status_fd = -1;
}

void loop_watch_free(struct loop_watch *w)
{
	if (!w)
		return;
	loop_watch_stop(w);
	free(w);
}

__attribute__((noinline, cold)) bool loop_long_gap(struct loop_watch *w, uint64_t begin,
						   uint64_t end, bool in_driver)
{
	uint64_t gap = end - begin;
	bool taken = taken_off_core(w);
	uint64_t n = w->stall_count;

	if (in_driver && w->driver_makes_syscalls && !taken)
		return false;
	w->stalls[n % LOOP_MAX_STALLS] = (struct stall){.begin = begin, .end = end};
	if (gap > w->stall_max)
		w->stall_max = gap;
	w->stall_cycles += gap;
	w->last_stall_end = end;
	/* Last: a reader that sees the count sees the stall. */
	__atomic_store_n(&w->stall_count, n + 1, __ATOMIC_RELEASE);
	return true;
}

uint32_t loop_stalls(const struct loop_watch *w, uint32_t first, struct stall *to, uint32_t max)
{
	uint64_t count = __atomic_load_n(&w->stall_count, __ATOMIC_ACQUIRE);
	uint64_t oldest = count > LOOP_MAX_STALLS ? count - LOOP_MAX_STALLS : 0;
	uint32_t n = 0;

	while (n < max && oldest + first + n < count) {
		to[n] = w->stalls[(oldest + first + n) % LOOP_MAX_STALLS];
		n++;
	}
	return n;
}

/*
 * Running the workers through a segment. The control thread sleeps most of the time: on a machine
 * with no core to spare it shares one with a worker.
 */
#include "gen/crew.h"

#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "gen/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TICK_NS		 20000000
#define READY_NS	 200000
#define BEGIN_AFTER_S	 0.003 /* from the last worker's being ready to the first frame */
#define LINK_CHECK_TICKS 5     /* a look at the link each 100 ms */
#define LINK_LOST_TICKS	 50    /* down for a second: the segment is over */

static void reset_counters(struct generator *g, uint64_t trial_cycles)
{
	g->trial_id++;
	for (uint16_t d = 0; d < g->n_directions; d++) {
		struct direction *direction = &g->directions[d];

		for (unsigned int w = 0; w < g->crew.n; w++) {
			sender_reset(&direction->lanes[w], g->trial_id,
				     lane_space(g->crew.n, d, w, direction->streams), trial_cycles);
			accounts_reset(direction->accounts[w], direction->streams);
		}
		for (unsigned int i = 0; i < g->crew.n * direction->streams; i++)
			seq_merge_reset(&direction->merges[i]);
	}
	for (unsigned int w = 0; w < g->crew.n; w++) {
		struct worker *worker = &g->workers[w];

		for (uint16_t i = 0; i < g->n_ports; i++)
			receiver_reset(&worker->receivers[i], g->trial_id);
		loop_watch_reset(worker->watch);
		g->crew.stalls[w].end = 0;
		worker->phase = WORKER_STARTING;
	}
}

/* The least advanced phase of all workers. */
static int slowest_phase(const struct generator *g)
{
	int slowest = WORKER_DONE;

	for (unsigned int w = 0; w < g->crew.n; w++) {
		int phase = __atomic_load_n(&g->workers[w].phase, __ATOMIC_ACQUIRE);

		if (phase < slowest)
			slowest = phase;
	}
	return slowest;
}

/* Nothing is missing and nothing has come for a while. */
static bool all_quiet(const struct generator *g)
{
	uint64_t last = 0;

	for (uint16_t d = 0; d < g->n_directions; d++) {
		uint64_t sent = 0, received;

		for (unsigned int l = 0; l < g->crew.n; l++)
			sent += g->directions[d].lanes[l].sent;
		received = direction_received(&g->directions[d], g->crew.n);
		if (received < sent)
			return false;
	}
	for (unsigned int w = 0; w < g->crew.n; w++) {
		const struct worker *worker = &g->workers[w];

		if (worker->tx_end > last)
			last = worker->tx_end;
		for (uint16_t i = 0; i < worker->n_receivers; i++) {
			uint64_t rx =
				__atomic_load_n(&worker->receivers[i].last_rx, __ATOMIC_RELAXED);

			if (rx > last)
				last = rx;
		}
	}
	return tsc_now() - last >= g->crew.segment.quiet;
}

static bool links_up(struct generator *g)
{
	bool up = true;

	for (uint16_t i = 0; i < g->n_ports; i++)
		up &= port_link(&g->ports[i]);
	for (uint16_t d = 0; d < g->n_directions; d++)
		for (unsigned int l = 0; l < g->crew.n; l++)
			__atomic_store_n(&g->directions[d].lanes[l].link_down, !up,
					 __ATOMIC_RELAXED);
	return up;
}

static void merge(struct generator *g)
{
	for (uint16_t d = 0; d < g->n_directions; d++)
		for (unsigned int i = 0; i < g->crew.n * g->directions[d].streams; i++)
			seq_merge_run(&g->directions[d].merges[i]);
}

static void supervise(struct generator *g, struct progress *progress, const char *phase,
		      bool *link_lost)
{
	double planned_s = (double)g->crew.segment.duration / g->hz;
	uint64_t begin = clock_ns();
	unsigned int n = 0, down = 0;
	int slowest;

	while ((slowest = slowest_phase(g)) != WORKER_DONE) {
		double left = planned_s - (double)(clock_ns() - begin) / 1e9;

		clock_sleep(TICK_NS);
		merge(g);
		if (progress)
			progress_tick(progress, g, slowest == WORKER_DRAINING ? "drain" : phase,
				      left > 0 ? left : 0);
		if (slowest >= WORKER_DRAINING && all_quiet(g))
			__atomic_store_n(&g->crew.drained, true, __ATOMIC_RELAXED);
		if (++n % LINK_CHECK_TICKS == 0) {
			bool up = links_up(g);

			down = up ? 0 : down + LINK_CHECK_TICKS;
			if (g->crew.segment.bears_outage) {
				*link_lost = !up;
				continue;
			}
			*link_lost |= !up;
			if (down >= LINK_LOST_TICKS)
				__atomic_store_n(&g->crew.abort, true, __ATOMIC_RELAXED);
		}
	}
	for (unsigned int w = 0; w < g->crew.n; w++)
		for (uint16_t i = 0; i < g->n_ports; i++)
			*link_lost |= g->workers[w].receivers[i].goodbye;
}

/* Workers start one after the other; the first frame waits for the last of them. */
static void begin_together(struct generator *g)
{
	while (slowest_phase(g) < WORKER_READY)
		clock_sleep(READY_NS);
	__atomic_store_n(&g->crew.begin, tsc_now() + (uint64_t)(BEGIN_AFTER_S * g->hz),
			 __ATOMIC_RELEASE);
}

int crew_run(struct generator *g, const struct segment *segment, struct progress *progress,
	     const char *phase, bool *link_lost, char *err, size_t errlen)
{
	struct poll_thread threads[MAX_WORKERS];
	unsigned int started = 0;
	int rc = 0;

	g->crew.segment = *segment;
	g->crew.begin = 0;
	g->crew.abort = false;
	g->crew.drained = false;
	reset_counters(g, segment->duration);
	for (; started < g->crew.n && !rc; started++) {
		char name[32];

		snprintf(name, sizeof(name), "tandem-poll%u", started);
		rc = poll_thread_start(&threads[started], g->workers[started].lcore, name,
				       worker_run, &g->workers[started]);
		if (rc)
			break;
	}
	if (rc) {
		snprintf(err, errlen, "polling thread %u: %s", started, strerror(-rc));
		__atomic_store_n(&g->crew.abort, true, __ATOMIC_RELAXED);
		__atomic_store_n(&g->crew.begin, tsc_now(), __ATOMIC_RELEASE);
	} else {
		begin_together(g);
		supervise(g, progress, phase, link_lost);
	}
	while (started)
		poll_thread_join(&threads[--started]);
	return rc;
}

/*
 * The polling loop of one core: receive, account, send what is due; one segment of a trial at a
 * time.
 *
 * Worker w sends on queue w of every sending port, in sequence spaces of its own, and receives on
 * queue w of every receiving port; what another worker sent may come back to it. Workers share
 * nothing that is written while they run, but for what the crew says below.
 */
#ifndef TANDEM_WORKER_H
#define TANDEM_WORKER_H

#include "common/dpdk/loop.h"
#include "gen/direction.h"
#include "gen/receiver.h"

#include <stdbool.h>
#include <stdint.h>

/* What the workers are asked to do. Rates and frames are of a direction; each worker does its
 * share. */
struct segment {
	double pps;	   /* 0 is rate max */
	uint64_t frames;   /* UINT64_MAX when the duration alone counts */
	uint64_t duration; /* cycles of sending at most */
	uint64_t drain;	   /* cycles to wait for stragglers at most */
	uint64_t quiet; /* cycles without a frame after which a drain with nothing missing ends */
	double lag_seconds;
	double then_pps; /* the load falls to this after then_after cycles; 0: it stays */
	uint64_t then_after;
	uint64_t train; /* frames due together, 0 or 1 for evenly spaced */
	bool poisson;	/* exponential gaps */
	uint64_t seed;	/* of the gaps */
	double hz;
	bool receive;	   /* false: transmit only */
	bool bears_outage; /* a link that goes down does not end it */
};

enum worker_phase { WORKER_STARTING, WORKER_READY, WORKER_SENDING, WORKER_DRAINING, WORKER_DONE };

/* When a worker's last stall ended: written once a stall, on a line of its own. */
struct stall_mark {
	uint64_t end;
} __attribute__((aligned(64)));

/* What workers and control thread share. */
struct crew {
	struct segment segment;
	unsigned int n;		   /* workers */
	const volatile bool *stop; /* the user asked to stop */
	/* Set by the control thread. */
	uint64_t begin; /* TSC at which sending begins, 0 before it is known */
	bool abort;	/* the link is lost for good */
	bool drained;	/* nothing is missing any more */
	struct stall_mark stalls[MAX_WORKERS];
};

struct worker {
	unsigned int index, lcore;
	struct crew *crew;
	struct direction *directions;
	uint16_t n_directions, n_receivers;
	bool shares_core; /* more workers than cores: gives way when there is nothing to do */
	struct receiver receivers[MAX_PORTS];
	struct inbound *inbound; /* by sequence space */
	struct capture_tap *tap; /* gets a copy of what is received; NULL for none */
	uint32_t floors_heeded;	 /* spaces looked at so far for what the merging waits for */
	uint32_t rx_budget;	 /* frames taken from a port in a round at most */
	struct loop_watch *watch;
	uint64_t tx_end; /* TSC */
	int phase;
} __attribute__((aligned(64)));

/* Runs the crew's segment; the poll thread's function. Counters must have been reset. Returns 0. */
int worker_run(void *worker);

#endif

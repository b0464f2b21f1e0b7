/*
 * The polling loop of one core: receive, account, send what is due; one segment of a trial at a
 * time.
 */
#ifndef TANDEM_WORKER_H
#define TANDEM_WORKER_H

#include "common/dpdk/loop.h"
#include "gen/receiver.h"
#include "gen/sender.h"

#include <stdbool.h>
#include <stdint.h>

/* Traffic one way: sent on a port, received on the same one or on another. */
struct direction {
	struct sender tx;
	struct inbound rx;
	uint16_t tx_port, rx_port;
	struct frame_spec spec;
	struct frame frame;
};

/* What the polling thread is asked to do. */
struct segment {
	double pps;	   /* a direction; 0 is rate max */
	uint64_t frames;   /* a direction; UINT64_MAX when the duration alone counts */
	uint64_t duration; /* cycles of sending at most */
	uint64_t drain;	   /* cycles to wait for stragglers at most */
	uint64_t quiet; /* cycles without a frame after which a drain with nothing missing ends */
	double lag_seconds;
	uint64_t train; /* frames due together, 0 or 1 for evenly spaced */
	bool poisson;	/* exponential gaps */
	uint64_t seed;	/* of the gaps */
	double hz;
	bool receive; /* false: transmit only */
};

enum worker_phase { WORKER_IDLE, WORKER_SENDING, WORKER_DRAINING, WORKER_DONE };

struct worker {
	struct direction *directions;
	uint16_t n_directions;
	struct receiver *receivers;
	uint16_t n_receivers;
	struct loop_watch *watch;
	const volatile bool *stop; /* the user asked to stop */
	bool abort;		   /* set by the control thread: the link is lost for good */
	struct segment segment;
	/* Written by the polling thread. */
	uint64_t begin, tx_end, end; /* TSC */
	int phase;
};

/* Runs w->segment; the poll thread's function. Counters must have been reset. Returns 0. */
int worker_run(void *worker);

#endif

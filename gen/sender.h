/*
 * The sending side of a direction: takes mbufs whose headers were written once, stamps them and
 * hands them to the port.
 *
 * A refused frame keeps its mbuf, its stream and its sequence number, so that a gap in the sequence
 * only ever means loss.
 */
#ifndef TANDEM_SENDER_H
#define TANDEM_SENDER_H

#include "common/hist.h"
#include "gen/checkpoints.h"
#include "gen/frame.h"
#include "gen/pacing.h"
#include "gen/refusals.h"

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <stdbool.h>
#include <stdint.h>

#define SENDER_MAX_BURST 512u
#define SENDER_SLACK	 64u /* behind the largest frame: copies go in whole blocks */

struct replay;
struct capture_tap;

/* A stream as a lane sends it. */
struct sender_stream {
	uint64_t sent;
	uint32_t flow;		       /* of its next frame, an index of the lane's flow headers */
	uint32_t first_flow, end_flow; /* its own flows stand there side by side */
};

struct sender {
	/* Written by the polling thread alone, read by the control thread for its progress line. */
	uint64_t sent, refused, unsent, backpressured;
	uint64_t no_mbuf;   /* part of unsent */
	uint64_t unstamped; /* of a replay: sent without a stamp, no part of sent */
	uint64_t bytes;	    /* of a replay: frame sizes of all that was sent */

	uint16_t port, queue, burst;
	bool wait_on_full; /* a frame that finds the ring full waits instead of being refused */
	bool link_down;	   /* set by the control thread: what is due is unsent */
	uint16_t n_ready;
	uint32_t len, stamp_at;
	uint32_t turn_of;   /* the stream whose turn it is */
	uint32_t turn_left; /* frames left of it */
	struct deal deal;
	uint8_t trial;
	uint16_t first_space; /* of stream 0; the others follow */
	struct sender_stream *streams;
	uint64_t *flow_headers;
	struct pacing pacing;
	struct capture_tap *tap; /* gets a copy of what is sent; NULL for none */
	uint16_t tap_port;
	struct replay *replay; /* whose frames are sent instead; NULL for none */
	uint64_t frame_limit;  /* at rate max: frames to send, UINT64_MAX for no limit */
	uint64_t last_departure;
	uint64_t side_by_side; /* departures in one burst with the frame before: a spacing of 0 */
	struct rte_mempool *pool;
	struct checkpoints *checkpoints;
	struct refusals *refusals;
	struct hist *lateness, *spacing; /* cycles */
	struct rte_mbuf *ready[SENDER_MAX_BURST];
} __attribute__((aligned(64)));

/* The pool of n mbufs with room for max_frame, and what belongs to a sender of so many streams and
 * at least as many flows. 0 or -ENOMEM with a line in err. */
int sender_open(struct sender *s, uint16_t port, uint16_t queue, uint32_t streams, uint32_t n_flows,
		uint32_t mbufs, uint32_t max_frame, char *err, size_t errlen);
void sender_close(struct sender *s);

/* Gives each stream its own of n flows, at least one: flow f is of stream f modulo the streams. */
void sender_deal_flows(struct sender *s, uint32_t n_flows);

/* Writes the headers into every mbuf of the pool. None may be in flight. */
void sender_load(struct sender *s, const struct frame_spec *spec, const struct frame *frame);

/* Clears the counters and histograms for a trial of about trial_cycles; space is the sequence
 * space of the first stream. */
void sender_reset(struct sender *s, uint8_t trial, uint16_t space, uint64_t trial_cycles);

/* How the frames of a trial are dealt to the streams: before the first of them is sent. */
void sender_deal(struct sender *s, const struct deal *deal);

/* rte_eth_tx_burst of the mbufs that are ready; what is sent at now is captured where it is asked
 * for. */
uint16_t sender_transmit(struct sender *s, uint16_t n, uint64_t now);

/* Sends what is due at now, one burst at most. True when a full burst went out: more may be due. */
bool sender_run(struct sender *s, uint64_t now);

/* At rate max: as many frames were sent as were asked for. */
static inline bool sender_done(const struct sender *s)
{
	return s->sent + s->unstamped >= s->frame_limit;
}

#endif

/*
 * The receiving side: every frame's stamp is found, checked and held against the sequence window of
 * its direction; its round-trip time goes into one of two histograms.
 */
#ifndef TANDEM_RECEIVER_H
#define TANDEM_RECEIVER_H

#include "common/hist.h"
#include "common/stamp.h"
#include "gen/frame.h"
#include "gen/neighbour.h"
#include "gen/seq_window.h"

#include <rte_mbuf.h>

#include <stdbool.h>
#include <stdint.h>

/* One round trip as it was measured. */
struct sample {
	uint64_t seq, rx, rtt; /* TSC cycles */
};

/* What one core received of one direction. One writer: its polling thread. */
struct account {
	uint64_t received;  /* first copies, as far as this core can tell */
	struct hist *clean; /* round trips in cycles of frames outside the shadow of the generator's
			       stalls */
	struct hist *shadow; /* those within: sent before a stall ended, received after it began */
	uint64_t corrupt;    /* payload not as sent; only when verifying */
	uint64_t negative;   /* received before it was sent: impossible */
	uint64_t beyond;     /* a sequence number that was never sent */
	uint64_t last_rtt;
	uint64_t last_seq;
	uint64_t jitter_x16; /* RFC 3550, section 6.4.1, in sixteenths of a cycle */
	/* |delay variation| of frames sent one after the other: RFC 5481 */
	uint64_t ipdv_pairs, ipdv_sum, ipdv_max;
	struct sample *samples; /* room for max_samples, NULL when none are asked for */
	uint64_t n_samples, max_samples;
	uint64_t first_rx, last_rx; /* TSC */
	uint64_t received_while_sending;
};

/* A sequence space as a receiver sees it. */
struct inbound {
	struct account *account;
	struct seq_window *window;
	const uint64_t *sent;	   /* no number at or above it exists */
	const struct frame *frame; /* what was sent, for verifying */
	uint16_t rx_port;
};

struct receiver {
	uint16_t port, queue;
	uint16_t tx_queue; /* for answers to ARP */
	uint8_t trial;
	bool verify;
	bool goodbye; /* the peer said it goes: poll no more */
	uint64_t foreign, stale, misdirected;
	uint64_t arp_answered;
	uint64_t last_rx; /* TSC of the last burst that held anything */
	struct neighbour_self self;
	struct rte_mempool *pool;      /* for answers */
	const struct inbound *inbound; /* by sequence space */
	uint16_t n_inbound;
};

/* Memory of a direction's account, with room for max_samples raw samples (may be 0). 0, or -ENOMEM.
 */
int account_open(struct account *a, uint64_t max_samples);
void account_close(struct account *a);
void account_reset(struct account *a);

void receiver_reset(struct receiver *r, uint8_t trial);

/*
 * Takes a burst that was received at now and frees it. since_stall is how long ago the generator's
 * last stall ended, UINT64_MAX when there was none: what travelled for longer was in its shadow.
 */
void receiver_take(struct receiver *r, struct rte_mbuf **burst, uint16_t n, uint64_t now,
		   uint64_t since_stall);

#endif

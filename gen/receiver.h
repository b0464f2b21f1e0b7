/*
 * The receiving side: every frame's stamp is found, checked and held against the sequence window of
 * its direction; its round-trip time goes into one of two histograms.
 */
#ifndef TANDEM_RECEIVER_H
#define TANDEM_RECEIVER_H

#include "gen/account.h"
#include "gen/neighbour.h"

#include <rte_mbuf.h>

#include <stdbool.h>
#include <stdint.h>

struct receiver {
	uint16_t port, queue;
	uint16_t tx_queue; /* for answers to ARP */
	uint8_t trial;
	bool verify;
	bool goodbye; /* the peer said it goes: poll no more */
	uint64_t foreign, stale;
	uint64_t last_rx; /* TSC of the last burst that held anything */
	/* TX time of the latest frame, and the longest time between two that came one after the
	 * other: nothing that was sent in between, if anything was, came in between. */
	uint64_t last_tx, gap_max;
	struct neighbour_self self;
	struct rte_mempool *pool;      /* for answers */
	const struct inbound *inbound; /* by sequence space */
	uint32_t n_inbound;
};

void receiver_reset(struct receiver *r, uint8_t trial);

/*
 * Takes a burst that was received at now and frees it. since_stall is how long ago the generator's
 * last stall ended, UINT64_MAX when there was none: what travelled for longer was in its shadow.
 */
void receiver_take(struct receiver *r, struct rte_mbuf **burst, uint16_t n, uint64_t now,
		   uint64_t since_stall);

#endif

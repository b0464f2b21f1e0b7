/*
 * Accounts: what a core knows of the frames it received of a stream in a direction. Frames come in
 * runs: a burst that was stamped once comes back with consecutive numbers and one round-trip time,
 * and is booked at once.
 */
#ifndef TANDEM_ACCOUNT_H
#define TANDEM_ACCOUNT_H

#include "common/hist.h"
#include "common/stamp.h"
#include "gen/frame.h"
#include "gen/seq_window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One round trip as it was measured. */
struct sample {
	uint64_t seq, rx, rtt; /* TSC cycles */
	uint16_t space;
};

/* The samples of all streams of a direction, on one core. */
struct sample_list {
	uint64_t n, max;
	struct sample sample[];
};

/* What one core received of one stream. One writer: its polling thread. */
struct account {
	uint64_t received;  /* first copies, as far as this core can tell */
	uint64_t bytes;	    /* of them, no FCS */
	struct hist *clean; /* round trips in cycles of frames outside the shadow of the generator's
			       stalls */
	uint64_t last_rtt;
	uint64_t last_seq;
	double jitter;		 /* RFC 3550, section 6.4.1, cycles */
	uint64_t last_clean_rtt; /* the same, of frames outside the shadow */
	double clean_jitter;
	struct sample_list *samples; /* shared by all streams; NULL when none are asked for */

	/* |delay variation| of frames sent one after the other: RFC 5481 */
	uint64_t ipdv_pairs, ipdv_sum, ipdv_max;
	uint16_t last_space;
	struct hist *shadow;  /* those within: sent before a stall ended, received after it began */
	uint64_t corrupt;     /* payload not as sent, or a checksum that the port found wrong */
	uint64_t negative;    /* received before it was sent: impossible */
	uint64_t beyond;      /* a sequence number that was never sent */
	uint64_t misdirected; /* came back on another port */
	uint64_t received_while_sending;
} __attribute__((aligned(64)));

/* A sequence space as a receiver sees it. */
struct inbound {
	struct account *account;
	struct seq_window *window;
	const uint64_t *sent;	   /* no number at or above it exists; UINT64_MAX where another core
				      counts them */
	const struct frame *frame; /* what was sent, for verifying */
	uint16_t rx_port, space;
};

/*
 * Memory of the accounts of n streams, with room for max_samples raw samples (may be 0). All pages
 * are touched, so that the polling thread does not fault. NULL when out of memory.
 */
struct account *accounts_new(uint32_t n, uint64_t max_samples);
void accounts_free(struct account *accounts, uint32_t n);

/* Bytes that the accounts of n streams take, samples left out. */
size_t accounts_size(uint32_t n);

void accounts_reset(struct account *accounts, uint32_t n);

/* Frames of a space with consecutive numbers and the same times. */
struct frame_run {
	uint32_t first; /* as in the stamp */
	uint32_t n;
	uint32_t len; /* bytes of each, no FCS */
	uint64_t tx_time, now, since_stall;
	bool corrupt; /* payload not as sent: they count as received and give no sample */
};

/*
 * Fetches what booking a run of that round trip will touch, while its frames are still compared:
 * with many streams it is in no near cache.
 */
static inline void account_prefetch(const struct inbound *in, uint64_t rtt)
{
	struct hist *clean = in->account->clean;

	__builtin_prefetch(in->window, 1);
	__builtin_prefetch(clean, 1);
	__builtin_prefetch(&clean->bucket[hist_index(rtt)], 1);
}

/* Books a run. */
void account_run(const struct inbound *in, const struct frame_run *run);

#endif

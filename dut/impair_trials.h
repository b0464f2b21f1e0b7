/*
 * What an impairment did, trial by trial: exact counts of stamped frames, as the generator must
 * find them.
 *
 * A stream remembers its latest trials, each with its own counts, its own decisions and the highest
 * sequence number sent of each sequence space. The stream's thread is the one writer; others read
 * through impair_counts_read.
 */
#ifndef TANDEM_DUT_IMPAIR_TRIALS_H
#define TANDEM_DUT_IMPAIR_TRIALS_H

#include "dut/impair_stages.h"

#include <stdint.h>

#define IMPAIR_TRIALS 8u /* remembered by a stream */

/* What is counted. Frames are counted once that decision is final: when they are dropped, or when
 * the sending port took them. */
enum impair_count {
	COUNT_SEEN,	       /* stamped frames received */
	COUNT_OUTAGE,	       /* taken out by the outage */
	COUNT_POLICED,	       /* taken out by the policer */
	COUNT_DROPPED,	       /* taken out by drop */
	COUNT_SENT_FIRST,      /* sent, copies not counted */
	COUNT_DUPLICATED,      /* copies sent */
	COUNT_REORDERED,       /* sent with a sequence number below one sent before (RFC 4737) */
	COUNT_DELAYED,	       /* sent after the delay stage held them */
	COUNT_CORRUPTED,       /* sent with a bit flipped */
	COUNT_CORRUPT_REFUSED, /* chosen, but without a byte between headers and stamp */
	COUNT_TX_DROPPED,      /* not taken by the sending port, copies not counted */
	COUNT_HELD_AT_END,     /* still held when the DUT stopped */
	IMPAIR_COUNTS
};

/* The count's name in the record. */
const char *impair_count_name(unsigned int count);

/* The latest sequence numbers sent of each space: a number and the use of the trial's place that
 * wrote it, so that nothing need be cleared when a trial begins. */
struct impair_sequences {
	uint64_t next[65536]; /* use << 48 | highest number sent + 1 */
};

struct impair_trial {
	uint64_t count[IMPAIR_COUNTS];
	uint64_t begin;	  /* TSC of its first frame; 0 for an empty place */
	uint8_t number;	  /* as stamped */
	uint16_t use;	  /* how often the place was taken */
	bool stamp_clock; /* its stamps are of this host's TSC: they clock outage and policer */
	struct impair_stages stages;
	struct impair_sequences *sequences;
};

struct impair_trials {
	const struct impair_list *list;
	uint64_t seed;
	uint32_t stream;
	double hz;
	struct impair_trial *latest; /* the place used last, NULL before the first */
	struct impair_trial trial[IMPAIR_TRIALS];
	uint64_t total[IMPAIR_COUNTS]; /* of all trials, those forgotten too */
};

/* 0, or -ENOMEM with nothing left to close. */
int impair_trials_open(struct impair_trials *t, const struct impair_list *list, uint64_t seed,
		       uint32_t stream, double hz);
void impair_trials_close(struct impair_trials *t);

/* Slow path of impair_trial_find: another trial than the last frame's. The oldest makes room. */
struct impair_trial *impair_trial_other(struct impair_trials *t, uint8_t number, uint64_t tx_time,
					uint64_t now);

/* The trial of a frame that arrived, from its stamp and the TSC now. */
static inline struct impair_trial *impair_trial_find(struct impair_trials *t, uint8_t number,
						     uint64_t tx_time, uint64_t now)
{
	if (__builtin_expect(t->latest && t->latest->number == number, 1))
		return t->latest;
	return impair_trial_other(t, number, tx_time, now);
}

/* Adds one to a count. The trial may be NULL: forgotten meanwhile. */
static inline void impair_count(struct impair_trials *t, struct impair_trial *trial,
				enum impair_count what)
{
	if (trial)
		__atomic_store_n(&trial->count[what], trial->count[what] + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&t->total[what], t->total[what] + 1, __ATOMIC_RELAXED);
}

/*
 * Notes that the first copy of a frame is sent. True when a higher number of its space was sent
 * before: the frame is reordered as RFC 4737 has it.
 */
bool impair_sequence_sent(struct impair_trial *trial, uint16_t space, uint32_t seq);

struct impair_trial_counts {
	uint8_t number;
	uint64_t begin; /* TSC */
	uint64_t count[IMPAIR_COUNTS];
};

struct impair_counts {
	uint64_t total[IMPAIR_COUNTS];
	unsigned int n_trials; /* the latest, the last one last */
	struct impair_trial_counts trial[IMPAIR_TRIALS];
};

/* Adds a stream's counts, running or not, to *to, which starts zeroed; equal trials are summed. */
void impair_counts_read(const struct impair_trials *t, struct impair_counts *to);

#endif

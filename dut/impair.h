/*
 * The impair engine: one stream's state, and what the DUT as a whole does with all of them.
 *
 * Order of the stages: outage, rate, drop, corrupt, dup, reorder, delay, send; the outage is first
 * since a DUT that is down sees nothing, so that its policer and its chances do not move. Only
 * frames with a stamp are impaired; all others (ARP, control frames) go straight through. A frame
 * that is held stays in its mbuf, and when there is no room for more, nothing more is received: no
 * frame is lost that no impairment took.
 */
#ifndef TANDEM_DUT_IMPAIR_H
#define TANDEM_DUT_IMPAIR_H

#include "dut/engine.h"
#include "dut/hold.h"
#include "dut/impair_log.h"
#include "dut/impair_trials.h"

#include <jansson.h>

#define IMPAIR_OUT 64u /* frames sent together */

/* What the DUT remembers of a frame until it is sent. */
struct impair_mark {
	uint64_t release; /* delay stage: TSC from which on it is sent */
	uint32_t seq;
	uint16_t space;
	uint16_t use;	/* of the trial's place when the frame came */
	uint8_t place;	/* index of its trial */
	uint8_t number; /* of its trial */
	uint8_t flags;	/* MARK_*; 0 for a frame without a stamp */
};

enum {
	MARK_STAMPED = 1 << 0,
	MARK_COPY = 1 << 1,  /* is a copy */
	MARK_TWICE = 1 << 2, /* a copy is to be sent behind it */
	MARK_CORRUPT = 1 << 3
};

struct impair {
	const struct impair_list *list;
	int mark_at;	      /* where in an mbuf its mark stands */
	uint64_t passed;      /* frames that passed the reorder stage without being held */
	uint64_t last_frame;  /* TSC of the last burst */
	uint64_t flush_after; /* cycles */
	struct hold reorder, delay;
	struct impair_trials trials;
	struct impair_log log;
	unsigned int n_out;
	struct rte_mbuf *out[IMPAIR_OUT];
	struct impair_mark out_mark[IMPAIR_OUT];
};

struct dut;

/* Mbufs that a queue's held frames and copies need beyond what an io queue does. */
uint32_t impair_mbufs(const struct impair_list *list);

/* Gives every stream of the DUT its state. 0 or a negative errno with a line in err. */
int impair_setup(struct dut *d, char *err, size_t errlen);
void impair_teardown(struct dut *d);

/* Counts of all streams together, running or not. */
void impair_counts(const struct dut *d, struct impair_counts *to);

/* Says on stderr, once, that there are frames which cannot be corrupted. */
void impair_tell(const struct dut *d);

/* The "impairment" of the record, null in other modes. New reference. */
json_t *impair_record(const struct dut *d);

/* Writes --impair-log, if asked for. 0 or a negative errno with a line in err. */
int impair_log_save(const struct dut *d, char *err, size_t errlen);

#endif

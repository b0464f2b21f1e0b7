/*
 * The list of impairments as the user writes it: --impair drop=0.001,reorder=0.002:5,delay=50us.
 */
#ifndef TANDEM_DUT_IMPAIR_LIST_H
#define TANDEM_DUT_IMPAIR_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMPAIR_LIST_TEXT 256u
#define IMPAIR_MAX_DEPTH 1024u

/*
 * Bits of impair_list.kinds, in the order in which a frame meets them; a stall is the loop's. Their
 * values are part of the seeds of decisions and stay.
 */
enum impair_kind {
	IMPAIR_OUTAGE = 1 << 7,
	IMPAIR_RATE = 1 << 0,
	IMPAIR_DROP = 1 << 1,
	IMPAIR_CORRUPT = 1 << 2,
	IMPAIR_DUP = 1 << 3,
	IMPAIR_REORDER = 1 << 4,
	IMPAIR_DELAY = 1 << 5,
	IMPAIR_STALL = 1 << 6
};

/*
 * A probability as a threshold of 63-bit random numbers: an event happens when the number is below
 * it, so that 1 (2^63) is always and 0 never.
 */
#define CHANCE_ALWAYS (1ull << 63)

struct impair_list {
	unsigned int kinds;
	uint64_t outage_from_ns;	/* since the trial's first frame */
	uint64_t outage_to_ns;		/* the first moment after it */
	double pps;			/* rate: frames a second */
	uint64_t bucket;		/* rate: frames that pass at once after a pause */
	uint64_t drop;			/* chance; not used when drop_of is set */
	uint32_t drop_n, drop_of;	/* drop: n of every so many; drop_of 0 for a chance */
	uint64_t corrupt, dup, reorder; /* chances */
	uint32_t depth;			/* reorder: later frames that pass a held one */
	uint64_t delay_min_ns, delay_max_ns;
	uint64_t stall_ns, stall_period_ns;
	char text[IMPAIR_LIST_TEXT]; /* as given */
};

/*
 * Reads text and adds it to *list, which starts zeroed. Returns 0, or -EINVAL with one line in err:
 * an unknown impairment, one given twice, or a value that is wrong or out of bounds.
 */
int impair_list_parse(struct impair_list *list, const char *text, char *err, size_t errlen);

/* Frames that the reorder stage and the delay stage of one stream hold at most; 0 without them. */
uint32_t impair_reorder_room(const struct impair_list *list);
uint32_t impair_delay_room(const struct impair_list *list);

#endif

/*
 * One sequence space that several cores receive: their windows' words put together, exactly.
 *
 * With receive-side scaling a frame may come back on any core. Each core keeps a window of its own,
 * without locks or shared lines; the control thread ORs the words that have left all of them. A
 * number that two cores have is a duplicate. With a single core there is nothing to merge, and its
 * window is the result itself.
 */
#ifndef TANDEM_SEQ_MERGE_H
#define TANDEM_SEQ_MERGE_H

#include "gen/seq_window.h"

#include <stdbool.h>

#define SEQ_MAX_CORES 16

struct seq_merge {
	struct seq_window *window[SEQ_MAX_CORES]; /* one a receiving core; owned */
	unsigned int n;
	struct seq_window *result; /* window[0] when there is one core; else owned */
	uint64_t floor; /* cores let words below this leave their windows; set by the control thread
			 */
	bool incomplete; /* a log overflowed: the accounts cannot be right */
};

/* 0 or -ENOMEM. */
int seq_merge_open(struct seq_merge *m, unsigned int cores, const struct seq_sizes *sizes);
void seq_merge_close(struct seq_merge *m);
void seq_merge_reset(struct seq_merge *m);

/* Merges what all cores have let go; the control thread calls it often while they receive. */
void seq_merge_run(struct seq_merge *m);

/*
 * Settles all: numbers 0..sent-1 were sent, no core receives any more. The result then holds
 * received, duplicate, reordered, lost and the loss runs of all cores together.
 */
void seq_merge_finish(struct seq_merge *m, uint64_t sent);

/* First copies so far, as the cores see them one by one: for progress only. */
uint64_t seq_merge_received(const struct seq_merge *m);

#endif

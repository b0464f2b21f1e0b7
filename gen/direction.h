/*
 * Traffic one way: its frames, its lanes (a worker sends one each) and streams, and the accounts of
 * what came back. Opened once, used for many trials.
 */
#ifndef TANDEM_DIRECTION_H
#define TANDEM_DIRECTION_H

#include "gen/account.h"
#include "gen/sender.h"
#include "gen/seq_merge.h"

#include <stddef.h>
#include <stdint.h>

#define MAX_PORTS   2
#define MAX_WORKERS SEQ_MAX_CORES

/* Traffic one way: sent on a port, received on the same one or on another. */
struct direction {
	uint16_t tx_port, rx_port; /* indices of the generator's ports */
	struct frame_spec spec;
	struct frame frame;
	uint32_t streams;
	struct sender *lanes;		       /* a worker */
	struct account *accounts[MAX_WORKERS]; /* what each worker received, a stream */
	struct seq_merge *merges; /* a lane and stream: its sequence space (direction_merge) */
};

_Static_assert(MAX_STREAMS *MAX_WORKERS *MAX_PORTS <= 65536, "a sequence space has 16 bits");

/* The sequence space of a lane's stream. */
static inline struct seq_merge *direction_merge(const struct direction *d, unsigned int lane,
						uint32_t stream)
{
	return &d->merges[lane * d->streams + stream];
}

/* First copies so far, as the cores see them one by one: for progress only. */
static inline uint64_t direction_received(const struct direction *d, unsigned int workers)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < workers * d->streams; i++)
		n += seq_merge_received(&d->merges[i]);
	return n;
}

/* The sequence space of the first stream of a direction's lane; those of its other streams follow.
 */
static inline uint16_t lane_space(unsigned int workers, unsigned int direction, unsigned int lane,
				  uint32_t streams)
{
	return (uint16_t)((direction * workers + lane) * streams);
}

struct generator;

/*
 * Opens the generator's next direction, from its port tx to its port rx (indices), whose ports and
 * workers are known. 0, or a negative errno with a line in err; direction_close is due in both
 * cases.
 */
int direction_open(struct generator *g, uint16_t tx, uint16_t rx, uint32_t max_frame, char *err,
		   size_t errlen);
void direction_close(struct direction *d, unsigned int workers);

/* As calloc, in cache lines of their own. */
void *calloc_lines(size_t n, size_t size);

#endif

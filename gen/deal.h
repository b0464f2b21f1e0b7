/*
 * How the frames of a lane are dealt to its streams: a turn of frames to each, one stream after the
 * other. Pure arithmetic, both ways, so that nobody keeps a list.
 *
 * A frame that the port refuses keeps its place, so what a stream has sent follows from what the
 * lane has sent.
 */
#ifndef TANDEM_DEAL_H
#define TANDEM_DEAL_H

#include <stdint.h>

#define MAX_STREAMS 1024u

struct deal {
	uint32_t streams;
	uint32_t turn; /* frames that a stream sends before the next one's turn comes */
};

/*
 * The deal at a rate (frames a second of the lane, 0 for max), in bursts and trains of so many
 * frames (train 0 for none). At max a turn is a burst, for whoever sends as fast as possible is not
 * to pay for streams frame by frame. Else a turn is a train, or what is due within a microsecond:
 * frame by frame up to a million a second.
 */
struct deal deal_for(uint32_t streams, double pps, uint32_t burst, uint64_t train);

/* How many of the first n frames of the lane are a stream's. */
uint64_t deal_share(const struct deal *d, uint32_t stream, uint64_t n);

/* The place among the frames of the lane of a stream's frame of that number. */
uint64_t deal_place(const struct deal *d, uint32_t stream, uint64_t seq);

#endif

/*
 * Sending a capture: the second kind of sender. Frames are copied from memory (replay_feed.h) into
 * mbufs, stamped where they have room, and sent when they are due: at the file's own times, faster
 * or slower, at a rate by their actual sizes, or as fast as the port takes them.
 *
 * Nothing is left out because the generator was late: the rest of the capture moves by as much, its
 * gaps as they were, and the record says by how much. A rate is never exceeded to catch up.
 */
#ifndef TANDEM_REPLAY_H
#define TANDEM_REPLAY_H

#include "common/units.h"
#include "gen/replay_feed.h"

#include <stdbool.h>
#include <stdint.h>

enum replay_pace {
	REPLAY_MAX,	 /* nothing is due */
	REPLAY_RECORDED, /* by the gaps of the file */
	REPLAY_FRAMES,	 /* a frame after the other at one rate */
	REPLAY_L1,	 /* each frame takes the time of its bits at a rate */
	REPLAY_L2
};

/* Where it stands in the capture. Frames refused are counted again from a copy of it. */
struct replay_cursor {
	const uint8_t *at;
	unsigned __int128 due; /* of the frame before, cycles since t0 with 32 fractional bits */
	uint32_t bits;	       /* of the frame before */
	uint64_t stamped, unstamped, bytes;
};

struct replay {
	enum replay_pace pace;
	uint64_t scale; /* cycles of a nanosecond, a frame or a bit, with 32 fractional bits */
	uint64_t max_lag;
	uint64_t t0;
	struct replay_cursor cursor;
	const uint8_t *end;	  /* of the chunk in hand; NULL: none */
	bool begun;		  /* the first frame's time is known */
	bool ended;		  /* after the last frame */
	uint64_t shifted, shifts; /* cycles by which the rest was moved, in all; how often */
	uint64_t starved;	  /* looks at the feed that found nothing: the reader is behind */
	struct replay_feed feed;

	const char *path;
	struct replay_facts facts;
	struct replay_rules rules;
	double speed;	      /* of recorded */
	struct rate rate;     /* of the others */
	double requested_pps; /* mean, over whole passes; 0 at max */
};

/* How it is to be sent. */
struct replay_plan {
	const char *path;
	const struct replay_rules *rules;
	const struct replay_facts *facts;
	uint64_t passes; /* 0: without end */
	uint64_t preload_limit;
	bool recorded;
	double speed;
	struct rate rate;
	double line_rate_bps; /* 0: unknown */
};

/* 0 or a negative errno with a line in err; replay_close is due after success alone. */
int replay_open(struct replay *r, const struct replay_plan *plan, char *err, size_t errlen);
void replay_close(struct replay *r);

/* Before a trial: from the first frame on, on a TSC of hz; MACs as they were learnt. 0 or a
 * negative errno with a line in err; replay_end is due after success alone. */
int replay_begin(struct replay *r, const uint8_t dst_mac[6], const uint8_t src_mac[6], double hz,
		 double lag_seconds, char *err, size_t errlen);
int replay_end(struct replay *r, char *err, size_t errlen);

struct sender;

/* Sends what is due at now, as sender_run. */
bool replay_run(struct replay *r, struct sender *s, uint64_t now);

#endif

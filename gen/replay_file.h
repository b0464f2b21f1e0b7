/*
 * A capture file as a replay sends it: frame after frame, rewritten, with room for the stamp, and
 * counted by what was done to them. Read once before the ports are opened, so that what is wrong
 * with it is known then, and again for each pass that is sent.
 */
#ifndef TANDEM_REPLAY_FILE_H
#define TANDEM_REPLAY_FILE_H

#include "common/capture_file.h"
#include "gen/replay_frame.h"

/* What is done to the frames. */
struct replay_rules {
	struct rewrite rewrite;
	enum stamp_how stamp;
	bool fix_sums;	    /* put wrong checksums right */
	uint32_t max_frame; /* frame size, FCS included; 4 bytes more with a VLAN tag */
	/* For captures whose link has no MACs, and for those to be learnt. */
	uint8_t dst_mac[6], src_mac[6];
};

/* What stands in a file. */
struct replay_facts {
	uint64_t frames;     /* that are sent a pass */
	uint64_t bytes;	     /* of their frame sizes */
	uint64_t stampable;  /* of them, frames with room for the stamp */
	uint64_t too_long;   /* left out: longer than max_frame */
	uint64_t left_out;   /* left out: no Ethernet frame can be made of them */
	uint64_t padded;     /* cut in the capture, filled with zeros to the length they had */
	uint64_t wrong_sums; /* frames whose checksums are wrong in the file */
	uint64_t backwards;  /* with a time before the frame in front: sent right behind it */
	uint64_t span_ns;    /* from the first to the last */
	uint64_t room;	     /* bytes that all of them take as records (replay_feed.h) */
	uint32_t largest, smallest; /* frame sizes */
	bool cut_off;		    /* the file ends in the middle of a frame */
	int link;
};

struct replay_frame {
	uint32_t len;	   /* bytes, no FCS */
	uint32_t stamp_at; /* 0: not stamped */
	uint64_t gap_ns;   /* since the frame in front; 0 for the first */
};

struct replay_file {
	struct capture_file capture;
	const struct replay_rules *rules;
	struct replay_facts facts; /* of what was read so far */
	uint64_t last_ns;
};

/* Room for a frame as it is prepared. */
#define REPLAY_ROOM (CAPTURE_MAX_FRAME + 64u)

int replay_file_open(struct replay_file *f, const char *path, const struct replay_rules *rules,
		     char *err, size_t errlen);
void replay_file_close(struct replay_file *f);

/* The next frame, written to bytes (at least max_frame + 64). Returns as capture_next. */
int replay_file_next(struct replay_file *f, uint8_t *bytes, struct replay_frame *frame, char *err,
		     size_t errlen);

/* Reads a whole file. A file without a frame that can be sent is an error, too. 0, or a negative
 * errno with a line in err. */
int replay_scan(const char *path, const struct replay_rules *rules, struct replay_facts *facts,
		char *err, size_t errlen);

/* The gap between two passes: the mean of all others. */
static inline uint64_t replay_loop_gap(const struct replay_facts *facts)
{
	return facts->frames > 1 ? facts->span_ns / (facts->frames - 1) : 0;
}

#endif

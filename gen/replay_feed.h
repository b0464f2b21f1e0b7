/*
 * Where a replay's frames come from while it sends: records side by side in memory, in chunks. A
 * capture that is small enough is one chunk, filled once and gone through again and again; of a
 * larger one a thread reads ahead, so that memory is bounded and the sender never waits for a disk
 * inside its loop.
 */
#ifndef TANDEM_REPLAY_FEED_H
#define TANDEM_REPLAY_FEED_H

#include "gen/replay_file.h"

#include <pthread.h>

#define REPLAY_CHUNKS	  8u
#define REPLAY_CHUNK_SIZE (4u << 20)

/* A frame in a chunk; its bytes follow. */
struct replay_record {
	uint16_t len, stamp_at; /* as in replay_frame */
	uint32_t size;		/* of the whole record */
	uint64_t gap_ns;	/* since the frame in front, the last one of the pass before too */
};

/* A record's bytes are copied in whole blocks: behind the last one of a chunk is room for one. */
#define REPLAY_BLOCK 64u

static inline uint32_t replay_record_size(uint32_t len)
{
	return (uint32_t)sizeof(struct replay_record) + (len + 15u) / 16u * 16u;
}

struct replay_chunk {
	uint8_t *bytes;
	size_t used;
};

struct replay_feed {
	const char *path;
	const struct replay_rules *rules;
	const struct replay_facts *facts;
	uint64_t passes; /* 0: without end */
	bool preloaded;
	bool loaded; /* what is preloaded is there */
	size_t chunk_size;
	struct replay_chunk chunks[REPLAY_CHUNKS];
	uint64_t pass; /* preloaded: how often the chunk was handed out */

	/* Reading ahead: chunks [taken, filled) hold frames. */
	pthread_t reader;
	bool running;
	bool stop;	 /* set by the control thread */
	bool done;	 /* set by the reader, after its last chunk */
	bool failed;	 /* with err; the file was fine when it was scanned */
	uint64_t filled; /* written by the reader */
	uint64_t taken;	 /* written by the sender */
	char err[256];
};

enum replay_next { REPLAY_CHUNK, REPLAY_STARVED, REPLAY_END };

/*
 * Memory for the frames of a file whose facts are known: all of them where their records take no
 * more than preload_limit bytes. path, rules and facts must outlive it. 0 or -ENOMEM with a line in
 * err; replay_feed_close is due after success alone.
 */
int replay_feed_open(struct replay_feed *f, const char *path, const struct replay_rules *rules,
		     const struct replay_facts *facts, uint64_t passes, uint64_t preload_limit,
		     char *err, size_t errlen);
void replay_feed_close(struct replay_feed *f);

/* From the first frame on again; the first chunks are there when it returns. reload: the rules have
 * changed. 0 or a negative errno with a line in err. */
int replay_feed_start(struct replay_feed *f, bool reload, char *err, size_t errlen);

/* Ends the reading. Returns 0, or a negative errno with a line in err where it failed. */
int replay_feed_stop(struct replay_feed *f, char *err, size_t errlen);

/* Of the sending thread: gives the chunk in hand back, if there is one, and hands out the next. No
 * call into the system. */
enum replay_next replay_feed_next(struct replay_feed *f, bool in_hand, const uint8_t **begin,
				  const uint8_t **end);

#endif

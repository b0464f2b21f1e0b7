/*
 * Frames on their way from a polling thread to the thread that writes them: a ring of bytes with
 * one writer and one reader, no lock, no system call. A frame that finds it full is left out, and
 * counted by who puts it.
 */
#ifndef TANDEM_CAPTURE_RING_H
#define TANDEM_CAPTURE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum capture_direction { CAPTURE_IN = 1, CAPTURE_OUT = 2 }; /* as pcapng's epb_flags have it */

/* A frame in the ring; its bytes follow. */
struct capture_entry {
	uint32_t size; /* of the whole entry; the rest of the ring is unused where len is UINT32_MAX
			*/
	uint32_t len, wire_len;
	uint16_t port;
	uint16_t direction;
	uint64_t tsc;
} __attribute__((aligned(32))); /* a ring is a multiple of it */

struct capture_ring {
	uint8_t *bytes;
	uint64_t size; /* a power of two */
	/* The putting side. */
	uint64_t put __attribute__((aligned(64))); /* up to here, not yet all shown */
	uint64_t taken_seen;
	uint64_t shown; /* what the reader may take */
	/* The taking side. */
	uint64_t taken __attribute__((aligned(64)));
} __attribute__((aligned(64)));

/* size is a power of two. 0 or -ENOMEM. */
int capture_ring_open(struct capture_ring *r, uint64_t size);
void capture_ring_close(struct capture_ring *r);

/* Room for an entry with len bytes behind it, put but not shown; NULL where the ring is full. */
struct capture_entry *capture_ring_put(struct capture_ring *r, uint32_t len);

/* Where the next entry goes: what was put before may be shown, or what was put since forgotten. */
static inline uint64_t capture_ring_mark(const struct capture_ring *r)
{
	return r->put;
}

/* Shows what was put up to a mark and forgets the rest. */
void capture_ring_show(struct capture_ring *r, uint64_t mark);

/* The next entry, NULL when there is none; it stays until it is done with. */
const struct capture_entry *capture_ring_next(struct capture_ring *r);
void capture_ring_done(struct capture_ring *r, const struct capture_entry *entry);

#endif

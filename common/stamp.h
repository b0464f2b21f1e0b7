/*
 * The stamp: 18 bytes that every frame carries as the last bytes of its L4 payload.
 *
 *   offset  bytes  field (little-endian: written and read as two 64-bit words)
 *	  0      2  magic
 *	  2      1  version
 *	  3      1  trial, starting at random: stale and foreign frames are told apart
 *	  4      2  sequence space: stream x TX queue
 *	  6      4  sequence in that space, widened to 64 bits on receive
 *	 10      6  TX time, low 48 bits of the TSC: over 15 hours at 5 GHz
 *	 16      2  checksum complement
 *
 * The complement makes the nine 16-bit words of the stamp add up to 0 in one's complement
 *arithmetic (RFC 1071, RFC 7820), so that a UDP checksum computed over a zeroed stamp is right for
 *every stamp, IPv6 too. A one's complement sum of swapped bytes is the swapped sum, and 0 swapped
 *is 0: it holds at an odd offset as it is. It is the stamp's own checksum too: what does not add up
 *is no stamp.
 */
#ifndef TANDEM_STAMP_H
#define TANDEM_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define STAMP_LEN	18u
#define STAMP_MAGIC	0x6d54u /* "Tm" on the wire */
#define STAMP_VERSION	1u
#define STAMP_TIME_MASK ((1ull << 48) - 1)

struct stamp {
	uint64_t tx_time; /* low 48 bits of the TSC */
	uint32_t seq;
	uint16_t space;
	uint8_t trial;
};

/* The part of the first word that is the same for all frames of a trial and a sequence space. */
static inline uint64_t stamp_base(uint8_t trial, uint16_t space)
{
	return STAMP_MAGIC | (uint64_t)STAMP_VERSION << 16 | (uint64_t)trial << 24 |
	       (uint64_t)space << 32;
}

/* Folded one's complement sum of two words' 16-bit parts. */
static inline uint32_t stamp_sum(uint64_t lo, uint64_t hi)
{
	uint64_t s = lo + hi;

	s += s < lo;
	s = (s >> 32) + (uint32_t)s;
	s = (s >> 32) + (uint32_t)s;
	s = (s >> 16) + (s & 0xffff);
	return (uint32_t)((s >> 16) + (s & 0xffff));
}

/* Writes a stamp; base from stamp_base, tx_time a TSC value. */
static inline void stamp_write(uint8_t *at, uint64_t base, uint32_t seq, uint64_t tx_time)
{
	uint64_t lo = base | (uint64_t)seq << 48;
	uint64_t hi = seq >> 16 | tx_time << 16;
	uint16_t complement = (uint16_t)~stamp_sum(lo, hi);

	memcpy(at, &lo, 8);
	memcpy(at + 8, &hi, 8);
	memcpy(at + 16, &complement, 2);
}

/*
 * For a burst of stamps that differ in their sequence numbers alone: what they share is added up
 * once. Each costs two stores, two adds and a fold.
 */
struct stamp_burst {
	uint64_t lo, hi; /* without the sequence number */
	uint32_t sum;	 /* of their 16-bit parts, folded */
};

static inline struct stamp_burst stamp_burst_begin(uint64_t base, uint64_t tx_time)
{
	uint64_t hi = tx_time << 16;

	return (struct stamp_burst){base, hi, stamp_sum(base, hi)};
}

static inline void stamp_burst_write(const struct stamp_burst *b, uint8_t *at, uint32_t seq)
{
	uint64_t lo = b->lo | (uint64_t)seq << 48;
	uint64_t hi = b->hi | seq >> 16;
	uint32_t sum = b->sum + (seq & 0xffff) + (seq >> 16);
	uint16_t complement;

	/* Folded twice: the first fold may carry again. */
	sum = (sum & 0xffff) + (sum >> 16);
	complement = (uint16_t) ~(sum + (sum >> 16));
	memcpy(at, &lo, 8);
	memcpy(at + 8, &hi, 8);
	memcpy(at + 16, &complement, 2);
}

/* True when a stamp stands there: magic, version and checksum right. Fills *s then. */
static inline bool stamp_read(const uint8_t *at, struct stamp *s)
{
	uint64_t lo, hi;
	uint16_t complement;

	memcpy(&lo, at, 8);
	if ((uint32_t)(lo & 0xffffff) != (STAMP_MAGIC | STAMP_VERSION << 16))
		return false;
	memcpy(&hi, at + 8, 8);
	memcpy(&complement, at + 16, 2);
	s->trial = (uint8_t)(lo >> 24);
	s->space = (uint16_t)(lo >> 32);
	s->seq = (uint32_t)(lo >> 48) | (uint32_t)hi << 16;
	s->tx_time = hi >> 16;
	return stamp_sum(lo, hi) + complement == 0xffff;
}

/*
 * A run of stamps: those that a burst gave consecutive numbers and one time. What they share was
 * checked with the first; true when the stamp there is the next of the run, whose checksum is right
 * too.
 */
static inline bool stamp_continues(const struct stamp_burst *run, const uint8_t *at, uint32_t seq)
{
	uint64_t lo, hi;
	uint16_t complement;
	uint32_t sum = run->sum + (seq & 0xffff) + (seq >> 16);

	memcpy(&lo, at, 8);
	memcpy(&hi, at + 8, 8);
	memcpy(&complement, at + 16, 2);
	sum = (sum & 0xffff) + (sum >> 16);
	sum += sum >> 16;
	return lo == (run->lo | (uint64_t)seq << 48) && hi == (run->hi | seq >> 16) &&
	       (uint16_t)sum + complement == 0xffff;
}

/* Cycles from the TX time of a stamp to now, both seen modulo 2^48; negative when RX precedes TX.
 */
static inline int64_t stamp_age(uint64_t now, uint64_t tx_time)
{
	return (int64_t)((now - tx_time) << 16) >> 16;
}

/*
 * Where the stamp of a received frame stands: the offset of the last 18 bytes of its L4 payload,
 * found by the IP length, since a frame may carry padding or trailers behind it. Reads Ethernet, up
 * to two VLAN tags, IPv4 or IPv6 and, where there is neither, takes the last bytes of the frame.
 * Returns -1 when the frame is too short.
 */
int stamp_find(const uint8_t *frame, uint32_t len);

/*
 * True for an ICMP message. A router's error quotes the frame that it dropped, stamp and all, and
 * must not be taken for its arrival. len is what stands in the mbuf.
 */
bool stamp_is_quoted(const uint8_t *frame, uint32_t len);

/*
 * The stamp of a received frame: read where it nearly always stands, at the very end, else where
 * stamp_find says. Returns its offset, or -1 for a frame without one, also for one that quotes
 * ours.
 */
int stamp_take(const uint8_t *frame, uint32_t len, struct stamp *s);

/* Smallest frame size (FCS included) that holds Ethernet, vlans tags, IPv4 or IPv6, UDP and the
 * stamp. */
uint32_t stamp_min_frame(unsigned int vlans, bool ipv6);

#endif

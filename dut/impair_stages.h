/*
 * What happens to a frame: the decisions of each impairment, seeded and exact. Pure: no clock but
 * the one given, no frame but its bytes.
 *
 * Each stage has a sequence of random numbers of its own, drawn once a frame that reaches it; so
 * adding one impairment to a list leaves what the earlier ones decide as it was. A trial starts all
 * sequences anew: the same seed and the same frames give the same decisions, whatever came before.
 */
#ifndef TANDEM_DUT_IMPAIR_STAGES_H
#define TANDEM_DUT_IMPAIR_STAGES_H

#include "dut/impair_list.h"

struct impair_rng {
	uint64_t state;
};

/* The next 64 random bits (splitmix64); a number below n, which is not 0. */
static inline uint64_t impair_random(struct impair_rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline uint64_t impair_random_below(struct impair_rng *rng, uint64_t n)
{
	return (uint64_t)((unsigned __int128)impair_random(rng) * n >> 64);
}

static inline bool impair_chance(struct impair_rng *rng, uint64_t chance)
{
	return impair_random(rng) >> 1 < chance;
}

/* A token bucket, kept in 1/65536 of cycles: a frame costs hz / pps of them. */
struct policer {
	uint64_t cost, most, credit;
	uint64_t last; /* the latest time seen, modulo 2^48 */
	bool started;
};

/* The time in which nothing arrives, in cycles since the trial's first frame. */
struct outage {
	uint64_t from, to, over; /* a frame later than over ends the matter */
	uint64_t origin;	 /* the first frame's time, modulo 2^48 */
	bool started, ended;
};

struct impair_stages {
	const struct impair_list *list;
	struct impair_rng drop, corrupt, bit, dup, reorder, delay;
	uint32_t block_left, block_drops; /* drop=N/M: frames left of this block, to drop of them */
	uint64_t delay_min, delay_spread; /* cycles */
	struct outage outage;
	struct policer policer;
};

/* Starts all stages for a trial on a stream. hz is the TSC's rate. list must outlive *s. */
void impair_stages_start(struct impair_stages *s, const struct impair_list *list, uint64_t seed,
			 uint32_t stream, double hz);

/*
 * True when the frame falls into the outage. now is a time in TSC cycles of which the low 48 bits
 * count, in any order; the first one given is the trial's beginning.
 */
bool impair_is_out(struct impair_stages *s, uint64_t now);

/*
 * True when the policer takes the frame out. now is a time in TSC cycles of which the low 48 bits
 * count; one earlier than the latest seen refills nothing.
 */
bool impair_polices(struct impair_stages *s, uint64_t now);
bool impair_drops(struct impair_stages *s);

/* The time that a frame is delayed by, in cycles. */
uint64_t impair_delays(struct impair_stages *s);

static inline bool impair_corrupts(struct impair_stages *s)
{
	return impair_chance(&s->corrupt, s->list->corrupt);
}

static inline bool impair_duplicates(struct impair_stages *s)
{
	return impair_chance(&s->dup, s->list->dup);
}

static inline bool impair_holds_back(struct impair_stages *s)
{
	return impair_chance(&s->reorder, s->list->reorder);
}

/* Where the payload of a stamped frame begins: behind Ethernet, VLAN tags, IPv4 or IPv6 and UDP. */
uint32_t impair_payload_at(const uint8_t *frame, uint32_t len);

/* Flips one bit between the headers and the stamp; false, and nothing done, when no byte is there.
 */
bool impair_flip(struct impair_stages *s, uint8_t *frame, uint32_t len, uint32_t stamp_at);

#endif

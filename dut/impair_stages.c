/*
 * The decisions that are more than a draw.
 */
#include "dut/impair_stages.h"
#include "common/stamp.h"

#include <string.h>

#define FRACTION_BITS 16u
#define MAX_SPAN      (1ull << 46) /* cycles of pause that a policer remembers: hours */

/* Frames of several lcores come out of order by less than this; times of a trial that lasts for
 * hours go round and must not meet the outage again. */
#define OUTAGE_OVER_S 1.0

#define ETH_HDR	  14u
#define VLAN_HDR  4u
#define MAX_VLANS 2u
#define IPV6_HDR  40u
#define UDP_HDR	  8u

/* A generator's start that differs in every bit between seeds, streams and stages. */
static struct impair_rng rng_for(uint64_t seed, uint32_t stream, enum impair_kind kind,
				 uint32_t part)
{
	struct impair_rng rng = {seed};

	rng.state = impair_random(&rng) + stream;
	rng.state = impair_random(&rng) + ((uint64_t)kind << 8 | part);
	rng.state = impair_random(&rng);
	return rng;
}

static struct outage outage_of(const struct impair_list *list, double hz)
{
	return (struct outage){
		.from = (uint64_t)((double)list->outage_from_ns * hz / 1e9),
		.to = (uint64_t)((double)list->outage_to_ns * hz / 1e9),
		.over = (uint64_t)(((double)list->outage_to_ns / 1e9 + OUTAGE_OVER_S) * hz),
	};
}

static void policer_start(struct policer *p, const struct impair_list *list, double hz)
{
	uint64_t most;

	*p = (struct policer){0};
	if (!(list->kinds & IMPAIR_RATE))
		return;
	p->cost = (uint64_t)(hz / list->pps * (1u << FRACTION_BITS));
	if (p->cost == 0)
		p->cost = 1;
	most = (MAX_SPAN << FRACTION_BITS) / p->cost;
	p->most = p->cost * (list->bucket < most ? list->bucket : most);
	p->credit = p->most;
}

void impair_stages_start(struct impair_stages *s, const struct impair_list *list, uint64_t seed,
			 uint32_t stream, double hz)
{
	*s = (struct impair_stages){
		.list = list,
		.drop = rng_for(seed, stream, IMPAIR_DROP, 0),
		.corrupt = rng_for(seed, stream, IMPAIR_CORRUPT, 0),
		.bit = rng_for(seed, stream, IMPAIR_CORRUPT, 1),
		.dup = rng_for(seed, stream, IMPAIR_DUP, 0),
		.reorder = rng_for(seed, stream, IMPAIR_REORDER, 0),
		.delay = rng_for(seed, stream, IMPAIR_DELAY, 0),
		.delay_min = (uint64_t)((double)list->delay_min_ns * hz / 1e9 + 1),
		.delay_spread =
			(uint64_t)((double)(list->delay_max_ns - list->delay_min_ns) * hz / 1e9),
	};
	s->outage = outage_of(list, hz);
	policer_start(&s->policer, list, hz);
}

bool impair_is_out(struct impair_stages *s, uint64_t now)
{
	struct outage *o = &s->outage;
	int64_t age;

	if (o->ended)
		return false;
	if (!o->started) {
		o->started = true;
		o->origin = now;
	}
	age = stamp_age(now, o->origin);
	o->ended = age > (int64_t)o->over;
	return age >= (int64_t)o->from && age < (int64_t)o->to;
}

bool impair_polices(struct impair_stages *s, uint64_t now)
{
	struct policer *p = &s->policer;
	int64_t passed = stamp_age(now, p->last);

	if (!p->started) {
		p->started = true;
		p->last = now;
	} else if (passed > 0) {
		uint64_t span = (uint64_t)passed < MAX_SPAN ? (uint64_t)passed : MAX_SPAN;
		uint64_t refill = span << FRACTION_BITS;

		p->last = now;
		p->credit = refill < p->most - p->credit ? p->credit + refill : p->most;
	}
	if (p->credit < p->cost)
		return true;
	p->credit -= p->cost;
	return false;
}

/*
 * N of every M: of the frames left in a block, each is dropped with the share of drops still to be
 * made among them. That makes N exactly, and every choice of N positions equally likely.
 */
static bool block_drops(struct impair_stages *s)
{
	bool drop;

	if (s->block_left == 0) {
		s->block_left = s->list->drop_of;
		s->block_drops = s->list->drop_n;
	}
	drop = impair_random_below(&s->drop, s->block_left) < s->block_drops;
	s->block_left--;
	s->block_drops -= drop;
	return drop;
}

bool impair_drops(struct impair_stages *s)
{
	return s->list->drop_of ? block_drops(s) : impair_chance(&s->drop, s->list->drop);
}

uint64_t impair_delays(struct impair_stages *s)
{
	return s->delay_min + impair_random_below(&s->delay, s->delay_spread + 1);
}

static bool is_vlan(unsigned int ethertype)
{
	return ethertype == 0x8100 || ethertype == 0x88a8 || ethertype == 0x9100;
}

static unsigned int ethertype_at(const uint8_t *at)
{
	return (unsigned int)at[0] << 8 | at[1];
}

uint32_t impair_payload_at(const uint8_t *frame, uint32_t len)
{
	uint32_t l3 = ETH_HDR, payload;
	unsigned int ethertype;

	if (len < ETH_HDR)
		return len;
	ethertype = ethertype_at(frame + 12);
	for (unsigned int tags = 0; tags < MAX_VLANS && is_vlan(ethertype); tags++) {
		if (l3 + VLAN_HDR >= len)
			return len;
		ethertype = ethertype_at(frame + l3 + 2);
		l3 += VLAN_HDR;
	}
	payload = l3;
	if (ethertype == 0x0800 && l3 < len)
		payload = l3 + (frame[l3] & 0xfu) * 4 + UDP_HDR;
	else if (ethertype == 0x86dd)
		payload = l3 + IPV6_HDR + UDP_HDR;
	return payload < len ? payload : len;
}

bool impair_flip(struct impair_stages *s, uint8_t *frame, uint32_t len, uint32_t stamp_at)
{
	uint32_t payload = impair_payload_at(frame, len);
	uint64_t bit;

	if (payload >= stamp_at)
		return false;
	bit = impair_random_below(&s->bit, 8ull * (stamp_at - payload));
	frame[payload + bit / 8] ^= (uint8_t)(1u << bit % 8);
	return true;
}

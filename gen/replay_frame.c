/*
 * Headers found, changed and summed up.
 */
#include "gen/replay_frame.h"

#include "common/stamp.h"
#include "gen/frame.h"

#include <string.h>

#define MAX_TAGS       2u
#define MAX_EXTENSIONS 8u
#define ETHERTYPE_IP4  0x0800u
#define ETHERTYPE_IP6  0x86ddu
#define IPV6_LEN       40u
#define TCP_LEN	       20u
#define TCP	       6u
#define UDP	       17u
#define ICMPV6	       58u

static uint32_t get16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* The L4 header, where it is one of those that have a checksum over a pseudo header. */
static void find_l4(const uint8_t *frame, uint32_t len, bool whole, struct frame_parts *p)
{
	uint32_t end = p->end < len ? p->end : len, header;

	if (p->protocol == UDP && p->l4 + FRAME_UDP_LEN <= end) {
		p->sum = p->l4 + 6;
		/* Without one there is nothing to keep right (RFC 768). */
		if (!get16(frame + p->sum))
			p->sum = 0;
		if (whole && get16(frame + p->l4 + 4) == p->end - p->l4)
			p->payload = p->l4 + FRAME_UDP_LEN;
	} else if (p->protocol == TCP && p->l4 + TCP_LEN <= end) {
		header = (uint32_t)(frame[p->l4 + 12] >> 4) * 4;
		p->sum = p->l4 + 16;
		if (whole && header >= TCP_LEN && p->l4 + header <= p->end)
			p->payload = p->l4 + header;
	} else if (p->protocol == ICMPV6 && p->l4 + 4 <= end) {
		p->sum = p->l4 + 2;
	} else {
		p->l4 = 0;
	}
}

static void find_ipv4(const uint8_t *frame, uint32_t len, struct frame_parts *p)
{
	const uint8_t *ip = frame + p->l3;
	uint32_t header = (ip[0] & 15u) * 4, total = get16(ip + 2), fragment = get16(ip + 6);

	p->version = 4;
	p->protocol = ip[9];
	p->end = p->l3 + total;
	if (header < FRAME_IPV4_LEN || total < header || fragment & 0x1fff)
		return;
	p->l4 = p->l3 + header;
	find_l4(frame, len, !(fragment & 0x2000) && p->end <= len, p);
}

static bool is_extension(uint32_t protocol)
{
	return protocol == 0 || protocol == 43 || protocol == 60 || protocol == 44;
}

static void find_ipv6(const uint8_t *frame, uint32_t len, struct frame_parts *p)
{
	const uint8_t *ip = frame + p->l3;
	uint32_t at = p->l3 + IPV6_LEN;
	bool whole = true;

	p->version = 6;
	p->protocol = ip[6];
	p->end = at + get16(ip + 4);
	for (unsigned int i = 0; is_extension(p->protocol); i++) {
		bool is_fragment = p->protocol == 44;

		if (i == MAX_EXTENSIONS || at + 8 > len || at + 8 > p->end ||
		    (is_fragment && get16(frame + at + 2) & 0xfff8))
			return;
		/* The one fragment of a packet is whole. */
		whole &= !is_fragment || !(frame[at + 3] & 1);
		p->protocol = frame[at];
		at += is_fragment ? 8 : 8 + frame[at + 1] * 8u;
	}
	p->l4 = at;
	find_l4(frame, len, whole && p->end <= len, p);
}

void frame_parts_find(const uint8_t *frame, uint32_t len, struct frame_parts *p)
{
	uint32_t at = 12, type;

	*p = (struct frame_parts){.end = len};
	if (len < FRAME_ETH_LEN)
		return;
	type = get16(frame + at);
	for (unsigned int i = 0;
	     i < MAX_TAGS && (type == 0x8100 || type == 0x88a8 || type == 0x9100); i++) {
		p->tagged = true;
		at += 4;
		if (at + 2 > len)
			return;
		type = get16(frame + at);
	}
	at += 2;
	if (type == ETHERTYPE_IP4 && at + FRAME_IPV4_LEN <= len && frame[at] >> 4 == 4) {
		p->l3 = at;
		find_ipv4(frame, len, p);
	} else if (type == ETHERTYPE_IP6 && at + IPV6_LEN <= len && frame[at] >> 4 == 6) {
		p->l3 = at;
		find_ipv6(frame, len, p);
	}
}

/* A checksum after a part of what it covers changed by their sums (RFC 1624, equation 3). */
static void adjust(uint8_t *sum, uint32_t before, uint32_t after, bool is_udp)
{
	uint16_t value = (uint16_t)~checksum_fold((0xffff & ~get16(sum)) +
						  (0xffff & ~(uint32_t)checksum_fold(before)) +
						  checksum_fold(after));

	put16(sum, value || !is_udp ? value : 0xffff);
}

static void adjust_l4(const struct frame_parts *p, uint8_t *frame, uint32_t before, uint32_t after)
{
	if (p->sum)
		adjust(frame + p->sum, before, after, p->protocol == UDP);
}

/* n bytes at an even distance from the header's begin, replaced by others. */
static void replace(const struct frame_parts *p, uint8_t *frame, uint32_t at, const uint8_t *bytes,
		    uint32_t n, bool in_ip)
{
	uint32_t before = checksum_add(frame + at, n, 0), after = checksum_add(bytes, n, 0);

	if (!memcmp(frame + at, bytes, n))
		return;
	memcpy(frame + at, bytes, n);
	if (in_ip && p->version == 4)
		adjust(frame + p->l3 + 10, before, after, false);
	adjust_l4(p, frame, before, after);
}

static bool within(const struct rewrite_prefix *prefix, const uint8_t *address)
{
	uint32_t whole = prefix->bits / 8u, rest = prefix->bits % 8u;

	return !memcmp(prefix->bytes, address, whole) &&
	       (!rest || !((prefix->bytes[whole] ^ address[whole]) >> (8 - rest)));
}

static void put_prefix(const struct rewrite_prefix *prefix, uint8_t *address)
{
	uint32_t whole = prefix->bits / 8u, rest = prefix->bits % 8u;
	uint8_t mask = (uint8_t)(0xff00u >> rest);

	memcpy(address, prefix->bytes, whole);
	if (rest)
		address[whole] =
			(uint8_t)((prefix->bytes[whole] & mask) | (address[whole] & ~mask));
}

static void rewrite_address(const struct rewrite *r, const struct frame_parts *p, uint8_t *frame,
			    uint32_t at, const struct rewrite_prefix *to)
{
	uint32_t n = p->version == 4 ? 4 : 16;
	uint8_t address[16];

	memcpy(address, frame + at, n);
	if (p->version == 4 && r->from4.on && within(&r->from4, address))
		put_prefix(&r->to4, address);
	if (to->on)
		put_prefix(to, address);
	replace(p, frame, at, address, n, true);
}

static void rewrite_port(const struct rewrite *r, const struct frame_parts *p, uint8_t *frame,
			 uint32_t at, uint16_t to)
{
	uint8_t port[2];

	memcpy(port, frame + at, 2);
	if (r->from_port && get16(port) == r->from_port)
		put16(port, r->to_port);
	if (to)
		put16(port, to);
	replace(p, frame, at, port, 2, false);
}

static void rewrite_mac(uint8_t *mac, enum rewrite_mac how, const uint8_t *to)
{
	if (how != MAC_KEPT && !(mac[0] & 1))
		memcpy(mac, to, 6);
}

void rewrite_frame(const struct rewrite *r, const struct frame_parts *p, uint8_t *frame)
{
	bool v4 = p->version == 4;

	rewrite_mac(frame, r->dst_how, r->dst_mac);
	rewrite_mac(frame + 6, r->src_how, r->src_mac);
	if (!p->l3)
		return;
	rewrite_address(r, p, frame, p->l3 + (v4 ? 12 : 8), v4 ? &r->src4 : &r->src6);
	rewrite_address(r, p, frame, p->l3 + (v4 ? 16 : 24), v4 ? &r->dst4 : &r->dst6);
	if (!p->l4 || p->protocol == ICMPV6)
		return;
	rewrite_port(r, p, frame, p->l4, r->src_port);
	rewrite_port(r, p, frame, p->l4 + 2, r->dst_port);
}

/* Bytes [at, at + n) of the L4 part become 0. A sum of bytes that begin at an odd place is the sum
 * with its bytes swapped. */
static void clear(const struct frame_parts *p, uint8_t *frame, uint32_t at, uint32_t n)
{
	uint32_t before = checksum_fold(checksum_add(frame + at, n, 0));

	if ((at - p->l4) & 1)
		before = before >> 8 | (before & 0xff) << 8;
	memset(frame + at, 0, n);
	adjust_l4(p, frame, before, 0);
}

/* The lengths in the headers grow by the stamp's. */
static void lengthen(const struct frame_parts *p, uint8_t *frame)
{
	uint32_t l3_length = p->l3 + (p->version == 4 ? 2 : 4);
	uint32_t l3 = get16(frame + l3_length), l4 = p->end - p->l4;

	put16(frame + l3_length, l3 + STAMP_LEN);
	if (p->version == 4)
		adjust(frame + p->l3 + 10, l3, l3 + STAMP_LEN, false);
	adjust_l4(p, frame, l4, l4 + STAMP_LEN); /* in the pseudo header */
	if (p->protocol != UDP)
		return;
	put16(frame + p->l4 + 4, l4 + STAMP_LEN);
	adjust_l4(p, frame, l4, l4 + STAMP_LEN);
}

uint32_t stamp_room(enum stamp_how how, const struct frame_parts *p, uint8_t *frame, uint32_t *len,
		    uint32_t max_len)
{
	if (how == STAMP_NONE || !p->payload)
		return 0;
	if (how == STAMP_TAIL) {
		if (p->end < p->payload + STAMP_LEN)
			return 0;
		clear(p, frame, p->end - STAMP_LEN, STAMP_LEN);
		return p->end - STAMP_LEN;
	}
	if (p->end + STAMP_LEN > max_len || p->end - p->l3 + STAMP_LEN > 65535)
		return 0;
	lengthen(p, frame);
	/* Padding stood there, or nothing. */
	memset(frame + p->end, 0, STAMP_LEN);
	if (*len < p->end + STAMP_LEN)
		*len = p->end + STAMP_LEN;
	return p->end;
}

/* Sum of the L4 part and its pseudo header, as far as the part is whole. */
static uint32_t l4_sum(const struct frame_parts *p, const uint8_t *frame)
{
	uint32_t at = p->l3 + (p->version == 4 ? 12 : 8), n = p->version == 4 ? 8 : 32;
	uint32_t sum = checksum_add(frame + at, n, p->end - p->l4 + p->protocol);

	return checksum_fold(checksum_add(frame + p->l4, p->end - p->l4, sum));
}

static bool has_whole_l4(const struct frame_parts *p)
{
	return p->payload && p->sum;
}

/* Bytes of an IPv4 header that has a checksum of its own; 0: it has none. */
static uint32_t ipv4_header(const struct frame_parts *p, const uint8_t *frame, uint32_t len)
{
	uint32_t n = p->version == 4 ? (frame[p->l3] & 15u) * 4 : 0;

	return n >= FRAME_IPV4_LEN && p->l3 + n <= len ? n : 0;
}

bool sums_are_wrong(const struct frame_parts *p, const uint8_t *frame, uint32_t len)
{
	uint32_t header = ipv4_header(p, frame, len);

	if (header && checksum_fold(checksum_add(frame + p->l3, header, 0)) != 0xffff)
		return true;
	return has_whole_l4(p) && l4_sum(p, frame) != 0xffff;
}

void sums_put(const struct frame_parts *p, uint8_t *frame, uint32_t len)
{
	uint32_t header = ipv4_header(p, frame, len), sum;

	if (header) {
		put16(frame + p->l3 + 10, 0);
		put16(frame + p->l3 + 10,
		      0xffff & ~(uint32_t)checksum_fold(checksum_add(frame + p->l3, header, 0)));
	}
	if (!has_whole_l4(p))
		return;
	put16(frame + p->sum, 0);
	sum = 0xffff & ~l4_sum(p, frame);
	put16(frame + p->sum, sum || p->protocol != UDP ? sum : 0xffff);
}

void pad_cut_frame(uint8_t *frame, uint32_t len, uint32_t wire_len)
{
	struct frame_parts p;

	memset(frame + len, 0, wire_len - len);
	frame_parts_find(frame, wire_len, &p);
	/* Headers that were cut themselves are zeros now: there is nothing to sum up. */
	if (has_whole_l4(&p) && p.payload <= len)
		sums_put(&p, frame, wire_len);
}

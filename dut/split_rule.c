/*
 * The rule of split mode: reading it, and holding frames against it.
 *
 * The share by percent comes from a hash that is even where it matters: generators give flows
 * neighbouring ports, and multiples of the golden ratio, which is what the hash makes of those, lie
 * more evenly than random numbers would. 1,000 flows on neighbouring ports are split to within four
 * of the share, where chance alone would be off by fourteen.
 */
#include "dut/split_rule.h"
#include "common/stamp.h"
#include "common/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ETH_HDR	      14u
#define VLAN_HDR      4u
#define MAX_VLANS     2u
#define IPV4_HDR      20u
#define IPV6_HDR      40u
#define UDP_HDR	      8u
#define ETHERTYPE_IP4 0x0800u
#define ETHERTYPE_IP6 0x86ddu
#define PROTOCOL_UDP  17u
#define FRAGMENT_BITS 0x3fffu /* of the IPv4 header: more fragments, or an offset */

#define MAX_PORT	 65535u
#define SPACES		 65536u
#define MAX_PERCENT_TEXT 20u

/* Fractions of 2^32, odd so that no port is lost: of the golden ratio, and of the root of three,
 * for which flows whose two ports move together are even too. */
#define GOLDEN 0x9e3779b1u
#define ROOT_3 0xbb67ae85u

static const struct {
	const char *name;
	enum split_kind kind;
	uint64_t max;
} kinds[] = {
	{"udp-dst", SPLIT_UDP_DST, MAX_PORT},
	{"udp-src", SPLIT_UDP_SRC, MAX_PORT},
	{"stream", SPLIT_STREAM, SPACES - 1},
	{"percent", SPLIT_PERCENT, 100},
};

/* "N" or "N-N", both at most max; cuts value up. */
static int parse_range(struct split_rule *rule, char *value, uint64_t max, char *err, size_t errlen)
{
	char *dash = strchr(value, '-');
	uint64_t first, last;

	if (dash)
		*dash++ = '\0';
	if (count_parse(value, 0, max, &first, err, errlen))
		return -EINVAL;
	last = first;
	if (dash && count_parse(dash, 0, max, &last, err, errlen))
		return -EINVAL;
	if (last < first) {
		snprintf(err, errlen, "%s-%s goes down; write the lower number first", value, dash);
		return -EINVAL;
	}
	rule->first = (uint32_t)first;
	rule->last = (uint32_t)last;
	return 0;
}

static int parse_stream(struct split_rule *rule, char *value, char *err, size_t errlen)
{
	char *slash = strchr(value, '/');
	uint64_t of = SPACES;

	if (slash) {
		*slash++ = '\0';
		if (count_parse(slash, 1, SPACES, &of, err, errlen))
			return -EINVAL;
	}
	rule->of = (uint32_t)of;
	return parse_range(rule, value, of - 1, err, errlen);
}

/* Decimal digits with at most one point among them: neither sign nor exponent, nan nor hex. */
static int parse_percent(struct split_rule *rule, const char *value, char *err, size_t errlen)
{
	size_t whole = strspn(value, "0123456789"), len = whole;
	double percent;

	if (value[len] == '.')
		len += 1 + strspn(value + len + 1, "0123456789");
	percent = strtod(value, NULL);
	if (!whole || value[len] || len > MAX_PERCENT_TEXT || percent > 100) {
		snprintf(err, errlen, "'%s' is no percentage from 0 to 100; write 25 or 12.5",
			 value);
		return -EINVAL;
	}
	rule->share = (uint64_t)(percent / 100 * 4294967296.0);
	return 0;
}

int split_rule_parse(struct split_rule *rule, const char *text, char *err, size_t errlen)
{
	struct split_rule made = {.kind = SPLIT_NONE};
	char copy[SPLIT_RULE_TEXT], *value;
	int rc = -EINVAL;

	if (rule->kind != SPLIT_NONE) {
		snprintf(err, errlen, "given twice: a frame can follow one rule only");
		return -EINVAL;
	}
	if (strlen(text) >= sizeof(copy)) {
		snprintf(err, errlen, "longer than %u characters", SPLIT_RULE_TEXT - 1);
		return -EINVAL;
	}
	memcpy(copy, text, strlen(text) + 1);
	memcpy(made.text, copy, sizeof(made.text));
	value = strchr(copy, '=');
	if (value)
		*value++ = '\0';
	for (size_t i = 0; value && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(copy, kinds[i].name) != 0)
			continue;
		made.kind = kinds[i].kind;
		if (made.kind == SPLIT_PERCENT)
			rc = parse_percent(&made, value, err, errlen);
		else if (made.kind == SPLIT_STREAM)
			rc = parse_stream(&made, value, err, errlen);
		else
			rc = parse_range(&made, value, kinds[i].max, err, errlen);
	}
	if (made.kind == SPLIT_NONE)
		snprintf(err, errlen,
			 "'%s' is no rule; write udp-dst=PORT[-PORT], udp-src=PORT[-PORT], "
			 "stream=N[-N][/OF] or percent=P",
			 text);
	if (rc == 0)
		*rule = made;
	return rc;
}

static uint32_t read_be16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static bool is_vlan(uint32_t ethertype)
{
	return ethertype == 0x8100 || ethertype == 0x88a8 || ethertype == 0x9100;
}

/* Where a whole UDP header stands, and its IP header; 0 when there is none. */
static uint32_t find_udp(const uint8_t *frame, uint32_t len, uint32_t *l3)
{
	uint32_t at = ETH_HDR, ethertype, header;

	if (len < ETH_HDR + IPV4_HDR + UDP_HDR)
		return 0;
	ethertype = read_be16(frame + at - 2);
	/* The least length holds two tags and their EtherTypes. */
	for (unsigned int tags = 0; tags < MAX_VLANS && is_vlan(ethertype); tags++) {
		at += VLAN_HDR;
		ethertype = read_be16(frame + at - 2);
	}
	*l3 = at;
	if (ethertype == ETHERTYPE_IP4 && at + IPV4_HDR <= len) {
		header = (frame[at] & 0x0fu) * 4;
		if (frame[at] >> 4 != 4 || header < IPV4_HDR || frame[at + 9] != PROTOCOL_UDP ||
		    read_be16(frame + at + 6) & FRAGMENT_BITS)
			return 0;
	} else if (ethertype == ETHERTYPE_IP6 && at + IPV6_HDR <= len) {
		header = IPV6_HDR;
		if (frame[at] >> 4 != 6 || frame[at + 6] != PROTOCOL_UDP)
			return 0;
	} else {
		return 0;
	}
	return at + header + UDP_HDR <= len ? at + header : 0;
}

/* Strong in the addresses, even in the ports. */
static uint32_t flow_hash(const uint8_t *frame, uint32_t l3, uint32_t udp)
{
	bool v6 = frame[l3] >> 4 == 6;
	const uint8_t *addresses = frame + l3 + (v6 ? 8 : 12);
	uint64_t mixed = PROTOCOL_UDP;

	for (unsigned int i = 0; i < (v6 ? 4u : 1u); i++) {
		uint64_t word;

		memcpy(&word, addresses + 8 * (size_t)i, sizeof(word));
		mixed = (mixed ^ word) * 0xbf58476d1ce4e5b9ull;
		mixed ^= mixed >> 31;
	}
	return (uint32_t)(mixed >> 16) + read_be16(frame + udp) * GOLDEN +
	       read_be16(frame + udp + 2) * ROOT_3;
}

static bool in_range(const struct split_rule *rule, uint32_t n)
{
	return n >= rule->first && n <= rule->last;
}

bool split_rule_to_kernel(const struct split_rule *rule, const uint8_t *frame, uint32_t len)
{
	uint32_t l3 = 0, udp = find_udp(frame, len, &l3);
	struct stamp stamp;

	if (!udp)
		return true;
	switch (rule->kind) {
	case SPLIT_UDP_DST:
		return in_range(rule, read_be16(frame + udp + 2));
	case SPLIT_UDP_SRC:
		return in_range(rule, read_be16(frame + udp));
	case SPLIT_STREAM:
		return stamp_take(frame, len, &stamp) >= 0 &&
		       in_range(rule, stamp.space % rule->of);
	case SPLIT_PERCENT:
		return flow_hash(frame, l3, udp) < rule->share;
	case SPLIT_NONE:
		break;
	}
	return false;
}

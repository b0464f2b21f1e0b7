/*
 * Finding the stamp in a received frame.
 *
 * The DUT may pad a frame, add or take a VLAN tag, or rewrite headers, so the place is worked out
 * anew from each frame. Lengths in the headers are believed only as far as the frame reaches: where
 * they cannot be right (a corrupted header) the end of the frame is taken, so that the frame still
 * counts as ours, and as corrupt.
 */
#include "common/stamp.h"

#include "common/units.h"

#define ETH_HDR	       14u
#define VLAN_HDR       4u
#define MAX_VLANS      2u
#define IPV4_HDR       20u
#define IPV6_HDR       40u
#define UDP_HDR	       8u
#define ETHERTYPE_IP4  0x0800u
#define ETHERTYPE_IP6  0x86ddu
#define PROTOCOL_ICMP  1u
#define PROTOCOL_ICMP6 58u

static uint32_t read_be16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static bool is_vlan(uint32_t ethertype)
{
	return ethertype == 0x8100 || ethertype == 0x88a8 || ethertype == 0x9100;
}

#define CUT_OFF UINT32_MAX

/* The EtherType behind at most MAX_VLANS tags, and where its header begins; CUT_OFF when the frame
 * ends before. The frame has an Ethernet header. */
static uint32_t past_tags(const uint8_t *frame, uint32_t len, uint32_t *l3)
{
	uint32_t ethertype = read_be16(frame + 12);

	*l3 = ETH_HDR;
	for (unsigned int tags = 0; tags < MAX_VLANS && is_vlan(ethertype); tags++) {
		if (*l3 + VLAN_HDR > len)
			return CUT_OFF;
		ethertype = read_be16(frame + *l3 + 2);
		*l3 += VLAN_HDR;
	}
	return ethertype;
}

int stamp_find(const uint8_t *frame, uint32_t len)
{
	uint32_t l3, payload, end = len, ethertype, ip_end;

	if (len < ETH_HDR + STAMP_LEN)
		return -1;
	ethertype = past_tags(frame, len, &l3);
	if (ethertype == CUT_OFF)
		return -1;
	payload = l3;
	if (ethertype == ETHERTYPE_IP4 && l3 + IPV4_HDR <= len && frame[l3] >> 4 == 4) {
		payload = l3 + IPV4_HDR + UDP_HDR;
		ip_end = l3 + read_be16(frame + l3 + 2);
		if (ip_end <= len && ip_end >= l3 + IPV4_HDR)
			end = ip_end;
	} else if (ethertype == ETHERTYPE_IP6 && l3 + IPV6_HDR <= len && frame[l3] >> 4 == 6) {
		payload = l3 + IPV6_HDR + UDP_HDR;
		ip_end = l3 + IPV6_HDR + read_be16(frame + l3 + 4);
		if (ip_end <= len && ip_end > l3 + IPV6_HDR)
			end = ip_end;
	}
	return end >= payload + STAMP_LEN ? (int)(end - STAMP_LEN) : -1;
}

bool stamp_is_quoted(const uint8_t *frame, uint32_t len)
{
	uint32_t l3, ethertype;

	if (len < ETH_HDR + IPV4_HDR)
		return false;
	ethertype = past_tags(frame, len, &l3);
	if (ethertype == CUT_OFF || l3 + IPV4_HDR > len)
		return false;
	if (ethertype == ETHERTYPE_IP4)
		return frame[l3 + 9] == PROTOCOL_ICMP;
	return ethertype == ETHERTYPE_IP6 && frame[l3 + 6] == PROTOCOL_ICMP6;
}

int stamp_take(const uint8_t *frame, uint32_t len, struct stamp *s)
{
	int at = (int)len - (int)STAMP_LEN;

	if (at < 0 || !stamp_read(frame + at, s)) {
		at = stamp_find(frame, len);
		if (at < 0 || !stamp_read(frame + at, s))
			return -1;
	}
	return stamp_is_quoted(frame, len) ? -1 : at;
}

uint32_t stamp_min_frame(unsigned int vlans, bool ipv6)
{
	uint32_t size = ETH_HDR + vlans * VLAN_HDR + (ipv6 ? IPV6_HDR : IPV4_HDR) + UDP_HDR +
			STAMP_LEN + FRAME_FCS;

	return size < FRAME_MIN ? FRAME_MIN : size;
}

/*
 * Building test frames.
 */
#include "gen/frame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

uint32_t checksum_add(const uint8_t *bytes, size_t len, uint32_t start)
{
	uint64_t sum = start;

	for (size_t i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)bytes[i] << 8 | bytes[i + 1];
	if (len & 1)
		sum += (uint32_t)bytes[len - 1] << 8;
	while (sum >> 32)
		sum = (sum & 0xffffffff) + (sum >> 32);
	return (uint32_t)sum;
}

uint16_t checksum_fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static void put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, (uint16_t)(value >> 16));
	put16(at + 2, (uint16_t)value);
}

static void flow_ports(const struct frame_spec *spec, uint32_t flow, uint16_t *src, uint16_t *dst)
{
	/* Source ports wrap within src_port..65535; then the next destination port begins. */
	uint32_t span = 65536u - spec->src_port;

	*src = (uint16_t)(spec->src_port + flow % span);
	*dst = (uint16_t)(spec->dst_port + flow / span);
}

/* Sum of the UDP checksum's parts that are the same for all flows: pseudo header, length and
 * payload. */
static uint32_t flow_independent_sum(const struct frame *frame)
{
	uint16_t udp_len = (uint16_t)(frame->len - FRAME_UDP_AT);
	uint32_t sum = checksum_add(frame->bytes + FRAME_ETH_LEN + 12, 8, 17u + udp_len + udp_len);

	return checksum_add(frame->bytes + FRAME_PAYLOAD_AT, frame->len - FRAME_PAYLOAD_AT, sum);
}

static void put_udp(const struct frame_spec *spec, const struct frame *frame, uint32_t sum,
		    uint32_t flow, uint8_t *udp)
{
	uint16_t src, dst, checksum;

	flow_ports(spec, flow, &src, &dst);
	checksum = (uint16_t)~checksum_fold(sum + src + dst);
	put16(udp, src);
	put16(udp + 2, dst);
	put16(udp + 4, (uint16_t)(frame->len - FRAME_UDP_AT));
	put16(udp + 6, checksum ? checksum : 0xffff); /* 0 would mean no checksum (RFC 768) */
}

int frame_build(const struct frame_spec *spec, struct frame *frame, char *err, size_t errlen)
{
	uint32_t smallest = stamp_min_frame(0, false);
	uint8_t *ip = frame->bytes + FRAME_ETH_LEN;

	if (spec->size < smallest || spec->size > FRAME_JUMBO_MAX) {
		snprintf(err, errlen,
			 "frame size %u: IPv4/UDP and the stamp need at least %u, at most %u",
			 spec->size, smallest, FRAME_JUMBO_MAX);
		return -EINVAL;
	}
	frame->len = spec->size - FRAME_FCS;
	frame->stamp_at = frame->len - STAMP_LEN;
	memset(frame->bytes, 0, sizeof(frame->bytes));
	memcpy(frame->bytes, spec->dst_mac, 6);
	memcpy(frame->bytes + 6, spec->src_mac, 6);
	put16(frame->bytes + 12, 0x0800);
	ip[0] = 0x45;
	ip[1] = spec->tos;
	put16(ip + 2, (uint16_t)(frame->len - FRAME_ETH_LEN));
	put16(ip + 6, 0x4000); /* don't fragment: a too small MTU shows as loss, not as pieces */
	ip[8] = spec->ttl;
	ip[9] = 17; /* UDP */
	put32(ip + 12, spec->src_ip);
	put32(ip + 16, spec->dst_ip);
	put16(ip + 10, (uint16_t)~checksum_fold(checksum_add(ip, FRAME_IPV4_LEN, 0)));
	for (uint32_t i = FRAME_PAYLOAD_AT; i < frame->stamp_at; i++)
		frame->bytes[i] = (uint8_t)(i - FRAME_PAYLOAD_AT);
	put_udp(spec, frame, flow_independent_sum(frame), 0, frame->bytes + FRAME_UDP_AT);
	return 0;
}

void frame_flows(const struct frame_spec *spec, const struct frame *frame, uint32_t first,
		 uint32_t step, uint32_t n, uint64_t *headers)
{
	uint32_t sum = flow_independent_sum(frame);

	for (uint32_t i = 0; i < n; i++) {
		uint8_t udp[FRAME_UDP_LEN];

		put_udp(spec, frame, sum, first + i * step, udp);
		memcpy(&headers[i], udp, sizeof(udp));
	}
}

/*
 * Test frames: Ethernet, IPv4, UDP, a payload and the stamp (RFC 2544 appendix C.2.6.4). Pure:
 * bytes only.
 *
 * A frame is built once; what differs between the flows is the UDP header alone (ports and
 * checksum, 8 bytes), kept as one word a flow. The stamp adds up to 0, so a checksum computed over
 * a zeroed stamp is right for every frame.
 */
#ifndef TANDEM_FRAME_H
#define TANDEM_FRAME_H

#include "common/stamp.h"
#include "common/units.h"

#include <stddef.h>
#include <stdint.h>

#define FRAME_ETH_LEN	 14u
#define FRAME_IPV4_LEN	 20u
#define FRAME_UDP_LEN	 8u
#define FRAME_UDP_AT	 (FRAME_ETH_LEN + FRAME_IPV4_LEN)
#define FRAME_PAYLOAD_AT (FRAME_UDP_AT + FRAME_UDP_LEN)
#define FRAME_MAX_FLOWS	 (1u << 20)

struct frame_spec {
	uint8_t src_mac[6], dst_mac[6];
	uint32_t src_ip, dst_ip;     /* host byte order */
	uint16_t src_port, dst_port; /* of flow 0; flow n has source port src_port + n, then the
					next destination port */
	uint8_t tos, ttl;
	uint32_t size; /* frame size, FCS included */
};

struct frame {
	uint32_t len;	   /* bytes in an mbuf: frame size - 4 */
	uint32_t stamp_at; /* offset of the stamp */
	uint8_t bytes[FRAME_JUMBO_MAX];
};

/* Builds the frame of flow 0 with a zeroed stamp. 0, or -EINVAL with a line in err (the smallest
 * size that fits). */
int frame_build(const struct frame_spec *spec, struct frame *frame, char *err, size_t errlen);

/* The UDP headers of n flows (first, first + step, ..., below FRAME_MAX_FLOWS), as they stand in
 * memory at FRAME_UDP_AT. */
void frame_flows(const struct frame_spec *spec, const struct frame *frame, uint32_t first,
		 uint32_t step, uint32_t n, uint64_t *headers);

/* One's complement sum (RFC 1071) of len bytes, not folded below 32 bits; start is added. */
uint32_t checksum_add(const uint8_t *bytes, size_t len, uint32_t start);
uint16_t checksum_fold(uint32_t sum);

#endif

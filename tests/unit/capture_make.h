/*
 * Capture files for tests, written byte by byte: what libpcap itself does not write is wanted too.
 */
#ifndef TANDEM_UNIT_CAPTURE_MAKE_H
#define TANDEM_UNIT_CAPTURE_MAKE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct capture_kind {
	bool nanoseconds, swapped, modified;
	uint32_t link, snaplen; /* snaplen 0: 262144 */
};

/* Begins a file of the test's folder; the caller closes it. */
FILE *capture_begin(const char *name, const struct capture_kind *kind);

/* One frame of len bytes that had wire_len, at ns. */
void capture_put(FILE *out, const struct capture_kind *kind, uint64_t ns, const uint8_t *bytes,
		 uint32_t len, uint32_t wire_len);

/*
 * An Ethernet frame of len bytes (no FCS) with IPv4 and UDP (protocol 17) or TCP (6), all lengths
 * and checksums right, and a payload that index tells apart.
 */
void capture_ipv4(uint8_t *frame, uint32_t len, uint8_t protocol, uint32_t index);

/* The same with IPv6. */
void capture_ipv6(uint8_t *frame, uint32_t len, uint8_t protocol, uint32_t index);

/* True when every checksum of the frame is right: IPv4's header, and TCP's or UDP's. */
bool capture_sums_right(const uint8_t *frame, uint32_t len);

#endif

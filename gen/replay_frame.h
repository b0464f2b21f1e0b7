/*
 * The frames of a capture made ready to be sent: where their headers stand, addresses and ports
 * replaced, room made for the stamp. Checksums are kept right by what changed (RFC 1624), so that
 * one which was wrong in the file stays as wrong as it was. Pure: bytes only.
 */
#ifndef TANDEM_REPLAY_FRAME_H
#define TANDEM_REPLAY_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a frame's headers stand, as far as its bytes reach. */
struct frame_parts {
	uint32_t l3;	  /* offset of the IP header; 0: no IP */
	uint32_t l4;	  /* of TCP's, UDP's or ICMPv6's header; 0: none, or a later fragment */
	uint32_t payload; /* of TCP or UDP, whole and not fragmented; 0: none */
	uint32_t end;	  /* of the IP packet: padding may follow */
	uint32_t sum;	  /* of the L4 checksum; 0: none */
	uint8_t version;  /* 4 or 6 */
	uint8_t protocol;
	bool tagged; /* a VLAN tag */
};

void frame_parts_find(const uint8_t *frame, uint32_t len, struct frame_parts *p);

enum rewrite_mac { MAC_KEPT, MAC_GIVEN, MAC_LEARNT };

struct rewrite_prefix {
	bool on;
	uint8_t bits; /* leading ones that are replaced */
	uint8_t bytes[16];
};

/* What --rewrite asks for; all zero: nothing. */
struct rewrite {
	enum rewrite_mac dst_how, src_how;
	uint8_t dst_mac[6], src_mac[6];
	struct rewrite_prefix src4, dst4, src6, dst6;
	struct rewrite_prefix from4, to4; /* either address within from4 moves to to4 */
	uint16_t src_port, dst_port;	  /* 0: kept */
	uint16_t from_port, to_port;	  /* either port; from_port 0: none */
};

/* "dst-mac=gateway,src-ip=198.18.0.0/16,port=80:8080": adds to *rewrite. 0, or -EINVAL with a line
 * in err. */
int rewrite_parse(struct rewrite *rewrite, const char *text, char *err, size_t errlen);

/* Rewrites a frame. Learnt MACs must have been filled in; group addresses are left alone. */
void rewrite_frame(const struct rewrite *rewrite, const struct frame_parts *p, uint8_t *frame);

enum stamp_how { STAMP_TAIL, STAMP_APPEND, STAMP_NONE };

/*
 * Makes room for the stamp: zeroed, the checksum right for it, and so for every stamp. tail takes
 * the last bytes of the L4 payload; append makes the frame longer, up to max_len. frame has room
 * for max_len. Returns its offset, 0 where there is no room, and *len as it is then.
 */
uint32_t stamp_room(enum stamp_how how, const struct frame_parts *p, uint8_t *frame, uint32_t *len,
		    uint32_t max_len);

/*
 * A frame that the capture cut, len of wire_len bytes: the rest is filled with zeros and, where TCP
 * or UDP is whole, their checksum computed anew.
 */
void pad_cut_frame(uint8_t *frame, uint32_t len, uint32_t wire_len);

/*
 * Whether the checksum of IPv4's header, or of TCP or UDP where it is whole, is wrong; and putting
 * both right. A capture made where frames were sent holds them before the NIC filled in their sums.
 */
bool sums_are_wrong(const struct frame_parts *p, const uint8_t *frame, uint32_t len);
void sums_put(const struct frame_parts *p, uint8_t *frame, uint32_t len);

#endif

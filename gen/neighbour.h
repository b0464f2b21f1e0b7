/*
 * ARP (RFC 826): asking for a gateway, answering for ourselves. Pure: bytes only.
 */
#ifndef TANDEM_NEIGHBOUR_H
#define TANDEM_NEIGHBOUR_H

#include <stdbool.h>
#include <stdint.h>

#define ARP_FRAME_LEN 60u /* padded to the smallest Ethernet frame, FCS apart */

/* Who we are on a port. */
struct neighbour_self {
	uint8_t mac[6];
	uint32_t ip; /* host byte order */
};

/* Writes a request for target, ARP_FRAME_LEN bytes. */
void arp_request(const struct neighbour_self *self, uint32_t target, uint8_t *frame);

/* True when frame asks for our address: reply then holds the answer, ARP_FRAME_LEN bytes. */
bool arp_answer(const struct neighbour_self *self, const uint8_t *frame, uint32_t len,
		uint8_t *reply);

/* True when frame is a reply from ip: mac then holds its hardware address. */
bool arp_reply_from(const uint8_t *frame, uint32_t len, uint32_t ip, uint8_t mac[6]);

/* True when frame is a request that we sent ourselves: the DUT forwards without looking. */
bool arp_is_own_request(const struct neighbour_self *self, const uint8_t *frame, uint32_t len);

#endif

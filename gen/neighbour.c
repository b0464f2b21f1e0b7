/*
 * ARP on bytes: offsets of RFC 826 for Ethernet and IPv4.
 */
#include "gen/neighbour.h"

#include <string.h>

enum {
	TYPE_AT = 12,
	HEAD_AT = 14, /* hardware type, protocol type, lengths: always the same 6 bytes here */
	OPERATION_AT = 20,
	SENDER_MAC_AT = 22,
	SENDER_IP_AT = 28,
	TARGET_MAC_AT = 32,
	TARGET_IP_AT = 38,
	ARP_END = 42
};

enum { REQUEST = 1, REPLY = 2 };

static const uint8_t head[] = {0x08, 0x06, 0x00, 0x01, 0x08, 0x00, 6, 4};

static uint32_t get_ip(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_ip(uint8_t *at, uint32_t ip)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(ip >> (24 - 8 * i));
}

static bool is_arp(const uint8_t *frame, uint32_t len, uint8_t operation)
{
	return len >= ARP_END && !memcmp(frame + TYPE_AT, head, sizeof(head)) &&
	       frame[OPERATION_AT] == 0 && frame[OPERATION_AT + 1] == operation;
}

static void build(const struct neighbour_self *self, uint8_t operation, const uint8_t *dst_mac,
		  const uint8_t *target_mac, uint32_t target_ip, uint8_t *frame)
{
	memset(frame, 0, ARP_FRAME_LEN);
	memcpy(frame, dst_mac, 6);
	memcpy(frame + 6, self->mac, 6);
	memcpy(frame + TYPE_AT, head, sizeof(head));
	frame[OPERATION_AT + 1] = operation;
	memcpy(frame + SENDER_MAC_AT, self->mac, 6);
	put_ip(frame + SENDER_IP_AT, self->ip);
	memcpy(frame + TARGET_MAC_AT, target_mac, 6);
	put_ip(frame + TARGET_IP_AT, target_ip);
}

void arp_request(const struct neighbour_self *self, uint32_t target, uint8_t *frame)
{
	static const uint8_t broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	static const uint8_t unknown[6];

	build(self, REQUEST, broadcast, unknown, target, frame);
}

bool arp_answer(const struct neighbour_self *self, const uint8_t *frame, uint32_t len,
		uint8_t *reply)
{
	if (!is_arp(frame, len, REQUEST) || get_ip(frame + TARGET_IP_AT) != self->ip)
		return false;
	build(self, REPLY, frame + SENDER_MAC_AT, frame + SENDER_MAC_AT,
	      get_ip(frame + SENDER_IP_AT), reply);
	return true;
}

bool arp_reply_from(const uint8_t *frame, uint32_t len, uint32_t ip, uint8_t mac[6])
{
	if (!is_arp(frame, len, REPLY) || get_ip(frame + SENDER_IP_AT) != ip)
		return false;
	memcpy(mac, frame + SENDER_MAC_AT, 6);
	return true;
}

bool arp_is_own_request(const struct neighbour_self *self, const uint8_t *frame, uint32_t len)
{
	return is_arp(frame, len, REQUEST) && !memcmp(frame + SENDER_MAC_AT, self->mac, 6) &&
	       get_ip(frame + SENDER_IP_AT) == self->ip;
}

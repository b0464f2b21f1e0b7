/*
 * Capture files byte by byte, and frames with right checksums, computed anew each time.
 */
#include "tests/unit/capture_make.h"

#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#define ETH 14u

static const uint8_t macs[12] = {0x02, 0, 0, 0, 0, 0x0a, 0x02, 0, 0, 0, 0, 0x0b};
static const uint8_t addresses4[8] = {10, 1, 2, 3, 10, 9, 8, 7};
static const uint8_t source6[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 1};
static const uint8_t destination6[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 2};

static void put(FILE *out, const struct capture_kind *kind, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		fputc((int)(value >> 8 * (kind->swapped ? bytes - 1 - i : i) & 0xff), out);
}

FILE *capture_begin(const char *name, const struct capture_kind *kind)
{
	FILE *out = fopen(folder_path(name), "w");

	assert_non_null(out);
	put(out, kind,
	    kind->modified	? 0xa1b2cd34
	    : kind->nanoseconds ? 0xa1b23c4d
				: 0xa1b2c3d4,
	    4);
	put(out, kind, 2, 2);
	put(out, kind, 4, 2);
	put(out, kind, 0, 8);
	put(out, kind, kind->snaplen ? kind->snaplen : 262144, 4);
	put(out, kind, kind->link, 4);
	return out;
}

void capture_put(FILE *out, const struct capture_kind *kind, uint64_t ns, const uint8_t *bytes,
		 uint32_t len, uint32_t wire_len)
{
	put(out, kind, ns / 1000000000, 4);
	put(out, kind, ns % 1000000000 / (kind->nanoseconds ? 1 : 1000), 4);
	put(out, kind, len, 4);
	put(out, kind, wire_len, 4);
	if (kind->modified) /* interface, protocol, packet type, padding */
		put(out, kind, 0, 8);
	fwrite(bytes, 1, len, out);
}

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint32_t get16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t sum(const uint8_t *bytes, uint32_t len, uint32_t start)
{
	for (uint32_t i = 0; i < len; i++)
		start += (uint32_t)bytes[i] << (i & 1 ? 0 : 8);
	while (start >> 16)
		start = (start & 0xffff) + (start >> 16);
	return start;
}

/* Sum of the L4 part with its pseudo header: 0xffff where the checksum is right. */
static uint32_t l4_sum(const uint8_t *frame, uint32_t l4, uint32_t len, uint32_t protocol,
		       uint32_t addresses)
{
	return sum(frame + l4, len, sum(frame + l4 - addresses, addresses, len + protocol));
}

static void put_l4(uint8_t *frame, uint32_t l4, uint32_t end, uint8_t protocol, uint32_t addresses,
		   uint32_t index)
{
	uint32_t check = l4 + (protocol == 6 ? 16 : 6), payload = l4 + (protocol == 6 ? 20 : 8);
	uint32_t value;

	put16(frame + l4, 1000 + index % 1000);
	put16(frame + l4 + 2, 80);
	if (protocol == 17)
		put16(frame + l4 + 4, end - l4);
	else
		frame[l4 + 12] = 5 << 4;
	for (uint32_t i = payload; i < end; i++)
		frame[i] = (uint8_t)(i * 7 + index * 13);
	value = ~l4_sum(frame, l4, end - l4, protocol, addresses) & 0xffff;
	put16(frame + check, value || protocol == 6 ? value : 0xffff);
}

void capture_ipv4(uint8_t *frame, uint32_t len, uint8_t protocol, uint32_t index)
{
	uint8_t *ip = frame + ETH;

	memset(frame, 0, len);
	memcpy(frame, macs, sizeof(macs));
	put16(frame + 12, 0x0800);
	ip[0] = 0x45;
	put16(ip + 2, len - ETH);
	put16(ip + 4, index);
	ip[8] = 64;
	ip[9] = protocol;
	memcpy(ip + 12, addresses4, 8);
	put16(ip + 10, ~sum(ip, 20, 0) & 0xffff);
	put_l4(frame, ETH + 20, len, protocol, 8, index);
}

void capture_ipv6(uint8_t *frame, uint32_t len, uint8_t protocol, uint32_t index)
{
	uint8_t *ip = frame + ETH;

	memset(frame, 0, len);
	memcpy(frame, macs, sizeof(macs));
	put16(frame + 12, 0x86dd);
	ip[0] = 0x60;
	put16(ip + 4, len - ETH - 40);
	ip[6] = protocol;
	ip[7] = 64;
	memcpy(ip + 8, source6, 16);
	memcpy(ip + 24, destination6, 16);
	put_l4(frame, ETH + 40, len, protocol, 32, index);
}

bool capture_sums_right(const uint8_t *frame, uint32_t len)
{
	bool v6 = get16(frame + 12) == 0x86dd;
	const uint8_t *ip = frame + ETH;
	uint32_t header = v6 ? 40 : (ip[0] & 15u) * 4, protocol = v6 ? ip[6] : ip[9];
	uint32_t whole = v6 ? 40 + get16(ip + 4) : get16(ip + 2);

	if (whole + ETH > len || (!v6 && sum(ip, header, 0) != 0xffff))
		return false;
	if (protocol == 17 && !v6 && !get16(ip + header + 6))
		return true;
	return sum(ip + header, whole - header,
		   sum(ip + (v6 ? 8 : 12), v6 ? 32 : 8, whole - header + protocol)) == 0xffff;
}

/*
 * MAC and IPv4 addresses as text.
 *
 * Read strictly: inet_aton would take "10.1" and octal "010.0.0.1", which on a command line is a
 * slip.
 */
#include "common/units.h"
#include "common/units_number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

int mac_parse(const char *text, uint8_t mac[6], char *err, size_t errlen)
{
	const char *p = text;
	uint8_t read[6];
	int high, low;

	for (int i = 0; i < 6; i++) {
		high = hex_digit(p[0]);
		low = high < 0 ? -1 : hex_digit(p[1]);
		if (low < 0 || p[2] != (i < 5 ? ':' : '\0'))
			return units_error(err, errlen,
					   "MAC address '%s': expected e.g. 0a:1b:2c:3d:4e:5f",
					   text);
		read[i] = (uint8_t)(high << 4 | low);
		p += 3;
	}
	memcpy(mac, read, sizeof(read));
	return 0;
}

int ipv4_parse(const char *text, uint32_t *addr, char *err, size_t errlen)
{
	const char *p = text;
	unsigned int octet;
	uint32_t read = 0;
	int digits;

	for (int i = 0; i < 4; i++) {
		octet = 0;
		for (digits = 0; digits < 4 && isdigit((unsigned char)p[digits]); digits++)
			octet = octet * 10 + (unsigned int)(p[digits] - '0');
		if (!digits || octet > 255 || (digits > 1 && *p == '0') ||
		    p[digits] != (i < 3 ? '.' : '\0'))
			return units_error(err, errlen,
					   "IPv4 address '%s': expected e.g. 198.18.0.1", text);
		read = read << 8 | octet;
		p += digits + 1;
	}
	*addr = read;
	return 0;
}

char *mac_format(const uint8_t mac[6], char *buf, size_t len)
{
	snprintf(buf, len, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4],
		 mac[5]);
	return buf;
}

char *ipv4_format(uint32_t addr, char *buf, size_t len)
{
	snprintf(buf, len, "%u.%u.%u.%u", addr >> 24, addr >> 16 & 255, addr >> 8 & 255,
		 addr & 255);
	return buf;
}

/*
 * Reading the KNI sample's options, stricter than the sample: whatever is not understood is named.
 */
#include "dut/kni_options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_KERNEL_CORES 32u /* a port, as in the sample */

static int wrong(char *err, size_t errlen, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int wrong(char *err, size_t errlen, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err, errlen, format, args);
	va_end(args);
	return -EINVAL;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int kni_mask_parse(uint64_t *mask, const char *text, char *err, size_t errlen)
{
	const char *at = text;
	uint64_t value = 0;

	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	if (!*at)
		return wrong(err, errlen, "must be a mask of ports in hexadecimal, as 0x1");
	for (; *at; at++) {
		int digit = hex_digit(*at);

		if (digit < 0)
			return wrong(err, errlen, "must be a mask of ports in hexadecimal, as 0x1");
		value = value << 4 | (uint64_t)digit;
		if (value >> KNI_PORT_IDS)
			return wrong(err, errlen, "names ports beyond %u", KNI_PORT_IDS - 1);
	}
	if (!value)
		return wrong(err, errlen, "names no port");
	*mask = value;
	return 0;
}

/* A decimal number below limit; moves *at behind it. False when there is none. */
static bool number(const char **at, unsigned int limit, uint16_t *value)
{
	unsigned int n = 0;

	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); (*at)++) {
		n = n * 10 + (unsigned int)(**at - '0');
		if (n >= limit)
			return false;
	}
	*value = (uint16_t)n;
	return true;
}

/* What stands between two parentheses, *at behind the first; moves it behind the second. */
static int parse_group(struct kni_port *p, const char **at, char *err, size_t errlen)
{
	uint16_t *const fields[] = {&p->port, &p->lcore_rx, &p->lcore_tx};
	uint16_t ignored;

	for (unsigned int i = 0; i < 3; i++) {
		if (i > 0 && *(*at)++ != ',')
			return wrong(err, errlen,
				     "a port needs (port,lcore_rx,lcore_tx) in parentheses, as "
				     "(0,2,3)");
		if (!number(at, i ? KNI_LCORE_IDS : KNI_PORT_IDS, fields[i]))
			return wrong(err, errlen, "%s must be a number from 0 to %u",
				     i == 0   ? "a port"
				     : i == 1 ? "lcore_rx"
					      : "lcore_tx",
				     (i ? KNI_LCORE_IDS : KNI_PORT_IDS) - 1);
	}
	while (**at == ',') {
		(*at)++;
		if (!number(at, KNI_LCORE_IDS, &ignored))
			return wrong(err, errlen,
				     "a kernel thread's core must be a number from 0 to %u",
				     KNI_LCORE_IDS - 1);
		if (++p->n_kernel > MAX_KERNEL_CORES)
			return wrong(err, errlen, "more than %u kernel threads for port %u",
				     MAX_KERNEL_CORES, p->port);
	}
	if (**at != ')')
		return wrong(err, errlen, "')' is missing behind what port %u has", p->port);
	(*at)++;
	return 0;
}

int kni_config_parse(struct kni_config *c, const char *text, char *err, size_t errlen)
{
	struct kni_config config = {0};
	const char *at = text;

	do {
		struct kni_port p = {0};
		int rc;

		if (config.n > 0)
			at++; /* the comma */
		if (*at != '(')
			return wrong(err, errlen,
				     "each port needs (port,lcore_rx,lcore_tx) in parentheses, as "
				     "(0,2,3)");
		at++;
		rc = parse_group(&p, &at, err, errlen);
		if (rc < 0)
			return rc;
		for (unsigned int i = 0; i < config.n; i++)
			if (config.ports[i].port == p.port)
				return wrong(err, errlen, "port %u is there twice", p.port);
		if (config.n == DUT_MAX_PORTS)
			return wrong(err, errlen, "more than %u ports", DUT_MAX_PORTS);
		config.ports[config.n++] = p;
	} while (*at == ',');
	if (*at)
		return wrong(err, errlen, "ports are separated by commas, not '%.8s'", at);
	*c = config;
	return 0;
}

static uint64_t config_mask(const struct kni_config *c)
{
	uint64_t mask = 0;

	for (unsigned int i = 0; i < c->n; i++)
		mask |= 1ull << c->ports[i].port;
	return mask;
}

uint64_t kni_wire_mask(const struct kni_config *c, uint64_t mask)
{
	return mask ? mask : config_mask(c);
}

bool kni_options_agree(const struct kni_config *c, uint64_t mask, char *err, size_t errlen)
{
	uint64_t configured = config_mask(c);

	if (!mask || !c->n || mask == configured)
		return true;
	if (mask & ~configured)
		wrong(err, errlen, "port %d is in the port mask 0x%" PRIx64 " but not in --config",
		      __builtin_ctzll(mask & ~configured), mask);
	else
		wrong(err, errlen, "port %d is in --config but not in the port mask 0x%" PRIx64,
		      __builtin_ctzll(configured & ~mask), mask);
	return false;
}

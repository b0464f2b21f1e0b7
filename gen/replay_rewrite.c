/*
 * Reading what --rewrite asks for.
 */
#include "gen/replay_frame.h"

#include "common/units.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int bad(char *err, size_t errlen, const char *value, const char *expected)
{
	snprintf(err, errlen, "'%.64s': expected %s", value, expected);
	return -EINVAL;
}

/* "198.18.0.0/16" or "2001:db8::/64"; without a length the whole address. */
static int parse_prefix(const char *text, int family, struct rewrite_prefix *prefix, char *err,
			size_t errlen)
{
	const char *slash = strchr(text, '/');
	uint64_t bits = family == AF_INET ? 32 : 128;
	char address[64];

	snprintf(address, sizeof(address), "%.*s", slash ? (int)(slash - text) : (int)strlen(text),
		 text);
	if (inet_pton(family, address, prefix->bytes) != 1 ||
	    (slash && count_parse(slash + 1, 0, bits, &bits, err, errlen)))
		return bad(err, errlen, text,
			   family == AF_INET ? "an IPv4 address such as 198.18.0.0/16"
					     : "an IPv6 address such as 2001:db8::/64");
	prefix->bits = (uint8_t)bits;
	prefix->on = true;
	return 0;
}

static int parse_mac(const char *text, const char *learnt, enum rewrite_mac *how, uint8_t *mac,
		     char *err, size_t errlen)
{
	int rc = 0;

	*how = MAC_LEARNT;
	if (strcmp(text, learnt)) {
		*how = MAC_GIVEN;
		rc = mac_parse(text, mac, err, errlen);
	}
	return rc;
}

static int parse_port(const char *text, uint16_t *port, char *err, size_t errlen)
{
	uint64_t value;
	int rc = count_parse(text, 1, 65535, &value, err, errlen);

	if (!rc)
		*port = (uint16_t)value;
	return rc;
}

/* "10.0.0.0/8:172.0.0.0" */
static int parse_map(const char *text, struct rewrite *r, char *err, size_t errlen)
{
	const char *colon = strchr(text, ':');
	char from[64];
	int rc;

	if (!colon || colon - text >= (int)sizeof(from))
		return bad(err, errlen, text, "OLD/LENGTH:NEW, e.g. 10.0.0.0/8:172.0.0.0");
	snprintf(from, sizeof(from), "%.*s", (int)(colon - text), text);
	rc = parse_prefix(from, AF_INET, &r->from4, err, errlen);
	if (!rc)
		rc = parse_prefix(colon + 1, AF_INET, &r->to4, err, errlen);
	if (!rc && strchr(colon, '/') && r->to4.bits != r->from4.bits)
		return bad(err, errlen, text, "the same length on both sides");
	r->to4.bits = r->from4.bits;
	return rc;
}

static int parse_port_map(const char *text, struct rewrite *r, char *err, size_t errlen)
{
	const char *colon = strchr(text, ':');
	char from[16];
	int rc;

	if (!colon || colon - text >= (int)sizeof(from))
		return bad(err, errlen, text, "OLD:NEW, e.g. 80:8080");
	snprintf(from, sizeof(from), "%.*s", (int)(colon - text), text);
	rc = parse_port(from, &r->from_port, err, errlen);
	return rc ? rc : parse_port(colon + 1, &r->to_port, err, errlen);
}

static int parse_rule(struct rewrite *r, const char *key, const char *value, char *err,
		      size_t errlen)
{
	if (!strcmp(key, "dst-mac"))
		return parse_mac(value, "gateway", &r->dst_how, r->dst_mac, err, errlen);
	if (!strcmp(key, "src-mac"))
		return parse_mac(value, "port", &r->src_how, r->src_mac, err, errlen);
	if (!strcmp(key, "src-ip"))
		return parse_prefix(value, AF_INET, &r->src4, err, errlen);
	if (!strcmp(key, "dst-ip"))
		return parse_prefix(value, AF_INET, &r->dst4, err, errlen);
	if (!strcmp(key, "src-ip6"))
		return parse_prefix(value, AF_INET6, &r->src6, err, errlen);
	if (!strcmp(key, "dst-ip6"))
		return parse_prefix(value, AF_INET6, &r->dst6, err, errlen);
	if (!strcmp(key, "ip"))
		return parse_map(value, r, err, errlen);
	if (!strcmp(key, "src-port"))
		return parse_port(value, &r->src_port, err, errlen);
	if (!strcmp(key, "dst-port"))
		return parse_port(value, &r->dst_port, err, errlen);
	if (!strcmp(key, "port"))
		return parse_port_map(value, r, err, errlen);
	return bad(err, errlen, key,
		   "dst-mac, src-mac, src-ip, dst-ip, ip, src-ip6, dst-ip6, src-port, dst-port or "
		   "port");
}

int rewrite_parse(struct rewrite *rewrite, const char *text, char *err, size_t errlen)
{
	struct rewrite r = *rewrite;
	char rule[128], *value;

	for (;;) {
		size_t n = strcspn(text, ",");
		int rc;

		if (n >= sizeof(rule))
			return bad(err, errlen, text, "FIELD=VALUE");
		snprintf(rule, sizeof(rule), "%.*s", (int)n, text);
		value = strchr(rule, '=');
		if (!value)
			return bad(err, errlen, rule, "FIELD=VALUE, e.g. dst-mac=gateway");
		*value++ = '\0';
		rc = parse_rule(&r, rule, value, err, errlen);
		if (rc)
			return rc;
		if (!text[n])
			break;
		text += n + 1;
	}
	*rewrite = r;
	return 0;
}

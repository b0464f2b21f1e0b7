/*
 * The forms of --dut. What becomes part of a command line is held to letters that mean nothing to a
 * shell or to ssh.
 */
#include "gen/dut_place.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(const char *text, const char *what, char *err, size_t errlen)
{
	char shown[81];

	snprintf(shown, sizeof(shown), "%.80s", text);
	for (char *c = shown; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	snprintf(err, errlen, "'%s': %s; give unix:PATH or ssh://[USER@]HOST[:PORT][/PREFIX]",
		 shown, what);
	return -EINVAL;
}

bool dut_place_plain(const char *text, const char *more)
{
	if (!*text || *text == '-')
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr(more, *text))
			return false;
	return true;
}

/* Splits at the port: what follows the last colon, but for the colons inside [an IPv6 address]. */
static int take_port(char *host, unsigned int *port)
{
	char *close = strchr(host, ']'), *colon = strrchr(close ? close : host, ':'), *end;
	unsigned long value;

	if (!colon)
		return 0;
	value = strtoul(colon + 1, &end, 10);
	if (!isdigit((unsigned char)colon[1]) || *end || !value || value > 65535)
		return -EINVAL;
	*port = (unsigned int)value;
	*colon = '\0';
	return 0;
}

/* ssh wants an IPv6 address without its brackets. */
static void take_brackets_off(char *host)
{
	char *open = strchr(host, '['), *close = strchr(host, ']');

	if (!open || !close || close < open)
		return;
	memmove(close, close + 1, strlen(close));
	memmove(open, open + 1, strlen(open));
}

static int parse_ssh(struct dut_place *p, const char *text, char *err, size_t errlen)
{
	const char *rest = text + strlen("ssh://"), *slash = strchr(rest, '/');
	size_t n = slash ? (size_t)(slash - rest) : strlen(rest);

	if (n >= sizeof(p->host))
		return bad(text, "the host's name is too long", err, errlen);
	memcpy(p->host, rest, n);
	p->host[n] = '\0';
	if (take_port(p->host, &p->port))
		return bad(text, "a port is a number from 1 to 65535", err, errlen);
	take_brackets_off(p->host);
	if (!dut_place_plain(p->host, ".-_@:%") || strstr(p->host, "@-") ||
	    strchr(p->host, '@') == p->host)
		return bad(text, "no name of a host", err, errlen);
	snprintf(p->prefix, sizeof(p->prefix), "%s",
		 slash && slash[1] ? slash + 1 : DUT_DEFAULT_PREFIX);
	if ((slash && strlen(slash + 1) >= sizeof(p->prefix)) || !dut_place_plain(p->prefix, ".-_"))
		return bad(text, "no file prefix", err, errlen);
	p->way = DUT_SSH;
	return 0;
}

int dut_place_parse(struct dut_place *place, const char *text, char *err, size_t errlen)
{
	const char *path = !strncmp(text, "unix:", 5) ? text + 5 : text;

	*place = (struct dut_place){.way = DUT_NOWHERE};
	if (strlen(text) >= sizeof(place->text))
		return bad(text, "too long", err, errlen);
	strcpy(place->text, text);
	if (!strncmp(text, "ssh://", 6))
		return parse_ssh(place, text, err, errlen);
	if (path == text && !strchr(text, '/'))
		return bad(text, "neither a path nor a host", err, errlen);
	if (!*path)
		return bad(text, "no path", err, errlen);
	if (strstr(text, "://"))
		return bad(text, "an unknown way to a DUT", err, errlen);
	if (strlen(path) >= sizeof(place->path))
		return bad(text, "too long for a socket's path", err, errlen);
	strcpy(place->path, path);
	place->way = DUT_UNIX;
	return 0;
}

int dut_place_ssh(const struct dut_place *place, const char *ssh, const char *script, char *buf,
		  size_t len, const char **argv, char *err, size_t errlen)
{
	static const char *const options[] = {"-T",
					      "-o",
					      "BatchMode=yes",
					      "-o",
					      "ConnectTimeout=5",
					      "-o",
					      "LogLevel=ERROR",
					      "-o",
					      "ServerAliveInterval=5",
					      "-o",
					      "ServerAliveCountMax=2"};
	const size_t n_options = sizeof(options) / sizeof(options[0]);
	char *rest = buf, *word, *save;
	size_t n = 0, used;

	used = (size_t)snprintf(buf, len, "%s", ssh) + 1;
	while ((word = strtok_r(rest, " ", &save)) && n < DUT_SSH_WORDS - n_options - 6) {
		argv[n++] = word;
		rest = NULL;
	}
	if (!n || word || used + 8 > len) {
		snprintf(err, errlen, "--ssh '%.60s': a command of 1 to %zu words is needed", ssh,
			 DUT_SSH_WORDS - n_options - 6);
		return -EINVAL;
	}
	for (size_t i = 0; i < n_options; i++)
		argv[n++] = options[i];
	if (place->port) {
		snprintf(buf + used, len - used, "%u", place->port);
		argv[n++] = "-p";
		argv[n++] = buf + used;
	}
	argv[n++] = "--";
	argv[n++] = place->host;
	argv[n++] = script;
	argv[n] = NULL;
	return 0;
}

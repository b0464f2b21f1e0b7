/*
 * DPDK's telemetry socket: SOCK_SEQPACKET; the server greets each client with a line about itself,
 * then answers one JSON object a request.
 */
#include "common/dpdk/telemetry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define REPLY_MAX (16 * 1024 + 512)

char *telemetry_path(const char *prefix, char *buf, size_t len)
{
	const char *base = getenv("XDG_RUNTIME_DIR");

	if (!base || geteuid() == 0)
		base = geteuid() == 0 ? "/var/run" : "/tmp";
	snprintf(buf, len, "%s/dpdk/%s/dpdk_telemetry.v2", base, prefix);
	return buf;
}

static int fail(char *err, size_t errlen, const char *path, const char *what, int code)
{
	snprintf(err, errlen, "telemetry socket %s: %s: %s", path, what, strerror(code));
	return -code;
}

int telemetry_request(const char *path, const char *command, json_t **reply, char *err,
		      size_t errlen)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	struct timeval second = {.tv_sec = 1};
	json_t *whole = NULL, *value;
	json_error_t bad;
	char *text = NULL, name[128];
	ssize_t n;
	int fd, rc = 0;

	if (strlen(path) >= sizeof(addr.sun_path))
		return fail(err, errlen, path, "path too long", ENAMETOOLONG);
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(err, errlen, path, "socket", errno);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof(second));
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		rc = fail(err, errlen, path, "is the DUT running? connect", errno);
		goto cleanup;
	}
	text = malloc(REPLY_MAX);
	if (!text) {
		rc = fail(err, errlen, path, "buffer", ENOMEM);
		goto cleanup;
	}
	if (recv(fd, text, REPLY_MAX, 0) <= 0 || send(fd, command, strlen(command), 0) < 0 ||
	    (n = recv(fd, text, REPLY_MAX, 0)) <= 0) {
		rc = fail(err, errlen, path, "no answer", errno ? errno : EPIPE);
		goto cleanup;
	}
	whole = json_loadb(text, (size_t)n, 0, &bad);
	/* The key is the command without its parameters. */
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, ","), command);
	value = json_object_get(whole, name);
	if (!value || json_is_null(value)) {
		rc = fail(err, errlen, path, "no usable answer to the command", EPROTO);
		goto cleanup;
	}
	*reply = json_incref(value);
cleanup:
	json_decref(whole);
	free(text);
	close(fd);
	return rc;
}

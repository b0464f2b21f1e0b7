/*
 * A stale socket gives "Address already in use" while EAL starts all the same, without the port; a
 * virtio_user without its server does not start at all. Both are settled here, before EAL sees the
 * device.
 */
#include "common/dpdk/vdev.h"

#include "common/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define POLL_NS	       50000000ull
#define SOCKET_ACCEPTS 0x10000u /* __SO_ACCEPTCON in the kernel's list */

/*
 * True when the kernel lists a listener on the path, in this network namespace. Asked first,
 * because a memif server that sees a client come and go at once takes no further ones.
 */
static bool is_listening(const char *path)
{
	FILE *list = fopen("/proc/net/unix", "re");
	char line[512], at[256];
	unsigned int flags;
	bool found = false;

	while (list && !found && fgets(line, sizeof(line), list))
		found = sscanf(line, "%*s %*s %*s %x %*s %*s %*s %255s", &flags, at) == 2 &&
			flags & SOCKET_ACCEPTS && !strcmp(at, path);
	if (list)
		fclose(list);
	return found;
}

enum socket_state socket_alive(const char *path, enum socket_type type)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	struct stat st;
	int fd, rc;

	if (strlen(path) >= sizeof(addr.sun_path) || stat(path, &st) || !S_ISSOCK(st.st_mode))
		return SOCKET_ABSENT;
	if (is_listening(path))
		return SOCKET_LIVE;
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX,
		    (type == SOCKET_STREAM ? SOCK_STREAM : SOCK_SEQPACKET) | SOCK_CLOEXEC |
			    SOCK_NONBLOCK,
		    0);
	if (fd < 0)
		return SOCKET_DEAD;
	rc = connect(fd, (struct sockaddr *)&addr, sizeof(addr)) ? errno : 0;
	close(fd);
	/* EAGAIN: a full backlog, so somebody listens. */
	return !rc || rc == EAGAIN || rc == EPROTOTYPE ? SOCKET_LIVE : SOCKET_DEAD;
}

bool vdev_value(const char *vdev, const char *key, char *buf, size_t len)
{
	size_t key_len = strlen(key);

	for (const char *at = strchr(vdev, ','); at; at = strchr(at, ',')) {
		size_t n;

		at++;
		if (strncmp(at, key, key_len) || at[key_len] != '=')
			continue;
		at += key_len + 1;
		n = strcspn(at, ",");
		if (n >= len)
			return false;
		memcpy(buf, at, n);
		buf[n] = '\0';
		return true;
	}
	return false;
}

static int wait_for_listener(const char *path, uint64_t wait_ns, const volatile bool *stop,
			     char *err, size_t errlen)
{
	uint64_t begin = clock_ns();

	while (socket_alive(path, SOCKET_STREAM) != SOCKET_LIVE) {
		if (*stop) {
			snprintf(err, errlen, "stopped while waiting for the peer on %s", path);
			return -EINTR;
		}
		if (clock_ns() - begin >= wait_ns) {
			snprintf(err, errlen,
				 "no peer on %s after %.1f s: start tandem-dut there, or wait "
				 "longer with --wait-link",
				 path, (double)wait_ns / 1e9);
			return -ETIMEDOUT;
		}
		clock_sleep(POLL_NS);
	}
	return 0;
}

static int clear_server_path(const char *path, enum socket_type type, char *err, size_t errlen)
{
	switch (socket_alive(path, type)) {
	case SOCKET_LIVE:
		snprintf(err, errlen,
			 "socket %s is in use by another program: stop it or name another path",
			 path);
		return -EADDRINUSE;
	case SOCKET_DEAD:
		unlink(path);
		break;
	case SOCKET_ABSENT:
		break;
	}
	return 0;
}

bool vdev_needs_path_socket(const char *vdev)
{
	char text[8];

	return !strncmp(vdev, "net_memif", 9) &&
	       !vdev_value(vdev, "socket-abstract", text, sizeof(text));
}

int vdev_prepare(const char *vdev, uint64_t wait_ns, const volatile bool *stop, char *err,
		 size_t errlen)
{
	char path[256], text[32];

	if (!strncmp(vdev, "net_virtio_user", 15)) {
		if (!vdev_value(vdev, "path", path, sizeof(path)))
			return 0;
		if (vdev_value(vdev, "server", text, sizeof(text)) && !strcmp(text, "1"))
			return clear_server_path(path, SOCKET_STREAM, err, errlen);
		if (!strncmp(path, "/dev/", 5)) /* /dev/vhost-net */
			return vdev_check_kernel(vdev, err, errlen);
		return wait_for_listener(path, wait_ns, stop, err, errlen);
	}
	if (!strncmp(vdev, "net_vhost", 9)) {
		if (!vdev_value(vdev, "iface", path, sizeof(path)))
			return 0;
		if (vdev_value(vdev, "client", text, sizeof(text)) && !strcmp(text, "1"))
			return 0;
		return clear_server_path(path, SOCKET_STREAM, err, errlen);
	}
	if (!strncmp(vdev, "net_memif", 9)) {
		bool server = vdev_value(vdev, "role", text, sizeof(text)) &&
			      (!strcmp(text, "server") || !strcmp(text, "master"));

		if (!vdev_value(vdev, "socket", path, sizeof(path)))
			snprintf(path, sizeof(path), "/run/memif.sock");
		return server ? clear_server_path(path, SOCKET_SEQPACKET, err, errlen) : 0;
	}
	return vdev_check_kernel(vdev, err, errlen);
}

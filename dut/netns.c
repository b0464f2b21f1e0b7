/*
 * Network namespaces by name, as "ip netns" keeps them: files that hold a namespace open.
 */
#include "dut/netns.h"
#include "dut/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NETNS_DIR "/run/netns"

static void netns_path(const char *name, char *path, size_t len)
{
	snprintf(path, len, NETNS_DIR "/%s", name);
}

bool netns_exists(const char *name)
{
	char path[PATH_MAX];

	netns_path(name, path, sizeof(path));
	return access(path, F_OK) == 0;
}

int netns_open(struct netns *ns, const char *name, char *err, size_t errlen)
{
	char path[PATH_MAX];
	int rc;

	*ns = (struct netns){.fd = -1, .home = -1};
	snprintf(ns->name, sizeof(ns->name), "%s", name);
	if (!netns_exists(name)) {
		rc = COMMAND(err, errlen, "ip", "netns", "add", name);
		if (rc < 0)
			return rc;
		ns->made = true;
	}
	netns_path(name, path, sizeof(path));
	ns->fd = open(path, O_RDONLY | O_CLOEXEC);
	ns->home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (ns->fd >= 0 && ns->home >= 0)
		return 0;
	rc = -errno;
	snprintf(err, errlen, "cannot open the network namespace %s: %s", name, strerror(-rc));
	netns_close(ns);
	return rc;
}

void netns_close(struct netns *ns)
{
	char ignored[256];

	if (ns->fd >= 0)
		close(ns->fd);
	if (ns->home >= 0)
		close(ns->home);
	ns->fd = ns->home = -1;
	if (ns->made)
		COMMAND(ignored, sizeof(ignored), "ip", "netns", "del", ns->name);
	ns->made = false;
}

int netns_enter(const struct netns *ns, char *err, size_t errlen)
{
	int rc = setns(ns->fd, CLONE_NEWNET) < 0 ? -errno : 0;

	if (rc < 0)
		snprintf(err, errlen, "cannot enter the network namespace %s: %s%s", ns->name,
			 strerror(-rc), rc == -EPERM ? "; run as root (CAP_SYS_ADMIN)" : "");
	return rc;
}

void netns_leave(const struct netns *ns)
{
	if (setns(ns->home, CLONE_NEWNET) == 0)
		return;
	/* What follows would happen in the wrong place: only possible when rights were taken away
	 * meanwhile. */
	fprintf(stderr, "tandem-dut: cannot leave the network namespace %s: %s\n", ns->name,
		strerror(errno));
	abort();
}

int netns_sysctl(const char *name, const char *value)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd, rc;

	snprintf(path, sizeof(path), "/proc/sys/net/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = write(fd, value, strlen(value));
	rc = n < 0 ? -errno : 0;
	close(fd);
	return rc;
}

/*
 * Children that end when their input does: also when this program is killed.
 */
#include "gen/dut_child.h"

#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAP_NS	   10000000ull
#define LAST_WORDS 1024

static int spawn(struct dut_child *c, const char *const *argv, int input, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int rc;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, c->log_fd, STDERR_FILENO);
	/* A Ctrl-C of the terminal is for us: we end it in order. */
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	rc = posix_spawnp(&c->pid, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv,
			  environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	if (rc)
		c->pid = 0;
	return -rc;
}

int dut_child_start(struct dut_child *c, const char *const *argv, int talks)
{
	int ends[2], rc;

	*c = (struct dut_child){.fd = -1, .log_fd = memfd_create("dut", MFD_CLOEXEC)};
	if (c->log_fd < 0)
		return -errno;
	/* Lines of several processes follow one another. */
	fcntl(c->log_fd, F_SETFL, O_APPEND);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		rc = -errno;
		close(c->log_fd);
		return rc;
	}
	rc = spawn(c, argv, ends[1], talks ? ends[1] : c->log_fd);
	close(ends[1]);
	c->fd = ends[0];
	if (rc) {
		close(c->fd);
		close(c->log_fd);
		c->fd = c->log_fd = -1;
	}
	return rc;
}

int dut_child_ended(struct dut_child *c, int *status)
{
	if (c->pid && waitpid(c->pid, status, WNOHANG) == c->pid)
		c->pid = 0;
	return !c->pid;
}

char *dut_child_last_words(const struct dut_child *c, char *buf, size_t len)
{
	char text[LAST_WORDS + 1], *line;
	off_t size = lseek(c->log_fd, 0, SEEK_END);
	ssize_t n = pread(c->log_fd, text, LAST_WORDS, size > LAST_WORDS ? size - LAST_WORDS : 0);

	text[n > 0 ? n : 0] = '\0';
	for (char *p = text; *p; p++)
		if (*p == '\r')
			*p = '\n';
	while (*text && text[strlen(text) - 1] == '\n')
		text[strlen(text) - 1] = '\0';
	line = strrchr(text, '\n');
	snprintf(buf, len, "%s", line ? line + 1 : text);
	return buf;
}

void dut_child_end(struct dut_child *c, unsigned long long patience_ns)
{
	uint64_t until = clock_ns() + patience_ns;
	int status;

	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	while (!dut_child_ended(c, &status) && clock_ns() < until)
		clock_sleep(NAP_NS);
	if (c->pid) {
		kill(-c->pid, SIGTERM);
		clock_sleep(10 * NAP_NS);
		kill(-c->pid, SIGKILL);
		waitpid(c->pid, &status, 0);
		c->pid = 0;
	}
	if (c->log_fd >= 0)
		close(c->log_fd);
	c->log_fd = -1;
}

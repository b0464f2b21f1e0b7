/*
 * Running a program without a shell: no quoting to get wrong.
 *
 * It gets a process group of its own, so that Ctrl-C on the terminal ends us in order and not a
 * half-done ip.
 */
#include "dut/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads what comes from fd until its end; the first line is kept. */
static void read_complaint(int fd, char *line, size_t len)
{
	char chunk[256];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		for (ssize_t i = 0; i < n && used + 1 < len; i++)
			line[used++] = chunk[i];
	}
	line[used] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

static void join_words(const char *const argv[], char *buf, size_t len)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; argv[i] && used < len; i++)
		used += (size_t)snprintf(buf + used, len - used, "%s%s", i ? " " : "", argv[i]);
}

static int spawn(const char *const argv[], int complaint_fd, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, complaint_fd, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawnp(pid, argv[0], &actions, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

int command_run(const char *const argv[], char *err, size_t errlen)
{
	char words[256], complaint[256];
	int fds[2], status, rc;
	pid_t pid;

	join_words(argv, words, sizeof(words));
	if (pipe2(fds, O_CLOEXEC) < 0) {
		rc = -errno;
		snprintf(err, errlen, "%s: %s", words, strerror(-rc));
		return rc;
	}
	rc = spawn(argv, fds[1], &pid);
	close(fds[1]);
	if (rc < 0) {
		close(fds[0]);
		snprintf(err, errlen, "cannot run '%s': %s%s", argv[0], strerror(-rc),
			 rc == -ENOENT ? "; install it (iproute2)" : "");
		return rc;
	}
	read_complaint(fds[0], complaint, sizeof(complaint));
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	snprintf(err, errlen, "'%s' failed: %s", words,
		 complaint[0] ? complaint : "no reason given");
	return -EIO;
}

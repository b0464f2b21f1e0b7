/*
 * fork and exec, not posix_spawn: between the two the child asks to be told when its parent dies.
 */
#include "gen/plan_child.h"

#include "common/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_NS 10000000000ull
#define CANNOT_EXEC 127 /* as a shell says it */

void plan_children_open(struct plan_children *c)
{
	*c = (struct plan_children){.stopped = false};
	sigemptyset(&c->signals);
	sigaddset(&c->signals, SIGINT);
	sigaddset(&c->signals, SIGTERM);
	sigaddset(&c->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &c->signals, &c->before);
	/* Where our own parent ignores it there would be nothing to wait for. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
}

bool plan_children_stopped(struct plan_children *c)
{
	int n;

	while ((n = sigtimedwait(&c->signals, NULL, &(struct timespec){0})) > 0)
		c->stopped |= n != SIGCHLD;
	return c->stopped;
}

static void become_step(const struct plan_children *c, pid_t parent, char *const *argv)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(CANNOT_EXEC);
	sigprocmask(SIG_SETMASK, &c->before, NULL);
	/* The program that runs, also when its file was replaced meanwhile. */
	execv("/proc/self/exe", argv);
	_exit(CANNOT_EXEC);
}

/* The next signal, at most until the time; 0 when there was none. */
static int next_signal(const struct plan_children *c, siginfo_t *info, uint64_t until_ns)
{
	uint64_t now = clock_ns(), left = until_ns > now ? until_ns - now : 0;
	struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000),
				   .tv_nsec = (long)(left % 1000000000)};
	int n = c->stopped ? sigtimedwait(&c->signals, info, &timeout)
			   : sigwaitinfo(&c->signals, info);

	return n > 0 ? n : 0;
}

int plan_children_run(struct plan_children *c, char *const *argv, int *status)
{
	uint64_t until_ns = 0;
	pid_t parent = getpid(), pid, ended;
	siginfo_t info;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid)
		become_step(c, parent, argv);
	while (!(ended = waitpid(pid, status, WNOHANG))) {
		int n = next_signal(c, &info, until_ns);

		if (n == SIGINT || n == SIGTERM) {
			/* A terminal's Ctrl-C reaches the child by itself. Once, for the third one
			 * would end it where it stands. */
			if (!c->stopped && info.si_code <= 0)
				kill(pid, n);
			if (!c->stopped)
				until_ns = clock_ns() + PATIENCE_NS;
			c->stopped = true;
		}
		if (c->stopped && clock_ns() >= until_ns)
			kill(pid, SIGKILL);
	}
	return ended < 0 ? -errno : 0;
}

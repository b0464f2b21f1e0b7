/*
 * A shell in a process group of its own, so that all of it can be ended. It is the shell that
 * waits: the trial needs no thread for it.
 */
#include "gen/reset_command.h"

#include "common/clock.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAP_NS	 20000000
#define PATIENCE 100 /* naps */

int reset_command_start(struct reset_command *c, const char *command, double after_s, char *err,
			size_t errlen)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	char *script;
	int rc;

	if (asprintf(&script, "sleep %.3f\n%s", after_s, command) < 0)
		return -ENOMEM;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	/* Results alone go to stdout. */
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	rc = posix_spawn(&c->pid, "/bin/sh", &files, &attributes,
			 (char *const[]){(char[]){"sh"}, (char[]){"-c"}, script, NULL}, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	free(script);
	if (rc) {
		c->pid = 0;
		snprintf(err, errlen, "the reset command cannot be started: %s", strerror(rc));
	}
	return -rc;
}

bool reset_command_end(struct reset_command *c)
{
	int status = 0;
	pid_t done = 0;

	for (int i = 0; i < PATIENCE && !done; i++) {
		done = waitpid(c->pid, &status, WNOHANG);
		if (!done)
			clock_sleep(NAP_NS);
	}
	if (!done) {
		kill(-c->pid, SIGTERM);
		waitpid(c->pid, &status, 0);
	}
	c->pid = 0;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return c->status != 0;
}

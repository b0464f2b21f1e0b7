/*
 * The user's command that restarts the DUT, run in the middle of a trial.
 */
#ifndef TANDEM_RESET_COMMAND_H
#define TANDEM_RESET_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct reset_command {
	pid_t pid;  /* 0: not running */
	int status; /* as a shell says it: 0 done, above 128 ended by a signal */
};

/*
 * Starts the shell, which waits and then runs the command; what it prints goes to stderr. 0 or a
 * negative errno with a line in err.
 */
int reset_command_start(struct reset_command *c, const char *command, double after_s, char *err,
			size_t errlen);

/* The trial is over: waits a moment for it, or ends it. True, and status says how, when it did not
 * end well. */
bool reset_command_end(struct reset_command *c);

#endif

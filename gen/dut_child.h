/*
 * A child process for the DUT's sake, ssh or a shell: its input and output are ours, what it says
 * on stderr is kept for an error line.
 */
#ifndef TANDEM_DUT_CHILD_H
#define TANDEM_DUT_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct dut_child {
	pid_t pid;  /* 0: there is none */
	int fd;	    /* both its stdin and stdout, or its stdin alone */
	int log_fd; /* what it said on stderr, and on stdout where that is not ours */
};

/*
 * Starts argv[0], found in PATH, in a process group of its own. With talks, fd is a socket that is
 * its stdin and stdout; else its stdout goes where its stderr goes. Returns 0 or a negative errno.
 */
int dut_child_start(struct dut_child *c, const char *const *argv, int talks);

/* Whether it has ended; *status is as waitpid's then, and the child gone. */
int dut_child_ended(struct dut_child *c, int *status);

/* The last line it said that is not empty, "" when there is none. Returns buf. */
char *dut_child_last_words(const struct dut_child *c, char *buf, size_t len);

/* Closes its input, waits for its end up to patience_ns, then ends it. Does nothing without one. */
void dut_child_end(struct dut_child *c, unsigned long long patience_ns);

#endif

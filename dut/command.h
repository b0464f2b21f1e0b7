/*
 * Running a program (ip) without a shell.
 */
#ifndef TANDEM_DUT_COMMAND_H
#define TANDEM_DUT_COMMAND_H

#include <stddef.h>

/*
 * Runs argv[0], found in PATH, with the NULL-terminated argv and waits for its end; nothing of it
 * reaches our output. Returns 0 when it exits with 0, else a negative errno with the command and
 * its own complaint on one line in err. -ENOENT: there is no such program.
 */
int command_run(const char *const argv[], char *err, size_t errlen);

/* The same with a word list: COMMAND(err, errlen, "ip", "link", "show"). */
#define COMMAND(err, errlen, ...) command_run((const char *const[]){__VA_ARGS__, NULL}, err, errlen)

#endif

/*
 * The DUT's prompt: testpmd's commands, from a terminal, from a pipe or from a file.
 *
 * All of it runs in the control thread, which waits for input where it would otherwise sleep; the
 * data path knows nothing of it.
 */
#ifndef TANDEM_DUT_PROMPT_H
#define TANDEM_DUT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dut;
struct prompt;

/*
 * A prompt for d, not yet reading anything. stop ends a file that is being read. NULL when out of
 * memory. prompt_free restores the terminal.
 */
struct prompt *prompt_new(struct dut *d, const volatile bool *stop);
void prompt_free(struct prompt *p);

/*
 * Runs the commands of a file, in order, until one of them quits. A command that fails is told on
 * stderr with its line, and the next one follows. 0, or a negative errno with a line in err when
 * the file cannot be read.
 */
int prompt_run_file(struct prompt *p, const char *path, char *err, size_t errlen);

/* Takes standard input and shows the prompt; without, prompt_wait only looks for the key s there
 * (prompt_keys), or sleeps. */
void prompt_interact(struct prompt *p);
void prompt_keys(struct prompt *p);

/* Serves input for at most ns nanoseconds, less when some came or a signal did. */
void prompt_wait(struct prompt *p, uint64_t ns);

/* True once a command, Ctrl-D or the end of input asked to quit. */
bool prompt_quits(const struct prompt *p);

#endif

/*
 * The verbs of tandem-gen. Each has a table of options and a function that runs it, with EAL
 * started.
 */
#ifndef TANDEM_GEN_CMD_H
#define TANDEM_GEN_CMD_H

#include "common/opts.h"
#include "gen/config.h"

#include <stdbool.h>

/* What a verb is given: the configuration, the whole command line for the record, the stop flag. */
struct invocation {
	const struct gen_config *config;
	const volatile bool *stop;
	int argc;
	char **argv;
};

struct verb {
	struct opt_command command;
	/* Sets the verb's own defaults, where the user gave nothing. */
	void (*defaults)(struct gen_config *config);
	/* Returns the exit status; errors are printed. */
	int (*run)(const struct invocation *invocation);
};

extern const struct verb verb_run, verb_sweep, verb_selftest;

#endif

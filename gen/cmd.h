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
	unsigned int max_operands; /* words that are no options: 0 or 1, config->method.test */
	/* Sets the verb's own defaults, where the user gave nothing. */
	void (*defaults)(struct gen_config *config);
	/* What only this verb can check; may be NULL. 0, or -EINVAL with a line in err. */
	int (*check)(const struct gen_config *config, char *err, size_t errlen);
	/* Prints the plan, without EAL; NULL where there is none. Returns the exit status. */
	int (*dry_run)(const struct gen_config *config);
	/* Seconds that it takes, at most or about, repeats left aside; NaN where that is not known
	 * before. NULL: never known. */
	double (*planned_s)(const struct gen_config *config);
	/* Returns the exit status; errors are printed. */
	int (*run)(const struct invocation *invocation);
};

extern const struct verb verb_run, verb_sweep, verb_rfc2544, verb_mlrsearch, verb_soak, verb_replay,
	verb_selftest;

#endif

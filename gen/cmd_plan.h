/*
 * --plan: the steps of a test plan, one after the other.
 *
 * A port cannot be opened twice in one process (closing a virtual device frees it), so the plan's
 * own process starts no EAL: each step is a child, this program once more with the same EAL
 * arguments and --step N, which reads the plan again and runs that verb in the usual way.
 */
#ifndef TANDEM_CMD_PLAN_H
#define TANDEM_CMD_PLAN_H

#include "common/dpdk/eal.h"
#include "gen/cmd.h"

/* A command line for main to run; what plan_main is told and tells. */
struct plan_call {
	const char *program; /* as it was called, for its children */
	const struct eal_args *args;
	const struct verb *const *verbs; /* that a plan may have */
	size_t n_verbs;

	/* The step that is to be run, where that is what the command line says; config's strings
	 * live as long as the program. */
	const struct verb *verb;
	struct gen_config config;
};

/* Its table of options. */
extern const struct opt_command plan_command;

/* Whether a command line without a verb asks for a plan. */
bool plan_is_asked(const struct eal_args *args);

/*
 * Runs a plan, or prints what it would run. Returns the exit status, or -1 where call->verb is to
 * be run with call->config by the caller. Errors are printed.
 */
int plan_main(struct plan_call *call);

#endif

/*
 * tandem-gen: the traffic generator. Options are read before EAL starts, so that a typo costs
 * nothing.
 */
#include "common/dpdk/eal.h"
#include "common/dpdk/host_doctor.h"
#include "gen/cmd_plan.h"
#include "gen/document.h"
#include "gen/dut_start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct verb *const verbs[] = {&verb_run,  &verb_sweep,  &verb_rfc2544, &verb_mlrsearch,
					   &verb_soak, &verb_replay, &verb_selftest};

#define N_VERBS	     (sizeof(verbs) / sizeof(verbs[0]))
#define N_PLAN_VERBS (N_VERBS - 2) /* all but the last: no plan has a replay or a selftest */

static void print_help(FILE *out)
{
	fputs("Usage: tandem-gen [EAL options] -- VERB [options]\n\n"
	      "Stamps every frame, sends it through a device under test and measures throughput, "
	      "loss and round-trip\n"
	      "latency. Frame sizes include the FCS (RFC 2544).\n\nVerbs:\n",
	      out);
	for (size_t i = 0; i < N_VERBS; i++)
		fprintf(out, "  %-9s %s\n", verbs[i]->command.verb, verbs[i]->command.summary);
	fprintf(out, "  %-9s %s\n", "doctor",
		"What this host is fit for, and how to mend it; no ports are opened.");
	fputs("\n'tandem-gen [EAL options] -- --plan FILE' runs several of them, one after the "
	      "other, from a YAML file\n('tandem-gen --plan --help').\n"
	      "\n'tandem-gen VERB --help' lists a verb's options. EAL options choose cores and "
	      "ports (-l, -a, --vdev);\n"
	      "we add --in-memory, and --no-pci when a --vdev is given. Exit status: 0 done, 1 a "
	      "trial is invalid or could\n"
	      "not be run, 2 usage.\n",
	      out);
}

static int usage(const char *what)
{
	fprintf(stderr, "tandem-gen: %s; 'tandem-gen --help' lists the verbs\n", what);
	return 2;
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < N_VERBS; i++)
		if (!strcmp(verbs[i]->command.verb, name))
			return verbs[i];
	return NULL;
}

/* Parses a verb's options into config. Returns -1 to go on, or an exit status. */
static int read_options(const struct verb *verb, const struct eal_args *args,
			struct gen_config *config)
{
	char err[256];
	const char *operand = NULL;
	size_t n = 0;

	gen_config_init(config);
	switch (opt_parse(&verb->command, config, args->app_argc - 1, args->app_argv + 1, &operand,
			  verb->max_operands, &n, err, sizeof(err))) {
	case OPT_HELP:
		opt_help(&verb->command, stdout);
		return 0;
	case OPT_VERSION:
		puts("tandem-gen " TANDEM_VERSION);
		return 0;
	case OPT_ERROR:
		fprintf(stderr, "tandem-gen: %s\n", err);
		return 2;
	case OPT_OK:
		break;
	}
	config->method.test = operand;
	verb->defaults(config);
	gen_config_derive(config);
	if (gen_config_check(config, err, sizeof(err)) ||
	    (verb->check && verb->check(config, err, sizeof(err)))) {
		fprintf(stderr, "tandem-gen: %s\n", err);
		return 2;
	}
	if (config->method.dry_run && verb->dry_run)
		return verb->dry_run(config);
	return -1;
}

/* What the command line says to run. Returns -1 to go on, or an exit status. */
static int read_command(const struct eal_args *args, const char *program, const struct verb **verb,
			struct gen_config *config)
{
	struct plan_call plan = {program, args, verbs, N_PLAN_VERBS, NULL, {.wait_link_ns = 0}};
	char what[128];
	int status;

	if (plan_is_asked(args)) {
		status = plan_main(&plan);
		*verb = plan.verb;
		*config = plan.config;
		return status;
	}
	*verb = find_verb(args->app_argv[0]);
	if (*verb)
		return read_options(*verb, args, config);
	snprintf(what, sizeof(what), "unknown verb '%.64s'", args->app_argv[0]);
	return usage(what);
}

/* The DUT, where we are to start it. Returns -1 to go on, or an exit status. */
static int start_dut(const struct gen_config *config, struct dut_child *dut,
		     const volatile bool *stop)
{
	char err[512];
	int rc;

	if (!config->dut_start)
		return -1;
	rc = dut_start(dut, &config->dut, config->ssh, config->dut_start, err, sizeof(err));
	if (!rc)
		rc = dut_start_wait(dut, &config->dut, config->ssh, config->dut_program,
				    config->wait_link_ns, stop, err, sizeof(err));
	if (!rc)
		return -1;
	fprintf(stderr, "tandem-gen: %s\n", err);
	return 1;
}

int main(int argc, char **argv)
{
	struct dut_child dut = {0, -1, -1};
	struct eal_args args = eal_split(argc, argv);
	struct gen_config config;
	const struct verb *verb;
	const volatile bool *stop;
	char err[512];
	int status;

	if (!args.app_argc)
		return usage(args.eal_argc ? "there is no verb after --" : "no verb");
	if (!strcmp(args.app_argv[0], "--help") || !strcmp(args.app_argv[0], "-h")) {
		print_help(stdout);
		return 0;
	}
	if (!strcmp(args.app_argv[0], "--version")) {
		puts("tandem-gen " TANDEM_VERSION);
		return 0;
	}
	if (!gen_document(args.app_argv[0], verbs, N_VERBS, stdout))
		return 0;
	if (!strcmp(args.app_argv[0], "doctor"))
		return host_doctor_main("tandem-gen", args.app_argc - 1, args.app_argv + 1);
	status = read_command(&args, argv[0], &verb, &config);
	if (status >= 0)
		return status;
	stop = stop_on_signals();
	driver_signals_take(false);
	status = start_dut(&config, &dut, stop);
	if (status >= 0) {
		dut_started_end(&dut);
		return status;
	}
	status = eal_start("tandem-gen", &args, config.wait_link_ns, stop, err, sizeof(err));
	if (status) {
		fprintf(stderr, "tandem-gen: %s\n", err);
		dut_started_end(&dut);
		/* What EAL refuses is how it was called, but for a peer that does not come. */
		return status == -ETIMEDOUT || status == -EINTR ? 1 : 2;
	}
	control_thread_unpin();
	status = verb->run(&(struct invocation){&config, stop, argc, argv});
	eal_end();
	dut_started_end(&dut);
	return status;
}

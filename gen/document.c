/*
 * What the man page says beside the tables of options.
 */
#include "gen/document.h"

#include "common/doctor.h"
#include "common/opts_doc.h"
#include "gen/cmd_plan.h"

#define MAX_COMMANDS 32

int gen_document(const char *word, const struct verb *const *verbs, size_t n, FILE *out)
{
	static const char *const see_also[] = {"tandem-dut(1)", "tandem-plot(1)", "tandem-run(1)",
					       NULL};
	const struct opt_command *commands[MAX_COMMANDS + 3];
	struct opt_program program = {
		.name = "tandem-gen",
		.brief = "traffic generator that stamps every frame",
		.description =
			"Stamps every frame, sends it through a device under test and measures "
			"throughput, loss and round-trip latency. Frame sizes include the FCS "
			"(RFC 2544).\n"
			"EAL options (DPDK's, before the word \"--\") choose cores and ports: -l, "
			"-a, "
			"--vdev. --in-memory is added, and --no-pci where a --vdev is given. Rates "
			"are "
			"500kpps, 1.2mpps, 10gbps (L2), 10gbps-l1, 25% (of the line rate) or max. "
			"Results alone go to the standard output.",
		.commands = commands,
		.exit_status = "0 done; 1 a trial is invalid or could not be run; 2 the command "
			       "line is wrong.",
		.see_also = see_also,
	};
	size_t k = 0;

	commands[k++] = &plan_command;
	for (size_t i = 0; i < n && i < MAX_COMMANDS; i++)
		commands[k++] = &verbs[i]->command;
	commands[k++] = &doctor_gen_command;
	commands[k] = NULL;
	return opt_document(&program, word, out);
}

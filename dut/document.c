/*
 * What the man page says beside the tables of options.
 */
#include "dut/document.h"

#include "common/doctor.h"
#include "common/opts_doc.h"
#include "dut/options.h"

int dut_document(const char *word, FILE *out)
{
	static const char *const see_also[] = {"tandem-gen(1)", "tandem-plot(1)", "tandem-run(1)",
					       NULL};
	const struct opt_command *commands[] = {&dut_command, &doctor_dut_command, NULL};
	const struct opt_program program = {
		.name = "tandem-dut",
		.brief = "device under test: forwards frames between ports or through the kernel",
		.description = "Forwards frames like testpmd's io mode, or through the Linux "
			       "kernel's routing "
			       "and back, in a network namespace that it makes and removes. Its "
			       "figures (CPU, "
			       "drops, stalls) are read by the generator through its telemetry "
			       "socket and are "
			       "written to a file with --stats.\n"
			       "EAL options (DPDK's, before the word \"--\") choose cores and "
			       "ports. With -i it "
			       "has testpmd's prompt: start, stop, show port stats all, show port "
			       "xstats all, "
			       "help, quit.\n"
			       "tandem-dut telemetry [PREFIX|PATH] reads the figures of a running "
			       "one for a "
			       "generator on another host (tandem-gen --dut ssh://HOST).",
		.commands = commands,
		.exit_status =
			"0 done, also when stopped by Ctrl-C; 1 failed; 2 the command line is "
			"wrong.",
		.see_also = see_also,
	};

	return opt_document(&program, word, out);
}

/*
 * tandem-plot's man page and bash completion: what they say beside the tables of options.
 */
#include "plots/cmd.h"

#include "common/opts_doc.h"

#define MAX_COMMANDS 32

int plot_document(const char *word, const struct verb *const *verbs, size_t n, FILE *out)
{
	static const char *const see_also[] = {"tandem-gen(1)", "tandem-dut(1)", "tandem-run(1)",
					       NULL};
	const struct opt_command *commands[MAX_COMMANDS + 1];
	const struct opt_program program = {
		.name = "tandem-plot",
		.brief = "curves, tables and reports of what tandem-gen measured",
		.description = "A RESULT is the folder of a run, such as results/latest, its "
			       "trials.jsonl, or the folder of a test plan.",
		.commands = commands,
		.exit_status =
			"0 done; 1 a file could not be written; 2 the command line is wrong, "
			"or there are no such results.",
		.see_also = see_also,
	};
	size_t k = 0;

	while (k < n && k < MAX_COMMANDS) {
		commands[k] = verbs[k]->command;
		k++;
	}
	commands[k] = NULL;
	return opt_document(&program, word, out);
}

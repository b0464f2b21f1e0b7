/*
 * Man pages and bash completion, made from the same tables of options as --help.
 */
#ifndef TANDEM_OPTS_DOC_H
#define TANDEM_OPTS_DOC_H

#include "common/opts.h"

/* A program as a whole: what its man page says beside the tables. */
struct opt_program {
	const char *name;	 /* "tandem-gen" */
	const char *brief;	 /* for NAME: no full stop */
	const char *description; /* paragraphs, "\n" between them */
	const struct opt_command *const
		*commands;	     /* NULL ends them; one without verb comes first */
	const char *exit_status;     /* a paragraph */
	const char *const *see_also; /* "tandem-dut(1)", ...; NULL ends them */
};

/* The man page, roff with man macros. Options that a verb shares with one before it are only named
 * there. */
void opt_man(const struct opt_program *program, FILE *out);

/* A script that bash-completion loads: verbs, options, the values of choices, else files. */
void opt_completion(const struct opt_program *program, FILE *out);

/* The hidden options --man and --bash-completion, which the build calls. Returns 0 when word is one
 * of them and it has been printed, -1 when it is not. */
int opt_document(const struct opt_program *program, const char *word, FILE *out);

#endif

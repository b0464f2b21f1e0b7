/*
 * Bash completion of a program from its tables of options.
 *
 * EAL's options stand before ours and are DPDK's own; completion is about what is ours: the verb is
 * the first word that is one.
 */
#include "common/opts_doc.h"

#include <string.h>

/* The program's name as a shell function may be called. */
static void put_function(const struct opt_program *program, FILE *out)
{
	fputc('_', out);
	for (const char *p = program->name; *p; p++)
		fputc(*p == '-' ? '_' : *p, out);
}

static void put_words(const struct opt_command *c, FILE *out)
{
	for (const struct opt *o = c->opts; o && o->name; o++)
		fprintf(out, "--%s ", o->name);
	fputs("--help --version", out);
}

/* What may follow an option: the words of a choice, a file, or something that nobody can guess. */
static void put_values(const struct opt_command *c, FILE *out)
{
	const char *verb = c->verb ? c->verb : "";

	for (const struct opt *o = c->opts; o && o->name; o++) {
		if (o->type == OPT_FLAG)
			continue;
		fprintf(out, "\t%s:--%s", verb, o->name);
		if (o->short_name)
			fprintf(out, " | %s:-%c", verb, o->short_name);
		fputs(") ", out);
		if (o->type == OPT_CHOICE) {
			fputs("mapfile -t COMPREPLY < <(compgen -W '", out);
			for (size_t i = 0; o->choices[i]; i++)
				fprintf(out, "%s%s", i ? " " : "", o->choices[i]);
			fputs("' -- \"$cur\")", out);
		} else if (o->type == OPT_STRING) {
			fputs("compopt -o default 2>/dev/null", out);
		} else {
			fputc(':', out);
		}
		fputs("; return ;;\n", out);
	}
}

void opt_completion(const struct opt_program *program, FILE *out)
{
	fprintf(out, "# bash completion of %s, made from its tables of options\n", program->name);
	put_function(program, out);
	fputs("() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb= i\n"
	      "\tCOMPREPLY=()\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase ${COMP_WORDS[i]} in\n"
	      "\t\t''",
	      out);
	for (const struct opt_command *const *c = program->commands; *c; c++)
		if ((*c)->verb)
			fprintf(out, " | %s", (*c)->verb);
	fputs(") verb=${COMP_WORDS[i]}; break ;;\n\t\tesac\n\tdone\n\tcase $verb:$prev in\n", out);
	for (const struct opt_command *const *c = program->commands; *c; c++)
		put_values(*c, out);
	fputs("\tesac\n\tcase $verb:$cur in\n", out);
	for (const struct opt_command *const *c = program->commands; *c; c++) {
		fprintf(out, "\t%s:-*) mapfile -t COMPREPLY < <(compgen -W '",
			(*c)->verb ? (*c)->verb : "");
		put_words(*c, out);
		fputs("' -- \"$cur\") ;;\n", out);
	}
	fputs("\t:*) mapfile -t COMPREPLY < <(compgen -W '", out);
	for (const struct opt_command *const *c = program->commands; *c; c++)
		if ((*c)->verb)
			fprintf(out, "%s ", (*c)->verb);
	fputs("--help --version' -- \"$cur\") ;;\n"
	      "\t*) compopt -o default 2>/dev/null ;;\n"
	      "\tesac\n"
	      "}\n"
	      "complete -F ",
	      out);
	put_function(program, out);
	fprintf(out, " %s\n", program->name);
}

int opt_document(const struct opt_program *program, const char *word, FILE *out)
{
	if (!strcmp(word, "--man"))
		opt_man(program, out);
	else if (!strcmp(word, "--bash-completion"))
		opt_completion(program, out);
	else
		return -1;
	return 0;
}

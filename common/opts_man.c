/*
 * A man page of a program from its tables of options.
 */
#include "common/opts_doc.h"

#include <stdbool.h>
#include <string.h>

/* Text in which roff must see no request of its own: "-" is the ASCII one, to be searched for and
 * pasted. */
static void put_text(const char *text, FILE *out)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		line_start = *text == '\n';
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else if (*text != '\n' || text[1]) /* a line feed more would be a paragraph */
			fputc(*text, out);
	}
}

static void paragraph(const char *request, const char *text, FILE *out)
{
	fprintf(out, "%s\n", request);
	put_text(text, out);
	fputc('\n', out);
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether a command before this one has the option, said in the same words. */
static bool told_before(const struct opt_program *program, const struct opt_command *upto,
			const struct opt *option, const struct opt_command **where)
{
	for (const struct opt_command *const *c = program->commands; *c && *c != upto; c++) {
		for (const struct opt *o = (*c)->opts; o && o->name; o++) {
			if (!same(o->name, option->name) || !same(o->help, option->help) ||
			    !same(o->arg, option->arg))
				continue;
			*where = *c;
			return true;
		}
	}
	return false;
}

static void put_option(const struct opt *o, FILE *out)
{
	char bounds[512];

	fputs(".TP\n", out);
	if (o->short_name)
		fprintf(out, "\\fB\\-%c\\fR, ", o->short_name);
	fputs("\\fB\\-\\-", out);
	put_text(o->name, out);
	fputs("\\fR", out);
	if (o->type != OPT_FLAG) {
		fputs(" \\fI", out);
		put_text(o->arg ? o->arg : "VALUE", out);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	put_text(o->help ? o->help : "", out);
	opt_bounds(o, bounds, sizeof(bounds));
	put_text(bounds, out);
	fputc('\n', out);
}

/* Those already told, by name. */
static void put_shared(const struct opt_program *program, const struct opt_command *c, FILE *out)
{
	const struct opt_command *where = NULL;
	unsigned int n = 0;

	for (const struct opt *o = c->opts; o && o->name; o++) {
		if (!told_before(program, c, o, &where))
			continue;
		fputs(n++ ? ",\n" : ".PP\nAs with the verbs above:\n", out);
		fputs("\\fB\\-\\-", out);
		put_text(o->name, out);
		fputs("\\fR", out);
	}
	if (n)
		fputs(".\n", out);
}

static void put_command(const struct opt_program *program, const struct opt_command *c, FILE *out)
{
	const struct opt_command *where;

	if (c->verb) {
		fputs(".SS ", out);
		put_text(program->name, out);
		fputc(' ', out);
		put_text(c->verb, out);
		fputc('\n', out);
		put_text(c->summary, out);
		fputs("\n.PP\nUsage: \\fB", out);
		put_text(c->program, out);
		fputs("\\fR ", out);
		put_text(c->synopsis, out);
		fputc('\n', out);
	}
	for (const struct opt *o = c->opts; o && o->name; o++)
		if (!told_before(program, c, o, &where))
			put_option(o, out);
	put_shared(program, c, out);
}

static void put_examples(const struct opt_program *program, FILE *out)
{
	bool any = false;

	for (const struct opt_command *const *c = program->commands; *c; c++) {
		for (const char *const *e = (*c)->examples; e && e[0] && e[1]; e += 2) {
			if (!any)
				fputs(".SH EXAMPLES\n", out);
			any = true;
			fputs(".TP\n\\fB", out);
			put_text(e[0], out);
			fputs("\\fR\n", out);
			put_text(e[1], out);
			fputc('\n', out);
		}
	}
}

static void put_title(const char *name, FILE *out)
{
	for (; *name; name++)
		fputc(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name, out);
}

void opt_man(const struct opt_program *program, FILE *out)
{
	const char *text = program->description;

	/* The release's date: a page is the same whenever it is made. */
	fputs(".TH ", out);
	put_title(program->name, out);
	fputs(" 1 " TANDEM_RELEASED " \"Tandem " TANDEM_VERSION
	      "\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n",
	      out);
	put_text(program->name, out);
	fputs(" \\- ", out);
	put_text(program->brief, out);
	fputs("\n.SH SYNOPSIS\n", out);
	for (const struct opt_command *const *c = program->commands; *c; c++) {
		if (c != program->commands)
			fputs(".br\n", out);
		fputs("\\fB", out);
		put_text(program->name, out);
		fputs("\\fR ", out);
		put_text((*c)->synopsis, out);
		fputc('\n', out);
	}
	fputs(".SH DESCRIPTION\n", out);
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (text != program->description)
			fputs(".PP\n", out);
		for (size_t i = 0; i < n; i++)
			put_text((char[]){text[i], '\0'}, out);
		fputc('\n', out);
		text += n + (text[n] == '\n');
	}
	fputs(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nHelp, also of each verb.\n"
	      ".TP\n\\fB\\-\\-version\\fR\nThe version.\n",
	      out);
	for (const struct opt_command *const *c = program->commands; *c; c++)
		put_command(program, *c, out);
	paragraph(".SH EXIT STATUS", program->exit_status, out);
	put_examples(program, out);
	fputs(".SH SEE ALSO\n", out);
	for (const char *const *s = program->see_also; *s; s++) {
		size_t n = strcspn(*s, "(");

		fprintf(out, ".BR ");
		for (size_t i = 0; i < n; i++)
			put_text((char[]){(*s)[i], '\0'}, out);
		fprintf(out, " %s%s\n", *s + n, s[1] ? " ," : "");
	}
}

/*
 * --help from the table of options: usage, what the command does, the options under their headings,
 * examples.
 */
#include "common/opts.h"

#include <stdbool.h>
#include <string.h>

#define WIDTH	     100
#define MAX_HELP_COL 34 /* an option wider than this has its help on the next line */

/* The option as it is typed: "  -d, --duration TIME". Returns its width. */
static int option_text(const struct opt *o, char *buf, size_t len)
{
	const char *arg = o->arg ? o->arg : "VALUE";
	bool value = o->type != OPT_FLAG;

	if (o->short_name)
		return snprintf(buf, len, "  -%c, --%s%s%s", o->short_name, o->name,
				value ? " " : "", value ? arg : "");
	return snprintf(buf, len, "      --%s%s%s", o->name, value ? " " : "", value ? arg : "");
}

void opt_bounds(const struct opt *o, char *buf, size_t len)
{
	size_t used = 0;

	buf[0] = '\0';
	if (o->type == OPT_CHOICE) {
		for (size_t i = 0; o->choices[i] && used < len; i++)
			used += (size_t)snprintf(buf + used, len - used, "%s%s", i ? ", " : " (",
						 o->choices[i]);
		if (used < len)
			snprintf(buf + used, len - used, ")");
		return;
	}
	if ((o->min == 0 && o->max == 0) ||
	    (o->type != OPT_UINT && o->type != OPT_DOUBLE && o->type != OPT_DURATION))
		return;
	if (o->max >= o->min)
		snprintf(buf, len, " (%.15g to %.15g%s)", o->min, o->max,
			 o->type == OPT_DURATION ? " seconds" : "");
	else
		snprintf(buf, len, " (at least %.15g%s)", o->min,
			 o->type == OPT_DURATION ? " seconds" : "");
}

/* Writes text from column at on (the cursor stands there), wrapped at blanks, later lines indented
 * to col. */
static void wrap(FILE *out, const char *text, int col, int *at)
{
	size_t word;

	while (*text) {
		if (*text == '\n') {
			fprintf(out, "\n%*s", col, "");
			*at = col;
			text++;
			continue;
		}
		if (*text == ' ') {
			text++;
			continue;
		}
		word = strcspn(text, " \n");
		if (*at > col && *at + 1 + (int)word > WIDTH) {
			fprintf(out, "\n%*s", col, "");
			*at = col;
		}
		*at += fprintf(out, "%s%.*s", *at > col ? " " : "", (int)word, text);
		text += word;
	}
}

static void print_option(const char *left, const char *help, const char *bounds, int col, FILE *out)
{
	int at = (int)strlen(left);

	fputs(left, out);
	if (at + 2 > col)
		fprintf(out, "\n%*s", col, "");
	else
		fprintf(out, "%*s", col - at, "");
	at = col;
	wrap(out, help, col, &at);
	wrap(out, bounds, col, &at);
	fputc('\n', out);
}

/* The column of the help texts: behind the widest option that leaves them room. */
static int help_column(const struct opt *opts)
{
	char left[256];
	int col = (int)strlen("      --version") + 2, width;

	for (const struct opt *o = opts; o && o->name; o++) {
		width = option_text(o, left, sizeof(left)) + 2;
		if (width > col && width <= MAX_HELP_COL)
			col = width;
	}
	return col;
}

void opt_help(const struct opt_command *cmd, FILE *out)
{
	int col = help_column(cmd->opts), at = 0;
	char left[256], bounds[512];
	const char *group = NULL;

	fprintf(out, "Usage: %s %s\n\n", cmd->program, cmd->synopsis);
	wrap(out, cmd->summary, 0, &at);
	fputc('\n', out);
	for (const struct opt *o = cmd->opts; o && o->name; o++) {
		if (o->group && (!group || strcmp(group, o->group)))
			fprintf(out, "\n%s:\n", o->group);
		else if (o == cmd->opts)
			fprintf(out, "\nOptions:\n");
		if (o->group)
			group = o->group;
		option_text(o, left, sizeof(left));
		opt_bounds(o, bounds, sizeof(bounds));
		print_option(left, o->help ? o->help : "", bounds, col, out);
	}
	fprintf(out, "\nHelp:\n");
	print_option("  -h, --help", "show this and exit", "", col, out);
	print_option("      --version", "show the version and exit", "", col, out);
	if (!cmd->examples || !cmd->examples[0])
		return;
	fprintf(out, "\nExamples:\n");
	for (const char *const *e = cmd->examples; e[0] && e[1]; e += 2) {
		fprintf(out, "  %s\n      ", e[0]);
		at = 6;
		wrap(out, e[1], 6, &at);
		fputc('\n', out);
	}
}

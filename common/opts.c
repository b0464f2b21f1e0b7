/*
 * Command-line parsing from a table of options.
 *
 * Every message names the option and the text it was given, so that the program only has to print
 * it.
 */
#include "common/opts.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "common/units.h"
#include "common/units_number.h"

#define TYPO_DISTANCE 2	 /* a name at most this many edits away is suggested */
#define NAME_MAX_LEN  64 /* longer words are no typo of any option */

struct parser {
	const struct opt_command *cmd;
	char *config;
	int argc, at;
	char **argv;
	char *err;
	size_t errlen;
};

static enum opt_result fail(const struct parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static enum opt_result fail(const struct parser *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(p->err, p->errlen, format, ap);
	va_end(ap);
	return OPT_ERROR;
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Insertions, deletions and replacements between a word of len characters and a name (Levenshtein).
 */
static size_t edit_distance(const char *word, size_t len, const char *name)
{
	size_t row[NAME_MAX_LEN + 1], name_len = strlen(name), diagonal, above;

	if (len > NAME_MAX_LEN || name_len > NAME_MAX_LEN)
		return NAME_MAX_LEN;
	for (size_t j = 0; j <= name_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= len; i++) {
		diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= name_len; j++) {
			above = row[j];
			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (word[i - 1] != name[j - 1]));
			diagonal = above;
		}
	}
	return row[name_len];
}

static enum opt_result unknown_option(const struct parser *p, const char *name, size_t len)
{
	const char *best = NULL, *no = "";
	size_t best_distance = TYPO_DISTANCE + 1, distance, skip;

	skip = len > 3 && !strncmp(name, "no-", 3) ? 3 : 0;
	for (const struct opt *o = p->cmd->opts; o && o->name; o++) {
		distance = edit_distance(name, len, o->name);
		if (distance < best_distance && distance < strlen(o->name)) {
			best_distance = distance;
			best = o->name;
			no = "";
		}
		if (!skip || o->type != OPT_FLAG)
			continue;
		distance = edit_distance(name + skip, len - skip, o->name);
		if (distance < best_distance && distance < strlen(o->name)) {
			best_distance = distance;
			best = o->name;
			no = "no-";
		}
	}
	if (best)
		return fail(p, "unknown option --%.*s: did you mean --%s%s?", (int)len, name, no,
			    best);
	return fail(p, "unknown option --%.*s: --help lists the options", (int)len, name);
}

/* A parser's message often starts "noun 'text': "; behind "--name text: " that would be said twice.
 */
static const char *without_text(const char *message, const char *text)
{
	size_t len = strlen(text);
	const char *quote = strchr(message, '\'');

	if (quote && !strncmp(quote + 1, text, len) && !strncmp(quote + 1 + len, "': ", 3))
		return quote + len + 4;
	return message;
}

static bool has_upper(const struct opt *o)
{
	return o->max >= o->min && (o->min != 0 || o->max != 0);
}

static enum opt_result out_of_bounds(const struct parser *p, const struct opt *o, const char *text)
{
	const char *unit = o->type == OPT_DURATION ? " seconds" : "";

	if (has_upper(o))
		return fail(p, "--%s %s: must be from %.15g to %.15g%s", o->name, text, o->min,
			    o->max, unit);
	return fail(p, "--%s %s: must be at least %.15g%s", o->name, text, o->min, unit);
}

static bool in_bounds(const struct opt *o, double value)
{
	return value >= o->min && (!has_upper(o) || value <= o->max);
}

static int parse_double(const char *text, double *value, char *err, size_t errlen)
{
	const char *end, *digits = text + (*text == '-');
	long double number;

	if (number_parse(digits, &end, &number) || *end)
		return units_error(err, errlen, "number '%s': expected a number, e.g. 0.5", text);
	*value = (double)(digits == text ? number : -number);
	return 0;
}

static enum opt_result parse_choice(const struct parser *p, const struct opt *o, const char *text)
{
	char list[512];
	size_t used = 0;

	list[0] = '\0';
	for (unsigned int i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], text)) {
			memcpy(p->config + o->offset, &i, sizeof(i));
			return OPT_OK;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i == 0 ? "" : (o->choices[i + 1] ? ", " : " or "),
					 o->choices[i]);
		if (used >= sizeof(list))
			used = sizeof(list) - 1;
	}
	return fail(p, "--%s %s: must be %s", o->name, text, list);
}

static enum opt_result set_value(const struct parser *p, const struct opt *o, const char *text)
{
	void *field = p->config + o->offset;
	uint64_t whole = 0;
	char message[512];
	double real = 0;
	int rc = 0;

	if (!*text)
		return fail(p, "--%s: needs a value (%s)", o->name, o->arg ? o->arg : "VALUE");
	switch (o->type) {
	case OPT_FLAG:
		return fail(p, "--%s takes no value", o->name);
	case OPT_STRING:
		memcpy(field, &text, sizeof(text));
		return OPT_OK;
	case OPT_CHOICE:
		return parse_choice(p, o, text);
	case OPT_UINT:
		rc = count_parse(text, (uint64_t)o->min,
				 has_upper(o) && o->max < 0x1p64 ? (uint64_t)o->max : UINT64_MAX,
				 &whole, message, sizeof(message));
		if (!rc)
			memcpy(field, &whole, sizeof(whole));
		break;
	case OPT_DOUBLE:
		rc = parse_double(text, &real, message, sizeof(message));
		if (!rc && (o->min != 0 || o->max != 0) && !in_bounds(o, real))
			return out_of_bounds(p, o, text);
		if (!rc)
			memcpy(field, &real, sizeof(real));
		break;
	case OPT_DURATION:
		rc = duration_parse(text, &whole, message, sizeof(message));
		if (!rc && !in_bounds(o, (double)whole / 1e9))
			return out_of_bounds(p, o, text);
		if (!rc)
			memcpy(field, &whole, sizeof(whole));
		break;
	case OPT_RATE:
		rc = rate_parse(text, field, message, sizeof(message));
		break;
	case OPT_PARSE:
		message[0] = '\0';
		rc = o->parse(field, text, message, sizeof(message));
		break;
	}
	if (rc)
		return fail(p, "--%s %s: %s", o->name, text, without_text(message, text));
	return OPT_OK;
}

static enum opt_result set_flag(const struct parser *p, const struct opt *o, bool value)
{
	memcpy(p->config + o->offset, &value, sizeof(value));
	return OPT_OK;
}

/* The next word as the value of o. A word that starts with "--" is an option forgotten, not a
 * value. */
static enum opt_result set_from_next(struct parser *p, const struct opt *o)
{
	if (p->at >= p->argc || !strncmp(p->argv[p->at], "--", 2))
		return fail(p, "--%s: needs a value (%s)", o->name, o->arg ? o->arg : "VALUE");
	return set_value(p, o, p->argv[p->at++]);
}

static const struct opt *find_long(const struct parser *p, const char *name, size_t len)
{
	for (const struct opt *o = p->cmd->opts; o && o->name; o++)
		if (strlen(o->name) == len && !strncmp(o->name, name, len))
			return o;
	return NULL;
}

static enum opt_result parse_long(struct parser *p, const char *name)
{
	const char *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const struct opt *o = find_long(p, name, len);

	if (!o && !strcmp(name, "help"))
		return OPT_HELP;
	if (!o && !strcmp(name, "version"))
		return OPT_VERSION;
	if (!o && len > 3 && !strncmp(name, "no-", 3)) {
		o = find_long(p, name + 3, len - 3);
		if (o && o->type != OPT_FLAG)
			return fail(p, "--no-%s: --%s is no switch, it takes a value (%s)", o->name,
				    o->name, o->arg ? o->arg : "VALUE");
		if (o && value)
			return fail(p, "--no-%s takes no value", o->name);
		if (o)
			return set_flag(p, o, false);
	}
	if (!o)
		return unknown_option(p, name, len);
	if (o->type == OPT_FLAG && value)
		return fail(p, "--%s takes no value", o->name);
	if (o->type == OPT_FLAG)
		return set_flag(p, o, true);
	return value ? set_value(p, o, value + 1) : set_from_next(p, o);
}

/* "-d 60", "-d60", and flags in one word: "-iv". */
static enum opt_result parse_short(struct parser *p, const char *letters)
{
	enum opt_result result;
	const struct opt *o;

	for (; *letters; letters++) {
		for (o = p->cmd->opts; o && o->name && o->short_name != *letters; o++)
			;
		if (!o || !o->name) {
			if (*letters == 'h')
				return OPT_HELP;
			return fail(p, "unknown option -%c: --help lists the options",
				    isprint((unsigned char)*letters) ? *letters : '?');
		}
		if (o->type == OPT_FLAG)
			result = set_flag(p, o, true);
		else
			return letters[1] ? set_value(p, o, letters + 1) : set_from_next(p, o);
		if (result != OPT_OK)
			return result;
	}
	return OPT_OK;
}

enum opt_result opt_parse(const struct opt_command *cmd, void *config, int argc, char **argv,
			  const char **operands, size_t max_operands, size_t *n_operands, char *err,
			  size_t errlen)
{
	struct parser p = {.cmd = cmd,
			   .config = config,
			   .argc = argc,
			   .argv = argv,
			   .err = err,
			   .errlen = errlen};
	enum opt_result result = OPT_OK;
	bool options = true;
	size_t n = 0;

	while (p.at < argc && result == OPT_OK) {
		const char *word = argv[p.at++];

		if (options && !strcmp(word, "--"))
			options = false;
		else if (options && !strncmp(word, "--", 2))
			result = parse_long(&p, word + 2);
		else if (options && word[0] == '-' && word[1])
			result = parse_short(&p, word + 1);
		else if (n == max_operands)
			result = fail(&p, "unexpected '%s': --help shows the usage", word);
		else
			operands[n++] = word;
	}
	if (n_operands)
		*n_operands = n;
	return result;
}

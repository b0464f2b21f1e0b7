/*
 * The YAML of a plan, read event by event: a plan is a mapping of values, so what is deeper, or
 * refers to elsewhere, is refused where it stands and cannot grow. Aliases are what makes a small
 * YAML file large; there are none here.
 */
#include "gen/plan_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define MAX_BYTES  1000000
#define MAX_TESTS  1000
#define MAX_KEYS   256 /* of a mapping */
#define MAX_VALUES 256 /* of a list */

struct reader {
	const char *path, *text;
	size_t size;
	yaml_parser_t parser;
	yaml_event_t event;
	char *err;
	size_t errlen;
};

void plan_message(char *err, size_t errlen, const char *path, size_t line, const char *format, ...)
{
	char where[32] = "";
	va_list ap;
	int used;

	if (line)
		snprintf(where, sizeof(where), "%zu: ", line);
	used = snprintf(err, errlen, "%.200s:%s%s", path, line ? "" : " ", where);
	va_start(ap, format);
	if (used >= 0 && (size_t)used < errlen)
		vsnprintf(err + used, errlen - (size_t)used, format, ap);
	va_end(ap);
}

static size_t event_line(const struct reader *r)
{
	return r->event.start_mark.line + 1;
}

#define BAD(r, ...) \
	PLAN_ERROR(-EINVAL, (r)->err, (r)->errlen, (r)->path, event_line(r), __VA_ARGS__)

static int no_memory(struct reader *r)
{
	return PLAN_ERROR(-ENOMEM, r->err, r->errlen, r->path, 0, "out of memory");
}

/* True when a tab indents a line. */
static bool has_tab(const struct reader *r, size_t line)
{
	const char *at = r->text, *end = r->text + r->size;

	for (; line > 1 && at; line--) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at)
			at++;
	}
	for (; at && at < end && (*at == ' ' || *at == '\t'); at++)
		if (*at == '\t')
			return true;
	return false;
}

/* What libyaml objects to, with the line where it does. */
static int yaml_problem(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	size_t line = p->problem_mark.line + 1;

	if (p->error == YAML_MEMORY_ERROR)
		return no_memory(r);
	if (p->error == YAML_READER_ERROR) {
		line = 1;
		for (size_t i = 0; i < p->problem_offset && i < r->size; i++)
			line += r->text[i] == '\n';
	} else if (has_tab(r, line)) {
		return PLAN_ERROR(-EINVAL, r->err, r->errlen, r->path, line,
				  "a tab in the indentation: indent with blanks");
	}
	return PLAN_ERROR(-EINVAL, r->err, r->errlen, r->path, line, "not YAML: %s",
			  p->problem ? p->problem : "cannot be read");
}

/* Goes on to the next event, which is no alias, no anchor and has no tag. */
static int next(struct reader *r)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	yaml_event_delete(&r->event);
	if (!yaml_parser_parse(&r->parser, &r->event)) {
		memset(&r->event, 0, sizeof(r->event));
		return yaml_problem(r);
	}
	switch (r->event.type) {
	case YAML_ALIAS_EVENT:
		return BAD(r, "an alias (*): write the value out, or put it under 'defaults:'");
	case YAML_SCALAR_EVENT:
		anchor = r->event.data.scalar.anchor;
		tag = r->event.data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = r->event.data.sequence_start.anchor;
		tag = r->event.data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = r->event.data.mapping_start.anchor;
		tag = r->event.data.mapping_start.tag;
		break;
	default:
		break;
	}
	if (anchor)
		return BAD(r, "an anchor (&): write values out, or put them under 'defaults:'");
	if (tag)
		return BAD(r, "a tag (!): write the value alone");
	return 0;
}

/* The scalar of the current event as a new string. A plain null is an empty one. */
static int take_text(struct reader *r, char **text)
{
	const char *value = (const char *)r->event.data.scalar.value;
	size_t len = r->event.data.scalar.length;

	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)value[i]))
			return BAD(r, "a line end or control character in a text");
	if (r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    (!strcmp(value, "~") || !strcmp(value, "null")))
		value = "";
	*text = strdup(value);
	return *text ? 0 : no_memory(r);
}

/* An array with room for one more, its new last element zeroed. Returns NULL when out of memory. */
static void *one_more(void *array, size_t n, size_t size)
{
	char *grown = realloc(array, (n + 1) * size);

	if (grown)
		memset(grown + n * size, 0, size);
	return grown;
}

static int add_value(struct reader *r, struct plan_entry *entry)
{
	char **values;

	if (entry->n == MAX_VALUES)
		return BAD(r, "'%.64s' has more than %d values", entry->key, MAX_VALUES);
	values = one_more(entry->values, entry->n, sizeof(*values));
	if (!values)
		return no_memory(r);
	entry->values = values;
	return take_text(r, &values[entry->n++]);
}

/* The value of a key: a text or a list of texts, the current event being its first. */
static int read_value(struct reader *r, struct plan_entry *entry)
{
	int rc;

	if (r->event.type == YAML_SCALAR_EVENT)
		return add_value(r, entry);
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return BAD(r,
			   "'%.64s' takes a value or a list of values, not keys: what belongs to a "
			   "test stands beside its first key, not below it",
			   entry->key);
	entry->list = true;
	for (;;) {
		rc = next(r);
		if (rc)
			return rc;
		if (r->event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		if (r->event.type != YAML_SCALAR_EVENT)
			return BAD(r, "'%.64s' takes plain values: no list or keys within a list",
				   entry->key);
		rc = add_value(r, entry);
		if (rc)
			return rc;
	}
}

/* Makes the entry of a key, which the current event is. */
static int add_key(struct reader *r, struct plan_section *section)
{
	struct plan_entry *entries;
	char *key = NULL;
	int rc;

	if (r->event.type != YAML_SCALAR_EVENT)
		return BAD(r, "a key is a single word");
	if (section->n == MAX_KEYS)
		return BAD(r, "more than %d keys", MAX_KEYS);
	rc = take_text(r, &key);
	if (rc)
		return rc;
	if (!*key)
		rc = BAD(r, "a key is empty");
	for (size_t i = 0; i < section->n && !rc; i++)
		if (!strcmp(section->entries[i].key, key))
			rc = BAD(r, "'%.64s' stands in line %zu already", key,
				 section->entries[i].line);
	entries = rc ? NULL : one_more(section->entries, section->n, sizeof(*entries));
	if (!entries) {
		free(key);
		return rc ? rc : no_memory(r);
	}
	section->entries = entries;
	entries[section->n++] = (struct plan_entry){.key = key, .line = event_line(r)};
	return 0;
}

/* The keys of a mapping whose start was the last event. */
static int read_section(struct reader *r, struct plan_section *section)
{
	int rc;

	section->line = event_line(r);
	for (;;) {
		rc = next(r);
		if (rc || r->event.type == YAML_MAPPING_END_EVENT)
			return rc;
		rc = add_key(r, section);
		if (!rc)
			rc = next(r);
		if (!rc)
			rc = read_value(r, &section->entries[section->n - 1]);
		if (rc)
			return rc;
	}
}

static int read_defaults(struct reader *r, struct plan_file *file)
{
	if (r->event.type == YAML_MAPPING_START_EVENT)
		return read_section(r, &file->defaults);
	if (r->event.type == YAML_SCALAR_EVENT && !r->event.data.scalar.length)
		return 0;
	return BAD(r, "'defaults' takes keys, e.g. '  duration: 60'");
}

static int read_tests(struct reader *r, struct plan_file *file)
{
	struct plan_section *tests;
	int rc;

	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return BAD(r, "'tests' takes a list, e.g. '  - run:'");
	for (;;) {
		rc = next(r);
		if (rc || r->event.type == YAML_SEQUENCE_END_EVENT)
			return rc;
		if (r->event.type != YAML_MAPPING_START_EVENT)
			return BAD(r, "a test begins with its verb as a key, e.g. '- run:'");
		if (file->n_tests == MAX_TESTS)
			return BAD(r, "more than %d tests", MAX_TESTS);
		tests = one_more(file->tests, file->n_tests, sizeof(*tests));
		if (!tests)
			return no_memory(r);
		file->tests = tests;
		rc = read_section(r, &tests[file->n_tests++]);
		if (!rc && !tests[file->n_tests - 1].n)
			rc = BAD(r, "a test without a verb");
		if (rc)
			return rc;
	}
}

static int read_top(struct reader *r, struct plan_file *file)
{
	struct plan_section *top = &file->top;
	struct plan_entry *entry;
	int rc;

	top->line = event_line(r);
	for (;;) {
		rc = next(r);
		if (rc || r->event.type == YAML_MAPPING_END_EVENT)
			return rc;
		rc = add_key(r, top);
		if (!rc)
			rc = next(r);
		if (rc)
			return rc;
		entry = &top->entries[top->n - 1];
		if (!strcmp(entry->key, "tests"))
			rc = read_tests(r, file);
		else if (!strcmp(entry->key, "defaults"))
			rc = read_defaults(r, file);
		else if (r->event.type == YAML_MAPPING_START_EVENT)
			rc = BAD(r,
				 "unknown key '%.64s': keys stand under 'defaults:' and 'tests:'",
				 entry->key);
		else
			rc = read_value(r, entry);
		if (rc)
			return rc;
	}
}

/* One document, a mapping, and no more. */
static int read_document(struct reader *r, struct plan_file *file)
{
	int rc = next(r); /* the start of the stream */

	if (!rc)
		rc = next(r);
	if (!rc && r->event.type == YAML_STREAM_END_EVENT)
		return PLAN_ERROR(-EINVAL, r->err, r->errlen, r->path, 1,
				  "nothing in it: a list under 'tests:' says what to run");
	if (!rc)
		rc = next(r);
	if (!rc && r->event.type != YAML_MAPPING_START_EVENT)
		return BAD(r, "a plan has keys: options, 'defaults:' and 'tests:'");
	if (!rc)
		rc = read_top(r, file);
	if (!rc)
		rc = next(r); /* the end of the document */
	if (!rc)
		rc = next(r);
	if (!rc && r->event.type != YAML_STREAM_END_EVENT)
		return BAD(r, "a second document begins: a plan is one");
	return rc;
}

/* The bytes of a file, at most MAX_BYTES, to be freed. */
static int load(const char *path, char **text, size_t *size, char *err, size_t errlen)
{
	FILE *in = fopen(path, "re");
	int rc = in ? 0 : -errno;

	*text = in ? malloc(MAX_BYTES + 1) : NULL;
	if (in && !*text)
		rc = -ENOMEM;
	if (!rc) {
		*size = fread(*text, 1, MAX_BYTES + 1, in);
		if (ferror(in))
			rc = errno ? -errno : -EIO;
	}
	if (in)
		fclose(in);
	if (rc)
		return PLAN_ERROR(rc, err, errlen, path, 0, "cannot read it: %s", strerror(-rc));
	if (*size > MAX_BYTES)
		return PLAN_ERROR(-EFBIG, err, errlen, path, 0, "larger than 1 MB: no plan");
	return 0;
}

int plan_file_read(const char *path, struct plan_file *file, char *err, size_t errlen)
{
	struct reader r = {.path = path, .err = err, .errlen = errlen};
	char *text = NULL;
	int rc;

	memset(file, 0, sizeof(*file));
	rc = load(path, &text, &r.size, err, errlen);
	r.text = text;
	if (!rc && r.size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		rc = PLAN_ERROR(-EINVAL, err, errlen, path, 1,
				"starts with a byte order mark: save it as UTF-8 without one");
	if (!rc && !yaml_parser_initialize(&r.parser))
		rc = no_memory(&r);
	else if (!rc) {
		/* Said and not guessed: zeros of UTF-16 are then characters that may not be. */
		yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, r.size);
		rc = read_document(&r, file);
		yaml_event_delete(&r.event);
		yaml_parser_delete(&r.parser);
	}
	free(text);
	return rc;
}

static void free_section(struct plan_section *section)
{
	for (size_t i = 0; i < section->n; i++) {
		for (size_t v = 0; v < section->entries[i].n; v++)
			free(section->entries[i].values[v]);
		free(section->entries[i].values);
		free(section->entries[i].key);
	}
	free(section->entries);
}

void plan_file_free(struct plan_file *file)
{
	free_section(&file->top);
	free_section(&file->defaults);
	for (size_t i = 0; i < file->n_tests; i++)
		free_section(&file->tests[i]);
	free(file->tests);
	memset(file, 0, sizeof(*file));
}

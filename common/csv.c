/*
 * CSV as RFC 4180 has it, with line feeds, straight from records.
 */
#include "common/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* A list of strings as "one; other", to be released. */
static char *join(const json_t *list)
{
	size_t size = 1, n = json_array_size(list);
	const char *text;
	char *joined;

	for (size_t i = 0; i < n; i++)
		size += json_string_length(json_array_get(list, i)) + 2;
	joined = calloc(1, size);
	for (size_t i = 0; joined && i < n; i++) {
		text = json_string_value(json_array_get(list, i));
		if (*joined && text)
			strcat(joined, "; ");
		strcat(joined, text ? text : "");
	}
	return joined;
}

int csv_value(const json_t *value, FILE *out)
{
	char *text;

	if (!value || json_is_null(value))
		return 0;
	if (json_is_string(value)) {
		csv_text(json_string_value(value), out);
		return 0;
	}
	if (json_is_array(value))
		text = join(value);
	else
		text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12));
	if (!text)
		return -ENOMEM;
	csv_text(text, out);
	free(text);
	return 0;
}

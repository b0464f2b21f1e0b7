/*
 * Reasons by kind.
 */
#include "plots/reasons.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define KINDS_MAX 40u

/* A reason with its numbers left out: what it has in common with others of its kind. */
static void kind_of(const char *reason, char *kind, size_t len)
{
	size_t n = 0;

	for (; *reason && n + 1 < len; reason++) {
		const bool in_number = n && kind[n - 1] == '#';

		if (!isdigit((unsigned char)*reason) && !(*reason == '.' && in_number))
			kind[n++] = *reason;
		else if (!in_number)
			kind[n++] = '#';
	}
	/* A character cut in the middle would be no UTF-8. */
	while (n && len && *reason && ((unsigned char)kind[n - 1] & 0x80))
		n--;
	kind[n] = '\0';
}

static json_t *first_of_kind(const char *reason, const json_t *trial)
{
	static const char *const keys[] = {"trial",  "path",	   "direction",
					   "stream", "frame_size", "rate_requested_pps"};
	json_t *kind = json_pack("{s:s, s:i}", "text", reason, "count", 0);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(trial, keys[i]);

		json_object_set(kind, keys[i], value ? value : json_null());
	}
	return kind;
}

void reasons_take(json_t *kinds, const json_t *trial)
{
	const json_t *reasons = json_object_get(trial, "reasons");
	char key[256];

	for (size_t i = 0; i < json_array_size(reasons); i++) {
		const char *text = json_string_value(json_array_get(reasons, i));
		json_t *kind, *count;

		if (!text)
			continue;
		kind_of(text, key, sizeof(key));
		kind = json_object_get(kinds, key);
		if (!kind && json_object_size(kinds) < KINDS_MAX) {
			json_object_set_new(kinds, key, first_of_kind(text, trial));
			kind = json_object_get(kinds, key);
		}
		count = json_object_get(kind, "count");
		if (count)
			json_integer_set(count, json_integer_value(count) + 1);
	}
}

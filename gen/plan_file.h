/*
 * A plan's YAML as it stands in the file: keys with their texts and lines, nothing understood yet.
 * Private to gen/plan*.c.
 */
#ifndef TANDEM_PLAN_FILE_H
#define TANDEM_PLAN_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* "key: text" or "key: [text, text]"; a key without a value has the text "". */
struct plan_entry {
	char *key;
	char **values;
	size_t n;
	bool list;
	size_t line; /* from 1 */
};

struct plan_section {
	struct plan_entry *entries;
	size_t n;
	size_t line;
};

struct plan_file {
	struct plan_section top, defaults;
	struct plan_section *tests; /* none of them is empty */
	size_t n_tests;
};

/*
 * Reads a file. Returns 0, or a negative errno with "FILE:LINE: what is wrong" in err. Either way
 * the caller releases file with plan_file_free.
 */
int plan_file_read(const char *path, struct plan_file *file, char *err, size_t errlen);

void plan_file_free(struct plan_file *file);

/* "path:line: message" into err, or "path: message" for line 0. */
void plan_message(char *err, size_t errlen, const char *path, size_t line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The same as an expression with the value of code, which a reader of the caller sees. */
#define PLAN_ERROR(code, ...) (plan_message(__VA_ARGS__), (code))

#endif

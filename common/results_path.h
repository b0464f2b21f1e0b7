/*
 * What common/results*.c and summary.c share: paths, whole writes, messages. Private to them.
 */
#ifndef TANDEM_RESULTS_PATH_H
#define TANDEM_RESULTS_PATH_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes a one-line message; returns code. */
int result_error(int code, char *err, size_t errlen, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* dir/name into path, which holds PATH_MAX bytes. Returns 0 or -ENAMETOOLONG. */
int result_path(char *path, const char *dir, const char *name, char *err, size_t errlen);

/* write() until all is written. Returns 0 or a negative errno. */
int result_write_all(int fd, const char *data, size_t size);

/* A file of records, one a line. */
struct journal {
	const char *name, *schema;
	const char *record, *folder; /* one of them, and what a folder holds with it, in messages */
	/* What is wrong with a record; NULL where nobody edits such a file by hand. */
	int (*check)(const json_t *record, char *why, size_t len);
};
extern const struct journal trials_journal, tests_journal, steps_journal;

#endif

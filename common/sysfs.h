/*
 * Reading what the kernel says in /proc and /sys: lines, numbers, entries of a folder.
 */
#ifndef TANDEM_SYSFS_H
#define TANDEM_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

/* The first line of a file without its end; false when it cannot be read. */
bool sysfs_text(const char *path, char *buf, size_t len);

/* A file that holds one whole number and no more. */
bool sysfs_number(const char *path, unsigned long long *value);

/* What follows "key<blanks>separator<blanks>" on the first line that starts with key; quotes taken
 * off. A separator ' ' stands for blanks alone. */
bool sysfs_line(const char *path, const char *key, char separator, char *buf, size_t len);

/* Calls visit for each entry of a folder that starts with no dot; false when there is no such
 * folder. */
bool sysfs_each(const char *dir, void (*visit)(const char *name, void *arg), void *arg);

/* Whether a list of words, blanks between them, has one. */
bool sysfs_has_word(const char *text, const char *word);

#endif

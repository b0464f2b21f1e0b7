/*
 * The figures of the last selftest on this host: what the generator can be trusted for here. Later
 * runs carry them.
 */
#ifndef TANDEM_SELFTEST_H
#define TANDEM_SELFTEST_H

#include <jansson.h>
#include <stddef.h>

/* Where the figures are kept: file, or the default place. Returns buf. */
char *selftest_path(const char *file, char *buf, size_t len);

/* The last selftest's figures, null when there are none. New reference. */
json_t *selftest_last(void);

/* Keeps figures, making the folder. 0 or a negative errno with a line in err. */
int selftest_keep(const char *path, const json_t *figures, char *err, size_t errlen);

#endif

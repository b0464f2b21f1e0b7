/*
 * A folder of a test's own, for modules that read and write files: made before and removed after
 * it.
 */
#ifndef TANDEM_UNIT_FOLDER_H
#define TANDEM_UNIT_FOLDER_H

extern char folder[64];

/* For cmocka_unit_test_setup_teardown. */
int folder_setup(void **state);
int folder_teardown(void **state);

/* Path of a file in it, in a buffer that the next call takes. */
char *folder_path(const char *name);

/* Writes a file, mode as fopen's; the whole of one, in a buffer that the next call takes. */
void folder_put(const char *name, const char *mode, const char *text);
char *folder_read(const char *name);

#endif

/*
 * A test's folder under /tmp.
 */
#include "tests/unit/folder.h"

#include "tests/unit/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

char folder[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int folder_setup(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/tandem-unit-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

int folder_teardown(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

char *folder_path(const char *name)
{
	static char path[192];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

void folder_put(const char *name, const char *mode, const char *text)
{
	FILE *out = fopen(folder_path(name), mode);

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

char *folder_read(const char *name)
{
	static char text[65536];
	FILE *in = fopen(folder_path(name), "r");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

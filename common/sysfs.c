/*
 * Small files of the kernel's, read in one go.
 */
#include "common/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sysfs_text(const char *path, char *buf, size_t len)
{
	FILE *in = fopen(path, "re");
	bool ok;

	if (!in)
		return false;
	ok = fgets(buf, (int)len, in);
	if (!ok && !ferror(in)) { /* an empty file is an empty text */
		buf[0] = '\0';
		ok = true;
	}
	fclose(in);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

bool sysfs_number(const char *path, unsigned long long *value)
{
	char text[64], *end;

	if (!sysfs_text(path, text, sizeof(text)) || !isdigit((unsigned char)text[0]))
		return false;
	*value = strtoull(text, &end, 10);
	return !*end;
}

bool sysfs_line(const char *path, const char *key, char separator, char *buf, size_t len)
{
	FILE *in = fopen(path, "re");
	size_t key_len = strlen(key), size = 0;
	bool found = false;
	char *line = NULL, *p;

	while (in && !found && getline(&line, &size, in) > 0) {
		if (strncmp(line, key, key_len))
			continue;
		p = line + key_len;
		if (separator == ' ' && *p != ' ' && *p != '\t') /* only the start of a word */
			continue;
		p += strspn(p, " \t");
		if (separator != ' ' && *p++ != separator)
			continue;
		p += strspn(p, " \t\"");
		p[strcspn(p, "\"\n")] = '\0';
		snprintf(buf, len, "%s", p);
		found = true;
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

bool sysfs_each(const char *dir, void (*visit)(const char *name, void *arg), void *arg)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	if (!d)
		return false;
	while ((entry = readdir(d)))
		if (entry->d_name[0] != '.')
			visit(entry->d_name, arg);
	closedir(d);
	return true;
}

bool sysfs_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		if ((p == text || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

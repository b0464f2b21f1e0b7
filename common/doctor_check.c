/*
 * What the checks of the doctor have in common: files under a root, modules, rights, lists of CPUs.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

struct doctor_row *doctor_row(const struct exam *e, const char *name, enum doctor_state state)
{
	static struct doctor_row nowhere;
	struct doctor_rows *rows = e->rows;
	struct doctor_row *grown = realloc(rows->row, (rows->n + 1) * sizeof(*grown)), *row;

	if (!grown) {
		rows->out_of_memory = true;
		return &nowhere;
	}
	rows->row = grown;
	row = &grown[rows->n++];
	*row = (struct doctor_row){.state = state};
	snprintf(row->name, sizeof(row->name), "%s", name);
	return row;
}

void doctor_found(struct doctor_row *row, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(row->found, sizeof(row->found), format, args);
	va_end(args);
}

void doctor_more(struct doctor_row *row, const char *format, ...)
{
	size_t used = strlen(row->found);
	va_list args;

	va_start(args, format);
	vsnprintf(row->found + used, sizeof(row->found) - used, format, args);
	va_end(args);
}

void doctor_remedy(struct doctor_row *row, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(row->remedy, sizeof(row->remedy), format, args);
	va_end(args);
}

char *doctor_path(const struct exam *e, char *buf, const char *format, ...)
{
	int used = snprintf(buf, PATH_MAX, "%s", e->host->root);
	va_list args;

	va_start(args, format);
	if (used >= 0 && used < PATH_MAX)
		vsnprintf(buf + used, PATH_MAX - (size_t)used, format, args);
	va_end(args);
	return buf;
}

bool doctor_text(const struct exam *e, const char *path, char *buf, size_t len)
{
	char full[PATH_MAX];

	return sysfs_text(doctor_path(e, full, "%s", path), buf, len);
}

bool doctor_number(const struct exam *e, const char *path, unsigned long long *value)
{
	char full[PATH_MAX];

	return sysfs_number(doctor_path(e, full, "%s", path), value);
}

bool doctor_exists(const struct exam *e, const char *path)
{
	char full[PATH_MAX];

	return !access(doctor_path(e, full, "%s", path), F_OK);
}

/* A file of modules.dep or modules.builtin is named "kernel/.../vfio-pci.ko.xz", whichever of '-'
 * and '_' the module's own name has. */
static bool list_has_module(const char *path, const char *name)
{
	size_t size = 0, len = strlen(name);
	FILE *in = fopen(path, "re");
	bool found = false;
	char *line = NULL;

	while (in && !found && getline(&line, &size, in) > 0) {
		const char *file;

		line[strcspn(line, ":\n")] = '\0';
		file = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
		found = !strncmp(file + strnlen(file, len), ".ko", 3);
		for (size_t i = 0; found && i < len; i++)
			found = (file[i] == '-' ? '_' : file[i]) ==
				(name[i] == '-' ? '_' : name[i]);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

enum doctor_module doctor_module(const struct exam *e, const char *name)
{
	char path[PATH_MAX], under[64];
	struct utsname uts;

	snprintf(under, sizeof(under), "%s", name);
	for (char *p = under; *p; p++)
		if (*p == '-')
			*p = '_';
	if (!access(doctor_path(e, path, "/sys/module/%s", under), F_OK) ||
	    !access(doctor_path(e, path, "/sys/bus/pci/drivers/%s", name), F_OK))
		return MODULE_PRESENT;
	if (uname(&uts))
		return MODULE_ABSENT;
	if (list_has_module(doctor_path(e, path, "/lib/modules/%s/modules.builtin", uts.release),
			    name))
		return MODULE_PRESENT;
	if (list_has_module(doctor_path(e, path, "/lib/modules/%s/modules.dep", uts.release), name))
		return MODULE_LOADABLE;
	return MODULE_ABSENT;
}

bool doctor_has_right(const struct exam *e, unsigned int capability)
{
	char path[PATH_MAX], text[64];

	if (!sysfs_line(doctor_path(e, path, "/proc/self/status"), "CapEff", ':', text,
			sizeof(text)))
		return true; /* not to be found out: the program itself will say */
	return strtoull(text, NULL, 16) >> capability & 1;
}

bool doctor_uses(const struct doctor_role *role, enum doctor_link link, enum doctor_kernel kernel)
{
	return role->link == (unsigned int)link || role->kernel == (unsigned int)kernel;
}

unsigned int doctor_cpus(const char *list, bool *set)
{
	unsigned int n = 0;

	memset(set, 0, DOCTOR_MAX_CPUS * sizeof(*set));
	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long cpu = first; cpu <= last && cpu < DOCTOR_MAX_CPUS; cpu++) {
			n += !set[cpu];
			set[cpu] = true;
		}
		list = *end == ',' ? end + 1 : end;
	}
	return n;
}

unsigned int doctor_allowed(const struct exam *e, bool *set)
{
	char path[PATH_MAX], text[1024];

	if (!sysfs_line(doctor_path(e, path, "/proc/self/status"), "Cpus_allowed_list", ':', text,
			sizeof(text)))
		text[0] = '\0';
	return doctor_cpus(text, set);
}

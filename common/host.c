/*
 * Facts about the host, read from /proc, /sys and cpuid.
 *
 * A figure measured on a machine with a sleepy governor or under a hypervisor means something else
 * than one from isolated cores, so the record carries what is known. What cannot be read is null,
 * never a guess.
 */
#include "common/host.h"
#include "common/sysfs.h"

#include <cpuid.h>
#include <ctype.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#define HUGEPAGES	"/sys/kernel/mm/hugepages"
#define NODES		"/sys/devices/system/node"
#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"
#define MAX_CPUS	8192

/* json_string refuses what is no UTF-8: unknown then. */
static json_t *string_or_null(const char *text)
{
	json_t *string = text ? json_string(text) : NULL;

	return string ? string : json_null();
}

static json_t *file_text(const char *path)
{
	char text[1024];

	if (!sysfs_text(path, text, sizeof(text)))
		return json_null();
	return string_or_null(strcmp(text, "(null)") ? text : "");
}

static json_t *line_text(const char *path, const char *key, char separator)
{
	char text[1024];

	return string_or_null(sysfs_line(path, key, separator, text, sizeof(text)) ? text : NULL);
}

static bool hugepage_pool(const char *name, unsigned long long *kb, unsigned long long *total,
			  unsigned long long *free_pages)
{
	char path[PATH_MAX];

	if (sscanf(name, "hugepages-%llukB", kb) != 1)
		return false;
	snprintf(path, sizeof(path), HUGEPAGES "/%s/nr_hugepages", name);
	if (!sysfs_number(path, total))
		return false;
	snprintf(path, sizeof(path), HUGEPAGES "/%s/free_hugepages", name);
	return sysfs_number(path, free_pages);
}

static void add_hugepages(const char *name, void *arg)
{
	unsigned long long kb, total, free_pages;
	char key[32];

	if (!hugepage_pool(name, &kb, &total, &free_pages))
		return;
	snprintf(key, sizeof(key), "%llukB", kb);
	json_object_set_new(arg, key,
			    json_pack("{s:I, s:I}", "total", (json_int_t)total, "free",
				      (json_int_t)free_pages));
}

static void add_free_bytes(const char *name, void *arg)
{
	unsigned long long kb, total, free_pages, *bytes = arg;

	if (hugepage_pool(name, &kb, &total, &free_pages))
		*bytes += free_pages * kb * 1024;
}

static void add_mitigation(const char *name, void *arg)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), VULNERABILITIES "/%s", name);
	json_object_set_new(arg, name, file_text(path));
}

static void count_node(const char *name, void *arg)
{
	int *nodes = arg;

	if (!strncmp(name, "node", 4) && isdigit((unsigned char)name[4]))
		++*nodes;
}

/* An object filled by visit for each entry of a folder; null where there is no such folder. */
static json_t *object_of(const char *dir, void (*visit)(const char *name, void *arg))
{
	json_t *object = json_object();

	if (sysfs_each(dir, visit, object))
		return object;
	json_decref(object);
	return json_null();
}

static json_t *tsc_facts(void)
{
	unsigned int eax, ebx, ecx, edx;
	bool known = __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx);
	char flags[8192];
	json_t *tsc = json_object();
	static const char *const names[][2] = {{"constant", "constant_tsc"},
					       {"nonstop", "nonstop_tsc"},
					       {"reliable", "tsc_reliable"},
					       {"known_freq", "tsc_known_freq"}};
	bool read = sysfs_line("/proc/cpuinfo", "flags", ':', flags, sizeof(flags));

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_object_set_new(tsc, names[i][0],
				    read ? json_boolean(sysfs_has_word(flags, names[i][1]))
					 : json_null());
	json_object_set_new(tsc, "invariant", known ? json_boolean(edx >> 8 & 1) : json_null());
	return tsc;
}

/* The hypervisor says its name in cpuid leaf 0x40000000; one that hides may still show in the
 * firmware's tables. */
static json_t *hypervisor(void)
{
	static const char *const names[][2] = {
		{"KVMKVMKVM", "KVM"},	       {"Microsoft Hv", "Hyper-V"},
		{"VMwareVMware", "VMware"},    {"XenVMMXenVMM", "Xen"},
		{"TCGTCGTCGTCG", "QEMU TCG"},  {"bhyve bhyve ", "bhyve"},
		{"VBoxVBoxVBox", "VirtualBox"}};
	static const char *const firmware[] = {"QEMU",	 "VMware", "Xen",	  "innotek",
					       "Google", "Amazon", "DigitalOcean"};
	unsigned int eax, ebx, ecx, edx, name[3];
	char text[256];

	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx >> 31) {
		__cpuid(0x40000000, eax, name[0], name[1], name[2]);
		memcpy(text, name, sizeof(name));
		text[sizeof(name)] = '\0';
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (!strcmp(text, names[i][0]))
				return json_string(names[i][1]);
		return string_or_null(*text ? text : "unnamed");
	}
	if (sysfs_text("/sys/class/dmi/id/sys_vendor", text, sizeof(text)))
		for (size_t i = 0; i < sizeof(firmware) / sizeof(firmware[0]); i++)
			if (!strncasecmp(text, firmware[i], strlen(firmware[i])))
				return string_or_null(text);
	return json_string("none");
}

static json_t *smt(void)
{
	unsigned long long active;

	if (!sysfs_number("/sys/devices/system/cpu/smt/active", &active))
		return json_null();
	return json_boolean(active);
}

json_t *host_facts(void)
{
	json_t *facts = json_object();
	struct utsname uts;
	struct sysinfo info;
	double load;
	int nodes = 0;
	bool named = !uname(&uts);
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	json_object_set_new(facts, "hostname", string_or_null(named ? uts.nodename : NULL));
	json_object_set_new(facts, "os", line_text("/etc/os-release", "PRETTY_NAME", '='));
	json_object_set_new(facts, "kernel", string_or_null(named ? uts.release : NULL));
	json_object_set_new(facts, "machine", string_or_null(named ? uts.machine : NULL));
	json_object_set_new(facts, "cpu_model", line_text("/proc/cpuinfo", "model name", ':'));
	json_object_set_new(facts, "cpus_online", online > 0 ? json_integer(online) : json_null());
	json_object_set_new(facts, "cpus_allowed",
			    line_text("/proc/self/status", "Cpus_allowed_list", ':'));
	json_object_set_new(facts, "isolated_cpus", file_text("/sys/devices/system/cpu/isolated"));
	json_object_set_new(facts, "nohz_full", file_text("/sys/devices/system/cpu/nohz_full"));
	json_object_set_new(facts, "governor",
			    file_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
	json_object_set_new(facts, "smt", smt());
	json_object_set_new(facts, "numa_nodes",
			    sysfs_each(NODES, count_node, &nodes) && nodes ? json_integer(nodes)
									   : json_null());
	json_object_set_new(facts, "memory_bytes",
			    sysinfo(&info)
				    ? json_null()
				    : json_integer((json_int_t)info.totalram * info.mem_unit));
	json_object_set_new(facts, "hugepages", object_of(HUGEPAGES, add_hugepages));
	json_object_set_new(
		facts, "clocksource",
		file_text("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
	json_object_set_new(facts, "tsc", tsc_facts());
	json_object_set_new(facts, "hypervisor", hypervisor());
	json_object_set_new(facts, "mitigations", object_of(VULNERABILITIES, add_mitigation));
	json_object_set_new(facts, "load_1min",
			    getloadavg(&load, 1) == 1 ? json_real(load) : json_null());
	return facts;
}

unsigned long long host_free_hugepage_bytes(void)
{
	unsigned long long bytes = 0;

	sysfs_each(HUGEPAGES, add_free_bytes, &bytes);
	return bytes;
}

int host_allowed_cpus(int *cpus, int max)
{
	size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
	int n = 0;

	if (set && !sched_getaffinity(0, size, set)) {
		for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
			if (!CPU_ISSET_S((size_t)cpu, size, set))
				continue;
			if (n < max)
				cpus[n] = cpu;
			n++;
		}
	}
	CPU_FREE(set);
	return n;
}

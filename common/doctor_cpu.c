/*
 * Cores: how many, how undisturbed, how steady their clock and speed are.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CPUS "/sys/devices/system/cpu"

/* Cores that the role polls on: both programs of an embedded link share the host. */
static unsigned int cores_needed(const struct exam *e)
{
	return e->role->link == DOCTOR_EMBEDDED ? 2 : 1;
}

void doctor_cores(const struct exam *e)
{
	bool set[DOCTOR_MAX_CPUS];
	unsigned int n = doctor_allowed(e, set), need = cores_needed(e);
	struct doctor_row *row = doctor_row(e, "cores", n >= need ? DOCTOR_OK : DOCTOR_WARN);

	doctor_found(row, "%u to run on", n);
	if (n >= need)
		return;
	if (!n) {
		row->state = DOCTOR_NONE;
		doctor_found(row, "unknown");
		return;
	}
	doctor_more(row,
		    ": generator and DUT take turns on it, figures are far below those of two");
	doctor_remedy(row, "give this machine or container a second core (taskset, cpuset)");
}

static void core_list(const struct exam *e, const char *name, const char *path,
		      const char *parameter)
{
	bool set[DOCTOR_MAX_CPUS];
	char text[1024] = "";
	unsigned int n, need = cores_needed(e);
	struct doctor_row *row;

	if (!doctor_text(e, path, text, sizeof(text)) || !strcmp(text, "(null)"))
		text[0] = '\0';
	n = doctor_cpus(text, set);
	row = doctor_row(e, name, n >= need ? DOCTOR_OK : DOCTOR_WARN);
	doctor_found(row, "%s", n ? text : "none");
	if (n && n < need)
		doctor_more(row, ": %u are needed", need);
	if (n < need)
		doctor_remedy(row, "kernel command line: %s (with your cores' numbers), reboot",
			      parameter);
}

void doctor_isolated(const struct exam *e)
{
	core_list(e, "isolated cores", CPUS "/isolated", "isolcpus=2,3 rcu_nocbs=2,3");
}

void doctor_nohz(const struct exam *e)
{
	core_list(e, "nohz_full", CPUS "/nohz_full", "nohz_full=2,3");
}

/* What all CPUs say in a file of theirs. */
struct survey {
	const struct exam *e;
	const char *file;
	const char *wanted;
	unsigned int asked, other;
	char first_other[64];
};

static bool is_cpu(const char *name)
{
	return !strncmp(name, "cpu", 3) && isdigit((unsigned char)name[3]);
}

static void ask_cpu(const char *name, void *arg)
{
	struct survey *s = arg;
	char path[PATH_MAX], text[64];

	if (!is_cpu(name) ||
	    !sysfs_text(doctor_path(s->e, path, CPUS "/%s/%s", name, s->file), text, sizeof(text)))
		return;
	s->asked++;
	if (!strcmp(text, s->wanted))
		return;
	if (!s->other++)
		snprintf(s->first_other, sizeof(s->first_other), "%s", text);
}

void doctor_governor(const struct exam *e)
{
	struct survey s = {.e = e, .file = "cpufreq/scaling_governor", .wanted = "performance"};
	struct doctor_row *row = doctor_row(e, "governor", DOCTOR_OK);
	char dir[PATH_MAX];

	sysfs_each(doctor_path(e, dir, CPUS), ask_cpu, &s);
	if (!s.asked) {
		doctor_found(row, "none: the speed of the cores is not in this kernel's hands");
	} else if (!s.other) {
		doctor_found(row, "performance on all %u", s.asked);
	} else {
		row->state = DOCTOR_WARN;
		doctor_found(row, "%s on %u of %u cores: they slow down when idle", s.first_other,
			     s.other, s.asked);
		doctor_remedy(row, "for f in " CPUS
				   "/cpu*/cpufreq/scaling_governor; do echo performance >$f; done");
	}
}

void doctor_turbo(const struct exam *e)
{
	static const char *const files[][2] = {{CPUS "/intel_pstate/no_turbo", "1"},
					       {CPUS "/cpufreq/boost", "0"}};
	struct doctor_row *row = doctor_row(e, "turbo", DOCTOR_OK);
	unsigned long long value;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!doctor_number(e, files[i][0], &value))
			continue;
		if (value == (unsigned long long)(*files[i][1] - '0')) {
			doctor_found(row, "off");
			return;
		}
		row->state = DOCTOR_WARN;
		doctor_found(row, "on: speed depends on heat and on what other cores do");
		doctor_remedy(row, "echo %s >%s", files[i][1], files[i][0]);
		return;
	}
	doctor_found(row, "not in this kernel's hands");
}

/* Allowed CPUs that share a core with another. */
struct siblings {
	const struct exam *e;
	bool set[DOCTOR_MAX_CPUS];
	unsigned int n;
	char first[64];
};

static void ask_siblings(const char *name, void *arg)
{
	char path[PATH_MAX], text[64];
	bool together[DOCTOR_MAX_CPUS];
	struct siblings *s = arg;

	if (!is_cpu(name) || strtoul(name + 3, NULL, 10) >= DOCTOR_MAX_CPUS ||
	    !s->set[strtoul(name + 3, NULL, 10)] ||
	    !sysfs_text(doctor_path(s->e, path, CPUS "/%s/topology/thread_siblings_list", name),
			text, sizeof(text)) ||
	    doctor_cpus(text, together) < 2)
		return;
	/* The lowest is named: the order of a folder is any. */
	if (!s->n++ || strtoul(text, NULL, 10) < strtoul(s->first, NULL, 10))
		snprintf(s->first, sizeof(s->first), "%s", text);
}

void doctor_smt(const struct exam *e)
{
	struct siblings s = {.e = e};
	struct doctor_row *row = doctor_row(e, "SMT siblings", DOCTOR_OK);
	char dir[PATH_MAX];

	doctor_allowed(e, s.set);
	sysfs_each(doctor_path(e, dir, CPUS), ask_siblings, &s);
	if (!s.n) {
		doctor_found(row, "none: every core is one of its own");
		return;
	}
	row->state = DOCTOR_WARN;
	doctor_found(row, "%s share one core, and so on: what one does slows the other", s.first);
	doctor_remedy(row, "leave the sibling of a polling core idle, or echo off >" CPUS
			   "/smt/control");
}

void doctor_tsc(const struct exam *e)
{
	char path[PATH_MAX], flags[8192];
	struct doctor_row *row = doctor_row(e, "TSC", DOCTOR_OK);
	bool constant, nonstop;

	if (!sysfs_line(doctor_path(e, path, "/proc/cpuinfo"), "flags", ':', flags,
			sizeof(flags))) {
		row->state = DOCTOR_NONE;
		doctor_found(row, "unknown");
		return;
	}
	constant = sysfs_has_word(flags, "constant_tsc");
	nonstop = sysfs_has_word(flags, "nonstop_tsc");
	doctor_found(row, "%s, %s", constant ? "constant_tsc" : "no constant_tsc",
		     nonstop ? "nonstop_tsc" : "no nonstop_tsc");
	if (constant && nonstop)
		return;
	row->state = constant ? DOCTOR_WARN : DOCTOR_FAIL;
	doctor_more(row, constant ? ": it may stop in deep sleep"
				  : ": it follows the core's speed, and every time with it");
	doctor_remedy(row, constant ? "kernel command line: idle=poll or processor.max_cstate=1"
				    : "another machine, or a virtual one that passes the flag on");
}

void doctor_clocksource(const struct exam *e)
{
	struct doctor_row *row = doctor_row(e, "clock source", DOCTOR_OK);
	char text[64];
	bool virtual_clock;

	if (!doctor_text(e, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			 text, sizeof(text))) {
		row->state = DOCTOR_NONE;
		doctor_found(row, "unknown");
		return;
	}
	doctor_found(row, "%s", text);
	if (!strcmp(text, "tsc"))
		return;
	virtual_clock = !strcmp(text, "kvm-clock") || !strncmp(text, "hyperv_clocksource", 18) ||
			!strcmp(text, "xen");
	row->state = DOCTOR_WARN;
	doctor_more(row, virtual_clock ? ": the hypervisor's, over the TSC"
				       : ": reading it takes a microsecond; the kernel may have "
					 "found the TSC unsteady");
	doctor_remedy(row, "echo tsc >/sys/devices/system/clocksource/clocksource0/"
			   "current_clocksource; dmesg says why it was not taken");
}

struct mitigations {
	const struct exam *e;
	unsigned int known, on;
};

static void ask_mitigation(const char *name, void *arg)
{
	struct mitigations *m = arg;
	char path[PATH_MAX], text[256];

	if (!sysfs_text(doctor_path(m->e, path, CPUS "/vulnerabilities/%s", name), text,
			sizeof(text)))
		return;
	m->known++;
	m->on += !strncmp(text, "Mitigation", 10);
}

void doctor_mitigations(const struct exam *e)
{
	struct mitigations m = {.e = e};
	struct doctor_row *row = doctor_row(e, "mitigations", DOCTOR_OK);
	bool kernel = e->role->kernel != DOCTOR_NO_KERNEL ||
		      (e->role->link != DOCTOR_EMBEDDED && e->role->link != DOCTOR_NIC);
	char dir[PATH_MAX];

	sysfs_each(doctor_path(e, dir, CPUS "/vulnerabilities"), ask_mitigation, &m);
	if (!m.known) {
		row->state = DOCTOR_NONE;
		doctor_found(row, "unknown");
		return;
	}
	doctor_found(row, "%u of %u on", m.on, m.known);
	if (!m.on)
		return;
	if (!kernel) {
		doctor_more(row, "; they slow the kernel down, which this role leaves alone");
		return;
	}
	row->state = DOCTOR_WARN;
	doctor_more(row, ": each system call of the kernel path pays for them");
	doctor_remedy(row, "mitigations=off on the kernel command line, on a host that nobody "
			   "else uses; else name them beside the figures");
}

void doctor_hypervisor(const struct exam *e)
{
	char path[PATH_MAX], flags[8192];
	struct doctor_row *row = doctor_row(e, "virtual machine", DOCTOR_OK);

	if (!sysfs_line(doctor_path(e, path, "/proc/cpuinfo"), "flags", ':', flags,
			sizeof(flags))) {
		row->state = DOCTOR_NONE;
		doctor_found(row, "unknown");
	} else if (sysfs_has_word(flags, "hypervisor")) {
		row->state = DOCTOR_WARN;
		doctor_found(row, "yes: the host may take cores away for milliseconds");
		doctor_remedy(row, "pin its cores and memory on the host, or take bare metal");
	} else {
		doctor_found(row, "no");
	}
}

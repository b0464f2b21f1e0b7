/*
 * For the files of the doctor: what a check is given, how it reads and how it says what it found.
 */
#ifndef TANDEM_DOCTOR_CHECK_H
#define TANDEM_DOCTOR_CHECK_H

#include "common/doctor.h"

#include <limits.h>

struct exam {
	const struct doctor_host *host;
	const struct doctor_role *role;
	struct doctor_rows *rows;
};

/* Adds a row; its texts follow with doctor_found and doctor_remedy. Never NULL. */
struct doctor_row *doctor_row(const struct exam *e, const char *name, enum doctor_state state);
void doctor_found(struct doctor_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds to what was found. */
void doctor_more(struct doctor_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_remedy(struct doctor_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The path under the root, in a buffer of PATH_MAX. */
char *doctor_path(const struct exam *e, char *buf, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool doctor_text(const struct exam *e, const char *path, char *buf, size_t len);
bool doctor_number(const struct exam *e, const char *path, unsigned long long *value);
bool doctor_exists(const struct exam *e, const char *path);

/* A module: in the kernel (loaded or built in), to be loaded, or not there. */
enum doctor_module { MODULE_ABSENT, MODULE_LOADABLE, MODULE_PRESENT };
enum doctor_module doctor_module(const struct exam *e, const char *name);

/* Whether this process has a capability (CAP_NET_ADMIN ...), by /proc/self/status. */
bool doctor_has_right(const struct exam *e, unsigned int capability);

/* Whether the role uses a driver on a kernel interface, as link or as kernel path. */
bool doctor_uses(const struct doctor_role *role, enum doctor_link link, enum doctor_kernel kernel);

/* CPUs that this process may run on, as the list text of /proc/self/status and as a mask of bytes.
 * Returns how many. */
#define DOCTOR_MAX_CPUS 4096
unsigned int doctor_cpus(const char *list, bool *set);
unsigned int doctor_allowed(const struct exam *e, bool *set);

/* A check adds one row or more. */
typedef void doctor_check(const struct exam *e);

doctor_check doctor_hugepages, doctor_memlock;
doctor_check doctor_iommu, doctor_nic_driver, doctor_nics;
doctor_check doctor_kni, doctor_vhost_net, doctor_tun, doctor_af_xdp, doctor_af_packet, doctor_auto,
	doctor_rights;
doctor_check doctor_cores, doctor_isolated, doctor_nohz, doctor_governor, doctor_turbo, doctor_smt;
doctor_check doctor_tsc, doctor_clocksource, doctor_mitigations, doctor_hypervisor;
doctor_check doctor_dpdk, doctor_others;

#endif

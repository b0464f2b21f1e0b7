/*
 * What this host is fit for: a table of checks, each read from /proc and /sys, with the command
 * that mends what is wrong. No EAL is started and nothing is changed.
 *
 * A check is pure over a root folder ("" for the host itself), so that tests give it trees of
 * files.
 */
#ifndef TANDEM_DOCTOR_H
#define TANDEM_DOCTOR_H

#include "common/opts.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum doctor_state {
	DOCTOR_NONE, /* of no concern to the role: said, but not judged */
	DOCTOR_OK,
	DOCTOR_WARN, /* it runs, but figures suffer, or less works than could */
	DOCTOR_FAIL  /* the role cannot run */
};

/* What joins a program to its peer (--link). */
enum doctor_link {
	DOCTOR_EMBEDDED, /* vhost-user or memif */
	DOCTOR_NIC,
	DOCTOR_LINK_AF_XDP,
	DOCTOR_LINK_AF_PACKET,
	DOCTOR_LINK_TAP,
	DOCTOR_LINKS
};

/* The driver of a kernel port (--kernel-path). */
enum doctor_kernel {
	DOCTOR_NO_KERNEL,
	DOCTOR_AUTO,
	DOCTOR_AF_XDP,
	DOCTOR_AF_PACKET,
	DOCTOR_TAP,
	DOCTOR_VIRTIO_USER,
	DOCTOR_KNI,
	DOCTOR_KERNELS
};

struct doctor_role {
	unsigned int link;   /* enum doctor_link */
	unsigned int kernel; /* enum doctor_kernel */
	bool no_huge;
	bool generator; /* else the DUT */
};

struct doctor_host {
	const char *root; /* "" or the folder that stands for / */
	/* DPDK's version at build time and now, as rte_version() says them. */
	const char *dpdk_built, *dpdk_running;
	int self; /* our own pid, which is no other DPDK process */
};

struct doctor_row {
	char name[32];
	enum doctor_state state;
	char found[320];
	char remedy[320]; /* "" when there is nothing to mend */
};

struct doctor_rows {
	struct doctor_row *row; /* malloced */
	size_t n;
	bool out_of_memory;
};

/* All checks, in the order of the table, added to rows (all zero at first), which the caller frees
 * with doctor_free, also after an error. 0 or -ENOMEM. */
int doctor_examine(const struct doctor_host *host, const struct doctor_role *role,
		   struct doctor_rows *rows);
void doctor_free(struct doctor_rows *rows);

/* Whether one of the rows is FAIL. */
bool doctor_fails(const struct doctor_rows *rows);

/* "OK", "WARN", "FAIL", or "-". */
const char *doctor_state_name(enum doctor_state state);

/* The table; then which links and kernel paths the host is fit for. */
void doctor_print(const struct doctor_host *host, const struct doctor_role *role,
		  const struct doctor_rows *rows, FILE *out);

/*
 * {"schema":"tandem.doctor/1", "role", "link", "kernel_path", "fit": bool, "checks": [{"check",
 * "state": "ok"|"warn"|"fail"|"none", "found", "remedy" or null}], "fit_for": [..], "not_for":
 * {..}} A new object, NULL when out of memory.
 */
json_t *doctor_record(const struct doctor_host *host, const struct doctor_role *role,
		      const struct doctor_rows *rows);

/* The verb as the programs have it, for their lists, man pages and completion. */
extern const struct opt_command doctor_gen_command, doctor_dut_command;

/*
 * The whole verb: argv holds its options (no program, no verb). built and running as in struct
 * doctor_host. Returns the exit status: 0 fit, 1 not, 2 usage.
 */
int doctor_main(const char *program, int argc, char **argv, const char *built, const char *running);

#endif

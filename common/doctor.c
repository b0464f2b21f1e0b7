/*
 * The doctor: a table of checks, run for the asked role; the role decides what is FAIL and what is
 * of no concern.
 */
#include "common/doctor_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static doctor_check *const checks[] = {
	doctor_hugepages,   doctor_memlock,    doctor_iommu,  doctor_nic_driver,
	doctor_nics,	    doctor_tun,	       doctor_af_xdp, doctor_af_packet,
	doctor_vhost_net,   doctor_kni,	       doctor_auto,   doctor_rights,
	doctor_cores,	    doctor_isolated,   doctor_nohz,   doctor_governor,
	doctor_turbo,	    doctor_smt,	       doctor_tsc,    doctor_clocksource,
	doctor_mitigations, doctor_hypervisor, doctor_dpdk,   doctor_others,
};

int doctor_examine(const struct doctor_host *host, const struct doctor_role *role,
		   struct doctor_rows *rows)
{
	struct exam e = {host, role, rows};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		checks[i](&e);
	return rows->out_of_memory ? -ENOMEM : 0;
}

void doctor_free(struct doctor_rows *rows)
{
	free(rows->row);
	*rows = (struct doctor_rows){NULL, 0, false};
}

bool doctor_fails(const struct doctor_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].state == DOCTOR_FAIL)
			return true;
	return false;
}

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[] = {"-", "OK", "WARN", "FAIL"};

	return names[state];
}

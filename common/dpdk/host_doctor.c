/*
 * The version in DPDK's headers is the one we were built with; its library says its own.
 */
#include "common/dpdk/host_doctor.h"

#include "common/doctor.h"

#include <stdio.h>

#include <rte_version.h>

int host_doctor_main(const char *program, int argc, char **argv)
{
	char built[64];

	snprintf(built, sizeof(built), "%s %d.%02d.%d", RTE_VER_PREFIX, RTE_VER_YEAR, RTE_VER_MONTH,
		 RTE_VER_MINOR);
	return doctor_main(program, argc, argv, built, rte_version());
}

/*
 * rte_kni's demands, from DPDK's guide to it and from what its module does when they are not met.
 */
#include "dut/kernel_kni.h"
#include "dut/command.h"
#include "common/units.h"

#include <rte_eal.h>
#include <rte_ether.h>

#include <errno.h>
#include <stdio.h>

int kernel_kni_check(char *err, size_t errlen)
{
	if (!rte_eal_has_hugepages()) {
		snprintf(err, errlen,
			 "rte_kni needs hugepages: leave --no-huge away (make host reserves some)");
		return -EINVAL;
	}
	if (rte_eal_iova_mode() != RTE_IOVA_PA) {
		snprintf(err, errlen,
			 "rte_kni needs physical addresses: give EAL --iova-mode=pa (before the "
			 "--)");
		return -EINVAL;
	}
	return 0;
}

int kernel_kni_ready(const char *netns, const char *interface, uint32_t max_frame, char *err,
		     size_t errlen)
{
	char mtu[16], ignored[256];
	int rc;

	snprintf(mtu, sizeof(mtu), "%u",
		 max_frame > FRAME_MAX ? max_frame - FRAME_FCS - RTE_ETHER_HDR_LEN : RTE_ETHER_MTU);
	rc = COMMAND(err, errlen, "ip", "-n", netns, "link", "set", interface, "mtu", mtu);
	if (rc < 0)
		return rc;
	/* The carrier can be set once the interface is up; where the module has it on already, the
	 * kernel may refuse. */
	rc = COMMAND(err, errlen, "ip", "-n", netns, "link", "set", interface, "up");
	if (rc == 0)
		COMMAND(ignored, sizeof(ignored), "ip", "-n", netns, "link", "set", interface,
			"carrier", "on");
	return rc;
}

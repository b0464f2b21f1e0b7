/*
 * Choosing the driver of the kernel ports: each is set up for a moment, and frames go through the
 * kernel's routing and back.
 */
#ifndef TANDEM_DUT_KERNEL_PROBE_H
#define TANDEM_DUT_KERNEL_PROBE_H

#include "dut/kernel_setup.h"

#include <jansson.h>
#include <stdbool.h>

struct kernel_probe {
	bool ran;
	struct {
		double pps;	  /* frames that came back a second, 0 when it failed */
		char reason[256]; /* why it failed, "" when it did not */
	} result[KERNEL_DRIVERS];
};

/*
 * Tries all drivers on link 0, one after the other, with frames of pool sent and received by a
 * polling thread on lcore; says on stderr what each reached. Returns the fastest in *driver, or a
 * negative errno with a line in err when none works or *stop was set.
 */
int kernel_probe_run(struct kernel_probe *probe, struct kernel_path *k,
		     const struct port_config *config, struct rte_mempool *pool, unsigned int lcore,
		     const volatile bool *stop, enum kernel_driver *driver, char *err,
		     size_t errlen);

/* {"af_xdp": {"pps"} or {"reason"}, ...}, null when no probe ran. New reference. */
json_t *kernel_probe_record(const struct kernel_probe *probe);

#endif

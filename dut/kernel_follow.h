/*
 * Following the kernel's side: what was changed there is carried to the DUT's own ports, and told.
 */
#ifndef TANDEM_DUT_KERNEL_FOLLOW_H
#define TANDEM_DUT_KERNEL_FOLLOW_H

#include "dut/dut.h"

#include <jansson.h>

/* Watches the kernel interfaces of n pairs of ports; the kernel side made by us is open already. 0
 * or a negative errno with a line in err. */
int kernel_follow_open(struct dut *d, const struct kernel_pair *pairs, unsigned int n, char *err,
		       size_t errlen);

/* Looks at the kernel side without waiting: losses, links, and MTUs, which the wire ports are given
 * where their drivers can. */
void kernel_follow(struct dut *d);

/* False when the kernel says that the interface behind a kernel port does not run; true for all
 * other ports. */
bool kernel_follow_up(const struct dut *d, unsigned int port);

/* [{"interface", "up", "mtu", "wire_mtu"}], and the changes seen [{"seconds", "interface", "event",
 * "mtu"}]; null where nothing is watched. New references. */
json_t *kernel_links_record(const struct dut *d);
json_t *kernel_events_record(const struct dut *d);

#endif

/*
 * Between port.c and link.c: a device made anew is set up as the first one was.
 */
#ifndef TANDEM_PORT_INTERNAL_H
#define TANDEM_PORT_INTERNAL_H

#include "common/dpdk/port.h"

/* Queues, MTU and start of p->id with p->config and p->rx_pool. 0 or a negative errno with a line
 * in err. */
int port_setup(struct port *p, char *err, size_t errlen);

/* False when the kernel interface under an af_packet or af_xdp port is down or has no carrier. */
bool port_interface_runs(const struct port *p);

#endif

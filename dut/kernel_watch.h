/*
 * What the kernel says about its side: links that go up and down, and frames it lost.
 */
#ifndef TANDEM_DUT_KERNEL_WATCH_H
#define TANDEM_DUT_KERNEL_WATCH_H

#include "dut/kernel_setup.h"

#include <stdbool.h>
#include <stdint.h>

struct mnl_socket;

struct kernel_interface {
	uint64_t rx_packets, tx_packets, rx_dropped, tx_dropped, rx_errors, tx_errors;
	bool known, up;
	bool came_up; /* since it was last looked after */
};

struct kernel_watch {
	const struct kernel_path *path;
	struct mnl_socket *events;  /* link messages as they come */
	struct mnl_socket *queries; /* our questions and their answers */
	int snmp;		    /* /proc/net/snmp of the namespace */
	uint64_t base;		    /* frames lost before we came */
	struct kernel_interface kernel_if[DUT_MAX_PORTS], dut_if[DUT_MAX_PORTS];
};

/* Starts watching the links of path, in its namespace. 0 or a negative errno with a line in err. */
int kernel_watch_open(struct kernel_watch *w, const struct kernel_path *path, char *err,
		      size_t errlen);
void kernel_watch_close(struct kernel_watch *w);

/*
 * Reads pending link events, telling changes on stderr and setting the routes of an interface that
 * came up again, and the counters. Never waits. Returns the frames that the kernel lost since
 * kernel_watch_open.
 */
uint64_t kernel_watch_look(struct kernel_watch *w);

#endif

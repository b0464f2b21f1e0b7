/*
 * What the kernel says about its side: links that go up and down, MTUs, and frames it lost.
 */
#ifndef TANDEM_DUT_KERNEL_WATCH_H
#define TANDEM_DUT_KERNEL_WATCH_H

#include "dut/kernel_setup.h"

#include <stdbool.h>
#include <stdint.h>

struct mnl_socket;

#define KERNEL_EVENTS 64u

/* Written by the thread that looks; others read up and mtu. */
struct kernel_interface {
	uint64_t rx_packets, tx_packets, rx_dropped, tx_dropped, rx_errors, tx_errors;
	bool known, up;
	bool came_up; /* since it was last looked after */
	uint32_t mtu; /* 0 while not known */
};

enum kernel_event_kind { KERNEL_LINK_UP, KERNEL_LINK_DOWN, KERNEL_MTU };

/* A change that was made in the kernel. */
struct kernel_event {
	uint64_t ns;	   /* when it was seen, clock_ns */
	unsigned int link; /* whose kernel interface changed */
	enum kernel_event_kind kind;
	uint32_t mtu;
};

struct kernel_watch {
	const struct kernel_path *path;
	struct mnl_socket *events;  /* link messages as they come */
	struct mnl_socket *queries; /* our questions and their answers */
	int snmp;		    /* /proc/net/snmp of the namespace */
	uint64_t base;		    /* frames lost before we came */
	struct kernel_interface kernel_if[DUT_MAX_PORTS], dut_if[DUT_MAX_PORTS];
	uint32_t n_events; /* all; the first KERNEL_EVENTS are kept */
	struct kernel_event event[KERNEL_EVENTS];
};

/* Starts watching the links of path, in its namespace or, where it was not opened, in ours. 0 or a
 * negative errno with a line in err. */
int kernel_watch_open(struct kernel_watch *w, const struct kernel_path *path, char *err,
		      size_t errlen);
void kernel_watch_close(struct kernel_watch *w);

/*
 * Reads pending link events, telling changes on stderr and setting the routes of an interface that
 * came up again, and the counters. Never waits. Returns the frames that the kernel lost since
 * kernel_watch_open.
 */
uint64_t kernel_watch_look(struct kernel_watch *w);

/* Whether both ends of link i run, as far as is known; from any thread. */
bool kernel_watch_up(const struct kernel_watch *w, unsigned int i);

/* The MTU of the kernel interface of link i, 0 while not known; from any thread. */
uint32_t kernel_watch_mtu(const struct kernel_watch *w, unsigned int i);

#endif

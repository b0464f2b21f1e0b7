/*
 * The kernel side of the DUT: a namespace in which the kernel routes, and a kernel port for each
 * wire port.
 *
 * Wire port i gets the kernel interface td<i>k, 198.18.<i>.1/24, forwarding on. Its peer, the
 * generator, is 198.18.<i>.2 and answers ARP; 198.19.<i>.0/24 is routed to it. For af_packet and
 * af_xdp td<i>k is one end of a veth pair whose other end, td<i>d, the driver opens; a tap is both
 * in one.
 */
#ifndef TANDEM_DUT_KERNEL_SETUP_H
#define TANDEM_DUT_KERNEL_SETUP_H

#include "dut/netns.h"
#include "dut/options.h"
#include "dut/topology.h"
#include "common/dpdk/port.h"

#include <net/if.h>

#define KERNEL_NETS 0xc6120000u /* 198.18.0.0: what td<i>k is on */
#define KERNEL_FAR  0xc6130000u /* 198.19.0.0: what lies behind the generator */

struct kernel_link {
	unsigned int index;	   /* in the addresses of its interface */
	unsigned int wire, kernel; /* its ports' places in the DUT's list */
	uint32_t mtu;		   /* of the kernel interface, as last followed */
	uint32_t wire_mtu;	   /* as last set on the wire port, 0 for never */
	bool mtu_warned;	   /* that the wire port's MTU does not follow */
	enum kernel_driver driver;
	char kernel_if[IFNAMSIZ]; /* td<i>k, or that of a given port; "" where unknown */
	char dut_if[IFNAMSIZ];	  /* td<i>d, "" for a tap */
	char vdev[RTE_ETH_NAME_MAX_LEN];
	bool made_veth, made_vdev, opened; /* what is to be undone */
	struct rte_ether_addr mac;	   /* of the kernel interface */
};

struct kernel_path {
	struct netns ns;
	bool open;
	bool wrote_state;
	unsigned int n;
	struct kernel_link links[DUT_MAX_PORTS];
};

/*
 * Removes what an earlier crash left, then opens the namespace for n kernel ports; name NULL for
 * one of our own. 0 or a negative errno with a line in err. Undone by kernel_path_close, which is
 * also right after a failure.
 */
int kernel_path_open(struct kernel_path *k, const char *name, unsigned int n, char *err,
		     size_t errlen);
void kernel_path_close(struct kernel_path *k);

/*
 * Makes link i with a driver (not KERNEL_AUTO) and opens its ethdev port into *p. Undone by
 * kernel_link_remove, which is also right after a failure half-way.
 */
int kernel_link_make(struct kernel_path *k, unsigned int i, enum kernel_driver driver,
		     const struct port_config *config, struct port *p, char *err, size_t errlen);
void kernel_link_remove(struct kernel_path *k, unsigned int i, struct port *p);

/* Sets the route to what lies behind link i's peer; also again, for the kernel forgets it when
 * td<i>k goes down. */
int kernel_link_route(const struct kernel_path *k, unsigned int i, char *err, size_t errlen);

/* The generator's address on link i, in host byte order, and one behind it. */
static inline uint32_t kernel_link_peer(unsigned int i)
{
	return KERNEL_NETS | i << 8 | 2;
}

static inline uint32_t kernel_link_far(unsigned int i)
{
	return KERNEL_FAR | i << 8 | 1;
}

#endif

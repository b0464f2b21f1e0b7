/*
 * Making and removing the kernel side: interfaces and addresses by ip, sysctls by their files,
 * vdevs by DPDK.
 *
 * A driver opens its interface by name in the namespace of the calling thread, when the vdev is
 * made and again when the port starts and stops, so all of that happens inside.
 */
#include "dut/kernel_setup.h"
#include "dut/command.h"
#include "dut/kernel_kni.h"
#include "dut/kernel_state.h"
#include "dut/quiet.h"
#include "common/dpdk/vdev.h"
#include "common/units.h"

#include <rte_bus_vdev.h>

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define VHOST_DEVICE "/dev/vhost-net"

/* DPDK's names of the drivers. */
static const char *const vdev_names[KERNEL_DRIVERS] = {
	[KERNEL_AF_XDP] = "net_af_xdp", [KERNEL_AF_PACKET] = "net_af_packet",
	[KERNEL_TAP] = "net_tap",	[KERNEL_VIRTIO_USER] = "net_virtio_user",
	[KERNEL_KNI] = "net_kni",
};

/* Whether the driver makes the kernel's interface itself; else it opens one end of a veth pair. */
static bool makes_interface(enum kernel_driver driver)
{
	return driver == KERNEL_TAP || driver == KERNEL_VIRTIO_USER || driver == KERNEL_KNI;
}

/* An ioctl on an interface of the namespace the thread is in. */
static int interface_ioctl(const char *name, unsigned long request, struct ifreq *ifr)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int rc;

	if (fd < 0)
		return -errno;
	snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%s", name);
	rc = ioctl(fd, request, ifr) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

/*
 * Frames of the kernel's own (TCP) must leave with their checksum done, for no hardware behind the
 * port does it. Without it the kernel also makes no segments larger than the MTU.
 */
static void checksum_offload_off(const char *name)
{
	struct ethtool_value value = {.cmd = ETHTOOL_STXCSUM, .data = 0};
	struct ifreq ifr = {.ifr_data = (char *)&value};

	interface_ioctl(name, SIOCETHTOOL, &ifr);
}

static void interface_sysctl(const char *interface, const char *family, const char *key,
			     const char *value)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/conf/%s/%s", family, interface, key);
	netns_sysctl(name, value); /* a kernel without IPv6 has none of those, and needs none */
}

/* Quiet: no IPv6, no redirects though frames leave where they came from, and any source is right.
 */
static void quiet_sysctls(const char *interface)
{
	interface_sysctl(interface, "ipv6", "disable_ipv6", "1");
	interface_sysctl(interface, "ipv4", "rp_filter", "0");
	interface_sysctl(interface, "ipv4", "send_redirects", "0");
}

/* Makes the namespace route. What belongs to all interfaces is touched only in a namespace of our
 * own. */
static int set_up_namespace(const struct kernel_path *k, char *err, size_t errlen)
{
	int rc = netns_enter(&k->ns, err, errlen);

	if (rc < 0)
		return rc;
	rc = netns_sysctl("ipv4/ip_forward", "1");
	if (rc < 0)
		snprintf(err, errlen,
			 "cannot switch on ip_forward in the network namespace %s: %s; /proc/sys "
			 "must be writable",
			 k->ns.name, strerror(-rc));
	if (k->ns.made) {
		quiet_sysctls("all");
		quiet_sysctls("default");
	}
	netns_leave(&k->ns);
	return rc;
}

int kernel_path_open(struct kernel_path *k, const char *name, unsigned int n, char *err,
		     size_t errlen)
{
	const char *interfaces[2 * DUT_MAX_PORTS];
	char own[NETNS_NAME_LEN];
	int rc;

	*k = (struct kernel_path){.ns = {.fd = -1, .home = -1}};
	if (geteuid() != 0) {
		snprintf(err, errlen,
			 "making the kernel side needs root (CAP_NET_ADMIN and CAP_SYS_ADMIN); run "
			 "as root, or "
			 "give a kernel port with --vdev");
		return -EPERM;
	}
	snprintf(own, sizeof(own), "tandem-%ld", (long)getpid());
	name = name ? name : own;
	k->n = n;
	for (unsigned int i = 0; i < n; i++) {
		struct kernel_link *link = &k->links[i];

		link->index = i;
		snprintf(link->kernel_if, sizeof(link->kernel_if), "td%uk", i);
		snprintf(link->dut_if, sizeof(link->dut_if), "td%ud", i);
		interfaces[2 * i] = link->kernel_if;
		interfaces[2 * i + 1] = link->dut_if;
	}
	kernel_state_clean();
	rc = kernel_state_write(name, !netns_exists(name), interfaces, 2 * n, err, errlen);
	if (rc < 0)
		return rc;
	k->wrote_state = true;
	snprintf(k->ns.name, sizeof(k->ns.name), "%s", name);
	rc = netns_open(&k->ns, name, err, errlen);
	if (rc < 0)
		return rc;
	k->open = true;
	return set_up_namespace(k, err, errlen);
}

void kernel_path_close(struct kernel_path *k)
{
	if (k->open)
		netns_close(&k->ns);
	if (k->wrote_state)
		kernel_state_remove(k->ns.name);
	k->open = k->wrote_state = false;
}

static int make_veth(struct kernel_path *k, struct kernel_link *link,
		     const struct port_config *config, char *err, size_t errlen)
{
	const char *ns = k->ns.name;
	char mtu[16];
	int rc;

	rc = COMMAND(err, errlen, "ip", "-n", ns, "link", "add", link->dut_if, "type", "veth",
		     "peer", "name", link->kernel_if);
	if (rc < 0) {
		size_t used = strlen(err);

		/* What the kernel answers when it knows no such kind of link. */
		if (strstr(err, "Unknown device type") || strstr(err, "not supported"))
			snprintf(err + used, errlen - used,
				 "; load the module veth (modprobe veth)");
		return rc;
	}
	link->made_veth = true;
	snprintf(mtu, sizeof(mtu), "%u",
		 config->max_frame > FRAME_MAX ? config->max_frame - FRAME_FCS - RTE_ETHER_HDR_LEN
					       : RTE_ETHER_MTU);
	rc = COMMAND(err, errlen, "ip", "-n", ns, "link", "set", link->dut_if, "arp", "off", "mtu",
		     mtu);
	if (rc == 0)
		rc = COMMAND(err, errlen, "ip", "-n", ns, "link", "set", link->kernel_if, "mtu",
			     mtu);
	return rc;
}

int kernel_link_route(const struct kernel_path *k, unsigned int i, char *err, size_t errlen)
{
	char far[32], via[32], text[16];

	snprintf(far, sizeof(far), "%s/24", ipv4_format(KERNEL_FAR | i << 8, text, sizeof(text)));
	ipv4_format(kernel_link_peer(i), via, sizeof(via));
	return COMMAND(err, errlen, "ip", "-n", k->ns.name, "route", "replace", far, "via", via,
		       "dev", k->links[i].kernel_if);
}

/* Address, state and route of the kernel interface. */
static int set_addresses(struct kernel_path *k, struct kernel_link *link, char *err, size_t errlen)
{
	const char *ns = k->ns.name;
	char address[32], text[16];
	int rc;

	snprintf(address, sizeof(address), "%s/24",
		 ipv4_format(KERNEL_NETS | link->index << 8 | 1, text, sizeof(text)));
	rc = COMMAND(err, errlen, "ip", "-n", ns, "addr", "add", address, "dev", link->kernel_if);
	if (rc == 0)
		rc = COMMAND(err, errlen, "ip", "-n", ns, "link", "set", link->kernel_if, "up");
	return rc == 0 ? kernel_link_route(k, link->index, err, errlen) : rc;
}

/* The vdev's name and arguments. */
static void describe_vdev(struct kernel_link *link, char *args, size_t len)
{
	snprintf(link->vdev, sizeof(link->vdev), "%s_td%u", vdev_names[link->driver], link->index);
	switch (link->driver) {
	case KERNEL_TAP:
		snprintf(args, len, "iface=%s", link->kernel_if);
		break;
	case KERNEL_VIRTIO_USER:
		snprintf(args, len, "path=" VHOST_DEVICE ",queue_size=1024,iface=%s",
			 link->kernel_if);
		break;
	case KERNEL_KNI:
		/* The driver names the interface after the device. */
		snprintf(link->kernel_if, sizeof(link->kernel_if), "%s",
			 link->vdev + strlen("net_"));
		*args = '\0';
		break;
	case KERNEL_AF_PACKET:
		snprintf(args, len, "iface=%s,framecnt=1024", link->dut_if);
		break;
	default:
		snprintf(args, len, "iface=%s", link->dut_if);
		break;
	}
}

/* Inside the namespace: vdev, port, addresses. */
static int open_inside(struct kernel_path *k, struct kernel_link *link,
		       const struct port_config *config, struct port *p, char *err, size_t errlen)
{
	struct ifreq ifr;
	char args[128];
	uint16_t id;
	int rc;

	describe_vdev(link, args, sizeof(args));
	if (makes_interface(link->driver) && if_nametoindex(link->kernel_if)) {
		snprintf(err, errlen,
			 "the network namespace %s has an interface %s already; remove it or give "
			 "another --kernel-netns",
			 k->ns.name, link->kernel_if);
		return -EEXIST;
	}
	if (!makes_interface(link->driver)) {
		quiet_sysctls(link->dut_if);
		quiet_sysctls(link->kernel_if);
		rc = COMMAND(err, errlen, "ip", "-n", k->ns.name, "link", "set", link->dut_if,
			     "up");
		if (rc < 0)
			return rc;
	}
	if (link->driver == KERNEL_AF_XDP)
		quiet_xdp_libraries();
	rc = rte_vdev_init(link->vdev, args);
	if (rc < 0) {
		snprintf(err, errlen, "DPDK's %s driver cannot open %s: %s%s",
			 vdev_names[link->driver],
			 makes_interface(link->driver) ? link->kernel_if : link->dut_if,
			 strerror(-rc),
			 link->driver == KERNEL_AF_XDP ? "; it needs a kernel with AF_XDP and root"
			 : link->driver == KERNEL_KNI  ? "; give EAL the driver with -d "
							 "librte_net_kni.so.23 (make kni builds it)"
						       : "");
		return rc;
	}
	link->made_vdev = true;
	rc = rte_eth_dev_get_port_by_name(link->vdev, &id);
	if (rc < 0) {
		snprintf(err, errlen, "DPDK's driver made no port of %s", link->vdev);
		return rc;
	}
	link->opened = true;
	rc = port_open(p, id, config, err, errlen);
	if (rc < 0)
		return rc;
	if (makes_interface(link->driver))
		quiet_sysctls(link->kernel_if);
	rc = link->driver == KERNEL_KNI
		     ? kernel_kni_ready(k->ns.name, link->kernel_if, config->max_frame, err, errlen)
		     : 0;
	if (rc == 0)
		rc = set_addresses(k, link, err, errlen);
	if (rc < 0)
		return rc;
	checksum_offload_off(link->kernel_if);
	rc = interface_ioctl(link->kernel_if, SIOCGIFHWADDR, &ifr);
	if (rc < 0)
		snprintf(err, errlen, "%s has no MAC address: %s", link->kernel_if, strerror(-rc));
	else
		memcpy(link->mac.addr_bytes, ifr.ifr_hwaddr.sa_data, sizeof(link->mac.addr_bytes));
	return rc;
}

int kernel_link_make(struct kernel_path *k, unsigned int i, enum kernel_driver driver,
		     const struct port_config *config, struct port *p, char *err, size_t errlen)
{
	struct kernel_link *link = &k->links[i];
	char needs[64];
	int rc;

	link->driver = driver;
	link->dut_if[0] = '\0';
	snprintf(link->kernel_if, sizeof(link->kernel_if), "td%uk", i);
	snprintf(needs, sizeof(needs), "%s%s", vdev_names[driver],
		 driver == KERNEL_VIRTIO_USER ? ",path=" VHOST_DEVICE : "");
	rc = vdev_check_kernel(needs, err, errlen);
	if (rc == 0 && driver == KERNEL_KNI)
		rc = kernel_kni_check(err, errlen);
	if (rc == 0 && !makes_interface(driver)) {
		snprintf(link->dut_if, sizeof(link->dut_if), "td%ud", i);
		rc = make_veth(k, link, config, err, errlen);
	}
	if (rc == 0)
		rc = netns_enter(&k->ns, err, errlen);
	if (rc < 0)
		return rc;
	rc = open_inside(k, link, config, p, err, errlen);
	netns_leave(&k->ns);
	return rc;
}

void kernel_link_remove(struct kernel_path *k, unsigned int i, struct port *p)
{
	struct kernel_link *link = &k->links[i];
	char ignored[256];

	/* rte_kni answers no request once its port is closed, and waits three seconds for each. */
	if (link->opened && link->driver == KERNEL_KNI)
		COMMAND(ignored, sizeof(ignored), "ip", "-n", k->ns.name, "link", "set",
			link->kernel_if, "down");
	if ((link->opened || link->made_vdev) &&
	    netns_enter(&k->ns, ignored, sizeof(ignored)) == 0) {
		if (link->opened)
			port_close(p);
		if (link->made_vdev)
			rte_vdev_uninit(link->vdev);
		netns_leave(&k->ns);
	}
	if (link->made_veth)
		COMMAND(ignored, sizeof(ignored), "ip", "-n", k->ns.name, "link", "del",
			link->kernel_if);
	link->opened = link->made_vdev = link->made_veth = false;
}

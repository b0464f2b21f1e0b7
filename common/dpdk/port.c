/*
 * Ports: opened, closed, described. What is special about a driver is in one table here, so that
 * the data path and the programs see ethdevs only.
 */
#include "common/dpdk/port.h"
#include "common/dpdk/port_internal.h"

#include "common/dpdk/vdev.h"
#include "common/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rte_dev.h>
#include <rte_errno.h>

#define MEMIF_BUFFERS_LOG2 16u /* of all rings of a memif port */

static const struct driver {
	const char *name;
	enum port_kind kind;
	bool makes_syscalls;
	bool counts_missed; /* a loop back to itself has nothing to count */
} drivers[] = {
	{"net_memif", PORT_EMBEDDED, false, false},
	{"net_vhost", PORT_EMBEDDED, false, false},
	{"net_virtio_user", PORT_EMBEDDED, false, false},
	{"net_ring", PORT_LOOP, false, true},
	{"net_null", PORT_LOOP, false, true},
	{"net_tap", PORT_KERNEL, true, false},
	{"net_af_packet", PORT_KERNEL, true, false},
	{"net_af_xdp", PORT_KERNEL, true, true},
	{"net_kni", PORT_KERNEL, false, false},
	{"net_pcap", PORT_KERNEL, true, false},
};

/* What is known of a driver; anything else is taken for a NIC's. */
static const struct driver *find_driver(const char *name)
{
	static const struct driver nic = {"", PORT_WIRE, false, true};

	for (size_t i = 0; i < RTE_DIM(drivers); i++)
		if (!strcmp(drivers[i].name, name))
			return &drivers[i];
	return &nic;
}

enum port_kind port_kind_of(const char *driver, const char *path)
{
	return path && !strncmp(path, "/dev/", 5) ? PORT_KERNEL : find_driver(driver)->kind;
}

static const char *const kind_names[] = {"wire", "embedded", "loop", "kernel"};

static int fail(const struct port *p, const char *what, int code, char *err, size_t errlen)
{
	snprintf(err, errlen, "port %u (%s): %s: %s", p->id, p->name, what,
		 rte_strerror(code < 0 ? -code : code));
	return code < 0 ? code : -code;
}

static int identify(struct port *p, const struct rte_eth_dev_info *info, char *err, size_t errlen)
{
	const struct rte_devargs *devargs = rte_dev_devargs(info->device);
	char path[256];
	bool has_path;
	int rc = rte_eth_dev_get_name_by_port(p->id, p->name);

	if (rc) {
		snprintf(err, errlen, "there is no port %u", p->id);
		return rc;
	}
	snprintf(p->driver, sizeof(p->driver), "%s", info->driver_name);
	snprintf(p->devargs, sizeof(p->devargs), "%s%s%s", p->name,
		 devargs && devargs->args ? "," : "",
		 devargs && devargs->args ? devargs->args : "");
	has_path = vdev_value(p->devargs, "path", path, sizeof(path));
	p->kind = port_kind_of(p->driver, has_path ? path : NULL);
	p->counts_missed = find_driver(p->driver)->counts_missed;
	p->makes_syscalls =
		find_driver(p->driver)->makes_syscalls || (p->kind == PORT_KERNEL && has_path);
	p->is_memif = !strcmp(p->driver, "net_memif");
	return 0;
}

static struct rte_mempool *make_pool(const struct port *p, uint32_t cache, char *err, size_t errlen)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t n = p->config.rx_mbufs * p->config.rx_queues;
	uint32_t room = RTE_MBUF_DEFAULT_BUF_SIZE;
	struct rte_mempool *pool;

	if (p->config.max_frame + RTE_PKTMBUF_HEADROOM > room)
		room = p->config.max_frame + RTE_PKTMBUF_HEADROOM;
	if (cache > RTE_MEMPOOL_CACHE_MAX_SIZE)
		cache = RTE_MEMPOOL_CACHE_MAX_SIZE;
	if (cache > n / 2)
		cache = n / 2;
	snprintf(name, sizeof(name), "rx_%u", p->id);
	pool = rte_pktmbuf_pool_create(name, n, cache, 0, (uint16_t)room,
				       rte_eth_dev_socket_id(p->id));
	if (!pool)
		snprintf(err, errlen,
			 "port %u (%s): no memory for %u receive mbufs: %s; give EAL more "
			 "hugepages or -m",
			 p->id, p->name, n, rte_strerror(rte_errno));
	return pool;
}

/* Room for frames larger than 1518 is asked of the port, and a refusal is said; virtual devices
 * know only 1500. */
static int set_mtu(struct port *p, const struct rte_eth_dev_info *info, char *err, size_t errlen)
{
	uint16_t mtu;
	int rc;

	if (p->config.max_frame <= FRAME_MAX)
		return 0;
	mtu = (uint16_t)(p->config.max_frame - FRAME_FCS - RTE_ETHER_HDR_LEN);
	if (info->max_mtu && mtu > info->max_mtu) {
		snprintf(err, errlen,
			 "port %u (%s): frames of %u bytes need an MTU of %u, the port takes at "
			 "most %u",
			 p->id, p->name, p->config.max_frame, mtu, info->max_mtu);
		return -EMSGSIZE;
	}
	rc = rte_eth_dev_set_mtu(p->id, mtu);
	return rc ? fail(p, "setting the MTU for large frames", rc, err, errlen) : 0;
}

/*
 * memif numbers the buffers of all its rings in 16 bits (seen in DPDK 22.11): rings beyond that
 * share their buffers with others and frames overwrite each other, without a word.
 */
static int check_memif_rings(const struct port *p, char *err, size_t errlen)
{
	unsigned int rings = p->config.rx_queues + p->config.tx_queues, log2_size = 10, most;
	char text[8];

	if (!p->is_memif)
		return 0;
	if (vdev_value(p->devargs, "zero-copy", text, sizeof(text)) && !strcmp(text, "yes"))
		return 0;
	if (vdev_value(p->devargs, "rsize", text, sizeof(text)))
		log2_size = (unsigned int)strtoul(text, NULL, 10);
	for (most = MEMIF_BUFFERS_LOG2; most && rings << most > 1u << MEMIF_BUFFERS_LOG2; most--)
		;
	if (log2_size <= most)
		return 0;
	snprintf(err, errlen,
		 "port %u (%s): memif keeps the buffers of %u rings of 2^%u apart in no more than "
		 "2^%u: with that many queues give it rsize=%u on both sides",
		 p->id, p->name, rings, log2_size, MEMIF_BUFFERS_LOG2, most);
	return -EINVAL;
}

/* IPv4 and UDP, all or nothing: a port that checks only one of them leaves damage unseen. */
#define CHECKS (RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM)

/* An embedded link says that checksums are good when it means that nothing could damage them. */
static bool can_check_sums(const struct port *p, const struct rte_eth_dev_info *info)
{
	return p->config.check_sums && p->kind != PORT_EMBEDDED && p->kind != PORT_LOOP &&
	       (info->rx_offload_capa & CHECKS) == CHECKS;
}

static int configure_and_start(struct port *p, char *err, size_t errlen)
{
	struct rte_eth_conf conf = {0};
	struct rte_eth_dev_info info;
	int rc = rte_eth_dev_info_get(p->id, &info);

	if (!rc)
		rc = identify(p, &info, err, errlen);
	if (rc)
		return fail(p, "no such port", rc, err, errlen);
	if (p->config.rx_queues > info.max_rx_queues || p->config.tx_queues > info.max_tx_queues) {
		snprintf(err, errlen,
			 "port %u (%s): %u receive and %u transmit queues asked, it has %u and %u",
			 p->id, p->name, p->config.rx_queues, p->config.tx_queues,
			 info.max_rx_queues, info.max_tx_queues);
		return -EINVAL;
	}
	rc = check_memif_rings(p, err, errlen);
	if (rc)
		return rc;
	if (p->config.fast_free)
		conf.txmode.offloads = info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	p->checks_sums = can_check_sums(p, &info);
	if (p->checks_sums)
		conf.rxmode.offloads = CHECKS;
	rc = rte_eth_dev_configure(p->id, p->config.rx_queues, p->config.tx_queues, &conf);
	if (!rc)
		rc = rte_eth_dev_adjust_nb_rx_tx_desc(p->id, &p->config.rx_desc,
						      &p->config.tx_desc);
	if (rc)
		return fail(p, "configuring", rc, err, errlen);
	rc = set_mtu(p, &info, err, errlen);
	if (rc)
		return rc;
	for (uint16_t q = 0; q < p->config.rx_queues && !rc; q++)
		rc = rte_eth_rx_queue_setup(p->id, q, p->config.rx_desc,
					    rte_eth_dev_socket_id(p->id), NULL, p->rx_pool);
	if (rc)
		return fail(p, "receive queue", rc, err, errlen);
	for (uint16_t q = 0; q < p->config.tx_queues && !rc; q++)
		rc = rte_eth_tx_queue_setup(p->id, q, p->config.tx_desc,
					    rte_eth_dev_socket_id(p->id), NULL);
	if (rc)
		return fail(p, "transmit queue", rc, err, errlen);
	rte_eth_macaddr_get(p->id, &p->mac);
	rc = rte_eth_dev_start(p->id);
	p->started = !rc;
	/* A memif client without its server fails here and starts later. */
	if (rc && !p->is_memif)
		return fail(p, "starting", rc, err, errlen);
	rte_eth_promiscuous_enable(p->id); /* frames may come back to whichever MAC the DUT wrote;
					      not all drivers can */
	return 0;
}

/* What a driver makes, such as the sockets of memif and vhost-user, is for its owner alone. */
int port_setup(struct port *p, char *err, size_t errlen)
{
	mode_t mask = umask(077);
	int rc = configure_and_start(p, err, errlen);

	umask(mask);
	return rc;
}

int port_open(struct port *p, uint16_t id, const struct port_config *config, char *err,
	      size_t errlen)
{
	memset(p, 0, sizeof(*p));
	p->id = id;
	p->config = *config;
	if (!rte_eth_dev_is_valid_port(id)) {
		snprintf(err, errlen, "there is no port %u", id);
		return -ENODEV;
	}
	rte_eth_dev_get_name_by_port(id, p->name);
	p->rx_pool = make_pool(p, config->cache, err, errlen);
	if (!p->rx_pool)
		return -ENOMEM;
	return port_setup(p, err, errlen);
}

bool port_link(struct port *p)
{
	struct rte_eth_link link = {0};

	if (!p->started) {
		p->up = false;
		return false;
	}
	p->up = !rte_eth_link_get_nowait(p->id, &link) && link.link_status == RTE_ETH_LINK_UP &&
		port_interface_runs(p);
	/* A virtual device makes its speed up. */
	p->link_mbps = p->kind == PORT_WIRE && link.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN
			       ? link.link_speed
			       : 0;
	return p->up;
}

uint64_t port_missed(const struct port *p)
{
	struct rte_eth_stats stats = {0};

	if (rte_eth_stats_get(p->id, &stats))
		return 0;
	return stats.imissed + stats.ierrors + stats.rx_nombuf;
}

json_t *port_facts(const struct port *p)
{
	char mac[18];
	uint16_t mtu = 0;

	rte_eth_dev_get_mtu(p->id, &mtu);
	return json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:i, s:i, s:i, s:i, s:b}", "id",
			 p->id, "name", p->name, "driver", p->driver, "kind", kind_names[p->kind],
			 "mac", mac_format(p->mac.addr_bytes, mac, sizeof(mac)), "link_mbps",
			 p->link_mbps ? json_integer(p->link_mbps) : json_null(), "numa_node",
			 rte_eth_dev_socket_id(p->id), "mtu", mtu ? json_integer(mtu) : json_null(),
			 "rx_queues", p->config.rx_queues, "tx_queues", p->config.tx_queues,
			 "rx_desc", p->config.rx_desc, "tx_desc", p->config.tx_desc, "checks_sums",
			 p->checks_sums);
}

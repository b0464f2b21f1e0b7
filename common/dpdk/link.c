/*
 * The life of a link: waiting for a peer, healing after it went, and saying goodbye.
 *
 * What DPDK 22.11's drivers do: a memif client whose server is absent fails to start and must be
 * started again; after its server died it must stop and start. A virtio_user client does not
 * connect again: its device is made anew. A memif driver unmaps the rings when its peer goes, while
 * another thread may be copying: hence the goodbye.
 */
#include "common/clock.h"
#include "common/dpdk/port.h"
#include "common/dpdk/port_internal.h"
#include "common/dpdk/vdev.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_ether.h>

#define POLL_NS 20000000ull
#define RETRY_NS                                                                                  \
	1000000000ull /* between two starts of a memif client: its handshake takes up to a second \
		       */
#define GOODBYE_GRACE_NS 30000000ull
#define GOODBYE_TYPE	 0x88b5 /* IEEE 802 local experimental EtherType 1 */

static const char goodbye_text[] = "tandem goodbye";

static bool socket_path(const struct port *p, char *buf, size_t len)
{
	return vdev_value(p->devargs, "socket", buf, len) ||
	       vdev_value(p->devargs, "path", buf, len) ||
	       vdev_value(p->devargs, "iface", buf, len);
}

bool port_interface_runs(const struct port *p)
{
	struct ifreq request = {0};
	bool runs = true;
	int fd;

	if (strcmp(p->driver, "net_af_packet") && strcmp(p->driver, "net_af_xdp"))
		return true;
	if (!vdev_value(p->devargs, "iface", request.ifr_name, sizeof(request.ifr_name)))
		return true;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* One that is not known here (any more) is left to the driver's word. */
	if (fd >= 0 && !ioctl(fd, SIOCGIFFLAGS, &request))
		runs = request.ifr_flags & IFF_UP && request.ifr_flags & IFF_RUNNING;
	if (fd >= 0)
		close(fd);
	return runs;
}

static bool memif_is_client(const struct port *p)
{
	char role[16];

	return p->is_memif && !(vdev_value(p->devargs, "role", role, sizeof(role)) &&
				(!strcmp(role, "server") || !strcmp(role, "master")));
}

static void restart_memif(struct port *p)
{
	if (p->started)
		rte_eth_dev_stop(p->id);
	p->started = !rte_eth_dev_start(p->id);
}

/* Makes a virtio_user device anew once somebody listens on its socket. */
static int remake_virtio_user(struct port *p, char *err, size_t errlen)
{
	char path[256], name[RTE_ETH_NAME_MAX_LEN], args[sizeof(p->devargs)];
	const char *comma = strchr(p->devargs, ',');
	int rc;

	if (!socket_path(p, path, sizeof(path)) || socket_alive(path, SOCKET_STREAM) != SOCKET_LIVE)
		return 0;
	snprintf(name, sizeof(name), "%s", p->name);
	snprintf(args, sizeof(args), "%s", comma ? comma + 1 : "");
	if (p->started)
		rte_eth_dev_stop(p->id);
	p->started = false;
	rte_eth_dev_close(p->id);
	rte_vdev_uninit(name);
	rc = rte_vdev_init(name, args);
	if (rc || rte_eth_dev_get_port_by_name(name, &p->id)) {
		snprintf(err, errlen, "port %s: the device cannot be made anew: %s", name,
			 strerror(rc < 0 ? -rc : ENODEV));
		return rc < 0 ? rc : -ENODEV;
	}
	return port_setup(p, err, errlen);
}

int port_wait_link(struct port *p, uint64_t wait_ns, const volatile bool *stop, char *err,
		   size_t errlen)
{
	uint64_t begin = clock_ns(), last_try = 0;
	char path[256] = "";

	socket_path(p, path, sizeof(path));
	while (!port_link(p)) {
		uint64_t now = clock_ns();
		int rc = 0;

		if (*stop) {
			snprintf(err, errlen, "stopped while waiting for the link of port %u (%s)",
				 p->id, p->name);
			return -EINTR;
		}
		if (now - begin >= wait_ns) {
			snprintf(err, errlen,
				 "port %u (%s): no link after %.1f s%s%s; start the peer, or wait "
				 "longer with --wait-link",
				 p->id, p->name, (double)wait_ns / 1e9,
				 *path ? ": nobody answers on " : "", path);
			return -ETIMEDOUT;
		}
		if (now - last_try >= RETRY_NS) {
			last_try = now;
			if (memif_is_client(p) && (!p->started || now - begin >= RETRY_NS))
				restart_memif(p);
			else if (!strcmp(p->driver, "net_virtio_user") && p->kind == PORT_EMBEDDED)
				rc = remake_virtio_user(p, err, errlen);
			if (rc)
				return rc;
			continue;
		}
		clock_sleep(POLL_NS);
	}
	return 0;
}

static void say_goodbye(struct port *p)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(p->rx_pool);
	struct rte_ether_hdr *eth;
	uint8_t *frame;

	if (!m)
		return;
	frame = (uint8_t *)rte_pktmbuf_append(m, RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN);
	if (!frame) {
		rte_pktmbuf_free(m);
		return;
	}
	memset(frame, 0, RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN);
	eth = (struct rte_ether_hdr *)frame;
	memset(&eth->dst_addr, 0xff, sizeof(eth->dst_addr));
	eth->src_addr = p->mac;
	eth->ether_type = rte_cpu_to_be_16(GOODBYE_TYPE);
	memcpy(frame + sizeof(*eth), goodbye_text, sizeof(goodbye_text));
	if (!rte_eth_tx_burst(p->id, 0, &m, 1))
		rte_pktmbuf_free(m);
	clock_sleep(GOODBYE_GRACE_NS);
}

bool port_is_goodbye(const struct rte_mbuf *m)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	const struct rte_ether_hdr *eth = (const struct rte_ether_hdr *)frame;

	return m->data_len >= sizeof(*eth) + sizeof(goodbye_text) &&
	       eth->ether_type == rte_cpu_to_be_16(GOODBYE_TYPE) &&
	       !memcmp(frame + sizeof(*eth), goodbye_text, sizeof(goodbye_text));
}

void port_close(struct port *p)
{
	if (p->is_memif && port_link(p))
		say_goodbye(p);
	if (p->started)
		rte_eth_dev_stop(p->id);
	p->started = false;
	rte_eth_dev_close(p->id);
	rte_mempool_free(p->rx_pool);
	p->rx_pool = NULL;
}

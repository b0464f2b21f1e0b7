/*
 * An ethdev port: opened, its link's life, its counters. NICs and virtual devices alike.
 */
#ifndef TANDEM_PORT_H
#define TANDEM_PORT_H

#include <rte_ethdev.h>
#include <rte_mempool.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PORT_MAX_QUEUES 16

enum port_kind {
	PORT_WIRE,     /* a NIC, or anything we do not know better */
	PORT_EMBEDDED, /* memif, vhost, virtio_user on a vhost-user socket: no wire, full means the
			  peer does not take */
	PORT_LOOP,     /* ring, null: a loop back to itself */
	PORT_KERNEL    /* tap, af_packet, af_xdp, kni, virtio_user on vhost-net: a kernel interface
			  behind it */
};

struct port_config {
	uint16_t rx_queues, tx_queues;
	uint16_t rx_desc, tx_desc;
	uint32_t rx_mbufs;  /* mbufs of the receive pool, a queue */
	uint32_t cache;	    /* mempool cache */
	bool check_sums;    /* have received checksums checked where the port can */
	bool fast_free;	    /* each transmit queue sends mbufs of one pool only: the driver may free
			       faster */
	uint32_t max_frame; /* largest frame size (FCS included) it must carry: sets the MTU */
};

struct port {
	uint16_t id;
	char name[RTE_ETH_NAME_MAX_LEN];
	char driver[RTE_ETH_NAME_MAX_LEN]; /* "net_memif" */
	enum port_kind kind;
	bool makes_syscalls; /* its rx/tx calls enter the kernel */
	bool is_memif;
	bool checks_sums;   /* it marks received frames whose IP or UDP checksum is wrong */
	bool counts_missed; /* its driver counts what its receive side dropped */
	struct port_config config;
	struct rte_ether_addr mac;
	struct rte_mempool *rx_pool;
	uint32_t link_mbps; /* 0 where unknown or virtual */
	bool up;	    /* as last seen by port_link */
	bool started;
	char devargs[512]; /* what made the device: "net_virtio_user0,path=..." */
};

/* Marks of a received frame whose checksum its port found wrong. */
#define PORT_BAD_SUMS (RTE_MBUF_F_RX_IP_CKSUM_BAD | RTE_MBUF_F_RX_L4_CKSUM_BAD)

/* Name and kind of a driver: "net_vhost" is PORT_EMBEDDED. path is virtio_user's, may be NULL. */
enum port_kind port_kind_of(const char *driver, const char *path);

/*
 * Configures and starts port id: queues, receive pool, MTU, promiscuous mode. A memif client whose
 * server is not there yet starts later, through port_wait_link. Returns 0 or a negative errno with
 * one line in err.
 */
int port_open(struct port *p, uint16_t id, const struct port_config *config, char *err,
	      size_t errlen);

/*
 * Looks at the link now, without waiting; stores and returns it. The drivers on kernel interfaces
 * always say up, so that the interface itself is asked (in this thread's network namespace).
 */
bool port_link(struct port *p);

/*
 * Waits for the link, starting a memif client again and making a virtio_user device anew whose
 * server has gone and come back. No other thread may use the port meanwhile. 0, -ETIMEDOUT, -EINTR
 * when *stop, or another errno, with a line in err that names the port and its peer's socket.
 */
int port_wait_link(struct port *p, uint64_t wait_ns, const volatile bool *stop, char *err,
		   size_t errlen);

/*
 * Stops and closes the port, without traffic in flight. On memif it says goodbye first and waits a
 * moment, so that the peer stops polling before its driver unmaps the rings.
 */
void port_close(struct port *p);

/*
 * Frames lost on the port's receive side: imissed + ierrors + rx_nombuf. A driver may reset them
 * when its link goes, so who subtracts checks for a smaller number.
 */
uint64_t port_missed(const struct port *p);

/* id, name, driver, kind, mac, link_mbps, numa_node, mtu, queues, descriptors: for run.json. New
 * reference. */
json_t *port_facts(const struct port *p);

/*
 * The goodbye: a control frame (EtherType 0x88b5, local experimental) after which the receiver
 * stops polling that port until its link has gone down and up. Only on memif, and only when no
 * traffic is in flight, so a receiver needs to look only at bursts of one frame.
 */
bool port_is_goodbye(const struct rte_mbuf *m);

#endif

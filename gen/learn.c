/*
 * The learning phase (RFC 2544, section 23): before any traffic, the next hop's MAC is asked for
 * and a few stamped probes must come back on each direction. What does not answer is named now, not
 * after minutes of nothing.
 *
 * Runs on the control thread; no polling thread uses the ports meanwhile.
 */
#include "gen/generator.h"

#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "common/units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>

#define ARP_TRIES   3
#define ARP_WAIT_NS 100000000ull
#define PROBE_TRIES \
	40 /* half a second's worth of patience for a DUT that learns neighbours itself */
#define PROBE_WAIT_NS	50000000ull
#define LOOK_NS		200000 /* between two looks at what came */
#define RX_BURST	32
#define NETWORK_GATEWAY 1u /* the router's address in our own /24 */

static void send_frame(struct generator *g, uint16_t port, const uint8_t *bytes, uint16_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(g->ports[port].rx_pool);

	if (!m)
		return;
	memcpy(rte_pktmbuf_mtod(m, uint8_t *), bytes, len);
	m->data_len = len;
	m->pkt_len = len;
	if (!rte_eth_tx_burst(g->ports[port].id, 0, &m, 1))
		rte_pktmbuf_free(m);
}

/* What a look at the received frames may find. */
struct sought {
	uint16_t arp_port;
	uint32_t arp_ip;
	uint8_t arp_mac[6];
	bool arp_found, arp_came_back;
	uint8_t probe_trial;
	bool probe_found[MAX_PORTS];
};

static void look_at(struct generator *g, uint16_t port, const uint8_t *frame, uint16_t len,
		    struct sought *sought)
{
	const struct neighbour_self *self = &g->workers[0].receivers[port].self;
	uint8_t reply[ARP_FRAME_LEN];
	struct stamp stamp;

	if (arp_answer(self, frame, len, reply)) {
		send_frame(g, port, reply, sizeof(reply));
		return;
	}
	if (port == sought->arp_port && arp_reply_from(frame, len, sought->arp_ip, sought->arp_mac))
		sought->arp_found = true;
	if (arp_is_own_request(&g->workers[0].receivers[sought->arp_port].self, frame, len))
		sought->arp_came_back = true;
	if (stamp_take(frame, len, &stamp) >= 0 && stamp.trial == sought->probe_trial &&
	    stamp.space < g->n_directions && g->directions[stamp.space].rx_port == port)
		sought->probe_found[stamp.space] = true;
}

static void look(struct generator *g, struct sought *sought)
{
	struct rte_mbuf *burst[RX_BURST];

	for (uint16_t port = 0; port < g->n_ports; port++) {
		for (unsigned int q = 0; q < g->crew.n; q++) {
			uint16_t n =
				rte_eth_rx_burst(g->ports[port].id, (uint16_t)q, burst, RX_BURST);

			for (uint16_t i = 0; i < n; i++)
				look_at(g, port, rte_pktmbuf_mtod(burst[i], const uint8_t *),
					burst[i]->data_len, sought);
			rte_pktmbuf_free_bulk(burst, n);
		}
		/* A driver that collects sent mbufs only when called. */
		rte_eth_tx_burst(g->ports[port].id, 0, burst, 0);
	}
}

static bool look_until(struct generator *g, struct sought *sought, const bool *found,
		       uint64_t wait_ns)
{
	uint64_t begin = clock_ns();

	do {
		look(g, sought);
		clock_sleep(LOOK_NS);
	} while (!*found && !*g->stop && clock_ns() - begin < wait_ns);
	return *found;
}

static int learn_gateway(struct generator *g, struct direction *d, char *err, size_t errlen)
{
	const struct gateway *gateway = &g->config->gateway;
	struct sought sought = {.arp_port = d->tx_port};
	uint8_t request[ARP_FRAME_LEN];
	char ip[16];

	if (gateway->mode == GATEWAY_NONE)
		return 0;
	sought.arp_ip = gateway->mode == GATEWAY_GIVEN
				? gateway->ip + ((uint32_t)d->tx_port << 8)
				: (d->spec.src_ip & ~0xffu) + NETWORK_GATEWAY;
	arp_request(&g->workers[0].receivers[d->tx_port].self, sought.arp_ip, request);
	for (int i = 0; i < ARP_TRIES && !sought.arp_found && !*g->stop; i++) {
		send_frame(g, d->tx_port, request, sizeof(request));
		look_until(g, &sought, &sought.arp_found, ARP_WAIT_NS);
		/* A DUT that forwards without looking sends our own question back: there is no
		 * router to wait for. */
		if (gateway->mode == GATEWAY_AUTO && sought.arp_came_back && !sought.arp_found)
			break;
	}
	if (sought.arp_found) {
		memcpy(d->spec.dst_mac, sought.arp_mac, 6);
		return 0;
	}
	if (gateway->mode == GATEWAY_AUTO)
		return 0;
	snprintf(err, errlen,
		 "gateway %s does not answer ARP on port %u (%s): check its address and that the "
		 "DUT runs",
		 ipv4_format(sought.arp_ip, ip, sizeof(ip)), g->ports[d->tx_port].id,
		 g->ports[d->tx_port].name);
	return -EHOSTUNREACH;
}

static int probe(struct generator *g, uint16_t space, char *err, size_t errlen)
{
	struct direction *d = &g->directions[space];
	struct sought sought = {.arp_port = d->tx_port, .probe_trial = ++g->trial_id};
	struct frame frame;
	int rc;

	d->spec.size = FRAME_MIN;
	rc = frame_build(&d->spec, &frame, err, errlen);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < PROBE_TRIES && !*g->stop; i++) {
		stamp_write(frame.bytes + frame.stamp_at, stamp_base(sought.probe_trial, space), i,
			    tsc_now());
		send_frame(g, d->tx_port, frame.bytes, (uint16_t)frame.len);
		if (look_until(g, &sought, &sought.probe_found[space], PROBE_WAIT_NS))
			return 0;
	}
	if (*g->stop) {
		snprintf(err, errlen, "stopped while probing");
		return -EINTR;
	}
	snprintf(err, errlen,
		 "no frame came back: sent on port %u (%s), awaited on port %u (%s) for %.0f s; is "
		 "the DUT forwarding, and to "
		 "that port?",
		 g->ports[d->tx_port].id, g->ports[d->tx_port].name, g->ports[d->rx_port].id,
		 g->ports[d->rx_port].name, PROBE_TRIES * (double)PROBE_WAIT_NS / 1e9);
	return -EHOSTUNREACH;
}

static int learn_directions(struct generator *g, char *err, size_t errlen)
{
	for (uint16_t i = 0; i < g->n_directions; i++) {
		struct direction *d = &g->directions[i];
		int rc;

		memcpy(d->spec.dst_mac, g->config->dst_mac.mac, 6);
		if (g->config->tx_only)
			continue;
		rc = learn_gateway(g, d, err, errlen);
		if (!rc)
			rc = probe(g, i, err, errlen);
		if (rc)
			return rc;
	}
	g->learned = true;
	return 0;
}

int generator_learn(struct generator *g, char *err, size_t errlen)
{
	int rc;

	driver_signals_take(true);
	rc = learn_directions(g, err, errlen);
	driver_signals_take(false);
	return rc;
}

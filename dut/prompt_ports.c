/*
 * What the drivers count and tell of ports, in testpmd's layout.
 *
 * "Clear" is a subtraction: the drivers' counters are also read by the record and by telemetry, and
 * are never reset.
 */
#include "dut/prompt_internal.h"
#include "common/clock.h"
#include "common/units.h"

#include <rte_ethdev.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tally_look(struct prompt *p, unsigned int i)
{
	struct port_tally *t = &p->tally[i];
	struct rte_eth_stats s;
	uint64_t now[TALLY_FIELDS];

	if (rte_eth_stats_get(p->dut->ports[i].port.id, &s))
		return;
	now[TALLY_RX_PACKETS] = s.ipackets;
	now[TALLY_RX_BYTES] = s.ibytes;
	now[TALLY_RX_MISSED] = s.imissed;
	now[TALLY_RX_ERRORS] = s.ierrors;
	now[TALLY_RX_NOMBUF] = s.rx_nombuf;
	now[TALLY_TX_PACKETS] = s.opackets;
	now[TALLY_TX_BYTES] = s.obytes;
	now[TALLY_TX_ERRORS] = s.oerrors;
	for (unsigned int f = 0; f < TALLY_FIELDS; f++) {
		t->total[f] += now[f] >= t->driver[f] ? now[f] - t->driver[f] : now[f];
		t->driver[f] = now[f];
	}
}

void tally_mark(struct prompt *p, unsigned int i)
{
	struct port_tally *t = &p->tally[i];

	tally_look(p, i);
	memcpy(t->shown, t->total, sizeof(t->shown));
	t->shown_ns = clock_ns();
}

void tally_clear(struct prompt *p, unsigned int i)
{
	tally_mark(p, i);
	memcpy(p->tally[i].cleared, p->tally[i].total, sizeof(p->tally[i].cleared));
	fprintf(p->out, "\n  NIC statistics for port %u cleared\n", p->dut->ports[i].port.id);
}

/* What was counted a second since it was last shown, times factor. */
static uint64_t rate(const struct port_tally *t, enum tally_field f, unsigned int factor,
		     uint64_t now)
{
	double seconds = (double)(now - t->shown_ns) / 1e9;

	return seconds > 0 ? (uint64_t)((double)(t->total[f] - t->shown[f]) * factor / seconds) : 0;
}

void tally_show(struct prompt *p, unsigned int i)
{
	const struct port_tally *t = &p->tally[i];
	uint64_t count[TALLY_FIELDS], now;

	tally_look(p, i);
	now = clock_ns();
	for (unsigned int f = 0; f < TALLY_FIELDS; f++)
		count[f] = t->total[f] - t->cleared[f];
	fprintf(p->out,
		"\n  ######################## NIC statistics for port %-2u "
		"########################\n"
		"  RX-packets: %-10" PRIu64 " RX-missed: %-10" PRIu64 " RX-bytes:  %" PRIu64 "\n"
		"  RX-errors: %" PRIu64 "\n"
		"  RX-nombuf:  %-10" PRIu64 "\n"
		"  TX-packets: %-10" PRIu64 " TX-errors: %-10" PRIu64 " TX-bytes:  %" PRIu64 "\n",
		p->dut->ports[i].port.id, count[TALLY_RX_PACKETS], count[TALLY_RX_MISSED],
		count[TALLY_RX_BYTES], count[TALLY_RX_ERRORS], count[TALLY_RX_NOMBUF],
		count[TALLY_TX_PACKETS], count[TALLY_TX_ERRORS], count[TALLY_TX_BYTES]);
	fprintf(p->out,
		"\n  Throughput (since last show)\n"
		"  Rx-pps: %12" PRIu64 "          Rx-bps: %12" PRIu64 "\n"
		"  Tx-pps: %12" PRIu64 "          Tx-bps: %12" PRIu64 "\n"
		"  ############################################################################\n",
		rate(t, TALLY_RX_PACKETS, 1, now), rate(t, TALLY_RX_BYTES, 8, now),
		rate(t, TALLY_TX_PACKETS, 1, now), rate(t, TALLY_TX_BYTES, 8, now));
	memcpy(p->tally[i].shown, t->total, sizeof(t->shown));
	p->tally[i].shown_ns = now;
}

/* All of a port's extended statistics, names and values; the caller frees both. Their number, or a
 * negative errno. */
static int read_xstats(uint16_t id, struct rte_eth_xstat_name **names, struct rte_eth_xstat **stats)
{
	int n = rte_eth_xstats_get_names(id, NULL, 0), got;

	*names = NULL;
	*stats = NULL;
	if (n <= 0)
		return n;
	*names = calloc((size_t)n, sizeof(**names));
	*stats = calloc((size_t)n, sizeof(**stats));
	if (!*names || !*stats || rte_eth_xstats_get_names(id, *names, (unsigned int)n) != n)
		return -ENOMEM;
	got = rte_eth_xstats_get(id, *stats, (unsigned int)n);
	return got == n ? n : -EIO;
}

void xstats_show(struct prompt *p, unsigned int i)
{
	const struct port_tally *t = &p->tally[i];
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *stats;
	uint16_t id = p->dut->ports[i].port.id;
	int n = read_xstats(id, &names, &stats);

	if (n < 0)
		prompt_fail(p, "port %u: its driver gives no extended statistics now", id);
	else
		fprintf(p->out, "###### NIC extended statistics for port %-2u\n", id);
	for (int k = 0; k < n; k++) {
		uint64_t base = (unsigned int)k < t->n_xstats ? t->xstats[k] : 0;
		uint64_t value = stats[k].value;

		fprintf(p->out, "%s: %" PRIu64 "\n", names[k].name,
			value >= base ? value - base : value);
	}
	free(names);
	free(stats);
}

void xstats_clear(struct prompt *p, unsigned int i)
{
	struct port_tally *t = &p->tally[i];
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *stats;
	uint16_t id = p->dut->ports[i].port.id;
	int n = read_xstats(id, &names, &stats);

	free(t->xstats);
	t->xstats = n > 0 ? calloc((size_t)n, sizeof(*t->xstats)) : NULL;
	t->n_xstats = t->xstats ? (unsigned int)n : 0;
	for (unsigned int k = 0; k < t->n_xstats; k++)
		t->xstats[k] = stats[k].value;
	free(names);
	free(stats);
	fprintf(p->out, "\n  NIC extended statistics for port %u cleared\n", id);
}

static void link_show(const struct prompt *p, const struct dut_port *port)
{
	struct rte_eth_link link = {0};

	rte_eth_link_get_nowait(port->port.id, &link);
	/* The DUT's own word: it also asks the interface behind the driver. */
	fprintf(p->out, "Link status: %s\n", port->link_up ? "up" : "down");
	/* A virtual device makes its speed up. */
	if (port->port.link_mbps)
		fprintf(p->out, "Link speed: %u Mbps\n", port->port.link_mbps);
	else
		fprintf(p->out, "Link speed: Unknown\n");
	fprintf(p->out, "Link duplex: %s\n",
		link.link_duplex == RTE_ETH_LINK_FULL_DUPLEX ? "full-duplex" : "half-duplex");
	fprintf(p->out, "Autoneg status: %s\n",
		link.link_autoneg == RTE_ETH_LINK_AUTONEG ? "On" : "Off");
}

static void queues_show(const struct prompt *p, const struct port *port,
			const struct rte_eth_dev_info *info)
{
	const struct port_config *c = &port->config;

	fprintf(p->out, "Minimum size of RX buffer: %u\n", info->min_rx_bufsize);
	fprintf(p->out, "Maximum configurable length of RX packet: %u\n", info->max_rx_pktlen);
	fprintf(p->out, "Current number of RX queues: %u\n", c->rx_queues);
	fprintf(p->out, "Max possible RX queues: %u\n", info->max_rx_queues);
	fprintf(p->out, "Current number of RXDs per queue: %u\n", c->rx_desc);
	fprintf(p->out, "Max possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_max);
	fprintf(p->out, "Min possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_min);
	fprintf(p->out, "Current number of TX queues: %u\n", c->tx_queues);
	fprintf(p->out, "Max possible TX queues: %u\n", info->max_tx_queues);
	fprintf(p->out, "Current number of TXDs per queue: %u\n", c->tx_desc);
	fprintf(p->out, "Max possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_max);
	fprintf(p->out, "Min possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_min);
}

void port_info_show(const struct prompt *p, unsigned int i)
{
	const struct dut_port *port = &p->dut->ports[i];
	uint16_t id = port->port.id, mtu = 0;
	struct rte_eth_dev_info info = {0};
	char mac[18];

	rte_eth_dev_info_get(id, &info);
	rte_eth_dev_get_mtu(id, &mtu);
	fprintf(p->out, "\n********************* Infos for port %-2u *********************\n", id);
	fprintf(p->out, "MAC address: %s\n",
		mac_format(port->port.mac.addr_bytes, mac, sizeof(mac)));
	fprintf(p->out, "Device name: %s\n", port->port.name);
	fprintf(p->out, "Driver name: %s\n", port->port.driver);
	fprintf(p->out, "Devargs: %s\n", port->port.devargs);
	fprintf(p->out, "Role: %s\n", port_role_name(port->role));
	fprintf(p->out, "Connect to socket: %d\n", rte_eth_dev_socket_id(id));
	link_show(p, port);
	fprintf(p->out, "MTU: %u\n", mtu);
	fprintf(p->out, "Promiscuous mode: %s\n",
		rte_eth_promiscuous_get(id) == 1 ? "enabled" : "disabled");
	fprintf(p->out, "Allmulticast mode: %s\n",
		rte_eth_allmulticast_get(id) == 1 ? "enabled" : "disabled");
	fprintf(p->out, "Maximum number of MAC addresses: %u\n", info.max_mac_addrs);
	queues_show(p, &port->port, &info);
}

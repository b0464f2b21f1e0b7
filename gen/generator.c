/*
 * Opening and closing the generator.
 */
#include "gen/generator.h"

#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "common/dpdk/telemetry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_lcore.h>

#define POOL_CACHE 256u

static uint32_t largest_size(const struct gen_config *config)
{
	uint32_t largest = FRAME_MAX;

	for (size_t i = 0; i < config->sizes.n; i++)
		if (config->sizes.size[i] > largest)
			largest = config->sizes.size[i];
	return largest;
}

static int open_ports(struct generator *g, char *err, size_t errlen)
{
	const struct gen_config *c = g->config;
	uint16_t available = rte_eth_dev_count_avail(), id;
	struct port_config port_config = {
		.rx_queues = 1,
		.tx_queues = 1,
		.rx_desc = (uint16_t)c->rxd,
		.tx_desc = (uint16_t)c->txd,
		/* Room for the ring, bursts in hand and caches. */
		.rx_mbufs = (uint32_t)c->rxd * 2 + 4096,
		.cache = POOL_CACHE,
		.max_frame = largest_size(c),
	};

	if (!available) {
		snprintf(err, errlen,
			 "no port: give EAL a --vdev, or bind a NIC to vfio-pci and allow it with "
			 "-a");
		return -ENODEV;
	}
	if (c->bidirectional && available < 2) {
		snprintf(err, errlen, "--bidirectional needs two ports, there is one");
		return -EINVAL;
	}
	RTE_ETH_FOREACH_DEV (id) {
		int rc;

		if (g->n_ports == MAX_PORTS)
			break;
		rc = port_open(&g->ports[g->n_ports], id, &port_config, err, errlen);
		if (rc)
			return rc;
		g->n_ports++;
	}
	return 0;
}

static void set_up_direction(struct generator *g, struct direction *d, uint16_t tx, uint16_t rx)
{
	const struct gen_config *c = g->config;
	struct frame_spec *spec = &d->spec;

	d->tx_port = tx;
	d->rx_port = rx;
	d->rx.rx_port = g->ports[rx].id;
	d->rx.sent = &d->tx.sent;
	d->rx.frame = &d->frame;
	d->tx.wait_on_full = g->wait_on_full;
	memcpy(spec->src_mac, c->src_mac.given ? c->src_mac.mac : g->ports[tx].mac.addr_bytes, 6);
	memcpy(spec->dst_mac, c->dst_mac.mac, 6);
	spec->src_ip = c->src_ip + ((uint32_t)tx << 8);
	spec->dst_ip = c->dst_ip + ((uint32_t)rx << 8);
	spec->src_port = (uint16_t)c->src_port;
	spec->dst_port = (uint16_t)c->dst_port;
	spec->ttl = (uint8_t)c->ttl;
	spec->tos = (uint8_t)c->tos;
}

static int open_direction(struct generator *g, uint16_t tx, uint16_t rx, char *err, size_t errlen)
{
	const struct gen_config *c = g->config;
	struct direction *d = &g->directions[g->n_directions];
	int rc =
		sender_open(&d->tx, g->ports[tx].id, 0, (uint16_t)c->burst, (uint32_t)c->flows,
			    g->ports[tx].config.tx_desc * 2u + 2048u, largest_size(c), err, errlen);

	if (rc)
		return rc;
	g->inbound[g->n_directions++] = &d->rx;
	set_up_direction(g, d, tx, rx);
	rc = account_open(&d->rx.account, c->samples ? c->samples_limit : 0);
	if (rc)
		snprintf(err, errlen, "no memory for the accounts of a direction");
	return rc;
}

static void set_up_receiver(struct generator *g, uint16_t port)
{
	struct receiver *r = &g->receivers[port];

	r->port = g->ports[port].id;
	r->verify = g->config->verify;
	r->goodbye = false;
	r->pool = g->ports[port].rx_pool;
	r->inbound = g->inbound;
	r->n_inbound = g->n_directions;
	memcpy(r->self.mac,
	       g->config->src_mac.given ? g->config->src_mac.mac : g->ports[port].mac.addr_bytes,
	       6);
	r->self.ip = g->config->src_ip + ((uint32_t)port << 8);
}

static int open_worker(struct generator *g, char *err, size_t errlen)
{
	struct worker *w = &g->worker;
	bool syscalls = false;

	for (uint16_t i = 0; i < g->n_ports; i++)
		syscalls |= g->ports[i].makes_syscalls;
	w->watch = loop_watch_new(g->config->stall_threshold_ns, syscalls);
	if (!w->watch) {
		snprintf(err, errlen, "no memory for the loop's histograms");
		return -ENOMEM;
	}
	w->directions = g->directions;
	w->n_directions = g->n_directions;
	w->receivers = g->receivers;
	w->n_receivers = g->config->tx_only ? 0 : g->n_ports;
	w->stop = g->stop;
	g->lcore = rte_get_main_lcore();
	return 0;
}

/* Asks the DUT what it is. A DUT that does not answer is an error: the user named its socket. */
static int meet_dut(struct generator *g, char *err, size_t errlen)
{
	const char *path;

	if (g->config->dut_telemetry) {
		int rc = telemetry_request(g->config->dut_telemetry, "/tandem/dut/info",
					   &g->dut_info, err, errlen);

		if (rc)
			return rc;
	}
	path = g->config->path;
	if (!path)
		path = json_string_value(json_object_get(g->dut_info, "path"));
	snprintf(g->path, sizeof(g->path), "%s", path ? path : "");
	return 0;
}

int generator_open(struct generator *g, const struct gen_config *config, const volatile bool *stop,
		   char *err, size_t errlen)
{
	int rc;

	*g = (struct generator){.config = config, .stop = stop, .ports_need_priming = true};
	g->hz = clock_hz_estimate();
	g->trial_id = (uint8_t)(config->seed ? config->seed : clock_ns() >> 10);
	rc = open_ports(g, err, errlen);
	if (rc)
		return rc;
	/* auto: a full ring refuses at once, whatever the link; what that means differs by link
	 * (the verdict's matter). */
	g->wait_on_full = config->on_full == ON_FULL_WAIT;
	rc = open_direction(g, 0, g->n_ports - 1, err, errlen);
	if (!rc && config->bidirectional)
		rc = open_direction(g, 1, 0, err, errlen);
	if (rc)
		return rc;
	for (uint16_t i = 0; i < g->n_ports; i++)
		set_up_receiver(g, i);
	rc = open_worker(g, err, errlen);
	if (!rc)
		rc = generator_wait_links(g, err, errlen);
	if (!rc)
		rc = meet_dut(g, err, errlen);
	return rc;
}

void generator_close(struct generator *g)
{
	/* Ports first: a driver may hold mbufs of the senders' pools until it is closed. */
	for (uint16_t i = 0; i < g->n_ports; i++)
		port_close(&g->ports[i]);
	for (uint16_t i = 0; i < g->n_directions; i++) {
		sender_close(&g->directions[i].tx);
		account_close(&g->directions[i].rx.account);
	}
	loop_watch_free(g->worker.watch);
	json_decref(g->dut_info);
	g->n_ports = 0;
	g->n_directions = 0;
}

bool generator_counts_refused_as_lost(const struct generator *g, const struct direction *d)
{
	return !g->wait_on_full && g->ports[d->tx_port].kind == PORT_EMBEDDED;
}

double generator_line_rate(const struct generator *g, const struct direction *d)
{
	if (g->config->line_rate_bps > 0)
		return g->config->line_rate_bps;
	return (double)g->ports[d->tx_port].link_mbps * 1e6;
}

/* A peer that said goodbye takes its link down in a moment: until then it must not be polled. */
static void wait_for_leave(struct port *p, const volatile bool *stop)
{
	struct timespec nap = {.tv_nsec = 10000000};

	for (int i = 0; i < 100 && !*stop && port_link(p); i++)
		nanosleep(&nap, NULL);
}

int generator_wait_links(struct generator *g, char *err, size_t errlen)
{
	for (uint16_t i = 0; i < g->n_ports; i++) {
		int rc;

		if (port_link(&g->ports[i]) && !g->receivers[i].goodbye)
			continue;
		g->learned = false;
		g->ports_need_priming = true;
		if (g->receivers[i].goodbye)
			wait_for_leave(&g->ports[i], g->stop);
		rc = port_wait_link(&g->ports[i], g->config->wait_link_ns, g->stop, err, errlen);
		if (rc)
			return rc;
		set_up_receiver(g, i); /* the device may be another one now */
	}
	for (uint16_t i = 0; i < g->n_directions; i++) {
		g->directions[i].tx.port = g->ports[g->directions[i].tx_port].id;
		g->directions[i].tx.link_down = false;
		g->directions[i].rx.rx_port = g->ports[g->directions[i].rx_port].id;
	}
	return 0;
}

/*
 * Opening and closing the generator.
 */
#include "gen/generator.h"

#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "common/share.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_lcore.h>

#define POOL_CACHE    256u
#define CLOSE_SECONDS 2

static uint32_t largest_size(const struct gen_config *config)
{
	uint32_t largest = FRAME_MAX;

	for (size_t i = 0; i < config->sizes.n; i++)
		if (config->sizes.size[i] > largest)
			largest = config->sizes.size[i];
	return largest;
}

/* A worker an lcore, but no more than every port has queues for. */
static void count_workers(struct generator *g)
{
	unsigned int lcores = rte_lcore_count(), n = lcores < MAX_WORKERS ? lcores : MAX_WORKERS;
	uint16_t id;

	RTE_ETH_FOREACH_DEV (id) {
		struct rte_eth_dev_info info;

		if (rte_eth_dev_info_get(id, &info))
			continue;
		if (info.max_rx_queues && info.max_rx_queues < n)
			n = info.max_rx_queues;
		if (info.max_tx_queues && info.max_tx_queues < n)
			n = info.max_tx_queues;
	}
	if (n < lcores && !g->config->one_lane)
		fprintf(stderr, "tandem-gen: %u lcores given, %u used: a port has no more queues\n",
			lcores, n);
	/* The frames of a capture have one order. */
	if (g->config->one_lane)
		n = 1;
	g->crew.n = n;
}

static int open_ports(struct generator *g, char *err, size_t errlen)
{
	const struct gen_config *c = g->config;
	uint16_t available = rte_eth_dev_count_avail(), id;
	struct port_config port_config = {
		.rx_desc = (uint16_t)c->rxd,
		.tx_desc = (uint16_t)c->txd,
		/* Room for the ring, bursts in hand and caches. */
		.rx_mbufs = (uint32_t)c->rxd * 2 + 4096,
		.cache = POOL_CACHE,
		.check_sums = true,
		.max_frame = largest_size(c),
	};

	if (!available) {
		snprintf(err, errlen,
			 "no port: give EAL a --vdev, or bind a NIC to vfio-pci and allow it with "
			 "-a");
		return -ENODEV;
	}
	count_workers(g);
	port_config.rx_queues = (uint16_t)g->crew.n;
	port_config.tx_queues = (uint16_t)g->crew.n;
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

static int no_memory(const char *what, char *err, size_t errlen)
{
	snprintf(err, errlen, "no memory for %s", what);
	return -ENOMEM;
}

/* Where another core sends, its counter is not looked at: the line would go back and forth between
 * the cores. */
static const uint64_t no_limit = UINT64_MAX;

/* A lane of a direction as a worker receives it. */
static void set_up_lane(struct generator *g, struct worker *w, uint16_t d, unsigned int lane)
{
	const struct direction *direction = &g->directions[d];
	const struct sender *s = &direction->lanes[lane];
	uint16_t first = lane_space(g->crew.n, d, lane, direction->streams);

	for (uint32_t i = 0; i < direction->streams; i++)
		w->inbound[first + i] = (struct inbound){
			.account = &direction->accounts[w->index][i],
			.window = direction_merge(direction, lane, i)->window[w->index],
			.sent = lane == w->index ? &s->streams[i].sent : &no_limit,
			.frame = &direction->frame,
			.rx_port = g->ports[direction->rx_port].id,
			.space = (uint16_t)(first + i),
		};
}

static uint32_t count_spaces(const struct generator *g)
{
	return g->n_directions * g->crew.n * (uint32_t)g->config->streams;
}

static void set_up_inbound(struct generator *g, struct worker *w)
{
	w->inbound = &g->inbound[w->index * count_spaces(g)];
	for (uint16_t d = 0; d < g->n_directions; d++)
		for (unsigned int l = 0; l < g->crew.n; l++)
			set_up_lane(g, w, d, l);
}

static void set_up_receiver(struct generator *g, struct worker *w, uint16_t port)
{
	struct receiver *r = &w->receivers[port];

	r->port = g->ports[port].id;
	r->queue = (uint16_t)w->index;
	r->tx_queue = (uint16_t)w->index;
	r->verify = g->config->verify;
	r->goodbye = false;
	r->pool = g->ports[port].rx_pool;
	r->inbound = w->inbound;
	r->n_inbound = count_spaces(g);
	memcpy(r->self.mac,
	       g->config->src_mac.given ? g->config->src_mac.mac : g->ports[port].mac.addr_bytes,
	       6);
	r->self.ip = g->config->src_ip + ((uint32_t)port << 8);
}

/* More workers than cores to run on take turns. */
static bool cores_are_shared(const struct generator *g)
{
	cpu_set_t cpus[MAX_WORKERS];
	bool shared = false;

	for (unsigned int i = 0; i < g->crew.n; i++)
		cpus[i] = rte_lcore_cpuset(g->workers[i].lcore);
	for (unsigned int i = 0; i < g->crew.n; i++)
		shared |= share_is_shared(cpus, g->crew.n, i);
	return shared;
}

static int open_workers(struct generator *g, char *err, size_t errlen)
{
	unsigned int n = g->crew.n, lcore, i = 0;
	bool syscalls = false, shared;

	for (uint16_t p = 0; p < g->n_ports; p++)
		syscalls |= g->ports[p].makes_syscalls;
	g->workers = calloc_lines(n, sizeof(*g->workers));
	g->inbound = calloc_lines((size_t)n * count_spaces(g), sizeof(*g->inbound));
	if (!g->workers || !g->inbound)
		return no_memory("the workers", err, errlen);
	RTE_LCORE_FOREACH (lcore) {
		if (i < n)
			g->workers[i++].lcore = lcore;
	}
	shared = cores_are_shared(g);
	for (i = 0; i < n; i++) {
		struct worker *w = &g->workers[i];

		w->index = i;
		w->crew = &g->crew;
		w->directions = g->directions;
		w->n_directions = g->n_directions;
		w->n_receivers = g->config->tx_only ? 0 : g->n_ports;
		w->shares_core = shared;
		w->watch = loop_watch_new(g->config->stall_threshold_ns, syscalls);
		if (!w->watch)
			return no_memory("a loop's histograms", err, errlen);
		set_up_inbound(g, w);
		for (uint16_t p = 0; p < g->n_ports; p++)
			set_up_receiver(g, w, p);
	}
	g->crew.stop = g->stop;
	return 0;
}

/* Asks the DUT what it is. A DUT that does not answer is an error: the user named its socket. */
static int meet_dut(struct generator *g, char *err, size_t errlen)
{
	const char *path;

	if (g->config->dut.way != DUT_NOWHERE) {
		int rc = dut_link_request(&g->dut, "/tandem/dut/info", &g->dut_info, err, errlen);

		if (!rc && g->config->dut.way == DUT_SSH)
			rc = dut_link_request(&g->dut, "host", &g->dut_host, err, errlen);
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
	dut_link_init(&g->dut, &config->dut, config->ssh, config->dut_program);
	g->hz = clock_hz_estimate();
	/* 53 bits: a number that JSON readers keep whole. */
	g->seed = config->seed ? config->seed : clock_ns() & ((1ull << 53) - 1);
	g->trial_id = (uint8_t)g->seed;
	rc = open_ports(g, err, errlen);
	if (rc)
		return rc;
	/* auto: a full ring refuses at once, whatever the link; what that means differs by link
	 * (the verdict's matter). */
	g->wait_on_full = config->on_full == ON_FULL_WAIT;
	rc = direction_open(g, 0, g->n_ports - 1, largest_size(config), err, errlen);
	if (!rc && config->bidirectional)
		rc = direction_open(g, 1, 0, largest_size(config), err, errlen);
	if (rc)
		return rc;
	rc = open_workers(g, err, errlen);
	if (!rc)
		rc = generator_wait_links(g, err, errlen);
	if (!rc)
		rc = meet_dut(g, err, errlen);
	return rc;
}

/* A peer that stands still would hold up the closing of its link for ever; everything is written by
 * now. */
static void on_stuck(int signal_number)
{
	static const char text[] =
		"tandem-gen: the peer does not answer while its link is closed: ended without it\n";

	(void)signal_number;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
	eal_forget(); /* unlink and rmdir: NOLINT(bugprone-signal-handler) */
	_exit(1);
}

static void close_ports(struct generator *g)
{
	signal(SIGALRM, on_stuck);
	alarm(CLOSE_SECONDS);
	for (uint16_t i = 0; i < g->n_ports; i++)
		port_close(&g->ports[i]);
	alarm(0);
}

void generator_close(struct generator *g)
{
	/* Ports first: a driver may hold mbufs of the senders' pools until it is closed. */
	close_ports(g);
	for (uint16_t i = 0; i < g->n_directions; i++)
		direction_close(&g->directions[i], g->crew.n);
	for (unsigned int w = 0; g->workers && w < g->crew.n; w++)
		loop_watch_free(g->workers[w].watch);
	free(g->workers);
	free(g->inbound);
	g->workers = NULL;
	g->inbound = NULL;
	dut_link_close(&g->dut);
	json_decref(g->dut_info);
	json_decref(g->dut_host);
	json_decref(g->warnings);
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
	for (int i = 0; i < 100 && !*stop && port_link(p); i++)
		clock_sleep(10000000);
}

static bool said_goodbye(const struct generator *g, uint16_t port)
{
	for (unsigned int w = 0; w < g->crew.n; w++)
		if (g->workers[w].receivers[port].goodbye)
			return true;
	return false;
}

int generator_wait_links(struct generator *g, char *err, size_t errlen)
{
	for (uint16_t i = 0; i < g->n_ports; i++) {
		int rc;

		if (port_link(&g->ports[i]) && !said_goodbye(g, i))
			continue;
		g->learned = false;
		g->ports_need_priming = true;
		if (said_goodbye(g, i))
			wait_for_leave(&g->ports[i], g->stop);
		rc = port_wait_link(&g->ports[i], g->config->wait_link_ns, g->stop, err, errlen);
		if (rc)
			return rc;
	}
	/* A device that was made anew may have another number. */
	for (unsigned int w = 0; w < g->crew.n; w++) {
		set_up_inbound(g, &g->workers[w]);
		for (uint16_t i = 0; i < g->n_ports; i++)
			set_up_receiver(g, &g->workers[w], i);
		for (uint16_t d = 0; d < g->n_directions; d++) {
			struct sender *s = &g->directions[d].lanes[w];

			s->port = g->ports[g->directions[d].tx_port].id;
			s->link_down = false;
		}
	}
	return 0;
}

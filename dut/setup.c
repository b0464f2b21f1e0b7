/*
 * Bringing the DUT up and down: ports, kernel side and streams.
 */
#include "dut/dut.h"
#include "dut/impair.h"
#include "dut/kernel_follow.h"
#include "dut/kernel_kni.h"
#include "dut/kni.h"
#include "common/dpdk/eal.h"

#include <rte_lcore.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Mbufs of a receive pool beyond what rings, caches and bursts hold: af_xdp's fill ring takes 2,048
 * at start. */
#define SPARE_MBUFS 4096u

static struct port_config port_config_of(const struct dut_options *o)
{
	uint32_t held = o->forward_mode == FORWARD_IMPAIR ? impair_mbufs(&o->impair) : 0;

	return (struct port_config){
		.rx_queues = (uint16_t)o->rxq,
		.tx_queues = (uint16_t)o->txq,
		.rx_desc = (uint16_t)o->rxd,
		.tx_desc = (uint16_t)o->txd,
		.rx_mbufs = (uint32_t)(o->rxd + o->txd + 2 * o->mbcache + 4 * o->burst) +
			    SPARE_MBUFS + held,
		.cache = (uint32_t)o->mbcache,
		.max_frame = (uint32_t)o->max_frame,
		/* A transmit queue sends one port's frames, all of one pool; but in split mode both
		   the wire's and the kernel's. */
		.fast_free = o->forward_mode != FORWARD_SPLIT,
	};
}

/* What a port that EAL made needs before it may be opened. */
static int check_given_port(uint16_t id, char *err, size_t errlen)
{
	char name[RTE_ETH_NAME_MAX_LEN] = "";

	rte_eth_dev_get_name_by_port(id, name);
	return strncmp(name, "net_kni", 7) == 0 ? kernel_kni_check(err, errlen) : 0;
}

static int open_given_ports(struct dut *d, const struct port_config *config, char *err,
			    size_t errlen)
{
	uint16_t id;

	RTE_ETH_FOREACH_DEV (id) {
		int rc;

		if (!kni_takes_port(&d->options, id))
			continue;
		if (d->n_ports == DUT_MAX_PORTS) {
			snprintf(err, errlen, "more than %u ports", DUT_MAX_PORTS);
			return -EINVAL;
		}
		rc = check_given_port(id, err, errlen);
		if (rc < 0)
			return rc;
		rc = port_open(&d->ports[d->n_ports].port, id, config, err, errlen);
		d->n_ports++;
		if (rc < 0)
			return rc;
	}
	if (d->n_ports > 0)
		return 0;
	snprintf(err, errlen, "no port: give one to EAL, before the --, with --vdev or -a");
	return -ENODEV;
}

static bool is_kernel_port(const struct dut *d, unsigned int i)
{
	return i < d->n_ports && d->ports[i].role == ROLE_KERNEL;
}

/* Makes a kernel port for each pair that has only a wire port. */
static int make_kernel_ports(struct dut *d, struct kernel_pair *pairs, unsigned int n,
			     const struct port_config *config, const volatile bool *stop, char *err,
			     size_t errlen)
{
	enum kernel_driver driver = d->options.kernel_path;
	unsigned int lcore = rte_get_next_lcore(-1, 0, 0);
	int rc;

	if (config->rx_queues > 1) {
		snprintf(err, errlen,
			 "kernel ports made here have one queue: leave --rxq and --txq at 1, or "
			 "give kernel ports with more");
		return -EINVAL;
	}
	d->kernel_made = true;
	rc = kernel_path_open(&d->kernel, d->options.kernel_netns, n, err, errlen);
	if (rc < 0)
		return rc;
	if (driver == KERNEL_UNSET || driver == KERNEL_AUTO) {
		rc = kernel_probe_run(&d->probe, &d->kernel, config,
				      d->ports[pairs[0].wire].port.rx_pool, lcore, stop, &driver,
				      err, errlen);
		if (rc < 0)
			return rc;
	}
	d->options.kernel_path = driver;
	for (unsigned int i = 0; i < n; i++) {
		struct dut_port *port = &d->ports[d->n_ports];

		port->role = ROLE_KERNEL;
		pairs[i].kernel = d->n_ports++;
		rc = kernel_link_make(&d->kernel, i, driver, config, &port->port, err, errlen);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The forwardings between ports that are all there, but for the ends of stages. */
static int join_pairs(struct dut *d, const struct kernel_pair *pairs, unsigned int n,
		      const struct port_config *config, struct forward *forwards, char *err,
		      size_t errlen)
{
	struct stage_ends ends[DUT_MAX_STAGES];
	int rc;

	switch (d->options.forward_mode) {
	case FORWARD_SPLIT:
		return (int)topology_split_forwards(d->options.topology, pairs, n, forwards);
	case FORWARD_SERIES:
		rc = stages_open(d, n, config, ends, err, errlen);
		return rc < 0 ? rc : (int)topology_series_forwards(pairs, ends, n, forwards);
	default:
		return (int)topology_kernel_forwards(pairs, n, forwards);
	}
}

/* The forwardings of modes with a kernel path, with the kernel ports made where they are not given.
 */
static int kernel_forwards(struct dut *d, const struct port_config *config,
			   struct forward *forwards, const volatile bool *stop, char *err,
			   size_t errlen)
{
	struct kernel_pair pairs[DUT_MAX_PORTS];
	bool kernel[DUT_MAX_PORTS], needs_kernel, assumed;
	int n, rc;

	for (unsigned int i = 0; i < d->n_ports; i++)
		kernel[i] = d->ports[i].port.kind == PORT_KERNEL &&
			    !kni_is_wire(&d->options, d->ports[i].port.id);
	n = topology_kernel_pairs(kernel, d->n_ports, d->options.kernel_path != KERNEL_UNSET, pairs,
				  &needs_kernel, &assumed, err, errlen);
	if (n < 0)
		return n;
	if (assumed)
		fprintf(stderr, "tandem-dut: all ports have a kernel interface behind them; taking "
				"the first of each two "
				"as the wire port\n");
	if (needs_kernel) {
		rc = make_kernel_ports(d, pairs, (unsigned int)n, config, stop, err, errlen);
		if (rc < 0)
			return rc;
	}
	for (int i = 0; i < n; i++)
		d->ports[pairs[i].kernel].role = ROLE_KERNEL;
	rc = kernel_follow_open(d, pairs, (unsigned int)n, err, errlen);
	if (rc < 0)
		return rc;
	return join_pairs(d, pairs, (unsigned int)n, config, forwards, err, errlen);
}

static void make_streams(struct dut *d, const struct forward *forwards, unsigned int n_forwards)
{
	struct stream_place places[DUT_MAX_STREAMS];
	unsigned int n =
		topology_streams(forwards, n_forwards, (unsigned int)d->options.rxq, places);

	for (unsigned int i = 0; i < n; i++) {
		struct dut_port *rx = &d->ports[places[i].rx], *tx = &d->ports[places[i].tx];

		d->streams[i] = (struct stream){
			.rx_id = rx->port.id,
			.tx_id = tx->port.id,
			.queue = (uint16_t)places[i].queue,
			.rx_index = (uint8_t)places[i].rx,
			.tx_index = (uint8_t)places[i].tx,
			.rx_memif = rx->port.is_memif,
			.rx_syscalls = rx->port.makes_syscalls,
			.tx_syscalls = tx->port.makes_syscalls,
			.tx_reaps = strcmp(tx->port.driver, "net_kni") == 0,
			.rx_state = &rx->state,
			.tx_state = &tx->state,
			.split =
				d->options.forward_mode == FORWARD_SPLIT ? &d->options.split : NULL,
		};
	}
	d->n_streams = n;
}

static int open_capture(struct dut *d, char *err, size_t errlen)
{
	const char *names[DUT_MAX_PORTS];
	int rc;

	for (unsigned int i = 0; i < d->n_ports; i++)
		names[i] = d->ports[i].port.name;
	d->capture = capture_out_open(&d->options.capture, "tandem-dut " TANDEM_VERSION, names,
				      d->n_ports, d->n_cores, &rc, err, errlen);
	for (unsigned int c = 0; c < d->n_cores; c++)
		for (unsigned int i = 0; i < d->cores[c].n_streams; i++)
			d->cores[c].streams[i].tap = capture_out_tap(d->capture, c);
	return rc;
}

int dut_setup(struct dut *d, const volatile bool *stop, char *err, size_t errlen)
{
	struct port_config config = port_config_of(&d->options);
	struct forward forwards[DUT_MAX_FORWARDS];
	int n, rc;

	rc = open_given_ports(d, &config, err, errlen);
	if (rc < 0)
		return rc;
	if (forward_has_kernel(d->options.forward_mode))
		n = kernel_forwards(d, &config, forwards, stop, err, errlen);
	else
		n = (int)topology_forwards(d->options.topology, d->n_ports, forwards);
	if (n < 0)
		return n;
	make_streams(d, forwards, (unsigned int)n);
	rc = dut_make_cores(d, err, errlen);
	if (rc == 0 && d->options.forward_mode == FORWARD_IMPAIR)
		rc = impair_setup(d, err, errlen);
	if (rc == 0)
		rc = open_capture(d, err, errlen);
	d->begin = clock_point_now();
	clock_iso8601(d->started, sizeof(d->started));
	return rc;
}

/*
 * Closes a port but keeps its pool, for another port's transmit ring may still hold mbufs of it.
 * memif's pool stays with it for the goodbye; memif goes last, when no other port holds anything.
 */
static void close_port(struct dut *d, unsigned int i, unsigned int link, struct rte_mempool **pool)
{
	struct port *p = &d->ports[i].port;

	if (!p->is_memif) {
		*pool = p->rx_pool;
		p->rx_pool = NULL;
	}
	if (d->kernel_made && is_kernel_port(d, i))
		kernel_link_remove(&d->kernel, link, p);
	else
		port_close(p);
}

static void close_ports(struct dut *d)
{
	struct rte_mempool *pools[DUT_MAX_PORTS] = {NULL};

	for (int memif = 0; memif <= 1; memif++) {
		unsigned int link = 0;

		for (unsigned int i = 0; i < d->n_ports; i++) {
			if (d->ports[i].port.is_memif == memif)
				close_port(d, i, link, &pools[i]);
			link += d->kernel_made && is_kernel_port(d, i);
		}
	}
	for (unsigned int i = 0; i < d->n_ports; i++)
		rte_mempool_free(pools[i]);
}

int dut_capture_end(struct dut *d, char *err, size_t errlen)
{
	struct capture_out *capture = d->capture;

	if (!capture)
		return 0;
	capture_out_settle(capture, &d->captured);
	d->capture = NULL;
	return capture_out_close(capture, err, errlen);
}

void dut_teardown(struct dut *d)
{
	char ignored[256];

	if (d->watching)
		kernel_watch_close(&d->watch);
	close_ports(d);
	stages_close(d);
	if (d->kernel_made)
		kernel_path_close(&d->kernel);
	for (unsigned int i = 0; i < d->n_cores; i++)
		loop_watch_free(d->cores[i].watch);
	impair_teardown(d);
	dut_capture_end(d, ignored, sizeof(ignored));
	d->n_ports = d->n_streams = d->n_cores = 0;
	d->kernel_made = d->watching = false;
}

/*
 * Bringing the DUT up and down: ports, kernel side, streams and the cores that poll them.
 */
#include "dut/dut.h"
#include "dut/impair.h"
#include "common/share.h"
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

static int open_given_ports(struct dut *d, const struct port_config *config, char *err,
			    size_t errlen)
{
	uint16_t id;

	RTE_ETH_FOREACH_DEV (id) {
		int rc;

		if (d->n_ports == DUT_MAX_PORTS) {
			snprintf(err, errlen, "more than %u ports", DUT_MAX_PORTS);
			return -EINVAL;
		}
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
	rc = kernel_watch_open(&d->watch, &d->kernel, err, errlen);
	d->watching = rc == 0;
	return rc;
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
		kernel[i] = d->ports[i].port.kind == PORT_KERNEL;
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
			.rx_state = &rx->state,
			.tx_state = &tx->state,
			.split =
				d->options.forward_mode == FORWARD_SPLIT ? &d->options.split : NULL,
		};
	}
	d->n_streams = n;
}

static const struct forward_engine *engine_of(unsigned int mode)
{
	switch (mode) {
	case FORWARD_KERNEL:
		return &kernel_engine;
	case FORWARD_IMPAIR:
		return &impair_engine;
	case FORWARD_SPLIT:
		return &split_engine;
	default:
		return &io_engine;
	}
}

/* Which cores share their CPUs with others, so that an idle one must make way. */
static void find_shared_cpus(struct dut *d)
{
	rte_cpuset_t cpus[RTE_MAX_LCORE];

	for (unsigned int i = 0; i < d->n_cores; i++)
		cpus[i] = rte_lcore_cpuset(d->cores[i].thread.lcore);
	for (unsigned int i = 0; i < d->n_cores; i++)
		d->cores[i].yields = share_is_shared(cpus, d->n_cores, i);
}

/* How many neighbouring streams one core must poll. */
static unsigned int streams_together(const struct dut *d, unsigned int lcores)
{
	if (d->options.forward_mode == FORWARD_SPLIT)
		return SPLIT_FORWARDS;
	/* Where there are lcores for all stages, each has its own; else both of a wire port share
	 * one, for a stage must not wait for another that waits for it. */
	if (d->options.forward_mode == FORWARD_SERIES)
		return lcores >= d->n_streams / (SERIES_FORWARDS / 2) ? SERIES_FORWARDS / 2
								      : SERIES_FORWARDS;
	return 1;
}

/* Spreads the streams over EAL's lcores. */
static int make_cores(struct dut *d, char *err, size_t errlen)
{
	unsigned int lcore, n = 0, wanted = rte_lcore_count();
	unsigned int together = streams_together(d, wanted), units = d->n_streams / together;
	bool syscalls = false;

	for (unsigned int i = 0; i < d->n_streams; i++)
		syscalls |= d->streams[i].rx_syscalls || d->streams[i].tx_syscalls;
	if (wanted > units)
		wanted = units;
	RTE_LCORE_FOREACH (lcore) {
		struct poll_core *core = &d->cores[n];

		if (n == wanted)
			break;
		*core = (struct poll_core){
			.engine = engine_of(d->options.forward_mode),
			.burst = (uint16_t)d->options.burst,
			.on_full = d->options.on_full,
			.stop = &d->stop_cores,
			.watch = loop_watch_new(d->options.stall_threshold_ns, syscalls),
			.thread = {.lcore = lcore},
		};
		if (!core->watch) {
			snprintf(err, errlen, "out of memory");
			return -ENOMEM;
		}
		d->n_cores = ++n;
	}
	for (unsigned int i = 0; i < d->n_streams; i++) {
		struct poll_core *core = &d->cores[topology_core_of(i / together, units, n)];

		if (core->n_streams++ == 0)
			core->streams = &d->streams[i];
	}
	find_shared_cpus(d);
	return 0;
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
	rc = make_cores(d, err, errlen);
	if (rc == 0 && d->options.forward_mode == FORWARD_IMPAIR)
		rc = impair_setup(d, err, errlen);
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

void dut_teardown(struct dut *d)
{
	if (d->watching)
		kernel_watch_close(&d->watch);
	close_ports(d);
	stages_close(d);
	if (d->kernel_made)
		kernel_path_close(&d->kernel);
	for (unsigned int i = 0; i < d->n_cores; i++)
		loop_watch_free(d->cores[i].watch);
	impair_teardown(d);
	d->n_ports = d->n_streams = d->n_cores = 0;
	d->kernel_made = d->watching = false;
}

int dut_start_cores(struct dut *d, char *err, size_t errlen)
{
	d->stop_cores = false;
	d->begin = clock_point_now();
	clock_iso8601(d->started, sizeof(d->started));
	for (unsigned int i = 0; i < d->n_cores; i++) {
		struct poll_core *core = &d->cores[i];
		unsigned int lcore = core->thread.lcore;
		char name[16];
		int rc;

		snprintf(name, sizeof(name), "dut-%u", lcore);
		rc = poll_thread_start(&core->thread, lcore, name, core->engine->run, core);
		if (rc == 0)
			continue;
		snprintf(err, errlen, "cannot start the polling thread of lcore %u: %s", lcore,
			 strerror(-rc));
		d->stop_cores = true;
		while (i-- > 0)
			poll_thread_join(&d->cores[i].thread);
		return rc;
	}
	return 0;
}

void dut_stop_cores(struct dut *d)
{
	d->stop_cores = true;
	for (unsigned int i = 0; i < d->n_cores; i++)
		poll_thread_join(&d->cores[i].thread);
}

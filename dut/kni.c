/*
 * The KNI sample's habits on any kernel path. Its mask and lcores are checked against EAL before a
 * port is opened; its statistics are differences of counters, for the data path's own are never
 * reset.
 */
#include "dut/kni.h"
#include "dut/dut.h"
#include "common/dpdk/vdev.h"

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

static struct kni_counts port_base[DUT_MAX_PORTS], interface_base[DUT_MAX_PORTS];
static volatile sig_atomic_t print_asked, clear_asked;

static int check_lcore(const struct kni_port *p, unsigned int lcore, const char *what, char *err,
		       size_t errlen)
{
	if (rte_lcore_is_enabled(lcore))
		return 0;
	snprintf(err, errlen,
		 "--config: %s %u of port %u is none of EAL's lcores; give it with -l or --lcores",
		 what, lcore, p->port);
	return -EINVAL;
}

int kni_check(const struct dut_options *o, char *err, size_t errlen)
{
	uint64_t mask = kni_wire_mask(&o->kni, o->portmask);
	unsigned int named = 0;
	int rc = 0;

	for (uint16_t id = 0; id < KNI_PORT_IDS; id++) {
		if (!(mask >> id & 1) || rte_eth_dev_is_valid_port(id))
			continue;
		snprintf(err, errlen,
			 "%s names port %u, EAL has %u port%s: give it one with --vdev or -a",
			 o->portmask ? "the port mask" : "--config", id, rte_eth_dev_count_avail(),
			 rte_eth_dev_count_avail() == 1 ? "" : "s");
		return -EINVAL;
	}
	for (unsigned int i = 0; i < o->kni.n && rc == 0; i++) {
		const struct kni_port *p = &o->kni.ports[i];

		rc = check_lcore(p, p->lcore_rx, "lcore_rx", err, errlen);
		if (rc == 0)
			rc = check_lcore(p, p->lcore_tx, "lcore_tx", err, errlen);
		named += p->n_kernel;
	}
	if (rc == 0 && named)
		fprintf(stderr, "tandem-dut: --config: cores of kernel threads are rte_kni's "
				"business and have no effect here\n");
	return rc;
}

bool kni_is_wire(const struct dut_options *o, uint16_t id)
{
	return kni_wire_mask(&o->kni, o->portmask) >> id & 1;
}

static bool is_kernel_kind(uint16_t id)
{
	const struct rte_devargs *devargs;
	struct rte_eth_dev_info info;
	char text[512], path[256];

	if (rte_eth_dev_info_get(id, &info))
		return false;
	devargs = rte_dev_devargs(info.device);
	snprintf(text, sizeof(text), "%s,%s", info.driver_name,
		 devargs && devargs->args ? devargs->args : "");
	return port_kind_of(info.driver_name,
			    vdev_value(text, "path", path, sizeof(path)) ? path : NULL) ==
	       PORT_KERNEL;
}

bool kni_takes_port(const struct dut_options *o, uint16_t id)
{
	if (!kni_wire_mask(&o->kni, o->portmask) || kni_is_wire(o, id) ||
	    (o->kernel_path == KERNEL_UNSET && is_kernel_kind(id)))
		return true;
	fprintf(stderr, "tandem-dut: port %u is not in the port mask and is left alone\n", id);
	return false;
}

/* The lcore that --config gives a stream's direction. */
static unsigned int lcore_of_stream(const struct dut *d, const struct stream *s)
{
	bool up = d->ports[s->tx_index].role == ROLE_KERNEL;
	uint16_t wire = up ? s->rx_id : s->tx_id;

	for (unsigned int i = 0; i < d->options.kni.n; i++) {
		const struct kni_port *p = &d->options.kni.ports[i];

		if (p->port == wire)
			return up ? p->lcore_rx : p->lcore_tx;
	}
	return rte_get_main_lcore(); /* not reached: every wire port is in --config */
}

unsigned int kni_lcores(struct dut *d, unsigned int *lcores, unsigned int *lcore_of)
{
	unsigned int n = 0, placed = 0, lcore;

	if (!d->options.kni.n)
		return 0;
	RTE_LCORE_FOREACH (lcore) {
		unsigned int first = placed;

		for (unsigned int i = placed; i < d->n_streams; i++) {
			struct stream s = d->streams[i];

			if (lcore_of_stream(d, &s) != lcore)
				continue;
			d->streams[i] = d->streams[placed];
			d->streams[placed] = s;
			lcore_of[placed++] = n;
		}
		if (placed > first)
			lcores[n++] = lcore;
	}
	return n;
}

/* What went between a wire port and the kernel ports since the DUT began. */
static struct kni_counts count_port(const struct dut *d, unsigned int wire)
{
	struct kni_counts c = {0};

	for (unsigned int i = 0; i < d->n_streams; i++) {
		const struct stream *s = &d->streams[i];

		if (s->rx_index == wire && d->ports[s->tx_index].role == ROLE_KERNEL) {
			c.rx_packets += counter_read(&s->count.tx);
			c.rx_dropped += counter_read(&s->count.tx_dropped);
		} else if (s->tx_index == wire && d->ports[s->rx_index].role == ROLE_KERNEL) {
			c.tx_packets += counter_read(&s->count.tx);
			c.tx_dropped += counter_read(&s->count.tx_dropped);
		}
	}
	return c;
}

static struct kni_counts count_interface(const struct dut *d, unsigned int i)
{
	const struct kernel_interface *k = &d->watch.kernel_if[i];

	return (struct kni_counts){
		.rx_packets = k->rx_packets,
		.rx_dropped = k->rx_dropped,
		.tx_packets = k->tx_packets,
		.tx_dropped = k->tx_dropped,
	};
}

static unsigned int polling_lcore(const struct dut *d, unsigned int rx, unsigned int tx)
{
	for (unsigned int i = 0; i < d->n_cores; i++)
		for (unsigned int k = 0; k < d->cores[i].n_streams; k++)
			if (d->cores[i].streams[k].rx_index == rx &&
			    d->cores[i].streams[k].tx_index == tx)
				return d->cores[i].thread.lcore;
	return rte_get_main_lcore();
}

/* The lcores of both directions of a wire port; false when it has no kernel port. */
static bool find_lcores(const struct dut *d, unsigned int wire, unsigned int *rx, unsigned int *tx)
{
	for (unsigned int i = 0; i < d->n_streams; i++) {
		const struct stream *s = &d->streams[i];

		if (s->rx_index != wire || d->ports[s->tx_index].role != ROLE_KERNEL)
			continue;
		*rx = polling_lcore(d, wire, s->tx_index);
		*tx = polling_lcore(d, s->tx_index, wire);
		return true;
	}
	return false;
}

/* A counter that its owner set back counts from there. */
static uint64_t since(uint64_t now, uint64_t base)
{
	return now >= base ? now - base : now;
}

static void print_counts(const struct kni_counts *c, const struct kni_counts *base, FILE *out)
{
	fprintf(out, " %13" PRIu64 " %13" PRIu64 " %13" PRIu64 " %13" PRIu64 "\n",
		since(c->rx_packets, base->rx_packets), since(c->rx_dropped, base->rx_dropped),
		since(c->tx_packets, base->tx_packets), since(c->tx_dropped, base->tx_dropped));
}

static void look_at_kernel(struct dut *d)
{
	if (d->watching)
		__atomic_store_n(&d->kernel_dropped, kernel_watch_look(&d->watch),
				 __ATOMIC_RELAXED);
}

void kni_print(struct dut *d, FILE *out)
{
	unsigned int rx, tx, link = 0;

	look_at_kernel(d);
	fprintf(out,
		"\n**KNI statistics, kernel path %s**\n"
		"======  ==============  ============  ============  ============  ============\n"
		" Port    Lcore(RX/TX)    rx_packets    rx_dropped    tx_packets    tx_dropped\n"
		"------  --------------  ------------  ------------  ------------  ------------\n",
		d->kernel_made ? kernel_driver_name(d->options.kernel_path)
		: forward_has_kernel(d->options.forward_mode) ? "as given"
							      : "none");
	for (unsigned int i = 0; i < d->n_ports; i++) {
		struct kni_counts counts;

		if (d->ports[i].role != ROLE_WIRE || !find_lcores(d, i, &rx, &tx))
			continue;
		counts = count_port(d, i);
		fprintf(out, "%7u %10u/%2u", d->ports[i].port.id, rx, tx);
		print_counts(&counts, &port_base[i], out);
		if (d->watching && *d->kernel.links[link].kernel_if) {
			counts = count_interface(d, link);
			fprintf(out, "%7s %13s", d->kernel.links[link].kernel_if, "kernel");
			print_counts(&counts, &interface_base[link], out);
		}
		link++;
	}
	fputs("======  ==============  ============  ============  ============  ============\n",
	      out);
	fflush(out);
}

void kni_clear(struct dut *d)
{
	look_at_kernel(d);
	for (unsigned int i = 0; i < d->n_ports; i++)
		port_base[i] = count_port(d, i);
	for (unsigned int i = 0; d->watching && i < d->kernel.n; i++)
		interface_base[i] = count_interface(d, i);
}

static void on_signal(int signal_number)
{
	if (signal_number == SIGUSR1)
		print_asked = 1;
	else
		clear_asked = 1;
}

void kni_signals_take(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL); /* no SA_RESTART: sleeps end at once */
	sigaction(SIGUSR2, &action, NULL);
}

void kni_serve(struct dut *d)
{
	if (print_asked) {
		print_asked = 0;
		kni_print(d, stdout);
	}
	if (clear_asked) {
		clear_asked = 0;
		kni_clear(d);
		printf("\n**KNI statistics have been reset**\n");
		fflush(stdout);
	}
}

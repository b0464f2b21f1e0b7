/*
 * The probe behind --kernel-path=auto.
 *
 * Which driver is fastest depends on the host and on what else runs there: between tap and af_xdp
 * lies a factor of eight on one machine. So each is tried as it will be used: frames of the wire
 * port's pool, on the core that will poll, over the real routing; a fixed number is kept in flight,
 * as a busy wire would.
 */
#include "dut/kernel_probe.h"
#include "dut/command.h"
#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "common/units.h"

#include <rte_cycles.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PROBE_BURST	32u
#define PROBE_IN_FLIGHT 256u
#define PROBE_SLICE_S	0.015
#define PROBE_SLICES	6
#define PROBE_LOST_S	0.01 /* nothing came back for so long: what is in flight is lost */
#define PROBE_PORT	9    /* discard */
#define PROBE_FRAME	(FRAME_MIN - FRAME_FCS)
#define PROBE_TTL	64

static const struct rte_ether_addr peer_mac = {{0x02, 0x54, 0x44, 0x00, 0x00, 0x02}};

struct probe_frame {
	struct rte_ether_hdr eth;
	struct rte_ipv4_hdr ip;
	struct rte_udp_hdr udp;
} __rte_packed __rte_aligned(2);

struct probe_task {
	const struct port *port;
	struct rte_mempool *pool;
	struct probe_frame frame;
	double pps;
};

static void build_frame(const struct kernel_link *link, struct probe_frame *f)
{
	*f = (struct probe_frame){
		.eth = {.dst_addr = link->mac,
			.src_addr = peer_mac,
			.ether_type = RTE_BE16(RTE_ETHER_TYPE_IPV4)},
		.ip = {.version_ihl = RTE_IPV4_VHL_DEF,
		       .total_length = rte_cpu_to_be_16(PROBE_FRAME - sizeof(f->eth)),
		       .time_to_live = PROBE_TTL,
		       .next_proto_id = IPPROTO_UDP,
		       .src_addr = rte_cpu_to_be_32(kernel_link_peer(link->index)),
		       .dst_addr = rte_cpu_to_be_32(kernel_link_far(link->index))},
		/* Without a checksum: IPv4 allows it, and the kernel does not look when it routes.
		 */
		.udp = {.src_port = RTE_BE16(PROBE_PORT),
			.dst_port = RTE_BE16(PROBE_PORT),
			.dgram_len =
				rte_cpu_to_be_16(PROBE_FRAME - sizeof(f->eth) - sizeof(f->ip))},
	};
	f->ip.hdr_checksum = rte_ipv4_cksum(&f->ip);
}

/* Receives and frees a burst; returns how many of ours were in it. */
static unsigned int take_back(const struct port *p)
{
	struct rte_mbuf *frames[PROBE_BURST];
	uint16_t n = rte_eth_rx_burst(p->id, 0, frames, PROBE_BURST);
	unsigned int ours = 0;

	for (uint16_t i = 0; i < n; i++) {
		const struct probe_frame *f =
			rte_pktmbuf_mtod(frames[i], const struct probe_frame *);

		ours += frames[i]->data_len >= sizeof(*f) &&
			f->eth.ether_type == RTE_BE16(RTE_ETHER_TYPE_IPV4) &&
			f->ip.next_proto_id == IPPROTO_UDP &&
			f->udp.dst_port == RTE_BE16(PROBE_PORT);
		rte_pktmbuf_free(frames[i]);
	}
	return ours;
}

/* Sends a burst; returns how many were taken. */
static unsigned int give(struct probe_task *t)
{
	struct rte_mbuf *frames[PROBE_BURST];
	uint16_t sent;

	if (rte_pktmbuf_alloc_bulk(t->pool, frames, PROBE_BURST) < 0)
		return 0;
	for (unsigned int i = 0; i < PROBE_BURST; i++) {
		uint8_t *at = (uint8_t *)rte_pktmbuf_append(frames[i], PROBE_FRAME);

		memset(at, 0, PROBE_FRAME);
		memcpy(at, &t->frame, sizeof(t->frame));
	}
	sent = rte_eth_tx_burst(t->port->id, 0, frames, PROBE_BURST);
	rte_pktmbuf_free_bulk(frames + sent, PROBE_BURST - sent);
	return sent;
}

/*
 * The polling thread: what comes back a second in the best of a few slices of time. The best, for
 * on a shared host the core is taken away in some of them, which says nothing of the driver.
 */
static int probe_thread(void *arg)
{
	struct probe_task *t = arg;
	double hz = clock_hz_estimate();
	uint64_t slice = (uint64_t)(PROBE_SLICE_S * hz), patience = (uint64_t)(PROBE_LOST_S * hz);
	uint64_t begin = tsc_now(), last_back = begin, back = 0;
	unsigned int in_flight = 0, slices = 0;

	while (slices <= PROBE_SLICES) {
		unsigned int n = take_back(t->port);
		uint64_t now = tsc_now();

		if (n || now - last_back > patience) {
			last_back = now;
			in_flight = n == 0 || n > in_flight ? 0 : in_flight - n;
		}
		back += n;
		if (now - begin >= slice) {
			double pps = (double)back * hz / (double)(now - begin);

			/* The first slice warms up: rings, caches, the neighbour. */
			if (slices++ > 0 && pps > t->pps)
				t->pps = pps;
			begin = now;
			back = 0;
		}
		if (in_flight + PROBE_BURST <= PROBE_IN_FLIGHT)
			in_flight += give(t);
	}
	return 0;
}

/* Sets one driver up on link 0, measures, and leaves the removal to the caller. */
static int probe_driver(struct kernel_path *k, enum kernel_driver driver,
			const struct port_config *config, struct port *p, struct rte_mempool *pool,
			unsigned int lcore, double *pps, char *err, size_t errlen)
{
	struct probe_task task = {.port = p, .pool = pool};
	struct poll_thread thread;
	char mac[18], address[16];
	int rc;

	rc = kernel_link_make(k, 0, driver, config, p, err, errlen);
	if (rc < 0)
		return rc;
	/* The generator is not asked for its MAC: it need not be there yet. */
	rc = COMMAND(err, errlen, "ip", "-n", k->ns.name, "neigh", "replace",
		     ipv4_format(kernel_link_peer(0), address, sizeof(address)), "lladdr",
		     mac_format(peer_mac.addr_bytes, mac, sizeof(mac)), "dev",
		     k->links[0].kernel_if, "nud", "permanent");
	if (rc < 0)
		return rc;
	build_frame(&k->links[0], &task.frame);
	rc = poll_thread_start(&thread, lcore, "dut-probe", probe_thread, &task);
	if (rc < 0) {
		snprintf(err, errlen, "cannot start a polling thread: %s", strerror(-rc));
		return rc;
	}
	poll_thread_join(&thread);
	*pps = task.pps;
	if (task.pps > 0)
		return 0;
	snprintf(err, errlen, "no probe frame came back from the kernel");
	return -EIO;
}

static void tell_choice(const struct kernel_probe *probe, enum kernel_driver best)
{
	char text[32];

	fprintf(stderr, "tandem-dut: kernel path %s, the fastest in a probe (",
		kernel_driver_name(best));
	for (unsigned int i = KERNEL_AF_XDP; i < KERNEL_DRIVERS; i++)
		fprintf(stderr, "%s%s %s", i > KERNEL_AF_XDP ? ", " : "", kernel_driver_name(i),
			probe->result[i].reason[0]
				? "failed"
				: si_format(probe->result[i].pps, "pps", text, sizeof(text)));
	fprintf(stderr, ")\n");
}

int kernel_probe_run(struct kernel_probe *probe, struct kernel_path *k,
		     const struct port_config *config, struct rte_mempool *pool, unsigned int lcore,
		     const volatile bool *stop, enum kernel_driver *driver, char *err,
		     size_t errlen)
{
	enum kernel_driver best = KERNEL_AUTO;
	struct port port;

	*probe = (struct kernel_probe){.ran = true};
	clock_hz_estimate(); /* takes a moment the first time, which is not the probe's */
	for (unsigned int i = KERNEL_AF_XDP; i < KERNEL_DRIVERS && !*stop; i++) {
		double pps = 0;

		if (probe_driver(k, i, config, &port, pool, lcore, &pps, probe->result[i].reason,
				 sizeof(probe->result[i].reason)) == 0)
			probe->result[i].reason[0] = '\0';
		kernel_link_remove(k, 0, &port);
		probe->result[i].pps = pps;
		if (pps > probe->result[best].pps)
			best = i;
	}
	if (*stop) {
		snprintf(err, errlen, "stopped while probing the kernel path");
		return -EINTR;
	}
	if (best == KERNEL_AUTO) {
		size_t used = (size_t)snprintf(err, errlen, "no kernel path works");

		for (unsigned int i = KERNEL_AF_XDP; i < KERNEL_DRIVERS && used < errlen; i++)
			used += (size_t)snprintf(err + used, errlen - used, "; %s: %s",
						 kernel_driver_name(i), probe->result[i].reason);
		return -ENODEV;
	}
	tell_choice(probe, best);
	*driver = best;
	return 0;
}

json_t *kernel_probe_record(const struct kernel_probe *probe)
{
	json_t *record;

	if (!probe->ran)
		return json_null();
	record = json_object();
	for (unsigned int i = KERNEL_AF_XDP; i < KERNEL_DRIVERS; i++)
		json_object_set_new(
			record, kernel_driver_name(i),
			probe->result[i].reason[0]
				? json_pack("{s:n, s:s}", "pps", "reason", probe->result[i].reason)
				: json_pack("{s:f, s:n}", "pps", probe->result[i].pps, "reason"));
	return record;
}

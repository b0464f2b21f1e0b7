/*
 * What a change in the kernel means for the DUT.
 *
 * The drivers behind kernel ports report neither link nor MTU: af_packet and af_xdp say up and 1500
 * whatever happens. So the kernel is asked itself. A kernel port whose interface is down is not
 * polled, and a wire port takes over the MTU of the interface that its frames come from and go to.
 */
#include "dut/kernel_follow.h"
#include "common/dpdk/vdev.h"
#include "common/units.h"
#include "common/results.h"

#include <rte_mbuf.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TAP_DEFAULT "dtap" /* net_tap's name for an interface that was given none */

/* The interface behind a port that was given. */
static void find_interface(const struct port *p, char *name, size_t len)
{
	if (vdev_value(p->devargs, "iface", name, len))
		return;
	name[0] = '\0';
	if (strcmp(p->driver, "net_tap") == 0 && strncmp(p->name, "net_tap", 7) == 0)
		snprintf(name, len, TAP_DEFAULT "%.8s", p->name + 7);
}

int kernel_follow_open(struct dut *d, const struct kernel_pair *pairs, unsigned int n, char *err,
		       size_t errlen)
{
	int rc;

	d->kernel.n = n;
	for (unsigned int i = 0; i < n; i++) {
		struct kernel_link *link = &d->kernel.links[i];

		link->wire = pairs[i].wire;
		link->kernel = pairs[i].kernel;
		if (!d->kernel_made)
			find_interface(&d->ports[pairs[i].kernel].port, link->kernel_if,
				       sizeof(link->kernel_if));
	}
	rc = kernel_watch_open(&d->watch, &d->kernel, err, errlen);
	d->watching = rc == 0;
	for (unsigned int i = 0; i < n; i++)
		d->kernel.links[i].mtu = kernel_watch_mtu(&d->watch, i);
	return rc;
}

/* What keeps a port from an MTU; NULL when it was set. */
static const char *set_mtu(const struct port *p, uint32_t mtu)
{
	uint32_t room = (uint32_t)rte_pktmbuf_data_room_size(p->rx_pool) - RTE_PKTMBUF_HEADROOM;
	int rc;

	if (mtu + RTE_ETHER_HDR_LEN > room)
		return "its mbufs are too small; start with a larger --max-frame";
	rc = rte_eth_dev_set_mtu(p->id, (uint16_t)mtu);
	if (rc == -ENOTSUP)
		return "its driver cannot";
	return rc < 0 ? strerror(-rc) : NULL;
}

/* The wire port of a link takes over the kernel interface's MTU, once it differs from what it was
 * at the start. */
static void follow_mtu(struct dut *d, struct kernel_link *link, uint32_t mtu)
{
	const struct port *wire = &d->ports[link->wire].port;
	const char *why = set_mtu(wire, mtu);

	if (!why) {
		__atomic_store_n(&link->wire_mtu, mtu, __ATOMIC_RELAXED);
		fprintf(stderr, "tandem-dut: port %s: MTU %u, as the kernel's %s\n", wire->name,
			mtu, link->kernel_if);
	} else if (!link->mtu_warned) {
		link->mtu_warned = true;
		fprintf(stderr,
			"tandem-dut: port %s keeps its MTU, which is no longer that of the "
			"kernel's %s: %s\n",
			wire->name, link->kernel_if, why);
	}
}

void kernel_follow(struct dut *d)
{
	__atomic_store_n(&d->kernel_dropped, kernel_watch_look(&d->watch), __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < d->kernel.n; i++) {
		struct kernel_link *link = &d->kernel.links[i];
		uint32_t mtu = kernel_watch_mtu(&d->watch, i);

		if (mtu != link->mtu)
			follow_mtu(d, link, mtu);
		link->mtu = mtu;
	}
}

bool kernel_follow_up(const struct dut *d, unsigned int port)
{
	for (unsigned int i = 0; d->watching && i < d->kernel.n; i++)
		if (d->kernel.links[i].kernel == port)
			return kernel_watch_up(&d->watch, i);
	return true;
}

static json_t *known(uint32_t mtu)
{
	return mtu ? json_integer(mtu) : json_null();
}

json_t *kernel_links_record(const struct dut *d)
{
	json_t *list;

	if (!d->watching)
		return json_null();
	list = json_array();
	for (unsigned int i = 0; i < d->kernel.n; i++) {
		const struct kernel_link *link = &d->kernel.links[i];

		json_array_append_new(list, json_pack("{s:s, s:b, s:o, s:o}", "interface",
						      link->kernel_if, "up",
						      kernel_watch_up(&d->watch, i), "mtu",
						      known(kernel_watch_mtu(&d->watch, i)),
						      "wire_mtu", known(link->wire_mtu)));
	}
	return list;
}

json_t *kernel_events_record(const struct dut *d)
{
	static const char *const names[] = {"up", "down", "mtu"};
	json_t *list;

	if (!d->watching)
		return json_null();
	list = json_array();
	for (uint32_t i = 0; i < d->watch.n_events && i < KERNEL_EVENTS; i++) {
		const struct kernel_event *event = &d->watch.event[i];
		double seconds = ((double)event->ns - (double)d->begin.ns) / 1e9;

		json_array_append_new(
			list, json_pack("{s:o, s:s, s:s, s:o}", "seconds", result_real(seconds),
					"interface", d->kernel.links[event->link].kernel_if,
					"event", names[event->kind], "mtu", known(event->mtu)));
	}
	return list;
}

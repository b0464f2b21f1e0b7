/*
 * rtnetlink in the kernel side's namespace, and its IP counters.
 *
 * None of the drivers behind a kernel port follows the kernel's link. A netlink socket stays in the
 * namespace in which it was opened, so only opening it (and the /proc file) needs to be done
 * inside.
 *
 * A frame that a veth cannot hand over is counted at both ends (sent side tx_dropped, receiving
 * side rx_dropped), so of each direction the larger of the two counts.
 */
#include "dut/kernel_watch.h"
#include "common/clock.h"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct kernel_interface *interface_of(struct kernel_watch *w, const char *name,
					     bool *is_kernel_if)
{
	for (unsigned int i = 0; i < w->path->n; i++) {
		const struct kernel_link *link = &w->path->links[i];

		*is_kernel_if = strcmp(name, link->kernel_if) == 0;
		if (*is_kernel_if)
			return &w->kernel_if[i];
		if (strcmp(name, link->dut_if) == 0)
			return &w->dut_if[i];
	}
	return NULL;
}

static void note_event(struct kernel_watch *w, const struct kernel_interface *interface,
		       enum kernel_event_kind kind)
{
	unsigned int link = (unsigned int)(interface - w->kernel_if);
	const char *name = w->path->links[link].kernel_if;

	if (w->n_events < KERNEL_EVENTS)
		w->event[w->n_events] = (struct kernel_event){
			.ns = clock_ns(), .link = link, .kind = kind, .mtu = interface->mtu};
	__atomic_store_n(&w->n_events, w->n_events + 1, __ATOMIC_RELAXED);
	if (kind == KERNEL_MTU)
		fprintf(stderr, "tandem-dut: kernel interface %s has MTU %u\n", name,
			interface->mtu);
	else
		fprintf(stderr, "tandem-dut: kernel interface %s is %s\n", name,
			kind == KERNEL_LINK_UP ? "up" : "down");
}

/* Takes over what a message says of an interface; mtu 0 when it does not say. */
static void note_state(struct kernel_watch *w, struct kernel_interface *interface,
		       bool is_kernel_if, bool up, uint32_t mtu)
{
	bool was_known = interface->known, was_up = interface->up;
	uint32_t old_mtu = interface->mtu;

	interface->came_up |= was_known && up && !was_up;
	interface->known = true;
	__atomic_store_n(&interface->up, up, __ATOMIC_RELAXED);
	if (mtu)
		__atomic_store_n(&interface->mtu, mtu, __ATOMIC_RELAXED);
	if (!is_kernel_if || !was_known)
		return;
	if (interface->mtu != old_mtu)
		note_event(w, interface, KERNEL_MTU);
	if (up != was_up)
		note_event(w, interface, up ? KERNEL_LINK_UP : KERNEL_LINK_DOWN);
}

/* One link message, an event or an answer: state and counters of an interface of ours. */
static int on_link(const struct nlmsghdr *message, void *arg)
{
	struct kernel_watch *w = arg;
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(message);
	struct rtnl_link_stats64 stats;
	bool has_stats = false;
	struct kernel_interface *interface = NULL;
	const struct nlattr *attr;
	const char *name = "";
	bool up = message->nlmsg_type == RTM_NEWLINK && (info->ifi_flags & IFF_UP) &&
		  (info->ifi_flags & IFF_RUNNING);
	bool is_kernel_if = false;
	uint32_t mtu = 0;

	if (message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, message, sizeof(*info))
	{
		if (mnl_attr_get_type(attr) == IFLA_IFNAME)
			name = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == IFLA_MTU &&
			 mnl_attr_get_payload_len(attr) >= sizeof(mtu))
			mtu = mnl_attr_get_u32(attr);
		else if (mnl_attr_get_type(attr) == IFLA_STATS64 &&
			 mnl_attr_get_payload_len(attr) >=
				 offsetof(struct rtnl_link_stats64, multicast)) {
			/* An attribute is aligned to 4 bytes only, and as long as the kernel's
			 * header says. */
			size_t len = mnl_attr_get_payload_len(attr);

			memcpy(&stats, mnl_attr_get_payload(attr),
			       len < sizeof(stats) ? len : sizeof(stats));
			has_stats = true;
		}
	}
	interface = interface_of(w, name, &is_kernel_if);
	if (!interface)
		return MNL_CB_OK;
	note_state(w, interface, is_kernel_if, up, mtu);
	if (has_stats) {
		interface->rx_packets = stats.rx_packets;
		interface->tx_packets = stats.tx_packets;
		interface->rx_errors = stats.rx_errors;
		interface->tx_errors = stats.tx_errors;
		interface->rx_dropped = stats.rx_dropped;
		interface->tx_dropped = stats.tx_dropped;
	}
	return MNL_CB_OK;
}

/* Reads what a socket holds; ends at the end of a dump or when nothing more is there. */
static void drain(struct kernel_watch *w, struct mnl_socket *socket, bool until_done)
{
	char buffer[32768];
	ssize_t n;

	/* An answer comes at once, for the kernel makes it within our own calls. */
	while ((n = mnl_socket_recvfrom(socket, buffer, sizeof(buffer))) > 0)
		if (mnl_cb_run(buffer, (size_t)n, 0, 0, on_link, w) <= MNL_CB_STOP && until_done)
			break;
}

static void ask_links(struct kernel_watch *w)
{
	char buffer[256];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct ifinfomsg *info;

	message->nlmsg_type = RTM_GETLINK;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message->nlmsg_seq = (uint32_t)time(NULL);
	info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	info->ifi_family = AF_UNSPEC;
	if (mnl_socket_sendto(w->queries, message, message->nlmsg_len) > 0)
		drain(w, w->queries, true);
}

/* The column of a word in a header line of /proc/net/snmp, -1 when it is not there. */
static int column_of(const char *header, const char *word)
{
	size_t len = strlen(word);
	int column = 0;

	for (const char *at = strchr(header, ' '); at; at = strchr(at + 1, ' '), column++)
		if (strncmp(at + 1, word, len) == 0 && strchr(" \n", at[1 + len]))
			return column;
	return -1;
}

static uint64_t value_in(const char *values, int column)
{
	const char *at = strchr(values, ' ');

	while (at && column-- > 0)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Packets that IP dropped: no route, no buffer, no neighbour. */
static uint64_t ip_drops(const struct kernel_watch *w)
{
	static const char *const words[] = {"InDiscards", "OutDiscards", "OutNoRoutes",
					    "InAddrErrors"};
	char text[4096], *values;
	ssize_t n = pread(w->snmp, text, sizeof(text) - 1, 0);
	uint64_t drops = 0;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	values = strstr(text, "\nIp: "); /* the first line names what the second one holds */
	if (!values)
		return 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		int column = column_of(text, words[i]);

		if (column >= 0)
			drops += value_in(values + 1, column);
	}
	return drops;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t lost_so_far(struct kernel_watch *w)
{
	uint64_t lost = 0;

	ask_links(w);
	for (unsigned int i = 0; i < w->path->n; i++) {
		const struct kernel_interface *kernel = &w->kernel_if[i], *dut = &w->dut_if[i];

		lost += larger(kernel->rx_dropped + kernel->rx_errors,
			       dut->tx_dropped + dut->tx_errors);
		lost += larger(kernel->tx_dropped + kernel->tx_errors,
			       dut->rx_dropped + dut->rx_errors);
	}
	return lost + ip_drops(w);
}

int kernel_watch_open(struct kernel_watch *w, const struct kernel_path *path, char *err,
		      size_t errlen)
{
	int rc;

	*w = (struct kernel_watch){.path = path};
	rc = path->open ? netns_enter(&path->ns, err, errlen) : 0;
	if (rc < 0)
		return rc;
	w->events = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	w->queries = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	w->snmp = open("/proc/thread-self/net/snmp", O_RDONLY | O_CLOEXEC);
	if (path->open)
		netns_leave(&path->ns);
	if (!w->events || !w->queries || w->snmp < 0 ||
	    mnl_socket_bind(w->events, RTMGRP_LINK, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_bind(w->queries, 0, MNL_SOCKET_AUTOPID) < 0) {
		rc = errno ? -errno : -EIO;
		snprintf(err, errlen, "cannot watch the kernel side by rtnetlink: %s",
			 strerror(-rc));
		kernel_watch_close(w);
		return rc;
	}
	w->base = lost_so_far(w);
	return 0;
}

void kernel_watch_close(struct kernel_watch *w)
{
	if (w->events)
		mnl_socket_close(w->events);
	if (w->queries)
		mnl_socket_close(w->queries);
	if (w->snmp >= 0)
		close(w->snmp);
	w->events = w->queries = NULL;
	w->snmp = -1;
}

/* An interface that went down took its routes with it. */
static void restore_routes(struct kernel_watch *w)
{
	char err[512];

	for (unsigned int i = 0; i < w->path->n; i++) {
		if (w->kernel_if[i].came_up && w->path->open &&
		    kernel_link_route(w->path, i, err, sizeof(err)) < 0)
			fprintf(stderr, "tandem-dut: %s\n", err);
		w->kernel_if[i].came_up = false;
	}
}

uint64_t kernel_watch_look(struct kernel_watch *w)
{
	uint64_t lost;

	drain(w, w->events, false);
	restore_routes(w);
	lost = lost_so_far(w);
	return lost > w->base ? lost - w->base : 0;
}

static bool runs(const struct kernel_interface *interface)
{
	return !interface->known || __atomic_load_n(&interface->up, __ATOMIC_RELAXED);
}

bool kernel_watch_up(const struct kernel_watch *w, unsigned int i)
{
	return runs(&w->kernel_if[i]) && runs(&w->dut_if[i]);
}

uint32_t kernel_watch_mtu(const struct kernel_watch *w, unsigned int i)
{
	return __atomic_load_n(&w->kernel_if[i].mtu, __ATOMIC_RELAXED);
}

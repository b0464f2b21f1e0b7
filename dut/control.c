/*
 * The control thread: links, the kernel side, time and the progress line. It sleeps nearly always,
 * for it may share a core with a polling loop.
 */
#include "dut/dut.h"
#include "dut/impair.h"
#include "dut/kernel_follow.h"
#include "dut/kni.h"
#include "dut/prompt.h"
#include "dut/stats.h"
#include "common/dpdk/vdev.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MS		 1000000ull
#define CHECK_NS	 (20 * MS)   /* between two looks at the links */
#define KERNEL_CHECK_NS	 (100 * MS)  /* between two looks at the kernel side */
#define GOODBYE_LIMIT_NS (1000 * MS) /* a link still up so long after a goodbye is a new peer's */
#define HEAL_AFTER_NS	 (1000 * MS) /* a client's link down so long: its device is started again */
#define HEAL_WAIT_NS	 (1100 * MS) /* a memif handshake takes up to a second */
#define DEFAULT_PERIOD	 (1000 * MS)

/* Opens or closes a port for the data path, as its link and its peer's goodbye say. */
static void check_port(struct dut_port *port, bool kernel_up, uint64_t now)
{
	bool up = port_link(&port->port) && kernel_up;
	uint32_t state = __atomic_load_n(&port->state, __ATOMIC_ACQUIRE);

	__atomic_store_n(&port->missed, port_missed(&port->port), __ATOMIC_RELAXED);
	if (state != POLL_GOODBYE)
		port->goodbye_since = 0;
	else if (!port->goodbye_since)
		port->goodbye_since = now;
	if (!up) {
		if (!port->down_since)
			port->down_since = now;
		__atomic_store_n(&port->state, POLL_DOWN, __ATOMIC_RELEASE);
	} else {
		port->down_since = 0;
		port->was_up = true;
		if (state == POLL_DOWN ||
		    (state == POLL_GOODBYE && now - port->goodbye_since > GOODBYE_LIMIT_NS))
			__atomic_store_n(&port->state, POLL_ON, __ATOMIC_RELEASE);
	}
	if (up != port->link_up && port->role != ROLE_STAGE)
		fprintf(stderr, "tandem-dut: port %s: link %s\n", port->port.name,
			up ? "up" : "down");
	port->link_up = up;
}

/* A device that connects to its peer's socket, and so must be started again when the peer was away.
 */
static bool is_client(const struct port *p)
{
	char role[16];

	if (p->is_memif)
		return !vdev_value(p->devargs, "role", role, sizeof(role)) ||
		       (strcmp(role, "server") != 0 && strcmp(role, "master") != 0);
	return p->kind == PORT_EMBEDDED && strcmp(p->driver, "net_virtio_user") == 0;
}

/* Waits until each core has begun a new round, and so has seen what was stored before. */
static void wait_for_round(const struct dut *d, const volatile bool *stop)
{
	for (unsigned int i = 0; d->running && i < d->n_cores; i++) {
		uint64_t rounds = counter_read(&d->cores[i].count.rounds);

		while (counter_read(&d->cores[i].count.rounds) < rounds + 2 && !*stop)
			clock_sleep(MS);
	}
}

/* The device may come back as another port. */
static void renew_streams(struct dut *d)
{
	for (unsigned int i = 0; i < d->n_streams; i++) {
		d->streams[i].rx_id = d->ports[d->streams[i].rx_index].port.id;
		d->streams[i].tx_id = d->ports[d->streams[i].tx_index].port.id;
	}
}

static void heal_port(struct dut *d, struct dut_port *port, const volatile bool *stop)
{
	char ignored[256];

	if (!port->down_since || clock_ns() - port->down_since < HEAL_AFTER_NS ||
	    !is_client(&port->port))
		return;
	wait_for_round(d, stop);
	port_wait_link(&port->port, HEAL_WAIT_NS, stop, ignored, sizeof(ignored));
	renew_streams(d);
}

static void tell_waiting(const struct dut *d)
{
	for (unsigned int i = 0; i < d->n_ports; i++)
		if (d->ports[i].role == ROLE_WIRE && !d->ports[i].link_up)
			fprintf(stderr, "tandem-dut: waiting for the peer on %s\n",
				d->ports[i].port.devargs);
}

static int check_wait(const struct dut *d, uint64_t waited, char *err, size_t errlen)
{
	if (!d->options.wait_link_ns || waited < d->options.wait_link_ns)
		return 0;
	for (unsigned int i = 0; i < d->n_ports; i++) {
		const struct dut_port *port = &d->ports[i];

		if (port->role != ROLE_WIRE || port->was_up)
			continue;
		snprintf(err, errlen,
			 "port %s: no peer after %.1f s; start it, or wait longer with --wait-link",
			 port->port.devargs, (double)d->options.wait_link_ns / 1e9);
		return -ETIMEDOUT;
	}
	return 0;
}

static uint64_t stats_period(const struct dut_options *o)
{
	if (o->stats_period_ns != STATS_PERIOD_UNSET)
		return o->stats_period_ns;
	/* Where commands are typed no line must come in between. */
	return !o->interactive && isatty(STDERR_FILENO) ? DEFAULT_PERIOD : 0;
}

int dut_control(struct dut *d, struct prompt *prompt, const volatile bool *stop, char *err,
		size_t errlen)
{
	uint64_t begin = clock_ns(), period = stats_period(&d->options);
	uint64_t next_kernel = begin, next_line = begin + period;
	struct dut_snapshot last;
	bool told = false;

	dut_snapshot_take(d, &last);
	while (!*stop && !prompt_quits(prompt)) {
		uint64_t now = clock_ns();
		int rc;

		for (unsigned int i = 0; i < d->n_ports; i++)
			check_port(&d->ports[i], kernel_follow_up(d, i), now);
		if (!told)
			tell_waiting(d);
		if (d->options.forward_mode == FORWARD_IMPAIR)
			impair_tell(d);
		told = true;
		if (d->watching && now >= next_kernel) {
			kernel_follow(d);
			next_kernel = now + KERNEL_CHECK_NS;
		}
		if (period && now >= next_line) {
			stats_progress(d, &last, now - begin);
			next_line += period;
		}
		rc = check_wait(d, now - begin, err, errlen);
		if (rc < 0)
			return rc;
		if (d->options.duration_ns && now - begin >= d->options.duration_ns)
			break;
		for (unsigned int i = 0; i < d->n_ports; i++)
			heal_port(d, &d->ports[i], stop);
		kni_serve(d);
		prompt_wait(prompt, CHECK_NS);
	}
	return 0;
}

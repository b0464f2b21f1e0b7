/*
 * Making the seams of series mode from DPDK's rings and its driver over them.
 */
#include "dut/stages.h"
#include "dut/dut.h"

#include <rte_bus_vdev.h>
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ring.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * A core that waits for room in one direction does not empty the other. Two stages that wait for
 * each other would wait for ever, which cannot happen while a ring holds more bursts than two: for
 * both to be full, each stage would have to be ahead of the other.
 */
#define RING_SIZE (4 * DUT_MAX_BURST)

/* The ends pass mbufs on and take none of their own. */
#define END_MBUFS 64u

static struct rte_ring *make_ring(unsigned int i, const char *way, unsigned int queue)
{
	char name[RTE_RING_NAMESIZE];

	snprintf(name, sizeof(name), "tandem_%s%u_%u", way, i, queue);
	return rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
}

/* A port that receives from one set of rings and sends on the other; its id, or a negative errno.
 */
static int make_end(const char *side, unsigned int i, struct rte_ring **rx, struct rte_ring **tx,
		    unsigned int queues, char *vdev)
{
	char name[32];
	int id, rc;

	snprintf(name, sizeof(name), "%s%u", side, i);
	id = rte_eth_from_rings(name, rx, queues, tx, queues, 0);
	if (id < 0)
		return rte_errno ? -rte_errno : -EIO;
	rc = rte_eth_dev_get_name_by_port((uint16_t)id, vdev);
	return rc < 0 ? rc : id;
}

/* The ids of the two ports of a stage. */
static int make_stage(struct stage *s, unsigned int i, unsigned int queues, int ids[2])
{
	for (unsigned int q = 0; q < queues; q++) {
		s->up[q] = make_ring(i, "up", q);
		s->down[q] = make_ring(i, "down", q);
		if (!s->up[q] || !s->down[q])
			return -rte_errno;
	}
	ids[0] = make_end("io", i, s->down, s->up, queues, s->io_vdev);
	if (ids[0] < 0)
		return ids[0];
	ids[1] = make_end("kernel", i, s->up, s->down, queues, s->kernel_vdev);
	return ids[1] < 0 ? ids[1] : 0;
}

static int open_end(struct dut *d, int id, const struct port_config *config, unsigned int *place,
		    char *err, size_t errlen)
{
	struct dut_port *port = &d->ports[d->n_ports];

	*place = d->n_ports++;
	port->role = ROLE_STAGE;
	return port_open(&port->port, (uint16_t)id, config, err, errlen);
}

int stages_open(struct dut *d, unsigned int n, const struct port_config *config,
		struct stage_ends *ends, char *err, size_t errlen)
{
	struct port_config own = *config;

	if (n > DUT_MAX_STAGES) {
		snprintf(err, errlen, "%u wire ports in series mode, at most %u", n,
			 DUT_MAX_STAGES);
		return -EINVAL;
	}
	own.rx_mbufs = END_MBUFS;
	own.cache = 0;
	own.max_frame = 0; /* what fits into the other ports' mbufs fits through a ring */
	for (unsigned int i = 0; i < n; i++) {
		int ids[2] = {0}, rc = make_stage(&d->stages[i], i, config->rx_queues, ids);

		if (rc < 0) {
			snprintf(err, errlen, "cannot join the io stage with the kernel stage: %s",
				 strerror(-rc));
			return rc;
		}
		rc = open_end(d, ids[0], &own, &ends[i].io, err, errlen);
		if (rc == 0)
			rc = open_end(d, ids[1], &own, &ends[i].kernel, err, errlen);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void stages_close(struct dut *d)
{
	for (unsigned int i = 0; i < DUT_MAX_STAGES; i++) {
		struct stage *s = &d->stages[i];

		if (s->io_vdev[0])
			rte_vdev_uninit(s->io_vdev);
		if (s->kernel_vdev[0])
			rte_vdev_uninit(s->kernel_vdev);
		for (unsigned int q = 0; q < DUT_MAX_QUEUES; q++) {
			rte_ring_free(s->up[q]);
			rte_ring_free(s->down[q]);
		}
		memset(s, 0, sizeof(*s));
	}
}

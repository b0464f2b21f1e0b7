/*
 * Opening and closing a direction.
 */
#include "gen/direction.h"

#include "gen/generator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *calloc_lines(size_t n, size_t size)
{
	void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);

	return p ? memset(p, 0, n * size) : NULL;
}

static void set_up_frames(const struct generator *g, struct direction *d)
{
	const struct gen_config *c = g->config;
	struct frame_spec *spec = &d->spec;

	memcpy(spec->src_mac,
	       c->src_mac.given ? c->src_mac.mac : g->ports[d->tx_port].mac.addr_bytes, 6);
	memcpy(spec->dst_mac, c->dst_mac.mac, 6);
	spec->src_ip = c->src_ip + ((uint32_t)d->tx_port << 8);
	spec->dst_ip = c->dst_ip + ((uint32_t)d->rx_port << 8);
	spec->src_port = (uint16_t)c->src_port;
	spec->dst_port = (uint16_t)c->dst_port;
	spec->ttl = (uint8_t)c->ttl;
	spec->tos = (uint8_t)c->tos;
}

/* The histograms of many streams on many cores may be more than there is: better said now than by
 * the kernel's killer. */
static int check_memory(const struct direction *d, unsigned int workers, char *err, size_t errlen)
{
	double need = (double)accounts_size(d->streams) * workers;
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	if (need <= have / 2)
		return 0;
	snprintf(
		err, errlen,
		"%u streams on %u cores need %.1f GB a direction, of %.1f GB: give fewer --streams",
		d->streams, workers, need / 1e9, have / 1e9);
	return -ENOMEM;
}

/* The sequence spaces of a lane. */
static int open_spaces(struct direction *d, unsigned int lane, unsigned int workers)
{
	const struct seq_sizes sizes = seq_sizes(d->streams);
	int rc = 0;

	for (uint32_t i = 0; i < d->streams && !rc; i++)
		rc = seq_merge_open(direction_merge(d, lane, i), workers, &sizes);
	return rc;
}

static int open_lane(struct generator *g, struct direction *d, unsigned int lane,
		     uint32_t max_frame, char *err, size_t errlen)
{
	const struct gen_config *c = g->config;
	const struct port *port = &g->ports[d->tx_port];
	int rc = sender_open(&d->lanes[lane], port->id, (uint16_t)lane, d->streams,
			     (uint32_t)c->flows, port->config.tx_desc * 2u + 2048u, max_frame, err,
			     errlen);

	if (rc)
		return rc;
	d->lanes[lane].wait_on_full = g->wait_on_full;
	d->accounts[lane] = accounts_new(d->streams, c->samples ? c->samples_limit : 0);
	if (d->accounts[lane] && !open_spaces(d, lane, g->crew.n))
		return 0;
	snprintf(err, errlen, "no memory for the accounts of a direction%s",
		 d->streams > 1 ? ": give fewer --streams" : "");
	return -ENOMEM;
}

int direction_open(struct generator *g, uint16_t tx, uint16_t rx, uint32_t max_frame, char *err,
		   size_t errlen)
{
	struct direction *d = &g->directions[g->n_directions++];
	int rc;

	d->tx_port = tx;
	d->rx_port = rx;
	d->streams = (uint32_t)g->config->streams;
	set_up_frames(g, d);
	rc = check_memory(d, g->crew.n, err, errlen);
	if (rc)
		return rc;
	d->lanes = calloc_lines(g->crew.n, sizeof(*d->lanes));
	d->merges = calloc_lines((size_t)g->crew.n * d->streams, sizeof(*d->merges));
	if (!d->lanes || !d->merges) {
		snprintf(err, errlen, "no memory for a direction");
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < g->crew.n && !rc; i++)
		rc = open_lane(g, d, i, max_frame, err, errlen);
	return rc;
}

void direction_close(struct direction *d, unsigned int workers)
{
	for (unsigned int i = 0; d->lanes && i < workers; i++)
		sender_close(&d->lanes[i]);
	for (unsigned int i = 0; i < workers; i++)
		accounts_free(d->accounts[i], d->streams);
	for (unsigned int i = 0; d->merges && i < workers * d->streams; i++)
		seq_merge_close(&d->merges[i]);
	free(d->lanes);
	free(d->merges);
}

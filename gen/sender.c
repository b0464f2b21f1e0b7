/*
 * Stamping and sending. A send touches an mbuf's lengths, the flow's UDP header and the stamp, no
 * more; mbufs come in bulk, one TSC value serves a burst.
 */
#include "gen/sender.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

int sender_open(struct sender *s, uint16_t port, uint16_t queue, uint32_t max_flows, uint32_t mbufs,
		uint32_t max_frame, char *err, size_t errlen)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t room = max_frame + RTE_PKTMBUF_HEADROOM;

	memset(s, 0, sizeof(*s));
	s->port = port;
	s->queue = queue;
	snprintf(name, sizeof(name), "tx_%u_%u", port, queue);
	if (room < RTE_MBUF_DEFAULT_BUF_SIZE)
		room = RTE_MBUF_DEFAULT_BUF_SIZE;
	s->pool = rte_pktmbuf_pool_create(name, mbufs, RTE_MEMPOOL_CACHE_MAX_SIZE / 2, 0,
					  (uint16_t)room, rte_eth_dev_socket_id(port));
	s->flow_headers = calloc(max_flows, sizeof(*s->flow_headers));
	s->checkpoints = calloc(1, sizeof(*s->checkpoints));
	s->lateness = calloc(1, sizeof(*s->lateness));
	s->spacing = calloc(1, sizeof(*s->spacing));
	if (s->pool && s->flow_headers && s->checkpoints && s->lateness && s->spacing)
		return 0;
	snprintf(err, errlen,
		 "no memory for %u transmit mbufs of %u bytes: give EAL more hugepages or -m",
		 mbufs, room);
	sender_close(s);
	return -ENOMEM;
}

void sender_close(struct sender *s)
{
	if (s->pool && s->n_ready)
		rte_mempool_put_bulk(s->pool, (void **)s->ready, s->n_ready);
	rte_mempool_free(s->pool);
	free(s->flow_headers);
	free(s->checkpoints);
	free(s->lateness);
	free(s->spacing);
	memset(s, 0, sizeof(*s));
}

static void load_mbuf(struct rte_mempool *pool, void *arg, void *object, unsigned int index)
{
	const struct frame *frame = arg;
	struct rte_mbuf *m = object;

	(void)pool;
	(void)index;
	m->data_off = RTE_PKTMBUF_HEADROOM;
	memcpy(rte_pktmbuf_mtod(m, uint8_t *), frame->bytes, frame->len);
}

void sender_load(struct sender *s, const struct frame_spec *spec, const struct frame *frame,
		 uint32_t n_flows)
{
	rte_mempool_obj_iter(s->pool, load_mbuf, (void *)(uintptr_t)frame);
	frame_flows(spec, frame, n_flows, s->flow_headers);
	s->n_flows = n_flows;
	s->len = frame->len;
	s->stamp_at = frame->stamp_at;
}

void sender_reset(struct sender *s, uint8_t trial, uint16_t space, uint64_t trial_cycles)
{
	s->sent = 0;
	s->refused = 0;
	s->unsent = 0;
	s->backpressured = 0;
	s->no_mbuf = 0;
	s->side_by_side = 0;
	s->flow = 0;
	s->last_departure = 0;
	s->stamp_base = stamp_base(trial, space);
	checkpoints_reset(s->checkpoints, trial_cycles);
	hist_reset(s->lateness);
	hist_reset(s->spacing);
}

/* Mbufs for a burst of n stand in s->ready; returns how many do. */
static uint32_t make_ready(struct sender *s, uint32_t n)
{
	if (s->n_ready < n &&
	    !rte_mempool_get_bulk(s->pool, (void **)&s->ready[s->n_ready], n - s->n_ready))
		s->n_ready = (uint16_t)n;
	return s->n_ready < n ? s->n_ready : n;
}

/* What is the same for all frames stands in variables of its own: bytes written through a pointer
 * might change anything else, for all that the compiler knows. */
static void write_burst(struct sender *s, uint32_t n, uint64_t now)
{
	const struct stamp_burst stamps = stamp_burst_begin(s->stamp_base, now);
	const uint64_t *flow_headers = s->flow_headers;
	const uint32_t len = s->len, stamp_at = s->stamp_at, n_flows = s->n_flows;
	uint32_t flow = s->flow, seq = (uint32_t)s->sent;

	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = s->ready[i];
		uint8_t *frame = (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM;

		m->data_off = RTE_PKTMBUF_HEADROOM; /* a driver may have moved it */
		m->pkt_len = len;
		m->data_len = (uint16_t)len;
		memcpy(frame + FRAME_UDP_AT, &flow_headers[flow], sizeof(*flow_headers));
		stamp_burst_write(&stamps, frame + stamp_at, seq + i);
		flow = flow + 1 == n_flows ? 0 : flow + 1;
	}
}

/* Departures of a burst: the gap before it, and none within it (counted apart and added to the
 * histogram later). */
static void note_departure(struct sender *s, uint32_t sent, uint64_t now)
{
	if (s->last_departure)
		hist_add(s->spacing, now - s->last_departure);
	s->side_by_side += sent - 1;
	s->last_departure = now;
}

/* Stamps and sends n frames; returns how many the port took. */
static uint32_t send_burst(struct sender *s, uint32_t n, uint64_t now)
{
	uint32_t sent;

	n = make_ready(s, n);
	if (!n)
		return 0;
	write_burst(s, n, now);
	checkpoints_note(s->checkpoints, s->sent, now);
	sent = rte_eth_tx_burst(s->port, s->queue, s->ready, (uint16_t)n);
	if (sent < n)
		s->backpressured++;
	if (!sent)
		return 0;
	s->flow += sent;
	while (s->flow >= s->n_flows)
		s->flow -= s->n_flows;
	s->n_ready = (uint16_t)(s->n_ready - sent);
	if (s->n_ready)
		memmove(s->ready, s->ready + sent, s->n_ready * sizeof(struct rte_mbuf *));
	s->sent += sent;
	note_departure(s, sent, now);
	return sent;
}

static bool run_max(struct sender *s, uint64_t now)
{
	uint64_t n = s->frame_limit - s->sent;

	return send_burst(s, n < s->burst ? (uint32_t)n : s->burst, now) == s->burst;
}

bool sender_run(struct sender *s, uint64_t now)
{
	bool link_down = __atomic_load_n(&s->link_down, __ATOMIC_RELAXED);
	uint64_t due;
	uint32_t n, sent;

	if (!s->pacing.frames_per_cycle)
		return !link_down && run_max(s, now);
	due = pacing_due(&s->pacing, now);
	if (!due)
		return false;
	if (__builtin_expect(link_down, 0)) {
		s->unsent += due;
		s->pacing.scheduled += due;
		return false;
	}
	s->unsent += pacing_give_up(&s->pacing, &due);
	n = due < s->burst ? (uint32_t)due : s->burst;
	if (!s->pacing.poisson)
		hist_add(s->lateness, pacing_lateness(&s->pacing, now));
	sent = send_burst(s, n, now);
	if (sent < n && !s->wait_on_full) {
		uint32_t ready = s->n_ready < n - sent ? s->n_ready : n - sent;

		/* Stamped and not taken: refused, at once and without retry. Without an mbuf it was
		 * never a frame. */
		s->refused += ready;
		s->unsent += n - sent - ready;
		s->no_mbuf += n - sent - ready;
		s->pacing.scheduled += n;
		return false;
	}
	s->pacing.scheduled += sent;
	return sent == s->burst;
}

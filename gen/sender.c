/*
 * Stamping and sending. A send touches an mbuf's lengths, the flow's UDP header and the stamp, no
 * more; mbufs come in bulk, one TSC value serves a burst.
 */
#include "gen/sender.h"

#include "common/dpdk/capture_tap.h"
#include "gen/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>

void sender_deal_flows(struct sender *s, uint32_t n_flows)
{
	uint32_t n = s->deal.streams, at = 0;

	for (uint32_t i = 0; i < n; i++) {
		s->streams[i].first_flow = at;
		at += n_flows / n + (i < n_flows % n);
		s->streams[i].end_flow = at;
	}
}

int sender_open(struct sender *s, uint16_t port, uint16_t queue, uint32_t streams, uint32_t n_flows,
		uint32_t mbufs, uint32_t max_frame, char *err, size_t errlen)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	uint32_t room = max_frame + RTE_PKTMBUF_HEADROOM + SENDER_SLACK;

	memset(s, 0, sizeof(*s));
	s->port = port;
	s->queue = queue;
	snprintf(name, sizeof(name), "tx_%u_%u", port, queue);
	if (room < RTE_MBUF_DEFAULT_BUF_SIZE)
		room = RTE_MBUF_DEFAULT_BUF_SIZE;
	s->pool = rte_pktmbuf_pool_create(name, mbufs, RTE_MEMPOOL_CACHE_MAX_SIZE / 2, 0,
					  (uint16_t)room, rte_eth_dev_socket_id(port));
	s->deal = deal_for(streams, 0, SENDER_MAX_BURST, 0);
	s->streams = calloc(streams, sizeof(*s->streams));
	s->flow_headers = calloc(n_flows, sizeof(*s->flow_headers));
	s->checkpoints = calloc(1, sizeof(*s->checkpoints));
	s->refusals = calloc(1, sizeof(*s->refusals));
	s->lateness = calloc(1, sizeof(*s->lateness));
	s->spacing = calloc(1, sizeof(*s->spacing));
	if (s->pool && s->streams && s->flow_headers && s->checkpoints && s->refusals &&
	    s->lateness && s->spacing) {
		sender_deal_flows(s, n_flows);
		return 0;
	}
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
	free(s->streams);
	free(s->flow_headers);
	free(s->checkpoints);
	free(s->refusals);
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

void sender_load(struct sender *s, const struct frame_spec *spec, const struct frame *frame)
{
	rte_mempool_obj_iter(s->pool, load_mbuf, (void *)(uintptr_t)frame);
	for (uint32_t i = 0; i < s->deal.streams; i++) {
		const struct sender_stream *stream = &s->streams[i];

		frame_flows(spec, frame, i, s->deal.streams, stream->end_flow - stream->first_flow,
			    &s->flow_headers[stream->first_flow]);
	}
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
	s->unstamped = 0;
	s->bytes = 0;
	s->side_by_side = 0;
	s->last_departure = 0;
	s->trial = trial;
	s->first_space = space;
	for (uint32_t i = 0; i < s->deal.streams; i++) {
		s->streams[i].sent = 0;
		s->streams[i].flow = s->streams[i].first_flow;
	}
	checkpoints_reset(s->checkpoints, trial_cycles);
	refusals_reset(s->refusals);
	sender_deal(s, &s->deal);
	hist_clear(s->lateness);
	hist_clear(s->spacing);
}

void sender_deal(struct sender *s, const struct deal *deal)
{
	s->deal = *deal;
	s->turn_of = 0;
	s->turn_left = deal->turn;
	s->checkpoints->deal = *deal;
}

/* Mbufs for a burst of n stand in s->ready; returns how many do. */
static uint32_t make_ready(struct sender *s, uint32_t n)
{
	if (s->n_ready < n &&
	    !rte_mempool_get_bulk(s->pool, (void **)&s->ready[s->n_ready], n - s->n_ready))
		s->n_ready = (uint16_t)n;
	return s->n_ready < n ? s->n_ready : n;
}

/* Frames of one stream. What is the same for all of them stands in variables of its own: bytes
 * written through a pointer might change anything else, for all that the compiler knows. */
static void write_run(struct sender *s, uint32_t index, struct rte_mbuf *const *ready, uint32_t n,
		      uint64_t now)
{
	struct sender_stream *stream = &s->streams[index];
	const struct stamp_burst stamps =
		stamp_burst_begin(stamp_base(s->trial, (uint16_t)(s->first_space + index)), now);
	const uint64_t *flow_headers = s->flow_headers;
	const uint32_t len = s->len, stamp_at = s->stamp_at, end_flow = stream->end_flow,
		       first_flow = stream->first_flow;
	uint32_t flow = stream->flow, seq = (uint32_t)stream->sent;

	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = ready[i];
		uint8_t *frame = (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM;

		m->data_off = RTE_PKTMBUF_HEADROOM; /* a driver may have moved it */
		m->pkt_len = len;
		m->data_len = (uint16_t)len;
		memcpy(frame + FRAME_UDP_AT, &flow_headers[flow], sizeof(*flow_headers));
		stamp_burst_write(&stamps, frame + stamp_at, seq + i);
		flow = flow + 1 == end_flow ? first_flow : flow + 1;
	}
	stream->flow = flow;
	stream->sent += n;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A burst may hold more than one stream's turn, and some streams' more than once. */
static void write_burst(struct sender *s, uint32_t n, uint64_t now)
{
	for (uint32_t at = 0; at < n;) {
		uint32_t run = least(n - at, s->turn_left);

		write_run(s, s->turn_of, s->ready + at, run, now);
		at += run;
		s->turn_left -= run;
		if (!s->turn_left) {
			s->turn_left = s->deal.turn;
			s->turn_of = s->turn_of + 1 == s->deal.streams ? 0 : s->turn_of + 1;
		}
	}
}

/* The port did not take the last n frames of the burst: their places are the next ones again. */
static void take_back(struct sender *s, uint32_t n)
{
	while (n) {
		struct sender_stream *stream;
		uint32_t run, flows;

		if (s->turn_left == s->deal.turn) {
			s->turn_left = 0;
			s->turn_of = (s->turn_of ? s->turn_of : s->deal.streams) - 1;
		}
		stream = &s->streams[s->turn_of];
		run = least(n, s->deal.turn - s->turn_left);
		flows = stream->end_flow - stream->first_flow;
		stream->sent -= run;
		stream->flow += (run + flows - 1) / flows * flows - run;
		if (stream->flow >= stream->end_flow)
			stream->flow -= flows;
		s->turn_left += run;
		n -= run;
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

uint16_t sender_transmit(struct sender *s, uint16_t n, uint64_t now)
{
	if (__builtin_expect(!s->tap, 1))
		return rte_eth_tx_burst(s->port, s->queue, s->ready, n);
	return capture_tap_send(s->tap, s->tap_port, s->port, s->queue, s->ready, n, now);
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
	sent = sender_transmit(s, (uint16_t)n, now);
	if (sent < n) {
		s->backpressured++;
		take_back(s, n - sent);
	}
	if (!sent)
		return 0;
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

	if (!s->pacing.frames_per_cycle && s->replay)
		return replay_run(s->replay, s, now);
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
		refusals_note(s->refusals, now, ready);
		s->unsent += n - sent - ready;
		s->no_mbuf += n - sent - ready;
		s->pacing.scheduled += n;
		return false;
	}
	s->pacing.scheduled += sent;
	return sent == s->burst;
}

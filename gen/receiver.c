/*
 * Taking a received burst: find the stamp, check it, account for it. Bad and foreign frames take
 * the slow path.
 */
#include "gen/receiver.h"

#include "common/dpdk/port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_prefetch.h>

#define PREFETCH_AHEAD 4u

int account_open(struct account *a, uint64_t max_samples)
{
	memset(a, 0, sizeof(*a));
	a->clean = calloc(1, sizeof(*a->clean));
	a->shadow = calloc(1, sizeof(*a->shadow));
	a->max_samples = max_samples;
	a->samples = max_samples ? calloc(max_samples, sizeof(*a->samples)) : NULL;
	if (a->clean && a->shadow && (a->samples || !max_samples))
		return 0;
	account_close(a);
	return -ENOMEM;
}

void account_close(struct account *a)
{
	free(a->clean);
	free(a->shadow);
	free(a->samples);
	memset(a, 0, sizeof(*a));
}

void account_reset(struct account *a)
{
	struct account fresh = {.clean = a->clean,
				.shadow = a->shadow,
				.samples = a->samples,
				.max_samples = a->max_samples};

	hist_reset(fresh.clean);
	hist_reset(fresh.shadow);
	*a = fresh;
}

void receiver_reset(struct receiver *r, uint8_t trial)
{
	r->trial = trial;
	r->foreign = 0;
	r->stale = 0;
	r->misdirected = 0;
	r->last_rx = 0;
}

/* A frame without a stamp of ours: ARP is answered, a goodbye heeded, the rest is foreign. */
static void take_other(struct receiver *r, const struct rte_mbuf *m)
{
	uint8_t reply[ARP_FRAME_LEN];
	struct rte_mbuf *answer;

	r->foreign++;
	if (port_is_goodbye(m)) {
		r->goodbye = true;
		return;
	}
	if (!arp_answer(&r->self, rte_pktmbuf_mtod(m, const uint8_t *), m->data_len, reply))
		return;
	answer = rte_pktmbuf_alloc(r->pool);
	if (!answer)
		return;
	memcpy(rte_pktmbuf_mtod(answer, uint8_t *), reply, sizeof(reply));
	answer->data_len = sizeof(reply);
	answer->pkt_len = sizeof(reply);
	if (rte_eth_tx_burst(r->port, r->tx_queue, &answer, 1))
		r->arp_answered++;
	else
		rte_pktmbuf_free(answer);
}

static bool payload_as_sent(const struct frame *sent, const uint8_t *frame, uint32_t stamp_at)
{
	uint32_t n = sent->stamp_at - FRAME_PAYLOAD_AT;

	/* The kernel may rewrite headers, and a tag may be there or gone: the payload is held
	 * against the stamp's place. */
	return stamp_at >= n && !memcmp(frame + stamp_at - n, sent->bytes + FRAME_PAYLOAD_AT, n);
}

/* Jitter over frames as they arrive; delay variation only between a frame and the one sent just
 * before it. */
static inline void note_variation(struct account *a, uint64_t seq, uint64_t rtt)
{
	int64_t difference = (int64_t)(rtt - a->last_rtt);
	uint64_t d = (uint64_t)(difference < 0 ? -difference : difference);

	if (a->last_rtt) {
		a->jitter_x16 += d - ((a->jitter_x16 + 8) >> 4);
		if (seq == a->last_seq + 1) {
			a->ipdv_pairs++;
			a->ipdv_sum += d;
			if (d > a->ipdv_max)
				a->ipdv_max = d;
		}
	}
	a->last_rtt = rtt;
	a->last_seq = seq;
}

static inline void note_round_trip(struct account *a, uint64_t seq, uint64_t now, uint64_t rtt,
				   uint64_t since_stall)
{
	hist_add(__builtin_expect(rtt >= since_stall, 0) ? a->shadow : a->clean, rtt);
	note_variation(a, seq, rtt);
	if (__builtin_expect(a->n_samples < a->max_samples, 0))
		a->samples[a->n_samples++] = (struct sample){seq, now, rtt};
}

static void take_stamped(struct receiver *r, const struct stamp *s, const struct rte_mbuf *m,
			 uint32_t stamp_at, uint64_t now, uint64_t since_stall)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	const struct inbound *in;
	struct account *a;
	uint64_t seq;
	int64_t rtt;

	if (__builtin_expect(s->trial != r->trial || s->space >= r->n_inbound, 0)) {
		r->stale++;
		return;
	}
	in = &r->inbound[s->space];
	a = in->account;
	/* The headers of a quotation make it longer, so only then are they looked at. */
	if (__builtin_expect(m->data_len > in->frame->len, 0) &&
	    stamp_is_quoted(frame, m->data_len)) {
		r->foreign++;
		return;
	}
	seq = seq_window_widen(in->window, s->seq);
	if (__builtin_expect(in->rx_port != r->port, 0)) {
		r->misdirected++;
		return;
	}
	if (__builtin_expect(seq >= *in->sent, 0)) {
		a->beyond++;
		return;
	}
	if (seq_window_add(in->window, seq) != SEQ_FIRST)
		return;
	a->received++;
	if (__builtin_expect(!a->first_rx, 0))
		a->first_rx = now;
	a->last_rx = now;
	if (r->verify && !payload_as_sent(in->frame, frame, stamp_at)) {
		a->corrupt++;
		return;
	}
	rtt = stamp_age(now, s->tx_time);
	if (__builtin_expect(rtt < 0, 0)) {
		a->negative++;
		return;
	}
	note_round_trip(a, seq, now, (uint64_t)rtt, since_stall);
}

void receiver_take(struct receiver *r, struct rte_mbuf **burst, uint16_t n, uint64_t now,
		   uint64_t since_stall)
{
	for (uint32_t i = 0; i < n && i < PREFETCH_AHEAD; i++)
		rte_prefetch0(
			rte_pktmbuf_mtod_offset(burst[i], void *, burst[i]->data_len - STAMP_LEN));
	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = burst[i];
		const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
		struct stamp s;
		int at = (int)m->data_len - (int)STAMP_LEN;

		if (i + PREFETCH_AHEAD < n) {
			struct rte_mbuf *ahead = burst[i + PREFETCH_AHEAD];

			rte_prefetch0(rte_pktmbuf_mtod_offset(ahead, void *,
							      ahead->data_len - STAMP_LEN));
		}
		/* Nearly always the last bytes of the frame; padding or a trailer need a look at
		 * the headers. */
		if (__builtin_expect(at < 0 || !stamp_read(frame + at, &s), 0)) {
			at = stamp_find(frame, m->data_len);
			if (at < 0 || !stamp_read(frame + at, &s)) {
				take_other(r, m);
				continue;
			}
		}
		take_stamped(r, &s, m, (uint32_t)at, now, since_stall);
	}
	if (n)
		r->last_rx = now;
	rte_pktmbuf_free_bulk(burst, n);
}

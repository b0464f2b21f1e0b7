/*
 * Taking a received burst: find the stamp, check it, account for it. Bad and foreign frames take
 * the slow path.
 */
#include "gen/receiver.h"

#include "common/dpdk/port.h"

#include <string.h>

#include <rte_ethdev.h>
#include <rte_prefetch.h>

#define PREFETCH_AHEAD 4u
#define NEAR_SPACES    16u /* their accounts stay in a near cache */

void receiver_reset(struct receiver *r, uint8_t trial)
{
	r->trial = trial;
	r->foreign = 0;
	r->stale = 0;
	r->last_rx = 0;
	r->last_tx = 0;
	r->gap_max = 0;
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
	if (!rte_eth_tx_burst(r->port, r->tx_queue, &answer, 1))
		rte_pktmbuf_free(answer);
}

static bool payload_as_sent(const struct frame *sent, const uint8_t *frame, uint32_t stamp_at)
{
	uint32_t n = sent->stamp_at - FRAME_PAYLOAD_AT;

	/* The kernel may rewrite headers, and a tag may be there or gone: the payload is held
	 * against the stamp's place. */
	return stamp_at >= n && !memcmp(frame + stamp_at - n, sent->bytes + FRAME_PAYLOAD_AT, n);
}

/* Its port says so, where it looks: a stamp can be right in a frame that is not. */
static inline bool bad_sums(const struct rte_mbuf *m)
{
	return m->ol_flags & PORT_BAD_SUMS;
}

/* The run that is being put together. */
struct open_run {
	const struct inbound *in; /* NULL: none */
	struct frame_run run;
	struct stamp_burst stamps;
	uint32_t len;
};

static inline void note_gap(struct receiver *r, uint64_t tx_time)
{
	int64_t gap = stamp_age(tx_time, r->last_tx);

	if (gap <= 0 && r->last_tx)
		return; /* the same burst, or an earlier one */
	if (r->last_tx && (uint64_t)gap > r->gap_max)
		r->gap_max = (uint64_t)gap;
	r->last_tx = tx_time;
}

static inline void close_run(struct receiver *r, struct open_run *o)
{
	if (o->in) {
		note_gap(r, o->run.tx_time);
		account_run(o->in, &o->run);
	}
	o->in = NULL;
}

/* A stamped frame that begins a run, or is none of this trial's. */
static void begin_run(struct receiver *r, struct open_run *o, const struct stamp *s,
		      const struct rte_mbuf *m, uint32_t stamp_at)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	const struct inbound *in;

	if (s->trial != r->trial || s->space >= r->n_inbound) {
		r->stale++;
		return;
	}
	in = &r->inbound[s->space];
	/* The headers of a quotation make it longer, so only then are they looked at. */
	if (m->data_len > in->frame->len && stamp_is_quoted(frame, m->data_len)) {
		r->foreign++;
		return;
	}
	if (in->rx_port != r->port) {
		in->account->misdirected++;
		return;
	}
	o->in = in;
	o->run.first = s->seq;
	o->run.n = 1;
	o->run.tx_time = s->tx_time;
	o->run.corrupt = bad_sums(m) || (r->verify && !payload_as_sent(in->frame, frame, stamp_at));
	if (r->n_inbound > NEAR_SPACES)
		account_prefetch(in, (uint64_t)stamp_age(o->run.now, s->tx_time));
	o->stamps = stamp_burst_begin(stamp_base(s->trial, s->space), s->tx_time);
	o->len = m->data_len;
	o->run.len = m->data_len;
}

static inline void prefetch_stamp(const struct rte_mbuf *m)
{
	rte_prefetch0(rte_pktmbuf_mtod_offset(m, const void *, m->data_len - STAMP_LEN));
}

/* How many of these frames continue the open run. All that is compared stands in registers. */
static uint32_t continuing(const struct receiver *r, const struct open_run *o,
			   struct rte_mbuf *const *burst, uint32_t n)
{
	const struct stamp_burst stamps = o->stamps;
	const uint32_t len = o->len, at = len - STAMP_LEN;
	uint32_t seq = o->run.first + o->run.n, i;

	for (i = 0; i < n; i++, seq++) {
		const struct rte_mbuf *m = burst[i];
		const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);

		if (i + PREFETCH_AHEAD < n)
			prefetch_stamp(burst[i + PREFETCH_AHEAD]);
		if (m->data_len != len || !stamp_continues(&stamps, frame + at, seq))
			break;
		if (o->run.corrupt || bad_sums(m) ||
		    (r->verify && !payload_as_sent(o->in->frame, frame, at)))
			break;
	}
	return i;
}

/* A frame that continues no run: it begins one, or is none of ours. */
static void take_frame(struct receiver *r, struct open_run *o, const struct rte_mbuf *m)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	int at = (int)m->data_len - (int)STAMP_LEN;
	struct stamp s;

	/* Nearly always the last bytes of the frame; padding or a trailer need a look at the
	 * headers. */
	if (at < 0 || !stamp_read(frame + at, &s)) {
		at = stamp_find(frame, m->data_len);
		if (at < 0 || !stamp_read(frame + at, &s)) {
			take_other(r, m);
			return;
		}
	}
	begin_run(r, o, &s, m, (uint32_t)at);
}

/*
 * What is odd about an mbuf, 0 for a whole one of the pool that nobody else holds: what a driver
 * hands out, but for chains and shared buffers.
 */
static inline uint64_t oddity(const struct rte_mbuf *m, const struct rte_mempool *pool)
{
	return ((uint64_t)(m->refcnt ^ 1) | (uint64_t)(m->nb_segs ^ 1)) |
	       (m->ol_flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) |
	       ((uintptr_t)m->pool ^ (uintptr_t)pool);
}

/* Plain mbufs of one pool go back as they are, without a look at each one's second cache line. */
static void free_burst(struct rte_mbuf **burst, uint16_t n)
{
	struct rte_mempool *pool = burst[0]->pool;
	uint64_t odd = 0;

	for (uint16_t i = 0; i < n; i++)
		odd |= oddity(burst[i], pool);
	if (__builtin_expect(!odd, 1))
		rte_mempool_put_bulk(pool, (void **)burst, n);
	else
		rte_pktmbuf_free_bulk(burst, n);
}

void receiver_take(struct receiver *r, struct rte_mbuf **burst, uint16_t n, uint64_t now,
		   uint64_t since_stall)
{
	struct open_run open = {.run = {.now = now, .since_stall = since_stall}};

	for (uint32_t i = 0; i < n && i < PREFETCH_AHEAD; i++)
		prefetch_stamp(burst[i]);
	for (uint32_t i = 0; i < n; i++) {
		if (open.in) {
			uint32_t more = continuing(r, &open, burst + i, n - i);

			open.run.n += more;
			i += more;
			close_run(r, &open);
			if (i == n)
				break;
		}
		take_frame(r, &open, burst[i]);
	}
	close_run(r, &open);
	if (!n)
		return;
	r->last_rx = now;
	free_burst(burst, n);
}

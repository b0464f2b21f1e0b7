/*
 * Copying frames. A copy, not a reference: a driver may free what it sent without a look at who
 * else holds it.
 */
#include "common/dpdk/capture_tap.h"

#include <string.h>

#include <rte_ethdev.h>

#define MAX_BURST 1024u

static bool is_full(const struct capture_tap *tap)
{
	return __atomic_load_n(tap->full, __ATOMIC_RELAXED);
}

/* The bytes of a frame, whose segments may be several. */
static void copy(uint8_t *to, const struct rte_mbuf *m, uint32_t len)
{
	for (; m && len; m = m->next) {
		uint32_t n = m->data_len < len ? m->data_len : len;

		memcpy(to, rte_pktmbuf_mtod(m, const uint8_t *), n);
		to += n;
		len -= n;
	}
}

/* False where the ring is full. */
static bool put(struct capture_tap *tap, uint16_t port, enum capture_direction direction,
		const struct rte_mbuf *m, uint64_t tsc)
{
	uint32_t len = m->pkt_len < tap->copy ? m->pkt_len : tap->copy;
	struct capture_entry *entry = capture_ring_put(&tap->ring, len);

	if (!entry)
		return false;
	entry->len = len;
	entry->wire_len = m->pkt_len;
	entry->port = port;
	entry->direction = (uint16_t)direction;
	entry->tsc = tsc;
	copy((uint8_t *)(entry + 1), m, len);
	return true;
}

static void count_dropped(struct capture_tap *tap, uint64_t n)
{
	__atomic_store_n(&tap->dropped, tap->dropped + n, __ATOMIC_RELAXED);
}

void capture_tap_received(struct capture_tap *tap, uint16_t port, struct rte_mbuf *const *frames,
			  uint16_t n, uint64_t tsc)
{
	uint16_t i = 0;

	if (is_full(tap))
		return;
	while (i < n && put(tap, port, CAPTURE_IN, frames[i], tsc))
		i++;
	capture_ring_show(&tap->ring, capture_ring_mark(&tap->ring));
	count_dropped(tap, n - i);
}

uint16_t capture_tap_send(struct capture_tap *tap, uint16_t port, uint16_t ethdev, uint16_t queue,
			  struct rte_mbuf **frames, uint16_t n, uint64_t tsc)
{
	uint64_t marks[MAX_BURST + 1];
	uint16_t held = 0, sent;

	if (is_full(tap) || n > MAX_BURST)
		return rte_eth_tx_burst(ethdev, queue, frames, n);
	/* What is sent is the driver's: the copies are made before, and shown afterwards. */
	marks[0] = capture_ring_mark(&tap->ring);
	while (held < n && put(tap, port, CAPTURE_OUT, frames[held], tsc))
		marks[++held] = capture_ring_mark(&tap->ring);
	sent = rte_eth_tx_burst(ethdev, queue, frames, n);
	capture_ring_show(&tap->ring, marks[sent < held ? sent : held]);
	if (sent > held)
		count_dropped(tap, (uint64_t)(sent - held));
	return sent;
}

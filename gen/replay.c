/*
 * Copying, stamping and sending a capture's frames.
 */
#include "gen/replay.h"

#include "gen/sender.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <rte_ethdev.h>

#define SCALE_BITS 32
#define AHEAD	   1024u /* bytes of the capture fetched ahead: it is in no near cache */

static const struct replay_record *record_at(const uint8_t *at)
{
	return (const struct replay_record *)(const void *)at;
}

/* What scale is counted in, from the frame before to the one there. */
static inline uint64_t units(const struct replay *r, const struct replay_cursor *c)
{
	switch (r->pace) {
	case REPLAY_RECORDED:
		return record_at(c->at)->gap_ns;
	case REPLAY_FRAMES:
		return 1;
	default:
		return c->bits;
	}
}

static inline uint32_t bits_of(const struct replay *r, uint32_t len)
{
	return (len + FRAME_FCS + (r->pace == REPLAY_L1 ? FRAME_L1_OVERHEAD : 0)) * 8;
}

static inline unsigned __int128 due_of(const struct replay *r, const struct replay_cursor *c)
{
	return c->due + (unsigned __int128)units(r, c) * r->scale;
}

static inline uint64_t whole(unsigned __int128 due)
{
	return (uint64_t)(due >> SCALE_BITS);
}

/* Past the frame there, which was due then. */
static inline void step(const struct replay *r, struct replay_cursor *c, unsigned __int128 due)
{
	const struct replay_record *record = record_at(c->at);

	c->due = due;
	c->bits = bits_of(r, record->len);
	c->bytes += record->len + FRAME_FCS;
	c->stamped += record->stamp_at != 0;
	c->unstamped += record->stamp_at == 0;
	c->at += record->size;
}

/* Whole blocks, a constant number of bytes each, are copied in registers. */
static inline void copy_blocks(uint8_t *to, const uint8_t *from, uint32_t len)
{
	for (uint32_t i = 0; i < len; i += REPLAY_BLOCK)
		memcpy(to + i, from + i, REPLAY_BLOCK);
}

static inline void write_frame(const struct replay_record *record, struct rte_mbuf *m,
			       const struct stamp_burst *stamps, uint32_t seq)
{
	uint8_t *frame = (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM;

	m->data_off = RTE_PKTMBUF_HEADROOM;
	m->pkt_len = record->len;
	m->data_len = record->len;
	copy_blocks(frame, (const uint8_t *)(record + 1), record->len);
	if (record->stamp_at)
		stamp_burst_write(stamps, frame + record->stamp_at, seq);
}

/* Frames that are due, at most n, written into the mbufs that are ready. Returns how many. What
 * changes stands in variables of its own: bytes written might change anything else, for all that
 * the compiler knows. */
static __rte_always_inline uint32_t write_due(const struct replay *r, const struct sender *s,
					      struct replay_cursor *cursor, uint32_t n,
					      uint64_t now, const bool paced)
{
	const struct stamp_burst stamps =
		stamp_burst_begin(stamp_base(s->trial, s->first_space), now);
	const uint64_t elapsed = now - r->t0;
	const uint32_t seq = (uint32_t)s->streams[0].sent;
	const uint8_t *const end = r->end;
	struct rte_mbuf *const *const ready = s->ready;
	struct replay_cursor c = *cursor;
	uint32_t i;

	for (i = 0; i < n && c.at != end; i++) {
		unsigned __int128 due = 0;

		if (paced) {
			due = due_of(r, &c);
			if (whole(due) > elapsed)
				break;
		}
		__builtin_prefetch(c.at + AHEAD);
		__builtin_prefetch(c.at + AHEAD + 64);
		write_frame(record_at(c.at), ready[i], &stamps, seq + (uint32_t)c.stamped);
		step(r, &c, due);
	}
	*cursor = c;
	return i;
}

/* The cursor behind the first n of the frames that follow it. */
static struct replay_cursor behind(const struct replay *r, struct replay_cursor c, uint32_t n)
{
	while (n--)
		step(r, &c, r->pace == REPLAY_MAX ? 0 : due_of(r, &c));
	return c;
}

/* The first frame of all is due at t0, whatever the gap in front of it. */
static void begin(struct replay *r, const struct sender *s)
{
	r->begun = true;
	r->t0 = s->pacing.t0;
	r->cursor.bits = 0;
	r->cursor.due = 0 - (unsigned __int128)units(r, &r->cursor) * r->scale;
}

/* After the last frame its own time passes, too: N frames take N gaps. */
static void end_when_over(struct replay *r, struct sender *s, uint64_t now)
{
	uint64_t gap = r->pace == REPLAY_RECORDED ? replay_loop_gap(&r->facts)
		       : r->pace == REPLAY_FRAMES ? 1
						  : r->cursor.bits;
	unsigned __int128 over = r->cursor.due + (unsigned __int128)gap * r->scale;

	r->ended = true;
	if (r->pace == REPLAY_MAX || (int64_t)(now - r->t0) >= (int64_t)whole(over))
		s->frame_limit = s->sent + s->unstamped;
}

/* A chunk with a frame is in hand. */
static bool have_frames(struct replay *r, struct sender *s, uint64_t now)
{
	const uint8_t *at;

	if (__builtin_expect(r->end && r->cursor.at != r->end, 1))
		return true;
	if (r->ended) {
		end_when_over(r, s, now);
		return false;
	}
	switch (replay_feed_next(&r->feed, r->end != NULL, &at, &r->end)) {
	case REPLAY_CHUNK:
		r->cursor.at = at;
		if (!r->begun)
			begin(r, s);
		return true;
	case REPLAY_STARVED:
		r->starved++;
		r->end = NULL;
		return false;
	case REPLAY_END:
		r->end = NULL;
		end_when_over(r, s, now);
		return false;
	}
	return false;
}

/* False when nothing is due. Where the first frame is too late, the rest of the capture moves. */
static bool heed_lateness(struct replay *r, struct sender *s, uint64_t now)
{
	uint64_t due, late;

	if (r->pace == REPLAY_MAX)
		return true;
	if ((int64_t)(now - r->t0) < 0)
		return false;
	due = whole(due_of(r, &r->cursor));
	if (due > now - r->t0)
		return false;
	late = now - r->t0 - due;
	hist_add(s->lateness, late);
	if (late > r->max_lag) {
		r->t0 += late;
		r->shifted += late;
		r->shifts++;
	}
	return true;
}

static uint32_t ready_mbufs(struct sender *s, uint32_t n)
{
	if (s->n_ready < n &&
	    !rte_mempool_get_bulk(s->pool, (void **)&s->ready[s->n_ready], n - s->n_ready))
		s->n_ready = (uint16_t)n;
	return s->n_ready < n ? s->n_ready : n;
}

/* Frames that the port did not take: refused, or waited for. */
static struct replay_cursor not_taken(struct replay *r, struct sender *s,
				      const struct replay_cursor *all, uint32_t n, uint32_t sent,
				      uint64_t now)
{
	struct replay_cursor c = behind(r, r->cursor, sent);

	s->backpressured++;
	if (r->pace == REPLAY_MAX || s->wait_on_full)
		return c;
	s->refused += n - sent;
	refusals_note(s->refusals, now, n - sent);
	/* Their time is over, but their numbers are used again. */
	c.at = all->at;
	c.due = all->due;
	c.bits = all->bits;
	return c;
}

static void keep_mbufs(struct sender *s, uint32_t sent)
{
	s->n_ready = (uint16_t)(s->n_ready - sent);
	if (s->n_ready && sent)
		memmove(s->ready, s->ready + sent, s->n_ready * sizeof(struct rte_mbuf *));
}

static void note_departure(struct sender *s, uint32_t sent, uint64_t now)
{
	if (!sent)
		return;
	if (s->last_departure)
		hist_add(s->spacing, now - s->last_departure);
	s->side_by_side += sent - 1;
	s->last_departure = now;
}

/* What the cursor says was sent is counted, and it starts to count anew. */
static void book(struct replay *r, struct sender *s, struct replay_cursor c)
{
	s->sent += c.stamped;
	s->unstamped += c.unstamped;
	s->bytes += c.bytes;
	s->streams[0].sent += c.stamped;
	c.stamped = c.unstamped = c.bytes = 0;
	r->cursor = c;
}

bool replay_run(struct replay *r, struct sender *s, uint64_t now)
{
	uint64_t left = s->frame_limit - s->sent - s->unstamped;
	struct replay_cursor c;
	uint32_t n, sent;

	if (__atomic_load_n(&s->link_down, __ATOMIC_RELAXED) || !left || !have_frames(r, s, now) ||
	    !heed_lateness(r, s, now))
		return false;
	n = ready_mbufs(s, left < s->burst ? (uint32_t)left : s->burst);
	c = r->cursor;
	n = r->pace == REPLAY_MAX ? write_due(r, s, &c, n, now, false)
				  : write_due(r, s, &c, n, now, true);
	if (!n)
		return false;
	checkpoints_note(s->checkpoints, s->sent, now);
	sent = sender_transmit(s, (uint16_t)n, now);
	if (__builtin_expect(sent < n, 0))
		c = not_taken(r, s, &c, n, sent, now);
	keep_mbufs(s, sent);
	note_departure(s, sent, now);
	book(r, s, c);
	return sent == s->burst;
}

/* Cycles of a unit, and the frames a second that come of it over a whole pass. */
static int set_pace(struct replay *r, const struct replay_plan *plan, char *err, size_t errlen)
{
	double mean = (double)r->facts.bytes / (double)r->facts.frames, bps = plan->rate.value;
	uint64_t gap = replay_loop_gap(&r->facts);

	if (plan->recorded) {
		/* A file whose frames all have one time goes out at once. */
		r->pace = gap ? REPLAY_RECORDED : REPLAY_MAX;
		r->requested_pps = gap ? (double)r->facts.frames * plan->speed * 1e9 /
						   (double)(r->facts.span_ns + gap)
				       : 0;
		return 0;
	}
	switch (plan->rate.kind) {
	case RATE_MAX:
		r->pace = REPLAY_MAX;
		return 0;
	case RATE_PPS:
		r->pace = REPLAY_FRAMES;
		r->requested_pps = plan->rate.value;
		return 0;
	case RATE_L2_BPS:
		r->pace = REPLAY_L2;
		r->requested_pps = bps / 8 / mean;
		return 0;
	case RATE_PERCENT:
		if (!(plan->line_rate_bps > 0))
			return rate_to_pps(&plan->rate, 64, 0, 0, &r->requested_pps, err, errlen);
		bps *= plan->line_rate_bps / 100;
		break;
	case RATE_L1_BPS:
		break;
	case RATE_PERCENT_OF_MAX:
		snprintf(err, errlen, "a replay has no forwarding rate that %%max could refer to");
		return -EINVAL;
	}
	r->pace = REPLAY_L1;
	r->rate.value = bps;
	r->requested_pps = bps / 8 / (mean + FRAME_L1_OVERHEAD);
	return 0;
}

int replay_open(struct replay *r, const struct replay_plan *plan, char *err, size_t errlen)
{
	int rc;

	*r = (struct replay){.path = plan->path,
			     .facts = *plan->facts,
			     .rules = *plan->rules,
			     .speed = plan->speed,
			     .rate = plan->rate};
	rc = set_pace(r, plan, err, errlen);
	if (rc)
		return rc;
	return replay_feed_open(&r->feed, r->path, &r->rules, &r->facts, plan->passes,
				plan->preload_limit, err, errlen);
}

void replay_close(struct replay *r)
{
	replay_feed_close(&r->feed);
}

static void take_macs(struct replay_rules *rules, const uint8_t dst_mac[6],
		      const uint8_t src_mac[6])
{
	memcpy(rules->dst_mac, dst_mac, 6);
	memcpy(rules->src_mac, src_mac, 6);
	if (rules->rewrite.dst_how == MAC_LEARNT)
		memcpy(rules->rewrite.dst_mac, dst_mac, 6);
	if (rules->rewrite.src_how == MAC_LEARNT)
		memcpy(rules->rewrite.src_mac, src_mac, 6);
}

static double cycles_a_unit(const struct replay *r, double hz)
{
	switch (r->pace) {
	case REPLAY_RECORDED:
		return hz / 1e9 / r->speed;
	case REPLAY_FRAMES:
	case REPLAY_L1:
	case REPLAY_L2:
		return hz / r->rate.value;
	case REPLAY_MAX:
		break;
	}
	return 0;
}

int replay_begin(struct replay *r, const uint8_t dst_mac[6], const uint8_t src_mac[6], double hz,
		 double lag_seconds, char *err, size_t errlen)
{
	bool known = !memcmp(r->rules.dst_mac, dst_mac, 6) && !memcmp(r->rules.src_mac, src_mac, 6);

	take_macs(&r->rules, dst_mac, src_mac);
	r->scale = (uint64_t)llround(fmin(ldexp(cycles_a_unit(r, hz), SCALE_BITS), 0x1p62));
	r->max_lag = (uint64_t)(lag_seconds * hz);
	r->cursor = (struct replay_cursor){0};
	r->end = NULL;
	r->begun = r->ended = false;
	r->shifted = r->shifts = r->starved = 0;
	return replay_feed_start(&r->feed, !known, err, errlen);
}

int replay_end(struct replay *r, char *err, size_t errlen)
{
	return replay_feed_stop(&r->feed, err, errlen);
}

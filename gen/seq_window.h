/*
 * The sequence window: which sequence numbers of a space have come, exactly.
 *
 * A bitmap of the last numbers. A first copy, a duplicate and a reordered frame (RFC
 * 4737: a first copy below the highest number seen + 1) are told apart for every frame in the
 * window; one that falls out of it is counted as too late, for nobody can say any more what it is.
 * As numbers leave the window, what is missing becomes loss runs. 64 numbers leave at a time, so a
 * frame costs a compare, a bit and an add.
 */
#ifndef TANDEM_SEQ_WINDOW_H
#define TANDEM_SEQ_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes of the window of a single stream; many streams share about as much memory. */
#define SEQ_WINDOW    (1u << 18)
#define SEQ_WORDS     (SEQ_WINDOW / 64)
#define SEQ_MAX_RUNS  65536u
#define SEQ_MAX_GAPS  1024u
#define SEQ_LOG_WORDS (1u << 18)

/* How large a window is. Each is a power of two. */
struct seq_sizes {
	uint32_t words;	    /* of the bitmap, 64 numbers each */
	uint32_t runs;	    /* loss runs kept */
	uint32_t gaps;	    /* gaps remembered, for the extents of reordered frames */
	uint32_t log_words; /* where several cores receive the space */
};

/* The sizes for one of several streams: each has its share of the frames. */
struct seq_sizes seq_sizes(uint32_t streams);

struct loss_run {
	uint64_t first, length;
};

/* A jump ahead of the highest number: numbers from first on were skipped by the arrival-th first
 * copy. */
struct seq_gap {
	uint64_t first, arrival;
};

/*
 * Where several cores receive a space, none of them can settle it: words that leave their windows
 * go through such logs to the control thread, which merges them (seq_merge.h). One writer, one
 * reader.
 */
struct seq_log {
	uint64_t written;			    /* by the receiving core */
	uint64_t overflow;			    /* words that found no room */
	uint64_t read __attribute__((aligned(64))); /* by the control thread */
	uint64_t word[];
};

struct seq_window {
	/* The first line is all that a frame in its place needs, but for its word. */
	uint64_t next;	  /* highest number seen + 1: what RFC 4737 calls NextExp */
	uint64_t retired; /* words that have left the window; numbers below 64 x this are settled */
	uint64_t received;  /* first copies */
	uint64_t word_mask; /* words in the window - 1 */
	uint64_t duplicate;
	uint64_t reordered;
	uint64_t too_late;
	uint64_t gaps; /* jumps seen; the last ones stand in gap[] */

	struct seq_sizes sizes;
	uint64_t extent_sum, extent_max; /* of reordered frames: RFC 4737, section 4.2.2 */
	uint64_t lost;			 /* settled as lost */
	uint64_t last_lost;		 /* the highest of them, where there are any */
	uint64_t longest_run;
	uint64_t runs;	       /* loss runs ended, also those not kept */
	struct loss_run open;  /* the run at the settled edge, length 0 for none */
	struct loss_run *kept; /* the first sizes.runs of them */
	struct seq_log *log;   /* NULL: the window settles itself */
	struct seq_gap *gap;
	uint64_t word[] __attribute__((aligned(64)));
} __attribute__((aligned(64)));

enum seq_verdict { SEQ_FIRST, SEQ_DUPLICATE, SEQ_TOO_LATE };

/*
 * A new empty window; NULL when out of memory. One that is logged settles nothing itself: its words
 * go through a log.
 */
struct seq_window *seq_window_new(const struct seq_sizes *sizes, bool logged);
void seq_window_free(struct seq_window *w);
void seq_window_reset(struct seq_window *w);

/* Slow path of seq_window_add: makes room for a number beyond the window. */
void seq_window_advance(struct seq_window *w, uint64_t word);

/* Slow path of seq_window_add: a first copy at or above the highest number jumped a gap, or one
 * came below it. */
void seq_window_note_gap(struct seq_window *w);
void seq_window_note_reordered(struct seq_window *w, uint64_t seq);

/* Lets words below `word` leave the window, so that a core that receives little does not hold up
 * the merging. */
void seq_window_leave(struct seq_window *w, uint64_t word);

/* Loss runs that are kept. */
static inline uint64_t seq_window_kept(const struct seq_window *w)
{
	return w->runs < w->sizes.runs ? w->runs : w->sizes.runs;
}

/* Settles the next word with these bits: what a merged window is made of. */
void seq_window_settle_word(struct seq_window *w, uint64_t bits);

/* Settles everything: numbers 0..sent-1 were sent, what has not come is lost. */
void seq_window_finish(struct seq_window *w, uint64_t sent);

/* A 32-bit sequence number widened next to the highest seen. */
static inline uint64_t seq_window_widen(const struct seq_window *w, uint32_t seq)
{
	return w->next + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)w->next);
}

static inline enum seq_verdict seq_window_add(struct seq_window *w, uint64_t seq)
{
	uint64_t at = seq >> 6, bit = 1ull << (seq & 63), *word;

	if (__builtin_expect(at < w->retired, 0)) {
		w->too_late++;
		return SEQ_TOO_LATE;
	}
	if (__builtin_expect(at - w->retired > w->word_mask, 0))
		seq_window_advance(w, at);
	word = &w->word[at & w->word_mask];
	if (__builtin_expect(*word & bit, 0)) {
		w->duplicate++;
		return SEQ_DUPLICATE;
	}
	*word |= bit;
	w->received++;
	if (__builtin_expect(seq != w->next, 0)) {
		if (seq < w->next) {
			seq_window_note_reordered(w, seq);
			return SEQ_FIRST;
		}
		seq_window_note_gap(w);
	}
	w->next = seq + 1;
	return SEQ_FIRST;
}

/*
 * Adds n numbers from seq on, which is the case for nearly every frame: they follow right on the
 * highest seen, so that all are first copies. False, and nothing is done, when they do not: then
 * they are added one by one.
 */
static inline bool seq_window_add_run(struct seq_window *w, uint64_t seq, uint64_t n)
{
	uint64_t end = seq + n;

	if (__builtin_expect(seq != w->next || seq >> 6 < w->retired, 0))
		return false;
	while (seq < end) {
		uint64_t at = seq >> 6, shift = seq & 63;
		uint64_t bits = end - seq < 64 - shift ? end - seq : 64 - shift;

		if (__builtin_expect(at - w->retired > w->word_mask, 0))
			seq_window_advance(w, at);
		w->word[at & w->word_mask] |= (~0ull >> (64 - bits)) << shift;
		seq += bits;
	}
	w->received += n;
	w->next = end;
	return true;
}

#endif

/*
 * The slow side of the sequence window: words leave it and what they miss becomes loss runs.
 */
#include "gen/seq_window.h"

#include <stdlib.h>
#include <string.h>

#define MIN_WORDS     64u /* 4,096 numbers: deeper than any reordering that a link does */
#define MIN_RUNS      64u
#define MIN_GAPS      64u
#define MIN_LOG_WORDS 256u

/* The share of one of several streams, rounded down to a power of two. */
static uint32_t share(uint32_t whole, uint32_t streams, uint32_t least)
{
	while (whole > least && streams > 1) {
		whole /= 2;
		streams = (streams + 1) / 2;
	}
	return whole;
}

struct seq_sizes seq_sizes(uint32_t streams)
{
	return (struct seq_sizes){.words = share(SEQ_WORDS, streams, MIN_WORDS),
				  .runs = share(SEQ_MAX_RUNS, streams, MIN_RUNS),
				  .gaps = share(SEQ_MAX_GAPS, streams, MIN_GAPS),
				  .log_words = share(SEQ_LOG_WORDS, streams, MIN_LOG_WORDS)};
}

struct seq_window *seq_window_new(const struct seq_sizes *sizes, bool logged)
{
	size_t size = sizeof(struct seq_window) + sizes->words * sizeof(uint64_t);
	struct seq_window *w = aligned_alloc(64, (size + 63) / 64 * 64);

	if (!w)
		return NULL;
	memset(w, 0, sizeof(*w));
	w->sizes = *sizes;
	w->gap = calloc(sizes->gaps, sizeof(*w->gap));
	if (logged)
		w->log = aligned_alloc(64, sizeof(*w->log) + sizes->log_words * sizeof(uint64_t));
	else
		w->kept = calloc(sizes->runs, sizeof(*w->kept));
	if (!w->gap || (logged ? !w->log : !w->kept)) {
		seq_window_free(w);
		return NULL;
	}
	seq_window_reset(w);
	return w;
}

void seq_window_free(struct seq_window *w)
{
	if (!w)
		return;
	free(w->gap);
	free(w->kept);
	free(w->log);
	free(w);
}

void seq_window_reset(struct seq_window *w)
{
	struct seq_window fresh = {.sizes = w->sizes,
				   .word_mask = w->sizes.words - 1,
				   .gap = w->gap,
				   .kept = w->kept,
				   .log = w->log};

	/* Also touches every page before the data path does. */
	*w = fresh;
	memset(w->word, 0, w->sizes.words * sizeof(*w->word));
	memset(w->gap, 0, w->sizes.gaps * sizeof(*w->gap));
	if (w->kept)
		memset(w->kept, 0, w->sizes.runs * sizeof(*w->kept));
	if (w->log)
		memset(w->log, 0, sizeof(*w->log) + w->sizes.log_words * sizeof(uint64_t));
}

static void end_run(struct seq_window *w)
{
	if (!w->open.length)
		return;
	if (w->runs < w->sizes.runs)
		w->kept[w->runs] = w->open;
	w->runs++;
	w->lost += w->open.length;
	w->last_lost = w->open.first + w->open.length - 1;
	if (w->open.length > w->longest_run)
		w->longest_run = w->open.length;
	w->open.length = 0;
}

static void extend_run(struct seq_window *w, uint64_t first, uint64_t length)
{
	if (!w->open.length)
		w->open.first = first;
	w->open.length += length;
}

/* Settles the first n numbers of a word that starts at first. */
static void settle(struct seq_window *w, uint64_t bits, uint64_t first, unsigned int n)
{
	unsigned int at = 0;

	while (at < n) {
		uint64_t rest = bits >> at;
		unsigned int came = ~rest ? (unsigned int)__builtin_ctzll(~rest) : 64, missing;

		if (came) {
			end_run(w);
			at += came;
			continue;
		}
		missing = rest ? (unsigned int)__builtin_ctzll(rest) : 64;
		if (missing > n - at)
			missing = n - at;
		extend_run(w, first + at, missing);
		at += missing;
	}
}

static void log_word(struct seq_log *log, uint32_t room, uint64_t bits)
{
	uint64_t written = log->written;

	if (written - __atomic_load_n(&log->read, __ATOMIC_ACQUIRE) == room) {
		log->overflow++;
		return;
	}
	log->word[written & (room - 1)] = bits;
	__atomic_store_n(&log->written, written + 1, __ATOMIC_RELEASE);
}

static void retire_word(struct seq_window *w)
{
	uint64_t *word = &w->word[w->retired & w->word_mask];

	if (w->log)
		log_word(w->log, w->sizes.log_words, *word);
	else
		settle(w, *word, w->retired * 64, 64);
	*word = 0;
	__atomic_store_n(&w->retired, w->retired + 1, __ATOMIC_RELAXED);
}

void seq_window_settle_word(struct seq_window *w, uint64_t bits)
{
	settle(w, bits, w->retired * 64, 64);
	w->received += (uint64_t)__builtin_popcountll(bits);
	w->retired++;
}

void seq_window_leave(struct seq_window *w, uint64_t word)
{
	while (w->retired < word)
		retire_word(w);
}

void seq_window_advance(struct seq_window *w, uint64_t word)
{
	uint64_t target = word - w->word_mask;

	if (w->log) {
		seq_window_leave(w, target);
		return;
	}
	for (uint32_t i = 0; i < w->sizes.words && w->retired < target; i++)
		retire_word(w);
	/* A gap larger than the window: the words in between never held anything. */
	if (w->retired < target) {
		extend_run(w, w->retired * 64, (target - w->retired) * 64);
		w->retired = target;
	}
}

void seq_window_note_gap(struct seq_window *w)
{
	w->gap[w->gaps++ & (w->sizes.gaps - 1)] = (struct seq_gap){w->next, w->received};
}

/*
 * The extent of a reordered frame is the distance to the earliest arrival with a larger number.
 * That arrival was the one that jumped over this number: the last gap that begins at or below it.
 */
void seq_window_note_reordered(struct seq_window *w, uint64_t seq)
{
	uint64_t oldest = w->gaps > w->sizes.gaps ? w->gaps - w->sizes.gaps : 0;

	w->reordered++;
	for (uint64_t i = w->gaps; i > oldest; i--) {
		const struct seq_gap *gap = &w->gap[(i - 1) & (w->sizes.gaps - 1)];
		uint64_t extent = w->received - gap->arrival;

		if (gap->first > seq)
			continue;
		w->extent_sum += extent;
		if (extent > w->extent_max)
			w->extent_max = extent;
		return;
	}
}

void seq_window_finish(struct seq_window *w, uint64_t sent)
{
	uint64_t words = sent / 64;

	for (uint32_t i = 0; i < w->sizes.words && w->retired < words; i++)
		retire_word(w);
	if (w->retired < words) {
		extend_run(w, w->retired * 64, (words - w->retired) * 64);
		w->retired = words;
	}
	if (sent % 64 && w->retired == words)
		settle(w, w->word[words & w->word_mask], words * 64, (unsigned int)(sent % 64));
	end_run(w);
}

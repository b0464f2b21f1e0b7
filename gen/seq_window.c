/*
 * The slow side of the sequence window: words leave it and what they miss becomes loss runs.
 */
#include "gen/seq_window.h"

#include <stdlib.h>
#include <string.h>

struct seq_window *seq_window_new(void)
{
	struct seq_window *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->kept = calloc(SEQ_MAX_RUNS, sizeof(*w->kept));
	if (!w->kept) {
		free(w);
		return NULL;
	}
	seq_window_reset(w);
	return w;
}

void seq_window_free(struct seq_window *w)
{
	if (!w)
		return;
	free(w->kept);
	free(w->log);
	free(w);
}

void seq_window_reset(struct seq_window *w)
{
	struct loss_run *kept = w->kept;
	struct seq_log *log = w->log;

	/* Also touches every page before the data path does. */
	memset(w, 0, sizeof(*w));
	if (kept)
		memset(kept, 0, SEQ_MAX_RUNS * sizeof(*kept));
	if (log)
		memset(log, 0, sizeof(*log));
	w->kept = kept;
	w->log = log;
}

static void end_run(struct seq_window *w)
{
	if (!w->open.length)
		return;
	if (w->runs < SEQ_MAX_RUNS)
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

static void log_word(struct seq_log *log, uint64_t bits)
{
	uint64_t written = log->written;

	if (written - __atomic_load_n(&log->read, __ATOMIC_ACQUIRE) == SEQ_LOG_WORDS) {
		log->overflow++;
		return;
	}
	log->word[written % SEQ_LOG_WORDS] = bits;
	__atomic_store_n(&log->written, written + 1, __ATOMIC_RELEASE);
}

static void retire_word(struct seq_window *w)
{
	uint64_t *word = &w->word[w->retired % SEQ_WORDS];

	if (w->log)
		log_word(w->log, *word);
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
	uint64_t target = word - SEQ_WORDS + 1;

	if (w->log) {
		seq_window_leave(w, target);
		return;
	}
	for (uint32_t i = 0; i < SEQ_WORDS && w->retired < target; i++)
		retire_word(w);
	/* A gap larger than the window: the words in between never held anything. */
	if (w->retired < target) {
		extend_run(w, w->retired * 64, (target - w->retired) * 64);
		w->retired = target;
	}
}

void seq_window_note_gap(struct seq_window *w)
{
	w->gap[w->gaps++ % SEQ_MAX_GAPS] = (struct seq_gap){w->next, w->received};
}

/*
 * The extent of a reordered frame is the distance to the earliest arrival with a larger number.
 * That arrival was the one that jumped over this number: the last gap that begins at or below it.
 */
void seq_window_note_reordered(struct seq_window *w, uint64_t seq)
{
	uint64_t oldest = w->gaps > SEQ_MAX_GAPS ? w->gaps - SEQ_MAX_GAPS : 0;

	w->reordered++;
	for (uint64_t i = w->gaps; i > oldest; i--) {
		const struct seq_gap *gap = &w->gap[(i - 1) % SEQ_MAX_GAPS];
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

	for (uint32_t i = 0; i < SEQ_WORDS && w->retired < words; i++)
		retire_word(w);
	if (w->retired < words) {
		extend_run(w, w->retired * 64, (words - w->retired) * 64);
		w->retired = words;
	}
	if (sent % 64 && w->retired == words)
		settle(w, w->word[words % SEQ_WORDS], words * 64, (unsigned int)(sent % 64));
	end_run(w);
}

/*
 * Merging windows. Words leave each core's window in order, so that word k of every log is about
 * the same numbers.
 */
#include "gen/seq_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int seq_merge_open(struct seq_merge *m, unsigned int cores, const struct seq_sizes *sizes)
{
	memset(m, 0, sizeof(*m));
	m->n = cores;
	for (unsigned int i = 0; i < cores; i++) {
		m->window[i] = seq_window_new(sizes, cores > 1);
		if (!m->window[i])
			return -ENOMEM;
	}
	m->result = cores > 1 ? seq_window_new(sizes, false) : m->window[0];
	return m->result ? 0 : -ENOMEM;
}

void seq_merge_close(struct seq_merge *m)
{
	if (m->n > 1)
		seq_window_free(m->result);
	for (unsigned int i = 0; i < m->n; i++)
		seq_window_free(m->window[i]);
	memset(m, 0, sizeof(*m));
}

void seq_merge_reset(struct seq_merge *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		seq_window_reset(m->window[i]);
	if (m->n > 1)
		seq_window_reset(m->result);
	m->floor = 0;
	m->incomplete = false;
}

static uint64_t available(const struct seq_window *w)
{
	return __atomic_load_n(&w->log->written, __ATOMIC_ACQUIRE) - w->log->read;
}

static uint64_t take_word(struct seq_window *w)
{
	uint64_t bits = w->log->word[w->log->read & (w->sizes.log_words - 1)];

	__atomic_store_n(&w->log->read, w->log->read + 1, __ATOMIC_RELEASE);
	return bits;
}

void seq_merge_run(struct seq_merge *m)
{
	uint64_t n = UINT64_MAX, leading = 0, behind;

	if (m->n == 1)
		return;
	for (unsigned int i = 0; i < m->n; i++) {
		uint64_t retired = __atomic_load_n(&m->window[i]->retired, __ATOMIC_RELAXED);
		uint64_t waiting = available(m->window[i]);

		if (waiting < n)
			n = waiting;
		if (retired > leading)
			leading = retired;
	}
	for (; n; n--) {
		uint64_t bits = 0;

		for (unsigned int i = 0; i < m->n; i++)
			bits |= take_word(m->window[i]);
		seq_window_settle_word(m->result, bits);
	}
	/* A core that receives little must let go of old words before the others' logs are full. */
	behind = m->result->sizes.log_words / 2;
	if (leading > behind)
		__atomic_store_n(&m->floor, leading - behind, __ATOMIC_RELAXED);
}

/* Word k of a core that no longer receives, whether it has left the window or not. */
static uint64_t last_words(struct seq_window *w, uint64_t k)
{
	if (k < w->retired)
		return available(w) ? take_word(w) : 0;
	return k - w->retired <= w->word_mask ? w->word[k & w->word_mask] : 0;
}

void seq_merge_finish(struct seq_merge *m, uint64_t sent)
{
	struct seq_window *result = m->result;
	uint64_t arrivals = 0, words = sent / 64;

	if (m->n == 1) {
		seq_window_finish(result, sent);
		return;
	}
	for (unsigned int i = 0; i < m->n; i++) {
		const struct seq_window *w = m->window[i];

		m->incomplete |= w->log->overflow > 0;
		arrivals += w->received + w->duplicate;
		result->reordered += w->reordered;
		result->extent_sum += w->extent_sum;
		if (w->extent_max > result->extent_max)
			result->extent_max = w->extent_max;
		result->too_late += w->too_late;
		if (w->next > result->next)
			result->next = w->next;
	}
	while (result->retired <= words) {
		uint64_t bits = 0;

		for (unsigned int i = 0; i < m->n; i++)
			bits |= last_words(m->window[i], result->retired);
		if (result->retired == words) {
			/* The last word is settled up to the last number only. */
			result->word[words & result->word_mask] = bits;
			result->received += (uint64_t)__builtin_popcountll(bits);
			break;
		}
		seq_window_settle_word(result, bits);
	}
	seq_window_finish(result, sent);
	result->duplicate = arrivals - result->received;
}

uint64_t seq_merge_received(const struct seq_merge *m)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < m->n; i++)
		n += __atomic_load_n(&m->window[i]->received, __ATOMIC_RELAXED);
	return n;
}

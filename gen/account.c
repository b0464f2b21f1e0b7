/*
 * Booking received frames.
 */
#include "gen/account.h"

#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#define MAX_DECAY 64u

static double decay[MAX_DECAY + 1]; /* (15/16)^n */

static size_t hists_size(uint32_t n)
{
	return 2 * (size_t)n * sizeof(struct hist);
}

/*
 * The histograms of many streams are far apart: in small pages, nearly every burst would miss the
 * TLB.
 */
static struct hist *hists_new(uint32_t n)
{
	struct hist *hists = mmap(NULL, hists_size(n), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (hists == MAP_FAILED)
		return NULL;
	madvise(hists, hists_size(n), MADV_HUGEPAGE);
	for (uint32_t i = 0; i < 2 * n; i++)
		hist_reset(&hists[i]);
	return hists;
}

static struct sample_list *samples_new(uint64_t max)
{
	size_t size = sizeof(struct sample_list) + max * sizeof(struct sample);
	struct sample_list *list = malloc(size);

	if (!list)
		return NULL;
	memset(list, 0, size);
	list->max = max;
	return list;
}

struct account *accounts_new(uint32_t n, uint64_t max_samples)
{
	struct account *accounts = aligned_alloc(64, n * sizeof(*accounts));
	struct sample_list *samples = max_samples ? samples_new(max_samples) : NULL;
	struct hist *hists = hists_new(n);

	decay[0] = 1;
	for (uint32_t i = 0; i < MAX_DECAY; i++)
		decay[i + 1] = decay[i] * 15 / 16;
	if (!accounts || !hists || (max_samples && !samples)) {
		if (hists)
			munmap(hists, hists_size(n));
		free(samples);
		free(accounts);
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		accounts[i] = (struct account){
			.clean = &hists[2 * i], .shadow = &hists[2 * i + 1], .samples = samples};
	return accounts;
}

size_t accounts_size(uint32_t n)
{
	return hists_size(n) + n * sizeof(struct account);
}

void accounts_free(struct account *accounts, uint32_t n)
{
	if (!accounts)
		return;
	munmap(accounts[0].clean, hists_size(n));
	free(accounts[0].samples);
	free(accounts);
}

void accounts_reset(struct account *accounts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct account *a = &accounts[i];

		hist_clear(a->clean);
		hist_clear(a->shadow);
		*a = (struct account){
			.clean = a->clean, .shadow = a->shadow, .samples = a->samples};
	}
	if (accounts[0].samples)
		accounts[0].samples->n = 0;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * RFC 3550's running estimate over n arrivals with the same round trip: the first one differs from
 * the one before, the others only let it decay, by 15/16 each: looked up, for a run is no loop.
 */
static void note_jitter(double *jitter, uint64_t *last, uint64_t n, uint64_t rtt)
{
	if (*last)
		*jitter += ((double)difference(rtt, *last) - *jitter) / 16;
	for (n--; n > MAX_DECAY; n -= MAX_DECAY)
		*jitter *= decay[MAX_DECAY];
	*jitter *= decay[n];
	*last = rtt;
}

/* Delay variation (RFC 5481) is between a frame and the one sent just before it in the same space.
 */
static void note_variation(struct account *a, uint16_t space, uint64_t seq, uint64_t n,
			   uint64_t rtt)
{
	if (a->last_rtt && seq == a->last_seq + 1 && space == a->last_space) {
		uint64_t d = difference(rtt, a->last_rtt);

		a->ipdv_pairs++;
		a->ipdv_sum += d;
		if (d > a->ipdv_max)
			a->ipdv_max = d;
	}
	a->ipdv_pairs += n - 1;
	a->last_seq = seq + n - 1;
	a->last_space = space;
}

static void note_samples(struct sample_list *list, const struct frame_run *run, uint16_t space,
			 uint64_t seq, uint64_t n, uint64_t rtt)
{
	for (uint64_t i = 0; i < n && list->n < list->max; i++)
		list->sample[list->n++] = (struct sample){seq + i, run->now, rtt, space};
}

/* n round trips of the same length, of consecutive numbers. */
static void note_round_trips(struct account *a, const struct frame_run *run, uint16_t space,
			     uint64_t seq, uint64_t n, uint64_t rtt)
{
	if (__builtin_expect(rtt >= run->since_stall, 0)) {
		hist_add_n(a->shadow, rtt, n);
	} else {
		hist_add_n(a->clean, rtt, n);
		note_jitter(&a->clean_jitter, &a->last_clean_rtt, n, rtt);
	}
	note_variation(a, space, seq, n, rtt);
	note_jitter(&a->jitter, &a->last_rtt, n, rtt);
	if (__builtin_expect(a->samples != NULL, 0))
		note_samples(a->samples, run, space, seq, n, rtt);
}

/* n first copies. */
static void note_received(const struct inbound *in, const struct frame_run *run, uint64_t seq,
			  uint64_t n)
{
	struct account *a = in->account;
	int64_t rtt = stamp_age(run->now, run->tx_time);

	a->received += n;
	a->bytes += n * run->len;
	if (run->corrupt)
		a->corrupt += n;
	else if (__builtin_expect(rtt < 0, 0))
		a->negative += n;
	else
		note_round_trips(a, run, in->space, seq, n, (uint64_t)rtt);
}

/*
 * The 64-bit number of a stamp. On the core that sends it, it is the last one below what was sent,
 * however many were lost since; elsewhere the one next to the highest seen.
 */
static uint64_t widen(const struct inbound *in, uint32_t seq)
{
	uint64_t last = *in->sent - 1;

	if (*in->sent == UINT64_MAX)
		return seq_window_widen(in->window, seq);
	return last - (uint32_t)((uint32_t)last - seq);
}

void account_run(const struct inbound *in, const struct frame_run *run)
{
	uint64_t seq = widen(in, run->first);

	if (__builtin_expect(
		    seq + run->n <= *in->sent && seq_window_add_run(in->window, seq, run->n), 1)) {
		note_received(in, run, seq, run->n);
		return;
	}
	/* Something was lost, doubled or put out of order just here. */
	for (uint32_t i = 0; i < run->n; i++, seq++) {
		if (seq >= *in->sent)
			in->account->beyond++;
		else if (seq_window_add(in->window, seq) == SEQ_FIRST)
			note_received(in, run, seq, 1);
	}
}

/*
 * Booking received frames.
 */
#include "gen/account.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Difference of a round trip to the one before it. */
static uint64_t variation(const struct account *a, uint64_t rtt)
{
	int64_t difference = (int64_t)(rtt - a->last_rtt);

	return (uint64_t)(difference < 0 ? -difference : difference);
}

/*
 * n round trips of the same length, of consecutive numbers. Jitter is over frames as they arrive,
 * so that the others of the run only let it decay; delay variation is between a frame and the one
 * sent just before it.
 */
static void note_round_trips(struct account *a, const struct frame_run *run, uint64_t seq,
			     uint64_t n, uint64_t rtt)
{
	hist_add_n(__builtin_expect(rtt >= run->since_stall, 0) ? a->shadow : a->clean, rtt, n);
	if (a->last_rtt) {
		uint64_t d = variation(a, rtt);

		a->jitter_x16 += d - ((a->jitter_x16 + 8) >> 4);
		if (seq == a->last_seq + 1) {
			a->ipdv_pairs++;
			a->ipdv_sum += d;
			if (d > a->ipdv_max)
				a->ipdv_max = d;
		}
	}
	for (uint64_t i = 1; i < n && a->jitter_x16 >= 8; i++)
		a->jitter_x16 -= (a->jitter_x16 + 8) >> 4;
	a->ipdv_pairs += n - 1;
	a->last_rtt = rtt;
	a->last_seq = seq + n - 1;
	for (uint64_t i = 0; i < n && a->n_samples < a->max_samples; i++)
		a->samples[a->n_samples++] = (struct sample){seq + i, run->now, rtt};
}

/* n first copies. */
static void note_received(struct account *a, const struct frame_run *run, uint64_t seq, uint64_t n)
{
	int64_t rtt = stamp_age(run->now, run->tx_time);

	a->received += n;
	if (__builtin_expect(!a->first_rx, 0))
		a->first_rx = run->now;
	a->last_rx = run->now;
	if (run->corrupt)
		a->corrupt += n;
	else if (__builtin_expect(rtt < 0, 0))
		a->negative += n;
	else
		note_round_trips(a, run, seq, n, (uint64_t)rtt);
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
		note_received(in->account, run, seq, run->n);
		return;
	}
	/* Something was lost, doubled or put out of order just here. */
	for (uint32_t i = 0; i < run->n; i++, seq++) {
		if (seq >= *in->sent)
			in->account->beyond++;
		else if (seq_window_add(in->window, seq) == SEQ_FIRST)
			note_received(in->account, run, seq, 1);
	}
}

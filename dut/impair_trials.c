/*
 * Trials come one after the other and their numbers go round after 256; eight are more than are
 * ever in flight together.
 */
#include "dut/impair_trials.h"
#include "common/stamp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NEXT_BITS 48u
#define NEXT_MASK ((1ull << NEXT_BITS) - 1)

/* A first frame older than this was not stamped by this host's TSC. */
#define MAX_AGE_S 10.0

static const char *const names[IMPAIR_COUNTS] = {
	[COUNT_SEEN] = "seen",
	[COUNT_OUTAGE] = "outage_dropped",
	[COUNT_POLICED] = "policed",
	[COUNT_DROPPED] = "dropped",
	[COUNT_SENT_FIRST] = "sent_first",
	[COUNT_DUPLICATED] = "duplicated",
	[COUNT_REORDERED] = "reordered",
	[COUNT_DELAYED] = "delayed",
	[COUNT_CORRUPTED] = "corrupted",
	[COUNT_CORRUPT_REFUSED] = "corrupt_refused",
	[COUNT_TX_DROPPED] = "tx_dropped",
	[COUNT_HELD_AT_END] = "held_at_end",
};

const char *impair_count_name(unsigned int count)
{
	return names[count];
}

int impair_trials_open(struct impair_trials *t, const struct impair_list *list, uint64_t seed,
		       uint32_t stream, double hz)
{
	*t = (struct impair_trials){.list = list, .seed = seed, .stream = stream, .hz = hz};
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++) {
		struct impair_trial *trial = &t->trial[i];

		/* Half a megabyte, of which a trial touches the few pages of its spaces. */
		trial->sequences = calloc(1, sizeof(*trial->sequences));
		if (!trial->sequences) {
			impair_trials_close(t);
			return -ENOMEM;
		}
	}
	return 0;
}

void impair_trials_close(struct impair_trials *t)
{
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++) {
		free(t->trial[i].sequences);
		t->trial[i].sequences = NULL;
	}
	t->latest = NULL;
}

static void begin_trial(struct impair_trials *t, struct impair_trial *trial, uint8_t number,
			uint64_t tx_time, uint64_t now)
{
	int64_t age = stamp_age(now, tx_time);

	/* Readers take what stands between two equal looks at begin. */
	__atomic_store_n(&trial->begin, 0, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		__atomic_store_n(&trial->count[i], 0, __ATOMIC_RELAXED);
	__atomic_store_n(&trial->number, number, __ATOMIC_RELAXED);
	if (++trial->use == 0) {
		memset(trial->sequences, 0, sizeof(*trial->sequences));
		trial->use = 1;
	}
	trial->stamp_clock = age >= 0 && (double)age < MAX_AGE_S * t->hz;
	impair_stages_start(&trial->stages, t->list, t->seed, t->stream, t->hz);
	__atomic_store_n(&trial->begin, now, __ATOMIC_RELEASE);
}

struct impair_trial *impair_trial_other(struct impair_trials *t, uint8_t number, uint64_t tx_time,
					uint64_t now)
{
	struct impair_trial *oldest = &t->trial[0];

	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++) {
		struct impair_trial *trial = &t->trial[i];

		if (trial->begin && trial->number == number)
			return t->latest = trial;
		if (trial->begin < oldest->begin)
			oldest = trial;
	}
	begin_trial(t, oldest, number, tx_time, now);
	return t->latest = oldest;
}

bool impair_sequence_sent(struct impair_trial *trial, uint16_t space, uint32_t seq)
{
	uint64_t *next = &trial->sequences->next[space];
	uint64_t expected = *next >> NEXT_BITS == trial->use ? *next & NEXT_MASK : seq;
	uint64_t number = expected + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)expected);

	if (number < expected || number > NEXT_MASK)
		return true;
	*next = (uint64_t)trial->use << NEXT_BITS | (number + 1);
	return false;
}

static uint64_t read64(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

/* False for an empty place, or one that another trial took while it was read. */
static bool read_trial(const struct impair_trial *trial, struct impair_trial_counts *to)
{
	to->begin = __atomic_load_n(&trial->begin, __ATOMIC_ACQUIRE);
	to->number = __atomic_load_n(&trial->number, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		to->count[i] = read64(&trial->count[i]);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return to->begin && to->begin == read64(&trial->begin);
}

/* The place for a trial in a list in order of begin; NULL when it is older than a full list. */
static struct impair_trial_counts *place_for(struct impair_counts *to, uint64_t begin)
{
	unsigned int at = to->n_trials;

	while (at > 0 && to->trial[at - 1].begin > begin)
		at--;
	if (to->n_trials == IMPAIR_TRIALS) {
		if (at == 0)
			return NULL;
		at--;
		memmove(&to->trial[0], &to->trial[1], at * sizeof(to->trial[0]));
	} else {
		memmove(&to->trial[at + 1], &to->trial[at],
			(to->n_trials - at) * sizeof(to->trial[0]));
		to->n_trials++;
	}
	return &to->trial[at];
}

static void add_trial(struct impair_counts *to, const struct impair_trial_counts *trial)
{
	struct impair_trial_counts *place = NULL;

	for (unsigned int i = 0; i < to->n_trials && !place; i++)
		if (to->trial[i].number == trial->number)
			place = &to->trial[i];
	if (place) {
		for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
			place->count[i] += trial->count[i];
		return;
	}
	place = place_for(to, trial->begin);
	if (place)
		*place = *trial;
}

void impair_counts_read(const struct impair_trials *t, struct impair_counts *to)
{
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		to->total[i] += read64(&t->total[i]);
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++) {
		struct impair_trial_counts trial;

		if (read_trial(&t->trial[i], &trial))
			add_trial(to, &trial);
	}
}

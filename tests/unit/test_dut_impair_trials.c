/*
 * Counts by trial: trials are told apart, the oldest makes room, reordering is RFC 4737's across a
 * wrap of the sequence number, streams add up; and the log is bounded.
 */
#include "dut/impair_log.h"
#include "dut/impair_trials.h"

#include "tests/unit/unit.h"

#define HZ 2e9

static struct impair_list list;
static struct impair_trials a, b;

static int open_both(void **state)
{
	char err[256];

	(void)state;
	memset(&list, 0, sizeof(list));
	return impair_list_parse(&list, "drop=0.5", err, sizeof(err)) ||
	       impair_trials_open(&a, &list, 1, 0, HZ) || impair_trials_open(&b, &list, 1, 1, HZ);
}

static int close_both(void **state)
{
	(void)state;
	impair_trials_close(&a);
	impair_trials_close(&b);
	return 0;
}

static void saw(struct impair_trials *t, uint8_t number, uint64_t now)
{
	impair_count(t, impair_trial_find(t, number, now, now), COUNT_SEEN);
}

static void trials_are_counted_apart(void **state)
{
	struct impair_counts counts = {.n_trials = 0};

	(void)state;
	saw(&a, 200, 1000);
	saw(&a, 201, 2000);
	saw(&a, 200, 3000); /* a late frame of the trial before */
	saw(&b, 201, 2500);
	saw(&b, 202, 4000);
	impair_counts_read(&a, &counts);
	impair_counts_read(&b, &counts);
	assert_int_equal(counts.n_trials, 3);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(counts.trial[i].number, 200 + i);
	assert_int_equal(counts.trial[0].count[COUNT_SEEN], 2);
	assert_int_equal(counts.trial[1].count[COUNT_SEEN], 2);
	assert_int_equal(counts.trial[2].count[COUNT_SEEN], 1);
	assert_int_equal(counts.total[COUNT_SEEN], 5);
}

static void the_oldest_makes_room(void **state)
{
	struct impair_counts counts = {.n_trials = 0};

	(void)state;
	for (unsigned int i = 0; i < 300; i++)
		saw(&a, (uint8_t)i, 1000 + i);
	impair_counts_read(&a, &counts);
	assert_int_equal(counts.n_trials, IMPAIR_TRIALS);
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++) {
		assert_int_equal(counts.trial[i].number, (uint8_t)(300 - IMPAIR_TRIALS + i));
		assert_int_equal(counts.trial[i].count[COUNT_SEEN], 1);
	}
	assert_int_equal(counts.total[COUNT_SEEN], 300);
	/* Of two streams' trials the latest are kept, too. */
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++)
		saw(&b, (uint8_t)(100 + i), 2000 + i);
	impair_counts_read(&b, &counts);
	assert_int_equal(counts.n_trials, IMPAIR_TRIALS);
	for (unsigned int i = 0; i < IMPAIR_TRIALS; i++)
		assert_int_equal(counts.trial[i].number, 100 + i);
}

static void reordering_is_by_space(void **state)
{
	struct impair_trial *t = impair_trial_find(&a, 1, 1000, 1000);

	(void)state;
	assert_false(impair_sequence_sent(t, 0, 0));
	assert_false(impair_sequence_sent(t, 0, 2)); /* a gap is no reordering */
	assert_true(impair_sequence_sent(t, 0, 1));
	assert_false(impair_sequence_sent(t, 0, 3));
	assert_false(impair_sequence_sent(t, 65535, 0));
	assert_false(impair_sequence_sent(t, 65535, 1));
	assert_true(impair_sequence_sent(t, 65535, 0));
}

static void sequence_numbers_wrap(void **state)
{
	struct impair_trial *t = impair_trial_find(&a, 1, 1000, 1000);

	(void)state;
	assert_false(impair_sequence_sent(t, 0, 0xfffffffd));
	assert_false(impair_sequence_sent(t, 0, 0xffffffff));
	assert_false(impair_sequence_sent(t, 0, 0));
	assert_true(impair_sequence_sent(t, 0, 0xfffffffe));
	assert_false(impair_sequence_sent(t, 0, 1));
}

/* A place that is taken again knows nothing of the trial before. */
static void a_new_trial_starts_afresh(void **state)
{
	struct impair_trial *t = impair_trial_find(&a, 0, 1000, 1000);
	bool first[64];
	uint16_t use = t->use;

	(void)state;
	assert_false(impair_sequence_sent(t, 0, 1000));
	for (unsigned int i = 0; i < 64; i++)
		first[i] = impair_drops(&t->stages);
	for (unsigned int i = 1; i <= IMPAIR_TRIALS; i++)
		t = impair_trial_find(&a, (uint8_t)i, 1000, 1000 + i);
	assert_ptr_equal(t, &a.trial[0]);
	assert_int_not_equal(t->use, use);
	assert_false(impair_sequence_sent(t, 0, 5));
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(impair_drops(&t->stages), first[i]);
}

static void stamps_clock_where_the_tsc_is_shared(void **state)
{
	uint64_t now = (uint64_t)(100 * HZ);

	(void)state;
	assert_true(impair_trial_find(&a, 1, now - 2000, now)->stamp_clock);
	assert_false(impair_trial_find(&a, 2, now + 2000, now)->stamp_clock);
	assert_false(impair_trial_find(&a, 3, now - (uint64_t)(20 * HZ), now)->stamp_clock);
}

static void the_log_is_bounded(void **state)
{
	struct impair_log log;
	char text[256] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(impair_log_open(&log, 2), 0);
	impair_log_add(&log, 7, 3, 4294967295u, COUNT_DROPPED);
	impair_log_add(&log, 7, 3, 0, COUNT_DUPLICATED);
	impair_log_add(&log, 7, 3, 1, COUNT_DROPPED);
	assert_int_equal(log.more, 1);
	impair_log_head(out);
	impair_log_write(&log, out);
	fclose(out);
	assert_string_equal(text, "trial,space,seq,action\n7,3,4294967295,dropped\n"
				  "7,3,0,duplicated\n");
	impair_log_close(&log);
	assert_int_equal(impair_log_open(&log, 0), 0);
	impair_log_add(&log, 7, 3, 1, COUNT_DROPPED);
	assert_int_equal(log.more, 0);
	impair_log_close(&log);
}

#define WITH_BOTH(test) cmocka_unit_test_setup_teardown(test, open_both, close_both)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_BOTH(trials_are_counted_apart),
		WITH_BOTH(the_oldest_makes_room),
		WITH_BOTH(reordering_is_by_space),
		WITH_BOTH(sequence_numbers_wrap),
		WITH_BOTH(a_new_trial_starts_afresh),
		WITH_BOTH(stamps_clock_where_the_tsc_is_shared),
		cmocka_unit_test(the_log_is_bounded),
	};

	return cmocka_run_group_tests_name("dut impair trials", tests, NULL, NULL);
}

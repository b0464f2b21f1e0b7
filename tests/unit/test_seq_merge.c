/*
 * Several cores receive one sequence space: merged, their windows say what a single one would.
 */
#include "tests/unit/unit.h"

#include "gen/seq_merge.h"

/*
 * n frames over some cores at random, lost and doubled per mille; copies may come to another core.
 * The control thread merges every so many frames, and cores follow its floor.
 */
static void spread_of(uint32_t streams, unsigned int cores, uint64_t n, unsigned int per_mille,
		      unsigned int favoured, uint64_t seed)
{
	const struct seq_sizes sizes = seq_sizes(streams);
	struct seq_merge m;
	uint64_t received = 0, duplicate = 0, runs = 0, longest = 0, run = 0;

	assert_int_equal(seq_merge_open(&m, cores, &sizes), 0);
	seq_merge_reset(&m);
	for (uint64_t seq = 0; seq < n; seq++) {
		unsigned int copies = 1;

		if (unit_random(&seed) % 1000 < per_mille)
			copies = (unsigned int)(unit_random(&seed) % 4); /* 0 to 3 */
		for (unsigned int c = 0; c < copies; c++) {
			unsigned int core = unit_random(&seed) % 1000 < favoured
						    ? 0
						    : (unsigned int)(unit_random(&seed) % cores);
			struct seq_window *w = m.window[core];

			assert_int_not_equal(seq_window_add(w, seq_window_widen(w, (uint32_t)seq)),
					     SEQ_TOO_LATE);
		}
		received += copies > 0;
		duplicate += copies > 1 ? copies - 1 : 0;
		runs += copies == 0 && run == 0;
		run = copies ? 0 : run + 1;
		longest = run > longest ? run : longest;
		if (seq % (32ull * sizes.log_words < 50000 ? 2000 : 50000) == 0) {
			seq_merge_run(&m);
			for (unsigned int i = 0; i < cores; i++)
				seq_window_leave(m.window[i], m.floor);
		}
	}
	assert_true(seq_merge_received(&m) >= received);
	seq_merge_finish(&m, n);
	assert_false(m.incomplete);
	assert_int_equal(m.result->received, received);
	assert_int_equal(m.result->duplicate, duplicate);
	assert_int_equal(m.result->received + m.result->lost, n);
	assert_int_equal(m.result->runs, runs);
	assert_int_equal(m.result->longest_run, longest);
	assert_int_equal(m.result->too_late, 0);
	seq_merge_close(&m);
}

static void spread(unsigned int cores, uint64_t n, unsigned int per_mille, unsigned int favoured,
		   uint64_t seed)
{
	spread_of(1, cores, n, per_mille, favoured, seed);
}

static void test_one_core_is_its_own_result(void **state)
{
	(void)state;
	spread(1, 400000, 20, 0, 1);
}

static void test_cores_together(void **state)
{
	(void)state;
	spread(2, 1000000, 20, 0, 2);
	spread(3, 600000, 300, 0, 3);
	spread(SEQ_MAX_CORES, 400000, 20, 0, 4);
}

static void test_a_core_that_receives_little(void **state)
{
	(void)state;
	spread(2, 1000000, 20, 1000, 5); /* nothing at all */
	spread(4, 1000000, 20, 999, 6);
}

/* The small windows and logs of many streams. */
static void test_many_streams(void **state)
{
	(void)state;
	spread_of(1024, 2, 300000, 20, 0, 7);
	spread_of(1024, 2, 300000, 20, 1000, 8);
	spread_of(100, 4, 300000, 20, 999, 9);
	spread_of(3, 3, 300000, 300, 0, 10);
}

static void test_every_residue(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 130; n += 1)
		spread(2, n, 500, 0, n);
}

static void test_nothing_received(void **state)
{
	const struct seq_sizes one = seq_sizes(1);
	static const uint64_t sent[] = {0, 1, 64, 1000, 3ull * SEQ_WINDOW + 5};

	(void)state;
	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		struct seq_merge m;

		assert_int_equal(seq_merge_open(&m, 2, &one), 0);
		seq_merge_reset(&m);
		seq_merge_finish(&m, sent[i]);
		assert_int_equal(m.result->lost, sent[i]);
		assert_int_equal(m.result->received, 0);
		assert_int_equal(m.result->duplicate, 0);
		assert_int_equal(m.result->runs, sent[i] > 0);
		seq_merge_close(&m);
	}
}

/* A control thread that never comes: said, not hidden. */
static void test_full_log_is_incomplete(void **state)
{
	const struct seq_sizes one = seq_sizes(1);
	struct seq_merge m;
	uint64_t far = 64ull * (SEQ_LOG_WORDS + SEQ_WORDS + 10);

	(void)state;
	assert_int_equal(seq_merge_open(&m, 2, &one), 0);
	seq_merge_reset(&m);
	seq_window_add(m.window[0], far);
	seq_merge_finish(&m, far + 1);
	assert_true(m.incomplete);
	seq_merge_reset(&m);
	assert_false(m.incomplete);
	seq_window_add(m.window[1], 0);
	seq_merge_finish(&m, 1);
	assert_false(m.incomplete);
	assert_int_equal(m.result->received, 1);
	assert_int_equal(m.result->lost, 0);
	seq_merge_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_core_is_its_own_result),
		cmocka_unit_test(test_cores_together),
		cmocka_unit_test(test_a_core_that_receives_little),
		cmocka_unit_test(test_many_streams),
		cmocka_unit_test(test_every_residue),
		cmocka_unit_test(test_nothing_received),
		cmocka_unit_test(test_full_log_is_incomplete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

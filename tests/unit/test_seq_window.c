/*
 * The sequence window against a naive model: an array with the number of copies that came of each
 * frame.
 */
#include "tests/unit/unit.h"

#include "gen/seq_window.h"

static struct seq_window *w;

static struct seq_window *new_window(uint32_t streams)
{
	struct seq_sizes sizes = seq_sizes(streams);

	return seq_window_new(&sizes, false);
}

static int setup(void **state)
{
	(void)state;
	w = new_window(1);
	return w ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	seq_window_free(w);
	return 0;
}

/* What the module must know of a stream of n sent frames, from the copies that came of each. */
struct model {
	uint64_t n, next, received, duplicate, reordered, extent_sum, extent_max;
	uint64_t *next_after; /* the highest number + 1 after each first copy */
	uint8_t *copies;
};

static struct model model_new(uint64_t n)
{
	struct model m = {.n = n,
			  .copies = calloc(n + 1, 1),
			  .next_after = calloc(n + 1, sizeof(*m.next_after))};

	assert_non_null(m.copies);
	assert_non_null(m.next_after);
	return m;
}

/* RFC 4737, section 4.2.2: how many first copies ago a larger number came for the first time. */
static void note_extent(struct model *m, uint64_t seq)
{
	uint64_t low = 0, high = m->received - 1, extent;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (m->next_after[middle] > seq + 1)
			high = middle;
		else
			low = middle + 1;
	}
	extent = m->received - 1 - low;
	m->extent_sum += extent;
	if (extent > m->extent_max)
		m->extent_max = extent;
}

/* A frame arrives that is still in the window: both must say the same of it. */
static void arrive(struct model *m, uint64_t seq)
{
	enum seq_verdict verdict = seq_window_add(w, seq_window_widen(w, (uint32_t)seq));

	if (m->copies[seq]) {
		m->duplicate++;
		assert_int_equal(verdict, SEQ_DUPLICATE);
	} else {
		m->received++;
		if (seq < m->next) {
			m->reordered++;
			note_extent(m, seq);
		}
		m->next_after[m->received - 1] = seq < m->next ? m->next : seq + 1;
		assert_int_equal(verdict, SEQ_FIRST);
	}
	if (m->copies[seq] < UINT8_MAX)
		m->copies[seq]++;
	if (seq >= m->next)
		m->next = seq + 1;
}

static void assert_settles_as(struct model *m)
{
	uint64_t runs = 0, longest = 0, lost = 0;

	seq_window_finish(w, m->n);
	for (uint64_t at = 0; at < m->n;) {
		uint64_t first = at;

		while (at < m->n && !m->copies[at])
			at++;
		if (at == first) {
			at++;
			continue;
		}
		if (runs < w->sizes.runs) {
			assert_int_equal(w->kept[runs].first, first);
			assert_int_equal(w->kept[runs].length, at - first);
		}
		runs++;
		lost += at - first;
		longest = at - first > longest ? at - first : longest;
	}
	assert_int_equal(w->runs, runs);
	assert_int_equal(w->longest_run, longest);
	assert_int_equal(w->lost, lost);
	assert_int_equal(w->received, m->received);
	assert_int_equal(w->received + w->lost, m->n);
	assert_int_equal(w->duplicate, m->duplicate);
	assert_int_equal(w->reordered, m->reordered);
	assert_int_equal(w->too_late, 0);
	/* What was skipped more gaps ago than are remembered has an extent that nobody knows. */
	if (w->gaps <= w->sizes.gaps) {
		assert_int_equal(w->extent_sum, m->extent_sum);
		assert_int_equal(w->extent_max, m->extent_max);
	}
	free(m->copies);
	free(m->next_after);
}

static void test_nothing_sent(void **state)
{
	(void)state;
	seq_window_finish(w, 0);
	assert_int_equal(w->received, 0);
	assert_int_equal(w->lost, 0);
	assert_int_equal(w->runs, 0);
}

static void test_nothing_received(void **state)
{
	static const uint64_t sent[] = {
		1,	   63, 64, 65, 1000, SEQ_WINDOW, SEQ_WINDOW + 1, 3ull * SEQ_WINDOW + 17,
		1ull << 40};

	(void)state;
	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		seq_window_reset(w);
		seq_window_finish(w, sent[i]);
		assert_int_equal(w->lost, sent[i]);
		assert_int_equal(w->runs, 1);
		assert_int_equal(w->longest_run, sent[i]);
		assert_int_equal(w->kept[0].first, 0);
		assert_int_equal(w->kept[0].length, sent[i]);
	}
}

static void test_finish_at_every_residue(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 256; n++)
		for (int lose = 0; lose < 4; lose++) {
			struct model m = model_new(n);

			seq_window_reset(w);
			for (uint64_t seq = 0; seq < n; seq++) {
				/* none, the last, the first, every third lost */
				if ((lose == 1 && seq == n - 1) || (lose == 2 && seq == 0) ||
				    (lose == 3 && seq % 3 == n % 3))
					continue;
				arrive(&m, seq);
			}
			assert_settles_as(&m);
		}
}

/* Losses alone and in bursts, copies, and frames that come up to depth places late. */
static void random_stream(uint64_t n, uint64_t seed, unsigned int per_mille, uint64_t depth)
{
	struct model m = model_new(n);
	uint64_t *queue = malloc(depth * sizeof(*queue)), held = 0, burst = 0;

	assert_non_null(queue);
	seq_window_reset(w);
	for (uint64_t seq = 0; seq < n || held;) {
		if (seq < n && held < depth) {
			if (!burst && unit_random(&seed) % 20000 == 0)
				burst = unit_random(&seed) % 3000;
			if (burst)
				burst--;
			else if (unit_random(&seed) % 1000 >= per_mille)
				queue[held++] = seq;
			seq++;
			continue;
		}
		if (held) {
			/* Mostly in order, now and then from anywhere in the queue. The oldest held
			 * is never further behind than the window, for the queue is refilled only
			 * when one has left. */
			uint64_t at = unit_random(&seed) % 8 ? 0 : unit_random(&seed) % held;
			uint64_t out = queue[at];

			arrive(&m, out);
			if (unit_random(&seed) % 1000 < per_mille)
				arrive(&m, out);
			memmove(queue + at, queue + at + 1, (held - at - 1) * sizeof(*queue));
			held--;
		}
	}
	free(queue);
	assert_settles_as(&m);
}

static void test_random_streams(void **state)
{
	(void)state;
	random_stream(1000000, 1, 0, 1);
	random_stream(1000000, 2, 5, 1);
	random_stream(1000000, 3, 5, 64);
	random_stream(600000, 4, 100, 1000);
	random_stream(600000, 5, 500, 200);
	random_stream(200000, 6, 990, 16);
	/* Few enough gaps that the extents are known too. */
	for (uint64_t seed = 100; seed < 160; seed++)
		random_stream(3000, seed, 10, 1 + seed % 50);
}

static void test_reordering_up_to_the_window(void **state)
{
	/* Frame 0 arrives when the window is just about to lose it, then a word later. */
	struct model m = model_new(SEQ_WINDOW);

	(void)state;
	for (uint64_t seq = 1; seq < SEQ_WINDOW; seq++)
		arrive(&m, seq);
	arrive(&m, 0);
	arrive(&m, 0);
	assert_int_equal(w->reordered, 1);
	assert_settles_as(&m);
}

static void test_beyond_the_window_is_too_late(void **state)
{
	(void)state;
	for (uint64_t seq = 1; seq <= SEQ_WINDOW; seq++)
		assert_int_equal(seq_window_add(w, seq), SEQ_FIRST);
	assert_int_equal(seq_window_add(w, 0), SEQ_TOO_LATE);
	assert_int_equal(seq_window_add(w, 63), SEQ_TOO_LATE); /* copy or not: unknowable now */
	assert_int_equal(seq_window_add(w, 64), SEQ_DUPLICATE);
	seq_window_finish(w, SEQ_WINDOW + 1);
	assert_int_equal(w->too_late, 2);
	assert_int_equal(w->received, SEQ_WINDOW);
	assert_int_equal(w->lost, 1);
	assert_int_equal(w->received + w->lost, SEQ_WINDOW + 1);
}

static void test_reversed_windows(void **state)
{
	struct model m = model_new(4ull * SEQ_WINDOW);

	(void)state;
	/* Each quarter of a window arrives backwards. */
	for (uint64_t part = 0; part < 16; part++)
		for (uint64_t i = SEQ_WINDOW / 4; i-- > 0;)
			arrive(&m, part * (SEQ_WINDOW / 4) + i);
	assert_settles_as(&m);
}

static void test_gaps_larger_than_the_window(void **state)
{
	static const uint64_t gaps[] = {SEQ_WINDOW - 64,      SEQ_WINDOW - 1, SEQ_WINDOW,
					SEQ_WINDOW + 1,	      2 * SEQ_WINDOW, 2 * SEQ_WINDOW + 63,
					9ull * SEQ_WINDOW + 5};

	(void)state;
	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++)
		for (uint64_t start = 1; start <= 130; start += 43) {
			struct model m = model_new(start + 2 * gaps[i] + 300);
			uint64_t seq = 0;

			seq_window_reset(w);
			while (seq < start)
				arrive(&m, seq++);
			seq += gaps[i];
			for (int k = 0; k < 100; k++)
				arrive(&m, seq++);
			seq += gaps[i];
			arrive(&m, seq);
			arrive(&m, seq);
			assert_settles_as(&m);
		}
}

static void test_gap_of_most_of_the_sequence(void **state)
{
	uint64_t far = 1ull << 31; /* as far as a 32-bit number can be widened */

	(void)state;
	assert_int_equal(seq_window_add(w, 0), SEQ_FIRST);
	assert_int_equal(seq_window_widen(w, (uint32_t)far), far);
	assert_int_equal(seq_window_add(w, far), SEQ_FIRST);
	seq_window_finish(w, far + 1);
	assert_int_equal(w->lost, far - 1);
	assert_int_equal(w->runs, 1);
	assert_int_equal(w->kept[0].first, 1);
	assert_int_equal(w->longest_run, far - 1);
}

static void test_wrap_of_32_bits(void **state)
{
	uint64_t wrap = 1ull << 32, from = wrap - 5000, lost = 0, received = 0;

	(void)state;
	/* To the neighbourhood of the wrap in steps that can be widened. */
	for (uint64_t seq = 1ull << 30; seq < from; seq += 1ull << 30) {
		assert_int_equal(seq_window_widen(w, (uint32_t)seq), seq);
		assert_int_equal(seq_window_add(w, seq), SEQ_FIRST);
		received++;
	}
	for (uint64_t seq = from; seq < wrap + 5000; seq++) {
		if (seq % 100 == 7) {
			lost++;
			continue;
		}
		assert_int_equal(seq_window_widen(w, (uint32_t)seq), seq);
		assert_int_equal(seq_window_add(w, seq), SEQ_FIRST);
		received++;
		/* A copy from before the wrap is still known after it. */
		assert_int_equal(seq_window_widen(w, (uint32_t)(seq - 50)), seq - 50);
	}
	assert_int_equal(seq_window_add(w, seq_window_widen(w, UINT32_MAX)), SEQ_DUPLICATE);
	seq_window_finish(w, wrap + 5000);
	assert_int_equal(w->received, received);
	assert_int_equal(w->received + w->lost, wrap + 5000);
	assert_int_equal(w->too_late, 0);
	/* The three long gaps between the steps, one up to `from`, and the single losses. */
	assert_int_equal(w->runs, lost + 4);
}

static void test_a_duplicate_never_hides_a_drop(void **state)
{
	struct model m = model_new(100000);

	(void)state;
	for (uint64_t seq = 0; seq < m.n; seq++) {
		if (seq % 2)
			continue; /* as many copies as drops */
		arrive(&m, seq);
		arrive(&m, seq);
	}
	assert_int_equal(w->duplicate, 50000);
	assert_settles_as(&m);
}

static void test_more_runs_than_are_kept(void **state)
{
	struct model m = model_new(3ull * SEQ_MAX_RUNS);

	(void)state;
	for (uint64_t seq = 0; seq < m.n; seq += 2)
		arrive(&m, seq);
	assert_settles_as(&m);
	assert_true(w->runs > SEQ_MAX_RUNS);
}

/* Any number of streams: sizes are powers of two, never too small, and share about one budget. */
static void test_sizes(void **state)
{
	struct seq_sizes one = seq_sizes(1);

	(void)state;
	assert_int_equal(one.words, SEQ_WORDS);
	assert_int_equal(one.runs, SEQ_MAX_RUNS);
	assert_int_equal(one.gaps, SEQ_MAX_GAPS);
	assert_int_equal(one.log_words, SEQ_LOG_WORDS);
	for (uint32_t n = 2; n <= 1024; n++) {
		struct seq_sizes s = seq_sizes(n);
		const uint32_t sizes[] = {s.words, s.runs, s.gaps, s.log_words};

		for (size_t i = 0; i < 4; i++)
			assert_true(sizes[i] >= 64 && !(sizes[i] & (sizes[i] - 1)));
		assert_true(s.words == 64 || (uint64_t)s.words * n <= SEQ_WORDS);
		assert_true((uint64_t)s.runs * n <= SEQ_MAX_RUNS);
		assert_true((uint64_t)s.log_words * n <= SEQ_LOG_WORDS);
		/* A log holds what a window lets go at once. */
		assert_true(s.log_words >= 2 * s.words);
	}
}

/* The windows of many streams are smaller and say the same. */
static void test_small_windows(void **state)
{
	static const uint32_t streams[] = {3, 100, 1024};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		uint64_t numbers;

		seq_window_free(w);
		w = new_window(streams[i]);
		assert_non_null(w);
		numbers = 64ull * w->sizes.words;
		random_stream(300000, 11 + i, 5, 64);
		random_stream(300000, 21 + i, 400, 200);
		for (uint64_t seed = 200; seed < 220; seed++)
			random_stream(2000, seed, 10, 1 + seed % 50);
		seq_window_reset(w);
		for (uint64_t seq = 1; seq <= numbers; seq++)
			assert_int_equal(seq_window_add(w, seq), SEQ_FIRST);
		assert_int_equal(seq_window_add(w, 0), SEQ_TOO_LATE);
		assert_int_equal(seq_window_add(w, 64), SEQ_DUPLICATE);
		/* A gap of many windows. */
		assert_int_equal(seq_window_add(w, 9 * numbers + 7), SEQ_FIRST);
		seq_window_finish(w, 9 * numbers + 8);
		assert_int_equal(w->received + w->lost, 9 * numbers + 8);
		assert_int_equal(w->runs, 2);
	}
}

static void test_reset_forgets_everything(void **state)
{
	struct model m = model_new(10);

	(void)state;
	random_stream(SEQ_WINDOW + 1000, 8, 300, 50);
	seq_window_reset(w);
	for (uint64_t seq = 0; seq < 10; seq++)
		arrive(&m, seq);
	assert_settles_as(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing_sent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_received, setup, teardown),
		cmocka_unit_test_setup_teardown(test_finish_at_every_residue, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_streams, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reordering_up_to_the_window, setup, teardown),
		cmocka_unit_test_setup_teardown(test_beyond_the_window_is_too_late, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_reversed_windows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gaps_larger_than_the_window, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gap_of_most_of_the_sequence, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrap_of_32_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_duplicate_never_hides_a_drop, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_more_runs_than_are_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_small_windows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset_forgets_everything, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Accounts: runs of frames booked as the same frames one by one, and what no run should hold.
 */
#include "gen/account.h"
#include "unit.h"

#include <string.h>

struct bench {
	struct account *account;
	struct inbound in;
	uint64_t sent;
};

static void set_up(struct bench *b, uint64_t sent, uint64_t samples)
{
	const struct seq_sizes sizes = seq_sizes(1);

	memset(b, 0, sizeof(*b));
	b->account = accounts_new(1, samples);
	assert_non_null(b->account);
	b->in.window = seq_window_new(&sizes, false);
	assert_non_null(b->in.window);
	b->in.account = b->account;
	b->sent = sent;
	b->in.sent = &b->sent;
}

static void tear_down(struct bench *b)
{
	accounts_free(b->account, 1);
	seq_window_free(b->in.window);
}

static void take(struct bench *b, uint32_t first, uint32_t n, uint64_t rtt, bool corrupt)
{
	struct frame_run run = {.first = first,
				.n = n,
				.tx_time = 1000,
				.now = 1000 + rtt,
				.since_stall = UINT64_MAX,
				.corrupt = corrupt};

	account_run(&b->in, &run);
}

/* The same frames as runs and one by one give the same account, lost, doubled and late ones among
 * them. */
static void test_runs_equal_single_frames(void **state)
{
	uint64_t random = 7;
	struct bench runs, single;

	(void)state;
	set_up(&runs, 1 << 20, 0);
	set_up(&single, 1 << 20, 0);
	for (uint32_t at = 0; at < 1000000;) {
		uint32_t n, back = 0;
		uint64_t rtt;

		random = random * 6364136223846793005ull + 1442695040888963407ull;
		n = 1 + (random >> 33) % 64;
		rtt = 100 + (random >> 20) % 5000;
		if ((random >> 40) % 16 == 0)
			at += (random >> 50) % 300; /* lost */
		if ((random >> 44) % 16 == 1 && at > 100)
			back = (random >> 52) % 100; /* doubled or late */
		take(&runs, at - back, n, rtt, false);
		for (uint32_t i = 0; i < n; i++)
			take(&single, at - back + i, 1, rtt, false);
		at += n - (back < n ? back : n);
	}
	seq_window_finish(runs.in.window, 1 << 20);
	seq_window_finish(single.in.window, 1 << 20);
	assert_int_equal(runs.in.window->received, single.in.window->received);
	assert_int_equal(runs.in.window->duplicate, single.in.window->duplicate);
	assert_int_equal(runs.in.window->reordered, single.in.window->reordered);
	assert_int_equal(runs.in.window->lost, single.in.window->lost);
	assert_int_equal(runs.in.window->runs, single.in.window->runs);
	assert_int_equal(runs.in.window->extent_sum, single.in.window->extent_sum);
	assert_true(runs.in.window->duplicate > 0 && runs.in.window->lost > 0);
	assert_int_equal(runs.account->received, runs.in.window->received);
	assert_float_equal(runs.account->jitter, single.account->jitter, 1e-6);
	assert_int_equal(runs.account->ipdv_pairs, single.account->ipdv_pairs);
	assert_int_equal(runs.account->ipdv_sum, single.account->ipdv_sum);
	assert_int_equal(runs.account->ipdv_max, single.account->ipdv_max);
	assert_memory_equal(runs.account->clean, single.account->clean, sizeof(struct hist));
	tear_down(&runs);
	tear_down(&single);
}

/* Billions lost in a row: the number is still the right one, for it is below what was sent. */
static void test_gap_beyond_half_the_numbers(void **state)
{
	const uint64_t gap = 3000000000ull;
	struct bench b;

	(void)state;
	set_up(&b, gap + 10, 0);
	take(&b, 0, 5, 100, false);
	take(&b, (uint32_t)gap, 10, 100, false);
	assert_int_equal(b.in.window->next, gap + 10);
	seq_window_finish(b.in.window, b.sent);
	assert_int_equal(b.in.window->received, 15);
	assert_int_equal(b.in.window->lost, gap - 5);
	assert_int_equal(b.account->beyond, 0);
	tear_down(&b);
}

/* The 32-bit number wraps in the middle of a run. */
static void test_wrap_within_a_run(void **state)
{
	const uint64_t wrap = 1ull << 32;
	struct bench b;

	(void)state;
	set_up(&b, wrap + 100, 0);
	take(&b, (uint32_t)(wrap - 20), 64, 100, false);
	assert_int_equal(b.in.window->next, wrap + 44);
	assert_int_equal(b.in.window->received, 64);
	tear_down(&b);
}

static void test_number_never_sent(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, 10, 0);
	take(&b, 8, 4, 100, false);
	assert_int_equal(b.in.window->received, 2);
	assert_int_equal(b.account->beyond, 2);
	take(&b, 4000000000u, 1, 100, false);
	assert_int_equal(b.account->beyond, 3);
	tear_down(&b);
}

static void test_before_it_was_sent(void **state)
{
	struct frame_run run = {
		.first = 0, .n = 3, .tx_time = 1000, .now = 999, .since_stall = UINT64_MAX};
	struct bench b;

	(void)state;
	set_up(&b, 10, 0);
	account_run(&b.in, &run);
	assert_int_equal(b.account->negative, 3);
	assert_int_equal(b.account->clean->count, 0);
	tear_down(&b);
}

static void test_corrupt_gives_no_sample(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, 10, 0);
	take(&b, 0, 4, 100, false);
	take(&b, 4, 2, 100, true);
	assert_int_equal(b.account->received, 6);
	assert_int_equal(b.account->corrupt, 2);
	assert_int_equal(b.account->clean->count, 4);
	tear_down(&b);
}

/* Sent before a stall ended and received after it began: the shadow. */
static void test_shadow(void **state)
{
	struct frame_run run = {
		.first = 0, .n = 4, .tx_time = 1000, .now = 2000, .since_stall = 500};
	struct bench b;

	(void)state;
	set_up(&b, 10, 0);
	account_run(&b.in, &run);
	run.first = 4;
	run.tx_time = 1600;
	account_run(&b.in, &run);
	assert_int_equal(b.account->shadow->count, 4);
	assert_int_equal(b.account->clean->count, 4);
	tear_down(&b);
}

static void test_samples_have_a_limit(void **state)
{
	struct bench b;

	(void)state;
	set_up(&b, 100, 10);
	take(&b, 0, 8, 100, false);
	take(&b, 8, 8, 200, false);
	assert_int_equal(b.account->samples->n, 10);
	assert_int_equal(b.account->samples->sample[9].seq, 9);
	assert_int_equal(b.account->samples->sample[9].rtt, 200);
	assert_int_equal(b.account->clean->count, 16);
	tear_down(&b);
}

/* Streams that come in turns are accounted for apart, as each of them alone would be. */
static void test_streams_apart(void **state)
{
	enum { STREAMS = 5, ROUNDS = 2000 };
	const struct seq_sizes sizes = seq_sizes(STREAMS);
	struct account *accounts = accounts_new(STREAMS, 100);
	struct inbound in[STREAMS];
	uint64_t sent = ROUNDS * 4;

	(void)state;
	assert_non_null(accounts);
	for (int round = 0; round < 2; round++) {
		for (uint32_t s = 0; s < STREAMS; s++)
			in[s] = (struct inbound){.account = &accounts[s],
						 .window = seq_window_new(&sizes, false),
						 .sent = &sent,
						 .space = (uint16_t)s};
		for (uint32_t i = 0; i < ROUNDS; i++) {
			for (uint32_t s = 0; s < STREAMS; s++) {
				struct frame_run run = {.first = i * 4,
							.n = 4,
							.tx_time = 1000,
							.now = 1100 + 100 * s + i % 2 * s,
							.since_stall = UINT64_MAX};

				if (i % 10 || s != 3) /* stream 3 loses a tenth */
					account_run(&in[s], &run);
			}
		}
		for (uint32_t s = 0; s < STREAMS; s++) {
			const struct account *a = &accounts[s];

			seq_window_finish(in[s].window, sent);
			assert_int_equal(in[s].window->lost, s == 3 ? sent / 10 : 0);
			assert_int_equal(a->received, sent - in[s].window->lost);
			assert_int_equal(a->clean->min, 100 + 100 * s);
			assert_int_equal(a->clean->max, 100 + 101 * s);
			assert_int_equal(a->ipdv_max, s);
			seq_window_free(in[s].window);
		}
		/* Samples are of all streams, up to one limit. */
		assert_int_equal(accounts[0].samples->n, 100);
		assert_int_equal(accounts[4].samples->sample[15].space, 4);
		accounts_reset(accounts, STREAMS);
		assert_int_equal(accounts[0].samples->n, 0);
		assert_int_equal(accounts[3].clean->count, 0);
	}
	accounts_free(accounts, STREAMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_equal_single_frames),
		cmocka_unit_test(test_gap_beyond_half_the_numbers),
		cmocka_unit_test(test_wrap_within_a_run),
		cmocka_unit_test(test_number_never_sent),
		cmocka_unit_test(test_before_it_was_sent),
		cmocka_unit_test(test_corrupt_gives_no_sample),
		cmocka_unit_test(test_shadow),
		cmocka_unit_test(test_samples_have_a_limit),
		cmocka_unit_test(test_streams_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

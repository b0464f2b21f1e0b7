/*
 * Results of streams: they add up to the whole, and what is not known of one is not made up.
 */
#include "tests/unit/unit.h"

#include "gen/stream_result.h"

#include <math.h>
#include <stdlib.h>

enum { STREAMS = 3 };

static struct generator g;
static struct direction d;
static struct stream_counts counts[STREAMS];
static struct trial_result whole;

/* Stream s sent 1000 frames and lost 10 x s of them; its round trips are 1000 x (s + 1) cycles. */
static int setup(void **state)
{
	(void)state;
	g = (struct generator){.crew = {.n = 1}};
	d = (struct direction){.streams = STREAMS, .accounts = {accounts_new(STREAMS, 0)}};
	whole = (struct trial_result){.from = &d,
				      .streams = counts,
				      .spec = {.pps = 3000, .frame_size = 64},
				      .tsc_hz = 1e9,
				      .actual_s = 1,
				      .offered = 3120,
				      .sent = 3000,
				      .refused = 100,
				      .refused_in_dut_stall = 50,
				      .unsent = 20,
				      .backpressured = 9,
				      .tx_pps = 3000,
				      .gen_missed_known = true,
				      .refused_counts = true,
				      .outage_s = 1,
				      .recovery_s = 1,
				      .n_reasons = 2};
	whole.all = calloc(1, sizeof(struct hist));
	whole.clean = calloc(1, sizeof(struct hist));
	if (!d.accounts[0] || !whole.all || !whole.clean)
		return -1;
	hist_reset(whole.all);
	hist_reset(whole.clean);
	for (uint64_t s = 0; s < STREAMS; s++) {
		uint64_t received = 1000 - 10 * s;

		counts[s] = (struct stream_counts){.sent = 1000,
						   .received = received,
						   .settled_lost = 10 * s,
						   .duplicate = s,
						   .reordered = 2 * s,
						   .extent_sum = 10 * s,
						   .extent_max = 5 * s,
						   .loss_runs = s,
						   .longest_loss_run = 7 * s,
						   .while_sending = received,
						   .jitter = 100.0 * (double)(s * received),
						   .lost_in_dut_stall = s};
		hist_add_n(d.accounts[0][s].clean, 1000 * (s + 1), received - 5);
		hist_add_n(d.accounts[0][s].shadow, 9000, 5);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	accounts_free(d.accounts[0], STREAMS);
	free(whole.all);
	free(whole.clean);
	return 0;
}

static void test_whole_is_the_sum(void **state)
{
	(void)state;
	streams_sum_up(&g, &d, &whole);
	assert_int_equal(whole.received, 2970);
	assert_int_equal(whole.lost, 30);
	assert_int_equal(whole.duplicate, 3);
	assert_int_equal(whole.longest_loss_run, 14);
	assert_int_equal(whole.extent_max, 10);
	assert_float_equal(whole.extent_mean, 5, 1e-9);
	assert_int_equal(whole.streams_open, 0);
	assert_int_equal(whole.all->count, 2970);
	assert_int_equal(whole.clean->count, 2955);
	assert_float_equal(whole.jitter_cycles, 100.0 * (990 + 2 * 980) / 2970, 1e-9);
}

static void test_streams_add_up(void **state)
{
	struct hist all, clean;
	uint64_t sent = 0, refused = 0, in_stall = 0, unsent = 0, offered = 0, lost = 0,
		 samples = 0;

	(void)state;
	hist_reset(&all);
	hist_reset(&clean);
	streams_sum_up(&g, &d, &whole);
	for (uint32_t s = 0; s < STREAMS; s++) {
		struct trial_result r = {.all = &all, .clean = &clean};

		stream_result(&g, &whole, s, &r);
		sent += r.sent;
		refused += r.refused;
		in_stall += r.refused_in_dut_stall;
		unsent += r.unsent;
		offered += r.offered;
		lost += r.lost;
		samples += r.all->count;
		assert_true(r.refused_in_dut_stall <= r.refused);
		assert_int_equal(r.offered, r.sent + r.refused + r.unsent);
		assert_int_equal(r.lost, 10 * s);
		assert_int_equal(r.lost_in_dut_stall, s);
		assert_int_equal(r.clean->min, 1000 * (s + 1));
		assert_int_equal(r.clean->max, 1000 * (s + 1));
		assert_int_equal(r.all->max, 9000);
		assert_float_equal(r.jitter_cycles, 100.0 * s, 1e-9);
		assert_float_equal(r.spec.pps, 1000, 1e-9);
		assert_float_equal(r.loss_ratio,
				   (double)(r.lost + r.refused) / (double)(r.sent + r.refused),
				   1e-12);
		assert_true(isnan(r.outage_s) && isnan(r.recovery_s));
		assert_true(!r.lateness && !r.spacing && !r.dut && !r.n_reasons);
		assert_true(r.gen_missed_known);
	}
	assert_int_equal(sent, whole.sent);
	assert_int_equal(refused, whole.refused);
	assert_int_equal(in_stall, whole.refused_in_dut_stall);
	assert_int_equal(unsent, whole.unsent);
	assert_int_equal(offered, whole.offered);
	assert_int_equal(lost, whole.lost);
	assert_int_equal(samples, whole.all->count);
}

static void test_who_missed_is_unknown(void **state)
{
	struct hist all, clean;
	struct trial_result r = {.all = &all, .clean = &clean};

	(void)state;
	hist_reset(&all);
	hist_reset(&clean);
	streams_sum_up(&g, &d, &whole);
	whole.gen_missed = 4;
	stream_result(&g, &whole, 1, &r);
	assert_false(r.gen_missed_known);
}

/* One frame too many here and one too few there: the sum says nothing. */
static void test_errors_do_not_cancel(void **state)
{
	(void)state;
	counts[1].received++;
	counts[2].received--;
	streams_sum_up(&g, &d, &whole);
	assert_int_equal(whole.lost, whole.settled_lost);
	assert_int_equal(whole.streams_open, 2);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_whole_is_the_sum),
		CASE(test_streams_add_up),
		CASE(test_who_missed_is_unknown),
		CASE(test_errors_do_not_cancel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

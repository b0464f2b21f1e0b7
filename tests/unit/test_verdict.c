/*
 * The verdict: each rule fires alone and says so; a clean trial has nothing to say.
 */
#include "tests/unit/unit.h"

#include "gen/trial.h"

static struct hist all;
static struct trial_result r;

/* A paced trial of one second in which everything came back. */
static int setup(void **state)
{
	(void)state;
	hist_reset(&all);
	hist_add_n(&all, 1000, 10000);
	r = (struct trial_result){
		.spec = {.frame_size = 64, .pps = 10000, .duration_ns = 1000000000},
		.tsc_hz = 1e9,
		.actual_s = 1.0,
		.offered = 10000,
		.sent = 10000,
		.received = 10000,
		.all = &all,
		.verdict = VERDICT_INVALID, /* what stood there before does not count */
		.n_reasons = 3,
	};
	return 0;
}

static void assert_only(enum verdict verdict, const char *text)
{
	verdict_reach(&r);
	assert_int_equal(r.verdict, verdict);
	assert_int_equal(r.n_reasons, 1);
	if (!strstr(r.reasons[0], text))
		assert_string_equal(r.reasons[0], text);
	assert_null(strchr(r.reasons[0], '\n'));
}

static void assert_clean(void)
{
	verdict_reach(&r);
	if (r.n_reasons)
		assert_string_equal(r.reasons[0], "");
	assert_int_equal(r.verdict, VERDICT_VALID);
	assert_int_equal(r.n_reasons, 0);
	assert_false(r.generator_limited);
}

static void test_clean_is_valid(void **state)
{
	(void)state;
	assert_clean();
}

static void test_loss_alone_is_valid(void **state)
{
	(void)state;
	r.received = 9000;
	r.lost = r.settled_lost = 1000;
	r.loss_runs = r.loss_runs_kept = 10;
	r.duplicate = r.reordered = r.corrupt = r.foreign = r.stale = 7;
	assert_clean();
}

static void test_nothing_sent(void **state)
{
	(void)state;
	r.offered = r.sent = r.received = 0;
	hist_reset(&all);
	assert_only(VERDICT_INVALID, "no frame was sent");
}

static void test_link_lost(void **state)
{
	(void)state;
	r.link_lost = true;
	assert_only(VERDICT_INVALID, "the link went down");
}

static void test_received_before_sent(void **state)
{
	(void)state;
	r.negative = 3;
	assert_only(VERDICT_INVALID, "3 frames received before they were sent");
}

static void test_never_sent_numbers(void **state)
{
	(void)state;
	r.beyond = 4;
	assert_only(VERDICT_INVALID, "4 frames with a sequence number that was never sent");
}

static void test_more_received_than_sent(void **state)
{
	(void)state;
	r.received = 10001;
	assert_only(VERDICT_INVALID, "received 10001 of 10000 sent");
}

static void test_accounts_do_not_close(void **state)
{
	(void)state;
	r.received = 9990;
	r.settled_lost = 9;
	assert_only(VERDICT_INVALID, "accounts do not close: 10000 sent - 9990 received, 9");
}

static void test_accounts_incomplete(void **state)
{
	(void)state;
	r.accounts_incomplete = true;
	assert_only(VERDICT_INVALID, "could not be merged in time");
}

static void test_too_late(void **state)
{
	(void)state;
	r.too_late = 2;
	assert_only(VERDICT_INVALID, "2 frames came too late");
}

static void test_missed_went_back(void **state)
{
	(void)state;
	r.missed_went_back = true;
	assert_only(VERDICT_INVALID, "went backwards");
}

static void test_nothing_came_back(void **state)
{
	(void)state;
	r.received = 0;
	r.lost = r.settled_lost = 10000;
	hist_reset(&all);
	assert_only(VERDICT_INVALID, "nothing came back");
}

static void test_all_corrupt(void **state)
{
	(void)state;
	r.corrupt = 10000;
	hist_reset(&all);
	assert_only(VERDICT_INVALID, "all frames were corrupt");
}

static void test_wrong_port(void **state)
{
	(void)state;
	r.misdirected = 5;
	assert_only(VERDICT_INVALID, "5 frames came back on the wrong port");
}

static void test_stalls(void **state)
{
	(void)state;
	r.stalls = 2;
	r.stall_max = 3000000;
	r.stall_total = 4500000;
	assert_only(VERDICT_DISTURBED, "stalled 2 times, 3.000 ms at most, 4.500 ms in all");
}

static void test_gen_missed(void **state)
{
	(void)state;
	r.received = 9990;
	r.lost = r.settled_lost = r.gen_missed = 10;
	assert_only(VERDICT_DISTURBED, "10 frames missed at the generator's receive side");
}

static void test_unsent(void **state)
{
	(void)state;
	/* A tenth of a percent may be missing. */
	r.offered = 10000;
	r.sent = r.received = 9990;
	r.unsent = 10;
	assert_clean();
	r.sent = r.received = 9989;
	r.unsent = 11;
	assert_only(VERDICT_DISTURBED, "0.110 % of the frames due were not sent in time");
}

static void test_no_mbuf(void **state)
{
	(void)state;
	r.no_mbuf = 1;
	assert_only(VERDICT_DISTURBED, "no mbuf for 1 frames");
}

static void test_stretched(void **state)
{
	(void)state;
	r.actual_s = 1.009;
	assert_clean();
	r.actual_s = 1.011;
	assert_only(VERDICT_DISTURBED, "took 1.011 s instead of 1.000 s");
	/* Not asked for a duration, or so short that one poll late is more. */
	r.spec.frames = 10000;
	assert_clean();
	r.spec.frames = 0;
	r.spec.duration_ns = 10000000;
	r.actual_s = 0.0119;
	assert_clean();
}

/* Errors of two streams may add up to none. */
static void test_a_stream_that_does_not_close(void **state)
{
	(void)state;
	r.streams_open = 2;
	assert_only(VERDICT_INVALID, "the accounts of 2 streams do not close");
}

static void test_more_runs_than_kept(void **state)
{
	(void)state;
	r.loss_runs = r.loss_runs_kept = SEQ_MAX_RUNS;
	assert_clean();
	r.loss_runs = SEQ_MAX_RUNS + 1;
	assert_only(VERDICT_VALID, "attributed to stalls for 65536 of 65537");
}

static void test_refused_where_the_generator_is_the_limit(void **state)
{
	(void)state;
	r.offered = 11000;
	r.refused = 1000;
	assert_only(VERDICT_DISTURBED, "generator-limited: the port refused 1000 frames");
	assert_true(r.generator_limited);
	/* On a link without a wire they are the DUT's loss. */
	r.refused_counts = true;
	assert_clean();
}

static void test_rate_max(void **state)
{
	(void)state;
	r.spec.pps = 0;
	r.backpressured = 10;
	assert_clean();
	r.backpressured = 0;
	assert_only(VERDICT_VALID, "generator-limited: the link took every burst");
	assert_true(r.generator_limited);
	/* Sending alone is what --tx-only measures: no news. */
	r.tx_only = true;
	verdict_reach(&r);
	assert_int_equal(r.n_reasons, 0);
	assert_true(r.generator_limited);
}

static void test_tx_only_has_no_receiver(void **state)
{
	(void)state;
	r.tx_only = true;
	r.received = 0;
	hist_reset(&all);
	assert_clean();
	r.sent = r.offered = 0;
	assert_only(VERDICT_INVALID, "no frame was sent");
}

/* Said, but no fault of the generator's: the verdict is not touched. */
static void test_dut_stalls_are_a_note(void **state)
{
	(void)state;
	r.dut_stalls = 3;
	r.dut_stall_s = 0.25;
	assert_clean();
	r.sent = r.offered += 5;
	r.lost = r.settled_lost = 5;
	assert_only(VERDICT_VALID,
		    "the DUT stalled 3 times, 250.000 ms in all; loss may come from that");
}

static void test_the_worst_holds_and_all_are_listed(void **state)
{
	(void)state;
	r.stalls = 1;
	r.link_lost = true;
	r.no_mbuf = 1;
	verdict_reach(&r);
	assert_int_equal(r.verdict, VERDICT_INVALID);
	assert_int_equal(r.n_reasons, 3);
}

/* Every rule at once, with the largest numbers there are. */
static void test_texts_fit(void **state)
{
	(void)state;
	r.sent = r.refused = r.unsent = r.offered = r.no_mbuf = UINT64_MAX;
	r.received = 1;
	r.negative = r.beyond = r.too_late = r.misdirected = r.gen_missed = UINT64_MAX;
	r.stalls = r.stall_max = r.stall_total = r.loss_runs = UINT64_MAX;
	r.link_lost = r.missed_went_back = true;
	r.actual_s = 1e9;
	verdict_reach(&r);
	assert_int_equal(r.verdict, VERDICT_INVALID);
	assert_true(r.n_reasons <= MAX_REASONS);
	for (unsigned int i = 0; i < r.n_reasons; i++)
		assert_in_range(strlen(r.reasons[i]), 10, REASON_LEN - 2);
}

#define RULE(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(test_clean_is_valid),
		RULE(test_loss_alone_is_valid),
		RULE(test_nothing_sent),
		RULE(test_link_lost),
		RULE(test_received_before_sent),
		RULE(test_never_sent_numbers),
		RULE(test_more_received_than_sent),
		RULE(test_accounts_do_not_close),
		RULE(test_accounts_incomplete),
		RULE(test_too_late),
		RULE(test_missed_went_back),
		RULE(test_nothing_came_back),
		RULE(test_all_corrupt),
		RULE(test_wrong_port),
		RULE(test_stalls),
		RULE(test_gen_missed),
		RULE(test_unsent),
		RULE(test_no_mbuf),
		RULE(test_stretched),
		RULE(test_a_stream_that_does_not_close),
		RULE(test_more_runs_than_kept),
		RULE(test_refused_where_the_generator_is_the_limit),
		RULE(test_rate_max),
		RULE(test_tx_only_has_no_receiver),
		RULE(test_dut_stalls_are_a_note),
		RULE(test_the_worst_holds_and_all_are_listed),
		RULE(test_texts_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Checkpoints: when a frame was sent, and which losses are put down to a stall.
 */
#include "tests/unit/unit.h"

#include "gen/checkpoints.h"

static struct checkpoints c;

/* One frame each 10 cycles from tsc 100000 on, a checkpoint each interval. */
enum { T0 = 100000, GAP = 10, FRAMES = 10000 };

static uint64_t sent_at(uint64_t seq)
{
	return T0 + seq * GAP;
}

static void send_all(void)
{
	checkpoints_reset(&c, (uint64_t)FRAMES * GAP);
	c.interval = 1000; /* 100 frames */
	for (uint64_t seq = 0; seq < FRAMES; seq++)
		checkpoints_note(&c, seq, sent_at(seq));
}

static void test_time_is_bracketed(void **state)
{
	(void)state;
	send_all();
	assert_int_equal(c.count, FRAMES / 100);
	for (uint64_t seq = 0; seq < FRAMES; seq++) {
		uint64_t earliest, latest;

		checkpoints_time(&c, seq, &earliest, &latest);
		assert_true(earliest <= sent_at(seq) && sent_at(seq) <= latest);
		if (seq < FRAMES - 100)
			assert_int_equal(latest - earliest, 1000);
		else
			assert_true(latest == UINT64_MAX);
	}
}

static void test_nothing_known(void **state)
{
	struct loss_run run = {5, 3};
	struct stall stall = {10, 20};
	uint64_t earliest, latest;

	(void)state;
	checkpoints_reset(&c, 1000000);
	checkpoints_time(&c, 7, &earliest, &latest);
	assert_int_equal(earliest, 0);
	assert_true(latest == UINT64_MAX);
	assert_int_equal(checkpoints_attribute(&c, 0, NULL, 0, NULL, 0, NULL, 0, 5), 0);
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, NULL, 0, NULL, 0, 5), 0);
	send_all();
	assert_int_equal(checkpoints_attribute(&c, 0, NULL, 0, &stall, 1, NULL, 0, 5), 0);
}

static void test_suffices_for_any_length(void **state)
{
	static const uint64_t lengths[] = {1, 1000, 65536, 10000000, 1ull << 44};

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		uint64_t step = lengths[i] / 500000 + 1;

		checkpoints_reset(&c, lengths[i]);
		for (uint64_t t = 0, seq = 0; t < lengths[i]; t += step)
			checkpoints_note(&c, seq++, 1 + t);
		assert_true(c.count > 0);
		/* A tenth is left for stalls. */
		assert_true(c.count <= MAX_CHECKPOINTS / 10 * 9 + 1);
	}
}

static void test_full_is_full(void **state)
{
	(void)state;
	checkpoints_reset(&c, 0);
	for (uint64_t i = 0; i < MAX_CHECKPOINTS + 10; i++)
		checkpoints_note(&c, i, 10 * i + 1);
	checkpoints_stall(&c, MAX_CHECKPOINTS + 10, 10 * MAX_CHECKPOINTS + 1000);
	assert_int_equal(c.count, MAX_CHECKPOINTS);
}

/*
 * The model: a frame counts when the bracket of its own checkpoint interval touches a stall (from
 * slack before it) and none of the others. Interval k holds the frames 100k..100k+99.
 */
static bool touches(uint64_t seq, const struct stall *stalls, uint32_t n, uint64_t slack)
{
	uint64_t from = sent_at(seq / 100 * 100), to = from + 1000;

	for (uint32_t i = 0; i < n; i++)
		if (to >= stalls[i].begin - slack && from <= stalls[i].end)
			return true;
	return false;
}

static uint64_t model(const struct loss_run *runs, uint64_t n, const struct stall *stalls,
		      uint32_t n_stalls, const struct stall *others, uint32_t n_others,
		      uint64_t slack)
{
	uint64_t frames = 0;

	for (uint64_t r = 0; r < n; r++)
		for (uint64_t k = 0; k < runs[r].length; k++)
			frames += touches(runs[r].first + k, stalls, n_stalls, slack) &&
				  !touches(runs[r].first + k, others, n_others, slack);
	return frames;
}

static void test_before_in_and_after_a_stall(void **state)
{
	struct stall stall = {sent_at(5000) + 5, sent_at(5500) + 5};
	struct loss_run before = {4000, 50}, near = {4990, 5}, in = {5200, 100}, edge = {5510, 10},
			after = {5700, 50};

	(void)state;
	send_all();
	assert_int_equal(checkpoints_attribute(&c, 0, &before, 1, &stall, 1, NULL, 0, 200), 0);
	assert_int_equal(checkpoints_attribute(&c, 0, &near, 1, &stall, 1, NULL, 0, 200), 5);
	assert_int_equal(checkpoints_attribute(&c, 0, &in, 1, &stall, 1, NULL, 0, 200), 100);
	assert_int_equal(checkpoints_attribute(&c, 0, &edge, 1, &stall, 1, NULL, 0, 200), 10);
	assert_int_equal(checkpoints_attribute(&c, 0, &after, 1, &stall, 1, NULL, 0, 200), 0);
	/* With slack enough the earlier loss may have been travelling when the stall began. */
	assert_int_equal(checkpoints_attribute(&c, 0, &before, 1, &stall, 1, NULL, 0, 10000), 50);
}

static void test_a_run_is_cut_at_checkpoints(void **state)
{
	struct stall stall = {sent_at(5010), sent_at(5020)};
	struct loss_run run = {4000, 3000};

	(void)state;
	send_all();
	/* Only the interval 5000..5099 touches it. */
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &stall, 1, NULL, 0, 0), 100);
}

static void test_others_are_left_out(void **state)
{
	struct stall theirs = {sent_at(5010), sent_at(5390)}, ours = {sent_at(5210), sent_at(5220)};
	struct loss_run run = {4000, 3000};

	(void)state;
	send_all();
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &theirs, 1, NULL, 0, 0), 400);
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &theirs, 1, &ours, 1, 0), 300);
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &ours, 1, &theirs, 1, 0), 0);
}

static void test_the_last_interval_ends(void **state)
{
	struct stall late = {sent_at(FRAMES + 500), sent_at(FRAMES + 900)};
	struct loss_run run = {FRAMES - 50, 50};

	(void)state;
	send_all();
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &late, 1, NULL, 0, 0), 0);
	late.begin = sent_at(FRAMES - 10);
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &late, 1, NULL, 0, 0), 50);
}

static void test_slack_longer_than_the_clock_is_old(void **state)
{
	struct stall stall = {sent_at(50), sent_at(60)};
	struct loss_run run = {0, 100};

	(void)state;
	send_all();
	assert_int_equal(checkpoints_attribute(&c, 0, &run, 1, &stall, 1, NULL, 0, UINT64_MAX / 2),
			 100);
}

/* A stall of the sender: what was sent before it is told apart from what followed. */
static void test_stall_makes_its_own_checkpoint(void **state)
{
	struct loss_run before = {0, 40}, after = {40, 40};
	struct stall stall = {2000, 90000};
	uint64_t earliest, latest;

	(void)state;
	checkpoints_reset(&c, 1000000);
	c.interval = 1000000;
	checkpoints_note(&c, 0, 1000);
	checkpoints_note(&c, 20, 1500);
	checkpoints_stall(&c, 40, stall.begin);
	checkpoints_note(&c, 40, stall.end + 10);
	checkpoints_note(&c, 60, stall.end + 500);
	assert_int_equal(c.count, 3);
	checkpoints_time(&c, 39, &earliest, &latest);
	assert_int_equal(earliest, 1000);
	assert_int_equal(latest, stall.begin);
	checkpoints_time(&c, 40, &earliest, &latest);
	assert_int_equal(earliest, stall.end + 10);
	/* Frames before it may still have been under way, those after it were not. */
	assert_int_equal(checkpoints_attribute(&c, 0, &before, 1, &stall, 1, NULL, 0, 100), 40);
	assert_int_equal(checkpoints_attribute(&c, 0, &after, 1, &stall, 1, NULL, 0, 100), 0);
}

/* Of several streams, each frame of the lane is some stream's: together they lose what one would.
 */
static void test_streams_of_a_lane(void **state)
{
	static const struct deal deals[] = {{3, 1}, {100, 32}, {7, 1000}};
	struct stall stall = {sent_at(5010), sent_at(5390)};

	(void)state;
	send_all();
	for (size_t i = 0; i < sizeof(deals) / sizeof(deals[0]); i++) {
		uint64_t frames = 0;

		c.deal = deals[i];
		/* All of 4000..6999 is lost. */
		for (uint32_t s = 0; s < c.deal.streams; s++) {
			uint64_t first = deal_share(&c.deal, s, 4000);
			struct loss_run run = {first, deal_share(&c.deal, s, 7000) - first};

			frames += checkpoints_attribute(&c, s, &run, run.length > 0, &stall, 1,
							NULL, 0, 0);
		}
		/* The intervals 5000.. to 5399. */
		assert_int_equal(frames, 400);
	}
}

static void test_random_against_the_model(void **state)
{
	uint64_t seed = 21;

	(void)state;
	send_all();
	for (int round = 0; round < 500; round++) {
		struct loss_run runs[40];
		struct stall stalls[8], others[4];
		uint32_t n_stalls = (uint32_t)(unit_random(&seed) % 9);
		uint32_t n_others = (uint32_t)(unit_random(&seed) % 5);
		uint64_t n = 0, slack = unit_random(&seed) % 3000;

		for (uint64_t at = 0; n < 40; n++) {
			runs[n].first = at + 1 + unit_random(&seed) % 250;
			runs[n].length = 1 + unit_random(&seed) % (n % 5 ? 20 : 600);
			at = runs[n].first + runs[n].length;
			if (at >= FRAMES)
				break;
		}
		for (uint32_t i = 0; i < n_stalls; i++) {
			stalls[i].begin = sent_at(unit_random(&seed) % FRAMES) + 3;
			stalls[i].end = stalls[i].begin + unit_random(&seed) % 4000;
		}
		for (uint32_t i = 0; i < n_others; i++) {
			others[i].begin = sent_at(unit_random(&seed) % FRAMES) + 3;
			others[i].end = others[i].begin + unit_random(&seed) % 4000;
		}
		assert_int_equal(checkpoints_attribute(&c, 0, runs, n, stalls, n_stalls, others,
						       n_others, slack),
				 model(runs, n, stalls, n_stalls, others, n_others, slack));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_is_bracketed),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_suffices_for_any_length),
		cmocka_unit_test(test_full_is_full),
		cmocka_unit_test(test_before_in_and_after_a_stall),
		cmocka_unit_test(test_a_run_is_cut_at_checkpoints),
		cmocka_unit_test(test_others_are_left_out),
		cmocka_unit_test(test_the_last_interval_ends),
		cmocka_unit_test(test_slack_longer_than_the_clock_is_old),
		cmocka_unit_test(test_stall_makes_its_own_checkpoint),
		cmocka_unit_test(test_streams_of_a_lane),
		cmocka_unit_test(test_random_against_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

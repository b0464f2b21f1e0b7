/*
 * Dealing: who a lane's frames belong to, counted one by one and worked out.
 */
#include "tests/unit/unit.h"

#include "gen/deal.h"

static void test_against_counting(void **state)
{
	static const struct deal deals[] = {{1, UINT32_MAX}, {2, 1},	{3, 1},	  {3, 32},
					    {7, 5},	     {100, 64}, {1024, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(deals) / sizeof(deals[0]); i++) {
		const struct deal *d = &deals[i];
		uint64_t sent[1024] = {0};
		uint32_t turn_of = 0, left = d->turn;

		for (uint64_t n = 0; n < 20000; n++) {
			assert_int_equal(deal_place(d, turn_of, sent[turn_of]), n);
			assert_int_equal(deal_share(d, turn_of, n), sent[turn_of]);
			sent[turn_of]++;
			if (--left == 0) {
				left = d->turn;
				turn_of = (turn_of + 1) % d->streams;
			}
		}
		for (uint32_t s = 0; s < d->streams; s++) {
			assert_int_equal(deal_share(d, s, 20000), sent[s]);
			/* Equal shares, within a turn. */
			assert_true(sent[0] - sent[s] <= d->turn);
		}
	}
}

static void test_shares_add_up(void **state)
{
	static const uint64_t totals[] = {0, 1, 31, 32, 33, 1000003, (1ull << 40) + 17};

	(void)state;
	for (uint32_t streams = 1; streams <= MAX_STREAMS; streams += 31) {
		for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
			const struct deal d = deal_for(streams, 0, 32, 0);
			uint64_t sum = 0;

			for (uint32_t s = 0; s < streams; s++)
				sum += deal_share(&d, s, totals[i]);
			assert_int_equal(sum, totals[i]);
		}
	}
}

static void test_turns(void **state)
{
	(void)state;
	assert_int_equal(deal_for(1, 1e3, 32, 0).turn, UINT32_MAX);
	assert_int_equal(deal_for(3, 0, 32, 0).turn, 32); /* max: a burst */
	assert_int_equal(deal_for(3, 1e3, 32, 0).turn, 1);
	assert_int_equal(deal_for(3, 1e6, 32, 0).turn, 1);
	assert_int_equal(deal_for(3, 10e6, 32, 0).turn, 10);
	assert_int_equal(deal_for(3, 10e6, 4, 0).turn, 4);
	assert_int_equal(deal_for(3, 1e12, 32, 0).turn, 32);
	assert_int_equal(deal_for(3, 1e4, 32, 64).turn, 64); /* a train */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_counting),
		cmocka_unit_test(test_shares_add_up),
		cmocka_unit_test(test_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

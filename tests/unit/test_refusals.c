/*
 * Refused frames held against stalls.
 */
#include "tests/unit/unit.h"

#include "gen/refusals.h"

static void test_stretches(void **state)
{
	static struct refusals r;

	(void)state;
	refusals_reset(&r);
	refusals_note(&r, 1000, 32);
	refusals_note(&r, 1000 + REFUSALS_JOIN, 8);
	refusals_note(&r, 1000 + 3 * REFUSALS_JOIN, 1);
	assert_int_equal(r.count, 2);
	assert_int_equal(r.at[0].frames, 40);
	assert_int_equal(r.at[0].begin, 1000);
	assert_int_equal(r.at[0].end, 1000 + REFUSALS_JOIN);
	assert_int_equal(r.at[1].frames, 1);
}

static void test_stalls(void **state)
{
	const struct stall stalls[] = {{.begin = 10000000, .end = 20000000},
				       {.begin = 50000000, .end = 60000000}};
	static struct refusals r;

	(void)state;
	refusals_reset(&r);
	refusals_note(&r, 9000000, 1);	/* before it */
	refusals_note(&r, 12000000, 2); /* within */
	refusals_note(&r, 20000500, 4); /* just after: the ring was still full */
	refusals_note(&r, 20900000, 8); /* later */
	refusals_note(&r, 55000000, 16);
	assert_int_equal(refusals_in_stalls(&r, stalls, 2, 1000), 2 + 4 + 16);
	assert_int_equal(refusals_in_stalls(&r, stalls, 1, 1000), 2 + 4);
	assert_int_equal(refusals_in_stalls(&r, stalls, 0, 1000), 0);
}

/* A ring that was full for longer than the stall was not full because of it. */
static void test_overload(void **state)
{
	const struct stall stall = {.begin = 1000000, .end = 2000000};
	static struct refusals r;

	(void)state;
	refusals_reset(&r);
	for (uint64_t now = 500000; now < 3000000; now += 1000)
		refusals_note(&r, now, 1);
	assert_int_equal(r.count, 1);
	assert_int_equal(refusals_in_stalls(&r, &stall, 1, 1000), 0);
}

static void test_no_room(void **state)
{
	static struct refusals r;

	(void)state;
	refusals_reset(&r);
	for (uint64_t i = 1; i <= MAX_REFUSALS + 10; i++)
		refusals_note(&r, i * 2 * REFUSALS_JOIN, 1);
	assert_int_equal(r.count, MAX_REFUSALS);
	assert_int_equal(
		refusals_in_stalls(&r, &(struct stall){.begin = 0, .end = UINT64_MAX - 1}, 1, 0),
		MAX_REFUSALS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stretches),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_overload),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

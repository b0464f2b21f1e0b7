/*
 * The clock: arithmetic of rates exactly, readings of the real one only for order, never for speed.
 */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "common/clock.h"

static void test_hz(void **state)
{
	struct clock_point from = {.tsc = 1000, .ns = 5000000};
	struct clock_point to = {.tsc = 1000 + 2500000000u, .ns = 5000000 + 1000000000u};

	(void)state;
	assert_true(clock_hz(&from, &to) == 2.5e9);
	to.ns = from.ns + 1000000;
	to.tsc = from.tsc + 3000000;
	assert_true(clock_hz(&from, &to) == 3e9);
	to.ns = from.ns + 999999; /* under 1 ms */
	assert_true(isnan(clock_hz(&from, &to)));
	assert_true(isnan(clock_hz(&from, &from)));
	assert_true(isnan(clock_hz(&to, &from)));
}

static void test_points_go_forward(void **state)
{
	struct clock_point p = clock_point_now(), q;

	(void)state;
	for (int i = 0; i < 100; i++) {
		q = clock_point_now();
		assert_true(q.tsc > p.tsc && q.ns >= p.ns && q.width_tsc > 0);
		p = q;
	}
	assert_true(clock_ns() >= p.ns);
}

static void test_estimate_is_kept(void **state)
{
	double hz = clock_hz_estimate();

	(void)state;
	assert_true(hz > 1e8 && hz < 2e10);
	assert_true(clock_hz_estimate() == hz);
}

static void test_wall_clock_text(void **state)
{
	unsigned int year, month, day, hour, minute, second, ms;
	char text[32], end = 0, small[5];

	(void)state;
	assert_ptr_equal(clock_iso8601(text, sizeof(text)), text);
	assert_int_equal(strlen(text), 24);
	assert_int_equal(sscanf(text, "%4u-%2u-%2uT%2u:%2u:%2u.%3u%c", &year, &month, &day, &hour,
				&minute, &second, &ms, &end),
			 8);
	assert_true(end == 'Z' && year >= 2024 && month >= 1 && month <= 12 && day <= 31);
	assert_ptr_equal(clock_compact(text, sizeof(text)), text);
	assert_int_equal(strlen(text), 15);
	assert_int_equal(sscanf(text, "%8u-%6u%c", &year, &hour, &end), 2);
	clock_iso8601(small, sizeof(small)); /* cut, not overflown */
	assert_int_equal(strlen(small), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hz),
		cmocka_unit_test(test_points_go_forward),
		cmocka_unit_test(test_estimate_is_kept),
		cmocka_unit_test(test_wall_clock_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

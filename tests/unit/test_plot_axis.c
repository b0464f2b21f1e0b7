/*
 * Axes: ticks are round, cover the data and are not lost to rounding, whatever the data.
 */
#include "tests/unit/unit.h"

#include "plots/axis.h"

/* True when value is 1, 2 or 5 (or any whole digit) times a power of ten. */
static bool is_round(double value, bool any_digit)
{
	double m = value / pow(10, floor(log10(value) + 1e-9));
	double digit = round(m);

	return fabs(m - digit) < 1e-6 &&
	       (any_digit || digit == 1 || digit == 2 || digit == 5 || digit == 10);
}

static void check_common(const struct axis *a, double lo, double hi)
{
	assert_true(a->lo < a->hi);
	assert_true(a->lo <= lo * (1 + 1e-8) && a->hi >= hi * (1 - 1e-8));
	assert_true(a->n_ticks >= 2 && a->n_ticks <= AXIS_TICKS_MAX);
	assert_true(fabs(a->tick[0].value - a->lo) <= 1e-9 * a->hi);
	assert_true(fabs(a->tick[a->n_ticks - 1].value - a->hi) <= 1e-9 * a->hi);
	for (size_t i = 1; i < a->n_ticks; i++)
		assert_true(a->tick[i].value > a->tick[i - 1].value);
}

static void test_linear_covers_with_round_steps(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double max = pow(10, (double)(unit_random(&seed) % 24000) / 1000 - 12);
		struct axis a;

		axis_linear(&a, max);
		check_common(&a, 0, max);
		assert_true(a.n_ticks <= 10);
		assert_true(is_round(a.tick[1].value, false));
		assert_true(a.hi < max + a.tick[1].value * (1 + 1e-6));
	}
}

static void test_linear_keeps_a_round_maximum(void **state)
{
	static const double max[] = {0.3, 0.6, 0.7, 1, 3, 7, 10, 30, 1e6};
	struct axis a;

	(void)state;
	for (size_t i = 0; i < sizeof(max) / sizeof(max[0]); i++) {
		axis_linear(&a, max[i]);
		assert_true(fabs(a.hi - max[i]) < 1e-9 * max[i]);
	}
	axis_linear(&a, 0.3);
	assert_string_equal(a.tick[a.n_ticks - 1].label, "0.3");
}

static void test_log_covers_with_round_ends(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double lo = pow(10, (double)(unit_random(&seed) % 12000) / 1000 - 6);
		double hi = lo * pow(10, (double)(unit_random(&seed) % 8000) / 1000);
		struct axis a;

		axis_log(&a, lo, hi);
		check_common(&a, lo, hi);
		assert_true(is_round(a.lo, false) && is_round(a.hi, false));
		for (size_t t = 0; t < a.n_ticks; t++)
			assert_true(is_round(a.tick[t].value, true));
	}
}

static void test_log_labels(void **state)
{
	struct axis a;

	(void)state;
	axis_log(&a, 0.11, 8.9);
	assert_string_equal(a.tick[0].label, "0.1");
	assert_string_equal(a.tick[1].label, "0.2");
	assert_string_equal(a.tick[2].label, "");
	assert_string_equal(a.tick[a.n_ticks - 1].label, "10");
	/* Over many decades only powers of ten have room. */
	axis_log(&a, 1e-3, 1e6);
	for (size_t i = 0; i < a.n_ticks; i++)
		if (a.tick[i].label[0])
			assert_non_null(strchr(a.tick[i].label, '1'));
	assert_string_equal(a.tick[a.n_ticks - 1].label, "1000000");
	/* One value, itself a round one. */
	axis_log(&a, 5, 5);
	assert_true(a.lo == 5 && a.hi == 10);
}

static void test_nonsense_gives_an_axis(void **state)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY, 0, -3, 1e-320, 1e308};
	struct axis a;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		axis_linear(&a, bad[i]);
		assert_true(a.lo < a.hi && isfinite(a.hi) && a.n_ticks >= 2);
		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			axis_log(&a, bad[i], bad[j]);
			assert_true(a.lo > 0 && a.lo < a.hi && isfinite(a.hi));
		}
	}
}

static void test_fraction(void **state)
{
	struct axis a;

	(void)state;
	axis_linear(&a, 10);
	assert_true(axis_fraction(&a, 0) == 0 && axis_fraction(&a, 5) == 0.5);
	assert_true(axis_fraction(&a, 11) == 1 && axis_fraction(&a, -1) == 0);
	axis_log(&a, 1, 100);
	assert_true(fabs(axis_fraction(&a, 10) - 0.5) < 1e-12);
	assert_true(axis_fraction(&a, 0) == 0 && axis_fraction(&a, 1e9) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linear_covers_with_round_steps),
		cmocka_unit_test(test_linear_keeps_a_round_maximum),
		cmocka_unit_test(test_log_covers_with_round_ends),
		cmocka_unit_test(test_log_labels),
		cmocka_unit_test(test_nonsense_gives_an_axis),
		cmocka_unit_test(test_fraction),
	};

	return cmocka_run_group_tests_name("plot axis", tests, NULL, NULL);
}

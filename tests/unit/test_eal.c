/*
 * The command line's two halves: EAL's and ours.
 */
#include "tests/unit/unit.h"

#include "common/dpdk/eal.h"

#define SPLIT(...)                                            \
	char *argv[] = {__VA_ARGS__, NULL};                   \
	int argc = (int)(sizeof(argv) / sizeof(argv[0])) - 1; \
	struct eal_args args = eal_split(argc, argv)

static void test_both_halves(void **state)
{
	SPLIT("prog", "-l", "0", "--no-huge", "--", "run", "--json");

	(void)state;
	assert_int_equal(args.eal_argc, 3);
	assert_ptr_equal(args.eal_argv, argv + 1);
	assert_int_equal(args.app_argc, 2);
	assert_ptr_equal(args.app_argv, argv + 5);
	assert_string_equal(args.app_argv[0], "run");
}

static void test_without_a_mark_all_is_ours(void **state)
{
	SPLIT("prog", "run", "--json");

	(void)state;
	assert_int_equal(args.eal_argc, 0);
	assert_int_equal(args.app_argc, 2);
	assert_string_equal(args.app_argv[0], "run");
}

static void test_only_the_first_mark_counts(void **state)
{
	SPLIT("prog", "-l", "0", "--", "run", "--", "x");

	(void)state;
	assert_int_equal(args.eal_argc, 2);
	assert_int_equal(args.app_argc, 3);
	assert_string_equal(args.app_argv[1], "--");
}

static void test_empty_halves(void **state)
{
	(void)state;
	{
		SPLIT("prog");

		assert_int_equal(args.eal_argc, 0);
		assert_int_equal(args.app_argc, 0);
	}
	{
		SPLIT("prog", "--");

		assert_int_equal(args.eal_argc, 0);
		assert_int_equal(args.app_argc, 0);
	}
	{
		SPLIT("prog", "--", "run");

		assert_int_equal(args.eal_argc, 0);
		assert_int_equal(args.app_argc, 1);
	}
	{
		SPLIT("prog", "-l", "0", "--");

		assert_int_equal(args.eal_argc, 2);
		assert_int_equal(args.app_argc, 0);
	}
}

static void test_options_that_begin_alike(void **state)
{
	SPLIT("prog", "--log-level=5", "-", "---", "--", "-");

	(void)state;
	assert_int_equal(args.eal_argc, 3);
	assert_int_equal(args.app_argc, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_halves),
		cmocka_unit_test(test_without_a_mark_all_is_ours),
		cmocka_unit_test(test_only_the_first_mark_counts),
		cmocka_unit_test(test_empty_halves),
		cmocka_unit_test(test_options_that_begin_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

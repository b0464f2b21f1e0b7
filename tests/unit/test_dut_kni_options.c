/*
 * The KNI sample's port mask and lcore list: what is right is read, and of what is wrong nothing is
 * taken over.
 */
#include "dut/kni_options.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char err[256];

static void mask_is(const char *text, uint64_t expected)
{
	uint64_t mask = 0;

	assert_int_equal(kni_mask_parse(&mask, text, err, sizeof(err)), 0);
	assert_int_equal(mask, expected);
}

static void mask_refused(const char *text, const char *named)
{
	uint64_t mask = 77;

	err[0] = '\0';
	assert_int_equal(kni_mask_parse(&mask, text, err, sizeof(err)), -EINVAL);
	assert_int_equal(mask, 77);
	assert_non_null(strstr(err, named));
	assert_null(strchr(err, '\n'));
}

static void masks_are_hexadecimal(void **state)
{
	(void)state;
	mask_is("0x1", 1);
	mask_is("1", 1);
	mask_is("0XfF", 255);
	mask_is("10", 16);
	mask_is("ffffffff", 0xffffffff);
	mask_is("0x00000000000000000000000001", 1);
}

static void wrong_masks(void **state)
{
	(void)state;
	mask_refused("", "hexadecimal");
	mask_refused("0x", "hexadecimal");
	mask_refused("0", "no port");
	mask_refused("0x0", "no port");
	mask_refused("g", "hexadecimal");
	mask_refused("1 ", "hexadecimal");
	mask_refused("-1", "hexadecimal");
	mask_refused("0x1,2", "hexadecimal");
	mask_refused("100000000", "beyond 31");
	mask_refused("ffffffffffffffffffffffff", "beyond 31");
}

static void configurations_are_read(void **state)
{
	struct kni_config c;

	(void)state;
	assert_int_equal(kni_config_parse(&c, "(0,0,1)", err, sizeof(err)), 0);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.ports[0].lcore_rx, 0);
	assert_int_equal(c.ports[0].lcore_tx, 1);
	assert_int_equal(c.ports[0].n_kernel, 0);
	assert_int_equal(kni_config_parse(&c, "(3,4,4),(0,6,127,8,9)", err, sizeof(err)), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.ports[0].port, 3);
	assert_int_equal(c.ports[1].lcore_tx, 127);
	assert_int_equal(c.ports[1].n_kernel, 2);
}

static void wrong_configurations(void **state)
{
	static const char *const wrong[][2] = {
		{"", "parentheses"},
		{"0,0,1", "parentheses"},
		{"()", "a port must be"},
		{"(0)", "parentheses"},
		{"(0,1)", "parentheses"},
		{"(0,1,", "lcore_tx"},
		{"(0,1,2", "')'"},
		{"(0,1,2]", "')'"},
		{"(0,1,2,)", "kernel thread"},
		{"(0,1,2,128)", "kernel thread"},
		{"(0, 1,2)", "lcore_rx"},
		{"(-1,1,2)", "a port must be"},
		{"(32,1,2)", "0 to 31"},
		{"(0,128,2)", "0 to 127"},
		{"(0,1,99999999999999999999)", "lcore_tx"},
		{"(0,1,2),", "parentheses"},
		{"(0,1,2)(1,1,2)", "commas"},
		{"(0,1,2);", "commas"},
		{"(0,1,2),(0,3,4)", "twice"},
		{"(0,1,2,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3)",
		 "more than 32"},
		{"(0,1,2),(1,1,2),(2,1,2),(3,1,2),(4,1,2),(5,1,2),(6,1,2),(7,1,2),(8,1,2),(9,1,2),"
		 "(10,1,2),(11,1,2),(12,1,2),(13,1,2),(14,1,2),(15,1,2),(16,1,2)",
		 "more than 16"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct kni_config c = {.n = 5};

		err[0] = '\0';
		assert_int_equal(kni_config_parse(&c, wrong[i][0], err, sizeof(err)), -EINVAL);
		assert_int_equal(c.n, 5);
		if (!strstr(err, wrong[i][1]))
			fail_msg("'%s': %s", wrong[i][0], err);
	}
}

static void both_name_the_same_ports(void **state)
{
	struct kni_config c, none = {0};

	(void)state;
	assert_int_equal(kni_config_parse(&c, "(0,0,1),(2,0,1)", err, sizeof(err)), 0);
	assert_true(kni_options_agree(&c, 0x5, err, sizeof(err)));
	assert_true(kni_options_agree(&c, 0, err, sizeof(err)));
	assert_true(kni_options_agree(&none, 0x5, err, sizeof(err)));
	assert_false(kni_options_agree(&c, 0x7, err, sizeof(err)));
	assert_non_null(strstr(err, "port 1 is in the port mask 0x7"));
	assert_false(kni_options_agree(&c, 0x1, err, sizeof(err)));
	assert_non_null(strstr(err, "port 2 is in --config"));
	assert_int_equal(kni_wire_mask(&c, 0), 0x5);
	assert_int_equal(kni_wire_mask(&none, 0x8), 0x8);
	assert_int_equal(kni_wire_mask(&none, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks_are_hexadecimal),    cmocka_unit_test(wrong_masks),
		cmocka_unit_test(configurations_are_read),  cmocka_unit_test(wrong_configurations),
		cmocka_unit_test(both_name_the_same_ports),
	};

	return cmocka_run_group_tests_name("dut kni options", tests, NULL, NULL);
}

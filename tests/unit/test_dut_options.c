/*
 * The DUT's options: defaults, and one line that names the option for each thing that is wrong.
 */
#include "dut/options.h"
#include "dut/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct dut_options options;
static char err[512];

/* Parses up to three words. */
static enum opt_result parse(const char *a, const char *b, const char *c)
{
	char *argv[] = {(char *)a, (char *)b, (char *)c, NULL};
	int argc = 0;

	while (argv[argc])
		argc++;
	err[0] = '\0';
	return dut_options_parse(&options, argc, argv, err, sizeof(err));
}

static void refused(const char *a, const char *b, const char *named)
{
	assert_int_equal(parse(a, b, NULL), OPT_ERROR);
	assert_non_null(strstr(err, named));
	assert_null(strchr(err, '\n'));
}

static void defaults_hold(void **state)
{
	(void)state;
	assert_int_equal(parse(NULL, NULL, NULL), OPT_OK);
	assert_int_equal(options.forward_mode, FORWARD_IO);
	assert_int_equal(options.topology, TOPOLOGY_CHAINED);
	assert_int_equal(options.rxd, 1024);
	assert_int_equal(options.txd, 1024);
	assert_int_equal(options.burst, 32);
	assert_int_equal(options.mbcache, 512);
	assert_int_equal(options.on_full, ON_FULL_DROP);
	assert_int_equal(options.kernel_path, KERNEL_UNSET);
	assert_int_equal(options.wait_link_ns, 0);
	assert_int_equal(options.stall_threshold_ns, 100000);
	assert_true(options.stats_period_ns == STATS_PERIOD_UNSET);
}

static void values_arrive(void **state)
{
	(void)state;
	assert_int_equal(parse("--forward-mode=kernel", "--kernel-path=tap", "--on-full=wait"),
			 OPT_OK);
	assert_int_equal(options.forward_mode, FORWARD_KERNEL);
	assert_int_equal(options.kernel_path, KERNEL_TAP);
	assert_int_equal(options.on_full, ON_FULL_WAIT);
	assert_int_equal(parse("--wait-link=10s", "--stall-threshold=250us", "--burst=1"), OPT_OK);
	assert_true(options.wait_link_ns == 10000000000ull);
	assert_int_equal(options.stall_threshold_ns, 250000);
	assert_int_equal(options.burst, 1);
	assert_int_equal(parse("--stats-period", "0", NULL), OPT_OK);
	assert_int_equal(options.stats_period_ns, 0);
}

static void wrong_values_are_named(void **state)
{
	(void)state;
	refused("--burst=0", NULL, "--burst");
	refused("--burst=513", NULL, "--burst");
	refused("--mbcache=513", NULL, "--mbcache");
	refused("--rxd=31", NULL, "--rxd");
	refused("--rxd=-1", NULL, "--rxd");
	refused("--txd=99999", NULL, "--txd");
	refused("--duration=0", NULL, "--duration");
	refused("--wait-link=0", NULL, "--wait-link");
	refused("--max-frame=63", NULL, "--max-frame");
	refused("--no-such-option", NULL, "no-such-option");
	refused("operand", NULL, "operand");
	refused("--burst", NULL, "--burst");
	refused("--stats=", NULL, "--stats");
}

static void unknown_modes_list_what_exists(void **state)
{
	(void)state;
	refused("--forward-mode=kni", NULL, "io");
	assert_non_null(strstr(err, "kernel"));
	refused("--port-topology=ring", NULL, "chained");
	refused("--kernel-path=pcap", "--forward-mode=kernel", "af_packet");
}

static void kernel_options_need_kernel_mode(void **state)
{
	(void)state;
	refused("--kernel-path=tap", NULL, "--forward-mode=kernel");
	refused("--kernel-netns=x", NULL, "--forward-mode=kernel");
	refused("--kernel-netns=../x", "--forward-mode=kernel", "../x");
	refused("--kernel-netns=", "--forward-mode=kernel", "--kernel-netns");
	refused("--kernel-netns=-x", "--forward-mode=kernel", "-x");
}

static void split_needs_a_rule(void **state)
{
	(void)state;
	refused("--forward-mode=split", NULL, "--split udp-dst=5000");
	refused("--split=percent=25", NULL, "--forward-mode=split");
	refused("--split=percent=25", "--forward-mode=kernel", "--forward-mode=split");
	refused("--forward-mode=split", "--split=percent=101", "--split");
	refused("--forward-mode=split", "--split=half", "percent=P");
	assert_int_equal(parse("--forward-mode=split", "--split=percent=1", "--split=percent=2"),
			 OPT_ERROR);
	assert_non_null(strstr(err, "twice"));
	assert_int_equal(parse("--forward-mode=split", "--split=stream=3", "--kernel-path=tap"),
			 OPT_OK);
	assert_int_equal(options.forward_mode, FORWARD_SPLIT);
	assert_int_equal(options.split.kind, SPLIT_STREAM);
	assert_string_equal(options.split.text, "stream=3");
	assert_int_equal(parse("--forward-mode=series", "--kernel-netns=x", NULL), OPT_OK);
	assert_string_equal(forward_mode_name(options.forward_mode), "series");
}

static void impair_options_need_impair_mode(void **state)
{
	(void)state;
	refused("--impair=drop=0.1", NULL, "--forward-mode=impair");
	refused("--seed=3", NULL, "--forward-mode=impair");
	refused("--impair-log=x", NULL, "--forward-mode=impair");
	refused("--forward-mode=impair", NULL, "--impair");
	refused("--forward-mode=impair", "--impair=flood=1", "flood");
	refused("--forward-mode=impair", "--impair", "--impair");
	assert_int_equal(parse("--forward-mode=impair", "--impair=drop=0.5,dup=0.5", NULL), OPT_OK);
	assert_int_equal(options.impair.kinds, IMPAIR_DROP | IMPAIR_DUP);
	assert_int_equal(options.on_full, ON_FULL_WAIT);
	assert_int_equal(options.seed, DUT_DEFAULT_SEED);
	assert_int_equal(parse("--forward-mode=impair", "--impair=drop=0.5", "--on-full=drop"),
			 OPT_OK);
	assert_int_equal(options.on_full, ON_FULL_DROP);
}

static void the_seeds_command_lines_are_read(void **state)
{
	char *argv[] = {"-i",	      "--port-topology=chained", "--rxd=1024",	      "--txd=1024",
			"--burst=32", "--mbcache=512",		 "--forward-mode=io", NULL};

	(void)state;
	assert_int_equal(dut_options_parse(&options, 7, argv, err, sizeof(err)), OPT_OK);
	assert_true(options.interactive);
	assert_int_equal(options.forward_mode, FORWARD_IO);
	assert_int_equal(parse("-P", "-p0x1", "--config=(0,0,1)"), OPT_OK);
	assert_false(options.interactive);
	assert_int_equal(options.forward_mode, FORWARD_KERNEL);
	assert_int_equal(options.portmask, 1);
	assert_int_equal(options.kni.n, 1);
	assert_int_equal(options.kni.ports[0].lcore_tx, 1);
	assert_int_equal(parse("-p", "f", "--kernel-path=tap"), OPT_OK);
	assert_int_equal(options.forward_mode, FORWARD_KERNEL);
}

static void what_the_kni_sample_would_not_take_is_refused(void **state)
{
	(void)state;
	refused("-p0x1", "--forward-mode=io", "--portmask");
	refused("--config=(0,0,1)", "--forward-mode=io", "--config");
	refused("-p0x3", "--config=(0,0,1)", "port 1");
	refused("-p0x1", "--config=(0,0,1),(4,0,1)", "port 4");
	refused("-p0", NULL, "--portmask");
	refused("--config=(0,0)", NULL, "--config");
	refused("--no-promiscuous", NULL, "promiscuous");
	refused("--cmdline-file=", NULL, "--cmdline-file");
}

static void queues_are_alike(void **state)
{
	(void)state;
	assert_int_equal(parse("--rxq=4", "--txq=4", NULL), OPT_OK);
	assert_int_equal(options.rxq, 4);
	refused("--rxq=2", NULL, "--txq 1");
	refused("--rxq=17", "--txq=17", "--rxq");
	refused("--rxq=0", NULL, "--rxq");
}

static void help_and_version_are_seen(void **state)
{
	(void)state;
	assert_int_equal(parse("--help", NULL, NULL), OPT_HELP);
	assert_int_equal(parse("--version", NULL, NULL), OPT_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold),
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(wrong_values_are_named),
		cmocka_unit_test(unknown_modes_list_what_exists),
		cmocka_unit_test(kernel_options_need_kernel_mode),
		cmocka_unit_test(split_needs_a_rule),
		cmocka_unit_test(impair_options_need_impair_mode),
		cmocka_unit_test(the_seeds_command_lines_are_read),
		cmocka_unit_test(what_the_kni_sample_would_not_take_is_refused),
		cmocka_unit_test(queues_are_alike),
		cmocka_unit_test(help_and_version_are_seen),
	};

	return cmocka_run_group_tests_name("dut options", tests, NULL, NULL);
}

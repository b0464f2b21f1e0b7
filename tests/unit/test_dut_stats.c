/*
 * The DUT's record from given counters, and the file it is written to.
 */
#include "dut/dut.h"
#include "dut/stats.h"
#include "common/results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HZ 2e9

static struct dut d;
static char *words[] = {"tandem-dut", "--", "--stats", "\xff not UTF-8"};

/* A wire port 0 and a kernel port 1, carried both ways by one core. */
static int make_dut(void **state)
{
	(void)state;
	memset(&d, 0, sizeof(d));
	d.argc = 4;
	d.argv = words;
	d.options = (struct dut_options){
		.forward_mode = FORWARD_KERNEL, .kernel_path = KERNEL_TAP, .burst = 32};
	d.n_ports = d.n_streams = 2;
	snprintf(d.ports[0].port.name, sizeof(d.ports[0].port.name), "net_vhost0");
	snprintf(d.ports[1].port.name, sizeof(d.ports[1].port.name), "net_tap_td0");
	d.ports[1].role = ROLE_KERNEL;
	d.ports[0].missed = 5;
	d.streams[0] = (struct stream){.rx_index = 0, .tx_index = 1, .count = {1000, 990, 10, 3}};
	d.streams[1] = (struct stream){.rx_index = 1, .tx_index = 0, .count = {980, 978, 2, 1}};
	d.n_cores = 1;
	d.cores[0].watch = loop_watch_new(100000, true);
	d.cores[0].count =
		(struct core_counters){.rounds = 50, .busy_cycles = 30, .total_cycles = 120};
	d.cores[0].thread.lcore = 7;
	d.cores[0].streams = d.streams;
	d.cores[0].n_streams = 2;
	d.cores[0].times = (struct cpu_times){2500000000, 500000000};
	snprintf(d.started, sizeof(d.started), "2026-01-01T00:00:00.000Z");
	return d.cores[0].watch ? 0 : -1;
}

static int free_dut(void **state)
{
	(void)state;
	loop_watch_free(d.cores[0].watch);
	return 0;
}

static json_t *record_now(double hz)
{
	struct dut_snapshot s;
	json_t *record;

	dut_snapshot_take(&d, &s);
	record = stats_record(&d, &s, hz, 1.5);
	assert_non_null(record);
	return record;
}

static void snapshot_adds_streams_to_ports(void **state)
{
	struct dut_snapshot s;

	(void)state;
	dut_snapshot_take(&d, &s);
	assert_int_equal(s.ports[0].rx, 1000);
	assert_int_equal(s.ports[0].tx, 978);
	assert_int_equal(s.ports[0].tx_dropped, 2);
	assert_int_equal(s.ports[0].rx_missed, 5);
	assert_int_equal(s.ports[1].rx, 980);
	assert_int_equal(s.ports[1].tx, 990);
	assert_int_equal(s.ports[1].tx_dropped, 10);
	assert_int_equal(s.kernel_refused, 10);
	assert_false(s.kernel_known);
	assert_int_equal(s.all_cores.busy_cycles, 30);
}

static void record_holds_the_counters(void **state)
{
	json_t *record, *port, *lcore;

	(void)state;
	loop_own(d.cores[0].watch, 1000, 3000);
	record = record_now(HZ);
	assert_string_equal(result_str(record, "schema"), DUT_SCHEMA);
	assert_string_equal(result_str(record, "started"), d.started);
	assert_true(result_num(record, "duration_s") == 1.5);
	assert_true(json_is_null(json_object_get(record, "impairment")));
	assert_string_equal(result_str(record, "config.forward_mode"), "kernel");
	port = json_array_get(json_object_get(record, "ports"), 1);
	assert_string_equal(result_str(port, "role"), "kernel");
	assert_true(result_num(port, "rx") == 980 && result_num(port, "tx") == 990);
	assert_true(result_num(port, "dropped") == 10 && result_num(port, "backpressured") == 3);
	lcore = json_array_get(json_object_get(record, "lcores"), 0);
	assert_true(result_num(lcore, "lcore") == 7);
	assert_true(result_num(lcore, "busy_share") == 0.25);
	assert_true(result_num(lcore, "loop_ns.count") == 1);
	assert_true(fabs(result_num(lcore, "loop_ns.max") - 1000) < 1);
	assert_true(fabs(result_num(lcore, "cycles_per_frame") - 30.0 / 1980) < 1e-12);
	assert_true(result_num(lcore, "frames") == 1980);
	assert_true(result_num(lcore, "user_s") == 2.5 && result_num(lcore, "system_s") == 0.5);
	/* Of a frame from the wire: it passes the core twice. */
	assert_true(fabs(result_num(record, "cpu.cycles_per_frame") - 0.03) < 1e-12);
	/* Nobody opened the watch. */
	assert_true(isnan(result_num(record, "cpu.softirq_share")));
	assert_true(isnan(result_num(record, "cpu.kernel_threads_share")));
	assert_true(result_num(record, "kernel.refused") == 10);
	/* The kernel side is not ours here: what it dropped is unknown, and so null. */
	assert_true(isnan(result_num(record, "kernel.dropped")));
	assert_true(isnan(result_num(lcore, "driver_ns.p50")));
	json_decref(record);
}

static void split_paths_are_apart(void **state)
{
	json_t *record;

	(void)state;
	record = record_now(HZ);
	assert_true(json_is_null(json_object_get(record, "paths")));
	assert_true(json_is_null(json_object_get(json_object_get(record, "config"), "split")));
	json_decref(record);
	d.options.forward_mode = FORWARD_SPLIT;
	d.options.split = (struct split_rule){.kind = SPLIT_STREAM, .text = "stream=3"};
	d.n_streams = 3;
	d.streams[2] = (struct stream){.rx_index = 0, .tx_index = 0, .count = {700, 650, 50, 5}};
	for (unsigned int i = 0; i < d.n_streams; i++)
		d.streams[i].split = &d.options.split;
	record = record_now(HZ);
	assert_string_equal(result_str(record, "config.split"), "stream=3");
	assert_true(result_num(record, "paths.io.rx") == 700);
	assert_true(result_num(record, "paths.io.tx") == 650);
	assert_true(result_num(record, "paths.io.dropped") == 50);
	assert_true(result_num(record, "paths.kernel.rx") == 1000);
	assert_true(result_num(record, "paths.kernel.tx") == 978);
	assert_true(result_num(record, "paths.kernel.dropped") == 12);
	assert_true(result_num(json_array_get(json_object_get(record, "ports"), 0), "rx") == 1700);
	json_decref(record);
}

static void unknown_is_null(void **state)
{
	json_t *record;

	(void)state;
	d.cores[0].count.total_cycles = d.cores[0].count.busy_cycles = 0;
	d.options.forward_mode = FORWARD_IO;
	record = record_now(NAN);
	assert_true(json_is_null(json_object_get(record, "tsc_hz")));
	assert_true(json_is_null(json_object_get(record, "kernel")));
	assert_true(isnan(
		result_num(json_array_get(json_object_get(record, "lcores"), 0), "busy_share")));
	json_decref(record);
}

static void command_that_is_no_utf8_is_survived(void **state)
{
	json_t *record = record_now(HZ), *command = json_object_get(record, "command");

	(void)state;
	assert_int_equal(json_array_size(command), 4);
	assert_string_equal(json_string_value(json_array_get(command, 0)), "tandem-dut");
	json_decref(record);
}

static void file_is_written_whole(void **state)
{
	char path[] = "/tmp/dut-stats-XXXXXX", temporary[64], err[256];
	json_t *record = record_now(HZ), *read;

	(void)state;
	close(mkstemp(path));
	assert_int_equal(stats_check_path("--stats", path, err, sizeof(err)), 0);
	assert_int_equal(stats_write(record, path, err, sizeof(err)), 0);
	read = json_load_file(path, 0, NULL);
	assert_true(json_equal(read, record));
	snprintf(temporary, sizeof(temporary), "%s.tmp", path);
	assert_int_not_equal(access(temporary, F_OK), 0);
	json_decref(read);
	json_decref(record);
	unlink(path);
}

static void unwritable_file_is_an_error(void **state)
{
	json_t *record = record_now(HZ);
	char err[256] = "";

	(void)state;
	assert_true(stats_check_path("--stats", "/no/such/folder/x", err, sizeof(err)) < 0);
	assert_non_null(strstr(err, "/no/such/folder/x"));
	assert_true(stats_write(record, "/no/such/folder/x", err, sizeof(err)) < 0);
	json_decref(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(snapshot_adds_streams_to_ports, make_dut, free_dut),
		cmocka_unit_test_setup_teardown(record_holds_the_counters, make_dut, free_dut),
		cmocka_unit_test_setup_teardown(split_paths_are_apart, make_dut, free_dut),
		cmocka_unit_test_setup_teardown(unknown_is_null, make_dut, free_dut),
		cmocka_unit_test_setup_teardown(command_that_is_no_utf8_is_survived, make_dut,
						free_dut),
		cmocka_unit_test_setup_teardown(file_is_written_whole, make_dut, free_dut),
		cmocka_unit_test_setup_teardown(unwritable_file_is_an_error, make_dut, free_dut),
	};

	return cmocka_run_group_tests_name("dut stats", tests, NULL, NULL);
}

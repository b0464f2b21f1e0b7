/*
 * The loop's watch: which gaps are stalls, how many are kept, and reading them page by page.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/dpdk/loop.h"

static struct loop_watch *w;

static int setup(void **state)
{
	(void)state;
	w = loop_watch_new(100000, false);
	if (!w)
		return -1;
	w->threshold = 1000; /* on a clock of our own */
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	loop_watch_free(w);
	return 0;
}

static void test_threshold_is_in_nanoseconds(void **state)
{
	struct loop_watch *other = loop_watch_new(1000000, true);

	(void)state;
	assert_non_null(other);
	assert_true(fabs((double)other->threshold / clock_hz_estimate() - 1e-3) < 1e-6);
	assert_true(other->driver_makes_syscalls);
	loop_watch_free(other);
	loop_watch_free(NULL);
}

static void test_gaps_up_to_the_threshold_are_no_stalls(void **state)
{
	struct stall stall;

	(void)state;
	assert_false(loop_own(w, 5000, 5000));
	assert_false(loop_own(w, 5000, 6000));
	assert_false(loop_driver(w, 6000, 7000));
	assert_int_equal(w->stall_count, 0);
	assert_int_equal(w->last_stall_end, 0);
	assert_int_equal(w->own.count, 2);
	assert_int_equal(w->driver.count, 1);
	assert_int_equal(loop_stalls(w, 0, &stall, 1), 0);
}

static void test_gaps_over_it_are(void **state)
{
	struct stall stalls[4];

	(void)state;
	assert_true(loop_own(w, 10000, 11001));
	assert_true(loop_own(w, 20000, 25000));
	assert_int_equal(w->stall_count, 2);
	assert_int_equal(w->stall_cycles, 6001);
	assert_int_equal(w->stall_max, 5000);
	assert_int_equal(w->last_stall_end, 25000);
	assert_int_equal(w->own.max, 5000);
	assert_int_equal(loop_stalls(w, 0, stalls, 4), 2);
	assert_int_equal(stalls[0].begin, 10000);
	assert_int_equal(stalls[0].end, 11001);
	assert_int_equal(stalls[1].begin, 20000);
	assert_int_equal(stalls[1].end, 25000);
}

/* A driver that makes no system call can only be long when the scheduler was at work. */
static void test_driver_without_system_calls(void **state)
{
	(void)state;
	assert_true(loop_driver(w, 10000, 12000));
	assert_int_equal(w->stall_count, 1);
	assert_int_equal(w->driver.max, 2000);
	assert_int_equal(w->own.count, 0);
}

/* One that makes them may take its time: without a sign from the kernel it is no stall. */
static void test_driver_with_system_calls(void **state)
{
	(void)state;
	w->driver_makes_syscalls = true;
	assert_false(loop_driver(w, 10000, 12000));
	assert_int_equal(w->stall_count, 0);
	assert_int_equal(w->driver.count, 1);
	/* Outside the driver it is one all the same. */
	assert_true(loop_own(w, 12000, 14000));
	assert_int_equal(w->stall_count, 1);
}

/* A file as the kernel would show it; its descriptor. */
static int proc_file(const char *text)
{
	FILE *f = tmpfile();
	int fd;

	assert_non_null(f);
	fd = dup(fileno(f));
	assert_true(fd >= 0);
	fclose(f);
	assert_int_equal(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
	return fd;
}

static void rewrite(int fd, const char *text)
{
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
}

static void test_the_kernel_says_that_the_core_was_taken(void **state)
{
	(void)state;
	w->driver_makes_syscalls = true;
	w->schedstat_fd = proc_file("5000000 100000 40\n");
	w->status_fd = proc_file("Name:\tx\nvoluntary_ctxt_switches:\t9\n"
				 "nonvoluntary_ctxt_switches:\t3\n");
	loop_watch_reset(w); /* takes a reading */
	assert_false(loop_driver(w, 10000, 12000));
	/* A run delay of microseconds is the scheduler's ordinary business. */
	rewrite(w->schedstat_fd, "6000000 110000 41\n");
	assert_false(loop_driver(w, 20000, 22000));
	rewrite(w->schedstat_fd, "6000000 3110000 41\n");
	assert_true(loop_driver(w, 30000, 32000));
	assert_false(loop_driver(w, 40000, 42000)); /* no more than before */
	rewrite(w->status_fd, "voluntary_ctxt_switches:\t20\nnonvoluntary_ctxt_switches:\t3\n");
	assert_false(loop_driver(w, 50000, 52000));
	rewrite(w->status_fd, "voluntary_ctxt_switches:\t20\nnonvoluntary_ctxt_switches:\t4\n");
	assert_true(loop_driver(w, 60000, 62000));
	/* Kernels without the files, or with others in them, say nothing. */
	rewrite(w->schedstat_fd, "");
	rewrite(w->status_fd, "nothing of use");
	assert_false(loop_driver(w, 70000, 72000));
	assert_int_equal(w->stall_count, 2);
	loop_watch_stop(w);
}

static void test_list_is_bounded_and_all_are_counted(void **state)
{
	static struct stall stalls[LOOP_MAX_STALLS + 10];
	uint64_t n = LOOP_MAX_STALLS + 100;

	(void)state;
	for (uint64_t i = 1; i <= n; i++)
		assert_true(loop_own(w, i * 10000, i * 10000 + 1000 + i));
	assert_int_equal(w->stall_count, n);
	assert_int_equal(w->stall_cycles, n * 1000 + n * (n + 1) / 2);
	assert_int_equal(w->stall_max, 1000 + n);
	assert_int_equal(w->last_stall_end, n * 10000 + 1000 + n);
	assert_int_equal(loop_stalls(w, 0, stalls, LOOP_MAX_STALLS + 10), LOOP_MAX_STALLS);
	/* The last ones are kept, oldest first. */
	assert_int_equal(stalls[0].begin, (n - LOOP_MAX_STALLS + 1) * 10000);
	assert_int_equal(stalls[LOOP_MAX_STALLS - 1].begin, n * 10000);
	assert_int_equal(loop_stalls(w, LOOP_MAX_STALLS - 3, stalls, 8), 3);
	assert_int_equal(stalls[2].begin, n * 10000);
}

static void test_pages(void **state)
{
	struct stall page[8];
	uint32_t first = 0, n;

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		loop_own(w, i * 10000, i * 10000 + 2000);
	while ((n = loop_stalls(w, first, page, 8))) {
		assert_int_equal(n, first < 16 ? 8 : 4);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(page[i].begin, (first + i) * 10000);
		first += n;
	}
	assert_int_equal(first, 20);
	assert_int_equal(loop_stalls(w, 20, page, 8), 0);
	assert_int_equal(loop_stalls(w, 1000, page, 8), 0);
	assert_int_equal(loop_stalls(w, UINT32_MAX, page, 8), 0);
	assert_int_equal(loop_stalls(w, 0, page, 0), 0);
}

static void test_reset(void **state)
{
	struct stall stall;

	(void)state;
	loop_own(w, 10000, 20000);
	loop_driver(w, 20000, 30000);
	loop_watch_reset(w);
	assert_int_equal(w->stall_count, 0);
	assert_int_equal(w->stall_cycles, 0);
	assert_int_equal(w->stall_max, 0);
	assert_int_equal(w->last_stall_end, 0);
	assert_int_equal(w->own.count, 0);
	assert_int_equal(w->driver.count, 0);
	assert_int_equal(loop_stalls(w, 0, &stall, 1), 0);
	assert_int_equal(w->threshold, 1000); /* what it was told stays */
	assert_true(loop_own(w, 40000, 50000));
	assert_int_equal(loop_stalls(w, 0, &stall, 1), 1);
	assert_int_equal(stall.begin, 40000);
}

static void test_reads_the_threads_own_files(void **state)
{
	(void)state;
	loop_watch_start(w);
	/* The kernel's counters of this thread: at least one of the two is there on any Linux. */
	assert_true(w->status_fd >= 0 || w->schedstat_fd >= 0);
	loop_own(w, 10000, 20000);
	loop_watch_stop(w);
	assert_int_equal(w->status_fd, -1);
	assert_int_equal(w->schedstat_fd, -1);
	assert_int_equal(w->stall_count, 1); /* what was recorded stays */
	loop_watch_stop(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_threshold_is_in_nanoseconds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gaps_up_to_the_threshold_are_no_stalls, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_gaps_over_it_are, setup, teardown),
		cmocka_unit_test_setup_teardown(test_driver_without_system_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_driver_with_system_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_the_kernel_says_that_the_core_was_taken, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_list_is_bounded_and_all_are_counted, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_pages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reads_the_threads_own_files, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * CPU times read out of a procfs of the test's own.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include "dut/cpu_use.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TICKS_NS(n) ((uint64_t)(n) * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)))

static struct cpu_watch watch;
static cpu_set_t cpus;

static void put_process(const char *pid, const char *name, const char *line)
{
	char path[64];

	mkdir(folder_path(pid), 0700);
	snprintf(path, sizeof(path), "%s/comm", pid);
	folder_put(path, "w", name);
	snprintf(path, sizeof(path), "%s/stat", pid);
	folder_put(path, "w", line);
}

/* CPUs 0 to 2, of which 0 and 2 are ours; user, nice, system, idle, iowait, irq, softirq. */
static void put_stat(unsigned int softirq)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "cpu  9 9 9 9 9 9 9 0\ncpu0 100 0 5 7 0 3 %u 0 0 0\ncpu1 1 1 1 1 1 500 500 0 0 0\n"
		 "cpu2 1 1 1 1 1 0 40 0 0 0\nintr 5 7 9\n",
		 softirq);
	folder_put("stat", "w", text);
}

static int setup(void **state)
{
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	CPU_SET(2, &cpus);
	return folder_setup(state);
}

static void test_softirqs_of_our_cpus(void **state)
{
	struct cpu_use use;

	(void)state;
	put_stat(10);
	cpu_watch_open(&watch, folder, &cpus, 42);
	use = cpu_watch_read(&watch);
	assert_true(use.known);
	assert_int_equal(use.softirq_ns, 0);
	put_stat(35);
	use = cpu_watch_read(&watch);
	assert_int_equal(use.softirq_ns, TICKS_NS(25));
	assert_int_equal(use.kthreads_ns, 0);
	assert_int_equal(use.n_kthreads, 0);
	/* A counter that goes back, as some kernels' do, is no time of 600 years. */
	put_stat(5);
	assert_int_equal(cpu_watch_read(&watch).softirq_ns, 0);
}

static void test_kernel_threads(void **state)
{
	struct cpu_use use;

	(void)state;
	put_stat(10);
	put_process("17", "kni_single\n",
		    "17 (kni_single) S 2 0 0 0 -1 0 0 0 0 0 3 200 0 0 20 0\n");
	put_process("18", "vhost-42\n", "18 (vhost-42) S 2 0 0 0 -1 0 0 0 0 0 0 50 0 0 20 0\n");
	put_process("19", "vhost-43\n", "19 (vhost-43) S 2 0 0 0 -1 0 0 0 0 0 0 999 0 0 20 0\n");
	put_process("20", "bash\n", "20 (bash) S 2 0 0 0 -1 0 0 0 0 0 999 999 0 0 20 0\n");
	put_process("net", "kni_\n", "");
	mkdir(folder_path("self"), 0700);
	mkdir(folder_path("self/task"), 0700);
	put_process("self/task/21", "kni_handle_req\n", "");
	cpu_watch_open(&watch, folder, &cpus, 42);
	assert_int_equal(watch.n_kthreads, 2);
	put_process("17", "kni_single\n",
		    "17 (kni_single) R 2 0 0 0 -1 0 0 0 0 0 4 260 0 0 20 0\n");
	use = cpu_watch_read(&watch);
	assert_int_equal(use.kthreads_ns, TICKS_NS(61));
	assert_int_equal(use.n_kthreads, 2);
	/* One that has ended takes what it used along. */
	unlink(folder_path("18/stat"));
	assert_int_equal(cpu_watch_read(&watch).kthreads_ns, TICKS_NS(11));
}

static void test_without_proc(void **state)
{
	(void)state;
	cpu_watch_open(&watch, folder, &cpus, 42);
	assert_false(cpu_watch_read(&watch).known);
	folder_put("stat", "w", "cpu0 nonsense\n");
	cpu_watch_open(&watch, folder, &cpus, 42);
	assert_false(cpu_watch_read(&watch).known);
	put_stat(1);
	cpu_watch_open(&watch, folder, &cpus, 42);
	assert_true(cpu_watch_read(&watch).known);
	unlink(folder_path("stat"));
	assert_false(cpu_watch_read(&watch).known);
}

static void test_thread_times(void **state)
{
	struct cpu_times times;

	(void)state;
	mkdir(folder_path("self"), 0700);
	mkdir(folder_path("self/task"), 0700);
	put_process("self/task/7", "dut-1\n",
		    "7 (a) b) ) R 1 1 1 0 -1 0 0 0 0 0 12 34 0 0 20 0 1 0\n");
	assert_true(cpu_thread_times(folder, 7, &times));
	assert_int_equal(times.user_ns, TICKS_NS(12));
	assert_int_equal(times.system_ns, TICKS_NS(34));
	assert_false(cpu_thread_times(folder, 8, &times));
	folder_put("self/task/7/stat", "w", "7 (cut) R 1 1");
	assert_false(cpu_thread_times(folder, 7, &times));
	folder_put("self/task/7/stat", "w", "");
	assert_false(cpu_thread_times(folder, 7, &times));
}

/* The real thing: this thread has used less time than the clock says has passed since boot. */
static void test_the_real_proc(void **state)
{
	struct cpu_times before, after;
	pid_t tid = (pid_t)syscall(SYS_gettid);
	volatile uint64_t spin = 0;

	(void)state;
	assert_true(cpu_thread_times("/proc", tid, &before));
	do {
		for (int i = 0; i < 1000000; i++)
			spin += (uint64_t)i;
		assert_true(cpu_thread_times("/proc", tid, &after));
	} while (after.user_ns + after.system_ns < before.user_ns + before.system_ns + 30000000);
	assert_true(spin > 0);
	assert_true(after.user_ns >= before.user_ns);
	assert_true(after.system_ns >= before.system_ns);
	cpu_watch_open(&watch, "/proc", &cpus, getpid());
	assert_true(watch.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_softirqs_of_our_cpus, setup, folder_teardown),
		cmocka_unit_test_setup_teardown(test_kernel_threads, setup, folder_teardown),
		cmocka_unit_test_setup_teardown(test_without_proc, setup, folder_teardown),
		cmocka_unit_test_setup_teardown(test_thread_times, setup, folder_teardown),
		cmocka_unit_test(test_the_real_proc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

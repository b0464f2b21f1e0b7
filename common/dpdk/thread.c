/*
 * Threads that poll, the thread that controls them, and the signals that end both.
 */
#include "common/dpdk/eal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_lcore.h>

static cpu_set_t
	start_cpus; /* what the process was started with, before EAL pinned its main thread */
static volatile bool stop_flag;
static void (*last_act)(void);

__attribute__((constructor)) static void remember_cpus(void)
{
	if (sched_getaffinity(0, sizeof(start_cpus), &start_cpus))
		CPU_ZERO(&start_cpus);
}

void driver_signals_take(bool take)
{
	sigset_t signals;

	sigemptyset(&signals);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		sigaddset(&signals, n);
	pthread_sigmask(take ? SIG_UNBLOCK : SIG_BLOCK, &signals, NULL);
}

struct launch {
	struct poll_thread *t;
	sem_t ready;
};

static void *poll_thread_main(void *arg)
{
	struct launch *launch = arg;
	struct poll_thread *t = launch->t;
	int rc = rte_thread_register();

	t->tid = (int)gettid();
	t->started = rc < 0 ? -ENOSPC : 0;
	sem_post(&launch->ready); /* launch is gone from here on */
	if (rc < 0)
		return NULL;
	driver_signals_take(true);
	t->result = t->run(t->arg);
	rte_thread_unregister();
	return NULL;
}

int poll_thread_start(struct poll_thread *t, unsigned int lcore, const char *name,
		      int (*run)(void *arg), void *arg)
{
	struct launch launch = {.t = t};
	rte_cpuset_t cpus = rte_lcore_cpuset(lcore);
	pthread_attr_t attr;
	pthread_t thread;
	char short_name[16];
	sigset_t all, old;
	int rc;

	*t = (struct poll_thread){.lcore = lcore, .run = run, .arg = arg};
	snprintf(short_name, sizeof(short_name), "%s", name);
	sem_init(&launch.ready, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	/* The user's signals are the control thread's: they never interrupt a polling loop. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&thread, &attr, poll_thread_main, &launch);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (rc)
		goto cleanup;
	pthread_setname_np(thread, short_name);
	t->handle = thread;
	while (sem_wait(&launch.ready) && errno == EINTR)
		;
	if (t->started) {
		rc = -t->started;
		pthread_join(thread, NULL);
	}
cleanup:
	sem_destroy(&launch.ready);
	return -rc;
}

int poll_thread_join(struct poll_thread *t)
{
	pthread_join((pthread_t)t->handle, NULL);
	return t->result;
}

void control_thread_unpin(void)
{
	cpu_set_t cpus = start_cpus;
	unsigned int lcore;

	RTE_LCORE_FOREACH (lcore) {
		rte_cpuset_t polled = rte_lcore_cpuset(lcore);

		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &polled))
				CPU_CLR(cpu, &cpus);
	}
	/* With no core to spare, the control thread shares: it sleeps nearly all the time. */
	if (!CPU_COUNT(&cpus))
		cpus = start_cpus;
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

static void on_signal(int signal_number)
{
	static volatile sig_atomic_t count;

	/* The first asks for an orderly end, which takes a second at most; the third is for a
	 * program that hangs. */
	if (++count >= 3) {
		if (last_act)
			last_act();
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
	stop_flag = true;
}

void stop_last_act(void (*act)(void))
{
	last_act = act;
}

const volatile bool *stop_on_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL); /* no SA_RESTART: sleeps end at once */
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return &stop_flag;
}

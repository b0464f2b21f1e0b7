/*
 * Starting and ending DPDK's EAL for both programs.
 */
#ifndef TANDEM_EAL_H
#define TANDEM_EAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Splits "prog [EAL] -- [ours]" at the first "--". Without one, everything is ours. Neither array
 * holds the program's name; both point into argv.
 */
struct eal_args {
	int eal_argc;
	char **eal_argv;
	int app_argc;
	char **app_argv;
};
struct eal_args eal_split(int argc, char **argv);

/*
 * Starts EAL with args->eal_argv and what we add where the user named nothing else: --in-memory, a
 * --file-prefix of the program's name, --no-pci when a --vdev was given and no device allowed,
 * quiet logs. EAL's own log goes to stderr when the user gave --log-level, else its last error
 * becomes part of ours. A --vdev net_virtio_user whose socket has no listener yet is waited for
 * (wait_ns), and a dead memif or vhost socket in the way of a server is removed. *stop ends the
 * waiting. All vdevs named must have become ports. Returns 0, or a negative errno with one line in
 * err: what failed and the command that mends it.
 */
int eal_start(const char *program, const struct eal_args *args, uint64_t wait_ns,
	      const volatile bool *stop, char *err, size_t errlen);

/* Cleans up: EAL itself and the run-time folder this process made. Ports are closed before by their
 * owner. */
void eal_end(void);

/* Removes the run-time folder only; for a signal handler that ends the program. */
void eal_forget(void);

/* The run-time folder's telemetry socket, "" when there is none. */
const char *eal_telemetry_path(void);

/*
 * A thread pinned to the core of an EAL lcore that polls: one of our own, registered with DPDK
 * (mempool caches), so that the main thread is free for control even when the program has a single
 * lcore.
 */
struct poll_thread {
	unsigned long handle; /* pthread_t */
	int tid;	      /* the kernel's number of it, as in /proc; 0 before the start */
	unsigned int lcore;
	int started; /* 0, or negative errno when it could not register with DPDK */
	int (*run)(void *arg);
	void *arg;
	int result;
};
/* Starts run(arg) on the core of lcore. Returns 0 or a negative errno. */
int poll_thread_start(struct poll_thread *t, unsigned int lcore, const char *name,
		      int (*run)(void *arg), void *arg);
/* Waits for its end; returns what run returned. */
int poll_thread_join(struct poll_thread *t);

/* Lets the calling (control) thread run on every core the process was started with, not just the
 * main lcore's. */
void control_thread_unpin(void);

/*
 * net_tap raises a signal for each frame that arrives. Handled by whichever thread the kernel
 * picks, it would wake the control thread on another core for every frame; so all threads but those
 * that poll block such signals. The programs call this with false before EAL starts its threads; a
 * control thread that polls for a while takes them meanwhile.
 */
void driver_signals_take(bool take);

/* SIGINT and SIGTERM set the flag that is returned; a third one ends the program at once. SIGPIPE
 * is ignored. */
const volatile bool *stop_on_signals(void);

/* act is called before that third signal ends the program; it must be safe in a signal handler. */
void stop_last_act(void (*act)(void));

#endif

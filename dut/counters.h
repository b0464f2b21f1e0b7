/*
 * Counters of the data path, and a snapshot of all of them.
 *
 * Each block has a cache line and a writer of its own (the thread that polls the stream or is the
 * core); it is never reset while running. Everybody else reads through a snapshot and subtracts.
 */
#ifndef TANDEM_DUT_COUNTERS_H
#define TANDEM_DUT_COUNTERS_H

#include "dut/cpu_use.h"
#include "dut/topology.h"

#include <stdbool.h>
#include <stdint.h>

struct dut;

struct stream_counters {
	uint64_t rx;		/* frames taken from the receiving port */
	uint64_t tx;		/* frames the sending port took */
	uint64_t tx_dropped;	/* frames it did not take: its ring was full or its link down */
	uint64_t backpressured; /* bursts it took only in part */
};

struct core_counters {
	uint64_t rounds;
	uint64_t busy_cycles;  /* of rounds that moved a frame */
	uint64_t total_cycles; /* of all rounds */
};

static inline void counter_add(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

static inline uint64_t counter_read(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

struct port_snapshot {
	uint64_t rx, tx, tx_dropped, backpressured;
	uint64_t rx_missed; /* up to a check of the ports (20 ms) old */
};

/* What a path of split mode carried from wire to wire; the kernel's own frames (ARP) are in it. */
struct path_snapshot {
	uint64_t rx;	  /* frames taken from wire ports for this path */
	uint64_t tx;	  /* frames of it that wire ports took */
	uint64_t dropped; /* frames that a port did not take, on the way there or back */
};

enum split_path { PATH_IO, PATH_KERNEL, SPLIT_PATHS };

/* A path's name in records. */
const char *split_path_name(unsigned int path);

struct dut_snapshot {
	uint64_t tsc;
	unsigned int n_ports, n_cores;
	struct port_snapshot ports[DUT_MAX_PORTS];
	struct path_snapshot paths[SPLIT_PATHS]; /* all 0 but in split mode */
	struct core_counters cores[DUT_MAX_STREAMS];
	struct core_counters all_cores;
	uint64_t core_frames[DUT_MAX_STREAMS];	      /* frames that each core received */
	struct cpu_times core_times[DUT_MAX_STREAMS]; /* of its polling thread */
	struct cpu_use cpu;
	uint64_t wire_rx; /* frames that wire ports received */
	uint64_t stall_count, stall_cycles, stall_max;
	uint64_t kernel_refused; /* frames the kernel ports did not take */
	uint64_t kernel_dropped; /* frames lost inside the kernel, up to 100 ms old */
	bool kernel_known;	 /* the kernel side is ours, so kernel_dropped is known */
};

/* Reads all counters of a DUT, running or not, and what /proc says of its CPU time. */
void dut_snapshot_take(const struct dut *d, struct dut_snapshot *s);

#endif

/*
 * The DUT's side of a trial, read over its link before and after, never during: CPU,
 * drops, stalls.
 */
#ifndef TANDEM_DUT_CLIENT_H
#define TANDEM_DUT_CLIENT_H

#include "common/dpdk/loop.h"
#include "gen/dut_link.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Flat object of /tandem/dut/stats, or NULL with a line in err. New reference. */
json_t *dut_snapshot(struct dut_link *link, char *err, size_t errlen);

/* What changed between two snapshots. */
struct dut_change {
	double cpu_busy; /* share of the trial's cycles in which a core of the DUT moved frames; NaN
			    unknown */
	double cycles_per_frame; /* busy cycles of all cores for each frame from the wire; NaN
				    unknown, as are those below */
	double system_share;	 /* of the cores' time, from snapshot to snapshot, in the kernel */
	double softirq_share;	 /* interrupts and softirqs on the cores' CPUs; 1 is a whole CPU for
				    the trial */
	double kernel_threads_share; /* of rte_kni's and vhost-net's kernel threads; likewise */
	uint64_t rx_missed, tx_dropped, kernel_dropped;
	uint64_t wire_tx_dropped; /* frames that the DUT's wire ports could not send: lost at our
				     door */
	uint64_t stalls, stall_cycles;
	double tsc_hz;
	bool same_clock; /* the DUT's TSC is ours: its stalls can be held against our times */
};

/*
 * before and after are snapshots, sending took trial_s seconds. False when a counter went backwards
 * (the DUT was restarted in between): *change is not usable then.
 */
bool dut_compare(const json_t *before, const json_t *after, double trial_s, uint64_t tsc_now,
		 struct dut_change *change);

/*
 * The DUT's last n stalls, at most max of them, page by page. Returns how many were read: fewer
 * than n when it keeps no more.
 */
uint32_t dut_stalls(struct dut_link *link, uint64_t n, struct stall *stalls, uint32_t max);

#endif

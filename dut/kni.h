/*
 * What the DUT takes over from DPDK's KNI sample: its port mask and lcores, applied, and its
 * statistics (key s and SIGUSR1 print them, SIGUSR2 clears them).
 */
#ifndef TANDEM_DUT_KNI_H
#define TANDEM_DUT_KNI_H

#include "dut/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct dut;

/* Frames of one wire port, seen from the kernel: rx goes up to it, tx comes from it. */
struct kni_counts {
	uint64_t rx_packets, rx_dropped, tx_packets, tx_dropped;
};

/* Whether EAL has every port and lcore that the options name. 0, or -EINVAL with a line in err. */
int kni_check(const struct dut_options *o, char *err, size_t errlen);

/* Whether ethdev port id takes part: all do without a mask, else those of the mask and, where no
 * kernel ports are to be made, given kernel ports. */
bool kni_takes_port(const struct dut_options *o, uint16_t id);

/* Whether the options name it as a wire port. */
bool kni_is_wire(const struct dut_options *o, uint16_t id);

/*
 * With --config, brings the DUT's streams into the order of the lcores that poll them and lists
 * these lcores, each once; lcore_of gives each stream's place in the list. Returns their number, 0
 * without --config. Both arrays have room for DUT_MAX_STREAMS.
 */
unsigned int kni_lcores(struct dut *d, unsigned int *lcores, unsigned int *lcore_of);

/* The sample's table since the last kni_clear, in it also what each kernel interface counted where
 * the kernel side is ours. For the control thread. */
void kni_print(struct dut *d, FILE *out);
void kni_clear(struct dut *d);

/* SIGUSR1 and SIGUSR2 are noted from now on; kni_serve does what they ask for. */
void kni_signals_take(void);
void kni_serve(struct dut *d);

#endif

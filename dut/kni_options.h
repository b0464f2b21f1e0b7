/*
 * The command line of DPDK's KNI sample: -p MASK and --config "(port,lcore_rx,lcore_tx[,...])".
 * Pure: what exists of ports and lcores is checked later.
 */
#ifndef TANDEM_DUT_KNI_OPTIONS_H
#define TANDEM_DUT_KNI_OPTIONS_H

#include "dut/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KNI_PORT_IDS  32u  /* DPDK numbers its ports below this */
#define KNI_LCORE_IDS 128u /* and its lcores below this */

struct kni_port {
	uint16_t port;
	uint16_t lcore_rx; /* polls the wire port, feeds the kernel port */
	uint16_t lcore_tx; /* the other direction */
	uint16_t n_kernel; /* cores named for rte_kni's kernel threads */
};

struct kni_config {
	unsigned int n; /* 0: not given */
	struct kni_port ports[DUT_MAX_PORTS];
};

/* A mask of ports in hexadecimal, with or without 0x, not 0: "0x1", "3". 0, or -EINVAL with a line
 * in err. */
int kni_mask_parse(uint64_t *mask, const char *text, char *err, size_t errlen);

/* "(0,2,3),(1,4,5,6)": each port at most once. 0, or -EINVAL with a line in err. */
int kni_config_parse(struct kni_config *c, const char *text, char *err, size_t errlen);

/* Whether both name the same ports, where both are given (mask 0: it is not). False with a line in
 * err. */
bool kni_options_agree(const struct kni_config *c, uint64_t mask, char *err, size_t errlen);

/* The ports of the mask or, without one, of the configuration; 0 when neither was given. */
uint64_t kni_wire_mask(const struct kni_config *c, uint64_t mask);

#endif

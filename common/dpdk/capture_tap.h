/*
 * Between the data path and a capture: copies of mbufs into the polling thread's tap.
 */
#ifndef TANDEM_CAPTURE_TAP_H
#define TANDEM_CAPTURE_TAP_H

#include "common/capture_out.h"

#include <rte_mbuf.h>

/* Received frames, at tsc. */
void capture_tap_received(struct capture_tap *tap, uint16_t port, struct rte_mbuf *const *frames,
			  uint16_t n, uint64_t tsc);

/* Sends a burst as rte_eth_tx_burst does; what the port took is captured as sent at tsc. */
uint16_t capture_tap_send(struct capture_tap *tap, uint16_t port, uint16_t ethdev, uint16_t queue,
			  struct rte_mbuf **frames, uint16_t n, uint64_t tsc);

#endif

/*
 * The DUT's answers on DPDK's telemetry socket: /tandem/dut/info, /tandem/dut/stats,
 * /tandem/dut/stalls,OFFSET.
 */
#ifndef TANDEM_DUT_TELEMETRY_H
#define TANDEM_DUT_TELEMETRY_H

struct dut;

/* Answers for d from now on. telemetry_stop returns when no answer is being made any more: d may go
 * then. */
int dut_telemetry_start(const struct dut *d);
void dut_telemetry_stop(void);

#endif

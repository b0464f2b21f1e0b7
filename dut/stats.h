/*
 * What the DUT tells: the progress line, the table at the end, the record. All three read
 * snapshots.
 */
#ifndef TANDEM_DUT_STATS_H
#define TANDEM_DUT_STATS_H

#include "dut/counters.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct dut;

/* One line on stderr: rates since *last, which becomes the present. */
void stats_progress(const struct dut *d, struct dut_snapshot *last, uint64_t elapsed_ns);

/*
 * The record tandem.dut/1 (design.md section 7): a new reference. hz is the TSC's measured rate
 * (NaN where unknown: times are then null), seconds how long the cores ran.
 */
json_t *stats_record(const struct dut *d, const struct dut_snapshot *s, double hz, double seconds);

/* A table of a record for people, on out. */
void stats_print(const json_t *record, FILE *out);

/* Whether the file of an option can be written there; writes a record whole or not at all. 0 or a
 * negative errno, a line in err. */
int stats_check_path(const char *option, const char *path, char *err, size_t errlen);
int stats_write(const json_t *record, const char *path, char *err, size_t errlen);

#endif

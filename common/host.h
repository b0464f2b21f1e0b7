/*
 * Facts about this host that a figure depends on: they go into run.json and the DUT's record.
 */
#ifndef TANDEM_HOST_H
#define TANDEM_HOST_H

#include <jansson.h>
#include <stdbool.h>

/*
 * A new object (the caller's to release), unknown values null:
 *   hostname, os, kernel, machine, cpu_model, cpus_online, cpus_allowed (list text), isolated_cpus,
 * nohz_full, governor, smt (bool), numa_nodes, memory_bytes, hugepages: {"2048kB": {total, free},
 * ...}, clocksource, tsc: {constant, nonstop, invariant, reliable, known_freq (bools)}, hypervisor,
 * mitigations, load_1min
 */
json_t *host_facts(void);

/* Free hugepages of all sizes, in bytes. */
unsigned long long host_free_hugepage_bytes(void);

/* Cores this process may run on, ascending; returns how many, at most max are stored. */
int host_allowed_cpus(int *cpus, int max);

#endif

/*
 * Which polling threads share a CPU with another. Pure: it knows CPU sets only.
 */
#ifndef TANDEM_SHARE_H
#define TANDEM_SHARE_H

#include <sched.h>
#include <stdbool.h>

/*
 * True when thread i of n must make way now and then: the threads whose sets overlap with its own,
 * directly or through others, are more than the CPUs that they have together.
 */
bool share_is_shared(const cpu_set_t *cpus, unsigned int n, unsigned int i);

#endif

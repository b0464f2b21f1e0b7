/*
 * Overlaps form chains: threads on CPUs 0-1, 1-2 and 2 have one each, those on 0, 0-1 and 1 have
 * not.
 */
#include "common/share.h"

bool share_is_shared(const cpu_set_t *cpus, unsigned int n, unsigned int i)
{
	cpu_set_t together = cpus[i], both;
	unsigned int threads = 0, before;

	/* Sets that overlap with what is together join it, until no more do. */
	do {
		before = threads;
		threads = 0;
		for (unsigned int k = 0; k < n; k++) {
			CPU_AND(&both, &cpus[k], &together);
			if (CPU_COUNT(&both) == 0)
				continue;
			threads++;
			CPU_OR(&together, &together, &cpus[k]);
		}
	} while (threads != before);
	return (int)threads > CPU_COUNT(&together);
}

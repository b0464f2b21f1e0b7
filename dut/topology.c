/*
 * Port topologies, as testpmd names them, and the pairs of the kernel path.
 */
#include "dut/topology.h"

#include <errno.h>
#include <stdio.h>

unsigned int topology_tx_port(enum topology topology, unsigned int rx, unsigned int n)
{
	switch (topology) {
	case TOPOLOGY_CHAINED:
		return rx + 1 < n ? rx + 1 : 0;
	case TOPOLOGY_PAIRED:
		return (rx ^ 1) < n ? rx ^ 1 : rx;
	case TOPOLOGY_LOOP:
		break;
	}
	return rx;
}

unsigned int topology_forwards(enum topology topology, unsigned int n, struct forward *to)
{
	for (unsigned int rx = 0; rx < n; rx++)
		to[rx] = (struct forward){.rx = rx, .tx = topology_tx_port(topology, rx, n)};
	return n;
}

unsigned int topology_streams(const struct forward *forwards, unsigned int n, unsigned int queues,
			      struct stream_place *to)
{
	for (unsigned int queue = 0; queue < queues; queue++)
		for (unsigned int i = 0; i < n; i++)
			to[queue * n + i] = (struct stream_place){
				.rx = forwards[i].rx, .tx = forwards[i].tx, .queue = queue};
	return n * queues;
}

unsigned int topology_kernel_forwards(const struct kernel_pair *pairs, unsigned int n,
				      struct forward *to)
{
	for (unsigned int i = 0; i < n; i++) {
		to[2 * i] = (struct forward){.rx = pairs[i].wire, .tx = pairs[i].kernel};
		to[2 * i + 1] = (struct forward){.rx = pairs[i].kernel, .tx = pairs[i].wire};
	}
	return 2 * n;
}

unsigned int topology_split_forwards(enum topology topology, const struct kernel_pair *pairs,
				     unsigned int n, struct forward *to)
{
	for (unsigned int i = 0; i < n; i++, to += SPLIT_FORWARDS) {
		unsigned int out = topology_tx_port(topology, i, n);

		to[0] = (struct forward){.rx = pairs[i].wire, .tx = pairs[i].kernel};
		to[1] = (struct forward){.rx = pairs[i].wire, .tx = pairs[out].wire};
		to[2] = (struct forward){.rx = pairs[out].kernel, .tx = pairs[out].wire};
	}
	return SPLIT_FORWARDS * n;
}

unsigned int topology_series_forwards(const struct kernel_pair *pairs,
				      const struct stage_ends *stages, unsigned int n,
				      struct forward *to)
{
	for (unsigned int i = 0; i < n; i++, to += SERIES_FORWARDS) {
		to[0] = (struct forward){.rx = pairs[i].wire, .tx = stages[i].io};
		to[1] = (struct forward){.rx = stages[i].io, .tx = pairs[i].wire};
		to[2] = (struct forward){.rx = stages[i].kernel, .tx = pairs[i].kernel};
		to[3] = (struct forward){.rx = pairs[i].kernel, .tx = stages[i].kernel};
	}
	return SERIES_FORWARDS * n;
}

int topology_kernel_pairs(const bool *is_kernel, unsigned int n, bool make_kernel_ports,
			  struct kernel_pair *pairs, bool *needs_kernel, bool *assumed, char *err,
			  size_t errlen)
{
	unsigned int kernels = 0, wire = 0, kernel = 0;

	for (unsigned int i = 0; i < n; i++)
		kernels += is_kernel[i];
	*needs_kernel = make_kernel_ports || kernels == 0 || (n == 1 && kernels == 1);
	*assumed = false;

	if (*needs_kernel) {
		if (2 * n > DUT_MAX_PORTS) {
			snprintf(err, errlen,
				 "%u wire ports and as many kernel ports are more than %u ports", n,
				 DUT_MAX_PORTS);
			return -EINVAL;
		}
		for (unsigned int i = 0; i < n; i++)
			pairs[i] = (struct kernel_pair){.wire = i};
		return (int)n;
	}
	if (kernels == n && n % 2 == 0) {
		*assumed = true;
		for (unsigned int i = 0; i < n / 2; i++)
			pairs[i] = (struct kernel_pair){.wire = 2 * i, .kernel = 2 * i + 1};
		return (int)(n / 2);
	}
	if (2 * kernels != n) {
		snprintf(err, errlen,
			 "%u wire and %u kernel ports: each wire port needs one kernel port; give "
			 "as many of "
			 "both, or --kernel-path to have them made",
			 n - kernels, kernels);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < n; i++) {
		if (is_kernel[i])
			pairs[kernel++].kernel = i;
		else
			pairs[wire++].wire = i;
	}
	return (int)kernels;
}

unsigned int topology_core_of(unsigned int stream, unsigned int n_streams, unsigned int n_cores)
{
	return stream * n_cores / n_streams;
}

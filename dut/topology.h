/*
 * Which port's frames go where. Pure: it knows ports by their place in a list and touches none.
 */
#ifndef TANDEM_DUT_TOPOLOGY_H
#define TANDEM_DUT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#define DUT_MAX_PORTS	 16u
#define DUT_MAX_QUEUES	 16u
#define DUT_MAX_FORWARDS (DUT_MAX_PORTS / 2 * SPLIT_FORWARDS)
#define DUT_MAX_STREAMS	 (DUT_MAX_FORWARDS * DUT_MAX_QUEUES)

/* Forwardings of a wire port in split mode, and in series mode. */
#define SPLIT_FORWARDS	3u
#define SERIES_FORWARDS 4u

enum topology {
	TOPOLOGY_CHAINED, /* 0 -> 1 -> 2 ... -> 0 */
	TOPOLOGY_PAIRED,  /* 0 <-> 1, 2 <-> 3; an odd last port to itself */
	TOPOLOGY_LOOP	  /* each to itself */
};

/* Frames received on port rx leave on port tx. */
struct forward {
	unsigned int rx, tx;
};

/* Frames received on a queue of port rx leave on the same queue of port tx. */
struct stream_place {
	unsigned int rx, tx, queue;
};

/* A wire port and the kernel port its frames are carried to and from. */
struct kernel_pair {
	unsigned int wire, kernel;
};

/* The port that frames of port rx leave on, among n ports. */
unsigned int topology_tx_port(enum topology topology, unsigned int rx, unsigned int n);

/* The n forwardings of n ports, one a receiving port, in order. to has room for n. Returns n. */
unsigned int topology_forwards(enum topology topology, unsigned int n, struct forward *to);

/*
 * The streams of n forwardings with so many queues each, queue by queue: cores that take blocks of
 * neighbours then share every port evenly. to has room for n x queues. Returns n x queues.
 */
unsigned int topology_streams(const struct forward *forwards, unsigned int n, unsigned int queues,
			      struct stream_place *to);

/* Both directions of each pair, next to each other. to has room for 2 x n. Returns 2 x n. */
unsigned int topology_kernel_forwards(const struct kernel_pair *pairs, unsigned int n,
				      struct forward *to);

/*
 * The split of each pair, three neighbours: from wire to kernel, from wire to the wire port of the
 * topology, and from that one's kernel port to it. So whatever is sent on a wire port is sent by
 * one three, which must stay on one core. to has room for 3 x n. Returns 3 x n.
 */
unsigned int topology_split_forwards(enum topology topology, const struct kernel_pair *pairs,
				     unsigned int n, struct forward *to);

/* The two ports of a stage that joins an io stage with a kernel stage: what is sent on one is
 * received on the other. */
struct stage_ends {
	unsigned int io, kernel;
};

/* The series of each pair, four neighbours: both directions of its io stage, then of its kernel
 * stage. to has room for 4 x n. Returns 4 x n. */
unsigned int topology_series_forwards(const struct kernel_pair *pairs,
				      const struct stage_ends *stages, unsigned int n,
				      struct forward *to);

/*
 * Which of n given ports are wire ports and which kernel ports. is_kernel says of which a kernel
 * interface is known to stand behind. With make_kernel_ports, or where no kernel port is given,
 * each is a wire port and needs_kernel is set: the kernel ports are still to be made, and pairs
 * hold only wire. Ports that all look like kernel ports (two veth, say) are taken in order, wire
 * first, and assumed is set. Returns the number of pairs, or -EINVAL with a line in err.
 */
int topology_kernel_pairs(const bool *is_kernel, unsigned int n, bool make_kernel_ports,
			  struct kernel_pair *pairs, bool *needs_kernel, bool *assumed, char *err,
			  size_t errlen);

/* The core, 0..n_cores-1, that polls a stream: blocks of neighbours, as even as can be. n_cores <=
 * n_streams. */
unsigned int topology_core_of(unsigned int stream, unsigned int n_streams, unsigned int n_cores);

#endif

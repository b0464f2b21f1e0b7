/*
 * One snapshot of all counters: what the screen, the record and telemetry show comes from here.
 */
#include "dut/counters.h"
#include "dut/dut.h"

#include <string.h>

static void snapshot_core(const struct poll_core *core, struct core_counters *to,
			  struct dut_snapshot *s)
{
	uint64_t max = counter_read(&core->watch->stall_max);

	to->rounds = counter_read(&core->count.rounds);
	to->busy_cycles = counter_read(&core->count.busy_cycles);
	to->total_cycles = counter_read(&core->count.total_cycles);
	/* The busy counter is written first: a round may end between the two reads. */
	if (to->busy_cycles > to->total_cycles)
		to->busy_cycles = to->total_cycles;
	s->all_cores.rounds += to->rounds;
	s->all_cores.busy_cycles += to->busy_cycles;
	s->all_cores.total_cycles += to->total_cycles;
	s->stall_count += counter_read(&core->watch->stall_count);
	s->stall_cycles += counter_read(&core->watch->stall_cycles);
	if (max > s->stall_max)
		s->stall_max = max;
}

/* Frames that a core received, and CPU time of its thread and those it had before. */
static void snapshot_work(const struct poll_core *core, uint64_t *frames, struct cpu_times *times)
{
	struct cpu_times now;

	for (unsigned int i = 0; i < core->n_streams; i++)
		*frames += counter_read(&core->streams[i].count.rx);
	*times = core->times;
	if (!core->thread.tid || !cpu_thread_times("/proc", core->thread.tid, &now))
		return;
	times->user_ns += now.user_ns;
	times->system_ns += now.system_ns;
}

const char *split_path_name(unsigned int path)
{
	return path == PATH_IO ? "io" : "kernel";
}

static void snapshot_path(const struct dut *d, const struct stream *stream, struct dut_snapshot *s)
{
	bool from_wire = d->ports[stream->rx_index].role == ROLE_WIRE;
	bool to_wire = d->ports[stream->tx_index].role == ROLE_WIRE;
	struct path_snapshot *path = &s->paths[from_wire && to_wire ? PATH_IO : PATH_KERNEL];

	if (from_wire)
		path->rx += counter_read(&stream->count.rx);
	if (to_wire)
		path->tx += counter_read(&stream->count.tx);
	path->dropped += counter_read(&stream->count.tx_dropped);
}

void dut_snapshot_take(const struct dut *d, struct dut_snapshot *s)
{
	memset(s, 0, sizeof(*s));
	s->n_ports = d->n_ports;
	s->n_cores = d->n_cores;
	for (unsigned int i = 0; i < d->n_cores; i++)
		snapshot_core(&d->cores[i], &s->cores[i], s);
	for (unsigned int i = 0; i < d->n_cores; i++)
		snapshot_work(&d->cores[i], &s->core_frames[i], &s->core_times[i]);
	s->cpu = cpu_watch_read(&d->cpu);
	for (unsigned int i = 0; i < d->n_streams; i++) {
		const struct stream *stream = &d->streams[i];
		struct port_snapshot *rx = &s->ports[stream->rx_index];
		struct port_snapshot *tx = &s->ports[stream->tx_index];
		uint64_t dropped = counter_read(&stream->count.tx_dropped);

		rx->rx += counter_read(&stream->count.rx);
		tx->tx += counter_read(&stream->count.tx);
		tx->tx_dropped += dropped;
		tx->backpressured += counter_read(&stream->count.backpressured);
		if (d->ports[stream->tx_index].role == ROLE_KERNEL)
			s->kernel_refused += dropped;
		if (d->ports[stream->rx_index].role == ROLE_WIRE)
			s->wire_rx += counter_read(&stream->count.rx);
		if (stream->split)
			snapshot_path(d, stream, s);
	}
	for (unsigned int i = 0; i < d->n_ports; i++)
		s->ports[i].rx_missed = counter_read(&d->ports[i].missed);
	s->kernel_known = d->watching && d->kernel_made;
	s->kernel_dropped = counter_read(&d->kernel_dropped);
	s->tsc = tsc_now();
}

/*
 * Forwarding at the prompt: started, stopped, counted and described as testpmd does.
 */
#include "dut/prompt_internal.h"

#include <rte_lcore.h>

#include <inttypes.h>

void forward_clear(struct prompt *p)
{
	dut_snapshot_take(p->dut, &p->forwarded);
}

void forward_start(struct prompt *p)
{
	char err[256];

	if (p->dut->running) {
		fprintf(p->out, "Packet forwarding already started\n");
		return;
	}
	for (unsigned int i = 0; i < p->dut->n_ports; i++)
		tally_mark(p, i);
	forward_clear(p);
	if (dut_start_cores(p->dut, err, sizeof(err)) < 0) {
		prompt_fail(p, "%s", err);
		return;
	}
	forward_config(p);
}

void forward_stop(struct prompt *p)
{
	if (!p->dut->running) {
		fprintf(p->out, "Packet forwarding not started\n");
		return;
	}
	fprintf(p->out, "Telling cores to stop...\nWaiting for lcores to finish...\n");
	dut_stop_cores(p->dut);
	forward_show(p);
	fprintf(p->out, "\nDone.\n");
}

/* What is gone from a driver's count since, where it began at 0 meanwhile. */
static uint64_t since(uint64_t now, uint64_t base)
{
	return now >= base ? now - base : now;
}

static void print_counts(const struct prompt *p, const struct port_snapshot *c)
{
	fprintf(p->out,
		"  RX-packets: %-14" PRIu64 " RX-dropped: %-14" PRIu64 "RX-total: %" PRIu64 "\n"
		"  TX-packets: %-14" PRIu64 " TX-dropped: %-14" PRIu64 "TX-total: %" PRIu64 "\n",
		c->rx, c->rx_missed, c->rx + c->rx_missed, c->tx, c->tx_dropped,
		c->tx + c->tx_dropped);
}

static double percent(uint64_t part, double whole)
{
	return whole > 0 ? 100 * (double)part / whole : 0;
}

/* What the frames since then cost: each core, and the kernel's part of it. */
static void print_cpu(const struct prompt *p, const struct dut_snapshot *now)
{
	const struct dut_snapshot *base = &p->forwarded;
	double ns = (double)(now->tsc - base->tsc) / clock_hz_estimate() * 1e9;

	fprintf(p->out, "\n  lcore   busy %%  cycles/frame  system %%\n");
	for (unsigned int i = 0; i < now->n_cores; i++) {
		const struct core_counters *n = &now->cores[i], *b = &base->cores[i];
		uint64_t busy = n->busy_cycles - b->busy_cycles;
		uint64_t frames = now->core_frames[i] - base->core_frames[i];

		fprintf(p->out, "  %-5u %8.1f", p->dut->cores[i].thread.lcore,
			percent(busy, (double)(n->total_cycles - b->total_cycles)));
		if (frames)
			fprintf(p->out, "  %12.0f", (double)busy / (double)frames);
		else
			fprintf(p->out, "  %12s", "-");
		fprintf(p->out, "  %8.1f\n",
			percent(now->core_times[i].system_ns - base->core_times[i].system_ns, ns));
	}
	if (forward_has_kernel(p->dut->options.forward_mode) && now->cpu.known)
		fprintf(p->out, "  kernel: softirq %.1f %%, %u kernel threads %.1f %%\n",
			percent(now->cpu.softirq_ns - base->cpu.softirq_ns, ns),
			now->cpu.n_kthreads,
			percent(now->cpu.kthreads_ns - base->cpu.kthreads_ns, ns));
}

void forward_show(const struct prompt *p)
{
	static const char dashes[] = "----------------------";
	struct port_snapshot all = {0};
	struct dut_snapshot now;

	dut_snapshot_take(p->dut, &now);
	for (unsigned int i = 0; i < now.n_ports; i++) {
		const struct port_snapshot *n = &now.ports[i], *base = &p->forwarded.ports[i];
		struct port_snapshot c = {
			.rx = n->rx - base->rx,
			.tx = n->tx - base->tx,
			.tx_dropped = n->tx_dropped - base->tx_dropped,
			.rx_missed = since(n->rx_missed, base->rx_missed),
		};

		all.rx += c.rx;
		all.tx += c.tx;
		all.tx_dropped += c.tx_dropped;
		all.rx_missed += c.rx_missed;
		fprintf(p->out, "\n  %s Forward statistics for port %-2u %s\n", dashes,
			p->dut->ports[i].port.id, dashes);
		print_counts(p, &c);
		fprintf(p->out, "  ---------------------------------------------------------"
				"-------------------\n");
	}
	fprintf(p->out, "\n  +++++++++++++++ Accumulated forward statistics for all "
			"ports+++++++++++++++\n");
	print_counts(p, &all);
	fprintf(p->out, "  ++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++"
			"++++++++++++++++\n");
	print_cpu(p, &now);
}

void forward_config(const struct prompt *p)
{
	const struct dut *d = p->dut;
	const struct dut_options *o = &d->options;

	fprintf(p->out,
		"%s packet forwarding - ports=%u - cores=%u - streams=%u - burst=%" PRIu64
		" - topology %s - on a full ring %s\n",
		forward_mode_name(o->forward_mode), d->n_ports, d->n_cores, d->n_streams, o->burst,
		topology_name(o->topology), on_full_name(o->on_full));
	for (unsigned int i = 0; i < d->n_cores; i++) {
		const struct poll_core *core = &d->cores[i];

		fprintf(p->out, "Logical Core %u (socket %u) forwards packets on %u streams:\n",
			core->thread.lcore, rte_lcore_to_socket_id(core->thread.lcore),
			core->n_streams);
		for (unsigned int k = 0; k < core->n_streams; k++) {
			const struct stream *s = &core->streams[k];

			fprintf(p->out,
				"  RX P=%u/Q=%u (socket %d) -> TX P=%u/Q=%u (socket %d)%s\n",
				s->rx_id, s->queue, rte_eth_dev_socket_id(s->rx_id), s->tx_id,
				s->queue, rte_eth_dev_socket_id(s->tx_id),
				d->ports[s->tx_index].role == ROLE_KERNEL   ? " to the kernel"
				: d->ports[s->rx_index].role == ROLE_KERNEL ? " from the kernel"
									    : "");
		}
	}
}

/*
 * Reading tandem-dut over telemetry. Its replies are flat objects of whole numbers (telemetry knows
 * no doubles).
 */
#include "gen/dut_client.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_CLOCK_S 1.0 /* a reply is younger than this */

json_t *dut_snapshot(struct dut_link *link, char *err, size_t errlen)
{
	json_t *reply = NULL;

	return dut_link_request(link, "/tandem/dut/stats", &reply, err, errlen) ? NULL : reply;
}

static uint64_t number(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

/* Adds what a counter grew by; false when it shrank. */
static bool add_growth(const json_t *before, const json_t *after, const char *key, uint64_t *sum)
{
	uint64_t from = number(before, key), to = number(after, key);

	*sum += to - from;
	return to >= from;
}

static bool compare_ports(const json_t *before, const json_t *after, struct dut_change *c)
{
	bool ok = true;

	for (unsigned int port = 0;; port++) {
		char key[48];
		const char *role;

		snprintf(key, sizeof(key), "port%u_role", port);
		role = json_string_value(json_object_get(after, key));
		if (!role)
			return ok;
		snprintf(key, sizeof(key), "port%u_rx_missed", port);
		ok &= add_growth(before, after, key, &c->rx_missed);
		snprintf(key, sizeof(key), "port%u_tx_dropped", port);
		ok &= add_growth(before, after, key, &c->tx_dropped);
		if (!strcmp(role, "wire"))
			ok &= add_growth(before, after, key, &c->wire_tx_dropped);
	}
}

static unsigned int lcore_count(const json_t *stats)
{
	const char *key;
	json_t *value;
	unsigned int n = 0;

	json_object_foreach ((json_t *)(uintptr_t)stats, key, value)
		n += !strncmp(key, "lcore", 5) && strstr(key, "_busy_cycles");
	return n ? n : 1;
}

/* Growth of a counter that may be missing, as a share of a whole; NaN where it is not known. */
static double share_of(const json_t *before, const json_t *after, const char *key, double whole)
{
	uint64_t growth = 0;

	if (!json_object_get(before, key) || !json_object_get(after, key) || !(whole > 0) ||
	    !add_growth(before, after, key, &growth))
		return NAN;
	return (double)growth / whole;
}

/* What the frames cost the DUT's CPUs. */
static void compare_cpu(const json_t *before, const json_t *after, double trial_s, uint64_t busy,
			struct dut_change *c)
{
	double elapsed_s = (double)(number(after, "tsc") - number(before, "tsc")) / c->tsc_hz;
	double frames = share_of(before, after, "wire_rx", 1);

	c->cycles_per_frame = frames > 0 ? (double)busy / frames : NAN;
	c->system_share =
		share_of(before, after, "lcores_system_ns", elapsed_s * 1e9 * lcore_count(after));
	c->softirq_share = share_of(before, after, "softirq_ns", trial_s * 1e9);
	c->kernel_threads_share = share_of(before, after, "kernel_threads_ns", trial_s * 1e9);
}

bool dut_compare(const json_t *before, const json_t *after, double trial_s, uint64_t tsc_now,
		 struct dut_change *c)
{
	uint64_t busy = 0;
	bool ok;

	*c = (struct dut_change){.cpu_busy = NAN,
				 .cycles_per_frame = NAN,
				 .system_share = NAN,
				 .softirq_share = NAN,
				 .kernel_threads_share = NAN,
				 .tsc_hz = (double)number(after, "tsc_hz")};
	ok = compare_ports(before, after, c);
	ok &= add_growth(before, after, "kernel_dropped", &c->kernel_dropped);
	ok &= add_growth(before, after, "stall_count", &c->stalls);
	ok &= add_growth(before, after, "stall_cycles", &c->stall_cycles);
	ok &= add_growth(before, after, "busy_cycles", &busy);
	if (trial_s > 0 && c->tsc_hz > 0) {
		c->cpu_busy = (double)busy / (trial_s * c->tsc_hz * lcore_count(after));
		/* The drain adds a little work to that of the trial. */
		if (c->cpu_busy > 1)
			c->cpu_busy = 1;
		c->same_clock = fabs((double)(int64_t)(tsc_now - number(after, "tsc"))) <
				SAME_CLOCK_S * c->tsc_hz;
		compare_cpu(before, after, trial_s, busy, c);
	}
	return ok;
}

/* One page from number `first` of those kept on; *total says how many are. Returns how many were
 * read. */
static uint32_t read_page(struct dut_link *link, uint64_t first, struct stall *stalls, uint32_t max,
			  uint64_t *total)
{
	char command[64], err[256];
	json_t *page = NULL, *begin, *end;
	uint32_t n = 0;

	snprintf(command, sizeof(command), "/tandem/dut/stalls,%llu", (unsigned long long)first);
	if (dut_link_request(link, command, &page, err, sizeof(err)))
		return 0;
	*total = number(page, "total");
	begin = json_object_get(page, "begin");
	end = json_object_get(page, "end");
	for (; n < max && n < json_array_size(begin) && n < json_array_size(end); n++) {
		stalls[n].begin = (uint64_t)json_integer_value(json_array_get(begin, n));
		stalls[n].end = (uint64_t)json_integer_value(json_array_get(end, n));
	}
	json_decref(page);
	return n;
}

uint32_t dut_stalls(struct dut_link *link, uint64_t n, struct stall *stalls, uint32_t max)
{
	uint64_t total = 0, first;
	uint32_t got = 0, page;

	/* Beyond the end there are none, but the reply says how many there are. */
	read_page(link, UINT32_MAX, stalls, 0, &total);
	if (n > max)
		n = max;
	first = total > n ? total - n : 0;
	do {
		page = read_page(link, first + got, stalls + got, max - got, &total);
		got += page;
	} while (page && got < n);
	return got;
}

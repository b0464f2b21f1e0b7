/*
 * Topologies of the DUT: which port's frames go where, which port is a kernel port, which core
 * polls what.
 */
#include "common/share.h"
#include "dut/topology.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(enum topology topology, unsigned int n, const unsigned int *tx)
{
	struct forward to[DUT_MAX_PORTS];

	assert_int_equal(topology_forwards(topology, n, to), n);
	for (unsigned int i = 0; i < n; i++) {
		assert_int_equal(to[i].rx, i);
		assert_int_equal(to[i].tx, tx[i]);
	}
}

static void chained_ends_at_the_first(void **state)
{
	(void)state;
	expect(TOPOLOGY_CHAINED, 1, (unsigned int[]){0});
	expect(TOPOLOGY_CHAINED, 2, (unsigned int[]){1, 0});
	expect(TOPOLOGY_CHAINED, 4, (unsigned int[]){1, 2, 3, 0});
}

static void paired_leaves_an_odd_port_alone(void **state)
{
	(void)state;
	expect(TOPOLOGY_PAIRED, 1, (unsigned int[]){0});
	expect(TOPOLOGY_PAIRED, 4, (unsigned int[]){1, 0, 3, 2});
	expect(TOPOLOGY_PAIRED, 5, (unsigned int[]){1, 0, 3, 2, 4});
}

static void loop_goes_to_itself(void **state)
{
	(void)state;
	expect(TOPOLOGY_LOOP, 3, (unsigned int[]){0, 1, 2});
}

/* A transmit queue may have one writer only, so no two ports may send on the same. */
static void no_port_is_sent_on_twice(void **state)
{
	(void)state;
	for (unsigned int t = TOPOLOGY_CHAINED; t <= TOPOLOGY_LOOP; t++)
		for (unsigned int n = 1; n <= DUT_MAX_PORTS; n++) {
			bool used[DUT_MAX_PORTS] = {false};

			for (unsigned int rx = 0; rx < n; rx++) {
				unsigned int tx = topology_tx_port(t, rx, n);

				assert_true(tx < n);
				assert_false(used[tx]);
				used[tx] = true;
			}
		}
}

struct pairing {
	struct kernel_pair pairs[DUT_MAX_PORTS];
	bool needs_kernel, assumed;
	char err[256];
	int n;
};

static struct pairing pair(const bool *is_kernel, unsigned int n, bool make)
{
	struct pairing p = {.err = ""};

	p.n = topology_kernel_pairs(is_kernel, n, make, p.pairs, &p.needs_kernel, &p.assumed, p.err,
				    sizeof(p.err));
	return p;
}

static void wire_ports_alone_need_kernel_ports(void **state)
{
	struct pairing p = pair((bool[]){false, false}, 2, false);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_true(p.needs_kernel);
	assert_int_equal(p.pairs[0].wire, 0);
	assert_int_equal(p.pairs[1].wire, 1);
}

static void given_kernel_ports_are_found_by_kind(void **state)
{
	struct pairing p = pair((bool[]){true, false, false, true}, 4, false);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_false(p.needs_kernel);
	assert_false(p.assumed);
	assert_int_equal(p.pairs[0].wire, 1);
	assert_int_equal(p.pairs[0].kernel, 0);
	assert_int_equal(p.pairs[1].wire, 2);
	assert_int_equal(p.pairs[1].kernel, 3);
}

static void ports_that_all_look_like_kernel_ports(void **state)
{
	struct pairing two = pair((bool[]){true, true}, 2, false);
	struct pairing asked = pair((bool[]){true, true}, 2, true);
	struct pairing one = pair((bool[]){true}, 1, false);

	(void)state;
	assert_int_equal(two.n, 1);
	assert_true(two.assumed);
	assert_int_equal(two.pairs[0].wire, 0);
	assert_int_equal(two.pairs[0].kernel, 1);
	assert_int_equal(asked.n, 2);
	assert_true(asked.needs_kernel);
	assert_int_equal(one.n, 1);
	assert_true(one.needs_kernel);
}

static void unequal_numbers_are_refused(void **state)
{
	struct pairing p = pair((bool[]){false, false, true}, 3, false);
	bool many[DUT_MAX_PORTS] = {false};

	(void)state;
	assert_int_equal(p.n, -EINVAL);
	assert_non_null(strstr(p.err, "2 wire and 1 kernel"));
	p = pair(many, DUT_MAX_PORTS, true);
	assert_int_equal(p.n, -EINVAL);
	assert_non_null(strstr(p.err, "more than"));
}

static void both_directions_are_neighbours(void **state)
{
	struct forward to[4];
	struct kernel_pair pairs[] = {{.wire = 0, .kernel = 2}, {.wire = 1, .kernel = 3}};

	(void)state;
	assert_int_equal(topology_kernel_forwards(pairs, 2, to), 4);
	assert_int_equal(to[0].rx, 0);
	assert_int_equal(to[0].tx, 2);
	assert_int_equal(to[1].rx, 2);
	assert_int_equal(to[1].tx, 0);
	assert_int_equal(to[3].rx, 3);
	assert_int_equal(to[3].tx, 1);
}

/* Whatever port a frame is received on, its frames leave where they should; and each three has its
 * transmit side for itself. */
static void splits_keep_a_transmit_side_together(void **state)
{
	struct forward to[DUT_MAX_FORWARDS];
	struct kernel_pair pairs[DUT_MAX_PORTS / 2];

	(void)state;
	for (unsigned int i = 0; i < DUT_MAX_PORTS / 2; i++)
		pairs[i] = (struct kernel_pair){.wire = 2 * i, .kernel = 2 * i + 1};
	for (unsigned int t = TOPOLOGY_CHAINED; t <= TOPOLOGY_LOOP; t++)
		for (unsigned int n = 1; n <= DUT_MAX_PORTS / 2; n++) {
			unsigned int rx[DUT_MAX_PORTS] = {0}, three_of[DUT_MAX_PORTS] = {0};

			assert_int_equal(topology_split_forwards(t, pairs, n, to), 3 * n);
			for (unsigned int i = 0; i < 3 * n; i++) {
				rx[to[i].rx]++;
				assert_true(three_of[to[i].tx] == 0 ||
					    three_of[to[i].tx] == 1 + i / 3);
				three_of[to[i].tx] = 1 + i / 3;
			}
			for (unsigned int i = 0; i < n; i++) {
				/* Received once, for both paths; sorted by one core. */
				assert_int_equal(rx[pairs[i].wire], 2);
				assert_int_equal(rx[pairs[i].kernel], 1);
				assert_int_equal(to[3 * i].rx, to[3 * i + 1].rx);
				assert_int_equal(to[3 * i].tx, pairs[i].kernel);
				assert_int_equal(to[3 * i + 1].tx,
						 pairs[topology_tx_port(t, i, n)].wire);
				assert_int_equal(to[3 * i + 2].tx, to[3 * i + 1].tx);
				assert_int_equal(to[3 * i + 2].rx, to[3 * i + 2].tx + 1);
			}
		}
}

/* A frame goes wire, io stage, kernel stage, kernel, and the same way back. */
static void series_pass_both_stages(void **state)
{
	struct kernel_pair pairs[] = {{.wire = 0, .kernel = 2}, {.wire = 1, .kernel = 3}};
	struct stage_ends ends[] = {{.io = 4, .kernel = 5}, {.io = 6, .kernel = 7}};
	static const struct forward want[] = {{0, 4}, {4, 0}, {5, 2}, {2, 5},
					      {1, 6}, {6, 1}, {7, 3}, {3, 7}};
	struct forward to[8];

	(void)state;
	assert_int_equal(topology_series_forwards(pairs, ends, 2, to), 8);
	assert_memory_equal(to, want, sizeof(want));
}

/* Every core has work, blocks follow each other, and loads differ by one stream at most. */
static void cores_share_evenly(void **state)
{
	(void)state;
	for (unsigned int streams = 1; streams <= DUT_MAX_STREAMS; streams++)
		for (unsigned int cores = 1; cores <= streams; cores++) {
			unsigned int load[DUT_MAX_STREAMS] = {0}, last = 0;

			for (unsigned int i = 0; i < streams; i++) {
				unsigned int core = topology_core_of(i, streams, cores);

				assert_true(core < cores && core >= last);
				last = core;
				load[core]++;
			}
			for (unsigned int c = 0; c < cores; c++)
				assert_in_range(load[c], streams / cores,
						(streams + cores - 1) / cores);
		}
}

/* Each queue of each port is polled once, sent on once, and cores get the same of every port. */
static void queues_spread_over_ports_and_cores(void **state)
{
	struct forward forwards[DUT_MAX_PORTS];
	struct stream_place to[DUT_MAX_STREAMS];

	(void)state;
	for (unsigned int ports = 1; ports <= DUT_MAX_PORTS; ports++)
		for (unsigned int queues = 1; queues <= DUT_MAX_QUEUES; queues++) {
			bool rx[DUT_MAX_PORTS][DUT_MAX_QUEUES] = {{false}};
			bool tx[DUT_MAX_PORTS][DUT_MAX_QUEUES] = {{false}};
			unsigned int n;

			topology_forwards(TOPOLOGY_CHAINED, ports, forwards);
			n = topology_streams(forwards, ports, queues, to);
			assert_int_equal(n, ports * queues);
			for (unsigned int i = 0; i < n; i++) {
				assert_true(to[i].queue < queues);
				assert_int_equal(to[i].tx, forwards[to[i].rx].tx);
				assert_false(rx[to[i].rx][to[i].queue]);
				assert_false(tx[to[i].tx][to[i].queue]);
				rx[to[i].rx][to[i].queue] = tx[to[i].tx][to[i].queue] = true;
				/* As many cores as queues: a queue's streams share one. */
				assert_int_equal(topology_core_of(i, n, queues), to[i].queue);
			}
		}
}

static cpu_set_t cpus_of(int a, int b)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(a, &set);
	CPU_SET(b, &set);
	return set;
}

static void shared_cpus_are_found(void **state)
{
	cpu_set_t apart[] = {cpus_of(0, 0), cpus_of(1, 1)};
	cpu_set_t same[] = {cpus_of(0, 0), cpus_of(0, 0), cpus_of(5, 5)};
	cpu_set_t chain[] = {cpus_of(0, 1), cpus_of(1, 2), cpus_of(2, 2)};
	cpu_set_t tight[] = {cpus_of(0, 0), cpus_of(0, 1), cpus_of(1, 1)};

	(void)state;
	assert_false(share_is_shared(apart, 2, 0));
	assert_false(share_is_shared(apart, 2, 1));
	assert_true(share_is_shared(same, 3, 0));
	assert_true(share_is_shared(same, 3, 1));
	assert_false(share_is_shared(same, 3, 2));
	for (unsigned int i = 0; i < 3; i++) {
		assert_false(share_is_shared(chain, 3, i));
		assert_true(share_is_shared(tight, 3, i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chained_ends_at_the_first),
		cmocka_unit_test(paired_leaves_an_odd_port_alone),
		cmocka_unit_test(loop_goes_to_itself),
		cmocka_unit_test(no_port_is_sent_on_twice),
		cmocka_unit_test(wire_ports_alone_need_kernel_ports),
		cmocka_unit_test(given_kernel_ports_are_found_by_kind),
		cmocka_unit_test(ports_that_all_look_like_kernel_ports),
		cmocka_unit_test(unequal_numbers_are_refused),
		cmocka_unit_test(both_directions_are_neighbours),
		cmocka_unit_test(splits_keep_a_transmit_side_together),
		cmocka_unit_test(series_pass_both_stages),
		cmocka_unit_test(cores_share_evenly),
		cmocka_unit_test(queues_spread_over_ports_and_cores),
		cmocka_unit_test(shared_cpus_are_found),
	};

	return cmocka_run_group_tests_name("dut topology", tests, NULL, NULL);
}

/*
 * Warnings about this host and these ports.
 */
#include "gen/warnings.h"

#include "common/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rte_lcore.h>

__attribute__((format(printf, 2, 3))) static void warn(json_t *list, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "tandem-gen: warning: %s\n", text);
	json_array_append_new(list, json_string(text));
}

static void check_numa(const struct generator *g, json_t *list)
{
	for (uint16_t p = 0; p < g->n_ports; p++) {
		int node = rte_eth_dev_socket_id(g->ports[p].id);

		/* A virtual device has no node of its own. */
		if (node < 0 || g->ports[p].kind != PORT_WIRE)
			continue;
		for (unsigned int w = 0; w < g->crew.n; w++) {
			unsigned int lcore = g->workers[w].lcore;

			if (rte_lcore_to_socket_id(lcore) != (unsigned int)node)
				warn(list,
				     "port %u is on NUMA node %d, lcore %u on node %u: choose "
				     "cores of the port's node",
				     g->ports[p].id, node, lcore, rte_lcore_to_socket_id(lcore));
		}
	}
}

static void check_speeds(const struct generator *g, json_t *list)
{
	const struct port *a = &g->ports[0], *b = &g->ports[g->n_ports - 1];

	if (a->link_mbps && b->link_mbps && a->link_mbps != b->link_mbps)
		warn(list,
		     "port %u runs at %u Mbit/s, port %u at %u: the slower one limits what comes "
		     "back",
		     a->id, a->link_mbps, b->id, b->link_mbps);
}

static void check_clock(json_t *list)
{
	json_t *host = host_facts();
	const json_t *tsc = json_object_get(host, "tsc");

	if (json_is_false(json_object_get(tsc, "constant")) ||
	    json_is_false(json_object_get(tsc, "nonstop")))
		warn(list,
		     "the TSC of this CPU is not constant and nonstop: times cannot be trusted");
	json_decref(host);
}

static void check_cores(const struct generator *g, json_t *list)
{
	if (g->workers[0].shares_core)
		warn(list, "several lcores share a core and take turns: rates and latencies are "
			   "far below what cores of their own give");
}

json_t *warnings_collect(const struct generator *g)
{
	json_t *list = json_array();

	check_numa(g, list);
	check_speeds(g, list);
	check_clock(list);
	check_cores(g, list);
	return list;
}

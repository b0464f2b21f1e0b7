/*
 * Making records. Unknown is null, never 0 or -1.
 */
#include "gen/record.h"

#include "common/host.h"
#include "common/results.h"
#include "gen/selftest.h"

#include <math.h>
#include <string.h>

#include <rte_version.h>

static json_t *whole_ns(double cycles, double hz)
{
	return isnan(cycles) ? json_null() : json_integer((json_int_t)llround(cycles / hz * 1e9));
}

/* min, mean, max and percentiles of a histogram in nanoseconds; all null when it is empty. */
static json_t *spread(const struct hist *h, double hz)
{
	bool any = h->count > 0;
	double unknown = NAN;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "count",
		result_count(h->count), "min", whole_ns(any ? (double)h->min : unknown, hz), "mean",
		result_real(hist_mean(h) / hz * 1e9), "max",
		whole_ns(any ? (double)h->max : unknown, hz), "stdev",
		result_real(hist_stdev(h) / hz * 1e9), "p50", whole_ns(hist_quantile(h, 0.5), hz),
		"p90", whole_ns(hist_quantile(h, 0.9), hz), "p99",
		whole_ns(hist_quantile(h, 0.99), hz), "p999", whole_ns(hist_quantile(h, 0.999), hz),
		"p9999", whole_ns(hist_quantile(h, 0.9999), hz));
}

static json_t *latency(const struct hist *h, double hz, double jitter_cycles)
{
	json_t *o = spread(h, hz);

	/* RFC 8219, section 7.3.1: PDV = 99.9th percentile - minimum. */
	json_object_set_new(o, "pdv",
			    h->count ? whole_ns(hist_quantile(h, 0.999) - (double)h->min, hz)
				     : json_null());
	json_object_set_new(o, "jitter", result_real(jitter_cycles / hz * 1e9));
	return o;
}

/* What is counted for all streams together alone. */
static json_t *of_all(const struct trial_result *r, uint64_t count)
{
	return *r->stream ? json_null() : result_count(count);
}

static json_t *l1_bps(double pps, const struct trial_result *r, double mean_size)
{
	double size = r->spec.frame_size ? (double)r->spec.frame_size : mean_size;

	return result_real(pps * 8 * (size + FRAME_L1_OVERHEAD));
}

static json_t *l2_bps(double pps, const struct trial_result *r, double mean_size)
{
	return result_real(pps * 8 * (r->spec.frame_size ? (double)r->spec.frame_size : mean_size));
}

static json_t *tx_part(const struct trial_result *r)
{
	json_t *tx =
		json_pack("{s:o, s:o, s:o, s:o, s:o}", "offered", result_count(r->offered), "sent",
			  result_count(r->sent), "refused", result_count(r->refused), "unsent",
			  result_count(r->unsent), "backpressured", of_all(r, r->backpressured));

	json_object_set_new(tx, "no_mbuf", of_all(r, r->no_mbuf));
	json_object_set_new(tx, "refused_in_dut_stall",
			    r->lost_in_dut_stall_known ? result_count(r->refused_in_dut_stall)
						       : json_null());
	json_object_set_new(tx, "pps", result_real(r->tx_pps));
	json_object_set_new(tx, "l1_bps", l1_bps(r->tx_pps, r, r->tx_size));
	json_object_set_new(tx, "l2_bps", l2_bps(r->tx_pps, r, r->tx_size));
	json_object_set_new(tx, "rate_error_ppm", result_real(r->rate_error_ppm));
	json_object_set_new(tx, "lateness_ns",
			    r->lateness ? spread(r->lateness, r->tsc_hz) : json_null());
	json_object_set_new(tx, "spacing_ns",
			    r->spacing ? spread(r->spacing, r->tsc_hz) : json_null());
	return tx;
}

static json_t *rx_part(const struct trial_result *r)
{
	json_t *rx;

	if (r->tx_only)
		return json_null();
	rx = json_pack("{s:o, s:o, s:o, s:o, s:o}", "received", result_count(r->received), "lost",
		       result_count(r->lost), "lost_in_gen_stall",
		       result_count(r->lost_in_gen_stall), "lost_in_dut_stall",
		       r->lost_in_dut_stall_known ? result_count(r->lost_in_dut_stall)
						  : json_null(),
		       "longest_loss_run", result_count(r->longest_loss_run));
	json_object_set_new(rx, "loss_runs", result_count(r->loss_runs));
	json_object_set_new(rx, "duplicate", result_count(r->duplicate));
	json_object_set_new(rx, "reordered", result_count(r->reordered));
	json_object_set_new(rx, "reorder_extent",
			    json_pack("{s:o, s:o}", "mean", result_real(r->extent_mean), "max",
				      r->reordered ? result_count(r->extent_max) : json_null()));
	json_object_set_new(rx, "corrupt", r->verified ? result_count(r->corrupt) : json_null());
	json_object_set_new(rx, "foreign", of_all(r, r->foreign));
	json_object_set_new(rx, "gen_missed",
			    r->gen_missed_known ? result_count(r->gen_missed) : json_null());
	json_object_set_new(rx, "pps", result_real(r->rx_pps));
	json_object_set_new(rx, "l1_bps", l1_bps(r->rx_pps, r, r->rx_size));
	json_object_set_new(rx, "l2_bps", l2_bps(r->rx_pps, r, r->rx_size));
	return rx;
}

static const char *const verdicts[] = {"valid", "disturbed", "invalid"};

json_t *record_make(const struct generator *g, const struct trial_result *r)
{
	bool any_jitter = !r->tx_only;
	json_t *reasons = json_array();
	json_t *o = json_pack("{s:s, s:o, s:s, s:o, s:s, s:s, s:o}", "schema", TRIAL_SCHEMA,
			      "trial", result_count(r->trial), "started", r->started, "path",
			      *g->path ? json_string(g->path) : json_null(), "direction",
			      r->direction, "stream", *r->stream ? r->stream : "all", "frame_size",
			      r->spec.frame_size ? result_count(r->spec.frame_size) : json_null());

	for (unsigned int i = 0; i < r->n_reasons; i++)
		json_array_append_new(reasons, json_string(r->reasons[i]));
	json_object_set_new(o, "rate_requested_pps",
			    r->spec.pps > 0 ? json_real(r->spec.pps) : json_null());
	json_object_set_new(o, "line_rate_bps",
			    r->line_rate_bps > 0 ? json_real(r->line_rate_bps) : json_null());
	json_object_set_new(o, "burst", result_count(r->burst));
	json_object_set_new(o, "flows", result_count(g->config->flows));
	json_object_set_new(o, "streams", result_count(g->config->streams));
	json_object_set_new(o, "on_full", json_string(r->on_full));
	json_object_set_new(o, "arrival",
			    json_string(g->config->train.frames			? "train"
					: g->config->arrival == ARRIVAL_POISSON ? "poisson"
										: "constant"));
	json_object_set_new(o, "stamp_trial", result_count(r->stamp_trial));
	json_object_set_new(o, "seed", result_count(g->seed));
	json_object_set_new(o, "tsc_hz", json_real(r->tsc_hz));
	json_object_set_new(o, "duration_s",
			    json_pack("{s:o, s:f}", "requested",
				      r->spec.frames || (r->spec.replay && !g->config->duration_ns)
					      ? json_null()
					      : json_real((double)r->spec.duration_ns / 1e9),
				      "actual", r->actual_s));
	json_object_set_new(o, "tx", tx_part(r));
	json_object_set_new(o, "rx", rx_part(r));
	json_object_set_new(o, "loss_ratio", result_real(r->loss_ratio));
	json_object_set_new(o, "refused_is_loss", json_boolean(r->refused_counts));
	json_object_set_new(o, "outage_s", result_real(r->outage_s));
	if (r->spec.then_pps > 0)
		json_object_set_new(o, "then",
				    json_pack("{s:f, s:f, s:o}", "rate_requested_pps",
					      r->spec.then_pps, "duration_s",
					      (double)r->spec.then_ns / 1e9, "recovery_s",
					      result_real(r->recovery_s)));
	json_object_set_new(o, "latency_ns",
			    any_jitter ? latency(r->all, r->tsc_hz, r->jitter_cycles)
				       : json_null());
	json_object_set_new(o, "ipdv_ns",
			    r->tx_only ? json_null()
				       : json_pack("{s:o, s:o}", "mean",
						   result_real(r->ipdv_mean / r->tsc_hz * 1e9),
						   "max", whole_ns(r->ipdv_max, r->tsc_hz)));
	json_object_set_new(o, "latency_clean_ns",
			    any_jitter ? latency(r->clean, r->tsc_hz, r->clean_jitter_cycles)
				       : json_null());
	json_object_set_new(o, "stalls",
			    json_pack("{s:o, s:o, s:o}", "count", result_count(r->stalls), "max_ns",
				      whole_ns((double)r->stall_max, r->tsc_hz), "total_ns",
				      whole_ns((double)r->stall_total, r->tsc_hz)));
	if (r->captured)
		json_object_set_new(o, "capture", capture_record(&g->config->capture, &r->capture));
	if (r->spec.replay)
		json_object_set_new(o, "replay", record_replay(r));
	json_object_set_new(o, "dut", r->dut ? json_incref(r->dut) : json_null());
	json_object_set_new(o, "generator_limited", json_boolean(r->generator_limited));
	json_object_set_new(o, "verdict", json_string(verdicts[r->verdict]));
	json_object_set_new(o, "reasons", reasons);
	return o;
}

json_t *record_run(const struct generator *g, int argc, char **argv)
{
	json_t *ports = json_array(), *words = json_array();
	json_t *run = json_pack("{s:s, s:s, s:s}", "schema", RUN_SCHEMA, "tandem_version",
				TANDEM_VERSION, "dpdk_version", rte_version());

	for (int i = 0; i < argc; i++)
		json_array_append_new(words, json_string(argv[i]));
	for (uint16_t i = 0; i < g->n_ports; i++)
		json_array_append_new(ports, port_facts(&g->ports[i]));
	json_object_set_new(run, "commands", json_pack("[o]", words));
	json_object_set_new(run, "title",
			    g->config->title ? json_string(g->config->title) : json_null());
	json_object_set_new(run, "host", host_facts());
	json_object_set_new(run, "clock",
			    json_pack("{s:s, s:f, s:s, s:s}", "source",
				      "TSC against CLOCK_MONOTONIC_RAW", "tsc_hz", g->hz,
				      "tx_stamp", "TSC read before rte_eth_tx_burst, one a burst",
				      "rx_stamp", "TSC read after rte_eth_rx_burst, one a burst"));
	json_object_set_new(run, "selftest", selftest_last());
	json_object_set_new(run, "warnings", g->warnings ? json_incref(g->warnings) : json_array());
	json_object_set_new(run, "ports", ports);
	json_object_set_new(run, "dut", g->dut_info ? json_incref(g->dut_info) : json_null());
	json_object_set_new(run, "dut_place",
			    *g->config->dut.text ? json_string(g->config->dut.text) : json_null());
	json_object_set_new(run, "dut_host", g->dut_host ? json_incref(g->dut_host) : json_null());
	return run;
}

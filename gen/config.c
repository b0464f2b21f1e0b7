/*
 * The configuration's defaults and what no single option can know.
 */
#include "gen/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void gen_config_init(struct gen_config *config)
{
	*config = (struct gen_config){
		.warmup_ns = 200000000,
		.drain_ns = 1000000000,
		.repeat = 1,
		.burst = 32,
		.flows = 1,
		.streams = 1,
		.src_ip = 198u << 24 | 18u << 16 | 2,
		.dst_ip = 198u << 24 | 19u << 16 | 1,
		.src_port = 1024,
		.dst_port = 7,
		.ttl = 64,
		.dst_mac.mac = {0x02, 0, 0, 0, 0, 0x01},
		.rxd = 1024,
		.txd = 1024,
		.wait_link_ns = 10000000000ull,
		.stall_threshold_ns = 100000,
		.ssh = "ssh",
		.dut_program = "tandem-dut",
		.samples_limit = 1000000,
		.replay = {.passes = 1, .max_frame = FRAME_MAX, .preload_mb = 512},
		.method = {.settle_ns = SETTLE_AUTO, .retries = 2, .width = 0.005, .step = 0.1},
	};
}

void gen_config_fill(struct gen_config *config, const struct size_list *sizes,
		     const struct rate_list *rates)
{
	if (!config->sizes.n)
		config->sizes = *sizes;
	if (config->train.frames)
		config->rates = (struct rate_list){.rate = {config->train.rate}, .n = 1};
	if (!config->rates.n)
		config->rates = *rates;
	if (!config->duration_ns && !config->frames)
		config->duration_ns = 10000000000ull;
}

void gen_config_derive(struct gen_config *config)
{
	/* Every stream has a flow of its own. */
	if (config->flows < config->streams)
		config->flows = config->streams;
	if (config->method.resume && !config->out)
		config->out = config->method.resume;
}

int gen_config_check(const struct gen_config *config, char *err, size_t errlen)
{
	const char *what = NULL;
	bool max_seen = false;

	if (config->tx_only && config->bidirectional)
		what = "--tx-only and --bidirectional exclude each other";
	else if (config->train.frames && config->arrival == ARRIVAL_POISSON)
		what = "--burst-train and --arrival poisson exclude each other";
	else if (config->tx_only && config->samples)
		what = "--samples has nothing to write with --tx-only";
	else if (!dut_place_plain(config->dut_program, "./_-+~"))
		what = "--dut-program: a path of letters, digits and ./_-+~ is needed";
	else if (config->method.resume && config->out && config->out != config->method.resume)
		what = "--resume DIR goes on in DIR: leave --out away";
	else if (config->method.resume && config->append)
		what = "--resume and --append exclude each other";
	else if (config->append && !config->out)
		what = "--append needs --out DIR";
	else if (config->json && config->out && !strcmp(config->out, "-"))
		what = "--out wants a folder";
	else if (config->tx_only && config->verify)
		what = "--verify has nothing to look at with --tx-only";
	else if (config->flows > (65536 - config->src_port) * (65536 - config->dst_port))
		what = "--flows, and a flow for each of --streams, need more pairs of ports than "
		       "there are above --src-port and --dst-port";
	for (size_t i = 0; i < config->rates.n && !what; i++) {
		if (config->rates.rate[i].kind == RATE_MAX)
			max_seen = true;
		if (config->rates.rate[i].kind == RATE_PERCENT_OF_MAX && !max_seen)
			what = "a rate in %max needs max before it in the same list, e.g. --rate "
			       "max,50%max";
	}
	if (!what)
		return capture_options_check(&config->capture, err, errlen);
	snprintf(err, errlen, "%s", what);
	return -EINVAL;
}

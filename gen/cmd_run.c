/*
 * run: trials at one frame size and one rate.
 */
#include "gen/campaign.h"
#include "gen/record.h"

#include <stdio.h>

static void defaults(struct gen_config *config)
{
	if (!config->sizes.n)
		config->sizes = (struct size_list){.size = {FRAME_MIN}, .n = 1};
	if (config->train.frames)
		config->rates = (struct rate_list){.rate = {config->train.rate}, .n = 1};
	if (!config->rates.n)
		config->rates = (struct rate_list){.rate = {{.kind = RATE_MAX}}, .n = 1};
	if (!config->duration_ns && !config->frames)
		config->duration_ns = 10000000000ull;
}

static void end_repeats(const struct campaign *c, const json_t *records)
{
	json_t *repeat;

	/* More than one line of records is summed up by a last one. */
	if (json_array_size(records) < 2)
		return;
	repeat = record_repeat(records);
	if (c->invocation->config->json) {
		json_dumpf(repeat, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else {
		record_print_repeat(repeat, stdout);
	}
	json_decref(repeat);
}

static int run(const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	static struct campaign c;
	json_t *records = json_array();
	uint64_t left = config->repeat * config->sizes.n * config->rates.n;
	int rc = campaign_open(&c, invocation);

	c.output.text = true;
	for (size_t s = 0; s < config->sizes.n && !rc; s++) {
		for (size_t r = 0; r < config->rates.n && !rc; r++) {
			for (uint64_t i = 0; i < config->repeat && !rc; i++) {
				c.progress.left_after_s =
					(double)--left * campaign_trial_seconds(&c);
				rc = campaign_trial(&c, config->sizes.size[s],
						    &config->rates.rate[r], NULL, records);
			}
		}
	}
	end_repeats(&c, records);
	json_decref(records);
	return campaign_close(&c, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 0 --vdev "
	"net_virtio_user0,path=/tmp/t.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0 "
	"--single-file-segments -- run --size 64 --rate 1mpps --duration 10",
	"ten seconds of 64-byte frames at a million a second over vhost-user",
	"tandem-gen -l 2 -a 0000:02:00.0 -- run --size 1518 --rate 50% --json",
	"half of the NIC's line rate, one JSON record",
	"tandem-gen -l 0 --vdev net_null0 -- run --tx-only --duration 2",
	"how fast this core stamps and sends",
	NULL,
};

const struct verb verb_run = {
	.command = {.program = "tandem-gen",
		    .verb = "run",
		    .synopsis = "[EAL options] -- run [options]",
		    .summary = "Trials at one frame size and rate: throughput, loss and round-trip "
			       "latency of every frame.",
		    .opts = run_options,
		    .examples = examples},
	.defaults = defaults,
	.run = run,
};

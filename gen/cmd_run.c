/*
 * run: trials at one frame size and one rate.
 */
#include "gen/campaign.h"
#include "gen/record.h"

#include <stdio.h>

static void defaults(struct gen_config *config)
{
	static const struct size_list sizes = {.size = {FRAME_MIN}, .n = 1};
	static const struct rate_list rates = {.rate = {{.kind = RATE_MAX}}, .n = 1};

	gen_config_fill(config, &sizes, &rates);
}

static void print_sum(const struct campaign *c, json_t *sum, void (*print)(const json_t *, FILE *))
{
	if (c->invocation->config->json)
		run_output_line(sum);
	else
		print(sum, stdout);
	json_decref(sum);
}

/* More than one record of a point is summed up by a last one: repeats by direction, or both
 * directions of a trial. */
static void sum_up(const struct campaign *c, const json_t *records)
{
	uint16_t n = c->generator.n_directions;

	if (json_array_size(records) <= 1)
		return;
	if (json_array_size(records) == n) {
		print_sum(c, record_total(records), record_print_total);
		return;
	}
	for (uint16_t d = 0; d < n; d++) {
		json_t *own = json_array();

		for (size_t i = d; i < json_array_size(records); i += n)
			json_array_append(own, json_array_get(records, i));
		print_sum(c, record_repeat(own), record_print_repeat);
		json_decref(own);
	}
}

/* All trials of one size and rate. */
static int run_point(struct campaign *c, uint32_t size, const struct rate *rate, uint64_t *left)
{
	json_t *records = json_array();
	int rc = 0;

	for (uint64_t i = 0; i < c->invocation->config->repeat && !rc; i++) {
		c->progress.left_after_s = (double)--*left * campaign_trial_seconds(c);
		rc = campaign_trial(c, size, rate, NULL, records);
	}
	sum_up(c, records);
	json_decref(records);
	return rc;
}

static int run(const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	static struct campaign c;
	uint64_t left = config->repeat * config->sizes.n * config->rates.n;
	int rc = campaign_open(&c, invocation);

	c.output.text = true;
	for (size_t s = 0; s < config->sizes.n && !rc; s++)
		for (size_t r = 0; r < config->rates.n && !rc; r++)
			rc = run_point(&c, config->sizes.size[s], &config->rates.rate[r], &left);
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
	.planned_s = campaign_planned_s,
	.run = run,
};

/*
 * sweep: every rate at every frame size, with a table at the end.
 */
#include "gen/campaign.h"

#include "common/results.h"

#include <math.h>
#include <stdio.h>

static void defaults(struct gen_config *config)
{
	static const struct size_list sizes = {.size = {64, 128, 256, 512, 1024, 1280, 1518},
					       .n = 7};
	static const struct rate_list rates = {
		.rate = {{.kind = RATE_MAX}, {.kind = RATE_PERCENT_OF_MAX, .value = 50}}, .n = 2};

	gen_config_fill(config, &sizes, &rates);
}

/* What came back at max in the slowest direction: 0 when nothing was measured. */
static double forwarding_rate(const json_t *records)
{
	double slowest = INFINITY;
	size_t i;
	json_t *record;

	json_array_foreach ((json_t *)(uintptr_t)records, i, record)
		slowest = fmin(slowest, result_num(record, "rx.pps"));
	return isfinite(slowest) ? slowest : 0;
}

static int sweep_size(struct campaign *c, uint32_t size, uint64_t *left)
{
	const struct gen_config *config = c->invocation->config;
	double max_pps = 0;
	int rc = 0;

	for (size_t r = 0; r < config->rates.n && !rc; r++) {
		for (uint64_t i = 0; i < config->repeat && !rc; i++) {
			json_t *records = json_array();

			c->progress.left_after_s = (double)--*left * campaign_trial_seconds(c);
			rc = campaign_trial(c, size, &config->rates.rate[r],
					    &(struct trial_extra){.max_pps = max_pps}, records);
			if (!rc && config->rates.rate[r].kind == RATE_MAX)
				max_pps = forwarding_rate(records);
			json_decref(records);
		}
	}
	return rc;
}

static void print_table(const struct campaign *c)
{
	json_t *summary;

	if (c->output.json || !json_array_size(c->output.records))
		return;
	summary = result_summary(c->output.records);
	result_print_table(summary, stdout);
	json_decref(summary);
}

static int run(const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	static struct campaign c;
	uint64_t left = config->repeat * config->sizes.n * config->rates.n;
	int rc = campaign_open(&c, invocation);

	for (size_t s = 0; s < config->sizes.n && !rc; s++)
		rc = sweep_size(&c, config->sizes.size[s], &left);
	print_table(&c);
	return campaign_close(&c, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 0 --vdev "
	"net_virtio_user0,path=/tmp/t.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0 "
	"--single-file-segments -- sweep --duration 2 --out results/first",
	"forwarding rate, then loss and latency at half of it, for seven frame sizes",
	"tandem-gen -l 2 -a 0000:02:00.0 -- sweep --sizes 64,1518 --rate 10%,50%,max --out "
	"results/nic",
	"two sizes at three rates",
	NULL,
};

const struct verb verb_sweep = {
	.command = {.program = "tandem-gen",
		    .verb = "sweep",
		    .synopsis = "[EAL options] -- sweep [options]",
		    .summary = "All rates at all frame sizes; a table, and a results folder for "
			       "tandem-plot.",
		    .opts = sweep_options,
		    .examples = examples},
	.defaults = defaults,
	.planned_s = campaign_planned_s,
	.run = run,
};

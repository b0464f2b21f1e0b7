/*
 * replay: the frames of a capture file, at their own times or at a rate.
 *
 * The file is read once while the command line is checked, before anything is opened: what is wrong
 * with it costs nothing, its mean frame size is known for the rates, and its largest frame for the
 * ports.
 */
#include "gen/campaign.h"
#include "gen/replay.h"

#include "common/clock.h"
#include "gen/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#define MB 1000000ull

/* What check found, for run. */
static struct replay_rules rules;
static struct replay_facts facts;

static void defaults(struct gen_config *config)
{
	config->one_lane = true;
}

/* The capture would be written over what is sent. */
static bool same_file(const char *path, const char *other)
{
	struct stat a, b;

	return path && other && !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static const char *contradiction(const struct gen_config *config)
{
	const struct replay_config *replay = &config->replay;

	if (!config->method.test)
		return "replay needs a capture file: tandem-gen ... -- replay FILE.pcap";
	if (same_file(config->method.test, config->capture.path))
		return "--capture would be written over the file that is replayed";
	if (config->rates.n > 1)
		return "--rate: a replay takes one rate";
	if (config->rates.n && replay->speed > 0)
		return "--rate and --speed exclude each other";
	if (!replay->passes && !config->duration_ns && !config->frames)
		return "--loop 0 needs --duration or --frames";
	return NULL;
}

static int check(const struct gen_config *config, char *err, size_t errlen)
{
	const char *what = contradiction(config);

	if (what) {
		snprintf(err, errlen, "%s", what);
		return -EINVAL;
	}
	rules = (struct replay_rules){
		.rewrite = config->replay.rewrite,
		.stamp = (enum stamp_how)config->replay.stamp,
		.fix_sums = config->replay.fix_sums,
		.max_frame = (uint32_t)config->replay.max_frame,
	};
	return replay_scan(config->method.test, &rules, &facts, err, errlen);
}

/* What of the file is not sent as it stands. */
static void tell(const struct gen_config *config)
{
	const char *path = config->method.test;

	if (facts.cut_off)
		fprintf(stderr,
			"tandem-gen: warning: %s ends in the middle of a frame: the %" PRIu64
			" frames before it are sent\n",
			path, facts.frames);
	if (facts.too_long)
		fprintf(stderr,
			"tandem-gen: warning: %s: %" PRIu64
			" frames longer than %u bytes are left out (--max-frame)\n",
			path, facts.too_long, rules.max_frame);
	if (facts.left_out)
		fprintf(stderr,
			"tandem-gen: warning: %s: %" PRIu64
			" frames that are none of Ethernet are left out\n",
			path, facts.left_out);
	if (facts.padded)
		fprintf(stderr,
			"tandem-gen: warning: %s: %" PRIu64
			" frames were cut in the capture and are filled with zeros\n",
			path, facts.padded);
	if (facts.wrong_sums && !rules.fix_sums)
		fprintf(stderr,
			"tandem-gen: warning: %s: the checksums of %" PRIu64
			" frames are wrong and are kept so (--fix-checksums)\n",
			path, facts.wrong_sums);
	if (rules.stamp != STAMP_NONE && facts.stampable < facts.frames)
		fprintf(stderr,
			"tandem-gen: %s: %" PRIu64 " of %" PRIu64
			" frames have no room for a stamp: counted, not accounted for\n",
			path, facts.frames - facts.stampable, facts.frames);
}

static int run_trials(struct campaign *c, struct replay *replay)
{
	const struct gen_config *config = c->invocation->config;
	const struct trial_spec spec = {
		.frame_size = facts.largest == facts.smallest ? facts.largest : 0,
		.pps = replay->requested_pps,
		.duration_ns = config->duration_ns,
		.frames = config->frames,
		.replay = replay,
	};
	int rc = 0;

	for (uint64_t i = 0; i < config->repeat && !rc; i++)
		rc = campaign_run(c, &spec, NULL, clock_ns(), NULL);
	return rc;
}

static int run(const struct invocation *given)
{
	static struct campaign c;
	static struct replay replay;
	struct gen_config config = *given->config;
	struct invocation invocation = *given;
	struct replay_plan plan = {
		.path = config.method.test,
		.rules = &rules,
		.facts = &facts,
		.passes = config.replay.passes,
		.preload_limit = config.replay.preload_mb * MB,
		.recorded = !config.rates.n,
		.speed = config.replay.speed > 0 ? config.replay.speed : 1,
		.rate = config.rates.n ? config.rates.rate[0] : (struct rate){.kind = RATE_MAX},
	};
	int rc;

	/* The ports must carry the largest frame. */
	config.sizes = (struct size_list){.size = {facts.largest}, .n = 1};
	invocation.config = &config;
	tell(&config);
	rc = campaign_open(&c, &invocation);
	c.output.text = true;
	if (!rc) {
		plan.line_rate_bps = generator_line_rate(&c.generator, &c.generator.directions[0]);
		rc = replay_open(&replay, &plan, c.err, sizeof(c.err));
	}
	if (!rc) {
		rc = run_trials(&c, &replay);
		replay_close(&replay);
	}
	return campaign_close(&c, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 0 --single-file-segments --vdev "
	"net_virtio_user0,path=/tmp/t.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0 "
	"-- replay site.pcap",
	"a capture at its own times through the DUT, once",
	"tandem-gen -l 0 -a 0000:02:00.0 -- replay site.pcapng --rate 40% --loop 0 --duration 60 "
	"--rewrite dst-mac=gateway,src-mac=port",
	"a minute of it at 40 % of the line rate, by the size of each frame",
	"tandem-gen -l 0 --vdev net_null0 -- replay site.pcap --rate max --tx-only --loop 10",
	"how fast this core sends it",
	NULL,
};

const struct verb verb_replay = {
	.command = {.program = "tandem-gen",
		    .verb = "replay",
		    .synopsis = "[EAL options] -- replay FILE [options]",
		    .summary = "A capture file (pcap, pcapng), at its own times or at a rate, "
			       "stamped where it has room.",
		    .opts = replay_options,
		    .examples = examples},
	.max_operands = 1,
	.defaults = defaults,
	.check = check,
	.run = run,
};

/*
 * Options of the verbs as tables. What several verbs share is one macro, so that it reads and works
 * alike in all.
 */
#include "gen/config.h"
#include "gen/frame.h"
#include "gen/sender.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_sizes(void *field, const char *text, char *err, size_t errlen)
{
	struct size_list *list = field;

	return sizes_parse(text, list->size, MAX_SIZES, &list->n, err, errlen);
}

static int parse_rates(void *field, const char *text, char *err, size_t errlen)
{
	struct rate_list list = {.n = 0};
	char word[64];

	for (;;) {
		size_t n = strcspn(text, ",");
		int rc;

		if (list.n == MAX_RATES || n >= sizeof(word)) {
			snprintf(err, errlen, "at most %d rates", MAX_RATES);
			return -EINVAL;
		}
		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		rc = rate_parse(word, &list.rate[list.n++], err, errlen);
		if (rc)
			return rc;
		if (!text[n])
			break;
		text += n + 1;
	}
	*(struct rate_list *)field = list;
	return 0;
}

static int parse_ip(void *field, const char *text, char *err, size_t errlen)
{
	return ipv4_parse(text, field, err, errlen);
}

static int parse_mac(void *field, const char *text, char *err, size_t errlen)
{
	struct mac_option *option = field;
	int rc = mac_parse(text, option->mac, err, errlen);

	option->given = !rc;
	return rc;
}

static int parse_gateway(void *field, const char *text, char *err, size_t errlen)
{
	struct gateway gateway = {.mode = GATEWAY_GIVEN};
	int rc = 0;

	if (!strcmp(text, "auto"))
		gateway.mode = GATEWAY_AUTO;
	else if (!strcmp(text, "none"))
		gateway.mode = GATEWAY_NONE;
	else
		rc = ipv4_parse(text, &gateway.ip, err, errlen);
	if (!rc)
		*(struct gateway *)field = gateway;
	return rc;
}

static int parse_dut(void *field, const char *text, char *err, size_t errlen)
{
	return dut_place_parse(field, text, err, errlen);
}

static int parse_line_rate(void *field, const char *text, char *err, size_t errlen)
{
	return line_rate_parse(text, field, err, errlen);
}

/* "64@10kpps": trains of 64 frames, 10,000 frames a second on average. */
static int parse_train(void *field, const char *text, char *err, size_t errlen)
{
	struct burst_train train;
	const char *at = strchr(text, '@');
	char count[32];
	int rc;

	if (!at || (size_t)(at - text) >= sizeof(count)) {
		snprintf(err, errlen, "'%s': expected FRAMES@RATE, e.g. 64@10kpps", text);
		return -EINVAL;
	}
	snprintf(count, sizeof(count), "%.*s", (int)(at - text), text);
	rc = count_parse(count, 2, 1000000, &train.frames, err, errlen);
	if (!rc)
		rc = rate_parse(at + 1, &train.rate, err, errlen);
	if (!rc && (train.rate.kind == RATE_MAX || train.rate.kind == RATE_PERCENT_OF_MAX)) {
		snprintf(err, errlen, "'%s': a train needs a rate of its own", text);
		rc = -EINVAL;
	}
	if (!rc)
		*(struct burst_train *)field = train;
	return rc;
}

/* "0.5%" or "0.005": a share of at least 0 and less than 1. */
static int parse_share(void *field, const char *text, char *err, size_t errlen)
{
	char *end;
	double value = strtod(text, &end);
	bool percent = *end == '%';

	if (end == text || end[percent] || !(value >= 0) || value >= (percent ? 100 : 1)) {
		snprintf(err, errlen, "'%s': expected a share such as 0.5%% or 0.005", text);
		return -EINVAL;
	}
	*(double *)field = percent ? value / 100 : value;
	return 0;
}

/* A rate that is one: neither max nor a part of it. */
static int parse_bound(void *field, const char *text, char *err, size_t errlen)
{
	struct rate rate;
	int rc = rate_parse(text, &rate, err, errlen);

	if (!rc && (rate.kind == RATE_MAX || rate.kind == RATE_PERCENT_OF_MAX)) {
		snprintf(err, errlen, "'%s': a bound is a rate such as 500kpps or 90%%", text);
		rc = -EINVAL;
	}
	if (!rc)
		*(struct rate *)field = rate;
	return rc;
}

static int parse_goals(void *field, const char *text, char *err, size_t errlen)
{
	return mlr_goals_add(field, text, err, errlen);
}

static int parse_rewrite(void *field, const char *text, char *err, size_t errlen)
{
	return rewrite_parse(field, text, err, errlen);
}

/* "2x", "0.5x" or "2": how many times as fast. */
static int parse_speed(void *field, const char *text, char *err, size_t errlen)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || strcmp(end + (*end == 'x'), "") || !(value >= 1e-6) || value > 1e6) {
		snprintf(err, errlen, "'%s': expected a factor such as 2x or 0.5x", text);
		return -EINVAL;
	}
	*(double *)field = value;
	return 0;
}

static const char *const stamp_choices[] = {"tail", "append", "none", NULL};
static const char *const arrival_choices[] = {"constant", "poisson", NULL};
static const char *const on_full_choices[] = {"auto", "drop", "wait", NULL};

#define AT(field) offsetof(struct gen_config, field)

/* A table reads best as one. */
/* clang-format off */
#define SENDING_OPTIONS \
	{"duration", 'd', OPT_DURATION, AT(duration_ns), 0.001, 360000, NULL, NULL, "TIME", \
	 "how long a trial sends: 10 (seconds), 500ms, 2m. Default 10s", "Trial"}, \
	{"frames", 0, OPT_UINT, AT(frames), 1, 1e18, NULL, NULL, "N", \
	 "end a trial after N frames were sent", NULL}, \
	{"repeat", 0, OPT_UINT, AT(repeat), 1, 100000, NULL, NULL, "N", \
	 "run each trial N times; median and spread at the end", NULL}, \
	{"retry-disturbed", 0, OPT_UINT, AT(retry_disturbed), 0, 1000, NULL, NULL, "N", \
	 "repeat a disturbed trial up to N times; the last one counts. Default 0", NULL}, \
	{"arrival", 0, OPT_CHOICE, AT(arrival), 0, 0, arrival_choices, NULL, "HOW", \
	 "constant: evenly spaced frames (default); poisson: exponential gaps with the same mean", NULL}, \
	{"burst-train", 0, OPT_PARSE, AT(train), 0, 0, NULL, parse_train, "N@RATE", \
	 "trains of N frames back to back, at RATE on average: instead of --rate", NULL}, \
	{"tx-only", 0, OPT_FLAG, AT(tx_only), 0, 0, NULL, NULL, NULL, \
	 "measure the sender alone: nothing is received", NULL}, \
	{"samples", 0, OPT_STRING, AT(samples), 0, 0, NULL, NULL, "FILE", \
	 "write each round trip: trial, direction, sequence number, times. CSV", NULL}, \
	{"samples-limit", 0, OPT_UINT, AT(samples_limit), 1, 100000000, NULL, NULL, "N", \
	 "at most N of them a trial and direction (24 bytes of memory each). Default 1m", NULL}

#define TRIAL_OPTIONS \
	{"warmup", 0, OPT_DURATION, AT(warmup_ns), 0, 3600, NULL, NULL, "TIME", \
	 "send this long at the same rate before, off the record. Default 200ms", NULL}, \
	{"drain", 0, OPT_DURATION, AT(drain_ns), 0, 3600, NULL, NULL, "TIME", \
	 "wait at most this long for stragglers after sending. Default 1s", NULL}, \
	{"bidirectional", 0, OPT_FLAG, AT(bidirectional), 0, 0, NULL, NULL, NULL, \
	 "send both ways between two ports, a record each way", NULL}, \
	{"verify", 0, OPT_FLAG, AT(verify), 0, 0, NULL, NULL, NULL, \
	 "compare every byte of the payload; without it corruption is what the port's checksum check finds, or unknown (null)", NULL}, \
	{"seed", 0, OPT_UINT, AT(seed), 0, 9e15, NULL, NULL, "N", \
	 "where trial numbers in stamps and Poisson gaps start. Default: from the clock", NULL}

#define FRAME_OPTIONS \
	{"burst", 0, OPT_UINT, AT(burst), 1, SENDER_MAX_BURST, NULL, NULL, "N", \
	 "frames a burst at most; 1 gives every frame a time stamp of its own. Default 32", "Frames"}, \
	{"flows", 0, OPT_UINT, AT(flows), 1, FRAME_MAX_FLOWS, NULL, NULL, "N", \
	 "UDP flows, told apart by their ports, taken in turn. Default 1, or as many as streams", NULL}, \
	{"streams", 0, OPT_UINT, AT(streams), 1, MAX_STREAMS, NULL, NULL, "N", \
	 "deal the frames to N streams in equal shares, each with its own flows (flow f is of stream f mod N),\n" \
	 "accounts, latency and record. About 0.3 MB of memory each a core and direction. Default 1", NULL}, \
	{"src-ip", 0, OPT_PARSE, AT(src_ip), 0, 0, NULL, parse_ip, "IP", \
	 "our address on port 0; port n adds n to the third byte. Default 198.18.0.2", NULL}, \
	{"dst-ip", 0, OPT_PARSE, AT(dst_ip), 0, 0, NULL, parse_ip, "IP", \
	 "destination behind port 0; port n likewise. Default 198.19.0.1", NULL}, \
	{"src-port", 0, OPT_UINT, AT(src_port), 1, 65535, NULL, NULL, "PORT", \
	 "UDP source port of the first flow. Default 1024", NULL}, \
	{"dst-port", 0, OPT_UINT, AT(dst_port), 1, 65535, NULL, NULL, "PORT", \
	 "UDP destination port. Default 7 (RFC 2544)", NULL}, \
	{"ttl", 0, OPT_UINT, AT(ttl), 1, 255, NULL, NULL, "N", "time to live. Default 64", NULL}, \
	{"tos", 0, OPT_UINT, AT(tos), 0, 255, NULL, NULL, "N", "type of service byte. Default 0", NULL}, \
	{"src-mac", 0, OPT_PARSE, AT(src_mac), 0, 0, NULL, parse_mac, "MAC", \
	 "source MAC. Default: the port's", NULL}, \
	{"dst-mac", 0, OPT_PARSE, AT(dst_mac), 0, 0, NULL, parse_mac, "MAC", \
	 "destination MAC where no gateway answers. Default 02:00:00:00:00:01", NULL}, \
	{"gateway", 0, OPT_PARSE, AT(gateway), 0, 0, NULL, parse_gateway, "GATEWAY", \
	 "next hop whose MAC ARP finds out: an address, none, or auto (default), which asks for .1 of our\n" \
	 "own network and goes without when nobody answers", NULL}

#define PORT_OPTIONS \
	{"on-full", 0, OPT_CHOICE, AT(on_full), 0, 0, on_full_choices, NULL, "WHAT", \
	 "what becomes of a frame that finds the transmit ring full: drop refuses it at once,\n" \
	 "wait keeps it; auto (default) is drop", "Ports and DUT"}, \
	{"line-rate", 0, OPT_PARSE, AT(line_rate_bps), 0, 0, NULL, parse_line_rate, "RATE", \
	 "link speed that a % rate refers to, e.g. 10g. Default: the port's, if it has a wire", NULL}, \
	{"rxd", 0, OPT_UINT, AT(rxd), 32, 32768, NULL, NULL, "N", "receive descriptors. Default 1024", NULL}, \
	{"txd", 0, OPT_UINT, AT(txd), 32, 32768, NULL, NULL, "N", "transmit descriptors. Default 1024", NULL}, \
	{"wait-link", 0, OPT_DURATION, AT(wait_link_ns), 0, 86400, NULL, NULL, "TIME", \
	 "wait this long for the peer. Default 10s", NULL}, \
	{"stall-threshold", 0, OPT_DURATION, AT(stall_threshold_ns), 0.000001, 10, NULL, NULL, "TIME", \
	 "a gap in our own loop longer than this is a stall. Default 100us", NULL}, \
	{"dut", 0, OPT_PARSE, AT(dut), 0, 0, NULL, parse_dut, "PLACE", \
	 "where tandem-dut runs, so that its CPU, drops and stalls join the record: unix:PATH, its telemetry socket, or\n" \
	 "ssh://[USER@]HOST[:PORT][/PREFIX], by its file prefix there (default tandem-dut)", NULL}, \
	{"dut-telemetry", 0, OPT_PARSE, AT(dut), 0, 0, NULL, parse_dut, "PATH", "the same as --dut unix:PATH", NULL}, \
	{"dut-start", 0, OPT_STRING, AT(dut_start), 0, 0, NULL, NULL, "COMMAND", \
	 "start the DUT with this shell command, on --dut's host, before the ports are opened, and end it after they are\n" \
	 "closed", NULL}, \
	{"dut-program", 0, OPT_STRING, AT(dut_program), 0, 0, NULL, NULL, "PATH", \
	 "tandem-dut on --dut's host, which reads its figures there. Default tandem-dut", NULL}, \
	{"ssh", 0, OPT_STRING, AT(ssh), 0, 0, NULL, NULL, "COMMAND", \
	 "what reaches --dut's host, such as 'ssh -F FILE' or 'ssh -i KEY'. Default ssh", NULL}, \
	{"path", 0, OPT_STRING, AT(path), 0, 0, NULL, NULL, "NAME", \
	 "name of the path in records. Default: what the DUT says", NULL}

#define OUTPUT_OPTIONS \
	{"out", 'o', OPT_STRING, AT(out), 0, 0, NULL, NULL, "DIR", \
	 "write run.json, trials.jsonl, summary.csv and .hgrm files there", "Output"}, \
	CAPTURE_OPTIONS(AT(capture), NULL), \
	{"append", 0, OPT_FLAG, AT(append), 0, 0, NULL, NULL, NULL, "add to what stands in DIR", NULL}, \
	{"title", 0, OPT_STRING, AT(title), 0, 0, NULL, NULL, "TEXT", "title of the run, for its pictures", NULL}, \
	{"json", 0, OPT_FLAG, AT(json), 0, 0, NULL, NULL, NULL, "one JSON record a line on stdout", NULL}, \
	{"strict", 0, OPT_FLAG, AT(strict), 0, 0, NULL, NULL, NULL, "exit 1 for a disturbed trial too", NULL}, \
	{"quiet", 'q', OPT_FLAG, AT(quiet), 0, 0, NULL, NULL, NULL, "no progress line", NULL}, \
	{NULL, 0, OPT_FLAG, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}

/* Of the test methods: how loads are searched, and how a campaign of hours is planned. */
#define SEARCH_OPTIONS \
	{"max-rate", 0, OPT_PARSE, AT(method.max_rate), 0, 0, NULL, parse_bound, "RATE", \
	 "highest load tried. Default: the line rate; without one, what a trial at max sends", "Search"}, \
	{"min-rate", 0, OPT_PARSE, AT(method.min_rate), 0, 0, NULL, parse_bound, "RATE", \
	 "lowest load tried. Default 100pps", NULL}

#define CAMPAIGN_OPTIONS \
	{"retry-disturbed", 0, OPT_UINT, AT(method.retries), 0, 1000, NULL, NULL, "N", \
	 "repeat a trial up to N times whose outcome a disturbance of this host may have made: the load " \
	 "was missed, or what was lost was lost in the generator's own stalls. Default 2", "Campaign"}, \
	{"settle", 0, OPT_DURATION, AT(method.settle_ns), 0, 3600, NULL, NULL, "TIME", \
	 "pause before each trial (RFC 2544, section 23). Default: a twelfth of the trial, 5s at most; " \
	 "before a burst, twice the time the DUT needs for it, 2s at most (RFC 9004)", NULL}, \
	{"resume", 0, OPT_STRING, AT(method.resume), 0, 0, NULL, NULL, "DIR", \
	 "go on with the run in DIR, which was stopped: finished trials are not repeated. With the options " \
	 "it was started with, instead of --out", NULL}, \
	{"dry-run", 0, OPT_FLAG, AT(method.dry_run), 0, 0, NULL, NULL, NULL, \
	 "print the plan and how long it takes at most; nothing is sent", NULL}

const struct opt rfc2544_options[] = {
	{"sizes", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "LIST",
	 "frame sizes, FCS included. Default 64,128,256,512,1024,1280,1518", "Tests"},
	{"duration", 'd', OPT_DURATION, AT(duration_ns), 0.001, 360000, NULL, NULL, "TIME",
	 "how long a trial sends, an overload lasts and a recovery is watched. Default 60s", NULL},
	{"loss-tolerance", 0, OPT_PARSE, AT(method.tolerance), 0, 0, NULL, parse_share, "RATIO",
	 "throughput: loss that still passes. RFC 2544 says 0, the default", NULL},
	{"width", 0, OPT_PARSE, AT(method.width), 0, 0, NULL, parse_share, "RATIO",
	 "throughput: the result lies within this share below the true one. Default 0.5%", NULL},
	{"throughput", 0, OPT_PARSE, AT(method.throughput), 0, 0, NULL, parse_bound, "RATE",
	 "the throughput that the other tests go by, where it is known: it is not searched for", NULL},
	{"step", 0, OPT_PARSE, AT(method.step), 0, 0, NULL, parse_share, "RATIO",
	 "loss: steps of the load, 0.5% to 10%. Default 10%", NULL},
	{"repetitions", 0, OPT_UINT, AT(method.repetitions), 1, 1000, NULL, NULL, "N",
	 "back-to-back and recovery: how often. Default 50 and 5", NULL},
	{"reset-command", 0, OPT_STRING, AT(method.reset_command), 0, 0, NULL, NULL, "COMMAND",
	 "reset: shell command that restarts the DUT, run when a quarter of the trial is over. Without "
	 "it, restart the DUT by hand meanwhile; 'all' then leaves the test out", NULL},
	SEARCH_OPTIONS, CAMPAIGN_OPTIONS, TRIAL_OPTIONS, FRAME_OPTIONS, PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt mlrsearch_options[] = {
	{"sizes", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "LIST",
	 "frame sizes, FCS included. Default 64,128,256,512,1024,1280,1518", "Goals"},
	{"goal", 0, OPT_PARSE, AT(method.goals), 0, 0, NULL, parse_goals, "GOAL",
	 "ndr, pdr (0.5 %), pdr=0.1%, or NAME=RATIO, with settings behind colons: exceed=50% (share of the\n"
	 "trials' time that may lose more), width=0.5% (of the bounds), initial=1s and trial=1s (shortest\n"
	 "and longest trials), sum=21s (of them that decides a load). May be given several times.\n"
	 "Default ndr and pdr, with the settings named, which are FD.io CSIT's", NULL},
	{"max-time", 0, OPT_DURATION, AT(method.max_time_ns), 1, 864000, NULL, NULL, "TIME",
	 "what the trials of one size may take; what is known then stands, as irregular. Default: no limit", NULL},
	SEARCH_OPTIONS, CAMPAIGN_OPTIONS, TRIAL_OPTIONS, FRAME_OPTIONS, PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt soak_options[] = {
	{"size", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "BYTES",
	 "frame size, FCS included. Default 64", "Soak"},
	{"rate", 'r', OPT_PARSE, AT(rates), 0, 0, NULL, parse_rates, "RATE",
	 "the load: 500kpps, 10gbps, 25% (of line rate)", NULL},
	{"duration", 'd', OPT_DURATION, AT(duration_ns), 0.001, 31622400, NULL, NULL, "TIME",
	 "how long in all: 8h, 30m. Default 1h", NULL},
	{"interval", 0, OPT_DURATION, AT(method.interval_ns), 0.001, 360000, NULL, NULL, "TIME",
	 "a record each. Default 60s", NULL},
	TRIAL_OPTIONS, FRAME_OPTIONS, PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt run_options[] = {
	{"size", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "BYTES",
	 "frame size, FCS included (RFC 2544): 64 to 9018. Default 64", "Load"},
	{"rate", 'r', OPT_PARSE, AT(rates), 0, 0, NULL, parse_rates, "RATE",
	 "500kpps, 1.2mpps, 10gbps (L2), 10gbps-l1, 25% (of line rate) or max. Default max", NULL},
	SENDING_OPTIONS, TRIAL_OPTIONS, FRAME_OPTIONS, PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt replay_options[] = {
	{"rate", 'r', OPT_PARSE, AT(rates), 0, 0, NULL, parse_rates, "RATE",
	 "500kpps, 10gbps (L2), 10gbps-l1, 25% (of line rate), by the frames' own sizes, or max. Default: the\n"
	 "file's own times", "Replay"},
	{"speed", 0, OPT_PARSE, AT(replay.speed), 0, 0, NULL, parse_speed, "FACTOR",
	 "the file's own times, this many times as fast: 2x, 0.5x. Default 1x", NULL},
	{"loop", 0, OPT_UINT, AT(replay.passes), 0, 1e9, NULL, NULL, "N",
	 "send the file N times over; 0: until --duration is over. Default 1", NULL},
	{"stamp", 0, OPT_CHOICE, AT(replay.stamp), 0, 0, stamp_choices, NULL, "WHERE",
	 "tail: in place of the last 18 bytes of TCP's or UDP's payload (default); append: behind them, the\n"
	 "frame grows; none. Frames without room are sent as they are, and counted", NULL},
	{"rewrite", 0, OPT_PARSE, AT(replay.rewrite), 0, 0, NULL, parse_rewrite, "LIST",
	 "dst-mac=MAC|gateway, src-mac=MAC|port, src-ip=NET/BITS, dst-ip=, ip=OLD/BITS:NEW (either address),\n"
	 "src-ip6=, dst-ip6=, src-port=N, dst-port=N, port=OLD:NEW; checksums are kept right", NULL},
	{"fix-checksums", 0, OPT_FLAG, AT(replay.fix_sums), 0, 0, NULL, NULL, NULL,
	 "put checksums right that are wrong in the file, as of frames captured where they were sent", NULL},
	{"max-frame", 0, OPT_UINT, AT(replay.max_frame), FRAME_MIN, FRAME_JUMBO_MAX, NULL, NULL, "BYTES",
	 "leave out longer frames (FCS included; a VLAN tag may add 4), and count them. Default 1518", NULL},
	{"preload", 0, OPT_UINT, AT(replay.preload_mb), 0, 1000000, NULL, NULL, "MB",
	 "a file that takes up to this much memory is loaded whole, of a larger one a thread reads ahead. Default 512", NULL},
	{"duration", 'd', OPT_DURATION, AT(duration_ns), 0.001, 31622400, NULL, NULL, "TIME",
	 "end after this long. Default: with the file", "Trial"},
	{"frames", 0, OPT_UINT, AT(frames), 1, 1e18, NULL, NULL, "N", "end after N frames were sent", NULL},
	{"repeat", 0, OPT_UINT, AT(repeat), 1, 100000, NULL, NULL, "N", "so many trials, a record each", NULL},
	{"drain", 0, OPT_DURATION, AT(drain_ns), 0, 3600, NULL, NULL, "TIME",
	 "wait at most this long for stragglers after sending. Default 1s", NULL},
	{"tx-only", 0, OPT_FLAG, AT(tx_only), 0, 0, NULL, NULL, NULL,
	 "measure the sender alone: nothing is received", NULL},
	{"seed", 0, OPT_UINT, AT(seed), 0, 9e15, NULL, NULL, "N",
	 "where trial numbers in stamps start. Default: from the clock", NULL},
	{"burst", 0, OPT_UINT, AT(burst), 1, SENDER_MAX_BURST, NULL, NULL, "N",
	 "frames a burst at most; 1 gives every frame a time stamp of its own. Default 32", "Frames"},
	{"src-ip", 0, OPT_PARSE, AT(src_ip), 0, 0, NULL, parse_ip, "IP",
	 "our address on port 0, of probes and ARP. Default 198.18.0.2", NULL},
	{"dst-ip", 0, OPT_PARSE, AT(dst_ip), 0, 0, NULL, parse_ip, "IP",
	 "where probes go. Default 198.19.0.1", NULL},
	{"src-mac", 0, OPT_PARSE, AT(src_mac), 0, 0, NULL, parse_mac, "MAC",
	 "source MAC where the capture has none. Default: the port's", NULL},
	{"dst-mac", 0, OPT_PARSE, AT(dst_mac), 0, 0, NULL, parse_mac, "MAC",
	 "destination MAC where the capture has none and no gateway answers. Default 02:00:00:00:00:01", NULL},
	{"gateway", 0, OPT_PARSE, AT(gateway), 0, 0, NULL, parse_gateway, "GATEWAY",
	 "next hop whose MAC ARP finds out: an address, none, or auto (default)", NULL},
	PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt sweep_options[] = {
	{"sizes", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "LIST",
	 "frame sizes, FCS included. Default 64,128,256,512,1024,1280,1518", "Load"},
	{"rate", 'r', OPT_PARSE, AT(rates), 0, 0, NULL, parse_rates, "LIST",
	 "rates for each size; 50%max is half of what came back at max just before.\n"
	 "Default max,50%max", NULL},
	SENDING_OPTIONS, TRIAL_OPTIONS, FRAME_OPTIONS, PORT_OPTIONS, OUTPUT_OPTIONS
};

const struct opt selftest_options[] = {
	{"duration", 'd', OPT_DURATION, AT(duration_ns), 0.001, 3600, NULL, NULL, "TIME",
	 "how long each of the two trials sends. Default 5s", "Selftest"},
	{"rate", 'r', OPT_PARSE, AT(rates), 0, 0, NULL, parse_rates, "RATE",
	 "rate at which floor latency, jitter and rate error are taken. Default 10kpps", NULL},
	{"size", 's', OPT_PARSE, AT(sizes), 0, 0, NULL, parse_sizes, "BYTES",
	 "frame size. Default 64", NULL},
	{"wait-link", 0, OPT_DURATION, AT(wait_link_ns), 0, 86400, NULL, NULL, "TIME",
	 "wait this long for the peer. Default 10s", NULL},
	{"stall-threshold", 0, OPT_DURATION, AT(stall_threshold_ns), 0.000001, 10, NULL, NULL, "TIME",
	 "a gap in our own loop longer than this is a stall. Default 100us", NULL},
	{"out", 'o', OPT_STRING, AT(out), 0, 0, NULL, NULL, "FILE",
	 "where the figures are kept for later runs to carry. Default tandem/selftest.json in\n"
	 "$XDG_STATE_HOME, ~/.local/state or, for root, /var/lib", NULL},
	{"json", 0, OPT_FLAG, AT(json), 0, 0, NULL, NULL, NULL, "the figures as JSON on stdout", NULL},
	{"quiet", 'q', OPT_FLAG, AT(quiet), 0, 0, NULL, NULL, NULL, "no progress line", NULL},
	{NULL, 0, OPT_FLAG, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}
};
/* clang-format on */

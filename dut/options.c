/*
 * The DUT's options, declared as data, and what must hold between them.
 *
 * They are read before EAL starts, so that --help and a wrong option need neither root nor
 * hugepages.
 */
#include "dut/options.h"
#include "dut/topology.h"
#include "common/units.h"

#include <rte_mempool.h>

#include <limits.h>
#include <string.h>

#define MIN_DESCRIPTORS 32
#define MAX_DESCRIPTORS 32768
#define MAX_SEED	1e15
#define UNSET		UINT64_MAX
#define ON_FULL_UNSET	2u
#define FORWARD_UNSET	UINT_MAX
#define MAX_NETNS_NAME	63u /* the state file and messages carry it */

static const char *const forward_modes[] = {"io", "kernel", "impair", "split", "series", NULL};
static const char *const topologies[] = {"chained", "paired", "loop", NULL};
static const char *const on_fulls[] = {"drop", "wait", NULL};
static const char *const kernel_drivers[] = {"auto",	    "af_xdp", "af_packet", "tap",
					     "virtio-user", "kni",    NULL};

static int parse_impair(void *field, const char *text, char *err, size_t errlen)
{
	return impair_list_parse(field, text, err, errlen);
}

static int parse_split(void *field, const char *text, char *err, size_t errlen)
{
	return split_rule_parse(field, text, err, errlen);
}

static int parse_mask(void *field, const char *text, char *err, size_t errlen)
{
	return kni_mask_parse(field, text, err, errlen);
}

static int parse_config(void *field, const char *text, char *err, size_t errlen)
{
	return kni_config_parse(field, text, err, errlen);
}

#define FIELD(f) .offset = offsetof(struct dut_options, f)

static const struct opt options[] = {
	{"forward-mode", 0, OPT_CHOICE, FIELD(forward_mode), .choices = forward_modes,
	 .arg = "MODE",
	 .help = "io: frames go on untouched to the next port (default);\n"
		 "kernel: both ways between wire and kernel ports,\n"
		 "and the kernel routes them;\n"
		 "impair: as io, but frames are lost, late and changed as\n"
		 "--impair says;\n"
		 "split: some as kernel, as --split says, the rest as io;\n"
		 "series: each frame as io, over a ring to a second stage,\n"
		 "there as kernel, and back; stages have lcores of their\n"
		 "own where there are two for each wire port",
	 .group = "Forwarding"},
	{"port-topology", 0, OPT_CHOICE, FIELD(topology), .choices = topologies, .arg = "NAME",
	 .help = "in io, impair and split mode, chained: 0 to 1 to 2 ... to 0 (default);\n"
		 "paired: 0 with 1, 2 with 3; loop: each to itself"},
	{"burst", 0, OPT_UINT, FIELD(burst), .min = 1, .max = DUT_MAX_BURST, .arg = "N",
	 .help = "frames a receive call asks for (default 32)"},
	{"on-full", 0, OPT_CHOICE, FIELD(on_full), .choices = on_fulls, .arg = "WHAT",
	 .help = "a full transmit ring: drop the rest (default), or wait for\n"
		 "room (default in impair mode)"},
	{"rxd", 0, OPT_UINT, FIELD(rxd), .min = MIN_DESCRIPTORS, .max = MAX_DESCRIPTORS, .arg = "N",
	 .help = "descriptors of a receive queue (default 1024)", .group = "Ports"},
	{"txd", 0, OPT_UINT, FIELD(txd), .min = MIN_DESCRIPTORS, .max = MAX_DESCRIPTORS, .arg = "N",
	 .help = "descriptors of a transmit queue (default 1024)"},
	{"rxq", 0, OPT_UINT, FIELD(rxq), .min = 1, .max = DUT_MAX_QUEUES, .arg = "N",
	 .help = "receive queues of each port; what comes on one leaves on\n"
		 "the same of the other port (default 1)"},
	{"txq", 0, OPT_UINT, FIELD(txq), .min = 1, .max = DUT_MAX_QUEUES, .arg = "N",
	 .help = "transmit queues of each port, as many (default 1)"},
	{"mbcache", 0, OPT_UINT, FIELD(mbcache), .min = 0, .max = RTE_MEMPOOL_CACHE_MAX_SIZE,
	 .arg = "N", .help = "mbufs a core keeps at hand of each pool (default 512)"},
	{"max-frame", 0, OPT_UINT, FIELD(max_frame), .min = FRAME_MIN, .max = FRAME_JUMBO_MAX,
	 .arg = "BYTES",
	 .help = "largest frame size, FCS included: sets the MTU (default\n"
		 "1518). af_packet and tap carry no larger ones"},
	{"wait-link", 0, OPT_DURATION, FIELD(wait_link_ns), .min = 0.001, .max = 86400,
	 .arg = "TIME",
	 .help = "fail when a wire port's peer is not there by then (default: wait for ever)"},
	{"kernel-path", 0, OPT_CHOICE, FIELD(kernel_path), .choices = kernel_drivers,
	 .arg = "DRIVER",
	 .help = "make a kernel port for each wire port, with namespace,\n"
		 "addresses and routes; auto, the default where no kernel\n"
		 "port is given, takes the fastest in a probe. virtio-user\n"
		 "is that driver on /dev/vhost-net; kni wants rte_kni, and\n"
		 "EAL -d librte_net_kni.so --iova-mode=pa",
	 .group = "Kernel path"},
	{"kernel-netns", 0, OPT_STRING, FIELD(kernel_netns), .arg = "NAME",
	 .help = "network namespace of the kernel side (default\n"
		 "tandem-PID); an existing one is used and kept, else it\n"
		 "is made, and removed at exit"},
	{"split", 0, OPT_PARSE, FIELD(split), .parse = parse_split, .arg = "RULE",
	 .help = "UDP frames that go through the kernel in split mode:\n"
		 "udp-dst=PORT[-PORT] or udp-src=PORT[-PORT];\n"
		 "stream=N[-N][/OF]: of the generator's streams (OF in\n"
		 "all, where it sends on several queues); or\n"
		 "percent=P: that share of flows, by a hash. ARP, fragments\n"
		 "and all that is no UDP goes to the kernel too"},
	{"impair", 0, OPT_PARSE, FIELD(impair), .parse = parse_impair, .arg = "LIST",
	 .help = "what to do to frames with a stamp, comma separated, in the\n"
		 "order in which a frame meets them:\n"
		 "outage=FROM..TO: nothing arrives, counted from the\n"
		 "trial's first frame by the frames' own time stamps where\n"
		 "they are of this host, as rate is\n"
		 "rate=PPS[:BUCKET]: police, BUCKET frames at once (4096)\n"
		 "drop=P or drop=N/M: by chance, or N of every M\n"
		 "corrupt=P: flip a payload bit outside the stamp\n"
		 "dup=P: send a copy right behind\n"
		 "reorder=P:DEPTH: hold back until DEPTH later ones passed\n"
		 "delay=T or delay=T1..T2: hold for T, or between them;\n"
		 "then frames are sent. stall=T/PERIOD forwards nothing\n"
		 "for T every PERIOD. P is a probability. Each trial of a\n"
		 "queue starts its decisions anew from the seed",
	 .group = "Impairment"},
	{"seed", 0, OPT_UINT, FIELD(seed), .min = 0, .max = MAX_SEED, .arg = "N",
	 .help = "of all decisions: the same seed and frames give the same (default 1)"},
	{"impair-log", 0, OPT_STRING, FIELD(impair_log), .arg = "FILE",
	 .help = "write what was done to which frame there at the end, CSV:\n"
		 "trial,space,seq,action; the first million actions"},
	{"promiscuous", 'P', OPT_FLAG, FIELD(promiscuous), .help = "as ports always are here",
	 .group = "As DPDK's KNI sample"},
	{"portmask", 'p', OPT_PARSE, FIELD(portmask), .parse = parse_mask, .arg = "MASK",
	 .help = "wire ports that get a kernel port, hexadecimal; the\n"
		 "others are left alone. Means --forward-mode=kernel"},
	{"config", 0, OPT_PARSE, FIELD(kni), .parse = parse_config, .arg = "LIST",
	 .help = "(port,lcore_rx,lcore_tx[,core...])[,...]: lcore_rx polls\n"
		 "the wire port and feeds the kernel port, lcore_tx the other\n"
		 "way; cores of rte_kni's threads have no effect. Means\n"
		 "--forward-mode=kernel. SIGUSR1 prints the sample's\n"
		 "statistics, as the key s does, SIGUSR2 clears them"},
	{"interactive", 'i', OPT_FLAG, FIELD(interactive),
	 .help = "a prompt with testpmd's commands, on a terminal or a\n"
		 "pipe; forwarding waits for start",
	 .group = "Prompt"},
	{"cmdline-file", 0, OPT_STRING, FIELD(cmdline_file), .arg = "FILE",
	 .help = "run the commands in it first, one a line"},
	{"stats", 0, OPT_STRING, FIELD(stats_file), .arg = "FILE",
	 .help = "write the final record there, JSON (tandem.dut/1)", .group = "Results"},
	{"stats-period", 0, OPT_DURATION, FIELD(stats_period_ns), .min = 0, .max = 86400,
	 .arg = "TIME",
	 .help = "a progress line on stderr every so often, 0 for none\n"
		 "(default 1s on a terminal, else none)"},
	CAPTURE_OPTIONS(offsetof(struct dut_options, capture), NULL),
	{"duration", 0, OPT_DURATION, FIELD(duration_ns), .min = 0.001, .max = 31536000,
	 .arg = "TIME", .help = "end after this time (default: at Ctrl-C or SIGTERM)"},
	{"stall-threshold", 0, OPT_DURATION, FIELD(stall_threshold_ns), .min = 1e-6, .max = 10,
	 .arg = "TIME", .help = "a longer gap in a polling loop is a stall (default 100us)"},
	{.name = NULL},
};

static const char *const examples[] = {
	"tandem-dut -l 1 --vdev net_vhost0,iface=/tmp/dut.sock -- --forward-mode=io",
	"one vhost-user port that gives back what it gets",
	"tandem-dut -l 1 --vdev net_memif0,role=server,socket=/tmp/dut.sock,socket-abstract=no -- "
	"--forward-mode=kernel",
	"through the kernel of a new namespace, over the fastest driver (as root)",
	"tandem-dut -l 1 --vdev net_vhost0,iface=/tmp/dut.sock -- --forward-mode=split "
	"--split percent=25",
	"a quarter of the flows through the kernel, the rest straight back",
	"tandem-dut -l 1,2 -a 01:00.0 -a 01:00.1 -- --port-topology=paired --stats dut.json",
	"two NICs, both ways, a core each",
	"tandem-dut -l 1 --vdev net_vhost0,iface=/tmp/dut.sock -- --forward-mode=impair "
	"--impair drop=0.001,delay=50us --seed 7 --stats dut.json",
	"loses one frame in a thousand, delays the rest, and tells exactly what it did",
	"tandem-dut -l 2,3 -n 4 -- -i --port-topology=chained --rxd=1024 --txd=1024 --burst=32 "
	"--mbcache=512 --forward-mode=io",
	"testpmd's command line; commands at its prompt",
	"tandem-dut -l 0,1 -n 4 -- -P -p 0x1 --config=\"(0,0,1)\"",
	"the KNI sample's: port 0 to the kernel on lcore 0, from it on lcore 1 (as root)",
	NULL,
};

const struct opt_command dut_command = {
	.program = "tandem-dut",
	.synopsis = "[EAL OPTIONS] -- [OPTIONS]",
	.summary = "The device under test: forwards frames between ports, directly or through the "
		   "kernel.",
	.opts = options,
	.examples = examples,
};

void dut_options_help(FILE *out)
{
	opt_help(&dut_command, out);
}

static bool kni_agrees(const struct dut_options *o, char *err, size_t errlen)
{
	if (!o->promiscuous)
		snprintf(err, errlen, "--no-promiscuous: ports are always promiscuous here");
	else if (o->forward_mode != FORWARD_KERNEL && (o->portmask || o->kni.n))
		snprintf(err, errlen, "--%s is for the kernel path: leave out --forward-mode=%s",
			 o->kni.n ? "config" : "portmask", forward_modes[o->forward_mode]);
	else if (o->cmdline_file && !*o->cmdline_file)
		snprintf(err, errlen, "--cmdline-file: the file name is empty");
	else
		return kni_options_agree(&o->kni, o->portmask, err, errlen);
	return false;
}

/* The impairment's options belong to its mode, which is nothing without a list. */
static bool impairment_agrees(const struct dut_options *o, char *err, size_t errlen)
{
	bool mode = o->forward_mode == FORWARD_IMPAIR;

	if (mode && !o->impair.kinds)
		snprintf(err, errlen,
			 "--forward-mode=impair needs a list: --impair drop=0.001,delay=50us");
	else if (!mode && o->impair.kinds)
		snprintf(err, errlen, "--impair needs --forward-mode=impair");
	else if (!mode && o->seed != UNSET)
		snprintf(err, errlen, "--seed needs --forward-mode=impair");
	else if (!mode && o->impair_log)
		snprintf(err, errlen, "--impair-log needs --forward-mode=impair");
	else if (o->impair_log && !*o->impair_log)
		snprintf(err, errlen, "--impair-log: the file name is empty");
	else
		return true;
	return false;
}

/* What must hold between options; returns false with a line in err. */
static bool options_agree(const struct dut_options *o, char *err, size_t errlen)
{
	bool split = o->forward_mode == FORWARD_SPLIT;

	if (!forward_has_kernel(o->forward_mode) &&
	    (o->kernel_path != KERNEL_UNSET || o->kernel_netns)) {
		snprintf(err, errlen, "--kernel-%s needs --forward-mode=kernel, split or series",
			 o->kernel_netns ? "netns" : "path");
		return false;
	}
	if (split != (o->split.kind != SPLIT_NONE)) {
		snprintf(err, errlen,
			 split ? "--forward-mode=split needs a rule: --split udp-dst=5000, "
				 "stream=3 or percent=25"
			       : "--split needs --forward-mode=split");
		return false;
	}
	if (o->kernel_netns && (!*o->kernel_netns || strlen(o->kernel_netns) > MAX_NETNS_NAME ||
				o->kernel_netns[0] == '.' || o->kernel_netns[0] == '-' ||
				strpbrk(o->kernel_netns, "/ \t\n"))) {
		snprintf(err, errlen,
			 "--kernel-netns: '%s' is no name for a namespace; use 1 to %u characters "
			 "without "
			 "'/' or blanks, not starting with '.' or '-'",
			 o->kernel_netns, MAX_NETNS_NAME);
		return false;
	}
	if (o->stats_file && !*o->stats_file) {
		snprintf(err, errlen, "--stats: the file name is empty");
		return false;
	}
	if (o->rxq != o->txq) {
		snprintf(err, errlen,
			 "--rxq %u and --txq %u differ: what comes on a queue leaves on the same, "
			 "so give both alike",
			 (unsigned int)o->rxq, (unsigned int)o->txq);
		return false;
	}
	return kni_agrees(o, err, errlen) && impairment_agrees(o, err, errlen) &&
	       !capture_options_check(&o->capture, err, errlen);
}

/* Defaults that depend on other options. */
static void complete(struct dut_options *o)
{
	/* An impairment that is to be counted exactly drops nothing on its own account. */
	if (o->on_full == ON_FULL_UNSET)
		o->on_full = o->forward_mode == FORWARD_IMPAIR ? ON_FULL_WAIT : ON_FULL_DROP;
	if (o->seed == UNSET)
		o->seed = DUT_DEFAULT_SEED;
}

enum opt_result dut_options_parse(struct dut_options *o, int argc, char **argv, char *err,
				  size_t errlen)
{
	enum opt_result result;
	size_t n_operands = 0;

	*o = (struct dut_options){
		.forward_mode = FORWARD_UNSET,
		.topology = TOPOLOGY_CHAINED,
		.rxd = 1024,
		.txd = 1024,
		.burst = 32,
		.mbcache = 512,
		.max_frame = FRAME_MAX,
		.on_full = ON_FULL_UNSET,
		.rxq = 1,
		.txq = 1,
		.seed = UNSET,
		.kernel_path = KERNEL_UNSET,
		.stats_period_ns = STATS_PERIOD_UNSET,
		.stall_threshold_ns = 100000,
		.promiscuous = true,
	};
	result = opt_parse(&dut_command, o, argc, argv, NULL, 0, &n_operands, err, errlen);
	/* Like the sample, its options need no word for what they are about. */
	if (o->forward_mode == FORWARD_UNSET)
		o->forward_mode = o->portmask || o->kni.n ? FORWARD_KERNEL : FORWARD_IO;
	if (result == OPT_OK && !options_agree(o, err, errlen))
		result = OPT_ERROR;
	complete(o);
	return result;
}

const char *forward_mode_name(unsigned int mode)
{
	return forward_modes[mode];
}

const char *topology_name(unsigned int topology)
{
	return topologies[topology];
}

const char *on_full_name(unsigned int on_full)
{
	return on_fulls[on_full];
}

const char *kernel_driver_name(unsigned int driver)
{
	return driver < KERNEL_DRIVERS ? kernel_drivers[driver] : "";
}

/*
 * What a frame costs, part by part: TSC cycles of one core, with warm caches and mbufs of a real
 * pool, 64-byte frames of one stream and one flow. The public functions of gen/ and common/ are
 * called as they are; the port's send function is replaced by one that takes every burst and hands
 *it back as received, so that no driver's time is in any figure. Any port will do: net_null.
 *
 *   send	sender_run at rate max: mbufs from the pool, lengths, UDP header, stamp, checkpoint,
 *		spacing histogram, and the call of the port, which copies the burst's pointers
 *   receive	receiver_take: look at the length, find and check the stamp, book, mbufs to the pool
 * and of these, on their own:
 *   stamp	stamp_burst_begin and stamp_burst_write: one for the burst, one for each frame
 *   check	stamp_read of the first stamp, stamp_continues of the others
 *   book	account_run: sequence window, histogram, jitter and delay variation of a run
 *   window	of that: seq_window_add_run
 *   hist	of that: hist_add_n (hist_add for a single frame)
 *   pool	mbufs out of the pool's cache and back: half is send's, half is receive's
 *   clock	reading the TSC once a burst, as the loop does for each burst sent and received
 * A part on its own overlaps with nothing, so that parts may add up to more than their sum costs.
 *
 * All of it in bursts of 32 and frame by frame. A figure is the median of many batches, less the
 * median of an empty one.
 */
#include "common/clock.h"
#include "common/dpdk/eal.h"
#include "gen/receiver.h"
#include "gen/sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#define BATCH                                                                              \
	128u /* frames between two readings of the clock; their mbufs stay in the L1 cache \
	      */
#define BATCHES	 20001u /* of each part; a millisecond lost to the host spoils one */
#define MBUFS	 1023u
#define TRIAL	 7u
#define INTERVAL 1000u /* cycles between two bursts, on the clock that the parts are told */
#define MIN_RTT	 5000u
#define RTTS	 1024u /* round trips differ by up to so many cycles */

static struct {
	struct sender sender;
	struct receiver receiver;
	struct inbound inbound;
	struct frame frame;
	struct rte_mbuf *held[BATCH]; /* frames for the parts that touch frames alone */
	struct rte_mbuf *wire[BATCH]; /* sent and not yet received */
	uint32_t on_wire;
	uint32_t burst;
	uint64_t now, seq, sent;
	uint64_t rtt[RTTS];
	uint64_t found; /* what checks found, so that nobody leaves them out */
	double cycles[BATCHES];
} b;

/* The compiler must not carry anything from one burst to the next. */
static inline void between(void)
{
	__asm__ volatile("" ::: "memory");
}

static uint16_t take(void *queue, struct rte_mbuf **burst, uint16_t n)
{
	(void)queue;
	memcpy(b.wire + b.on_wire, burst, n * sizeof(struct rte_mbuf *));
	b.on_wire += n;
	return n;
}

/* Of the frames that were sent at a time. */
static uint64_t round_trip(uint64_t at)
{
	return b.rtt[at / INTERVAL % RTTS];
}

static void run_nothing(void)
{
	between();
}

static void run_send(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst)
		sender_run(&b.sender, b.now += INTERVAL);
}

static void run_receive(void)
{
	uint64_t now = b.now - (uint64_t)(BATCH / b.burst - 1) * INTERVAL;

	for (uint32_t i = 0; i < BATCH; i += b.burst, now += INTERVAL)
		receiver_take(&b.receiver, &b.wire[i], (uint16_t)b.burst, now + round_trip(now),
			      UINT64_MAX);
	b.on_wire = 0;
}

static uint8_t *stamp_in(const struct rte_mbuf *m, uint32_t at)
{
	return (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM + at;
}

/* As the sender does, what is the same for all frames stands in variables of its own. */
static void run_stamp(void)
{
	const uint32_t burst = b.burst, at = b.frame.stamp_at;
	struct rte_mbuf *const *held = b.held, *const *end = b.held + BATCH;
	uint32_t seq = 0;

	for (; held < end; held += burst) {
		const struct stamp_burst stamps =
			stamp_burst_begin(stamp_base(TRIAL, 0), b.now += INTERVAL);

		for (uint32_t k = 0; k < burst; k++)
			stamp_burst_write(&stamps, stamp_in(held[k], at), seq + k);
		seq += burst;
		between();
	}
}

static void run_check(void)
{
	const uint32_t burst = b.burst, at = b.frame.stamp_at;
	struct rte_mbuf *const *held = b.held, *const *end = b.held + BATCH;
	uint64_t found = 0;

	for (; held < end; held += burst) {
		struct stamp first = {0};
		struct stamp_burst run;

		found += stamp_read(stamp_in(held[0], at), &first);
		run = stamp_burst_begin(stamp_base(first.trial, first.space), first.tx_time);
		for (uint32_t k = 1; k < burst; k++)
			found += stamp_continues(&run, stamp_in(held[k], at), first.seq + k);
		between();
	}
	b.found += found;
}

/* The numbers go on, as if they had been sent. */
static void prepare_runs(void)
{
	b.seq = b.inbound.window->next;
	b.sent = b.seq + BATCH;
}

static void run_book(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst) {
		struct frame_run run = {
			.first = (uint32_t)b.seq + i,
			.n = b.burst,
			.since_stall = UINT64_MAX,
		};

		run.tx_time = b.now += INTERVAL;
		run.now = run.tx_time + round_trip(run.tx_time);
		account_run(&b.inbound, &run);
	}
}

static void run_window(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst) {
		b.found += seq_window_add_run(b.inbound.window, b.seq + i, b.burst);
		between();
	}
}

static void run_hist(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst) {
		b.now += INTERVAL;
		if (b.burst == 1)
			hist_add(b.inbound.account->clean, round_trip(b.now));
		else
			hist_add_n(b.inbound.account->clean, round_trip(b.now), b.burst);
		between();
	}
}

static void run_pool(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst)
		b.found += !rte_mempool_get_bulk(b.sender.pool, (void **)&b.wire[i], b.burst);
	for (uint32_t i = 0; i < BATCH; i += b.burst)
		rte_mempool_put_bulk(b.sender.pool, (void **)&b.wire[i], b.burst);
}

static void run_clock(void)
{
	for (uint32_t i = 0; i < BATCH; i += b.burst)
		b.found += tsc_now() & 1;
}

/* What surrounds a batch, not measured, may be NULL. */
static const struct part {
	const char *name;
	void (*before)(void);
	void (*run)(void);
	void (*after)(void);
} parts[] = {
	{"send", NULL, run_send, run_receive},	{"receive", run_send, run_receive, NULL},
	{"stamp", NULL, run_stamp, NULL},	{"check", run_stamp, run_check, NULL},
	{"book", prepare_runs, run_book, NULL}, {"window", prepare_runs, run_window, NULL},
	{"hist", NULL, run_hist, NULL},		{"pool", NULL, run_pool, NULL},
	{"clock", NULL, run_clock, NULL},
};

static const struct part nothing = {"nothing", NULL, run_nothing, NULL};

static int by_size(const void *x, const void *y)
{
	double a = *(const double *)x, c = *(const double *)y;

	return (a > c) - (a < c);
}

/* The median of a part's batches, in cycles. */
static double measure(const struct part *part)
{
	for (uint32_t i = 0; i < BATCHES; i++) {
		uint64_t begin;

		if (part->before)
			part->before();
		between();
		begin = tsc_now();
		part->run();
		b.cycles[i] = (double)(tsc_now() - begin);
		if (part->after)
			part->after();
	}
	qsort(b.cycles, BATCHES, sizeof(b.cycles[0]), by_size);
	return b.cycles[BATCHES / 2];
}

/* Everything as at the beginning of a trial, for bursts of so many frames. */
static void begin(uint32_t burst)
{
	b.burst = burst;
	b.sender.burst = (uint16_t)burst;
	b.sender.frame_limit = UINT64_MAX;
	sender_reset(&b.sender, TRIAL, 0, UINT64_MAX / 2);
	accounts_reset(b.inbound.account, 1);
	seq_window_reset(b.inbound.window);
	receiver_reset(&b.receiver, TRIAL);
}

/* A part with a trial of its own. What the other side did not find would be a figure of something
 * else. */
static int measure_part(const struct part *part, uint32_t burst, double overhead)
{
	bool sends = part->run == run_send || part->run == run_receive;
	char name[32];
	double cycles;

	begin(burst);
	b.inbound.sent = sends ? &b.sender.streams[0].sent : &b.sent;
	cycles = (measure(part) - overhead) / BATCH;
	if (sends && (b.inbound.account->received != (uint64_t)BATCHES * BATCH ||
		      b.sender.sent != b.inbound.account->received)) {
		fprintf(stderr, "bench cycles-%s-%u: not all that was sent was received\n",
			part->name, burst);
		return -1;
	}
	snprintf(name, sizeof(name), "cycles-%s-%u", part->name, burst);
	printf("bench %-22s ours %10.3f peer %10s ratio %6s unit cycles/frame\n", name,
	       cycles > 0 ? cycles : 0, "-", "-");
	return 0;
}

static int set_up(char *err, size_t errlen)
{
	static void *queue_data[1], *queue_callbacks[1];
	const struct frame_spec spec = {
		.src_port = 1024, .dst_port = 7, .ttl = 64, .size = FRAME_MIN};
	const struct seq_sizes sizes = seq_sizes(1);
	uint64_t state = 1;

	if (!rte_eth_dev_is_valid_port(0)) {
		snprintf(err, errlen, "no port; give --vdev net_null0");
		return -1;
	}
	rte_eth_fp_ops[0].tx_pkt_burst = take;
	rte_eth_fp_ops[0].txq.data = queue_data;
	rte_eth_fp_ops[0].txq.clbk = queue_callbacks;
	if (sender_open(&b.sender, 0, 0, 1, 1, MBUFS, FRAME_MAX, err, errlen) ||
	    frame_build(&spec, &b.frame, err, errlen))
		return -1;
	sender_load(&b.sender, &spec, &b.frame);
	b.inbound.account = accounts_new(1, 0);
	b.inbound.window = seq_window_new(&sizes, false);
	b.inbound.frame = &b.frame;
	b.receiver.inbound = &b.inbound;
	b.receiver.n_inbound = 1;
	b.receiver.pool = b.sender.pool;
	if (!b.inbound.account || !b.inbound.window ||
	    rte_mempool_get_bulk(b.sender.pool, (void **)b.held, BATCH)) {
		snprintf(err, errlen, "out of memory");
		return -1;
	}
	for (uint32_t i = 0; i < RTTS; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		b.rtt[i] = MIN_RTT + (state >> 33) % RTTS;
	}
	b.now = 1;
	return 0;
}

static void tear_down(void)
{
	if (b.held[0])
		rte_mempool_put_bulk(b.sender.pool, (void **)b.held, BATCH);
	accounts_free(b.inbound.account, 1);
	if (b.inbound.window)
		seq_window_free(b.inbound.window);
	sender_close(&b.sender);
}

int main(int argc, char **argv)
{
	static const uint32_t bursts[] = {32, 1};
	struct eal_args args = eal_split(argc, argv);
	char err[512];
	int rc;

	if (args.app_argc) {
		fprintf(stderr, "usage: %s -l LCORE --vdev net_null0 [EAL options] --\n", argv[0]);
		return 2;
	}
	rc = eal_start("tandem-bench", &args, 0, stop_on_signals(), err, sizeof(err));
	if (rc) {
		fprintf(stderr, "bench cycles: %s\n", err);
		return 1;
	}
	rc = set_up(err, sizeof(err));
	if (rc)
		fprintf(stderr, "bench cycles: %s\n", err);
	for (size_t k = 0; k < sizeof(bursts) / sizeof(bursts[0]) && !rc; k++) {
		double overhead = measure(&nothing);

		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++)
			rc = measure_part(&parts[i], bursts[k], overhead);
	}
	tear_down();
	eal_end();
	return rc ? 1 : 0;
}

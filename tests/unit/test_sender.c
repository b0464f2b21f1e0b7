/*
 * The sender: frames dealt to streams, each with its own numbers and flows, whatever part of a
 * burst the port takes. The port is a function of this test's.
 */
#include "tests/unit/unit.h"

#include "gen/sender.h"

#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>

#define MAX_FLOWS 64u

/* The port: how many frames it takes of a burst, and what the frames of each stream must be. */
static struct {
	uint16_t takes;
	uint64_t taken;
	uint64_t next[MAX_STREAMS];
	uint32_t streams, flows;
	uint16_t first_space;
	uint32_t stamp_at;
	uint16_t first_port;
	uint32_t longest_run, run;
	uint16_t last_space;
} port;

static void check_frame(const struct rte_mbuf *m)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, const uint8_t *);
	uint32_t stream, flow, own;
	struct stamp stamp = {0};

	assert_true(stamp_read(frame + port.stamp_at, &stamp));
	assert_int_equal(stamp.trial, 7);
	assert_in_range(stamp.space, port.first_space, port.first_space + port.streams - 1);
	stream = (uint32_t)(stamp.space - port.first_space);
	assert_int_equal(stamp.seq, port.next[stream]);
	/* Flow f is of stream f modulo the streams, and a stream takes its own in turn. */
	own = port.flows / port.streams + (stream < port.flows % port.streams);
	flow = (uint32_t)(frame[FRAME_UDP_AT] << 8 | frame[FRAME_UDP_AT + 1]) - port.first_port;
	assert_int_equal(flow, stream + port.next[stream] % own * port.streams);
	port.next[stream]++;
	port.run = stamp.space == port.last_space ? port.run + 1 : 1;
	port.last_space = stamp.space;
	if (port.run > port.longest_run)
		port.longest_run = port.run;
}

static uint16_t take(void *queue, struct rte_mbuf **burst, uint16_t n)
{
	(void)queue;
	if (n > port.takes)
		n = port.takes;
	for (uint16_t i = 0; i < n; i++)
		check_frame(burst[i]);
	port.taken += n;
	return n;
}

static void *queue_data[1], *queue_callbacks[1];
static struct rte_mbuf mbufs[SENDER_MAX_BURST];
static uint8_t buffers[SENDER_MAX_BURST][RTE_PKTMBUF_HEADROOM + 128];
static uint64_t headers[MAX_FLOWS];

static struct sender *new_sender(uint32_t streams, uint32_t flows, uint32_t turn)
{
	struct frame_spec spec = {.src_port = 1000, .dst_port = 7, .ttl = 64, .size = 64};
	struct sender *s = aligned_alloc(64, sizeof(*s));
	struct deal deal = {streams, turn};
	struct frame frame;
	char err[160];

	assert_non_null(s);
	memset(s, 0, sizeof(*s));
	memset(&port, 0, sizeof(port));
	port.streams = streams;
	port.flows = flows;
	port.first_space = 300;
	port.last_space = UINT16_MAX;
	port.first_port = 1000;
	assert_int_equal(frame_build(&spec, &frame, err, sizeof(err)), 0);
	port.stamp_at = frame.stamp_at;
	s->burst = 32;
	s->frame_limit = UINT64_MAX;
	s->flow_headers = headers;
	s->streams = calloc(streams, sizeof(*s->streams));
	s->checkpoints = calloc(1, sizeof(*s->checkpoints));
	s->refusals = calloc(1, sizeof(*s->refusals));
	s->lateness = malloc(sizeof(struct hist));
	s->spacing = malloc(sizeof(struct hist));
	assert_true(s->streams && s->checkpoints && s->refusals && s->lateness && s->spacing);
	hist_reset(s->lateness);
	hist_reset(s->spacing);
	s->deal = deal;
	sender_deal_flows(s, flows);
	s->len = frame.len;
	s->stamp_at = frame.stamp_at;
	for (uint32_t i = 0; i < streams; i++)
		frame_flows(&spec, &frame, i, streams,
			    s->streams[i].end_flow - s->streams[i].first_flow,
			    &headers[s->streams[i].first_flow]);
	for (uint32_t i = 0; i < SENDER_MAX_BURST; i++) {
		mbufs[i].buf_addr = buffers[i];
		memcpy(buffers[i] + RTE_PKTMBUF_HEADROOM, frame.bytes, frame.len);
	}
	rte_eth_fp_ops[0].tx_pkt_burst = take;
	rte_eth_fp_ops[0].txq.data = queue_data;
	rte_eth_fp_ops[0].txq.clbk = queue_callbacks;
	sender_reset(s, 7, port.first_space, 1000000);
	return s;
}

static void free_sender(struct sender *s)
{
	free(s->streams);
	free(s->checkpoints);
	free(s->refusals);
	free(s->lateness);
	free(s->spacing);
	free(s);
}

/* What was taken goes back to the burst at hand, as a pool would give it. */
static void offer(struct sender *s, uint16_t takes, uint64_t now)
{
	for (uint32_t i = 0; i < s->burst; i++)
		s->ready[i] = &mbufs[i];
	s->n_ready = s->burst;
	port.takes = takes;
	sender_run(s, now);
}

static void assert_dealt(const struct sender *s)
{
	assert_int_equal(s->sent, port.taken);
	for (uint32_t i = 0; i < s->deal.streams; i++) {
		assert_int_equal(s->streams[i].sent, port.next[i]);
		assert_int_equal(s->streams[i].sent, deal_share(&s->deal, i, s->sent));
	}
}

static void test_max(void **state)
{
	static const struct {
		uint32_t streams, flows, turn;
	} cases[] = {{1, 1, UINT32_MAX}, {1, 5, UINT32_MAX}, {3, 3, 32}, {3, 7, 32},
		     {2, 64, 1},	 {40, 64, 1},	     {3, 5, 10}, {7, 7, 100}};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct sender *s = new_sender(cases[c].streams, cases[c].flows, cases[c].turn);
		uint64_t seed = 17 + c;

		/* The port takes any part of a burst, often nothing, often all. */
		for (uint64_t now = 1; now < 5000; now++) {
			uint16_t takes = (uint16_t)(unit_random(&seed) % 48);

			offer(s, unit_random(&seed) % 4 ? 32 : takes, now * 100);
		}
		assert_true(port.taken > 100000);
		assert_dealt(s);
		if (cases[c].streams > 1)
			assert_int_equal(port.longest_run, cases[c].turn);
		free_sender(s);
	}
}

/* Paced frame by frame, streams alternate; what is refused keeps its number and its stream. */
static void test_paced(void **state)
{
	struct sender *s = new_sender(3, 3, 1);
	uint64_t seed = 5;

	(void)state;
	pacing_init(&s->pacing, 1e6, 1e9, 1000, 30000, 50e-6);
	for (uint64_t now = 1000; s->pacing.scheduled < 30000; now += unit_random(&seed) % 20000)
		offer(s, unit_random(&seed) % 3 ? 32 : (uint16_t)(unit_random(&seed) % 5), now);
	assert_int_equal(s->sent + s->refused + s->unsent, 30000);
	assert_true(s->refused > 0 && s->sent > 10000);
	assert_int_equal(port.longest_run, 1);
	assert_dealt(s);
	free_sender(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_max),
		cmocka_unit_test(test_paced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Captures written: what went into the rings stands in the file as libpcap reads it, filtered,
 * counted and cut as asked; a full ring loses frames, and says how many.
 */
#include "tests/unit/unit.h"

#include "common/capture_file.h"
#include "common/capture_out.h"
#include "common/clock.h"
#include "common/dpdk/capture_tap.h"
#include "tests/unit/capture_make.h"
#include "tests/unit/folder.h"

#include <pthread.h>
#include <sched.h>

static char path[128], err[512];
static const char *const names[] = {"port0", "port1"};

static struct capture_out *open_ok(struct capture_options *options, const char *name,
				   unsigned int taps)
{
	struct capture_out *out;
	int rc;

	snprintf(path, sizeof(path), "%s", folder_path(name));
	options->path = path;
	out = capture_out_open(options, "test", names, 2, taps, &rc, err, sizeof(err));
	if (!out)
		fail_msg("%s", err);
	return out;
}

static bool put(struct capture_tap *tap, uint32_t index, uint32_t len, uint16_t port, uint64_t tsc)
{
	uint32_t copy = len < tap->copy ? len : tap->copy;
	struct capture_entry *entry = capture_ring_put(&tap->ring, copy);
	uint8_t frame[2000];

	if (!entry)
		return false;
	capture_ipv4(frame, len, index % 2 ? 6 : 17, index);
	memcpy(entry + 1, frame, copy);
	entry->len = copy;
	entry->wire_len = len;
	entry->port = port;
	entry->direction = port ? CAPTURE_OUT : CAPTURE_IN;
	entry->tsc = tsc;
	capture_ring_show(&tap->ring, capture_ring_mark(&tap->ring));
	return true;
}

/* Frames index, index + step, ... of test_lengths's kind, in the file, cut to snaplen. */
static void check_file(uint32_t n, uint32_t step, uint32_t snaplen)
{
	struct capture_file c;
	struct capture_frame f;
	uint64_t last = 0;

	if (capture_open(&c, path, err, sizeof(err)))
		fail_msg("%s", err);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t index = i * step, len = 60 + index % 1400;
		uint8_t frame[2000];

		assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
		capture_ipv4(frame, len, index % 2 ? 6 : 17, index);
		assert_int_equal(f.wire_len, len);
		assert_int_equal(f.len, len < snaplen ? len : snaplen);
		assert_memory_equal(f.bytes, frame, f.len);
		assert_true(f.ns >= last);
		last = f.ns;
	}
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 0);
	assert_false(c.cut_off);
	capture_close(&c);
}

static void write_some(struct capture_options *options, const char *name, uint32_t n,
		       struct capture_counts *counts)
{
	struct capture_out *out = open_ok(options, name, 1);
	struct capture_tap *tap = capture_out_tap(out, 0);
	uint64_t tsc = tsc_now();

	for (uint32_t i = 0; i < n; i++)
		while (!put(tap, i, 60 + i % 1400, (uint16_t)(i % 2), tsc + i * 1000))
			clock_sleep(1000000);
	capture_out_settle(out, counts);
	assert_int_equal(capture_out_close(out, err, sizeof(err)), 0);
}

static void test_both_formats(void **state)
{
	struct capture_options options = {.path = NULL};
	struct capture_counts counts;

	(void)state;
	for (int classic = 0; classic < 2; classic++) {
		write_some(&options, classic ? "a.pcap" : "a.pcapng", 3000, &counts);
		assert_int_equal(counts.written, 3000);
		assert_int_equal(counts.filtered + counts.dropped, 0);
		check_file(3000, 1, UINT32_MAX);
	}
}

static void test_filter_count_snaplen(void **state)
{
	struct capture_options options = {.filter = "udp", .snaplen = 20};
	struct capture_counts counts;

	(void)state;
	/* The filter sees more of a frame than is kept. */
	write_some(&options, "a.pcapng", 1000, &counts);
	assert_int_equal(counts.written, 500);
	assert_int_equal(counts.filtered, 500);
	check_file(500, 2, 20);
	options = (struct capture_options){.count = 7};
	write_some(&options, "a.pcapng", 1000, &counts);
	assert_int_equal(counts.written, 7);
	check_file(7, 1, UINT32_MAX);
}

/* Two threads' frames, in the order of their times. */
static void test_two_taps(void **state)
{
	struct capture_options options = {.path = NULL};
	struct capture_out *out = open_ok(&options, "a.pcapng", 2);
	struct capture_counts counts;
	uint64_t tsc = tsc_now();

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		assert_true(put(capture_out_tap(out, i % 2), i, 60 + i % 1400, 0, tsc + i));
	capture_out_settle(out, &counts);
	assert_int_equal(counts.written, 1000);
	assert_int_equal(capture_out_close(out, err, sizeof(err)), 0);
}

static void test_wrong(void **state)
{
	struct capture_options options = {.path = "x", .filter = "no such thing"};
	int rc;

	(void)state;
	assert_true(capture_options_check(&options, err, sizeof(err)) < 0);
	assert_non_null(strstr(err, "--capture-filter 'no such thing'"));
	assert_null(strchr(err, '\n'));
	options = (struct capture_options){.count = 3};
	assert_true(capture_options_check(&options, err, sizeof(err)) < 0);
	options = (struct capture_options){.path = ""};
	assert_true(capture_options_check(&options, err, sizeof(err)) < 0);
	options = (struct capture_options){.path = "/nowhere/a.pcapng"};
	assert_int_equal(capture_options_check(&options, err, sizeof(err)), 0);
	assert_null(capture_out_open(&options, "test", names, 2, 1, &rc, err, sizeof(err)));
	assert_int_equal(rc, -ENOENT);
	assert_non_null(strstr(err, "/nowhere/a.pcapng"));
	/* Without a file there is no capture, and that is no error. */
	options = (struct capture_options){.path = NULL};
	assert_null(capture_out_open(&options, "test", names, 2, 1, &rc, err, sizeof(err)));
	assert_int_equal(rc, 0);
	assert_null(capture_out_tap(NULL, 0));
	assert_int_equal(capture_out_close(NULL, err, sizeof(err)), 0);
}

/* A full disk is told when the capture is closed. */
static void test_full_disk(void **state)
{
	struct capture_options options = {.path = "/dev/full"};
	struct capture_out *out;
	int rc;

	(void)state;
	out = capture_out_open(&options, "test", names, 2, 1, &rc, err, sizeof(err));
	assert_null(out);
	assert_true(rc < 0);
	assert_non_null(strstr(err, "/dev/full"));
}

/* Sizes of all kinds, through a ring of a few of them, with a reader of its own. */
struct shared {
	struct capture_ring ring;
	uint32_t seen;
};

#define PASSED 200000u

static uint32_t length_of(uint32_t index)
{
	return index * 2654435761u >> 22; /* up to 1,023 */
}

static void *take_all(void *arg)
{
	struct shared *s = arg;

	while (s->seen < PASSED) {
		const struct capture_entry *entry = capture_ring_next(&s->ring);
		const uint8_t *bytes;

		if (!entry) {
			sched_yield();
			continue;
		}
		bytes = (const void *)(entry + 1);
		if (entry->tsc != s->seen || entry->len != length_of(s->seen))
			return "out of order";
		for (uint32_t i = 0; i < entry->len; i++)
			if (bytes[i] != (uint8_t)(s->seen + i))
				return "other bytes";
		s->seen++;
		capture_ring_done(&s->ring, entry);
	}
	return NULL;
}

static void test_ring(void **state)
{
	static struct shared s;
	void *problem = NULL;
	pthread_t thread;

	(void)state;
	assert_int_equal(capture_ring_open(&s.ring, 4096), 0);
	assert_int_equal(pthread_create(&thread, NULL, take_all, &s), 0);
	for (uint32_t i = 0; i < PASSED;) {
		struct capture_entry *entry = capture_ring_put(&s.ring, length_of(i));
		uint64_t mark = capture_ring_mark(&s.ring);

		if (!entry) {
			sched_yield();
			continue;
		}
		entry->len = length_of(i);
		entry->tsc = i;
		for (uint32_t k = 0; k < entry->len; k++)
			((uint8_t *)(entry + 1))[k] = (uint8_t)(i + k);
		/* What is put behind the mark is forgotten. */
		if (i % 3 == 0 && capture_ring_put(&s.ring, 100))
			assert_true(capture_ring_mark(&s.ring) > mark);
		capture_ring_show(&s.ring, mark);
		i++;
	}
	pthread_join(thread, &problem);
	if (problem)
		fail_msg("%s", (const char *)problem);
	assert_int_equal(s.seen, PASSED);
	capture_ring_close(&s.ring);
}

/* Frames of two segments into a ring that nobody empties: what fits is whole, what does not is
 * counted, and nothing is put once the capture is full. */
static void test_tap_drops(void **state)
{
	bool full = false;
	struct capture_tap tap = {.full = &full, .copy = 150};
	uint8_t first[100], second[100];
	struct rte_mbuf tail = {.buf_addr = second, .data_len = 100};
	struct rte_mbuf head = {.buf_addr = first, .data_len = 100, .pkt_len = 200, .next = &tail};
	struct rte_mbuf *burst[100];
	const struct capture_entry *entry;
	uint32_t seen = 0;

	(void)state;
	memset(first, 1, sizeof(first));
	memset(second, 2, sizeof(second));
	for (int i = 0; i < 100; i++)
		burst[i] = &head;
	assert_int_equal(capture_ring_open(&tap.ring, 4096), 0);
	capture_tap_received(&tap, 1, burst, 100, 77);
	while ((entry = capture_ring_next(&tap.ring))) {
		const uint8_t *bytes = (const void *)(entry + 1);

		assert_int_equal(entry->len, 150);
		assert_int_equal(entry->wire_len, 200);
		assert_int_equal(entry->port, 1);
		assert_int_equal(entry->tsc, 77);
		assert_int_equal(bytes[99] * 10 + bytes[100], 12);
		capture_ring_done(&tap.ring, entry);
		seen++;
	}
	assert_int_equal(seen, 4096 / 192);
	assert_int_equal(tap.dropped, 100 - seen);
	full = true;
	capture_tap_received(&tap, 1, burst, 100, 78);
	assert_null(capture_ring_next(&tap.ring));
	assert_int_equal(tap.dropped, 100 - seen);
	capture_ring_close(&tap.ring);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_both_formats),	  IN_FOLDER(test_filter_count_snaplen),
		IN_FOLDER(test_two_taps),	  IN_FOLDER(test_wrong),
		IN_FOLDER(test_full_disk),	  cmocka_unit_test(test_ring),
		cmocka_unit_test(test_tap_drops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

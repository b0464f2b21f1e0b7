/*
 * A capture as a replay reads it: counted by what is done to its frames, and the same records from
 * memory as from a thread that reads ahead, pass after pass.
 */
#include "tests/unit/unit.h"

#include "common/units.h"
#include "gen/replay_feed.h"
#include "tests/unit/capture_make.h"
#include "tests/unit/folder.h"

#include <pcap/dlt.h>

#define BASE_NS 1700000000000000000ull

static char path[128], err[256];
static const struct capture_kind nanoseconds = {.nanoseconds = true, .link = DLT_EN10MB};

static void scan_ok(const struct replay_rules *rules, struct replay_facts *facts)
{
	snprintf(path, sizeof(path), "%s", folder_path("a.pcap"));
	if (replay_scan(path, rules, facts, err, sizeof(err)))
		fail_msg("%s", err);
}

static void test_counts(void **state)
{
	const struct replay_rules rules = {.stamp = STAMP_TAIL, .max_frame = 1518};
	FILE *out = capture_begin("a.pcap", &nanoseconds);
	struct replay_facts facts;
	uint8_t frame[4000];

	(void)state;
	capture_ipv4(frame, 1514, 17, 0); /* the longest */
	capture_put(out, &nanoseconds, BASE_NS, frame, 1514, 1514);
	capture_put(out, &nanoseconds, BASE_NS + 5000, frame, 1514, 1515);
	capture_ipv4(frame, 50, 17, 0); /* no room */
	capture_put(out, &nanoseconds, BASE_NS + 7000, frame, 50, 50);
	capture_put(out, &nanoseconds, BASE_NS + 6000, frame, 50, 50); /* out of order */
	capture_put(out, &nanoseconds, BASE_NS + 9000, frame, 13, 13); /* no Ethernet */
	capture_ipv6(frame, 900, 6, 0);
	capture_put(out, &nanoseconds, BASE_NS + 10000, frame, 100, 900); /* cut */
	fclose(out);
	scan_ok(&rules, &facts);
	assert_int_equal(facts.frames, 4);
	assert_int_equal(facts.bytes, 1518 + 54 + 54 + 904);
	assert_int_equal(facts.stampable, 2);
	assert_int_equal(facts.too_long, 1);
	assert_int_equal(facts.left_out, 1);
	assert_int_equal(facts.padded, 1);
	assert_int_equal(facts.backwards, 1);
	assert_int_equal(facts.span_ns, 10000);
	assert_int_equal(facts.largest, 1518);
	assert_int_equal(facts.smallest, 54);
	assert_int_equal(replay_loop_gap(&facts), 10000 / 3);
}

/* A VLAN tag may make a frame longer; what grows by its stamp must fit, too. */
static void test_limits(void **state)
{
	struct replay_rules rules = {.stamp = STAMP_APPEND, .max_frame = 1518};
	FILE *out = capture_begin("a.pcap", &nanoseconds);
	struct replay_facts facts;
	static const uint8_t tag[4] = {0x81, 0, 0, 0x64};
	uint8_t frame[1600];

	(void)state;
	capture_ipv4(frame, 1514, 17, 0);
	memmove(frame + 16, frame + 12, 1502);
	memcpy(frame + 12, tag, 4);
	capture_put(out, &nanoseconds, BASE_NS, frame, 1518, 1518);
	capture_put(out, &nanoseconds, BASE_NS, frame, 1518, 1519);
	capture_ipv4(frame, 1496, 17, 0);
	capture_put(out, &nanoseconds, BASE_NS, frame, 1496, 1496);
	capture_ipv4(frame, 1497, 17, 0);
	capture_put(out, &nanoseconds, BASE_NS, frame, 1497, 1497);
	fclose(out);
	scan_ok(&rules, &facts);
	assert_int_equal(facts.frames, 3);
	assert_int_equal(facts.too_long, 1);
	assert_int_equal(facts.stampable, 1);
	assert_int_equal(facts.largest, 1522);
	assert_int_equal(replay_loop_gap(&facts), 0);
}

static void test_nothing_to_send(void **state)
{
	const struct replay_rules rules = {.stamp = STAMP_TAIL, .max_frame = 64};
	struct replay_facts facts;
	FILE *out = capture_begin("a.pcap", &nanoseconds);
	uint8_t frame[100];

	(void)state;
	capture_ipv4(frame, 100, 17, 0);
	capture_put(out, &nanoseconds, BASE_NS, frame, 100, 100);
	fclose(out);
	snprintf(path, sizeof(path), "%s", folder_path("a.pcap"));
	assert_true(replay_scan(path, &rules, &facts, err, sizeof(err)) < 0);
	assert_non_null(strstr(err, "no frame that can be sent (1 longer than 64 bytes"));
	fclose(capture_begin("a.pcap", &nanoseconds));
	assert_true(replay_scan(path, &rules, &facts, err, sizeof(err)) < 0);
	assert_non_null(strstr(err, "no frame that can be sent"));
}

/* Every record of all passes against the frames that were written. */
static uint64_t check_records(struct replay_feed *f, uint32_t n, uint64_t passes)
{
	const uint8_t *at, *end;
	bool in_hand = false;
	uint64_t i = 0;
	uint8_t frame[1600];

	for (;;) {
		enum replay_next next = replay_feed_next(f, in_hand, &at, &end);

		if (next == REPLAY_END)
			break;
		in_hand = next == REPLAY_CHUNK;
		while (in_hand && at != end) {
			const struct replay_record *record = (const void *)at;
			uint32_t index = (uint32_t)(i % n), len = 60 + index % 1400;

			capture_ipv4(frame, len, 17, index);
			assert_int_equal(record->len, len);
			assert_int_equal(record->stamp_at, 0);
			assert_memory_equal(record + 1, frame, len);
			assert_int_equal(record->gap_ns,
					 index ? 1000 + index - 1 : replay_loop_gap(f->facts));
			at += record->size;
			i++;
		}
	}
	assert_int_equal(i, n * passes);
	return i;
}

static void test_memory_and_ahead(void **state)
{
	const struct replay_rules rules = {.stamp = STAMP_NONE, .max_frame = 1518};
	const uint32_t n = 9000; /* more than one chunk */
	FILE *out = capture_begin("a.pcap", &nanoseconds);
	struct replay_facts facts;
	uint64_t at = BASE_NS;
	uint8_t frame[1600];

	(void)state;
	for (uint32_t i = 0; i < n; i++) {
		capture_ipv4(frame, 60 + i % 1400, 17, i);
		capture_put(out, &nanoseconds, at, frame, 60 + i % 1400, 60 + i % 1400);
		at += 1000 + i;
	}
	fclose(out);
	scan_ok(&rules, &facts);
	assert_true(facts.room > REPLAY_CHUNK_SIZE);
	for (int ahead = 0; ahead < 2; ahead++) {
		struct replay_feed f;

		assert_int_equal(replay_feed_open(&f, path, &rules, &facts, 6,
						  ahead ? 0 : UINT64_MAX, err, sizeof(err)),
				 0);
		assert_int_equal(f.preloaded, !ahead);
		for (int again = 0; again < 2; again++) {
			assert_int_equal(replay_feed_start(&f, false, err, sizeof(err)), 0);
			check_records(&f, n, 6);
			assert_int_equal(replay_feed_stop(&f, err, sizeof(err)), 0);
		}
		/* Stopped in the middle. */
		assert_int_equal(replay_feed_start(&f, false, err, sizeof(err)), 0);
		assert_int_equal(replay_feed_stop(&f, err, sizeof(err)), 0);
		replay_feed_close(&f);
	}
}

/* A file that changes after it was scanned ends the replay with an error, not with half of it. */
static void test_changed_meanwhile(void **state)
{
	const struct replay_rules rules = {.stamp = STAMP_TAIL, .max_frame = 1518};
	struct replay_facts facts;
	uint8_t frame[100];

	(void)state;
	capture_ipv4(frame, 100, 17, 0);
	for (uint64_t limit = 0; limit < 2; limit++) {
		FILE *out = capture_begin("a.pcap", &nanoseconds);
		struct replay_feed f;
		const uint8_t *at, *end;
		int rc;

		capture_put(out, &nanoseconds, BASE_NS, frame, 100, 100);
		fclose(out);
		scan_ok(&rules, &facts);
		assert_int_equal(replay_feed_open(&f, path, &rules, &facts, 1,
						  limit ? UINT64_MAX : 0, err, sizeof(err)),
				 0);
		fclose(capture_begin("a.pcap", &nanoseconds));
		rc = replay_feed_start(&f, false, err, sizeof(err));
		if (!rc) {
			while (replay_feed_next(&f, false, &at, &end) == REPLAY_STARVED)
				;
			rc = replay_feed_stop(&f, err, sizeof(err));
		}
		assert_true(rc < 0);
		assert_non_null(strstr(err, "changed"));
		replay_feed_close(&f);
	}
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_counts),
		IN_FOLDER(test_limits),
		IN_FOLDER(test_nothing_to_send),
		IN_FOLDER(test_memory_and_ahead),
		IN_FOLDER(test_changed_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

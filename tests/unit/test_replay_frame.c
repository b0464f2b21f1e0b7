/*
 * Frames of a capture, rewritten and stamped: every checksum right afterwards, whatever stands in
 * the frame and wherever the stamp falls.
 */
#include "tests/unit/unit.h"

#include "common/stamp.h"
#include "gen/replay_frame.h"
#include "tests/unit/capture_make.h"

static void make(uint8_t *frame, uint32_t len, unsigned int kind, uint32_t index)
{
	if (kind & 1)
		capture_ipv6(frame, len, kind & 2 ? 6 : 17, index);
	else
		capture_ipv4(frame, len, kind & 2 ? 6 : 17, index);
	assert_true(capture_sums_right(frame, len));
}

/* Stamps of any content keep the checksum right. */
static void write_stamps(uint8_t *frame, uint32_t len, uint32_t at)
{
	struct stamp s;

	for (uint32_t i = 0; i < 4; i++) {
		stamp_write(frame + at, stamp_base(7, 3), i * 0x12345, 0x123456789abull * i);
		assert_true(capture_sums_right(frame, len));
		assert_int_equal(stamp_take(frame, len, &s), at);
		assert_int_equal(s.seq, i * 0x12345);
	}
}

static void test_tail(void **state)
{
	uint8_t frame[1600];
	struct frame_parts p;

	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		uint32_t headers = 14 + (kind & 1 ? 40 : 20) + (kind & 2 ? 20 : 8);

		for (uint32_t len = headers; len < 200; len++) {
			uint32_t now = len, at;

			make(frame, len, kind, len);
			frame_parts_find(frame, len, &p);
			assert_int_equal(p.payload, headers);
			at = stamp_room(STAMP_TAIL, &p, frame, &now, 1514);
			assert_int_equal(now, len);
			assert_int_equal(at, len < headers + 18 ? 0 : len - 18);
			assert_true(capture_sums_right(frame, len));
			if (at)
				write_stamps(frame, len, at);
		}
	}
}

static void test_append(void **state)
{
	uint8_t frame[1600];
	struct frame_parts p;

	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		for (uint32_t len = 74; len < 1514; len += 13) {
			uint32_t now = len, at;

			make(frame, len, kind, len);
			frame_parts_find(frame, len, &p);
			at = stamp_room(STAMP_APPEND, &p, frame, &now, 1514);
			assert_int_equal(at, len + 18 > 1514 ? 0 : len);
			assert_int_equal(now, at ? len + 18 : len);
			assert_true(capture_sums_right(frame, now));
			if (at)
				write_stamps(frame, now, at);
		}
	}
}

/* A padded frame: the stamp stands at the end of the packet, not of the frame. */
static void test_padding(void **state)
{
	uint8_t frame[100];
	struct frame_parts p;
	uint32_t len = 60, at;

	(void)state;
	capture_ipv4(frame, 43, 17, 1);
	memset(frame + 43, 0, 57);
	frame_parts_find(frame, 60, &p);
	assert_int_equal(p.end, 43);
	assert_int_equal(stamp_room(STAMP_TAIL, &p, frame, &len, 1514), 0);
	at = stamp_room(STAMP_APPEND, &p, frame, &len, 1514);
	assert_int_equal(at, 43);
	assert_int_equal(len, 61);
	write_stamps(frame, len, at);
}

/* What has no L4 payload of its own is left alone. */
static void test_no_room(void **state)
{
	uint8_t frame[200], kept[200];
	struct frame_parts p;
	uint32_t len = 200;

	(void)state;
	capture_ipv4(frame, 200, 17, 1);
	frame[14 + 6] = 0x20; /* the first of several fragments */
	memcpy(kept, frame, 200);
	frame_parts_find(frame, 200, &p);
	assert_int_equal(stamp_room(STAMP_TAIL, &p, frame, &len, 1514), 0);
	capture_ipv4(frame, 200, 17, 1);
	frame[14 + 7] = 1; /* a later one: there is no header */
	frame_parts_find(frame, 200, &p);
	assert_int_equal(p.l4, 0);
	assert_int_equal(stamp_room(STAMP_APPEND, &p, frame, &len, 1514), 0);
	capture_ipv4(frame, 200, 1, 1); /* ICMP */
	frame_parts_find(frame, 200, &p);
	assert_int_equal(stamp_room(STAMP_TAIL, &p, frame, &len, 1514), 0);
	memset(frame + 12, 0x88, 2);
	frame_parts_find(frame, 200, &p);
	assert_int_equal(p.l3, 0);
	assert_int_equal(stamp_room(STAMP_TAIL, &p, frame, &len, 1514), 0);
	capture_ipv4(frame, 200, 17, 1);
	frame_parts_find(frame, 200, &p);
	assert_int_equal(stamp_room(STAMP_NONE, &p, frame, &len, 1514), 0);
	frame_parts_find(frame, 199, &p); /* shorter than its header says */
	assert_int_equal(stamp_room(STAMP_TAIL, &p, frame, &len, 1514), 0);
	assert_int_equal(len, 200);
}

static void rewrite_ok(struct rewrite *r, const char *text)
{
	char err[256];

	memset(r, 0, sizeof(*r));
	if (rewrite_parse(r, text, err, sizeof(err)))
		fail_msg("%s", err);
}

static void test_rewrite(void **state)
{
	struct rewrite r;
	struct frame_parts p;
	uint8_t frame[128];

	(void)state;
	rewrite_ok(&r, "dst-mac=02:11:22:33:44:55,src-mac=02:66:77:88:99:aa,src-ip=198.18.0.0/12,"
		       "dst-ip=198.19.0.1,src-port=5000,dst-port=6000,src-ip6=fd00::/61,"
		       "dst-ip6=fd00::1");
	for (unsigned int kind = 0; kind < 4; kind++) {
		make(frame, 100, kind, kind);
		frame_parts_find(frame, 100, &p);
		rewrite_frame(&r, &p, frame);
		assert_true(capture_sums_right(frame, 100));
		assert_memory_equal(frame, "\x02\x11\x22\x33\x44\x55\x02\x66\x77\x88\x99\xaa", 12);
		if (kind & 1) {
			assert_memory_equal(frame + 22, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
			assert_memory_equal(frame + 38, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
		} else {
			/* 10.1.2.3 with its first 12 bits replaced. */
			assert_memory_equal(frame + 26, "\xc6\x11\x02\x03\xc6\x13\0\1", 8);
		}
		assert_memory_equal(frame + p.l4, "\x13\x88\x17\x70", 4);
	}
	rewrite_ok(&r, "ip=10.9.0.0/16:172.16.0.0,port=80:8080");
	make(frame, 100, 0, 1);
	frame_parts_find(frame, 100, &p);
	rewrite_frame(&r, &p, frame);
	assert_true(capture_sums_right(frame, 100));
	assert_memory_equal(frame + 26, "\x0a\1\2\3\xac\x10\x08\x07", 8);
	assert_memory_equal(frame + 34, "\x03\xe9\x1f\x90", 4);
	/* A group address stays one; UDP without a checksum has none afterwards. */
	rewrite_ok(&r, "dst-mac=02:11:22:33:44:55,src-port=9");
	make(frame, 100, 0, 1);
	memset(frame, 0xff, 6);
	frame[40] = frame[41] = 0;
	frame_parts_find(frame, 100, &p);
	rewrite_frame(&r, &p, frame);
	assert_int_equal(frame[0], 0xff);
	assert_int_equal(frame[40] | frame[41], 0);
	assert_true(capture_sums_right(frame, 100));
}

static void test_rewrite_refused(void **state)
{
	static const char *const bad[] = {"",
					  "dst-mac",
					  "dst-mac=1:2",
					  "x=1",
					  "src-ip=1.2.3",
					  "src-ip=1.2.3.4/33",
					  "src-ip=",
					  "src-port=0",
					  "port=80",
					  "ip=1.2.3.4",
					  "ip=10.0.0.0/8:11.0.0.0/9",
					  "src-ip6=1.2.3.4",
					  "dst-port=1,"};
	struct rewrite r = {.src_port = 4};
	char err[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_true(rewrite_parse(&r, bad[i], err, sizeof(err)) < 0);
		assert_true(err[0] && !strchr(err, '\n'));
		assert_int_equal(r.src_port, 4);
	}
}

static void test_padded_cut(void **state)
{
	uint8_t frame[400];

	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		make(frame, 400, kind, kind);
		memset(frame + 90, 0xee, 310);
		pad_cut_frame(frame, 90, 400);
		assert_true(capture_sums_right(frame, 400));
		assert_int_equal(frame[399], 0);
	}
}

/* As captured where it was sent: sums that a NIC had still to fill in. */
static void test_wrong_sums(void **state)
{
	struct frame_parts p;
	uint8_t frame[120], right[120];

	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		for (uint32_t at = 14 + 10; at < 120; at += 1 + kind) {
			make(right, 120, kind, at);
			memcpy(frame, right, 120);
			frame_parts_find(frame, 120, &p);
			assert_false(sums_are_wrong(&p, frame, 120));
			sums_put(&p, frame, 120);
			assert_memory_equal(frame, right, 120);
			if (at >= p.sum && at < p.sum + 2) {
				frame[at] ^= 0x55;
				assert_true(sums_are_wrong(&p, frame, 120));
				sums_put(&p, frame, 120);
				assert_memory_equal(frame, right, 120);
			}
			if (at >= p.payload) {
				frame[at] ^= 0x55;
				assert_true(sums_are_wrong(&p, frame, 120));
				sums_put(&p, frame, 120);
				assert_true(capture_sums_right(frame, 120));
			}
		}
	}
	make(frame, 120, 0, 1);
	frame[14 + 10] ^= 1; /* IPv4's own */
	frame_parts_find(frame, 120, &p);
	assert_true(sums_are_wrong(&p, frame, 120));
	sums_put(&p, frame, 120);
	assert_true(capture_sums_right(frame, 120));
}

/* Any bytes, cut anywhere: nothing outside is touched (sanitizers), and lengths stay in bounds. */
static void test_any_bytes(void **state)
{
	struct rewrite r;
	uint64_t x = 88172645463325252ull;

	(void)state;
	rewrite_ok(&r, "src-ip=1.2.3.4,dst-ip6=fd00::/7,port=1:2,src-port=7");
	for (int i = 0; i < 20000; i++) {
		uint32_t len, now;
		uint8_t whole[220], *frame;
		struct frame_parts p;

		make(whole, 120, (unsigned int)i & 3, (uint32_t)i);
		for (int k = 0; k < 3; k++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			whole[12 + x % 70] = (uint8_t)(x >> 32);
		}
		len = now = 14 + (uint32_t)(x >> 40) % 107;
		frame = malloc(len + 18);
		assert_non_null(frame);
		memcpy(frame, whole, len);
		frame_parts_find(frame, len, &p);
		rewrite_frame(&r, &p, frame);
		if (sums_are_wrong(&p, frame, len))
			sums_put(&p, frame, len);
		stamp_room(i & 4 ? STAMP_APPEND : STAMP_TAIL, &p, frame, &now, len + 18);
		assert_true(now >= len && now <= len + 18);
		free(frame);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_sums),	cmocka_unit_test(test_tail),
		cmocka_unit_test(test_append),		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_no_room),		cmocka_unit_test(test_rewrite),
		cmocka_unit_test(test_rewrite_refused), cmocka_unit_test(test_padded_cut),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

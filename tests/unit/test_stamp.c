/*
 * The stamp: round trip, checksum, damage, and finding it in frames as they come back.
 */
#include "tests/unit/unit.h"

#include "common/stamp.h"

/* RFC 1071 over bytes, as big-endian words; an odd last byte is padded with 0. Not folded into ~.
 */
static uint32_t rfc1071_sum(const uint8_t *data, size_t len, uint32_t sum)
{
	for (size_t i = 0; i < len; i++)
		sum += i & 1 ? data[i] : (uint32_t)data[i] << 8;
	while (sum >> 16)
		sum = (sum >> 16) + (sum & 0xffff);
	return sum;
}

static void test_round_trip(void **state)
{
	static const uint32_t seqs[] = {0, 1, 0xffff, 0x10000, 0xdeadbeef, UINT32_MAX};
	static const uint64_t times[] = {0, 1, 0xffffffffffff, 0x123456789abc, UINT64_MAX};
	uint8_t bytes[STAMP_LEN];
	struct stamp s = {0};

	(void)state;
	for (unsigned int trial = 0; trial < 256; trial += 17) {
		for (unsigned int space = 0; space < 65536; space += 4369) {
			for (size_t i = 0; i < 30; i++) {
				uint64_t t = times[i / 6];

				stamp_write(bytes, stamp_base((uint8_t)trial, (uint16_t)space),
					    seqs[i % 6], t);
				assert_true(stamp_read(bytes, &s));
				assert_int_equal(s.trial, trial);
				assert_int_equal(s.space, space);
				assert_int_equal(s.seq, seqs[i % 6]);
				assert_int_equal(s.tx_time, t & STAMP_TIME_MASK);
			}
		}
	}
	assert_memory_equal(bytes, "Tm\x01", 3);
}

static void test_layout(void **state)
{
	static const uint8_t expected[16] = {'T',  'm',	 1,    0x7f, 0x34, 0x12, 0xd4, 0xc3,
					     0xb2, 0xa1, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12};
	uint8_t bytes[STAMP_LEN];

	(void)state;
	stamp_write(bytes, stamp_base(0x7f, 0x1234), 0xa1b2c3d4, 0x123456789abc);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

/* The UDP checksum computed once over a zeroed stamp is right for every stamp, at even and odd
 * offsets. */
static void test_checksum_stays(void **state)
{
	uint8_t udp[128];
	uint64_t seed = 11;
	uint32_t without, with;
	size_t len;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		len = STAMP_LEN + 8 + unit_random(&seed) % 80;
		for (size_t j = 0; j < len; j++)
			udp[j] = (uint8_t)unit_random(&seed);
		memset(udp + len - STAMP_LEN, 0, STAMP_LEN);
		without = rfc1071_sum(udp, len, 0);
		stamp_write(udp + len - STAMP_LEN, stamp_base((uint8_t)i, (uint16_t)(i * 7)),
			    (uint32_t)unit_random(&seed), unit_random(&seed));
		with = rfc1071_sum(udp, len, 0);
		/* 0 and 0xffff are the same number in one's complement. */
		assert_int_equal(without % 0xffff, with % 0xffff);
		/* Nor does it change what a receiver checks: the sum with the checksum is 0xffff.
		 */
		udp[6] = udp[7] = 0;
		with = 0xffff - rfc1071_sum(udp, len, 0x1234);
		udp[6] = (uint8_t)(with >> 8);
		udp[7] = (uint8_t)with;
		stamp_write(udp + len - STAMP_LEN, stamp_base(1, 2), (uint32_t)i,
			    (uint64_t)i << 20);
		assert_int_equal(rfc1071_sum(udp, len, 0x1234), 0xffff);
	}
}

static void test_every_flipped_bit_is_seen(void **state)
{
	uint8_t bytes[STAMP_LEN];
	uint64_t seed = 13;
	struct stamp s;

	(void)state;
	for (int i = 0; i < 500; i++) {
		stamp_write(bytes, stamp_base((uint8_t)i, (uint16_t)(i * 77)),
			    (uint32_t)unit_random(&seed), unit_random(&seed));
		for (unsigned int bit = 0; bit < STAMP_LEN * 8; bit++) {
			bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_false(stamp_read(bytes, &s));
			bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		assert_true(stamp_read(bytes, &s));
	}
	memset(bytes, 0, sizeof(bytes));
	assert_false(stamp_read(bytes, &s));
	memset(bytes, 0xff, sizeof(bytes));
	assert_false(stamp_read(bytes, &s));
}

static void test_age(void **state)
{
	(void)state;
	assert_int_equal(stamp_age(1000, 400), 600);
	assert_int_equal(stamp_age(400, 1000), -600);
	assert_int_equal(stamp_age(0x1000000000005, 0xfffffffffff0), 0x15); /* over the wrap */
	assert_int_equal(stamp_age(0xabcd000000000010, 0x8), 8);
	assert_int_equal(stamp_age(0, STAMP_TIME_MASK), 1);
	assert_int_equal(stamp_age(STAMP_TIME_MASK, 0), -1);
}

static void test_min_frame(void **state)
{
	(void)state;
	assert_int_equal(stamp_min_frame(0, false), 64);
	assert_int_equal(stamp_min_frame(1, false), 68);
	assert_int_equal(stamp_min_frame(2, false), 72);
	assert_int_equal(stamp_min_frame(0, true), 84);
	assert_int_equal(stamp_min_frame(1, true), 88);
}

struct built {
	uint8_t bytes[256];
	uint32_t len;
	int stamp;
};

/* An Ethernet frame with tags VLAN tags, an IP header, payload bytes of UDP and trailer bytes
 * behind. */
static struct built build(unsigned int tags, int version, uint32_t payload, uint32_t trailer)
{
	struct built f = {.len = 12};
	uint32_t l3, ip_header = version == 6 ? 40 : 20;

	for (unsigned int i = tags; i > 0; i--, f.len += 4)
		memcpy(f.bytes + f.len, i == 2 ? "\x88\xa8\x00\x05" : "\x81\x00\x00\x07", 4);
	memcpy(f.bytes + f.len, version == 6 ? "\x86\xdd" : "\x08\x00", 2);
	l3 = f.len += 2;
	if (version == 6) {
		f.bytes[l3] = 0x60;
		f.bytes[l3 + 5] = (uint8_t)(8 + payload);
	} else {
		f.bytes[l3] = 0x45;
		f.bytes[l3 + 3] = (uint8_t)(20 + 8 + payload);
	}
	f.len = l3 + ip_header + 8 + payload;
	f.stamp = (int)(f.len - STAMP_LEN);
	f.len += trailer;
	return f;
}

/* stamp_find on a copy of exactly the frame's length, so that the sanitizer sees a read behind it.
 */
static int find(const uint8_t *bytes, uint32_t len)
{
	uint8_t *copy = malloc(len ? len : 1);
	int at;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	at = stamp_find(copy, len);
	free(copy);
	return at;
}

static void test_find(void **state)
{
	static const int versions[] = {4, 6};
	struct built f;

	(void)state;
	for (unsigned int tags = 0; tags <= 2; tags++) {
		for (int v = 0; v < 2; v++) {
			for (uint32_t trailer = 0; trailer < 20; trailer++) {
				f = build(tags, versions[v], STAMP_LEN, trailer);
				assert_int_equal(find(f.bytes, f.len), f.stamp);
				f = build(tags, versions[v], 31, trailer);
				assert_int_equal(find(f.bytes, f.len), f.stamp);
			}
			/* A payload one byte too small for a stamp, padded or not. */
			f = build(tags, versions[v], STAMP_LEN - 1, 0);
			assert_int_equal(find(f.bytes, f.len), -1);
			f = build(tags, versions[v], STAMP_LEN - 1, 30);
			assert_int_equal(find(f.bytes, f.len), -1);
		}
	}
	/* The smallest frame: 60 bytes in memory, the stamp in its last 18. */
	f = build(0, 4, STAMP_LEN, 0);
	assert_int_equal(f.len, 60);
	assert_int_equal(f.stamp, 42);
}

static void test_find_with_broken_lengths(void **state)
{
	struct built f = build(0, 4, STAMP_LEN, 0);

	(void)state;
	f.bytes[14 + 2] = 0xff; /* longer than the frame */
	assert_int_equal(find(f.bytes, f.len), f.stamp);
	f.bytes[14 + 2] = 0;
	f.bytes[14 + 3] = 5; /* shorter than its own header */
	assert_int_equal(find(f.bytes, f.len), f.stamp);
	f = build(0, 6, STAMP_LEN, 0);
	f.bytes[14 + 4] = 0xff;
	assert_int_equal(find(f.bytes, f.len), f.stamp);
	f.bytes[14 + 4] = f.bytes[14 + 5] = 0;
	assert_int_equal(find(f.bytes, f.len), f.stamp);
	/* Neither IPv4 nor IPv6: the last bytes. */
	f.bytes[12] = 0x12;
	assert_int_equal(find(f.bytes, f.len), f.stamp);
	assert_int_equal(find(f.bytes, 14 + STAMP_LEN), 14);
	assert_int_equal(find(f.bytes, 14 + STAMP_LEN - 1), -1);
}

static void test_find_in_anything(void **state)
{
	static const uint8_t types[][2] = {{8, 0}, {0x86, 0xdd}, {0x81, 0}, {0x88, 0xa8}, {8, 6}};
	uint64_t seed = 17;
	uint8_t bytes[128];
	uint32_t len;
	int at;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		len = (uint32_t)(unit_random(&seed) % (sizeof(bytes) + 1));
		for (uint32_t j = 0; j < sizeof(bytes); j += 8) {
			uint64_t r = unit_random(&seed);

			memcpy(bytes + j, &r, 8);
		}
		for (uint32_t j = 12; j <= 20; j += 4)
			memcpy(bytes + j, types[unit_random(&seed) % 5], 2);
		for (uint32_t j = 14; j <= 22; j += 4) {
			if (unit_random(&seed) & 1)
				bytes[j] = unit_random(&seed) & 1 ? 0x45 : 0x60;
			if (unit_random(&seed) & 1)
				bytes[j + 2] = bytes[j + 4] = 0;
		}
		at = find(bytes, len);
		assert_true(at == -1 || (at >= 14 && (uint32_t)at + STAMP_LEN <= len));
	}
}

/* A burst's stamps are the same bytes as stamps written one by one, at every carry of the sum. */
static void burst_equals_single(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2000000; i++) {
		uint64_t base = stamp_base((uint8_t)i, (uint16_t)(i * 7919u));
		uint64_t time = (uint64_t)i * 0x9e3779b97f4a7c15ull;
		uint32_t seq = i * 2654435761u;
		struct stamp_burst burst = stamp_burst_begin(base, time);
		uint8_t one[STAMP_LEN], many[STAMP_LEN];

		stamp_write(one, base, seq, time);
		stamp_burst_write(&burst, many, seq);
		assert_memory_equal(one, many, STAMP_LEN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(burst_equals_single),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_checksum_stays),
		cmocka_unit_test(test_every_flipped_bit_is_seen),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_min_frame),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_with_broken_lengths),
		cmocka_unit_test(test_find_in_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

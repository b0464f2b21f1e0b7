/*
 * Test frames: checksums against an independent reading of RFC 1071, flows, the smallest size.
 */
#include "tests/unit/unit.h"

#include "gen/frame.h"

static const struct frame_spec base = {
	.src_mac = {0x02, 0, 0, 0, 0, 0x11},
	.dst_mac = {0x02, 0, 0, 0, 0, 0x22},
	.src_ip = 0xc6120002,
	.dst_ip = 0xc6130001,
	.src_port = 1024,
	.dst_port = 7,
	.tos = 0xb8,
	.ttl = 64,
	.size = 64,
};

static unsigned int be16(const uint8_t *at)
{
	return (unsigned int)at[0] * 256 + at[1];
}

/* RFC 1071, a word at a time with the carry brought round at once; add16 of a right text is 0xffff.
 */
static unsigned int add16(unsigned int sum, unsigned int word)
{
	sum += word;
	return sum > 0xffff ? sum - 0xffff : sum;
}

static unsigned int rfc1071(unsigned int sum, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum = add16(sum, i % 2 ? bytes[i] : bytes[i] * 256u);
	return sum;
}

static void assert_udp_checksum(const uint8_t *frame)
{
	const uint8_t *ip = frame + 14, *udp = ip + 20;
	unsigned int len = be16(udp + 4), sum;

	assert_int_not_equal(be16(udp + 6), 0); /* would mean that there is none */
	sum = rfc1071(0, ip + 12, 8);
	sum = add16(add16(sum, 17), len);
	assert_int_equal(rfc1071(sum, udp, len), 0xffff);
}

static void assert_frame_is_right(const struct frame_spec *spec, const struct frame *f)
{
	const uint8_t *ip = f->bytes + 14, *udp = ip + 20;

	assert_int_equal(f->len, spec->size - 4);
	assert_int_equal(f->stamp_at, f->len - STAMP_LEN);
	assert_memory_equal(f->bytes, spec->dst_mac, 6);
	assert_memory_equal(f->bytes + 6, spec->src_mac, 6);
	assert_int_equal(be16(f->bytes + 12), 0x0800);
	assert_int_equal(ip[0], 0x45);
	assert_int_equal(ip[1], spec->tos);
	assert_int_equal(be16(ip + 2), f->len - 14);
	assert_int_equal(ip[8], spec->ttl);
	assert_int_equal(ip[9], 17);
	assert_int_equal(be16(ip + 12) * 65536u + be16(ip + 14), spec->src_ip);
	assert_int_equal(be16(ip + 16) * 65536u + be16(ip + 18), spec->dst_ip);
	assert_int_equal(rfc1071(0, ip, 20), 0xffff);
	assert_int_equal(be16(udp), spec->src_port);
	assert_int_equal(be16(udp + 2), spec->dst_port);
	assert_int_equal(be16(udp + 4), f->len - 34);
	assert_udp_checksum(f->bytes);
}

static void test_every_size_is_valid_with_any_stamp(void **state)
{
	uint64_t seed = 5;
	struct frame f;
	char err[160];

	(void)state;
	for (uint32_t size = 64; size <= 1518; size++) {
		struct frame_spec spec = base;

		spec.size = size;
		assert_int_equal(frame_build(&spec, &f, err, sizeof(err)), 0);
		assert_frame_is_right(&spec, &f);
		for (int i = 0; i < 20; i++) {
			struct stamp s = {0};
			uint64_t tsc = unit_random(&seed);
			uint32_t seq = (uint32_t)unit_random(&seed);

			stamp_write(f.bytes + f.stamp_at, stamp_base((uint8_t)i, (uint16_t)size),
				    seq, tsc);
			assert_udp_checksum(f.bytes);
			assert_int_equal(stamp_find(f.bytes, f.len), f.stamp_at);
			assert_true(stamp_read(f.bytes + f.stamp_at, &s));
			assert_int_equal(s.seq, seq);
			assert_int_equal(s.tx_time, tsc & STAMP_TIME_MASK);
		}
	}
}

static void test_any_addresses(void **state)
{
	uint64_t seed = 6;
	struct frame f;
	char err[160];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct frame_spec spec = base;

		spec.src_ip = (uint32_t)unit_random(&seed);
		spec.dst_ip = (uint32_t)unit_random(&seed);
		spec.src_port = (uint16_t)unit_random(&seed);
		spec.dst_port = (uint16_t)unit_random(&seed);
		spec.tos = (uint8_t)unit_random(&seed);
		spec.ttl = (uint8_t)unit_random(&seed);
		spec.size = 64 + (uint32_t)(unit_random(&seed) % 64);
		assert_int_equal(frame_build(&spec, &f, err, sizeof(err)), 0);
		assert_frame_is_right(&spec, &f);
	}
}

static int by_ports(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void assert_flows(const struct frame_spec *spec, uint32_t n)
{
	uint64_t *headers = calloc(n, sizeof(*headers));
	uint32_t *pairs = calloc(n, sizeof(*pairs));
	uint32_t span = 65536u - spec->src_port;
	struct frame f;
	char err[160];

	assert_non_null(headers);
	assert_non_null(pairs);
	assert_int_equal(frame_build(spec, &f, err, sizeof(err)), 0);
	frame_flows(spec, &f, 0, 1, n, headers);
	assert_memory_equal(&headers[0], f.bytes + FRAME_UDP_AT, 8);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *udp = f.bytes + FRAME_UDP_AT;

		memcpy(udp, &headers[i], 8);
		assert_udp_checksum(f.bytes);
		assert_int_equal(be16(udp), spec->src_port + i % span);
		assert_int_equal(be16(udp + 2), (spec->dst_port + i / span) & 0xffff);
		pairs[i] = be16(udp) << 16 | be16(udp + 2);
	}
	qsort(pairs, n, sizeof(*pairs), by_ports);
	for (uint32_t i = 1; i < n; i++)
		assert_int_not_equal(pairs[i], pairs[i - 1]);
	free(headers);
	free(pairs);
}

static void test_flows_are_distinct(void **state)
{
	struct frame_spec spec = base;

	(void)state;
	assert_flows(&spec, 1);
	assert_flows(&spec, 1000);
	assert_flows(&spec, 65536);
	assert_flows(&spec, FRAME_MAX_FLOWS);
	spec.src_port = 65500;
	spec.size = 1518;
	assert_flows(&spec, 1000);
	spec.src_port = 1;
	assert_flows(&spec, 65536);
}

static void test_sizes_that_do_not_fit(void **state)
{
	static const uint32_t bad[] = {0, 18, 60, 63, 9019, UINT32_MAX};
	struct frame_spec spec = base;
	struct frame f;
	char err[160];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		spec.size = bad[i];
		err[0] = '\0';
		assert_int_equal(frame_build(&spec, &f, err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, "at least 64"));
		assert_null(strchr(err, '\n'));
	}
	spec.size = 9018;
	assert_int_equal(frame_build(&spec, &f, err, sizeof(err)), 0);
	assert_frame_is_right(&spec, &f);
}

static void test_checksum_of_odd_lengths(void **state)
{
	uint8_t bytes[101];
	uint64_t seed = 9;

	(void)state;
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		unsigned int start = (unsigned int)unit_random(&seed) & 0xffff, want, got;

		for (size_t i = 0; i < len; i++)
			bytes[i] = (uint8_t)unit_random(&seed);
		want = rfc1071(start, bytes, len);
		got = checksum_fold(checksum_add(bytes, len, start));
		/* 0 has two forms in one's complement arithmetic. */
		assert_int_equal(got % 0xffff, want % 0xffff);
	}
	assert_int_equal(checksum_fold(0xffffffff), 0xffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size_is_valid_with_any_stamp),
		cmocka_unit_test(test_any_addresses),
		cmocka_unit_test(test_flows_are_distinct),
		cmocka_unit_test(test_sizes_that_do_not_fit),
		cmocka_unit_test(test_checksum_of_odd_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

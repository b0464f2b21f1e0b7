/*
 * The rule of split mode: values arrive, what is wrong is named in one line, and frames of every
 * shape are told apart as the rule says.
 */
#include "dut/split_rule.h"
#include "common/stamp.h"

#include "tests/unit/unit.h"

#define FRAME_ROOM 256u

static struct split_rule rule;
static char err[512];

static int parse(const char *text)
{
	memset(&rule, 0, sizeof(rule));
	err[0] = '\0';
	return split_rule_parse(&rule, text, err, sizeof(err));
}

static void refused(const char *text, const char *named)
{
	struct split_rule empty = {0};

	assert_int_equal(parse(text), -EINVAL);
	if (!strstr(err, named))
		fail_msg("'%s': '%s' does not name '%s'", text, err, named);
	assert_null(strchr(err, '\n'));
	assert_memory_equal(&rule, &empty, sizeof(rule));
}

static void put_be16(uint8_t *at, unsigned int value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

struct shape {
	unsigned int vlans;
	bool ipv6;
	uint16_t src, dst;
	int space; /* of the stamp, -1 for none */
};

/* A frame of that shape; returns its length. */
static uint32_t build(uint8_t *frame, const struct shape *shape)
{
	uint32_t at = 12, payload = 20, l3;

	memset(frame, 0, FRAME_ROOM);
	for (unsigned int i = 0; i < shape->vlans; i++, at += 4)
		put_be16(frame + at, i == 0 && shape->vlans == 2 ? 0x88a8 : 0x8100);
	put_be16(frame + at, shape->ipv6 ? 0x86dd : 0x0800);
	l3 = at + 2;
	if (shape->ipv6) {
		frame[l3] = 0x60;
		put_be16(frame + l3 + 4, 8 + payload);
		frame[l3 + 6] = 17;
		at = l3 + 40;
	} else {
		frame[l3] = 0x45;
		put_be16(frame + l3 + 2, 20 + 8 + payload);
		frame[l3 + 9] = 17;
		at = l3 + 20;
	}
	put_be16(frame + at, shape->src);
	put_be16(frame + at + 2, shape->dst);
	put_be16(frame + at + 4, 8 + payload);
	at += 8 + payload;
	if (shape->space >= 0)
		stamp_write(frame + at - STAMP_LEN, stamp_base(7, (uint16_t)shape->space), 1, 2);
	return at;
}

static bool to_kernel(const struct shape *shape)
{
	uint8_t frame[FRAME_ROOM];
	uint32_t len = build(frame, shape);

	return split_rule_to_kernel(&rule, frame, len);
}

static void rules_arrive(void **state)
{
	(void)state;
	assert_int_equal(parse("udp-dst=5000"), 0);
	assert_true(rule.kind == SPLIT_UDP_DST && rule.first == 5000 && rule.last == 5000);
	assert_string_equal(rule.text, "udp-dst=5000");
	assert_int_equal(parse("udp-src=0-65535"), 0);
	assert_true(rule.kind == SPLIT_UDP_SRC && rule.first == 0 && rule.last == 65535);
	assert_int_equal(parse("stream=3"), 0);
	assert_true(rule.kind == SPLIT_STREAM && rule.first == 3 && rule.last == 3);
	assert_true(rule.of == 65536);
	assert_int_equal(parse("stream=1-2/4"), 0);
	assert_true(rule.first == 1 && rule.last == 2 && rule.of == 4);
	assert_int_equal(parse("percent=25"), 0);
	assert_true(rule.kind == SPLIT_PERCENT && rule.share == 1ull << 30);
	assert_int_equal(parse("percent=0"), 0);
	assert_true(rule.share == 0);
	assert_int_equal(parse("percent=100."), 0);
	assert_true(rule.share == 1ull << 32);
	assert_int_equal(parse("percent=12.5"), 0);
	assert_true(rule.share == 1ull << 29);
}

static void wrong_rules_are_refused(void **state)
{
	static const char *const bad[] = {
		"udp-dst=",	"udp-dst=x",	   "udp-dst=-1",   "udp-dst=65536",
		"udp-dst=1-",	"udp-dst=1-65536", "udp-dst=-",	   "udp-dst=1-2-3",
		"stream=65536", "stream=4/4",	   "stream=1/0",   "stream=1/65537",
		"stream=1/",	"stream=/4",	   "percent=",	   "percent=-1",
		"percent=101",	"percent=nan",	   "percent=0x10", "percent=1e1",
		"percent=25%",	"percent=.5",	   "percent=1..2", "percent=0000000000000000000001",
	};
	char lengthy[200];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refused(bad[i], "");
	refused("udp-dst=9-8", "9-8");
	refused("", "no rule");
	refused("25%", "no rule");
	refused("udp=5", "no rule");
	refused("percent", "no rule");
	memset(lengthy, 'x', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	refused(lengthy, "longer");
	assert_int_equal(parse("percent=25"), 0);
	assert_int_equal(split_rule_parse(&rule, "stream=1", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "twice"));
	assert_int_equal(rule.kind, SPLIT_PERCENT);
}

/* Each rule, behind each count of tags and over both IPs. */
static void frames_follow_the_rule(void **state)
{
	(void)state;
	for (unsigned int vlans = 0; vlans <= 2; vlans++)
		for (int ipv6 = 0; ipv6 <= 1; ipv6++) {
			struct shape shape = {vlans, ipv6, 1000, 2000, 5};

			assert_int_equal(parse("udp-dst=2000"), 0);
			assert_true(to_kernel(&shape));
			assert_int_equal(parse("udp-dst=1999"), 0);
			assert_false(to_kernel(&shape));
			assert_int_equal(parse("udp-dst=1000-1999"), 0);
			assert_false(to_kernel(&shape));
			assert_int_equal(parse("udp-src=999-1001"), 0);
			assert_true(to_kernel(&shape));
			assert_int_equal(parse("stream=5"), 0);
			assert_true(to_kernel(&shape));
			assert_int_equal(parse("stream=4"), 0);
			assert_false(to_kernel(&shape));
			assert_int_equal(parse("stream=1/4"), 0);
			assert_true(to_kernel(&shape));
			assert_int_equal(parse("percent=100"), 0);
			assert_true(to_kernel(&shape));
			assert_int_equal(parse("percent=0"), 0);
			assert_false(to_kernel(&shape));
			shape.space = -1;
			assert_int_equal(parse("stream=0-65535"), 0);
			assert_false(to_kernel(&shape));
		}
}

/* ARP, other protocols and fragments are the kernel's, whatever the rule. */
static void what_is_no_udp_is_the_kernels(void **state)
{
	struct shape shape = {0, false, 1000, 2000, 0};
	uint8_t frame[FRAME_ROOM];
	uint32_t len = build(frame, &shape);

	(void)state;
	assert_int_equal(parse("percent=0"), 0);
	assert_false(split_rule_to_kernel(&rule, frame, len));
	put_be16(frame + 20, 0x4000); /* do not fragment: no fragment */
	assert_false(split_rule_to_kernel(&rule, frame, len));
	put_be16(frame + 20, 0x2000);
	assert_true(split_rule_to_kernel(&rule, frame, len));
	put_be16(frame + 20, 0x0010);
	assert_true(split_rule_to_kernel(&rule, frame, len));
	put_be16(frame + 20, 0);
	frame[23] = 6;
	assert_true(split_rule_to_kernel(&rule, frame, len));
	frame[23] = 17;
	frame[14] = 0x44; /* a header shorter than there is */
	assert_true(split_rule_to_kernel(&rule, frame, len));
	frame[14] = 0x4f; /* one that ends behind the frame */
	assert_true(split_rule_to_kernel(&rule, frame, 14 + 60 + 7));
	frame[14] = 0x45;
	put_be16(frame + 12, 0x0806);
	assert_true(split_rule_to_kernel(&rule, frame, len));
	put_be16(frame + 12, 0x86dd);
	assert_true(split_rule_to_kernel(&rule, frame, len));
}

/* Every length, in memory of its own, so that a byte read behind it is found. */
static void short_frames_are_the_kernels(void **state)
{
	static const char *const rules[] = {"udp-dst=7", "stream=0", "percent=0"};

	(void)state;
	for (unsigned int vlans = 0; vlans <= 2; vlans++)
		for (int ipv6 = 0; ipv6 <= 1; ipv6++)
			for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
				struct shape shape = {vlans, ipv6, 1, 2, 3};
				uint8_t whole[FRAME_ROOM];
				uint32_t udp_end = build(whole, &shape) - 20;

				assert_int_equal(parse(rules[i]), 0);
				for (uint32_t len = 0; len < udp_end; len++) {
					uint8_t *frame = malloc(len + !len);

					assert_non_null(frame);
					memcpy(frame, whole, len);
					assert_true(split_rule_to_kernel(&rule, frame, len));
					free(frame);
				}
			}
}

/* Flows of N neighbouring ports in either place, or in both. */
static void shares_are_even(void **state)
{
	static const unsigned int counts[] = {4, 16, 100, 1000, 20000};

	(void)state;
	assert_int_equal(parse("percent=25"), 0);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (int way = 0; way < 3; way++) {
			unsigned int n = counts[c], kernel = 0;

			for (unsigned int i = 0; i < n; i++) {
				struct shape shape = {0, false,
						      (uint16_t)(1024 + (way != 1 ? i : 0)),
						      (uint16_t)(1024 + (way != 0 ? i : 0)), -1};

				kernel += to_kernel(&shape);
			}
			if (kernel + 4 < n / 4 || kernel > n / 4 + 4)
				fail_msg("%u of %u flows, way %d", kernel, n, way);
		}
}

static void a_flow_stays_on_its_path(void **state)
{
	(void)state;
	assert_int_equal(parse("percent=50"), 0);
	for (uint16_t port = 1; port < 1000; port++) {
		struct shape shape = {0, false, port, 80, 1};
		bool kernel = to_kernel(&shape);

		shape.space = 2;
		assert_int_equal(to_kernel(&shape), kernel);
		shape.vlans = 1;
		assert_int_equal(to_kernel(&shape), kernel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_arrive),
		cmocka_unit_test(wrong_rules_are_refused),
		cmocka_unit_test(frames_follow_the_rule),
		cmocka_unit_test(what_is_no_udp_is_the_kernels),
		cmocka_unit_test(short_frames_are_the_kernels),
		cmocka_unit_test(shares_are_even),
		cmocka_unit_test(a_flow_stays_on_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

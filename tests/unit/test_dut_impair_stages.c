/*
 * The decisions: the same from the same seed, exact where they promise it, and each stage's on its
 * own.
 */
#include "dut/impair_stages.h"
#include "common/stamp.h"

#include "tests/unit/unit.h"

#define HZ 2e9

static struct impair_list list;
static struct impair_stages stages;

static void start(const char *text, uint64_t seed, uint32_t stream)
{
	char err[256];

	memset(&list, 0, sizeof(list));
	assert_int_equal(impair_list_parse(&list, text, err, sizeof(err)), 0);
	impair_stages_start(&stages, &list, seed, stream, HZ);
}

static void n_of_every_m_is_exact(void **state)
{
	bool differ = false, first[1000] = {false};

	(void)state;
	start("drop=3/1000", 1, 0);
	for (unsigned int block = 0; block < 200; block++) {
		unsigned int drops = 0;

		for (unsigned int i = 0; i < 1000; i++) {
			bool drop = impair_drops(&stages);

			drops += drop;
			if (block == 0)
				first[i] = drop;
			differ |= block == 1 && first[i] != drop;
		}
		assert_int_equal(drops, 3);
	}
	assert_true(differ);
	start("drop=7/7", 1, 0);
	for (unsigned int i = 0; i < 100; i++)
		assert_true(impair_drops(&stages));
}

/* Each position of a block is as likely as any other. */
static void positions_are_even(void **state)
{
	unsigned int at[10] = {0};

	(void)state;
	start("drop=2/10", 3, 0);
	for (unsigned int i = 0; i < 200000; i++)
		at[i % 10] += impair_drops(&stages);
	for (unsigned int i = 0; i < 10; i++)
		assert_in_range(at[i], 3700, 4300);
}

static void chances_are_as_asked(void **state)
{
	unsigned int drops = 0, all = 0;

	(void)state;
	start("drop=0.001,dup=1", 5, 0);
	for (unsigned int i = 0; i < 1000000; i++) {
		drops += impair_drops(&stages);
		all += impair_duplicates(&stages);
	}
	assert_in_range(drops, 850, 1150);
	assert_int_equal(all, 1000000);
}

static void decide(bool *to, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		to[i] = impair_drops(&stages);
}

static void seeds_decide(void **state)
{
	bool one[2000], again[2000], other[2000], stream[2000], with_more[2000];

	(void)state;
	start("drop=0.5", 5, 0);
	decide(one, 2000);
	start("drop=0.5", 5, 0);
	decide(again, 2000);
	start("drop=0.5", 6, 0);
	decide(other, 2000);
	start("drop=0.5", 5, 1);
	decide(stream, 2000);
	assert_memory_equal(one, again, sizeof(one));
	assert_memory_not_equal(one, other, sizeof(one));
	assert_memory_not_equal(one, stream, sizeof(one));
	/* What other stages draw between changes nothing. */
	start("drop=0.5,dup=0.5,delay=1us..9us", 5, 0);
	for (unsigned int i = 0; i < 2000; i++) {
		with_more[i] = impair_drops(&stages);
		impair_duplicates(&stages);
		impair_delays(&stages);
	}
	assert_memory_equal(one, with_more, sizeof(one));
}

static void delays_stay_in_range(void **state)
{
	uint64_t least = UINT64_MAX, most = 0;

	(void)state;
	start("delay=50us..80us", 1, 0);
	for (unsigned int i = 0; i < 100000; i++) {
		uint64_t cycles = impair_delays(&stages);

		least = cycles < least ? cycles : least;
		most = cycles > most ? cycles : most;
	}
	assert_in_range(least, 100000, 100100);
	assert_in_range(most, 159900, 160001);
	start("delay=50us", 1, 0);
	assert_in_range(impair_delays(&stages), 100000, 100001);
}

/* At twice the rate half passes once the bucket is empty, to the frame. */
static void policer_passes_its_rate(void **state)
{
	uint64_t now = (1ull << 48) - 5000; /* the stamps' clock wraps on the way */
	unsigned int passed = 0;

	(void)state;
	start("rate=1mpps:10", 1, 0);
	for (unsigned int i = 0; i < 10; i++)
		assert_false(impair_polices(&stages, now & STAMP_TIME_MASK));
	assert_true(impair_polices(&stages, now & STAMP_TIME_MASK));
	for (unsigned int i = 0; i < 10000; i++) {
		now += 1000; /* 2 mpps */
		passed += !impair_polices(&stages, now & STAMP_TIME_MASK);
	}
	assert_int_equal(passed, 5000);
	/* A pause fills the bucket and no more; time that runs back does nothing. */
	now += 1000000000;
	for (unsigned int i = 0; i < 10; i++)
		assert_false(impair_polices(&stages, (now - i) & STAMP_TIME_MASK));
	assert_true(impair_polices(&stages, (now - 5000) & STAMP_TIME_MASK));
	assert_true(impair_polices(&stages, now & STAMP_TIME_MASK));
}

/* By the time of the frames, beginning with and ending before; the stamps' clock wraps on the way.
 */
static void an_outage_takes_its_time(void **state)
{
	uint64_t begin = (1ull << 48) - 5000000;

	(void)state;
	start("outage=2ms..4ms", 1, 0);
	assert_false(impair_is_out(&stages, begin & STAMP_TIME_MASK));
	for (uint64_t at = 0; at < 12000000; at += 1000)
		assert_int_equal(impair_is_out(&stages, (begin + at) & STAMP_TIME_MASK),
				 at >= 4000000 && at < 8000000);
	/* Other lcores' frames come a little later, those from before the first one too. */
	assert_true(impair_is_out(&stages, (begin + 4000000) & STAMP_TIME_MASK));
	assert_false(impair_is_out(&stages, (begin - 1) & STAMP_TIME_MASK));
	start("outage=0..1ms", 1, 0);
	assert_true(impair_is_out(&stages, begin));
	assert_true(impair_is_out(&stages, begin + 1999999));
	assert_false(impair_is_out(&stages, begin + 2000000));
}

/* Over a day: the 48 bits go round and the outage does not come again. */
static void an_outage_is_once(void **state)
{
	uint64_t second = (uint64_t)HZ;

	(void)state;
	start("outage=59m..1h", 1, 0);
	for (uint64_t s = 0; s < 400000; s++)
		assert_int_equal(impair_is_out(&stages, s * second & STAMP_TIME_MASK),
				 s >= 3540 && s < 3600);
}

/* One bit, never in headers or stamp, anywhere between. */
static void one_payload_bit_flips(void **state)
{
	uint8_t frame[124], sent[124];
	bool hit[124] = {false};
	uint32_t stamp_at = sizeof(frame) - STAMP_LEN;

	(void)state;
	start("corrupt=1", 1, 0);
	memset(sent, 0, sizeof(sent));
	sent[12] = 0x08;
	sent[14] = 0x45;
	for (unsigned int i = 0; i < 5000; i++) {
		unsigned int bits = 0;

		memcpy(frame, sent, sizeof(frame));
		assert_true(impair_flip(&stages, frame, sizeof(frame), stamp_at));
		for (unsigned int k = 0; k < sizeof(frame); k++) {
			bits += (unsigned int)__builtin_popcount(frame[k] ^ sent[k]);
			hit[k] |= frame[k] != sent[k];
		}
		assert_int_equal(bits, 1);
	}
	for (unsigned int k = 0; k < sizeof(frame); k++)
		assert_int_equal(hit[k], k >= 42 && k < stamp_at);
}

static void no_payload_no_flip(void **state)
{
	uint8_t frame[60] = {[12] = 0x08, [14] = 0x45}, sent[60];

	(void)state;
	start("corrupt=1", 1, 0);
	memcpy(sent, frame, sizeof(frame));
	assert_false(impair_flip(&stages, frame, sizeof(frame), sizeof(frame) - STAMP_LEN));
	assert_memory_equal(frame, sent, sizeof(frame));
}

static void payload_is_behind_the_headers(void **state)
{
	uint8_t frame[200] = {0};

	(void)state;
	assert_int_equal(impair_payload_at(frame, sizeof(frame)), 14);
	frame[12] = 0x08;
	frame[14] = 0x45;
	assert_int_equal(impair_payload_at(frame, sizeof(frame)), 42);
	frame[14] = 0x46; /* four bytes of IP options */
	assert_int_equal(impair_payload_at(frame, sizeof(frame)), 46);
	frame[12] = 0x81;
	frame[16] = 0x86;
	frame[17] = 0xdd;
	assert_int_equal(impair_payload_at(frame, sizeof(frame)), 66);
	assert_int_equal(impair_payload_at(frame, 50), 50);
	assert_int_equal(impair_payload_at(frame, 15), 15);
	assert_int_equal(impair_payload_at(frame, 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_of_every_m_is_exact),
		cmocka_unit_test(positions_are_even),
		cmocka_unit_test(chances_are_as_asked),
		cmocka_unit_test(seeds_decide),
		cmocka_unit_test(delays_stay_in_range),
		cmocka_unit_test(policer_passes_its_rate),
		cmocka_unit_test(an_outage_takes_its_time),
		cmocka_unit_test(an_outage_is_once),
		cmocka_unit_test(one_payload_bit_flips),
		cmocka_unit_test(no_payload_no_flip),
		cmocka_unit_test(payload_is_behind_the_headers),
	};

	return cmocka_run_group_tests_name("dut impair stages", tests, NULL, NULL);
}

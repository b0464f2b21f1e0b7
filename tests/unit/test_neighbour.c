/*
 * ARP on bytes: a request and its answer, frames cut short, other people's questions.
 */
#include "tests/unit/unit.h"

#include "gen/neighbour.h"

static const struct neighbour_self alice = {{0x02, 1, 2, 3, 4, 5}, 0xc6120002};
static const struct neighbour_self bob = {{0x02, 9, 8, 7, 6, 5}, 0xc6120001};

static void test_request_as_rfc_826_has_it(void **state)
{
	static const uint8_t want[ARP_FRAME_LEN] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff,	     /* to everybody */
		0x02, 1,    2,	  3,	4,    5,	     /* from us */
		0x08, 0x06,				     /* ARP */
		0x00, 0x01, 0x08, 0x00, 6,    4,    0,	  1, /* Ethernet, IPv4, request */
		0x02, 1,    2,	  3,	4,    5,    0xc6, 0x12, 0x00, 0x02, /* sender */
		0,    0,    0,	  0,	0,    0,    0xc6, 0x12, 0x00, 0x01, /* target */
	};
	uint8_t frame[ARP_FRAME_LEN];

	(void)state;
	memset(frame, 0xaa, sizeof(frame));
	arp_request(&alice, bob.ip, frame);
	assert_memory_equal(frame, want, sizeof(want));
}

static void test_round_trip(void **state)
{
	uint8_t question[ARP_FRAME_LEN], answer[ARP_FRAME_LEN], mac[6] = {0};

	(void)state;
	arp_request(&alice, bob.ip, question);
	assert_true(arp_is_own_request(&alice, question, sizeof(question)));
	assert_false(arp_is_own_request(&bob, question, sizeof(question)));
	assert_true(arp_answer(&bob, question, sizeof(question), answer));
	assert_memory_equal(answer, alice.mac, 6);
	assert_memory_equal(answer + 6, bob.mac, 6);
	assert_memory_equal(answer + 32, alice.mac, 6);
	assert_true(arp_reply_from(answer, sizeof(answer), bob.ip, mac));
	assert_memory_equal(mac, bob.mac, 6);
	/* A reply is not a request, nor the other way round. */
	assert_false(arp_answer(&alice, answer, sizeof(answer), question));
	assert_false(arp_is_own_request(&bob, answer, sizeof(answer)));
	arp_request(&alice, bob.ip, question);
	assert_false(arp_reply_from(question, sizeof(question), alice.ip, mac));
}

static void test_only_our_address_is_answered(void **state)
{
	uint8_t frame[ARP_FRAME_LEN], answer[ARP_FRAME_LEN], mac[6] = {1, 2, 3, 4, 5, 6};
	static const uint8_t kept[6] = {1, 2, 3, 4, 5, 6};

	(void)state;
	for (uint32_t bit = 0; bit < 32; bit++) {
		arp_request(&alice, bob.ip ^ 1u << bit, frame);
		assert_false(arp_answer(&bob, frame, sizeof(frame), answer));
	}
	arp_request(&alice, bob.ip, frame);
	assert_true(arp_answer(&bob, frame, sizeof(frame), answer));
	assert_false(arp_reply_from(answer, sizeof(answer), bob.ip + 1, mac));
	assert_memory_equal(mac, kept, 6);
}

static void test_cut_short(void **state)
{
	uint8_t question[ARP_FRAME_LEN], answer[ARP_FRAME_LEN], mac[6];

	(void)state;
	arp_request(&alice, bob.ip, question);
	assert_true(arp_answer(&bob, question, sizeof(question), answer));
	for (uint32_t len = 0; len <= ARP_FRAME_LEN; len++) {
		/* On the heap and just as long, so that a read beyond is seen. */
		uint8_t *cut = malloc(len ? len : 1), reply[ARP_FRAME_LEN];

		assert_non_null(cut);
		memcpy(cut, question, len);
		assert_int_equal(arp_answer(&bob, cut, len, reply), len >= 42);
		assert_int_equal(arp_is_own_request(&alice, cut, len), len >= 42);
		memcpy(cut, answer, len);
		assert_int_equal(arp_reply_from(cut, len, bob.ip, mac), len >= 42);
		free(cut);
	}
}

static void test_any_other_head_is_not_arp(void **state)
{
	uint8_t frame[ARP_FRAME_LEN], answer[ARP_FRAME_LEN];

	(void)state;
	for (int at = 12; at < 22; at++)
		for (int bit = 0; bit < 8; bit++) {
			arp_request(&alice, bob.ip, frame);
			frame[at] ^= (uint8_t)(1u << bit);
			assert_false(arp_answer(&bob, frame, sizeof(frame), answer));
			assert_false(arp_is_own_request(&alice, frame, sizeof(frame)));
		}
}

static void test_random_bytes(void **state)
{
	uint64_t seed = 31;
	uint8_t frame[128], answer[ARP_FRAME_LEN], mac[6];

	(void)state;
	for (int round = 0; round < 100000; round++) {
		uint32_t len = (uint32_t)(unit_random(&seed) % (sizeof(frame) + 1));

		for (uint32_t i = 0; i < len; i++)
			frame[i] = (uint8_t)unit_random(&seed);
		assert_false(arp_answer(&bob, frame, len, answer));
		assert_false(arp_reply_from(frame, len, bob.ip, mac));
		assert_false(arp_is_own_request(&bob, frame, len));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_as_rfc_826_has_it),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_only_our_address_is_answered),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_any_other_head_is_not_arp),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

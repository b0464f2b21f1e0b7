/*
 * The store of held frames against a sorted list.
 */
#include "dut/hold.h"

#include "tests/unit/unit.h"

#define ROOM 500u

static void comes_out_in_order(void **state)
{
	static uint64_t keys[ROOM];
	struct hold h;
	uint64_t seed = 3;

	(void)state;
	assert_int_equal(hold_open(&h, ROOM), 0);
	for (unsigned int round = 0; round < 50; round++) {
		uint64_t last = 0;
		const uint64_t *before = NULL;

		for (unsigned int i = 0; i < ROOM; i++) {
			keys[i] = unit_random(&seed) % 100;
			assert_true(hold_put(&h, keys[i], &keys[i]));
		}
		assert_false(hold_put(&h, 0, &keys[0]));
		assert_int_equal(hold_free(&h), 0);
		for (unsigned int i = 0; i < ROOM; i++) {
			const uint64_t *key;

			assert_true(hold_due(&h, 100));
			key = hold_take(&h);
			assert_true(*key >= last);
			/* Equal keys come out as they went in. */
			if (before && *key == last)
				assert_true(key > before);
			last = *key;
			before = key;
		}
		assert_null(hold_take(&h));
		assert_false(hold_due(&h, UINT64_MAX));
	}
	hold_close(&h);
}

/* Puts and takes mixed, held against a plain search for the least. */
static void holds_against_a_plain_list(void **state)
{
	static uint64_t keys[ROOM];
	static bool held[ROOM];
	struct hold h;
	uint64_t seed = 9;
	unsigned int n = 0;

	(void)state;
	memset(held, 0, sizeof(held));
	assert_int_equal(hold_open(&h, ROOM), 0);
	for (unsigned int i = 0; i < 100000; i++) {
		unsigned int slot = unit_random(&seed) % ROOM;

		if (!held[slot]) {
			keys[slot] = unit_random(&seed);
			assert_true(hold_put(&h, keys[slot], &keys[slot]));
			held[slot] = true;
			n++;
		} else {
			const uint64_t *key = hold_take(&h);

			for (unsigned int k = 0; k < ROOM; k++)
				assert_true(!held[k] || keys[k] >= *key);
			held[key - keys] = false;
			n--;
		}
		assert_int_equal(h.n, n);
	}
	hold_close(&h);
}

static void due_is_by_key(void **state)
{
	struct hold h;
	int item;

	(void)state;
	assert_int_equal(hold_open(&h, 1), 0);
	assert_true(hold_put(&h, 10, &item));
	assert_false(hold_due(&h, 9));
	assert_true(hold_due(&h, 10));
	assert_ptr_equal(hold_take(&h), &item);
	hold_close(&h);
}

static void no_room_is_full(void **state)
{
	struct hold h;
	int item;

	(void)state;
	assert_int_equal(hold_open(&h, 0), 0);
	assert_false(hold_put(&h, 1, &item));
	assert_null(hold_take(&h));
	assert_int_equal(hold_free(&h), 0);
	hold_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_out_in_order),
		cmocka_unit_test(holds_against_a_plain_list),
		cmocka_unit_test(due_is_by_key),
		cmocka_unit_test(no_room_is_full),
	};

	return cmocka_run_group_tests_name("dut hold", tests, NULL, NULL);
}

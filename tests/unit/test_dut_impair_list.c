/*
 * The list of impairments: values arrive, and what is wrong is named in one line and changes
 * nothing.
 */
#include "dut/impair_list.h"

#include "tests/unit/unit.h"

static struct impair_list list;
static char err[512];

static int parse(const char *text)
{
	memset(&list, 0, sizeof(list));
	err[0] = '\0';
	return impair_list_parse(&list, text, err, sizeof(err));
}

static void refused(const char *text, const char *named)
{
	struct impair_list empty = {0};

	assert_int_equal(parse(text), -EINVAL);
	assert_non_null(strstr(err, named));
	assert_null(strchr(err, '\n'));
	assert_memory_equal(&list, &empty, sizeof(list));
}

static void all_kinds_arrive(void **state)
{
	(void)state;
	assert_int_equal(parse("drop=0.25,dup=1,reorder=0.5:7,corrupt=0.125,delay=50us..80us,"
			       "rate=200kpps:16,stall=20ms/1s,outage=2s..2.3s"),
			 0);
	assert_int_equal(list.kinds, IMPAIR_OUTAGE | IMPAIR_RATE | IMPAIR_DROP | IMPAIR_CORRUPT |
					     IMPAIR_DUP | IMPAIR_REORDER | IMPAIR_DELAY |
					     IMPAIR_STALL);
	assert_true(list.drop == CHANCE_ALWAYS / 4 && list.drop_of == 0);
	assert_true(list.dup == CHANCE_ALWAYS);
	assert_true(list.reorder == CHANCE_ALWAYS / 2 && list.depth == 7);
	assert_true(list.corrupt == CHANCE_ALWAYS / 8);
	assert_true(list.delay_min_ns == 50000 && list.delay_max_ns == 80000);
	assert_true(list.pps == 200e3 && list.bucket == 16);
	assert_true(list.outage_from_ns == 2000000000 && list.outage_to_ns == 2300000000);
	assert_true(list.stall_ns == 20000000 && list.stall_period_ns == 1000000000);
}

static void short_forms(void **state)
{
	(void)state;
	assert_int_equal(parse("drop=3/1000"), 0);
	assert_int_equal(list.drop_n, 3);
	assert_int_equal(list.drop_of, 1000);
	assert_int_equal(parse("drop=5/5"), 0);
	assert_int_equal(parse("delay=1.5ms"), 0);
	assert_true(list.delay_min_ns == 1500000 && list.delay_max_ns == 1500000);
	assert_int_equal(parse("delay=1.5ms..2.5ms"), 0);
	assert_true(list.delay_min_ns == 1500000 && list.delay_max_ns == 2500000);
	assert_int_equal(parse("outage=0..1h"), 0);
	assert_true(list.outage_from_ns == 0 && list.outage_to_ns == 3600000000000ull);
	assert_int_equal(parse("rate=1mpps"), 0);
	assert_true(list.pps == 1e6 && list.bucket == 4096);
}

static void lists_add_up(void **state)
{
	(void)state;
	assert_int_equal(parse("drop=0.5"), 0);
	assert_int_equal(impair_list_parse(&list, "dup=0.5", err, sizeof(err)), 0);
	assert_string_equal(list.text, "drop=0.5,dup=0.5");
	assert_int_equal(list.kinds, IMPAIR_DROP | IMPAIR_DUP);
	assert_int_equal(impair_list_parse(&list, "drop=0.1", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "twice"));
	assert_string_equal(list.text, "drop=0.5,dup=0.5");
}

static void wrong_lists_are_named(void **state)
{
	(void)state;
	refused("", "empty");
	refused("drop=0.5,", "empty");
	refused("flood=1", "flood");
	refused("drop", "drop");
	refused("drop=0", "above 0");
	refused("drop=1.5", "at most 1");
	refused("drop=nan", "nan");
	refused("drop=-1", "-1");
	refused("drop=1e-3", "1e-3");
	refused("drop=4/3", "drop");
	refused("drop=0/3", "drop");
	refused("reorder=0.5", "depth");
	refused("reorder=0.5:0", "reorder");
	refused("reorder=0.5:1025", "reorder");
	refused("reorder=1:5", "pass");
	refused("delay=0", "delay");
	refused("delay=11", "delay");
	refused("delay=2us..1us", "longest");
	refused("delay=2us..", "delay");
	refused("outage=2s", "has no end");
	refused("outage=..2s", "outage");
	refused("outage=2s..", "outage");
	refused("outage=..", "outage");
	refused("outage=0..0", "above 0");
	refused("outage=2s..2s", "after the beginning");
	refused("outage=3s..2s", "after the beginning");
	refused("outage=-1s..2s", "-1s");
	refused("outage=1s..-2s", "-2s");
	refused("outage=1s..61m", "3600s");
	refused("outage=2h..3h", "3600s");
	refused("outage=1s..2s..3s", "outage");
	refused("rate=10%", "counts frames");
	refused("rate=1gbps", "counts frames");
	refused("rate=max", "counts frames");
	refused("rate=1kpps:0", "rate");
	refused("stall=1s", "period");
	refused("stall=1s/1s", "no time");
	refused("stall=0/1s", "stall");
	refused("dup=0.5,dup=0.5", "twice");
}

/* Any bytes whatever are read or refused, and an error is one line. */
static void any_bytes_are_survived(void **state)
{
	static const char *const parts[] = {"drop", "=",   "0.1",  ",",	    "..",    "/",
					    ":",    "dup", "9",	   "1",	    "us",    "s",
					    "-",    "%",   "\xff", "delay", "outage"};
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[400] = "";
		unsigned int n = unit_random(&seed) % 20;

		for (unsigned int k = 0; k < n; k++)
			strcat(text, parts[unit_random(&seed) % (sizeof(parts) / sizeof(*parts))]);
		if (parse(text) != 0)
			assert_null(strchr(err, '\n'));
		else
			assert_int_not_equal(list.kinds, 0);
	}
}

static void room_follows_the_list(void **state)
{
	(void)state;
	assert_int_equal(parse("drop=0.5"), 0);
	assert_int_equal(impair_reorder_room(&list), 0);
	assert_int_equal(impair_delay_room(&list), 0);
	assert_int_equal(parse("reorder=0.9:1024,delay=10s"), 0);
	assert_in_range(impair_reorder_room(&list), 1024 * 9, 65536);
	assert_int_equal(impair_delay_room(&list), 65536);
	assert_int_equal(parse("delay=200us"), 0);
	assert_in_range(impair_delay_room(&list), 3000, 8192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_arrive),	  cmocka_unit_test(short_forms),
		cmocka_unit_test(lists_add_up),		  cmocka_unit_test(wrong_lists_are_named),
		cmocka_unit_test(any_bytes_are_survived), cmocka_unit_test(room_follows_the_list),
	};

	return cmocka_run_group_tests_name("dut impair list", tests, NULL, NULL);
}

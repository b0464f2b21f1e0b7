/*
 * Lists of impairments, one or several with NUL between them, as several --impair are: what is
 * taken is in the bounds that the stages rely on.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "dut/impair_list.h"

#define MAX_LISTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *lists[MAX_LISTS], err[200], *text;
	struct impair_list list = {0};
	int n;

	text = fuzz_words(data, size, lists, MAX_LISTS, &n);
	for (int i = 0; i < n; i++) {
		if (impair_list_parse(&list, lists[i], err, sizeof(err))) {
			FUZZ_CHECK(*err);
			free(text);
			return 0;
		}
	}
	FUZZ_CHECK(!(list.kinds & IMPAIR_RATE) || (isfinite(list.pps) && list.pps >= 1));
	FUZZ_CHECK(!(list.kinds & IMPAIR_RATE) || list.bucket >= 1);
	FUZZ_CHECK(list.drop <= CHANCE_ALWAYS && list.corrupt <= CHANCE_ALWAYS);
	FUZZ_CHECK(list.dup <= CHANCE_ALWAYS && list.reorder <= CHANCE_ALWAYS);
	FUZZ_CHECK(list.drop_n <= list.drop_of);
	FUZZ_CHECK(list.depth <= IMPAIR_MAX_DEPTH);
	FUZZ_CHECK(list.delay_min_ns <= list.delay_max_ns);
	FUZZ_CHECK(!(list.kinds & IMPAIR_OUTAGE) || list.outage_from_ns < list.outage_to_ns);
	FUZZ_CHECK(list.outage_to_ns <= 3600000000000ull);
	FUZZ_CHECK(!(list.kinds & IMPAIR_STALL) || list.stall_ns < list.stall_period_ns);
	FUZZ_CHECK(!(list.kinds & IMPAIR_REORDER) || impair_reorder_room(&list) > 0);
	FUZZ_CHECK(!(list.kinds & IMPAIR_DELAY) || impair_delay_room(&list) > 0);
	FUZZ_CHECK(memchr(list.text, 0, sizeof(list.text)));
	free(text);
	return 0;
}

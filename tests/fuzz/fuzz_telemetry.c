/*
 * What a DUT told over telemetry, any JSON: a snapshot before and one after, NUL between them (one
 * alone is both).
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "gen/dut_client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[2] = {NULL, NULL}, *text;
	json_t *before, *after;
	struct dut_change c;
	json_error_t bad;
	int n;

	text = fuzz_words(data, size, words, 2, &n);
	before = n > 0 ? json_loads(words[0], 0, &bad) : NULL;
	after = n > 1 ? json_loads(words[1], 0, &bad) : json_incref(before);
	(void)dut_compare(before, after, 1, 1000000000, &c);
	FUZZ_CHECK(isnan(c.cpu_busy) || c.cpu_busy <= 1);
	(void)dut_compare(before, after, 0, UINT64_MAX, &c);
	FUZZ_CHECK(isnan(c.cpu_busy) && !c.same_clock);
	if (before == after)
		FUZZ_CHECK(dut_compare(before, after, 1, 0, &c));
	json_decref(before);
	json_decref(after);
	free(text);
	return 0;
}

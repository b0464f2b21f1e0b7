/*
 * A rule of split mode, NUL, and a frame held against it: no byte behind the frame is read, and a
 * frame without UDP is the kernel's.
 */
#include "tests/fuzz/fuzz.h"

#include "dut/split_rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, 0, size);
	struct split_rule rule = {0};
	char err[256] = "";
	uint8_t *frame;
	size_t len;

	if (!end)
		return 0;
	if (split_rule_parse(&rule, (const char *)data, err, sizeof(err)) < 0) {
		FUZZ_CHECK(*err && rule.kind == SPLIT_NONE);
		return 0;
	}
	/* In memory of its own length. */
	len = (size_t)(data + size - end - 1);
	frame = malloc(len + !len);
	if (!frame)
		return 0;
	memcpy(frame, end + 1, len);
	FUZZ_CHECK(split_rule_to_kernel(&rule, frame, (uint32_t)len) || len >= 42);
	free(frame);
	return 0;
}

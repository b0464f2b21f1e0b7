/*
 * The parsers of units: what they take is in bounds, and a rate, a MAC or an address that is
 * written out reads back as the same.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "common/units.h"

#define MAX_SIZES 8

static char err[200];

static void fuzz_rate(const char *text)
{
	static const uint32_t sizes[] = {FRAME_MIN, FRAME_MAX, FRAME_JUMBO_MAX};
	struct rate rate, again;
	char written[64];
	double pps;

	if (rate_parse(text, &rate, err, sizeof(err)))
		return;
	FUZZ_CHECK(rate.kind <= RATE_PERCENT_OF_MAX);
	FUZZ_CHECK(rate.kind == RATE_MAX || (isfinite(rate.value) && rate.value >= 0));
	FUZZ_CHECK(rate_parse(rate_format(&rate, written, sizeof(written)), &again, err,
			      sizeof(err)) == 0);
	FUZZ_CHECK(again.kind == rate.kind);
	/* A rate is written with 15 decimals at most. */
	FUZZ_CHECK(rate.kind == RATE_MAX ||
		   fabs(again.value - rate.value) <= rate.value * 1e-12 + 1e-15);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (!rate_to_pps(&rate, sizes[i], 10e9, 1e6, &pps, err, sizeof(err)))
			FUZZ_CHECK(isfinite(pps) && pps >= 0);
		(void)rate_to_pps(&rate, sizes[i], 0, 0, &pps, err, sizeof(err));
	}
}

static void fuzz_numbers(const char *text)
{
	uint32_t sizes[MAX_SIZES];
	uint64_t whole;
	double bps;
	size_t n;

	if (!line_rate_parse(text, &bps, err, sizeof(err)))
		FUZZ_CHECK(isfinite(bps) && bps > 0);
	if (!duration_parse(text, &whole, err, sizeof(err)))
		(void)duration_format((double)whole / 1e9, err, sizeof(err));
	if (!count_parse(text, 3, 5000, &whole, err, sizeof(err)))
		FUZZ_CHECK(whole >= 3 && whole <= 5000);
	(void)count_parse(text, 0, UINT64_MAX, &whole, err, sizeof(err));
	if (!sizes_parse(text, sizes, MAX_SIZES, &n, err, sizeof(err))) {
		FUZZ_CHECK(n >= 1 && n <= MAX_SIZES);
		for (size_t i = 0; i < n; i++)
			FUZZ_CHECK(sizes[i] >= FRAME_MIN && sizes[i] <= FRAME_JUMBO_MAX);
	}
}

static void fuzz_addresses(const char *text)
{
	uint8_t mac[6], same_mac[6];
	uint32_t addr, same_addr;
	char written[32];

	if (!mac_parse(text, mac, err, sizeof(err))) {
		FUZZ_CHECK(!mac_parse(mac_format(mac, written, sizeof(written)), same_mac, err,
				      sizeof(err)));
		FUZZ_CHECK(!memcmp(mac, same_mac, sizeof(mac)));
	}
	if (!ipv4_parse(text, &addr, err, sizeof(err))) {
		FUZZ_CHECK(!ipv4_parse(ipv4_format(addr, written, sizeof(written)), &same_addr, err,
				       sizeof(err)));
		FUZZ_CHECK(addr == same_addr);
	}
}

/* Any double at all, as a figure for people. */
static void fuzz_formats(const uint8_t *data, size_t size)
{
	char written[24];
	double value;

	if (size < sizeof(value))
		return;
	memcpy(&value, data, sizeof(value));
	FUZZ_CHECK(*si_format(value, "pps", written, sizeof(written)));
	FUZZ_CHECK(*ns_format(value, written, sizeof(written)));
	FUZZ_CHECK(*duration_format(value, written, sizeof(written)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	fuzz_rate(text);
	fuzz_numbers(text);
	fuzz_addresses(text);
	fuzz_formats(data, size);
	free(text);
	return 0;
}

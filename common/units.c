/*
 * Reading rates, durations, line rates, counts and frame sizes, and the arithmetic between L1, L2
 * and frames.
 */
#include "common/units.h"
#include "common/units_number.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_DIGITS	   18
#define RATE_LEAST	   1e-9L /* of any unit: what rate_format writes with digits to spare */
#define MAX_PPS		   1e12
#define MAX_BPS		   1e15
#define MAX_PERCENT	   100.0
#define MAX_PERCENT_OF_MAX 200.0

int units_error(char *err, size_t errlen, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(err, errlen, format, ap);
	va_end(ap);
	return -EINVAL;
}

int number_parse(const char *text, const char **end, long double *value)
{
	unsigned long long whole = 0;
	long double scale = 1;
	int digits = 0;

	for (; isdigit((unsigned char)*text); text++, digits++) {
		if (digits == MAX_DIGITS)
			return -EINVAL;
		whole = whole * 10 + (unsigned int)(*text - '0');
	}
	if (!digits)
		return -EINVAL;
	if (*text == '.' && !isdigit((unsigned char)text[1]))
		return -EINVAL;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++, digits++) {
			if (digits == MAX_DIGITS)
				return -EINVAL;
			whole = whole * 10 + (unsigned int)(*text - '0');
			scale *= 10;
		}
	}
	*value = (long double)whole / scale;
	*end = text;
	return 0;
}

const struct suffix *suffix_find(const struct suffix *table, const char *text)
{
	for (; table->text; table++)
		if (!strcasecmp(table->text, text))
			return table;
	return NULL;
}

struct rate_unit {
	struct suffix suffix;
	enum rate_kind kind;
	double max;
};

/* The suffix comes first in each entry, so that a match is an entry. */
static const struct rate_unit rate_units[] = {
	{{"", 1}, RATE_PPS, MAX_PPS},
	{{"pps", 1}, RATE_PPS, MAX_PPS},
	{{"kpps", 1e3}, RATE_PPS, MAX_PPS},
	{{"mpps", 1e6}, RATE_PPS, MAX_PPS},
	{{"gpps", 1e9}, RATE_PPS, MAX_PPS},
	{{"bps", 1}, RATE_L2_BPS, MAX_BPS},
	{{"kbps", 1e3}, RATE_L2_BPS, MAX_BPS},
	{{"mbps", 1e6}, RATE_L2_BPS, MAX_BPS},
	{{"gbps", 1e9}, RATE_L2_BPS, MAX_BPS},
	{{"bps-l2", 1}, RATE_L2_BPS, MAX_BPS},
	{{"kbps-l2", 1e3}, RATE_L2_BPS, MAX_BPS},
	{{"mbps-l2", 1e6}, RATE_L2_BPS, MAX_BPS},
	{{"gbps-l2", 1e9}, RATE_L2_BPS, MAX_BPS},
	{{"bps-l1", 1}, RATE_L1_BPS, MAX_BPS},
	{{"kbps-l1", 1e3}, RATE_L1_BPS, MAX_BPS},
	{{"mbps-l1", 1e6}, RATE_L1_BPS, MAX_BPS},
	{{"gbps-l1", 1e9}, RATE_L1_BPS, MAX_BPS},
	{{"%", 1}, RATE_PERCENT, MAX_PERCENT},
	{{"%max", 1}, RATE_PERCENT_OF_MAX, MAX_PERCENT_OF_MAX},
};

static int rate_error(const char *text, char *err, size_t errlen)
{
	return units_error(err, errlen,
			   "rate '%s': expected e.g. 500kpps, 1.2mpps, 10gbps, 10gbps-l1, 25%%, "
			   "50%%max or max",
			   text);
}

int rate_parse(const char *text, struct rate *rate, char *err, size_t errlen)
{
	const struct rate_unit *unit = NULL;
	const char *end;
	long double number;

	if (!strcasecmp(text, "max")) {
		*rate = (struct rate){.kind = RATE_MAX};
		return 0;
	}
	if (number_parse(text, &end, &number))
		return rate_error(text, err, errlen);
	for (size_t i = 0; i < sizeof(rate_units) / sizeof(rate_units[0]); i++)
		if (!strcasecmp(rate_units[i].suffix.text, end))
			unit = &rate_units[i];
	if (!unit)
		return rate_error(text, err, errlen);
	number *= unit->suffix.factor;
	if (number <= 0)
		return units_error(err, errlen, "rate '%s': must be above 0", text);
	if (number < RATE_LEAST)
		return units_error(err, errlen, "rate '%s': must be at least %Lg", text,
				   RATE_LEAST);
	if (number > unit->max)
		return units_error(err, errlen, "rate '%s': must be at most %.15g%s", text,
				   unit->max,
				   unit->kind == RATE_PPS	       ? " pps"
				   : unit->kind == RATE_PERCENT	       ? "%"
				   : unit->kind == RATE_PERCENT_OF_MAX ? "%max"
								       : " bps");
	*rate = (struct rate){.kind = unit->kind, .value = (double)number};
	return 0;
}

double pps_to_l1_bps(double pps, uint32_t frame_size)
{
	return pps * 8 * (frame_size + FRAME_L1_OVERHEAD);
}

double pps_to_l2_bps(double pps, uint32_t frame_size)
{
	return pps * 8 * frame_size;
}

double line_rate_pps(double line_rate_bps, uint32_t frame_size)
{
	return line_rate_bps / 8 / (frame_size + FRAME_L1_OVERHEAD);
}

int rate_to_pps(const struct rate *rate, uint32_t frame_size, double line_rate_bps, double max_pps,
		double *pps, char *err, size_t errlen)
{
	if (!frame_size)
		return units_error(err, errlen, "a rate needs a frame size above 0");
	switch (rate->kind) {
	case RATE_MAX:
		*pps = 0;
		return 0;
	case RATE_PPS:
		*pps = rate->value;
		return 0;
	case RATE_L2_BPS:
		*pps = rate->value / 8 / frame_size;
		return 0;
	case RATE_L1_BPS:
		*pps = line_rate_pps(rate->value, frame_size);
		return 0;
	case RATE_PERCENT:
		if (!(line_rate_bps > 0))
			return units_error(err, errlen,
					   "a rate in %% needs a line rate: give --line-rate, "
					   "e.g. --line-rate 10g");
		*pps = line_rate_pps(line_rate_bps, frame_size) * rate->value / 100;
		return 0;
	case RATE_PERCENT_OF_MAX:
		if (!(max_pps > 0))
			return units_error(err, errlen,
					   "a rate in %%max needs a forwarding rate measured "
					   "before: put max in front, e.g. --rate max,50%%max");
		*pps = max_pps * rate->value / 100;
		return 0;
	}
	return units_error(err, errlen, "a rate of unknown kind");
}

int duration_parse(const char *text, uint64_t *ns, char *err, size_t errlen)
{
	static const struct suffix suffixes[] = {
		{"", 1e9}, {"s", 1e9},	{"ms", 1e6},   {"us", 1e3},
		{"ns", 1}, {"m", 60e9}, {"h", 3600e9}, {NULL, 0},
	};
	const struct suffix *suffix = NULL;
	const char *end;
	long double number;

	if (!number_parse(text, &end, &number))
		suffix = suffix_find(suffixes, end);
	if (!suffix)
		return units_error(err, errlen,
				   "duration '%s': expected e.g. 10 (seconds), 1.5s, 200ms, 50us, "
				   "80ns, 2m or 1h",
				   text);
	number *= suffix->factor;
	if (number >= (long double)INT64_MAX)
		return units_error(err, errlen, "duration '%s': too long", text);
	*ns = (uint64_t)(number + 0.5L);
	return 0;
}

int line_rate_parse(const char *text, double *bps, char *err, size_t errlen)
{
	static const struct suffix suffixes[] = {
		{"m", 1e6}, {"mbps", 1e6}, {"g", 1e9}, {"gbps", 1e9},
		{"k", 1e3}, {"kbps", 1e3}, {NULL, 0},
	};
	const struct suffix *suffix = NULL;
	const char *end;
	long double number;

	if (!number_parse(text, &end, &number))
		suffix = suffix_find(suffixes, end);
	if (!suffix)
		return units_error(err, errlen, "line rate '%s': expected e.g. 10g, 2.5g or 100m",
				   text);
	number *= suffix->factor;
	if (number <= 0 || number > MAX_BPS)
		return units_error(err, errlen,
				   "line rate '%s': must be above 0 and at most 1000000g", text);
	*bps = (double)number;
	return 0;
}

int count_parse(const char *text, uint64_t min, uint64_t max, uint64_t *count, char *err,
		size_t errlen)
{
	static const struct suffix suffixes[] = {
		{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {NULL, 0}};
	const struct suffix *suffix;
	const char *end = text;
	uint64_t value = 0;
	bool overflow = false;

	for (; isdigit((unsigned char)*end); end++)
		overflow |= __builtin_mul_overflow(value, 10, &value) ||
			    __builtin_add_overflow(value, (uint64_t)(*end - '0'), &value);
	suffix = end > text ? suffix_find(suffixes, end) : NULL;
	if (!suffix)
		return units_error(err, errlen,
				   "count '%s': expected a whole number, e.g. 1000, 64k or 1m",
				   text);
	overflow |= __builtin_mul_overflow(value, (uint64_t)suffix->factor, &value);
	if (overflow || value < min || value > max) {
		if (max == UINT64_MAX)
			return units_error(err, errlen, "count '%s': must be %s%llu", text,
					   overflow ? "below 2^64 and at least " : "at least ",
					   (unsigned long long)min);
		return units_error(err, errlen, "count '%s': must be from %llu to %llu", text,
				   (unsigned long long)min, (unsigned long long)max);
	}
	*count = value;
	return 0;
}

/* One element of a list of sizes, from text up to end. */
static int size_element(const char *list, const char *text, const char *end, uint32_t *size,
			char *err, size_t errlen)
{
	uint32_t value = 0;

	if (text == end)
		return units_error(err, errlen, "sizes '%s': an element is empty", list);
	for (const char *p = text; p < end; p++) {
		if (!isdigit((unsigned char)*p))
			return units_error(err, errlen,
					   "sizes '%s': expected e.g. 64 or 64,512,1518", list);
		if (value <= FRAME_JUMBO_MAX) /* more digits only make it larger */
			value = value * 10 + (uint32_t)(*p - '0');
	}
	if (value < FRAME_MIN || value > FRAME_JUMBO_MAX)
		return units_error(err, errlen,
				   "sizes '%s': %.*s is not from %u to %u bytes (FCS included)",
				   list, (int)(end - text), text, FRAME_MIN, FRAME_JUMBO_MAX);
	*size = value;
	return 0;
}

static bool contains(const uint32_t *sizes, size_t n, uint32_t size)
{
	for (size_t i = 0; i < n; i++)
		if (sizes[i] == size)
			return true;
	return false;
}

int sizes_parse(const char *text, uint32_t *sizes, size_t max, size_t *n, char *err, size_t errlen)
{
	uint32_t read[FRAME_JUMBO_MAX - FRAME_MIN + 1];
	const char *from = text, *end;
	size_t count = 0;

	for (;; from = end + 1) {
		uint32_t size = 0;
		int rc;

		end = from + strcspn(from, ",");
		if (count == max || count == sizeof(read) / sizeof(read[0]))
			return units_error(err, errlen, "sizes '%s': more than %zu sizes", text,
					   count);
		rc = size_element(text, from, end, &size, err, errlen);
		if (rc)
			return rc;
		if (contains(read, count, size))
			return units_error(err, errlen, "sizes '%s': %u stands there twice", text,
					   size);
		read[count++] = size;
		if (!*end)
			break;
	}
	memcpy(sizes, read, count * sizeof(*sizes));
	*n = count;
	return 0;
}

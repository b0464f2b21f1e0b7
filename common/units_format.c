/*
 * Rates, quantities and times as text for people: always three significant digits, always a unit.
 */
#include "common/units.h"

#include <math.h>
#include <stdio.h>

/* Digits behind the point that tell any rate from its neighbours. */
#define RATE_DECIMALS 15

char *rate_format(const struct rate *rate, char *buf, size_t len)
{
	static const char *const units[] = {
		[RATE_MAX] = "",	  [RATE_PPS] = "pps",	[RATE_L2_BPS] = "bps",
		[RATE_L1_BPS] = "bps-l1", [RATE_PERCENT] = "%", [RATE_PERCENT_OF_MAX] = "%max",
	};
	static const struct {
		const char *text;
		double factor;
	} prefixes[] = {{"g", 1e9}, {"m", 1e6}, {"k", 1e3}, {"", 1}};
	struct rate again;
	size_t i = 3;
	char err[1];

	if (rate->kind == RATE_MAX) {
		snprintf(buf, len, "max");
		return buf;
	}
	if (rate->kind != RATE_PERCENT && rate->kind != RATE_PERCENT_OF_MAX)
		for (i = 0; i < 3 && rate->value < prefixes[i].factor; i++)
			;
	/* The fewest digits that read back as the same rate. */
	for (int decimals = 0; decimals <= RATE_DECIMALS; decimals++) {
		snprintf(buf, len, "%.*f%s%s", decimals, rate->value / prefixes[i].factor,
			 prefixes[i].text, units[rate->kind]);
		if (!rate_parse(buf, &again, err, sizeof(err)) && again.value == rate->value)
			break;
	}
	return buf;
}

/* value, rounded to three significant digits, with as many decimals as these need. */
static void three_digits(double value, const char *prefix, const char *unit, char *buf, size_t len)
{
	double size = fabs(value);
	int decimals = size < 10 ? 2 : size < 100 ? 1 : 0;

	if (size > 0 && size < 1)
		decimals = 2 - (int)floor(log10(size));
	if (decimals > 12) /* as good as 0 in any unit */
		decimals = 12;
	snprintf(buf, len, "%.*f %s%s", decimals, value, prefix, unit);
}

static double round_to_three(double value)
{
	double step;

	if (value == 0)
		return 0;
	step = pow(10, floor(log10(fabs(value))) - 2);
	return round(value / step) * step;
}

char *si_format(double value, const char *unit, char *buf, size_t len)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T"};
	size_t i = 0;

	if (!isfinite(value)) {
		snprintf(buf, len, "-");
		return buf;
	}
	/* Rounded first: 999,600 is 1.00 M and not 1000 k. */
	value = round_to_three(value);
	for (; i < 4 && fabs(value) > 999.5; i++)
		value /= 1000;
	three_digits(value, prefixes[i], unit, buf, len);
	return buf;
}

char *ns_format(double ns, char *buf, size_t len)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t i = 0;

	if (!isfinite(ns)) {
		snprintf(buf, len, "-");
		return buf;
	}
	ns = round_to_three(ns);
	for (; i < 3 && fabs(ns) > 999.5; i++)
		ns /= 1000;
	three_digits(ns, "", units[i], buf, len);
	return buf;
}

char *duration_format(double seconds, char *buf, size_t len)
{
	unsigned long long s;

	if (!isfinite(seconds) || seconds > 1e15) {
		snprintf(buf, len, "-");
		return buf;
	}
	s = seconds > 0 ? (unsigned long long)(seconds + 0.5) : 0;
	if (s < 3600)
		snprintf(buf, len, "%llu:%02llu", s / 60, s % 60);
	else
		snprintf(buf, len, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
	return buf;
}

/*
 * Round ticks. Values are made from whole multiples of a step or a power of ten, never by adding
 * up, so that a label reads 0.3 and not 0.30000000000000004, and a tick at the end of the range is
 * not lost to rounding.
 */
#include "plots/axis.h"

#include <math.h>
#include <stdio.h>

#define STEPS_MAX 8    /* of a linear axis */
#define NEARLY	  1e-9 /* relative: data that is a tick but for rounding needs no further one */
#define DECADES_MAX                                                                                \
	16		 /* of a log axis: what a double or a corrupt record may span is cut there \
			  */
#define LARGEST	   1e300 /* within what powers of ten and their inverses stay finite */
#define SMALLEST   1e-300
#define LABELS_125 3 /* decades up to which 2 and 5 are labelled too */

static void add_tick(struct axis *axis, double value, bool label)
{
	struct tick *tick;

	if (axis->n_ticks == AXIS_TICKS_MAX)
		return;
	tick = &axis->tick[axis->n_ticks++];
	tick->value = value;
	tick->label[0] = 0;
	if (label)
		snprintf(tick->label, sizeof(tick->label), "%.10g", value);
}

/* value rounded up to 1, 2, 5 or 10 times a power of ten. */
static double round_step(double value)
{
	static const double nice[] = {1, 2, 5, 10};
	double decade = pow(10, floor(log10(value)));

	for (size_t i = 0; i < sizeof(nice) / sizeof(nice[0]); i++)
		if (value <= nice[i] * decade * (1 + NEARLY))
			return nice[i] * decade;
	return 10 * decade;
}

void axis_linear(struct axis *axis, double max)
{
	double step;
	int n;

	if (!isfinite(max) || max <= 0)
		max = 1;
	max = fmin(fmax(max, SMALLEST), LARGEST);
	step = round_step(max / STEPS_MAX);
	n = (int)ceil(max / step * (1 - NEARLY));
	axis->log = false;
	axis->n_ticks = 0;
	axis->lo = 0;
	axis->hi = n * step;
	for (int i = 0; i <= n; i++)
		add_tick(axis, i * step, true);
}

/* m x 10^e, exact where a double can be: dividing by a power of ten rounds once, multiplying by 0.1
 * twice. */
static double decimal(int m, int e)
{
	return e < 0 ? m / pow(10, -e) : m * pow(10, e);
}

void axis_log(struct axis *axis, double lo, double hi)
{
	static const int nice[] = {1, 2, 5};
	double start, end;
	int first, last;

	if (!isfinite(lo) || !isfinite(hi) || lo <= 0 || hi < lo) {
		lo = 1;
		hi = 10;
	}
	hi = fmin(fmax(hi, SMALLEST), LARGEST);
	lo = fmin(fmax(lo, SMALLEST), hi);
	if (hi > lo * pow(10, DECADES_MAX))
		lo = hi / pow(10, DECADES_MAX);
	first = (int)floor(log10(lo) + NEARLY);
	last = (int)floor(log10(hi) + NEARLY) + 1;
	start = decimal(1, first);
	end = decimal(1, last);
	for (int i = 0; i < 3; i++)
		if (decimal(nice[i], first) <= lo * (1 + NEARLY))
			start = decimal(nice[i], first);
	for (int i = 2; i >= 0; i--)
		if (decimal(nice[i], last - 1) >= hi * (1 - NEARLY))
			end = decimal(nice[i], last - 1);
	if (end <= start) /* a single value that is round itself */
		end = decimal(1, last);
	axis->log = true;
	axis->n_ticks = 0;
	axis->lo = start;
	axis->hi = end;
	for (int e = first; e <= last; e++) {
		for (int m = 1; m <= 9; m++) {
			double value = decimal(m, e);
			bool label = m == 1 || ((m == 2 || m == 5) &&
						end / start <= pow(10, LABELS_125) * (1 + NEARLY));

			if (value >= start && value <= end)
				add_tick(axis, value, label);
		}
	}
}

double axis_fraction(const struct axis *axis, double value)
{
	double f;

	if (axis->log)
		f = value > 0 ? log(value / axis->lo) / log(axis->hi / axis->lo) : 0;
	else
		f = (value - axis->lo) / (axis->hi - axis->lo);
	return f < 0 ? 0 : f > 1 ? 1 : f;
}

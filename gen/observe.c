/*
 * From a trial's records to what a method sees of it.
 */
#include "gen/measure.h"

#include "common/results.h"

#include <math.h>
#include <string.h>

#define LIMITED 0.01 /* a load missed by more than this is beyond the generator */

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* The mean of what was asked for, when the load fell on the way. */
static double mean_asked(const struct method_ask *ask)
{
	double first = ask->duration_s, then = ask->then_duration_s;

	return ask->then_pps > 0 ? (ask->pps * first + ask->then_pps * then) / (first + then)
				 : ask->pps;
}

/* One direction. A trial with two loads is said to have offered the first, as much of it as of
 * both together. */
static void observe_one(const json_t *r, const struct method_ask *ask, struct observation *seen)
{
	bool door = json_is_true(json_object_get(r, "refused_is_loss"));
	double refused = door ? or_zero(result_num(r, "tx.refused")) : 0;
	double offered = or_zero(result_num(r, "tx.sent")) + refused;
	double lost = or_zero(result_num(r, "rx.lost"));
	/* A frame may be both: lost in a stall of ours because we missed it. */
	double ours = fmax(or_zero(result_num(r, "rx.gen_missed")),
			   or_zero(result_num(r, "rx.lost_in_gen_stall")));
	const char *verdict = result_str(r, "verdict");
	double entered;

	*seen = (struct observation){0};
	/* What we lost says nothing of the DUT, neither that it took the frame nor that it did not.
	 */
	ours = fmin(ours, lost);
	lost = lost - ours + refused;
	entered = offered - ours;
	seen->duration_s = or_zero(result_num(r, "duration_s.actual"));
	seen->offered_pps = seen->duration_s > 0 ? offered / seen->duration_s : 0;
	if (ask->then_pps > 0)
		seen->offered_pps *= ask->pps / mean_asked(ask);
	seen->offered = (uint64_t)entered;
	seen->lost = (uint64_t)lost;
	seen->loss_ratio = entered > 0 ? lost / entered : 1;
	seen->forwarded_pps = or_zero(result_num(r, "rx.pps"));
	seen->lost_in_dut_stall = (uint64_t)or_zero(result_num(r, "rx.lost_in_dut_stall"));
	if (door)
		seen->lost_in_dut_stall +=
			(uint64_t)or_zero(result_num(r, "tx.refused_in_dut_stall"));
	if (seen->lost_in_dut_stall > seen->lost)
		seen->lost_in_dut_stall = seen->lost;
	seen->invalid = !verdict || !strcmp(verdict, "invalid");
	seen->disturbed = verdict && !strcmp(verdict, "disturbed");
	seen->generator_limited = json_is_true(json_object_get(r, "generator_limited")) ||
				  seen->offered_pps < ask->pps * (1 - LIMITED);
	seen->recovery_s = result_num(r, "then.recovery_s");
	seen->outage_s = result_num(r, "outage_s");
	seen->cost_s = or_zero(result_num(r, "test.cost_s"));
}

/* The worse of two directions, in each of their figures. */
static void worse(struct observation *a, const struct observation *b)
{
	if (b->loss_ratio > a->loss_ratio) {
		a->offered = b->offered;
		a->lost = b->lost;
		a->loss_ratio = b->loss_ratio;
		a->lost_in_dut_stall = b->lost_in_dut_stall;
	}
	a->offered_pps = fmin(a->offered_pps, b->offered_pps);
	a->duration_s = fmax(a->duration_s, b->duration_s);
	a->forwarded_pps = fmin(a->forwarded_pps, b->forwarded_pps);
	a->invalid |= b->invalid;
	a->disturbed |= b->disturbed;
	a->generator_limited |= b->generator_limited;
	a->recovery_s = fmax(a->recovery_s, b->recovery_s);
	a->outage_s =
		isnan(a->outage_s) || isnan(b->outage_s) ? NAN : fmax(a->outage_s, b->outage_s);
}

void measure_observe(const json_t *records, const struct method_ask *ask, struct observation *seen)
{
	bool any = false;

	*seen = (struct observation){.invalid = true, .loss_ratio = 1, .outage_s = NAN};
	for (size_t i = 0; i < json_array_size(records); i++) {
		const json_t *r = json_array_get(records, i);
		const char *stream = result_str(r, "stream");
		struct observation one;

		if (stream && strcmp(stream, "all"))
			continue; /* a part of the whole */
		observe_one(r, ask, &one);
		if (any)
			worse(seen, &one);
		else
			*seen = one;
		any = true;
	}
}

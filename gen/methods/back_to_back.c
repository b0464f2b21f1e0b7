/*
 * The search for the longest burst without loss. Each repetition finds a pair of its own of a burst
 * that passed and one that failed; only where it begins is taken from the repetition before, from
 * where it walks in doubling steps until the value is bracketed. Against a steady DUT that makes
 * two bursts of what would be two dozen, fifty times.
 */
#include "gen/methods/back_to_back.h"

#include <errno.h>
#include <math.h>

/* What try_burst() returns besides 0 and a negative errno: a trial stayed invalid. */
#define STAYED_INVALID 1

/* Bursts of a repetition that starts from the one before, where the DUT is steady. */
#define STEADY_TRIALS 3

/* A burst that bounds the value. */
struct bound {
	double frames; /* NaN: none yet */
	double pps;
	bool limited;	/* it was sent slower than asked */
	bool in_stalls; /* it lost frames in the DUT's stalls only */
};

struct search {
	const struct back_to_back_spec *spec;
	const struct measurer *measurer;
	struct back_to_back_result *result;
	double min, max;	     /* frames */
	struct bound passed, failed; /* of this repetition */
	struct spread pps;	     /* of all bounds */
	bool limited;		     /* any of them */
};

static double longest(const struct back_to_back_spec *spec)
{
	return floor(spec->max_pps * spec->max_burst_s);
}

static bool sensible(const struct back_to_back_spec *spec)
{
	return spec->max_pps > 0 && isfinite(spec->max_pps) && spec->min_frames > 0 &&
	       longest(spec) >= (double)spec->min_frames && longest(spec) < 1e15 &&
	       spec->resolution_frames > 0 && spec->resolution >= 0 && spec->resolution < 1 &&
	       spec->repetitions > 0 && !(spec->throughput_pps < 0);
}

/* The width of the bounds at which a search ends. */
static double width(const struct back_to_back_spec *spec, double frames)
{
	return fmax((double)spec->resolution_frames, floor(spec->resolution * frames));
}

/* Halves by ratio while the bounds are far apart: buffers differ by orders of magnitude. */
static double middle(double lower, double upper)
{
	return fmax(floor(upper > 2 * lower ? sqrt(lower * upper) : (lower + upper) / 2),
		    lower + 1);
}

unsigned int back_to_back_trials(const struct back_to_back_spec *spec)
{
	double ratio = fmax(longest(spec) / (double)spec->min_frames, 2);
	double first = 2 + ceil(log2(log2(ratio)));

	if (spec->resolution > 0) /* what is left of a range of 2 in relative width */
		first += ceil(fmin(log2(1 / spec->resolution), log2(longest(spec))));
	else
		first += ceil(log2(fmax(longest(spec) / (double)spec->resolution_frames, 2)));
	return (unsigned int)first + STEADY_TRIALS * (spec->repetitions - 1);
}

double back_to_back_estimate_s(const struct back_to_back_spec *spec, double overhead_s)
{
	return back_to_back_trials(spec) * (spec->max_burst_s + overhead_s);
}

/* Tries a burst and narrows the bounds by it. */
static int try_burst(struct search *s, double frames)
{
	struct method_ask ask = {.pps = s->spec->max_pps, .frames = (uint64_t)frames};
	struct observation seen;
	int error;

	error = tally_trial(&s->result->tally, s->measurer, &ask, s->spec->repeats, &seen);
	if (error)
		return error;
	if (seen.invalid)
		return STAYED_INVALID;
	*(tally_passed(&seen, 0) ? &s->passed : &s->failed) =
		(struct bound){.frames = seen.offered ? (double)seen.offered : frames,
			       .pps = seen.offered_pps,
			       .limited = seen.generator_limited,
			       .in_stalls = tally_failed_in_stalls(&seen, 0)};
	return 0;
}

/* Walks from `start` until one burst passed and one failed, or an end of the range is reached. */
static int bracket(struct search *s, double start)
{
	double frames = start, step = width(s->spec, start);

	for (;;) {
		int error = try_burst(s, frames);

		if (error)
			return error;
		if (!isnan(s->passed.frames) && !isnan(s->failed.frames))
			return 0;
		if (!isnan(s->passed.frames) ? s->passed.frames >= s->max
					     : s->failed.frames <= s->min)
			return 0;
		frames += isnan(s->failed.frames) ? step : -step;
		frames = fmin(fmax(frames, s->min), s->max);
		step *= 2;
	}
}

static int halve(struct search *s)
{
	for (;;) {
		double lower = isnan(s->passed.frames) ? s->min : s->passed.frames, frames = s->min;
		int error;

		if (s->failed.frames - lower > width(s->spec, s->failed.frames))
			frames = middle(lower, s->failed.frames);
		else if (!isnan(s->passed.frames) || s->failed.frames <= s->min)
			return 0;
		error = try_burst(s, frames);
		if (error)
			return error;
	}
}

/* One repetition, from the longest burst or from the value before. */
static int repetition(struct search *s, double start, enum outcome *outcome)
{
	int error;

	s->passed = s->failed = (struct bound){.frames = NAN};
	error = start > 0 ? bracket(s, start) : try_burst(s, s->max);
	if (!error && !isnan(s->failed.frames))
		error = halve(s);
	if (error == STAYED_INVALID) {
		*outcome = OUTCOME_INVALID;
		return 0;
	}
	if (error)
		return error;
	if (isnan(s->failed.frames))
		*outcome = s->passed.limited ? OUTCOME_GENERATOR_LIMITED : OUTCOME_UNBOUNDED;
	else if (isnan(s->passed.frames))
		*outcome = s->failed.in_stalls ? OUTCOME_ZERO_LOSS_IMPOSSIBLE : OUTCOME_NONE;
	else
		*outcome = OUTCOME_FOUND;
	return 0;
}

/* RFC 9004 section 6.4, with the rate of the bursts where that is not the theoretical one. */
static void buffer_times(struct search *s)
{
	struct back_to_back_result *r = s->result;
	double pps = s->limited ? r->burst_pps : s->spec->max_pps;

	r->implied_s = r->frames.average / pps;
	r->corrected_s = pps > s->spec->throughput_pps
				 ? r->implied_s * (1 - s->spec->throughput_pps / pps)
				 : NAN;
}

static void take(struct search *s, unsigned int n)
{
	spread_add(&s->result->frames, s->passed.frames);
	if (s->spec->values)
		s->spec->values[n] = s->passed.frames;
	spread_add(&s->pps, s->passed.pps);
	spread_add(&s->pps, s->failed.pps);
	s->limited |= s->passed.limited || s->failed.limited;
	s->result->burst_pps = s->pps.average;
	buffer_times(s);
}

int back_to_back_search(const struct back_to_back_spec *spec, const struct measurer *m,
			struct back_to_back_result *result)
{
	struct search s = {.spec = spec,
			   .measurer = m,
			   .result = result,
			   .min = (double)spec->min_frames,
			   .max = longest(spec)};

	*result = (struct back_to_back_result){
		.burst_pps = NAN, .implied_s = NAN, .corrected_s = NAN};
	spread_init(&result->frames);
	spread_init(&s.pps);
	if (!sensible(spec))
		return -EINVAL;
	/* RFC 9004 section 5: without overload there is nothing to buffer. */
	if (spec->throughput_pps >= spec->max_pps * (1 - TALLY_SHORTFALL)) {
		result->outcome = OUTCOME_LINE_RATE;
		return 0;
	}
	for (unsigned int n = 0; n < spec->repetitions; n++) {
		enum outcome outcome;
		int error = repetition(&s, n ? s.passed.frames : 0, &outcome);

		if (error)
			return error;
		if (outcome != OUTCOME_FOUND) {
			result->outcome = outcome;
			return 0;
		}
		take(&s, n);
	}
	result->outcome = s.limited ? OUTCOME_GENERATOR_LIMITED : OUTCOME_FOUND;
	return 0;
}

/*
 * The search for the throughput. The resolution is relative, so the range is halved by ratio: the
 * number of trials is then the same for slow and fast DUTs and known before. All trials are kept,
 * for the PDR that may have to follow has most of its answers among them.
 */
#include "gen/methods/throughput.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

#define LOWEST_WIDTH  1e-6
#define HIGHEST_RANGE 1e9 /* of max_pps to min_pps */
#define DEFAULT_RANGE 1000

/* A disturbed host spoils this share of the frames at most; what loses more has another cause. */
#define HOST_LOSS_MAX 0.005

/* Achieved loads miss the middle a little, so a search may need more trials than planned. */
#define SLACK 8

/* Two searches in the finest resolution and the widest range, 25 halvings each. */
#define PROBES_MAX (2 * (25 + SLACK + 2))

/* A generator that falls short by more is not helped by asking for more. */
#define STRETCH_MAX 1.02

/* What probe() and search() return besides 0 and a negative errno: a trial stayed invalid. */
#define STAYED_INVALID 1

/* One tried load. */
struct probe {
	double asked_pps, pps, loss_ratio;
	bool fell_short, in_stalls, disturbed;
};

struct search {
	const struct throughput_spec *spec;
	const struct measurer *measurer;
	struct tally *tally;
	double tolerance;
	double min_pps;
	double best_forwarded_pps;
	double stretch; /* asked / achieved load of the last trial: more is asked for the next */
	double share;	/* where between the bounds the next load lies, by ratio: the middle, unless
			   the last trial missed it so far that no bound moved */
	struct probe probes[PROBES_MAX]; /* the first is that of the highest load */
	unsigned int count;
	const struct probe *passed, *failed; /* the bounds, NULL when unknown */
};

static double min_pps(const struct throughput_spec *spec)
{
	return spec->min_pps > 0 ? spec->min_pps : spec->max_pps / DEFAULT_RANGE;
}

static bool sensible(const struct throughput_spec *spec)
{
	return spec->max_pps > 0 && isfinite(spec->max_pps) && min_pps(spec) <= spec->max_pps &&
	       spec->max_pps / min_pps(spec) <= HIGHEST_RANGE && spec->width >= LOWEST_WIDTH &&
	       spec->width < 1 && spec->tolerance >= 0 && spec->tolerance < 1 &&
	       spec->duration_s > 0;
}

static unsigned int halvings(const struct throughput_spec *spec)
{
	double ratios = log(spec->max_pps / min_pps(spec)) / -log1p(-spec->width);

	return ratios > 1 ? (unsigned int)ceil(log2(ratios)) : 0;
}

unsigned int throughput_trials(const struct throughput_spec *spec)
{
	return halvings(spec) + 2; /* the ends */
}

double throughput_estimate_s(const struct throughput_spec *spec, double overhead_s)
{
	return throughput_trials(spec) * (spec->duration_s + overhead_s);
}

static void narrow(struct search *s, const struct probe *p)
{
	if (p->loss_ratio <= s->tolerance) {
		if (!s->passed || p->pps > s->passed->pps)
			s->passed = p;
	} else if (!s->failed || p->pps < s->failed->pps) {
		s->failed = p;
	}
}

/* Tries a load and narrows the bounds by it. */
static int probe(struct search *s, double pps)
{
	struct method_ask ask = {
		.pps = pps, .duration_s = s->spec->duration_s, .tolerance = s->tolerance};
	struct observation seen;
	struct probe *p;
	int error;

	error = tally_trial(s->tally, s->measurer, &ask, s->spec->repeats, &seen);
	if (error)
		return error;
	if (seen.invalid)
		return STAYED_INVALID;
	p = &s->probes[s->count++];
	*p = (struct probe){.asked_pps = pps,
			    .pps = seen.offered_pps,
			    .loss_ratio = seen.loss_ratio,
			    .fell_short = tally_fell_short(&seen, pps),
			    .in_stalls = tally_failed_in_stalls(&seen, s->tolerance),
			    .disturbed = seen.disturbed};
	if (p->pps > 0)
		s->stretch = fmin(fmax(pps / p->pps, 1), STRETCH_MAX);
	s->best_forwarded_pps = fmax(s->best_forwarded_pps, seen.forwarded_pps);
	narrow(s, p);
	return 0;
}

/* Failed trials first: where they contradict passed ones, a lower load that failed counts. */
static void recall(struct search *s)
{
	s->passed = s->failed = NULL;
	for (unsigned int i = 0; i < s->count; i++)
		if (s->probes[i].loss_ratio > s->tolerance)
			narrow(s, &s->probes[i]);
	for (unsigned int i = 0; i < s->count; i++)
		if (!s->failed || s->probes[i].pps < s->failed->pps)
			narrow(s, &s->probes[i]);
}

static double lower_bound(const struct search *s)
{
	return s->passed ? s->passed->pps : s->min_pps;
}

/* Tries a load between the bounds. */
static int halve(struct search *s)
{
	double lower = lower_bound(s), upper = s->failed->pps;
	double target = lower * pow(upper / lower, s->share);
	int error = probe(s, fmin(target * s->stretch, s->spec->max_pps));

	if (error)
		return error;
	if (lower_bound(s) > lower || s->failed->pps < upper)
		s->share = 0.5;
	else if (s->probes[s->count - 1].pps <= lower)
		s->share = (s->share + 1) / 2;
	else
		s->share /= 2;
	return 0;
}

static bool wide(const struct search *s)
{
	return s->failed->pps - lower_bound(s) > s->spec->width * s->failed->pps;
}

/*
 * Whether the host rather than the load made the lowest load lose: all in the DUT's stalls, or a
 * little in a disturbed trial while the DUT was seen to forward more than this.
 */
static bool host_lost(const struct search *s)
{
	const struct probe *p = s->failed;

	return p->in_stalls ||
	       (p->disturbed && p->loss_ratio <= HOST_LOSS_MAX && s->best_forwarded_pps > p->pps);
}

/* Searches at a tolerance. */
static int search(struct search *s, double tolerance, enum outcome *outcome)
{
	unsigned int budget = halvings(s->spec) + SLACK;
	bool stuck;
	int error;

	s->tolerance = tolerance;
	s->share = 0.5;
	recall(s);
	if (!s->count) {
		error = probe(s, s->spec->max_pps);
		if (error)
			return error;
	}
	if (!s->failed) {
		*outcome = s->probes[0].fell_short ? OUTCOME_GENERATOR_LIMITED : OUTCOME_LINE_RATE;
		return 0;
	}
	while (wide(s) && budget--) {
		error = halve(s);
		if (error)
			return error;
	}
	stuck = wide(s);
	if (!s->passed && !stuck && s->failed->asked_pps > s->min_pps) {
		error = probe(s, s->min_pps);
		if (error)
			return error;
	}
	if (stuck &&
	    (!s->passed || s->stretch >= STRETCH_MAX)) /* it cannot hold the loads between */
		*outcome = OUTCOME_GENERATOR_LIMITED;
	else if (s->passed)
		*outcome = OUTCOME_FOUND;
	else
		*outcome = host_lost(s) ? OUTCOME_ZERO_LOSS_IMPOSSIBLE : OUTCOME_NONE;
	return 0;
}

static bool known(enum outcome outcome)
{
	return outcome == OUTCOME_FOUND || outcome == OUTCOME_LINE_RATE;
}

static void tell(const struct search *s, struct throughput_result *r)
{
	r->lower_pps = s->passed ? s->passed->pps : NAN;
	r->upper_pps = s->failed ? s->failed->pps : NAN;
	if (known(r->outcome))
		r->throughput_pps = r->lower_pps;
	r->wide = s->passed && s->failed && wide(s);
	r->bounded_by_stalls = s->failed && s->failed->in_stalls;
	r->disturbed = (s->passed && s->passed->disturbed) || (s->failed && s->failed->disturbed);
}

static bool wants_pdr(const struct throughput_spec *spec, const struct throughput_result *r)
{
	return spec->pdr_tolerance > spec->tolerance &&
	       (r->outcome == OUTCOME_NONE || r->outcome == OUTCOME_ZERO_LOSS_IMPOSSIBLE ||
		(r->outcome == OUTCOME_FOUND && r->bounded_by_stalls));
}

int throughput_search(const struct throughput_spec *spec, const struct measurer *m,
		      struct throughput_result *result)
{
	struct search s = {.spec = spec, .measurer = m, .tally = &result->tally};
	int error;

	*result = (struct throughput_result){.throughput_pps = NAN,
					     .lower_pps = NAN,
					     .upper_pps = NAN,
					     .pdr_outcome = OUTCOME_SKIPPED,
					     .pdr_pps = NAN};
	if (!sensible(spec))
		return -EINVAL;
	s.min_pps = min_pps(spec);
	s.stretch = 1;
	error = search(&s, spec->tolerance, &result->outcome);
	if (error == STAYED_INVALID)
		result->outcome = OUTCOME_INVALID;
	tell(&s, result);
	if (!error && wants_pdr(spec, result)) {
		result->pdr_outcome = OUTCOME_UNFINISHED;
		error = search(&s, spec->pdr_tolerance, &result->pdr_outcome);
		if (error == STAYED_INVALID)
			result->pdr_outcome = OUTCOME_INVALID;
		else if (!error && known(result->pdr_outcome))
			result->pdr_pps = s.passed->pps;
	}
	return error == STAYED_INVALID ? 0 : error;
}

/*
 * The simulated DUT: a fluid queue in front of a server of fixed rate, with the sorrows of a shared
 * host on top. Excess over capacity is lost to the frame; what only happens with some likelihood
 * (soft loss, noise, stalls) is drawn from the seed.
 */
#include "tests/unit/sim_dut.h"

#include "tests/unit/unit.h"

/* Rounding of doubles over 1e9 frames stays far below this share of a frame. */
#define FRAME_EPSILON 1e-5

double sim_random(uint64_t *state)
{
	return (double)(unit_random(state) >> 11) * 0x1p-53;
}

double sim_dut_capacity_pps(const struct sim_dut *dut)
{
	double factor = 1 + dut->spec.drift_per_hour * dut->clock_s / 3600;

	return dut->spec.capacity_pps * fmax(factor, 0);
}

double sim_dut_longest_burst(const struct sim_dut *dut, double pps)
{
	double capacity = sim_dut_capacity_pps(dut);

	if (pps <= capacity)
		return INFINITY;
	return floor(dut->spec.buffer_frames * pps / (pps - capacity) + FRAME_EPSILON);
}

/* Events in a time in which `mean` are to be expected (Knuth's product of uniforms). */
static unsigned int poisson(struct sim_dut *dut, double mean)
{
	double limit = exp(-fmin(mean, 500)), product = sim_random(&dut->random);
	unsigned int events = 0;

	while (product > limit) {
		product *= sim_random(&dut->random);
		events++;
	}
	return events;
}

/* Frames lost to the capacity when `frames` come at `pps`. */
static double excess_lost(struct sim_dut *dut, double frames, double pps)
{
	double capacity = sim_dut_capacity_pps(dut), soft = dut->spec.soft, over;
	double kept = dut->spec.buffer_frames;

	if (isinf(capacity) || !(frames > 0))
		return 0;
	over = capacity > 0 ? pps / capacity - 1 : INFINITY;
	if (soft > 0 && fabs(over) < soft) {
		double share = (over + soft) * (over + soft) / (4 * soft) * capacity / pps;

		return floor(fmax(frames * share - kept, 0) + sim_random(&dut->random));
	}
	return fmax(ceil(frames - frames * fmin(capacity / pps, 1) - kept - FRAME_EPSILON), 0);
}

static double stalls_lost(struct sim_dut *dut, double pps, double duration_s)
{
	double each = floor(fmax(pps * dut->spec.stall_s - dut->spec.buffer_frames, 0));

	if (dut->spec.stalls_per_s > 0)
		return each * poisson(dut, dut->spec.stalls_per_s * duration_s);
	return 0;
}

/* What an overload leaves behind once the load fell to `then_pps`. */
static double recovery(const struct sim_dut *dut, double overload_lost,
		       const struct method_ask *ask)
{
	double capacity = sim_dut_capacity_pps(dut), s = 0;

	if (ask->then_pps > capacity)
		return ask->then_duration_s;
	if (overload_lost > 0) {
		s = dut->spec.recovery_s;
		if (dut->spec.loses_until_drained)
			s += dut->spec.buffer_frames / (capacity - ask->then_pps);
	}
	return fmin(s, ask->then_duration_s);
}

static void rubbish(struct sim_dut *dut, struct observation *seen)
{
	double cost_s = seen->cost_s;

	*seen = (struct observation){.offered_pps = 1e12 * sim_random(&dut->random),
				     .duration_s = NAN,
				     .cost_s = cost_s,
				     .offered = UINT64_MAX,
				     .forwarded_pps = 1e12,
				     .recovery_s = NAN,
				     .outage_s = NAN,
				     .invalid = true};
}

static void observe(struct sim_dut *dut, const struct method_ask *ask, struct observation *seen)
{
	const struct sim_dut_spec *spec = &dut->spec;
	double wanted = ask->pps > 0 ? ask->pps : spec->link_pps;
	double pps = fmin(wanted * (1 + spec->rate_error_ppm * 1e-6),
			  fmin(spec->generator_limit_pps, spec->link_pps));
	double frames = ask->frames ? (double)ask->frames : round(pps * ask->duration_s);
	double duration_s = ask->frames ? frames / pps : ask->duration_s;
	double lost = excess_lost(dut, frames, pps), in_stall = 0, sent = frames;

	seen->recovery_s = seen->outage_s = NAN;
	if (ask->then_duration_s > 0) {
		sent += round(ask->then_pps * ask->then_duration_s);
		seen->recovery_s = recovery(dut, lost, ask);
		lost += floor(seen->recovery_s * ask->then_pps);
	} else if (spec->outage_s > 0) {
		lost += ceil(fmin(spec->outage_s, duration_s) * pps);
		if (spec->outage_s < duration_s)
			seen->outage_s = spec->outage_s + 1 / pps;
	} else if (lost < sent) {
		seen->outage_s = duration_s / (sent - lost);
	}
	in_stall = stalls_lost(dut, pps, duration_s);
	if (sim_random(&dut->random) < spec->noise_share) {
		double noise = fmax(round(sent * spec->noise_loss_ratio), 1);

		seen->disturbed = spec->noise_disturbed;
		if (spec->noise_in_dut_stall)
			in_stall += noise;
		else
			lost += noise;
	}
	in_stall = fmin(in_stall, fmax(sent - lost, 0));
	lost = fmin(lost + in_stall, sent);
	seen->offered_pps = pps;
	seen->duration_s = duration_s;
	seen->cost_s = duration_s + ask->then_duration_s + spec->overhead_s;
	seen->offered = (uint64_t)sent;
	seen->lost = (uint64_t)lost;
	seen->lost_in_dut_stall = (uint64_t)in_stall;
	seen->loss_ratio = sent > 0 ? lost / sent : 1;
	seen->forwarded_pps =
		duration_s > 0 ? (sent - lost) / (duration_s + ask->then_duration_s) : 0;
	seen->generator_limited = wanted * 0.999 > spec->generator_limit_pps;
	if (sim_random(&dut->random) < spec->invalid_share)
		rubbish(dut, seen);
}

static int trial(void *context, const struct method_ask *ask, struct observation *seen)
{
	struct sim_dut *dut = context;

	if (dut->spec.interrupt_after && dut->trials >= dut->spec.interrupt_after)
		return -EINTR;
	*seen = (struct observation){0};
	dut->ask = *ask;
	observe(dut, ask, seen);
	dut->trials++;
	dut->clock_s += seen->cost_s;
	return 0;
}

void sim_dut_init(struct sim_dut *dut, const struct sim_dut_spec *spec)
{
	memset(dut, 0, sizeof(*dut));
	dut->spec = *spec;
	if (!(spec->link_pps > 0))
		dut->spec.link_pps = SIM_DUT_LINK_PPS;
	if (!(spec->generator_limit_pps > 0))
		dut->spec.generator_limit_pps = INFINITY;
	dut->random = spec->seed;
	dut->measurer = (struct measurer){.trial = trial, .context = dut};
}

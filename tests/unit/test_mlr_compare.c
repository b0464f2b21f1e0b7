/*
 * MLRsearch beside the binary search of RFC 2544 with its trials of 60 s, on the same simulated
 * DUTs: how often each is right where trials are noisy, and how long each takes.
 */
#include "tests/unit/unit.h"

#include "gen/methods/mlrsearch.h"
#include "gen/methods/throughput.h"
#include "tests/unit/sim_dut.h"

#define MAX_PPS 14880952.0
#define RUNS	1000

enum { NDR, PDR, GOALS };

static const double losses[GOALS] = {0, MLR_PDR_LOSS_RATIO};

static void mlr(struct sim_dut *dut, const struct sim_dut_spec *sim, struct mlr_result *r)
{
	struct mlr_spec spec = {.max_load_pps = MAX_PPS};
	char err[256];

	assert_int_equal(mlr_goals_add(&spec.goals, "ndr,pdr", err, sizeof(err)), 0);
	sim_dut_init(dut, sim);
	assert_int_equal(mlr_search(&spec, &dut->measurer, NULL, r), 0);
}

static struct throughput_result binary(struct sim_dut *dut, const struct sim_dut_spec *sim,
				       int goal)
{
	struct throughput_spec spec = {THROUGHPUT_DEFAULTS, .max_pps = MAX_PPS,
				       .tolerance = losses[goal]};
	struct throughput_result r;

	sim_dut_init(dut, sim);
	assert_int_equal(throughput_search(&spec, &dut->measurer, &r), 0);
	return r;
}

/* Probability that a trial of this DUT loses more than the goal allows. */
static double exceeds(const struct sim_dut_spec *sim, double pps, double duration_s, int goal)
{
	double frames = pps * duration_s, over = pps / sim->capacity_pps - 1, soft = sim->soft;
	double lost = fmax(over, 0) / (1 + over) * frames, allowed = losses[goal] * frames, p;

	if (soft > 0 && fabs(over) < soft)
		lost = (over + soft) * (over + soft) / (4 * soft) / (1 + over) * frames;
	/* A part of a frame is lost by chance. */
	p = fmin(fmax(lost - floor(allowed), 0), 1);
	if (sim->noise_loss_ratio * frames > allowed)
		p = 1 - (1 - p) * (1 - sim->noise_share);
	return p;
}

/* The load at which one trial in two does. */
static double truth(const struct sim_dut_spec *sim, double duration_s, int goal)
{
	double low = sim->capacity_pps * 0.8, high = sim->capacity_pps * 1.2;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (exceeds(sim, middle, duration_s, goal) > 0.5)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* Within a width below the truth, but for the blur of a boundary that is a matter of chance. */
static bool right(double found, double true_pps)
{
	return found <= true_pps * 1.0005 && found >= true_pps * (1 - MLR_WIDTH);
}

/* How often each is right, in a thousand runs with other seeds and capacities. */
static void compare_noisy(const char *what, const struct sim_dut_spec *like)
{
	int by_mlr[GOALS] = {0}, by_binary[GOALS] = {0};
	uint64_t seed = 1, trials = 0;
	double cost_s = 0;

	for (int i = 0; i < RUNS; i++) {
		struct sim_dut_spec sim = *like;
		struct mlr_result r[GOALS];
		struct sim_dut dut;

		sim.capacity_pps = MAX_PPS * (0.02 + 0.9 * sim_random(&seed));
		sim.seed = seed;
		mlr(&dut, &sim, r);
		trials += dut.trials;
		cost_s += dut.clock_s;
		for (int k = 0; k < GOALS; k++) {
			by_mlr[k] += r[k].regular && right(r[k].relevant_lower_bound_pps,
							   truth(&sim, MLR_FINAL_TRIAL_S, k));
			by_binary[k] += right(binary(&dut, &sim, k).throughput_pps,
					      truth(&sim, THROUGHPUT_DURATION_S, k));
		}
	}
	print_message("%s: MLRsearch right in %.1f %% (NDR), %.1f %% (PDR), binary search in "
		      "%.1f %%, %.1f %%; %.1f trials, %.0f s\n",
		      what, by_mlr[NDR] / 10.0, by_mlr[PDR] / 10.0, by_binary[NDR] / 10.0,
		      by_binary[PDR] / 10.0, (double)trials / RUNS, cost_s / RUNS);
	for (int k = 0; k < GOALS; k++)
		assert_true(by_mlr[k] >= 0.95 * RUNS);
}

static void test_noisy(void **state)
{
	(void)state;
	compare_noisy("quiet step", &(struct sim_dut_spec){.soft = 0});
	compare_noisy("a tenth of the trials spoilt",
		      &(struct sim_dut_spec){.noise_share = 0.1, .noise_loss_ratio = 1e-4});
	compare_noisy("a fifth spoilt badly",
		      &(struct sim_dut_spec){.noise_share = 0.2, .noise_loss_ratio = 0.02});
	compare_noisy("soft loss near capacity", &(struct sim_dut_spec){.soft = 0.02});
	compare_noisy(
		"soft loss, a tenth spoilt",
		&(struct sim_dut_spec){.soft = 0.02, .noise_share = 0.1, .noise_loss_ratio = 1e-4});
}

/* NDR and PDR of the same DUTs; the binary search finds one after the other. */
static void compare_time(double overhead_s)
{
	double by_mlr_s = 0, by_binary_s = 0;
	uint64_t seed = 1;

	for (int i = 0; i < 200; i++) {
		struct sim_dut_spec sim = {.capacity_pps =
						   MAX_PPS * (0.02 + 0.9 * sim_random(&seed)),
					   .overhead_s = overhead_s};
		struct mlr_result r[GOALS];
		struct sim_dut dut;

		mlr(&dut, &sim, r);
		assert_true(r[NDR].regular && r[PDR].regular);
		by_mlr_s += dut.clock_s / 200;
		for (int k = 0; k < GOALS; k++)
			by_binary_s += binary(&dut, &sim, k).tally.cost_s / 200;
	}
	print_message(
		"NDR and PDR, %.1f s a trial besides sending: MLRsearch %.0f s, binary search "
		"%.0f s, ratio %.1f\n",
		overhead_s, by_mlr_s, by_binary_s, by_binary_s / by_mlr_s);
	assert_true(by_binary_s >= 5 * by_mlr_s);
}

static void test_time(void **state)
{
	(void)state;
	compare_time(0);
	compare_time(0.5);
	compare_time(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noisy),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

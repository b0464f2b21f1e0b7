/*
 * Where MLRsearch is tested: a simulated DUT behind a generator with faults of its own, and a
 * measurer that holds every trial against the spec.
 */
#ifndef TANDEM_TEST_MLR_BENCH_H
#define TANDEM_TEST_MLR_BENCH_H

#include "tests/unit/unit.h"

#include "gen/methods/mlrsearch.h"
#include "tests/unit/sim_dut.h"

/* The highest load of mlr_spec_of: 64-byte frames on 10 Gb/s. */
#define MLR_BENCH_PPS 14880952.0

/* The fields of the second group may be set after mlr_bench_init. */
struct mlr_bench {
	struct sim_dut dut;
	struct measurer measurer;
	const struct mlr_spec *spec;
	double limit_pps; /* the generator's limit as the simulated DUT was given it */
	double least_pps; /* lowest load achieved */
	uint64_t random;
	unsigned int bad; /* trials that the host's bad phase still lasts */
	unsigned int reports;
	double last_left_s; /* of the latest report */

	double jitter;	     /* share by which the achieved load varies at most */
	double limit_jitter; /* and by which the generator's limit falls */
	bool busy;	     /* the host: trials fall short as they were seen to on such hosts */
	double cut_short;    /* share of each trial's time that is not sent */
};

/* The highest load, and goals as on the command line. */
struct mlr_spec mlr_spec_of(const char *goals);

void mlr_bench_init(struct mlr_bench *bench, const struct sim_dut_spec *sim);

/* Searches; checks each trial, each report and the sums of the results. Returns what mlr_search
 * does. */
int mlr_bench_run(struct mlr_bench *bench, const struct mlr_spec *spec, struct mlr_result *results);

/* Both, of a search that must not fail. */
void mlr_bench_search(struct mlr_bench *bench, const struct sim_dut_spec *sim,
		      const struct mlr_spec *spec, struct mlr_result *results);

/* A regular result around a true value. Trials are whole frames: `blur` of them is unknowable. */
void mlr_assert_encloses(const struct mlr_result *result, double true_pps, double width,
			 double blur);

#endif

/*
 * A simulated DUT and the generator in front of it, behind the `struct measurer` that test methods
 * see: hours of trials pass in milliseconds, and what a method ought to find is known exactly.
 * Every trait is off when zero, but for the capacity: of zero, it passes nothing. Traits combine.
 * Same seed, same trials.
 */
#ifndef TANDEM_TEST_SIM_DUT_H
#define TANDEM_TEST_SIM_DUT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "gen/methods/method.h"

struct sim_dut_spec {
	/* The DUT. */
	double capacity_pps;  /* forwards that much and no more; INFINITY: all; 0: nothing */
	double soft;	      /* loss rises smoothly from capacity * (1 - soft), where it starts, to
				 capacity * (1 + soft), from where all of the excess is lost; 0: a step */
	double buffer_frames; /* that much of a trial's excess is kept and forwarded in the drain */
	double drift_per_hour;	      /* share by which the capacity changes in an hour, linearly */
	double stalls_per_s, stall_s; /* Poisson; a stall loses what the buffer cannot hold */
	double recovery_s;	      /* after an overload it goes on losing for so long */
	bool loses_until_drained;     /* and until the buffer filled by the overload is empty */
	double outage_s; /* in each trial of one load it forwards nothing for so long */

	/* The host: a share of trials loses a little that is no matter of capacity. */
	double noise_share;
	double noise_loss_ratio; /* of the trial's frames, at least one frame */
	bool noise_disturbed;	 /* the generator saw that it was disturbed */
	bool noise_in_dut_stall; /* the DUT reports a stall there */
	double invalid_share;	 /* trials whose accounts do not close; all figures are rubbish */

	/* The generator. */
	double link_pps; /* what "as fast as the link takes it" is; 0: SIM_DUT_LINK_PPS */
	double generator_limit_pps; /* it sends no faster than that; 0: no limit */
	double rate_error_ppm;	    /* achieved against asked load */
	double overhead_s;	  /* what a trial costs beyond sending: learning, warm-up, drain */
	uint64_t interrupt_after; /* trials after which the user presses Ctrl-C; 0: never */
	uint64_t seed;
};

#define SIM_DUT_LINK_PPS 14880952 /* 64-byte frames on 10 Gb/s */

struct sim_dut {
	struct sim_dut_spec spec;
	struct measurer measurer; /* hand this to the method */
	uint64_t random;	  /* state of the random numbers */
	uint64_t trials;
	double clock_s;	       /* simulated time since the start: the sum of all costs */
	struct method_ask ask; /* the last */
};

/* Sets a simulated DUT up; it must stay where it is, for the measurer points to it. */
void sim_dut_init(struct sim_dut *dut, const struct sim_dut_spec *spec);

/* Capacity at the simulated time it is now. */
double sim_dut_capacity_pps(const struct sim_dut *dut);

/* Frames of the longest burst at `pps` that loses none; INFINITY where none does. */
double sim_dut_longest_burst(const struct sim_dut *dut, double pps);

/* A number in [0, 1), for tests that draw their own cases. */
double sim_random(uint64_t *state);

#endif

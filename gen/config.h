/*
 * What the user asked of tandem-gen: one struct for all verbs, filled from options over defaults.
 */
#ifndef TANDEM_GEN_CONFIG_H
#define TANDEM_GEN_CONFIG_H

#include "common/capture_out.h"
#include "common/opts.h"
#include "common/units.h"
#include "gen/dut_place.h"
#include "gen/methods/mlr_goal.h"
#include "gen/replay_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_SIZES 32
#define MAX_RATES 16

struct size_list {
	uint32_t size[MAX_SIZES];
	size_t n;
};

struct rate_list {
	struct rate rate[MAX_RATES];
	size_t n;
};

enum arrival { ARRIVAL_CONSTANT, ARRIVAL_POISSON };
enum on_full { ON_FULL_AUTO, ON_FULL_DROP, ON_FULL_WAIT };
enum gateway_mode { GATEWAY_AUTO, GATEWAY_NONE, GATEWAY_GIVEN };

struct gateway {
	enum gateway_mode mode;
	uint32_t ip; /* of port 0 when given */
};

/* --burst-train 64@10kpps; frames 0 for none */
struct burst_train {
	uint64_t frames;
	struct rate rate;
};

struct mac_option {
	bool given;
	uint8_t mac[6];
};

#define SETTLE_AUTO UINT64_MAX

/* What the test methods are asked for. */
struct method_config {
	const char *test;		/* of rfc2544: throughput, ..., all */
	double tolerance, width;	/* loss ratio; share of the result */
	double step;			/* of the loss test: share of the highest load */
	struct rate min_rate, max_rate; /* RATE_MAX: not given */
	struct rate throughput;		/* known before: not searched for */
	uint64_t retries;		/* of a trial whose outcome a disturbance may have made */
	uint64_t repetitions;		/* 0: each test's own number */
	uint64_t settle_ns;		/* pause before each trial, or SETTLE_AUTO */
	uint64_t interval_ns;		/* of a soak */
	struct mlr_goals goals;
	uint64_t max_time_ns; /* of the trials of one size; 0: no limit */
	const char *reset_command;
	const char *resume; /* folder of an unfinished run to go on with; it is out, too */
	bool dry_run;
};

/* What a replay is asked for; its file is method.test. */
struct replay_config {
	struct rewrite rewrite;
	unsigned int stamp; /* enum stamp_how */
	bool fix_sums;
	double speed;	    /* 0: not given */
	uint64_t passes;    /* 0: without end */
	uint64_t max_frame; /* frame size */
	uint64_t preload_mb;
};

struct gen_config {
	/* what is measured */
	struct size_list sizes;
	struct rate_list rates;
	uint64_t duration_ns; /* 0: not given */
	uint64_t frames;      /* 0: the duration alone counts */
	uint64_t warmup_ns, drain_ns;
	uint64_t repeat, retry_disturbed;
	unsigned int arrival;
	struct burst_train train;
	bool bidirectional, tx_only, verify;

	/* frames */
	uint64_t burst, flows, streams;
	bool one_lane; /* of a verb that sends on one queue, whatever there is */
	uint32_t src_ip, dst_ip;
	uint64_t src_port, dst_port, ttl, tos;
	struct mac_option src_mac, dst_mac;
	struct gateway gateway;

	/* ports and the DUT */
	uint64_t rxd, txd;
	unsigned int on_full;
	uint64_t wait_link_ns;
	double line_rate_bps; /* 0: unknown */
	struct dut_place dut;
	const char *ssh;	 /* the command that reaches another host */
	const char *dut_program; /* tandem-dut on that host */
	const char *dut_start;	 /* a command that starts the DUT, or NULL */
	const char *path;
	uint64_t stall_threshold_ns;
	uint64_t seed;

	struct method_config method;
	struct replay_config replay;

	/* output */
	struct capture_options capture;
	bool json, strict, append, quiet;
	const char *out;
	const char *title;
	const char *samples;	/* file for raw samples, NULL for none */
	uint64_t samples_limit; /* a direction and trial */
};

/* The defaults of all verbs. */
void gen_config_init(struct gen_config *config);

/* Fills in what the user did not say: sizes, rates (a train brings its own) and ten seconds. */
void gen_config_fill(struct gen_config *config, const struct size_list *sizes,
		     const struct rate_list *rates);

/* What follows from other options, whatever the verb. */
void gen_config_derive(struct gen_config *config);

/* A verb's table of options. */
extern const struct opt run_options[];
extern const struct opt sweep_options[];
extern const struct opt selftest_options[];
extern const struct opt rfc2544_options[];
extern const struct opt mlrsearch_options[];
extern const struct opt soak_options[];
extern const struct opt replay_options[];

/* What no single option can know: returns 0, or -EINVAL with a line in err. */
int gen_config_check(const struct gen_config *config, char *err, size_t errlen);

#endif

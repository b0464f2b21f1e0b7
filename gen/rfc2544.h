/*
 * The tests of RFC 2544 on real ports: each calls its method and records what came of it.
 */
#ifndef TANDEM_RFC2544_H
#define TANDEM_RFC2544_H

#include "gen/measure.h"

/* What the tests of a frame size share. */
struct rfc2544 {
	struct measure *measure;
	const struct gen_config *config;
	uint32_t size;
	double max_pps, min_pps;
	double throughput_pps; /* NaN before it is known, and where there is none */
	bool at_line_rate;     /* the throughput is the highest load */
};

/* Each returns 0, or a negative errno that ends the campaign. What cannot be measured is recorded
 * so. */
int rfc2544_throughput(struct rfc2544 *t);
int rfc2544_latency(struct rfc2544 *t);
int rfc2544_loss(struct rfc2544 *t);
int rfc2544_back_to_back(struct rfc2544 *t);
int rfc2544_recovery(struct rfc2544 *t);
int rfc2544_reset(struct rfc2544 *t);

/* Their time at most, seconds. */
double rfc2544_throughput_s(const struct gen_config *config, double overhead_s);
double rfc2544_latency_s(const struct gen_config *config, double overhead_s);
double rfc2544_loss_s(const struct gen_config *config, double overhead_s);
double rfc2544_back_to_back_s(const struct gen_config *config, double overhead_s);
double rfc2544_recovery_s(const struct gen_config *config, double overhead_s);
double rfc2544_reset_s(const struct gen_config *config, double overhead_s);

#endif

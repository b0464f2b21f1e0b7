/*
 * What came of each stream of a direction: the counters of all lanes and cores together. The result
 * of the direction as a whole is their sum, so that streams and whole cannot disagree.
 */
#ifndef TANDEM_STREAM_RESULT_H
#define TANDEM_STREAM_RESULT_H

#include "gen/trial.h"

struct stream_counts {
	uint64_t sent;
	uint64_t arrived,
		bytes; /* first copies as the cores saw them one by one, and their bytes */
	uint64_t received, settled_lost, duplicate, reordered, too_late;
	uint64_t loss_runs, loss_runs_kept, longest_loss_run;
	uint64_t extent_sum, extent_max;
	uint64_t corrupt, negative, beyond, misdirected, while_sending;
	uint64_t ipdv_pairs, ipdv_sum, ipdv_max;
	uint64_t lost_in_gen_stall, lost_in_dut_stall;
	double jitter, clean_jitter; /* cycles, each core's weighed by the frames it is of */
	bool incomplete;	     /* the merging of several cores' accounts could not keep up */
};

/* Settles the sequence spaces of a direction and fills its counts, one a stream; all cores have
 * ended. What was sent alone where nothing is received. */
void streams_count(const struct generator *g, struct direction *d, bool received,
		   struct stream_counts *counts);

/* Puts the losses of each stream down to stalls: of the generator, and theirs of the DUT. */
void streams_attribute(const struct generator *g, const struct direction *d,
		       const struct stall *own, uint32_t n_own, const struct stall *theirs,
		       uint32_t n_theirs, uint64_t slack, struct stream_counts *counts);

/* The received side of a direction's result, from the counts of its streams and the accounts. */
void streams_sum_up(const struct generator *g, const struct direction *d, struct trial_result *r);

/*
 * The result of one stream, from that of its direction, whose trial is the last one run. r->all and
 * r->clean are given and filled. What nobody knows of a stream is unknown in it: frames that never
 * got a number count in equal shares, as they are dealt.
 */
void stream_result(const struct generator *g, const struct trial_result *whole, uint32_t stream,
		   struct trial_result *r);

#endif

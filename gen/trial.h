/*
 * One trial: learn, warm up, measure, drain, verdict. The result is plain data; the record is made
 * of it elsewhere.
 */
#ifndef TANDEM_TRIAL_H
#define TANDEM_TRIAL_H

#include "common/hist.h"
#include "gen/generator.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define MAX_REASONS 24
#define REASON_LEN  160

struct replay;

struct trial_spec {
	uint32_t frame_size; /* 0: of a replay, several */
	double pps;	     /* a direction; 0 is rate max */
	uint64_t duration_ns;
	uint64_t frames;  /* 0: the duration alone counts */
	uint32_t burst;	  /* 0: as configured */
	double then_pps;  /* the load falls to this after duration_ns, without a gap; 0: it does not
			   */
	uint64_t then_ns; /* and stays so for this long */
	bool cold;	  /* no warm-up: it would fill the DUT's buffers */
	struct replay *replay; /* a capture whose frames are sent, by its own pace; NULL for none */
	bool bears_outage; /* the DUT goes away and comes back in the trial, and the link with it */
};

/* Mean of the loads that a paced trial asks for, frames a second. */
static inline double trial_mean_pps(const struct trial_spec *spec)
{
	double first = (double)spec->duration_ns, then = (double)spec->then_ns;

	return spec->then_pps > 0 ? (spec->pps * first + spec->then_pps * then) / (first + then)
				  : spec->pps;
}

enum verdict { VERDICT_VALID, VERDICT_DISTURBED, VERDICT_INVALID };

/* One direction's result. Numbers that are unknown are NaN, or false in their _known. */
struct trial_result {
	uint64_t trial;
	uint8_t stamp_trial; /* the trial byte of its stamps */
	char started[32];    /* ISO 8601 */
	char direction[16];  /* "0>1": sent on port 0, received on port 1 */
	char stream[8];	     /* "0", "1", ...; "" for all together */
	const struct direction *from;
	struct stream_counts *streams; /* one a stream (stream_result.h); NULL in a stream's own
					  result; owned */
	struct trial_spec spec;
	uint32_t burst;
	const char *on_full; /* which held: "drop" or "wait" */
	double tsc_hz;
	double actual_s;      /* of sending */
	double line_rate_bps; /* 0: unknown */
	bool tx_only, verified;
	bool refused_counts; /* refused frames count as lost at the DUT's door */

	uint64_t offered, sent, refused, unsent, backpressured, no_mbuf;
	uint64_t unstamped;	 /* part of sent: no account is kept of them */
	double tx_size, rx_size; /* mean frame size of a replay, NaN if unknown */
	double tx_pps, rx_pps;
	double rate_error_ppm; /* of the sent rate against the asked one; NaN at max */

	uint64_t received, lost, duplicate, reordered, corrupt, foreign, stale, misdirected;
	uint64_t lost_in_gen_stall, lost_in_dut_stall, longest_loss_run, loss_runs;
	uint64_t loss_runs_kept; /* those that could be put down to stalls */
	bool lost_in_dut_stall_known;
	uint64_t refused_in_dut_stall; /* known as lost_in_dut_stall is */
	uint64_t gen_missed;
	bool gen_missed_known; /* the driver or the DUT counts them */
	uint64_t wire_dropped; /* by the DUT's wire ports, of which nobody knows the direction */
	uint64_t settled_lost, too_late, negative, beyond; /* for the verdict */
	unsigned int streams_open;			   /* their accounts do not close */
	bool missed_went_back;
	bool accounts_incomplete; /* the merging of several cores' accounts could not keep up */
	double loss_ratio;

	struct hist *all, *clean;	 /* latency in cycles; owned */
	struct hist *lateness, *spacing; /* owned */
	double jitter_cycles, clean_jitter_cycles;
	double ipdv_mean,
		ipdv_max;   /* cycles, of frames sent one after the other; NaN without any */
	double extent_mean; /* of reordered frames (RFC 4737, section 4.2.2), in frames; NaN without
			       any */
	uint64_t extent_max;

	uint64_t stalls, stall_max, stall_total; /* cycles */
	bool stalls_not_listed;			 /* more than are kept */
	uint64_t dut_stalls;
	double dut_stall_s; /* together */
	bool captured;	    /* the measured part is in a capture, counted so far */
	struct capture_counts capture;
	json_t *dut; /* the record's dut part, or NULL; owned */

	double recovery_s; /* from the fall of the load to the last frame lost; NaN without a fall
			    */
	double outage_s;   /* longest time of sending of which nothing came back; NaN if unknown */

	bool link_lost;
	bool generator_limited;
	enum verdict verdict;
	unsigned int n_reasons;
	char reasons[MAX_REASONS][REASON_LEN];
};

/* What was offered to the port of a paced trial, sent or refused, against what was asked for. */
static inline double trial_rate_error_ppm(const struct trial_result *r)
{
	double pps = (double)(r->sent + r->refused) / r->actual_s;

	return (pps / trial_mean_pps(&r->spec) - 1) * 1e6;
}

struct progress;

/*
 * Runs one trial; results has room for g->n_directions. Waits for a lost link and learns again
 * before. Returns 0 when a trial was run (look at the verdict), -EINTR when the user stopped it, or
 * another negative errno with a line in err. On success trial_release is due for each result.
 */
int trial_run(struct generator *g, const struct trial_spec *asked, struct progress *progress,
	      struct trial_result *results, char *err, size_t errlen);
void trial_release(struct trial_result *result);

/* Judges a result: sets verdict, reasons and generator_limited from the other fields. Pure. */
void verdict_reach(struct trial_result *result);

#endif

/*
 * The verdict on a trial. Pure, so that every rule has a test.
 *
 * invalid: the figures cannot be right, or there are none. disturbed: the accounts close and the
 * figures stand, but the generator was not what it was asked to be. Each finding is listed.
 */
#include "gen/replay.h"
#include "gen/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define SHORTFALL     0.001 /* of the asked rate */
#define STRETCH	      0.01  /* of the asked duration */
#define STRETCH_MIN_S 0.002 /* one poll late is no stretch of a short trial */

__attribute__((format(printf, 3, 4))) static void add(struct trial_result *r, enum verdict verdict,
						      const char *format, ...)
{
	va_list args;

	if (verdict > r->verdict)
		r->verdict = verdict;
	if (r->n_reasons == MAX_REASONS)
		return;
	va_start(args, format);
	vsnprintf(r->reasons[r->n_reasons++], REASON_LEN, format, args);
	va_end(args);
}

static void judge_accounts(struct trial_result *r)
{
	uint64_t stamped;

	if (!r->sent)
		add(r, VERDICT_INVALID, "no frame was sent");
	if (r->link_lost)
		add(r, VERDICT_INVALID, "the link went down during the trial");
	if (r->tx_only)
		return;
	if (r->negative)
		add(r, VERDICT_INVALID, "%" PRIu64 " frames received before they were sent",
		    r->negative);
	if (r->beyond)
		add(r, VERDICT_INVALID,
		    "%" PRIu64 " frames with a sequence number that was never sent", r->beyond);
	stamped = r->sent - r->unstamped;
	if (r->received > stamped)
		add(r, VERDICT_INVALID, "received %" PRIu64 " of %" PRIu64 " sent frames",
		    r->received, stamped);
	else if (r->settled_lost != stamped - r->received)
		add(r, VERDICT_INVALID,
		    "accounts do not close: %" PRIu64 " sent - %" PRIu64 " received, %" PRIu64
		    " missing",
		    stamped, r->received, r->settled_lost);
	if (r->streams_open)
		add(r, VERDICT_INVALID, "the accounts of %u streams do not close", r->streams_open);
	if (r->accounts_incomplete)
		add(r, VERDICT_INVALID,
		    "the accounts of several cores could not be merged in time");
	if (r->too_late)
		add(r, VERDICT_INVALID,
		    "%" PRIu64 " frames came too late to tell copies from first arrivals",
		    r->too_late);
	if (r->missed_went_back)
		add(r, VERDICT_INVALID, "the port's counter of missed frames went backwards");
	if (stamped && !r->received)
		add(r, VERDICT_INVALID, "no latency sample: nothing came back");
	else if (stamped && !r->all->count)
		add(r, VERDICT_INVALID, "no latency sample: all frames were corrupt");
	if (r->misdirected)
		add(r, VERDICT_INVALID, "%" PRIu64 " frames came back on the wrong port",
		    r->misdirected);
}

static void judge_generator(struct trial_result *r)
{
	double paced = r->spec.pps > 0 ? (double)r->offered : 0;

	if (r->stalls)
		add(r, VERDICT_DISTURBED,
		    "the generator stalled %" PRIu64 " times, %.3f ms at most, %.3f ms in all",
		    r->stalls, (double)r->stall_max / r->tsc_hz * 1e3,
		    (double)r->stall_total / r->tsc_hz * 1e3);
	if (r->gen_missed)
		add(r, VERDICT_DISTURBED,
		    "%" PRIu64 " frames missed at the generator's receive side", r->gen_missed);
	if (paced > 0 && (double)r->unsent > paced * SHORTFALL)
		add(r, VERDICT_DISTURBED, "%.3f %% of the frames due were not sent in time",
		    (double)r->unsent / paced * 100);
	if (r->no_mbuf)
		add(r, VERDICT_DISTURBED, "no mbuf for %" PRIu64 " frames", r->no_mbuf);
	if (!r->spec.frames) {
		double asked = (double)(r->spec.duration_ns + r->spec.then_ns) / 1e9,
		       over = r->actual_s - asked;

		if (over > asked * STRETCH && over > STRETCH_MIN_S)
			add(r, VERDICT_DISTURBED, "the trial took %.3f s instead of %.3f s",
			    r->actual_s, asked);
	}
	if (r->loss_runs > r->loss_runs_kept)
		add(r, r->verdict,
		    "losses attributed to stalls for %" PRIu64 " of %" PRIu64 " loss runs only",
		    r->loss_runs_kept, r->loss_runs);
}

/* A capture that was moved by stalls took longer; one whose file came too slowly, too. */
static void judge_replay(struct trial_result *r)
{
	const struct replay *p = r->spec.replay;
	double shifted_s;

	if (!p)
		return;
	shifted_s = (double)p->shifted / r->tsc_hz;
	if (shifted_s > r->actual_s * SHORTFALL)
		add(r, VERDICT_DISTURBED,
		    "the generator was late %" PRIu64
		    " times: the rest of the capture moved by %.3f "
		    "ms in all",
		    p->shifts, shifted_s * 1e3);
	if (p->starved)
		add(r, VERDICT_DISTURBED, "the file was read more slowly than it was to be sent");
}

/* What is not known, where it may matter. */
static void note_unknown(struct trial_result *r)
{
	if (r->tx_only || !r->lost)
		return;
	if (!r->gen_missed_known && r->stalls)
		add(r, r->verdict,
		    "what the generator's own side missed is unknown on this port: losses may hold "
		    "it");
	if (r->wire_dropped)
		add(r, r->verdict,
		    "%" PRIu64
		    " frames dropped at the DUT's wire ports, of either direction, count as lost",
		    r->wire_dropped);
	if (r->stalls_not_listed)
		add(r, r->verdict,
		    "losses attributed to the last %u of the generator's stalls only",
		    LOOP_MAX_STALLS);
}

/* The DUT's stalls are its own and stay in the figures; a reader should know what they are. */
static void note_dut(struct trial_result *r)
{
	if (r->dut_stalls && (r->lost || (r->refused_counts && r->refused)))
		add(r, r->verdict,
		    "the DUT stalled %" PRIu64 " times, %.3f ms in all; loss may come from that",
		    r->dut_stalls, r->dut_stall_s * 1e3);
}

/* The generator itself, or a loop back to itself, was the limit. */
static void judge_limit(struct trial_result *r)
{
	if (r->spec.pps > 0) {
		r->generator_limited = r->refused && !r->refused_counts;
		if (r->generator_limited)
			add(r, VERDICT_DISTURBED,
			    "generator-limited: the port refused %" PRIu64 " frames", r->refused);
	} else {
		r->generator_limited = r->sent && !r->backpressured;
		if (r->generator_limited && !r->tx_only)
			add(r, r->verdict,
			    "generator-limited: the link took every burst at once, the DUT may "
			    "take more");
	}
}

void verdict_reach(struct trial_result *r)
{
	r->verdict = VERDICT_VALID;
	r->n_reasons = 0;
	judge_accounts(r);
	judge_generator(r);
	judge_limit(r);
	judge_replay(r);
	note_unknown(r);
	note_dut(r);
}

/*
 * All trials of a result, of each the figures that curves and tables are made of: 150 bytes instead
 * of the 15 KB that a record takes when it is read, so that a soak of a million trials fits.
 */
#ifndef TANDEM_TRIALS_H
#define TANDEM_TRIALS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The figures of a trial, in the record's own units (trials.c says where they stand in it). */
enum trial_figure {
	TRIAL_ASKED_PPS, /* unknown: max */
	TRIAL_DURATION_S,
	TRIAL_TX_PPS,
	TRIAL_RX_PPS,
	TRIAL_LOSS_RATIO,
	TRIAL_OUTAGE_S,
	/* Latency over all samples, in ns. */
	TRIAL_MIN,
	TRIAL_MEAN,
	TRIAL_P50,
	TRIAL_P90,
	TRIAL_P99,
	TRIAL_P999,
	TRIAL_P9999,
	TRIAL_MAX,
	/* Without the shadow of the generator's own stalls. */
	TRIAL_CLEAN_MIN,
	TRIAL_CLEAN_MEAN,
	TRIAL_CLEAN_P50,
	TRIAL_CLEAN_P90,
	TRIAL_CLEAN_P99,
	TRIAL_CLEAN_P999,
	TRIAL_CLEAN_P9999,
	TRIAL_CLEAN_MAX,
	/* Stalls of the generator and of the DUT. */
	TRIAL_STALLS,
	TRIAL_STALL_MAX_NS,
	TRIAL_STALL_TOTAL_NS,
	TRIAL_DUT_STALLS,
	TRIAL_DUT_STALL_TOTAL_NS,
	TRIAL_CPU_BUSY, /* the DUT's, 0..1 */
	TRIAL_FIGURES
};

enum trial_verdict { TRIAL_VALID, TRIAL_DISTURBED, TRIAL_INVALID };

/* What trials have in common; texts are "" where the record says nothing. */
struct trial_group {
	const char *path, *direction, *stream;
	const char *test; /* the test method's name that the trial was a step of; "" for none */
};

struct trial {
	double started;	     /* UTC, in seconds since 1970; NaN unknown */
	uint64_t offset;     /* of its line in the file; TRIAL_NO_LINE where there is none */
	uint32_t number;     /* within the run; 0 unknown */
	uint32_t frame_size; /* bytes with FCS; 0 for a mix */
	uint32_t group;	     /* in trials.group */
	uint32_t verdict;    /* enum trial_verdict; one that is not known counts as invalid */
	/*
	 * NaN unknown. Seven digits, enough to draw and to compare; who prints what a record says
	 * takes it from the summary or from result_trial_record.
	 */
	float figure[TRIAL_FIGURES];
};

#define TRIAL_NO_LINE UINT64_MAX

struct trials {
	size_t n, room;
	struct trial *trial; /* in the order of the file */
	size_t n_groups;
	struct trial_group *group;
	json_t *names, *index; /* what groups point into, and where to find one */
};

/* Takes the figures of a record, which stays the caller's. Returns 0 or -ENOMEM. trials begin as
 * zeros. */
int trials_add(struct trials *trials, const json_t *record, uint64_t offset);

void trials_free(struct trials *trials);

/* Where a figure stands in a record, such as "latency_ns.p99". */
const char *trial_figure_path(enum trial_figure figure);

/* A record's start as seconds since 1970, of "2026-01-01T00:00:00.000Z"; NaN for other texts. */
double trial_time(const char *started);

#endif

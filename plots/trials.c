/*
 * From records to figures. A result has few different paths, directions, streams and tests, and
 * very many trials: each group of them is kept once.
 */
#include "plots/trials.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/results.h"

static const char *const paths[TRIAL_FIGURES] = {
	[TRIAL_ASKED_PPS] = "rate_requested_pps",
	[TRIAL_DURATION_S] = "duration_s.actual",
	[TRIAL_TX_PPS] = "tx.pps",
	[TRIAL_RX_PPS] = "rx.pps",
	[TRIAL_LOSS_RATIO] = "loss_ratio",
	[TRIAL_OUTAGE_S] = "outage_s",
	[TRIAL_MIN] = "latency_ns.min",
	[TRIAL_MEAN] = "latency_ns.mean",
	[TRIAL_P50] = "latency_ns.p50",
	[TRIAL_P90] = "latency_ns.p90",
	[TRIAL_P99] = "latency_ns.p99",
	[TRIAL_P999] = "latency_ns.p999",
	[TRIAL_P9999] = "latency_ns.p9999",
	[TRIAL_MAX] = "latency_ns.max",
	[TRIAL_CLEAN_MIN] = "latency_clean_ns.min",
	[TRIAL_CLEAN_MEAN] = "latency_clean_ns.mean",
	[TRIAL_CLEAN_P50] = "latency_clean_ns.p50",
	[TRIAL_CLEAN_P90] = "latency_clean_ns.p90",
	[TRIAL_CLEAN_P99] = "latency_clean_ns.p99",
	[TRIAL_CLEAN_P999] = "latency_clean_ns.p999",
	[TRIAL_CLEAN_P9999] = "latency_clean_ns.p9999",
	[TRIAL_CLEAN_MAX] = "latency_clean_ns.max",
	[TRIAL_STALLS] = "stalls.count",
	[TRIAL_STALL_MAX_NS] = "stalls.max_ns",
	[TRIAL_STALL_TOTAL_NS] = "stalls.total_ns",
	[TRIAL_DUT_STALLS] = "dut.stalls.count",
	[TRIAL_DUT_STALL_TOTAL_NS] = "dut.stalls.total_ns",
	[TRIAL_CPU_BUSY] = "dut.cpu_busy",
};

const char *trial_figure_path(enum trial_figure figure)
{
	return paths[figure];
}

double trial_time(const char *started)
{
	struct tm tm = {0};
	const char *rest = started ? strptime(started, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	double fraction = 0;
	char *end;

	if (!rest)
		return NAN;
	if (*rest == '.') {
		fraction = strtod(rest, &end);
		rest = end;
	}
	return strcmp(rest, "Z") == 0 ? (double)timegm(&tm) + fraction : NAN;
}

static const char *text(const json_t *record, const char *key)
{
	const char *s = result_str(record, key);

	return s ? s : "";
}

/* A group's text, kept for as long as the trials; NULL when out of memory. */
static const char *keep(struct trials *t, const char *name)
{
	json_t *kept = json_object_get(t->names, name);

	if (!kept) {
		kept = json_string(name);
		if (json_object_set_new(t->names, name, kept))
			return NULL;
	}
	return json_string_value(kept);
}

/* Number of the record's group, a new one where it is the first; -ENOMEM. */
static int64_t group_of(struct trials *t, const json_t *record)
{
	static const char *const keys[] = {"path", "direction", "stream", "test.name"};
	const char *names[4];
	struct trial_group *grown;
	const json_t *known;
	char key[512];
	size_t used = 0;

	for (size_t i = 0; i < 4; i++) {
		names[i] = text(record, keys[i]);
		/* Longer names than these are told apart by their beginnings. */
		used += (size_t)snprintf(key + used, sizeof(key) - used, "%.100s\n", names[i]);
	}
	if (!t->index) {
		t->index = json_object();
		t->names = json_object();
	}
	known = json_object_get(t->index, key);
	if (known)
		return json_integer_value(known);
	grown = realloc(t->group, (t->n_groups + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->group = grown;
	grown[t->n_groups] = (struct trial_group){keep(t, names[0]), keep(t, names[1]),
						  keep(t, names[2]), keep(t, names[3])};
	if (!grown[t->n_groups].path || !grown[t->n_groups].direction ||
	    !grown[t->n_groups].stream || !grown[t->n_groups].test ||
	    json_object_set_new(t->index, key, json_integer((json_int_t)t->n_groups)))
		return -ENOMEM;
	return (int64_t)t->n_groups++;
}

static enum trial_verdict verdict_of(const json_t *record)
{
	const char *verdict = text(record, "verdict");

	if (strcmp(verdict, "valid") == 0)
		return TRIAL_VALID;
	return strcmp(verdict, "disturbed") == 0 ? TRIAL_DISTURBED : TRIAL_INVALID;
}

/* A number as a whole one; 0 where it is none. */
static uint32_t whole(const json_t *record, const char *key)
{
	double value = result_num(record, key);

	return value >= 1 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

int trials_add(struct trials *t, const json_t *record, uint64_t offset)
{
	int64_t group = group_of(t, record);
	struct trial *trial;

	if (group < 0)
		return (int)group;
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 64;
		struct trial *grown = realloc(t->trial, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		t->trial = grown;
		t->room = room;
	}
	trial = &t->trial[t->n++];
	*trial = (struct trial){.started = trial_time(result_str(record, "started")),
				.offset = offset,
				.number = whole(record, "trial"),
				.frame_size = whole(record, "frame_size"),
				.group = (uint32_t)group,
				.verdict = verdict_of(record)};
	for (int f = 0; f < TRIAL_FIGURES; f++)
		trial->figure[f] = (float)result_num(record, paths[f]);
	return 0;
}

void trials_free(struct trials *t)
{
	free(t->trial);
	free(t->group);
	json_decref(t->names);
	json_decref(t->index);
	*t = (struct trials){0};
}

/*
 * The impairment of the DUT as a whole: its memory before frames flow, its counts and log after.
 */
#include "dut/dut.h"
#include "dut/impair.h"
#include "common/results.h"

#include <rte_errno.h>
#include <rte_mbuf_dyn.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_AFTER_S 0.01

uint32_t impair_mbufs(const struct impair_list *list)
{
	return impair_reorder_room(list) + impair_delay_room(list) + 2 * IMPAIR_OUT;
}

static int open_stream(struct dut *d, unsigned int i, int mark_at)
{
	const struct impair_list *list = &d->options.impair;
	struct impair *im = aligned_alloc(64, (sizeof(*im) + 63) / 64 * 64);
	uint32_t log_room = d->options.impair_log ? IMPAIR_LOG_ENTRIES / d->n_streams : 0;
	double hz = clock_hz_estimate();

	if (!im)
		return -ENOMEM;
	memset(im, 0, sizeof(*im));
	d->streams[i].impair = im;
	im->list = list;
	im->mark_at = mark_at;
	im->flush_after = (uint64_t)(FLUSH_AFTER_S * hz);
	if (hold_open(&im->reorder, impair_reorder_room(list)) ||
	    hold_open(&im->delay, impair_delay_room(list)) || impair_log_open(&im->log, log_room) ||
	    impair_trials_open(&im->trials, list, d->options.seed, i, hz))
		return -ENOMEM;
	return 0;
}

int impair_setup(struct dut *d, char *err, size_t errlen)
{
	static const struct rte_mbuf_dynfield field = {
		.name = "tandem_dut_impair_mark",
		.size = sizeof(struct impair_mark),
		.align = __alignof__(struct impair_mark),
	};
	int mark_at = rte_mbuf_dynfield_register(&field);

	if (mark_at < 0) {
		snprintf(err, errlen, "no room in mbufs for the impairment's mark: %s",
			 rte_strerror(rte_errno));
		return -rte_errno;
	}
	for (unsigned int i = 0; i < d->n_streams; i++)
		if (open_stream(d, i, mark_at)) {
			snprintf(err, errlen, "out of memory");
			return -ENOMEM;
		}
	return 0;
}

void impair_teardown(struct dut *d)
{
	for (unsigned int i = 0; i < d->n_streams; i++) {
		struct impair *im = d->streams[i].impair;

		if (!im)
			continue;
		hold_close(&im->reorder);
		hold_close(&im->delay);
		impair_log_close(&im->log);
		impair_trials_close(&im->trials);
		free(im);
		d->streams[i].impair = NULL;
	}
}

void impair_counts(const struct dut *d, struct impair_counts *to)
{
	memset(to, 0, sizeof(*to));
	for (unsigned int i = 0; i < d->n_streams; i++)
		if (d->streams[i].impair)
			impair_counts_read(&d->streams[i].impair->trials, to);
}

void impair_tell(const struct dut *d)
{
	static bool told;

	if (told || !(d->options.impair.kinds & IMPAIR_CORRUPT))
		return;
	for (unsigned int i = 0; i < d->n_streams && !told; i++)
		told = counter_read(&d->streams[i].impair->trials.total[COUNT_CORRUPT_REFUSED]) > 0;
	if (told)
		fprintf(stderr, "tandem-dut: frames without a byte between headers and stamp "
				"cannot be corrupted and stay as they are; send larger ones "
				"(counted as corrupt_refused)\n");
}

static void add_counts(json_t *to, const uint64_t *count)
{
	for (unsigned int i = 0; i < IMPAIR_COUNTS; i++)
		json_object_set_new(to, impair_count_name(i), result_count(count[i]));
}

static json_t *log_record(const struct dut *d)
{
	uint64_t entries = 0, more = 0;

	if (!d->options.impair_log)
		return json_null();
	for (unsigned int i = 0; i < d->n_streams; i++) {
		entries += d->streams[i].impair->log.n;
		more += d->streams[i].impair->log.more;
	}
	return json_pack("{s:I, s:I}", "entries", (json_int_t)entries, "truncated",
			 (json_int_t)more);
}

json_t *impair_record(const struct dut *d)
{
	struct impair_counts counts;
	json_t *record, *trials = json_array();

	if (d->options.forward_mode != FORWARD_IMPAIR) {
		json_decref(trials);
		return json_null();
	}
	impair_counts(d, &counts);
	record = json_pack("{s:I, s:s}", "seed", (json_int_t)d->options.seed, "list",
			   d->options.impair.text);
	add_counts(record, counts.total);
	for (unsigned int i = 0; i < counts.n_trials; i++) {
		json_t *trial = json_pack("{s:i}", "trial", (int)counts.trial[i].number);

		add_counts(trial, counts.trial[i].count);
		json_array_append_new(trials, trial);
	}
	json_object_set_new(record, "trials", trials);
	json_object_set_new(record, "log", log_record(d));
	return record;
}

int impair_log_save(const struct dut *d, char *err, size_t errlen)
{
	const char *path = d->options.impair_log;
	uint64_t more = 0;
	bool failed;
	FILE *f;

	if (!path)
		return 0;
	errno = 0;
	f = fopen(path, "we");
	failed = !f;
	if (f) {
		impair_log_head(f);
		for (unsigned int i = 0; i < d->n_streams; i++) {
			impair_log_write(&d->streams[i].impair->log, f);
			more += d->streams[i].impair->log.more;
		}
		if (more)
			fprintf(f, "# truncated: %" PRIu64 " more actions\n", more);
		failed = ferror(f) != 0;
		failed |= fclose(f) != 0;
	}
	if (!failed)
		return 0;
	snprintf(err, errlen, "cannot write the impairment's log to %s: %s", path,
		 strerror(errno ? errno : EIO));
	return errno ? -errno : -EIO;
}

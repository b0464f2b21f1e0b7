/*
 * From a foreign file to records.
 */
#include "plots/import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/results.h"
#include "common/units.h"

static const struct import_format *const formats[] = {&import_json, &import_hgrm, &import_testpmd,
						      &import_csv};

struct imported imported_unknown(const char *source)
{
	return (struct imported){source, NAN, NAN, NAN, NAN, NAN, NAN, NAN,  NAN, NAN,
				 NAN,	 NAN, NAN, NAN, NAN, NAN, NAN, NULL, NAN, NAN};
}

char *import_words(const char *text, char *buf, size_t len)
{
	size_t n = 0;

	for (; text[n] && n + 1 < len; n++)
		buf[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
	buf[n] = '\0';
	return buf;
}

/* Sets a member at a dotted path of two parts, or one; unknown stays null. */
static void set(json_t *o, const char *part, const char *key, double value, bool whole)
{
	json_t *in = part ? json_object_get(o, part) : o;

	if (part && !in) {
		in = json_object();
		json_object_set_new(o, part, in);
	}
	json_object_set_new(in, key,
			    !isfinite(value) ? json_null()
			    : whole	     ? json_integer((json_int_t)llround(value))
					     : json_real(value));
}

static json_t *trial_of(const struct imported *row, size_t number)
{
	const bool sized = row->frame_size >= 1 && row->frame_size <= 65535;
	const uint32_t size = sized ? (uint32_t)row->frame_size : 0;
	/* What was sent is what was asked for, as far as a file like this says. */
	const double offered = isfinite(row->offered_pps) ? row->offered_pps : row->rx_pps;
	json_t *o = json_object();

	json_object_set_new(o, "schema", json_string("tandem.trial/1"));
	json_object_set_new(o, "trial", json_integer((json_int_t)number));
	json_object_set_new(o, "source", json_string(row->source));
	json_object_set_new(o, "path", json_string(row->source));
	json_object_set_new(o, "stream", json_string("all"));
	set(o, NULL, "frame_size", sized ? row->frame_size : NAN, true);
	set(o, NULL, "rate_requested_pps", offered, false);
	set(o, "tx", "sent", row->sent, true);
	set(o, "tx", "pps", offered, false);
	set(o, "rx", "received", row->received, true);
	set(o, "rx", "lost", row->sent - row->received, true);
	set(o, "rx", "pps", row->rx_pps, false);
	set(o, "rx", "l1_bps", sized ? pps_to_l1_bps(row->rx_pps, size) : NAN, false);
	set(o, "rx", "l2_bps", sized ? pps_to_l2_bps(row->rx_pps, size) : NAN, false);
	set(o, NULL, "loss_ratio",
	    isfinite(row->loss_ratio) ? row->loss_ratio
	    : row->sent > 0	      ? (row->sent - row->received) / row->sent
				      : NAN,
	    false);
	set(o, "latency_ns", "min", row->min, true);
	set(o, "latency_ns", "mean", row->mean, false);
	set(o, "latency_ns", "max", row->max, true);
	set(o, "latency_ns", "p50", row->p50, true);
	set(o, "latency_ns", "p90", row->p90, true);
	set(o, "latency_ns", "p99", row->p99, true);
	set(o, "latency_ns", "p999", row->p999, true);
	set(o, "latency_ns", "p9999", row->p9999, true);
	set(o, "dut", "cpu_busy", row->cpu_busy, false);
	json_object_set_new(o, "verdict", json_string("valid"));
	json_object_set_new(o, "reasons", json_array());
	return o;
}

static json_t *test_of(const struct imported *row)
{
	json_t *o = json_object();

	json_object_set_new(o, "schema", json_string("tandem.test/1"));
	json_object_set_new(o, "test", json_string("throughput"));
	json_object_set_new(o, "source", json_string(row->source));
	json_object_set_new(o, "path", json_string(row->source));
	json_object_set_new(o, "goal", json_string(row->found));
	set(o, NULL, "frame_size", row->frame_size, true);
	json_object_set_new(o, "outcome", json_string("found"));
	json_object_set_new(o, "reasons", json_array());
	set(o, NULL, "throughput_pps", row->lower_pps, false);
	set(o, NULL, "upper_bound_pps", row->upper_pps, false);
	return o;
}

/* Whether a row says anything that a trial holds. */
static bool says_something(const struct imported *row)
{
	const double values[] = {row->rx_pps, row->received, row->loss_ratio, row->min,
				 row->mean,   row->max,	     row->p50,	      row->cpu_busy};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (isfinite(values[i]))
			return true;
	return false;
}

int import_take(struct result *r, enum load load, const struct imported *row)
{
	json_t *o;
	int rc = 0;

	if (says_something(row)) {
		o = trial_of(row, r->n_trials + 1);
		rc = o ? result_take_trial(r, load, o, TRIAL_NO_LINE) : -ENOMEM;
		json_decref(o);
	}
	if (rc == 0 && row->found && isfinite(row->lower_pps)) {
		o = test_of(row);
		rc = o && !json_array_append(r->tests, o) ? 0 : -ENOMEM;
		json_decref(o);
	}
	return rc;
}

static int read_file(const char *path, size_t most, struct import_file *file, char *err,
		     size_t errlen)
{
	FILE *f = fopen(path, "re");
	struct stat st;

	*file = (struct import_file){.path = path};
	if (!f || fstat(fileno(f), &st)) {
		int rc = errno ? -errno : -EIO;

		snprintf(err, errlen, "%s: %s", path, strerror(-rc));
		if (f)
			fclose(f);
		return rc;
	}
	file->text = calloc(1, most + 1);
	if (!file->text) {
		fclose(f);
		snprintf(err, errlen, "%s: out of memory", path);
		return -ENOMEM;
	}
	file->len = fread(file->text, 1, most, f);
	file->text[file->len] = '\0';
	fclose(f);
	return 0;
}

bool import_is(const char *path)
{
	struct import_file file;
	struct stat st;
	const char *text;
	char ignored[256];
	bool own;

	if (stat(path, &st) || !S_ISREG(st.st_mode) ||
	    read_file(path, 4096, &file, ignored, sizeof(ignored)) || !file.text)
		return false;
	text = file.text + (!strncmp(file.text, "\xef\xbb\xbf", 3) ? 3 : 0);
	own = strstr(text, "\"tandem.") != NULL || file.len == 0;
	/* A file of records that somebody broke is still one of records. */
	own |= strlen(path) > 6 && !strcmp(path + strlen(path) - 6, ".jsonl");
	free(file.text);
	return !own;
}

int import_result(struct result *r, enum load load, char *err, size_t errlen)
{
	struct import_file file;
	struct stat st;
	int rc;

	if (!stat(r->path, &st) && st.st_size > IMPORT_MAX_BYTES) {
		snprintf(err, errlen, "%s: larger than %u MB", r->path, IMPORT_MAX_BYTES >> 20);
		return -EFBIG;
	}
	rc = read_file(r->path, !stat(r->path, &st) ? (size_t)st.st_size : 0, &file, err, errlen);
	if (rc || !file.text)
		return rc;
	if (!strncmp(file.text, "\xef\xbb\xbf", 3)) {
		file.len -= 3;
		memmove(file.text, file.text + 3, file.len + 1);
	}
	rc = -EINVAL;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]) && rc == -EINVAL; i++) {
		if (!formats[i]->knows(&file))
			continue;
		rc = formats[i]->take(&file, r, load, err, errlen);
		break;
	}
	free(file.text);
	if (rc == -ENOMEM)
		snprintf(err, errlen, "%s: out of memory", r->path);
	if (!r->summary)
		r->summary = json_array();
	if (rc == 0 && r->n_trials == 0 && json_array_size(r->tests) == 0) {
		snprintf(err, errlen, "%s: no result in it", r->path);
		rc = -EINVAL;
	}
	return rc;
}

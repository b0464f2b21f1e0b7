/*
 * Curves out of summary rows. Nothing is computed here that the record does not say.
 */
#include "plots/series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/results.h"
#include "plots/searched.h"

/* A text of a row, "" where it has none. */
static const char *text(const json_t *row, const char *key)
{
	const char *s = result_str(row, key);

	return s ? s : "";
}

static bool same_series(const json_t *a, const json_t *b)
{
	return strcmp(text(a, "path"), text(b, "path")) == 0 &&
	       strcmp(text(a, "direction"), text(b, "direction")) == 0 &&
	       strcmp(text(a, "stream"), text(b, "stream")) == 0;
}

static uint32_t row_size(const json_t *row)
{
	double size = result_num(row, "frame_size");

	return size >= 1 && size <= 1e6 ? (uint32_t)size : 0;
}

static int compare_sizes(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool has_size(const struct series_set *set, uint32_t size)
{
	return bsearch(&size, set->size, set->n_sizes, sizeof(size), compare_sizes) != NULL;
}

static int add_size(struct series_set *set, uint32_t size)
{
	if (!size || has_size(set, size))
		return 0;
	if (set->n_sizes == SIZES_MAX)
		return -E2BIG;
	set->size[set->n_sizes++] = size;
	qsort(set->size, set->n_sizes, sizeof(size), compare_sizes);
	return 0;
}

static int collect_sizes(const struct result *results, size_t n_results, struct series_set *set,
			 char *err, size_t errlen)
{
	const json_t *row;
	size_t i;

	for (size_t r = 0; r < n_results; r++) {
		json_array_foreach (results[r].summary, i, row)
			if (add_size(set, row_size(row)) < 0)
				goto too_many;
		json_array_foreach (results[r].tests, i, row)
			if (searched_is(row) && add_size(set, row_size(row)) < 0)
				goto too_many;
	}
	return 0;

too_many:
	snprintf(err, errlen,
		 "more than %u frame sizes do not fit in one picture: give fewer results",
		 SIZES_MAX);
	return -E2BIG;
}

static size_t size_index(const struct series_set *set, uint32_t size)
{
	size_t i = 0;

	while (set->size[i] != size)
		i++;
	return i;
}

/* True when the results' rows differ in a key: only then is it worth a word in the labels. */
static bool differs(const struct result *results, size_t n_results, const char *key)
{
	const char *first = NULL;
	const json_t *row;
	size_t i;

	for (size_t r = 0; r < n_results; r++) {
		json_array_foreach (results[r].summary, i, row) {
			if (first && strcmp(first, text(row, key)) != 0)
				return true;
			first = text(row, key);
		}
	}
	return false;
}

bool series_is_mode(const char *path)
{
	static const char *const modes[] = {"io", "kernel", "impair", "split", "series"};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i], path) == 0)
			return true;
	return false;
}

static void set_label(struct series *s, const struct result *result, const json_t *row,
		      bool with_name, bool with_direction, bool with_stream)
{
	const char *path = text(row, "path");

	snprintf(s->label, sizeof(s->label), "%.60s%s%.20s%s%s%.12s%s%.12s",
		 with_name ? result->name : "", with_name ? ": " : "", path[0] ? path : "unknown",
		 !path[0] || series_is_mode(path) ? " path" : "", with_direction ? " " : "",
		 with_direction ? text(row, "direction") : "", with_stream ? ", stream " : "",
		 with_stream ? text(row, "stream") : "");
}

int series_collect(const struct result *results, size_t n_results, struct series_set *set,
		   char *err, size_t errlen)
{
	const bool directions = differs(results, n_results, "direction");
	const bool streams = differs(results, n_results, "stream");
	/* A row of each series, to know its others by. */
	const json_t *first[SERIES_MAX];
	const json_t *row;
	size_t i;

	memset(set, 0, sizeof(*set));
	if (collect_sizes(results, n_results, set, err, errlen) < 0)
		return -E2BIG;
	for (size_t r = 0; r < n_results; r++) {
		const size_t own = set->n; /* two results never share a series */

		json_array_foreach (results[r].summary, i, row) {
			size_t s = own;

			if (!row_size(row))
				continue;
			while (s < set->n && !same_series(first[s], row))
				s++;
			if (s == SERIES_MAX) {
				snprintf(err, errlen,
					 "more than %u curves do not fit in one "
					 "picture: give fewer results",
					 SERIES_MAX);
				return -E2BIG;
			}
			if (s == set->n) {
				first[set->n++] = row;
				set_label(&set->series[s], &results[r], row, n_results > 1,
					  directions, streams);
			}
			set->series[s].row[size_index(set, row_size(row))] = row;
		}
	}
	return 0;
}

const json_t *series_trial(const struct series *series, size_t size, const char *kind)
{
	const json_t *trial = json_object_get(series->row[size], kind);

	return json_is_object(trial) ? trial : NULL;
}

bool series_has(const struct series *series, size_t n_sizes, const char *kind)
{
	for (size_t i = 0; i < n_sizes; i++)
		if (series_trial(series, i, kind))
			return true;
	return false;
}

bool series_any(const struct series_set *set, const char *kind)
{
	for (size_t s = 0; s < set->n; s++)
		if (series_has(&set->series[s], set->n_sizes, kind))
			return true;
	return false;
}

struct point series_point(const json_t *trial, const char *dotted, double scale)
{
	struct point p = {NAN, POINT_MISSING};
	const char *verdict;

	if (!trial)
		return p;
	p.value = result_num(trial, dotted) * scale;
	verdict = text(trial, "verdict");
	if (strcmp(verdict, "valid") == 0)
		p.mark = POINT_VALID;
	else if (strcmp(verdict, "disturbed") == 0)
		p.mark = POINT_DISTURBED;
	else
		p.mark = POINT_INVALID;
	if (!isfinite(p.value) && p.mark != POINT_INVALID)
		p.mark = POINT_MISSING;
	return p;
}

void series_range(const struct point *points, size_t n, double *lo, double *hi)
{
	for (size_t i = 0; i < n; i++) {
		if (points[i].mark == POINT_MISSING || !(points[i].value > 0))
			continue;
		*lo = fmin(*lo, points[i].value);
		*hi = fmax(*hi, points[i].value);
	}
}

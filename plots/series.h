/*
 * From the rows of a summary to the curves of a picture.
 *
 * A series is what one curve shows: a path (with its direction and stream) of one result over the
 * frame sizes. The frame sizes of all series make the categories of the x axis; where a series has
 * none, its curve has a gap.
 */
#ifndef TANDEM_SERIES_H
#define TANDEM_SERIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plots/load.h"

#define SERIES_MAX 8u  /* more curves than that nobody tells apart */
#define SIZES_MAX  32u /* more frame sizes than that do not fit side by side */

enum point_mark {
	POINT_MISSING, /* no such trial, or it has no such value: a gap */
	POINT_VALID,
	POINT_DISTURBED,
	POINT_INVALID /* value may be NaN: the trial ran, but has nothing to show */
};

struct point {
	double value;
	enum point_mark mark;
};

struct series {
	char label[128];
	const json_t *row[SIZES_MAX]; /* summary row of each frame size, NULL where there is none;
					 borrowed */
};

struct series_set {
	size_t n_sizes;
	uint32_t size[SIZES_MAX]; /* ascending */
	size_t n;
	struct series series[SERIES_MAX];
};

/*
 * Collects the series of all results, in their order. They borrow from the results, which must
 * outlive them. Returns 0, or -E2BIG with one line in err when there are more than fit in one
 * picture.
 */
int series_collect(const struct result *results, size_t n_results, struct series_set *set,
		   char *err, size_t errlen);

/* The trial of a series at a frame size: kind is "max" or "paced". NULL where there is none;
 * borrowed. */
const json_t *series_trial(const struct series *series, size_t size, const char *kind);

/* Whether a path is one of tandem-dut's: "io path"; another's name stands for itself. */
bool series_is_mode(const char *path);

/* True when a series has a trial of that kind, at any of the frame sizes. */
bool series_has(const struct series *series, size_t n_sizes, const char *kind);

/* True when any series has a trial of that kind. */
bool series_any(const struct series_set *set, const char *kind);

/* Value at a dotted path of a trial (NULL: missing), multiplied by scale, with the mark of the
 * trial's verdict. */
struct point series_point(const json_t *trial, const char *dotted, double scale);

/* Widens lo..hi (NaN at first) by the points' values over 0. */
void series_range(const struct point *points, size_t n, double *lo, double *hi);

#endif

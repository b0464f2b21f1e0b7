/*
 * Two results side by side: the median of each metric by path and frame size, how far they are
 * apart, and whether that is more than noise. Pure.
 */
#ifndef TANDEM_COMPARE_H
#define TANDEM_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "plots/load.h"

#define COMPARE_ROWS 64u

enum metric {
	METRIC_FORWARDING,  /* frames a second, of trials at max */
	METRIC_THROUGHPUT,  /* frames a second, found by a search */
	METRIC_OFFERED,	    /* frames a second that the paced trials below were asked for */
	METRIC_LOSS,	    /* ratio, of paced trials */
	METRIC_LATENCY_MIN, /* ns, of paced trials; clean where that is known */
	METRIC_LATENCY_MEAN,
	METRIC_LATENCY_P50,
	METRIC_LATENCY_P99,
	METRIC_LATENCY_P999,
	METRIC_CPU, /* 0..1, at max, else paced */
	METRICS
};

/* Name of a metric in tables, CSV, JSON and --fail-if: "latency-p99"; its unit, and what a value is
 * multiplied by for it. */
const char *metric_name(enum metric metric);
const char *metric_unit(enum metric metric);
double metric_scale(enum metric metric);

enum apart {
	APART_UNKNOWN, /* fewer than three trials on a side: noise is not known */
	APART_NOISE,
	APART_REAL /* Mann-Whitney U, two-sided, below 5 % */
};

struct compare_cell {
	double a, b, baseline; /* medians; NaN unknown */
	size_t n_a, n_b;
	double p; /* of the rank test; NaN unknown */
	enum apart apart;
};

struct compare_row {
	char path_a[64], path_b[64];
	uint32_t frame_size;
	struct compare_cell cell[METRICS];
};

struct comparison {
	size_t n;
	struct compare_row row[COMPARE_ROWS];
	size_t n_notes;
	char note[16][300]; /* what was measured differently */
};

/*
 * Compares b with a. Of paced trials those count that were asked for the load of the last one of
 * their path and size. Paths are matched by name, or path_a with path_b where those are given
 * (NULL: all); where each result has one path alone, these two. baseline may be NULL. Returns 0, or
 * -ENODATA with one line in err where nothing of the two can be compared.
 */
int compare_results(const struct result *a, const struct result *b, const struct result *baseline,
		    const char *path_a, const char *path_b, struct comparison *c, char *err,
		    size_t errlen);

/* b against a, as a share of a; NaN unknown. 0 for two zeros. */
double compare_change(const struct compare_cell *cell);

/* --fail-if: "latency-p99>5%", "loss>0.1" (in the table's unit). */
struct fail_if {
	enum metric metric;
	bool below; /* <, else > */
	bool share; /* of a, in %; else the difference in the table's unit */
	double limit;
	char text[48];
};

/* Reads one. 0, or -EINVAL with a line in err that lists the metrics. */
int fail_if_parse(struct fail_if *condition, const char *text, char *err, size_t errlen);

/* The first row for which it holds; NULL. Differences that are noise do not count. */
const struct compare_row *fail_if_holds(const struct fail_if *condition,
					const struct comparison *c);

/* Prints for people; one record a cell as CSV or JSON. */
void compare_print(const struct comparison *c, const char *a, const char *b, const char *baseline,
		   FILE *out);
void compare_print_csv(const struct comparison *c, FILE *out);
int compare_print_json(const struct comparison *c, const char *a, const char *b, FILE *out);

#endif

/*
 * What searches found: RFC 2544 throughput and MLRsearch's goals (NDR, PDR), by frame size, as
 * bands from the bound that held to the one that did not.
 */
#ifndef TANDEM_SEARCHED_H
#define TANDEM_SEARCHED_H

#include "plots/series.h"

struct searched_line {
	char label[160];
	const char *path, *direction, *goal; /* borrowed from the records */
	size_t result;
	double lower[SIZES_MAX], upper[SIZES_MAX]; /* frames a second; NaN unknown */
	bool regular[SIZES_MAX];		   /* the search came to its end there */
};

struct searched {
	size_t n;
	bool more; /* than there is room for */
	struct searched_line line[SERIES_MAX];
};

/* Whether a record of tests.jsonl is of such a search. */
bool searched_is(const json_t *test);

/* Collects what the results' tests found at the set's sizes, at most room lines. */
void searched_collect(const struct result *results, size_t n_results, const struct series_set *set,
		      size_t room, struct searched *searched);

#endif

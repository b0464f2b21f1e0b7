/*
 * The Mann-Whitney U test (Wilcoxon's rank sum test): whether two samples differ by more than
 * chance, whatever their distribution. Pure.
 */
#ifndef TANDEM_RANK_TEST_H
#define TANDEM_RANK_TEST_H

#include <stddef.h>

#define RANK_TEST_MAX 4096u /* of each sample; more are left out */

/*
 * The two-sided probability that samples as far apart as these come of one distribution: exact up
 * to 20 values each without ties, else by the normal approximation with its corrections for ties
 * and continuity. NaN where a sample has fewer than three values: then nothing can be said (with
 * two of each even the extreme case has a third).
 */
double rank_test(const double *a, size_t n_a, const double *b, size_t n_b);

/* The median of n > 0 values: of an even number the mean of the two in the middle. Sorts them. */
double sample_median(double *values, size_t n);

#endif

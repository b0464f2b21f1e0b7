/*
 * Ranks, their sum, and how likely it is.
 */
#include "plots/rank_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 20u

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sample_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* U of a: how often one of a is above one of b, half for each tie. */
static double statistic(const double *a, size_t n_a, const double *b, size_t n_b, bool *ties)
{
	double u = 0;

	for (size_t i = 0; i < n_a; i++) {
		for (size_t k = 0; k < n_b; k++) {
			bool tie = !(a[i] < b[k]) && !(a[i] > b[k]);

			u += a[i] > b[k] ? 1 : tie ? 0.5 : 0;
			*ties |= tie;
		}
	}
	return u;
}

/*
 * P(U <= u) of n_a and n_b values without ties, by the numbers of arrangements: those of n and m
 * with sum u are those where the largest is of the one sample or of the other.
 */
static double exact_below(size_t n_a, size_t n_b, size_t u)
{
	static double count[EXACT_MAX + 1][EXACT_MAX + 1][EXACT_MAX * EXACT_MAX + 1];
	double sum = 0, all = 0;

	for (size_t n = 0; n <= n_a; n++) {
		for (size_t m = 0; m <= n_b; m++) {
			for (size_t s = 0; s <= n * m; s++) {
				double of_a = n && s >= m ? count[n - 1][m][s - m] : 0;
				double of_b = m && s <= n * (m - 1) ? count[n][m - 1][s] : 0;

				count[n][m][s] = !n || !m ? (s == 0) : of_a + of_b;
			}
			for (size_t s = n * m + 1; s <= EXACT_MAX * EXACT_MAX; s++)
				count[n][m][s] = 0;
		}
	}
	for (size_t s = 0; s <= n_a * n_b; s++) {
		all += count[n_a][n_b][s];
		sum += s <= u ? count[n_a][n_b][s] : 0;
	}
	return sum / all;
}

/* Sum of t^3 - t over groups of t equal values. */
static double tie_term(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double *all = malloc((n_a + n_b) * sizeof(*all)), term = 0;

	if (!all)
		return 0;
	memcpy(all, a, n_a * sizeof(*a));
	memcpy(all + n_a, b, n_b * sizeof(*b));
	qsort(all, n_a + n_b, sizeof(*all), by_value);
	for (size_t i = 0, end; i < n_a + n_b; i = end) {
		double t;

		for (end = i + 1; end < n_a + n_b && all[end] <= all[i];)
			end++;
		t = (double)(end - i);
		term += t * t * t - t;
	}
	free(all);
	return term;
}

double rank_test(const double *a, size_t n_a, const double *b, size_t n_b)
{
	bool ties = false;
	double u, n, mean, variance, z;

	n_a = n_a > RANK_TEST_MAX ? RANK_TEST_MAX : n_a;
	n_b = n_b > RANK_TEST_MAX ? RANK_TEST_MAX : n_b;
	if (n_a < 3 || n_b < 3)
		return NAN;
	u = statistic(a, n_a, b, n_b, &ties);
	mean = (double)n_a * (double)n_b / 2;
	if (!ties && n_a <= EXACT_MAX && n_b <= EXACT_MAX) {
		double below = exact_below(n_a, n_b, (size_t)fmin(u, 2 * mean - u));

		return fmin(2 * below, 1);
	}
	n = (double)(n_a + n_b);
	variance = mean / 6 * (n + 1 - tie_term(a, n_a, b, n_b) / (n * (n - 1)));
	if (!(variance > 0))
		return 1; /* all are equal */
	z = fmax(fabs(u - mean) - 0.5, 0) / sqrt(variance);
	return erfc(z / sqrt(2));
}

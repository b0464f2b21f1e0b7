/*
 * The latency histogram's reading side: quantiles, moments, merge, snapshot, HdrHistogram text.
 *
 * Adding a sample is inline in the header, for it stands in the data path; nothing here is.
 */
#include "common/hist.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Percentile lines for each halving of the distance to 100 %, as HdrHistogram's own tools print. */
#define HGRM_TICKS_PER_HALF 5.0

/* Tries to read count, sums and extremes of a running histogram between two of its samples. */
#define SNAPSHOT_TRIES 64

void hist_reset(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void hist_clear(struct hist *h)
{
	if (h->count) {
		uint32_t first = hist_index(h->min), last = hist_index(h->max);

		memset(&h->bucket[first], 0, (last - first + 1) * sizeof(h->bucket[0]));
	}
	h->count = 0;
	h->sum = 0;
	h->sum_sq = 0;
	h->min = UINT64_MAX;
	h->max = 0;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (!from->count)
		return;
	into->count += from->count;
	into->sum += from->sum;
	into->sum_sq += from->sum_sq;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (uint32_t i = hist_index(from->min), last = hist_index(from->max); i <= last; i++)
		into->bucket[i] += from->bucket[i];
}

uint64_t hist_bucket_low(uint32_t index)
{
	uint32_t shift = index < 2 * HIST_SUB ? 0 : index / HIST_SUB - 1;

	return (uint64_t)(index - shift * HIST_SUB) << shift;
}

uint64_t hist_bucket_high(uint32_t index)
{
	uint32_t shift = index < 2 * HIST_SUB ? 0 : index / HIST_SUB - 1;

	return hist_bucket_low(index) + (1ull << shift) - 1;
}

static uint64_t load(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Count and sums of one moment, as far as the writer leaves one between two samples. */
static void copy_sums(struct hist *to, const struct hist *from)
{
	for (int i = 0; i < SNAPSHOT_TRIES; i++) {
		to->count = __atomic_load_n(&from->count, __ATOMIC_ACQUIRE);
		to->sum = load(&from->sum);
		to->sum_sq = *(const volatile unsigned __int128 *)&from->sum_sq;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (load(&from->count) == to->count)
			break;
	}
}

void hist_copy(struct hist *to, const struct hist *from)
{
	uint64_t sum_count, first = UINT64_MAX, last = 0;

	copy_sums(to, from);
	sum_count = to->count;
	to->count = 0;
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		to->bucket[i] = load(&from->bucket[i]);
		if (!to->bucket[i])
			continue;
		to->count += to->bucket[i];
		if (first == UINT64_MAX)
			first = hist_bucket_high(i);
		last = hist_bucket_low(i);
	}
	to->min = load(&from->min);
	to->max = load(&from->max);
	if (!to->count) {
		hist_reset(to);
		return;
	}
	/* A sample may stand in its bucket before it stands in the extremes. */
	if (to->min > first)
		to->min = first;
	if (to->max < last)
		to->max = last;
	/* The buckets are younger than the sums: scale these to as many samples. */
	if (!sum_count) {
		to->sum = 0;
		to->sum_sq = 0;
		for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
			uint64_t low = hist_bucket_low(i);

			to->sum += low * to->bucket[i];
			to->sum_sq += (unsigned __int128)low * low * to->bucket[i];
		}
	} else if (to->count != sum_count) {
		to->sum = (uint64_t)((unsigned __int128)to->sum * to->count / sum_count);
		to->sum_sq = to->sum_sq / sum_count * to->count;
	}
}

static double bucket_value(const struct hist *h, uint32_t index)
{
	double low = (double)hist_bucket_low(index), high = (double)hist_bucket_high(index);
	double value = (low + high) / 2;

	if (value < (double)h->min)
		return (double)h->min;
	return value > (double)h->max ? (double)h->max : value;
}

/* How many samples are at least a share q of all: the smallest such number, 1 or more. */
static uint64_t quantile_rank(const struct hist *h, double q)
{
	uint64_t rank = (uint64_t)ceil(q * (double)h->count);

	/* q * count may have been rounded up over a whole number, as in 0.07 * 100. */
	if (rank > 1 && (double)(rank - 1) / (double)h->count >= q)
		rank--;
	if (rank > h->count)
		return h->count;
	return rank ? rank : 1;
}

double hist_quantile(const struct hist *h, double q)
{
	uint64_t rank, seen = 0;

	if (!h->count || isnan(q))
		return NAN;
	if (q <= 0)
		return (double)h->min;
	if (q >= 1)
		return (double)h->max;
	rank = quantile_rank(h, q);
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			return bucket_value(h, i);
	}
	return (double)h->max;
}

double hist_mean(const struct hist *h)
{
	return h->count ? (double)((long double)h->sum / (long double)h->count) : NAN;
}

double hist_stdev(const struct hist *h)
{
	unsigned __int128 around;
	long double n, variance;
	uint64_t mean, rest;

	if (!h->count)
		return NAN;
	/*
	 * Squares around the whole part m of the mean: sum((x - m)^2) = sum_sq - m * (sum + rest).
	 * In whole numbers it is exact, where sum_sq / n - mean^2 would cancel to noise for a
	 * narrow spread far from 0.
	 */
	mean = h->sum / h->count;
	rest = h->sum % h->count;
	around = h->sum_sq - (unsigned __int128)mean * ((unsigned __int128)h->sum + rest);
	if ((__int128)around < 0) /* only in a snapshot whose sums are of two moments */
		return 0;
	n = (long double)h->count;
	variance = (long double)around / n - ((long double)rest / n) * ((long double)rest / n);
	return variance > 0 ? (double)sqrtl(variance) : 0;
}

/*
 * Percentile lines: 0, 0.1 ... 0.4, 0.5, 0.55 ... 0.7, 0.75 and so on, until all samples are
 * counted. The levels are quotients of whole numbers, for a sum of steps would drift off the rank
 * it stands for.
 */
static void hgrm_lines(const struct hist *h, double scale, FILE *out)
{
	double parts = 2 * HGRM_TICKS_PER_HALF, left = parts, level = 0;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < HIST_BUCKETS && seen < h->count; i++) {
		if (!h->bucket[i])
			continue;
		seen += h->bucket[i];
		while (quantile_rank(h, level) <= seen) {
			fprintf(out, "%12.3f %2.12f %10llu %14.2f\n",
				(level > 0 ? bucket_value(h, i) : (double)h->min) * scale, level,
				(unsigned long long)seen, parts / left);
			if (seen == h->count)
				break;
			if (--left == HGRM_TICKS_PER_HALF) {
				parts *= 2;
				left *= 2;
			}
			level = (parts - left) / parts;
		}
	}
	if (h->count)
		fprintf(out, "%12.3f %2.12f %10llu\n", (double)h->max * scale, 1.0,
			(unsigned long long)h->count);
}

int hist_write_hgrm(const struct hist *h, double scale, FILE *out)
{
	double mean = h->count ? hist_mean(h) : 0, stdev = h->count ? hist_stdev(h) : 0;

	fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
		"1/(1-Percentile)");
	hgrm_lines(h, scale, out);
	fprintf(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", mean * scale, stdev * scale);
	fprintf(out, "#[Max     = %12.3f, Total count    = %12llu]\n", (double)h->max * scale,
		(unsigned long long)h->count);
	fprintf(out, "#[Buckets = %12u, SubBuckets     = %12u]\n", HIST_BUCKETS / HIST_SUB,
		2 * HIST_SUB);
	return fflush(out) || ferror(out) ? -EIO : 0;
}

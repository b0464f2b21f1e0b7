/*
 * Latency histogram: log-linear, one add and one increment a sample.
 *
 * Values are whole numbers without a unit (the data path records TSC cycles; who reads gives the
 * scale to nanoseconds). Below 1,024 every value has a bucket of its own; above, an octave has 512
 * buckets, so the middle of a bucket is at most 1/1024 (0.098 %) away from any value in it. That
 * spans 1 ns to 100 s at any TSC rate up to 10 GHz; larger values are put into the last bucket, and
 * the exact maximum still tells. Count, minimum, maximum, sum and sum of squares are exact.
 *
 * Written by hand because Debian has no C HdrHistogram. One writer; readers may look at a running
 * histogram through hist_copy and get counts that are a moment old.
 */
#ifndef TANDEM_HIST_H
#define TANDEM_HIST_H

#include <stdint.h>
#include <stdio.h>

#define HIST_SUB_BITS 9u /* 512 buckets an octave */
#define HIST_SUB      (1u << HIST_SUB_BITS)
#define HIST_MAX_BITS 40u /* values up to 2^40: 100 s at 10 GHz */
#define HIST_BUCKETS  ((HIST_MAX_BITS - HIST_SUB_BITS + 1) * HIST_SUB)

struct hist {
	uint64_t count;
	uint64_t min; /* UINT64_MAX while empty */
	uint64_t max;
	uint64_t sum;
	unsigned __int128 sum_sq;
	uint64_t bucket[HIST_BUCKETS];
};

static inline uint32_t hist_index(uint64_t value)
{
	uint32_t shift;

	if (__builtin_expect(value >> HIST_MAX_BITS, 0))
		value = (1ull << HIST_MAX_BITS) - 1;
	/* | HIST_SUB: values below an octave's worth of buckets share shift 0 and are exact. */
	shift = 63u - (uint32_t)__builtin_clzll(value | HIST_SUB) - HIST_SUB_BITS;
	return shift * HIST_SUB + (uint32_t)(value >> shift);
}

static inline void hist_add(struct hist *h, uint64_t value)
{
	h->count++;
	h->sum += value;
	h->sum_sq += (unsigned __int128)value * value;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->bucket[hist_index(value)]++;
}

/* As hist_add for n equal values, n > 0. */
static inline void hist_add_n(struct hist *h, uint64_t value, uint64_t n)
{
	h->count += n;
	h->sum += value * n;
	h->sum_sq += (unsigned __int128)value * value * n;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->bucket[hist_index(value)] += n;
}

void hist_reset(struct hist *h);

/* As hist_reset, for one that was reset before: touches only the buckets that hold samples. */
void hist_clear(struct hist *h);
void hist_merge(struct hist *into, const struct hist *from);

/* Copy of a histogram that another thread may be writing: safe to read, a moment old, count = sum
 * of buckets. */
void hist_copy(struct hist *to, const struct hist *from);

/* Lowest and highest value of a bucket. */
uint64_t hist_bucket_low(uint32_t index);
uint64_t hist_bucket_high(uint32_t index);

/*
 * Value at a quantile of 0..1: the smallest value v so that at least q of the samples are <= v, as
 * the middle of its bucket and never outside [min, max]; 0 gives the exact minimum, 1 the exact
 * maximum. NaN while empty.
 */
double hist_quantile(const struct hist *h, double q);
double hist_mean(const struct hist *h);	 /* NaN while empty */
double hist_stdev(const struct hist *h); /* of the population; NaN while empty */

/*
 * HdrHistogram's percentile text (columns Value, Percentile, TotalCount, 1/(1-Percentile) and the
 * #[Mean ...] lines), as existing HDR plotters read it. Values are multiplied by scale. Returns 0
 * or -EIO.
 */
int hist_write_hgrm(const struct hist *h, double scale, FILE *out);

#endif

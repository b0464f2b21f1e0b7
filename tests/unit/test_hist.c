/*
 * Latency histogram: error against exact sorting, quantiles, moments, merge, snapshot, HdrHistogram
 * text.
 */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "common/hist.h"

static struct hist a, b, c;

static int setup(void **state)
{
	(void)state;
	hist_reset(&a);
	hist_reset(&b);
	hist_reset(&c);
	return 0;
}

static int compare(const void *x, const void *y)
{
	uint64_t l = *(const uint64_t *)x, r = *(const uint64_t *)y;

	return (l > r) - (l < r);
}

/* The smallest sample v so that at least q of n sorted samples are <= v. */
static uint64_t exact_quantile(const uint64_t *sorted, size_t n, double q)
{
	size_t k = 1;

	while (k < n && (double)k / (double)n < q)
		k++;
	return sorted[k - 1];
}

static void test_buckets_tile_the_range(void **state)
{
	(void)state;
	assert_int_equal(hist_bucket_low(0), 0);
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t low = hist_bucket_low(i), high = hist_bucket_high(i);

		assert_int_equal(hist_index(low), i);
		assert_int_equal(hist_index(high), i);
		if (i)
			assert_int_equal(low, hist_bucket_high(i - 1) + 1);
		/* Half a bucket against the smallest value in it: 0.1 % at most. */
		assert_true((double)(high - low) / 2 <= 0.001 * (double)low);
		if (i < 1024)
			assert_int_equal(low, high);
	}
	assert_int_equal(hist_bucket_high(HIST_BUCKETS - 1), (1ull << HIST_MAX_BITS) - 1);
	assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

static void test_error_against_sorting(void **state)
{
	static const double levels[] = {0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999};
	enum { N = 20000 };
	static uint64_t samples[N];
	uint64_t seed = 1;
	double exact, got;

	(void)state;
	/* From 1 to 2^40, as many samples in each octave. */
	for (int i = 0; i < N; i++) {
		samples[i] = (unit_random(&seed) | 1ull << 63) >> (24 + unit_random(&seed) % 40);
		hist_add(&a, samples[i]);
	}
	qsort(samples, N, sizeof(samples[0]), compare);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		exact = (double)exact_quantile(samples, N, levels[i]);
		got = hist_quantile(&a, levels[i]);
		assert_true(fabs(got - exact) <= 0.001 * exact);
	}
	for (int i = 1; i <= N; i += 7) {
		exact = (double)samples[i - 1];
		got = hist_quantile(&a, (double)i / N);
		assert_true(fabs(got - exact) <= 0.001 * exact);
	}
	assert_true(hist_quantile(&a, 0) == (double)samples[0]);
	assert_true(hist_quantile(&a, 1) == (double)samples[N - 1]);
}

static void test_known_sets(void **state)
{
	(void)state;
	for (uint64_t v = 1; v <= 100; v++)
		hist_add(&a, v);
	for (int p = 1; p <= 100; p++)
		assert_true(hist_quantile(&a, p / 100.0) == p);
	assert_true(hist_quantile(&a, 0.501) == 51);
	assert_true(hist_mean(&a) == 50.5);
	assert_true(fabs(hist_stdev(&a) - 28.866070047722118) < 1e-12);

	/* One sample: every quantile is it, though its bucket is wide. */
	hist_add(&b, 123456789);
	assert_true(hist_quantile(&b, 0) == 123456789 && hist_quantile(&b, 0.5) == 123456789);
	assert_true(hist_quantile(&b, 1) == 123456789 && hist_stdev(&b) == 0);
	assert_true(hist_mean(&b) == 123456789);
}

static void test_empty(void **state)
{
	(void)state;
	assert_true(isnan(hist_quantile(&a, 0)) && isnan(hist_quantile(&a, 0.5)));
	assert_true(isnan(hist_quantile(&a, 1)) && isnan(hist_mean(&a)) && isnan(hist_stdev(&a)));
	hist_merge(&b, &a);
	hist_copy(&c, &b);
	assert_int_equal(c.count, 0);
	assert_true(c.min == UINT64_MAX && c.max == 0);
	hist_add(&a, 0);
	assert_true(hist_quantile(&a, 0.5) == 0 && hist_mean(&a) == 0);
	assert_true(isnan(hist_quantile(&a, NAN)));
}

static void test_order_holds(void **state)
{
	uint64_t seed = 3;
	double last = 0, q;

	(void)state;
	for (int i = 0; i < 1000; i++)
		hist_add(&a, 1000000 + unit_random(&seed) % 3000);
	for (int i = 0; i <= 1000; i++) {
		q = hist_quantile(&a, i / 1000.0);
		assert_true(q >= last && q >= (double)a.min && q <= (double)a.max);
		last = q;
	}
}

/* A narrow spread far from 0: sum of squares minus square of the mean would leave nothing. */
static void test_stdev_does_not_cancel(void **state)
{
	(void)state;
	for (int i = 0; i < 1000000; i++)
		hist_add(&a, (1ull << 39) + (unsigned int)(i & 1) * 2);
	assert_true(hist_stdev(&a) == 1);
	assert_true(hist_mean(&a) == 0x1p39 + 1);
}

static void test_merge_is_adding_all(void **state)
{
	uint64_t seed = 5, value;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		value = unit_random(&seed) >> (24 + i % 40);
		hist_add(i % 3 ? &a : &b, value);
		hist_add(&c, value);
	}
	hist_merge(&a, &b);
	assert_memory_equal(a.bucket, c.bucket, sizeof(a.bucket));
	assert_true(a.count == c.count && a.min == c.min && a.max == c.max && a.sum == c.sum);
	assert_true(a.sum_sq == c.sum_sq);
	hist_copy(&b, &a);
	assert_memory_equal(b.bucket, a.bucket, sizeof(a.bucket));
	assert_true(b.count == a.count && b.min == a.min && b.max == a.max && b.sum == a.sum);
	assert_true(b.sum_sq == a.sum_sq);
}

/* Clearing is resetting, whatever was in it. */
static void test_clear_is_reset(void **state)
{
	uint64_t seed = 6;

	(void)state;
	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < round * 7; i++)
			hist_add(&a, unit_random(&seed) >> (unit_random(&seed) % 64));
		hist_clear(&a);
		assert_memory_equal(&a, &b, sizeof(a)); /* b was only reset */
	}
}

static void test_add_n(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++)
		hist_add(&a, 77777);
	hist_add_n(&b, 77777, 1000);
	assert_memory_equal(a.bucket, b.bucket, sizeof(a.bucket));
	assert_true(a.count == b.count && a.min == b.min && a.max == b.max && a.sum == b.sum);
	assert_true(a.sum_sq == b.sum_sq);
}

static void test_beyond_the_range(void **state)
{
	(void)state;
	hist_add(&a, 1ull << 50);
	hist_add(&a, 5);
	assert_true(a.max == 1ull << 50);
	assert_int_equal(a.bucket[HIST_BUCKETS - 1], 1);
	assert_true(hist_quantile(&a, 1) == 0x1p50);
	assert_true(hist_quantile(&a, 0.5) == 5);
}

/* A snapshot between a sample's parts: the extremes and sums of the sample are not there yet. */
static void test_copy_of_torn_writes(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++)
		hist_add(&a, 1000);
	a.bucket[hist_index(50)]++;
	a.bucket[hist_index(90000)]++;
	hist_copy(&b, &a);
	assert_int_equal(b.count, 12);
	assert_true(b.min == 50 && b.max >= 89900 && b.max <= 90000);
	assert_true(hist_mean(&b) == 1000 && hist_stdev(&b) == 0);
	hist_reset(&a);
	a.bucket[hist_index(500)]++;
	hist_copy(&b, &a);
	assert_true(b.count == 1 && hist_mean(&b) == 500 && hist_quantile(&b, 0.5) == 500);
}

static void test_hgrm(void **state)
{
	double value, level, inverse, last_value = 0, last_level = -1, mean, stdev, max;
	unsigned long long count, last_count = 0;
	uint64_t seed = 9;
	char *text = NULL, *line, *save;
	size_t size = 0;
	int lines = 0, fields, end = 0;
	FILE *out;

	(void)state;
	for (int i = 0; i < 10000; i++)
		hist_add(&a, 20000 + unit_random(&seed) % 1000 * (unit_random(&seed) % 50));
	out = open_memstream(&text, &size);
	assert_int_equal(hist_write_hgrm(&a, 0.5, out), 0);
	fclose(out);

	line = strtok_r(text, "\n", &save);
	assert_string_equal(line, "       Value     Percentile TotalCount 1/(1-Percentile)");
	while ((line = strtok_r(NULL, "\n", &save)) && line[0] != '#') {
		fields = sscanf(line, "%lf %lf %llu %lf", &value, &level, &count, &inverse);
		assert_true(value >= last_value && level > last_level && count >= last_count);
		assert_false(end); /* nothing behind the last line */
		if (fields == 3) {
			assert_true(level == 1 && count == a.count && value == (double)a.max / 2);
			end = 1;
		} else {
			assert_int_equal(fields, 4);
			assert_true(fabs(inverse * (1 - level) - 1) < 0.01);
			assert_true(fabs(value - hist_quantile(&a, level) / 2) <= 0.0006);
			assert_true((double)count >= level * (double)a.count - 1e-6);
		}
		last_value = value;
		last_level = level;
		last_count = count;
		lines++;
	}
	assert_true(end && lines > 50 && lines < 90);
	assert_int_equal(sscanf(line, "#[Mean = %lf, StdDeviation = %lf]", &mean, &stdev), 2);
	assert_true(fabs(mean - hist_mean(&a) / 2) < 0.001);
	assert_true(fabs(stdev - hist_stdev(&a) / 2) < 0.001);
	line = strtok_r(NULL, "\n", &save);
	assert_int_equal(sscanf(line, "#[Max = %lf, Total count = %llu]", &max, &count), 2);
	assert_true(max == (double)a.max / 2 && count == a.count);
	assert_string_equal(strtok_r(NULL, "\n", &save),
			    "#[Buckets =           32, SubBuckets     =         1024]");
	assert_null(strtok_r(NULL, "\n", &save));
	free(text);
}

static void test_hgrm_empty_and_full_disk(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(hist_write_hgrm(&a, 1, out), 0);
	fclose(out);
	assert_non_null(strstr(text, "Total count    =            0]"));
	assert_null(strstr(text, "nan"));
	free(text);
	out = fopen("/dev/full", "w");
	assert_non_null(out);
	assert_int_equal(hist_write_hgrm(&a, 1, out), -EIO);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_buckets_tile_the_range, setup),
		cmocka_unit_test_setup(test_error_against_sorting, setup),
		cmocka_unit_test_setup(test_known_sets, setup),
		cmocka_unit_test_setup(test_empty, setup),
		cmocka_unit_test_setup(test_order_holds, setup),
		cmocka_unit_test_setup(test_stdev_does_not_cancel, setup),
		cmocka_unit_test_setup(test_merge_is_adding_all, setup),
		cmocka_unit_test_setup(test_clear_is_reset, setup),
		cmocka_unit_test_setup(test_add_n, setup),
		cmocka_unit_test_setup(test_beyond_the_range, setup),
		cmocka_unit_test_setup(test_copy_of_torn_writes, setup),
		cmocka_unit_test_setup(test_hgrm, setup),
		cmocka_unit_test_setup(test_hgrm_empty_and_full_disk, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

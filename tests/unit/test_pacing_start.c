/*
 * The start of a schedule, on a simulated clock: the first 10 ms are as even as any later ones. A
 * loop polls at irregular times, as a real one does, and sends all that is due in bursts; what
 * departs in each window is held against the rate.
 */
#include "tests/unit/unit.h"

#include "gen/pacing.h"

#define HZ	2394364213.0
#define LAG_S	50e-6
#define WINDOWS 10u
#define MOST	128u /* frames that a poll sends at most */
#define LANES	8u

/* Lanes share a rate evenly, each starting later than the one before by their part of its interval.
 */
struct lanes {
	struct pacing pacing[LANES];
	uint32_t n;
	double pps;
	uint64_t t0, train;
};

/* Departures of all lanes. */
struct seen {
	uint64_t sent, unsent, largest; /* largest: frames of a poll */
};

static const double rates[] = {1e3, 2e3, 9999.9, 123456.7, 1e6, 1488095.2, 14.88e6, 20e6};

static void start(struct lanes *l, uint32_t n, double pps, uint64_t train, uint64_t t0)
{
	double interval = HZ / pps * n;

	*l = (struct lanes){.n = n, .pps = pps, .t0 = t0, .train = train};
	for (uint32_t i = 0; i < n; i++) {
		pacing_init(&l->pacing[i], pps / n, HZ, t0 + (uint64_t)(interval * i / n),
			    UINT64_MAX, LAG_S);
		pacing_set_train(&l->pacing[i], train);
	}
}

static void poll(struct lanes *l, uint64_t now, struct seen *seen)
{
	uint64_t sent = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		uint64_t due = pacing_due(&l->pacing[i], now);

		seen->unsent += pacing_give_up(&l->pacing[i], &due);
		if (due > MOST)
			due = MOST;
		l->pacing[i].scheduled += due;
		sent += due;
	}
	seen->sent += sent;
	if (sent > seen->largest)
		seen->largest = sent;
}

/* The longest time between two polls: less than what makes a frame unsent, and than a poll can send
 * the frames of. */
static uint64_t longest_gap(const struct lanes *l)
{
	double gap = 0.8 * LAG_S * HZ, full = 0.5 * MOST * HZ / l->pps;

	return (uint64_t)(gap < full ? gap : full);
}

/* Polls from just after *now up to end, the last time exactly then. */
static struct seen poll_until(struct lanes *l, uint64_t *now, uint64_t end, uint64_t *seed)
{
	struct seen seen = {0};
	uint64_t most = longest_gap(l);

	while (*now != end) {
		uint64_t gap = 1 + unit_random(seed) % most;

		*now = end - *now < gap ? end : *now + gap;
		poll(l, *now, &seen);
	}
	return seen;
}

static void assert_near(double got, double want, double by)
{
	if (fabs(got - want) > by)
		fail_msg("%.3f frames, %.3f were due, to within %.0f", got, want, by);
}

/* Each window of so many seconds, the first one included, holds what is due in it, and no poll of
 * the first sends more than came due since the one before. */
static void windows_are_even(struct lanes *l, double window_s)
{
	uint64_t seed = 17, now = l->t0 - 12345;
	/* A train counts as one departure. */
	double due = l->pps * window_s / (double)l->train;
	double most = (double)longest_gap(l) * l->pps / HZ / (double)l->train + 1;

	assert_int_equal(poll_until(l, &now, l->t0 - 1, &seed).sent, 0);
	for (uint32_t k = 1; k <= WINDOWS; k++) {
		/* Up to the last cycle before the next window. */
		uint64_t end = l->t0 + (uint64_t)(window_s * HZ * k) - 1;
		struct seen seen = poll_until(l, &now, end, &seed);

		assert_int_equal(seen.unsent, 0);
		assert_near((double)seen.sent / (double)l->train, due, 1);
		assert_true((double)seen.largest / (double)l->train <= most + l->n - 1);
	}
}

static void test_constant_rate(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		struct lanes l;

		start(&l, 1, rates[r], 1, 1000000);
		windows_are_even(&l, 10e-3);
		/* A tenth of it, and a clock that wraps soon after the start. */
		start(&l, 1, rates[r], 1, UINT64_MAX - 100000);
		windows_are_even(&l, 1e-3);
	}
}

static void test_trains(void **state)
{
	static const uint64_t trains[] = {2, 7, 64};

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
		for (size_t i = 0; i < sizeof(trains) / sizeof(trains[0]); i++) {
			struct lanes l;

			start(&l, 1, rates[r], trains[i], 1000000);
			windows_are_even(&l, 10e-3);
		}
}

/* Lanes that started together would send in step: n frames at t0, then nothing for n intervals. */
static void test_staggered_lanes(void **state)
{
	static const uint32_t counts[] = {2, 3, 4, 8};

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
			struct lanes l;

			start(&l, counts[i], rates[r], 1, 1000000);
			windows_are_even(&l, 10e-3);
			start(&l, counts[i], rates[r], 1, 1000000);
			windows_are_even(&l, 2e-3);
		}
}

/* Frame by frame from the first one on: never before its time, and no later than the next poll. */
static void test_every_departure(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		struct lanes l;
		uint64_t seed = 23, now, last, most;

		start(&l, 1, rates[r], 1, 1000000);
		most = longest_gap(&l);
		now = last = l.t0 - 1;
		while (now - l.t0 + 1 < (uint64_t)(10e-3 * HZ)) {
			uint64_t first = l.pacing[0].scheduled;
			struct seen seen = {0};

			now += 1 + unit_random(&seed) % most;
			poll(&l, now, &seen);
			for (uint64_t n = first; n < first + seen.sent; n++) {
				double at = (double)n * HZ / rates[r];

				assert_true((double)(now - l.t0) >= at - 1);
				assert_true((double)(int64_t)(last - l.t0) <= at + 1);
			}
			last = now;
		}
		assert_near((double)l.pacing[0].scheduled, (double)(now - l.t0) * rates[r] / HZ + 1,
			    1);
	}
}

/* A loop that comes late to the start sends what may be late, once, and has not more to send
 * afterwards. */
static void test_a_late_start_is_not_caught_up(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		struct lanes l;
		struct seen late = {0};
		uint64_t seed = 29, now;

		start(&l, 1, rates[r], 1, 1000000);
		now = l.t0 + (uint64_t)(3e-3 * HZ);
		poll(&l, now, &late);
		assert_true(late.sent <= l.pacing[0].max_lag);
		assert_near((double)(late.sent + late.unsent + pacing_due(&l.pacing[0], now)),
			    3e-3 * rates[r] + 1, 1);
		/* What one poll could not send of these is gone after a few; then windows are even.
		 */
		poll_until(&l, &now, l.t0 + (uint64_t)(4e-3 * HZ) - 1, &seed);
		for (uint32_t k = 4; k < 10; k++) {
			uint64_t end = l.t0 + (uint64_t)(1e-3 * HZ * (k + 1)) - 1;
			struct seen seen = poll_until(&l, &now, end, &seed);

			assert_int_equal(seen.unsent, 0);
			assert_near((double)seen.sent, 1e-3 * rates[r], 1);
		}
	}
}

/* By chance the windows differ: over many seeds the first has the mean of the others, and their
 * variance, which is the mean. The first frame is due at the start itself. */
static void test_poisson(void **state)
{
	enum { SEEDS = 1000 };

	(void)state;
	for (size_t r = 0; r < 3; r++) {
		const double pps = r == 0 ? 2e3 : r == 1 ? 1e5 : 1e6, due = pps * 10e-3;
		double sum[3] = {0}, squares[3] = {0};

		for (uint64_t i = 0; i < SEEDS; i++) {
			struct pacing p;
			uint64_t before = 1;

			pacing_init(&p, pps, HZ, 0, UINT64_MAX, LAG_S);
			pacing_set_poisson(&p, i);
			assert_int_equal(pacing_due(&p, 0), 1);
			for (uint32_t k = 0; k < 3; k++) {
				uint64_t all = pacing_due(&p, (uint64_t)(10e-3 * HZ * (k + 1)));
				double n = (double)(all - before);

				before = all;
				sum[k] += n;
				squares[k] += n * n;
			}
		}
		for (uint32_t k = 0; k < 3; k++) {
			double mean = sum[k] / SEEDS, variance = squares[k] / SEEDS - mean * mean;

			assert_near(mean, due, 4 * sqrt(due / SEEDS));
			assert_near(variance / due, 1, 4 * sqrt(2.0 / SEEDS));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constant_rate),
		cmocka_unit_test(test_trains),
		cmocka_unit_test(test_staggered_lanes),
		cmocka_unit_test(test_every_departure),
		cmocka_unit_test(test_a_late_start_is_not_caught_up),
		cmocka_unit_test(test_poisson),
	};

	return cmocka_run_group_tests_name("pacing, its start", tests, NULL, NULL);
}

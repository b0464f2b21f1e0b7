/*
 * Pacing on a simulated clock: no drift over hours at any rate, nothing squeezed in after a stall.
 */
#include "tests/unit/unit.h"

#include "gen/pacing.h"

#define HZ	  2394364213.0
#define TEN_HOURS 86197111668000ull /* of HZ, in cycles */

/* floor(cycles x pps / hz) + 1 in arithmetic much finer than the module's. */
static uint64_t exact_due(uint64_t cycles, double pps, double hz)
{
	return (uint64_t)floorl((long double)cycles * (long double)pps / (long double)hz) + 1;
}

static void assert_within_one(uint64_t got, uint64_t want)
{
	if ((got > want ? got - want : want - got) > 1)
		assert_int_equal(got, want);
}

static void test_no_drift_over_hours(void **state)
{
	static const double rates[] = {1,	  3,	   7.5,	     99.99, 1e3,
				       1234.567,  14881,   100003.3, 1e6,   1488095.2,
				       8127438.5, 14.88e6, 20e6};
	static const double clocks[] = {1e9, HZ, 3e9, 4999999999.0};

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
		for (size_t c = 0; c < sizeof(clocks) / sizeof(clocks[0]); c++) {
			double hz = clocks[c];
			uint64_t t0 = UINT64_MAX / 3, seed = r * 8 + c;
			struct pacing p;

			pacing_init(&p, rates[r], hz, t0, UINT64_MAX, 1);
			assert_int_equal(pacing_due(&p, t0), 1);
			for (int i = 0; i < 2000; i++) {
				uint64_t t = unit_random(&seed) % (uint64_t)(hz * 36000);

				assert_within_one(pacing_due(&p, t0 + t),
						  exact_due(t, rates[r], hz));
			}
		}
}

static void test_schedule_is_followed_frame_by_frame(void **state)
{
	struct pacing p;
	uint64_t sent = 0, t0 = 1000, now = t0, seed = 3, end = t0 + 24000000;

	(void)state;
	/* A hundredth of a second at a rate whose frame time is no whole number of cycles. */
	pacing_init(&p, 1234567.8, 2.4e9, t0, UINT64_MAX, 1);
	while (now < end) {
		uint64_t due = pacing_due(&p, now);

		if (due) {
			/* Frame n is never sent before its time, and the lateness says how late. */
			double ideal = (double)p.scheduled * 2.4e9 / 1234567.8;

			assert_true((double)(now - t0) >= ideal - 1);
			assert_true(fabs((double)pacing_lateness(&p, now) -
					 ((double)(now - t0) - ideal)) <= 1.5);
		}
		sent += due;
		p.scheduled += due;
		assert_int_equal(pacing_due(&p, now), 0);
		now += 1 + unit_random(&seed) % 3000;
	}
	assert_within_one(sent, exact_due(now - t0, 1234567.8, 2.4e9));
}

static void test_nothing_is_due_before_the_start(void **state)
{
	struct pacing p;
	uint64_t t0 = 1ull << 40;

	(void)state;
	pacing_init(&p, 1e6, HZ, t0, 1000, 0.001);
	assert_int_equal(pacing_due(&p, t0 - 1), 0);
	assert_int_equal(pacing_due(&p, t0 - (1ull << 39)), 0);
	assert_int_equal(pacing_lateness(&p, t0 - 1), 0);
	assert_int_equal(pacing_due(&p, t0), 1);
	assert_int_equal(pacing_lateness(&p, t0), 0);
}

static void test_counter_may_wrap(void **state)
{
	struct pacing p;
	uint64_t t0 = UINT64_MAX - 1000;

	(void)state;
	pacing_init(&p, 1e6, 1e9, t0, UINT64_MAX, 1);
	assert_within_one(pacing_due(&p, t0 + 10000500), 10001);
}

static void test_stall_becomes_unsent(void **state)
{
	struct pacing p;
	uint64_t due, unsent, total = 0, now = 5000;

	(void)state;
	/* 1 Mpps on a 1 GHz clock, 100 us of lag allowed: 100 frames. */
	pacing_init(&p, 1e6, 1e9, now, UINT64_MAX, 100e-6);
	assert_int_equal(p.max_lag, 100);
	due = pacing_due(&p, now);
	assert_int_equal(pacing_give_up(&p, &due), 0);
	p.scheduled += due;

	now += 50 * 1000 + 500; /* within the bound: all of them may still be sent */
	due = pacing_due(&p, now);
	assert_int_equal(due, 50);
	assert_int_equal(pacing_give_up(&p, &due), 0);
	assert_int_equal(due, 50);
	p.scheduled += due;

	now += 10 * 1000 * 1000; /* 10 ms: 10,000 frames due, 100 may be sent */
	due = pacing_due(&p, now);
	assert_within_one(due, 10000);
	total = due;
	unsent = pacing_give_up(&p, &due);
	assert_int_equal(due, 100);
	assert_int_equal(unsent, total - 100);
	assert_true(pacing_lateness(&p, now) <= 101 * 1000);
	p.scheduled += due;

	/* What was given up never comes back: from here on a frame each 1,000 cycles. */
	for (int i = 0; i < 1000; i++) {
		now += 1000;
		due = pacing_due(&p, now);
		assert_within_one(due, 1);
		assert_int_equal(pacing_give_up(&p, &due), 0);
		p.scheduled += due;
	}
	assert_within_one(p.scheduled, exact_due(now - p.t0, 1e6, 1e9));
}

/* Polls with random stalls: no window of the lag bound or longer carries more than rate and bound.
 */
static void test_never_above_the_rate_after_stalls(void **state)
{
	enum { POLLS = 20000, LAG = 64, BURST = 32 };
	static uint64_t at[POLLS], sent[POLLS];
	struct pacing p;
	uint64_t seed = 11, now = 0, all = 0, unsent = 0;

	(void)state;
	pacing_init(&p, 2e6, 1e9, 0, UINT64_MAX, LAG / 2e6);
	for (int i = 0; i < POLLS; i++) {
		uint64_t due = pacing_due(&p, now);

		unsent += pacing_give_up(&p, &due);
		if (due > BURST)
			due = BURST;
		p.scheduled += due;
		all += due;
		at[i] = now;
		sent[i] = all;
		now += unit_random(&seed) % 500;
		if (unit_random(&seed) % 1000 == 0)
			now += unit_random(&seed) % 5000000;
	}
	assert_true(unsent > 0);
	assert_int_equal(all + unsent, p.scheduled);
	for (int i = 0; i < POLLS; i += 13)
		for (int j = i + 1; j < POLLS && j < i + 200; j++)
			assert_true((double)(sent[j] - sent[i]) <=
				    (double)(at[j] - at[i]) * 2e6 / 1e9 + LAG + 1);
}

static void test_limit(void **state)
{
	struct pacing p;
	uint64_t due;

	(void)state;
	pacing_init(&p, 1e6, 1e9, 0, 10, 1);
	assert_int_equal(pacing_due(&p, 1000000000), 10);
	p.scheduled += 4;
	assert_int_equal(pacing_due(&p, 1000000000), 6);
	due = 6;
	assert_int_equal(pacing_give_up(&p, &due), 0);
	p.scheduled += due;
	assert_int_equal(pacing_due(&p, UINT64_MAX / 4), 0);
}

static void test_extremes(void **state)
{
	struct pacing p;

	(void)state;
	/* Rate max: nothing is due by a schedule. */
	pacing_init(&p, 0, HZ, 0, UINT64_MAX, 1);
	assert_int_equal(p.frames_per_cycle, 0);
	/* One frame may always be late, however small the bound. */
	pacing_init(&p, 1, HZ, 0, UINT64_MAX, 1e-9);
	assert_int_equal(p.max_lag, 1);
	pacing_init(&p, 1, HZ, 0, UINT64_MAX, 0);
	assert_int_equal(p.max_lag, 1);
	/* A frame a cycle and more: all of it is due at once, without overflow. */
	pacing_init(&p, 1e12, 1e9, 0, 1000, 1);
	assert_int_equal(pacing_due(&p, 500), 500);
	assert_int_equal(pacing_due(&p, 1ull << 62), 1000);
}

static void test_trains(void **state)
{
	static const uint64_t trains[] = {1, 2, 7, 32, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(trains) / sizeof(trains[0]); i++) {
		uint64_t n = trains[i], seed = i;
		struct pacing p;

		pacing_init(&p, 1e6, HZ, 0, UINT64_MAX, 1e-6);
		pacing_set_train(&p, n);
		assert_true(p.max_lag >= n); /* a whole train is never given up for being one */
		assert_int_equal(pacing_due(&p, 0), n);
		for (int k = 0; k < 1000; k++) {
			uint64_t t = unit_random(&seed) % TEN_HOURS;
			uint64_t due = pacing_due(&p, t);

			/* Whole trains, the same average rate. */
			assert_int_equal(due % n, 0);
			assert_within_one(due / n, exact_due(t, 1e6 / (double)n, HZ));
		}
	}
}

static void test_trains_of_none_are_single_frames(void **state)
{
	struct pacing p;

	(void)state;
	pacing_init(&p, 1e6, HZ, 0, UINT64_MAX, 1);
	pacing_set_train(&p, 0);
	assert_int_equal(pacing_due(&p, 0), 1);
}

/* Exponential gaps: mean and standard deviation alike, memoryless, the same for the same seed. */
static void test_poisson_gaps(void **state)
{
	enum { N = 200000 };
	const double mean = HZ / 1e6;
	double sum = 0, squares = 0, longer = 0, much_longer = 0;
	uint64_t last = 0, now = 0;
	struct pacing p, twin;

	(void)state;
	pacing_init(&p, 1e6, HZ, 0, UINT64_MAX, 1);
	pacing_set_poisson(&p, 5);
	pacing_init(&twin, 1e6, HZ, 0, UINT64_MAX, 1);
	pacing_set_poisson(&twin, 5);
	assert_int_equal(pacing_due(&p, 0), 1);
	p.scheduled = 1;
	while (p.scheduled < N) {
		uint64_t due = pacing_due(&p, now);

		for (uint64_t i = 0; i < due; i++) {
			/* Polled every cycle or so: the poll is the arrival. */
			double gap = i ? 0 : (double)(now - last);

			sum += gap;
			squares += gap * gap;
			longer += gap > mean;
			much_longer += gap > 3 * mean;
			last = now;
		}
		p.scheduled += due;
		now += 20;
	}
	assert_true(fabs(sum / N - mean) < 0.01 * mean);
	assert_true(fabs(sqrt(squares / N - sum / N * sum / N) - mean) < 0.02 * mean);
	assert_true(fabs(longer / N - exp(-1)) < 0.01);
	assert_true(fabs(much_longer / N - exp(-3)) < 0.005);
	assert_int_equal(pacing_due(&twin, now - 20), p.scheduled);
}

static void test_poisson_keeps_rate_and_limit(void **state)
{
	struct pacing p;
	uint64_t due;

	(void)state;
	pacing_init(&p, 1e6, HZ, 0, UINT64_MAX, 10);
	pacing_set_poisson(&p, 9);
	/* Three seconds: 3 million frames, give or take four standard deviations. */
	due = pacing_due(&p, (uint64_t)(3 * HZ));
	assert_true(fabs((double)due - 3e6) < 4 * sqrt(3e6));
	/* At a rate whose gaps are few cycles, too. */
	pacing_init(&p, 20e6, HZ, 0, UINT64_MAX, 10);
	pacing_set_poisson(&p, 10);
	due = pacing_due(&p, (uint64_t)HZ);
	assert_true(fabs((double)due - 20e6) < 4 * sqrt(20e6));
	/* The longest trial that can be asked for: 100 hours. */
	pacing_init(&p, 1, 5e9, 0, UINT64_MAX, 10);
	pacing_set_poisson(&p, 11);
	due = pacing_due(&p, (uint64_t)(5e9 * 360000));
	assert_true(fabs((double)due - 360000) < 4 * sqrt(360000));
	pacing_init(&p, 1e6, HZ, 0, 100, 10);
	pacing_set_poisson(&p, 9);
	assert_int_equal(pacing_due(&p, (uint64_t)HZ), 100);
}

static void test_poisson_gives_up_what_is_too_late(void **state)
{
	struct pacing p;
	uint64_t due, unsent, stall = 10000000, all;

	(void)state;
	/* 1 Mpps on a 1 GHz clock; 100 us may be late, the stall is 10 ms. */
	pacing_init(&p, 1e6, 1e9, 0, UINT64_MAX, 100e-6);
	pacing_set_poisson(&p, 3);
	all = due = pacing_due(&p, stall);
	unsent = pacing_give_up(&p, &due);
	assert_int_equal(unsent + due, all);
	assert_true(fabs((double)due - 100) < 60);
	p.scheduled += due;
	assert_int_equal(p.scheduled, all);
	/* Nothing of it comes back. */
	due = pacing_due(&p, stall);
	assert_int_equal(due, 0);
	assert_int_equal(pacing_give_up(&p, &due), 0);
	due = pacing_due(&p, stall + 50000);
	assert_true(due < 120);
	assert_int_equal(pacing_give_up(&p, &due), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_drift_over_hours),
		cmocka_unit_test(test_schedule_is_followed_frame_by_frame),
		cmocka_unit_test(test_nothing_is_due_before_the_start),
		cmocka_unit_test(test_counter_may_wrap),
		cmocka_unit_test(test_stall_becomes_unsent),
		cmocka_unit_test(test_never_above_the_rate_after_stalls),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_trains),
		cmocka_unit_test(test_trains_of_none_are_single_frames),
		cmocka_unit_test(test_poisson_gaps),
		cmocka_unit_test(test_poisson_keeps_rate_and_limit),
		cmocka_unit_test(test_poisson_gives_up_what_is_too_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Records held against what can be: written by hand or cut by an editor, a record may be JSON and
 * yet hold a text for a rate or a negative counter, which a picture would show as if it had been
 * measured.
 */
#include "common/results.h"
#include "common/results_path.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Beyond any rate or time that is measured, and far from where arithmetic overflows. */
#define HUGE_AMOUNT  1e18
#define LARGEST_SIZE 1000000.0

enum kind {
	COUNT,	/* whole, from 0 */
	AMOUNT, /* a number from 0 */
	NUMBER, /* any number */
	RATIO,	/* a number up to 1; what rounding makes of 0 may be below */
	SIZE,	/* bytes, whole, from 1 */
	TEXT,
	TEXTS, /* a list of them */
	FLAG,
	VERDICT,
	INSIDE, /* an object with fields of its own */
	EACH,	/* a list of such objects */
	SPREAD	/* an object: minimum, percentiles, maximum */
};

struct field {
	const char *name; /* NULL ends the list */
	enum kind kind;
	const struct field *inside;
};

static const struct field spread[] = {
	{"count", COUNT, NULL},	 {"min", AMOUNT, NULL},	  {"mean", AMOUNT, NULL},
	{"max", AMOUNT, NULL},	 {"stdev", AMOUNT, NULL}, {"p50", AMOUNT, NULL},
	{"p90", AMOUNT, NULL},	 {"p99", AMOUNT, NULL},	  {"p999", AMOUNT, NULL},
	{"p9999", AMOUNT, NULL}, {"pdv", AMOUNT, NULL},	  {"jitter", AMOUNT, NULL},
	{NULL, COUNT, NULL},
};

static const struct field stalls[] = {
	{"count", COUNT, NULL},
	{"max_ns", AMOUNT, NULL},
	{"total_ns", AMOUNT, NULL},
	{NULL, COUNT, NULL},
};

static const struct field duration[] = {
	{"requested", AMOUNT, NULL},
	{"actual", AMOUNT, NULL},
	{NULL, COUNT, NULL},
};

static const struct field tx[] = {
	{"offered", COUNT, NULL},	  {"sent", COUNT, NULL},
	{"refused", COUNT, NULL},	  {"unsent", COUNT, NULL},
	{"backpressured", COUNT, NULL},	  {"pps", AMOUNT, NULL},
	{"l1_bps", AMOUNT, NULL},	  {"l2_bps", AMOUNT, NULL},
	{"rate_error_ppm", NUMBER, NULL}, {"lateness_ns", SPREAD, spread},
	{"spacing_ns", SPREAD, spread},	  {NULL, COUNT, NULL},
};

static const struct field rx[] = {
	{"received", COUNT, NULL},
	{"lost", COUNT, NULL},
	{"lost_in_gen_stall", COUNT, NULL},
	{"lost_in_dut_stall", COUNT, NULL},
	{"duplicate", COUNT, NULL},
	{"reordered", COUNT, NULL},
	{"corrupt", COUNT, NULL},
	{"foreign", COUNT, NULL},
	{"gen_missed", COUNT, NULL},
	{"pps", AMOUNT, NULL},
	{"l1_bps", AMOUNT, NULL},
	{"l2_bps", AMOUNT, NULL},
	{NULL, COUNT, NULL},
};

static const struct field dut[] = {
	{"cpu_busy", AMOUNT, NULL},	 {"rx_missed", COUNT, NULL}, {"tx_dropped", COUNT, NULL},
	{"kernel_dropped", COUNT, NULL}, {"stalls", INSIDE, stalls}, {NULL, COUNT, NULL},
};

static const struct field trial_fields[] = {
	{"trial", COUNT, NULL},
	{"started", TEXT, NULL},
	{"path", TEXT, NULL},
	{"direction", TEXT, NULL},
	{"stream", TEXT, NULL},
	{"frame_size", SIZE, NULL},
	{"rate_requested_pps", AMOUNT, NULL},
	{"line_rate_bps", AMOUNT, NULL},
	{"duration_s", INSIDE, duration},
	{"tx", INSIDE, tx},
	{"rx", INSIDE, rx},
	{"loss_ratio", RATIO, NULL},
	{"outage_s", AMOUNT, NULL},
	{"latency_ns", SPREAD, spread},
	{"latency_clean_ns", SPREAD, spread},
	{"stalls", INSIDE, stalls},
	{"dut", INSIDE, dut},
	{"verdict", VERDICT, NULL},
	{"reasons", TEXTS, NULL},
	{NULL, COUNT, NULL},
};

/* The entries of a test's loads, points and goals. */
static const struct field entry[] = {
	{"name", TEXT, NULL},
	{"percent", AMOUNT, NULL},
	{"rate_pps", AMOUNT, NULL},
	{"offered_pps", AMOUNT, NULL},
	{"loss_ratio", RATIO, NULL},
	{"exceed_ratio", RATIO, NULL},
	{"width", RATIO, NULL},
	{"conditional_throughput_pps", AMOUNT, NULL},
	{"relevant_lower_bound_pps", AMOUNT, NULL},
	{"relevant_upper_bound_pps", AMOUNT, NULL},
	{"regular", FLAG, NULL},
	{"verdict", VERDICT, NULL},
	{"latency_ns", SPREAD, spread},
	{"latency_clean_ns", SPREAD, spread},
	{NULL, COUNT, NULL},
};

static const struct field test_fields[] = {
	{"test", TEXT, NULL},
	{"started", TEXT, NULL},
	{"path", TEXT, NULL},
	{"direction", TEXT, NULL},
	{"stream", TEXT, NULL},
	{"frame_size", SIZE, NULL},
	{"theoretical_max_pps", AMOUNT, NULL},
	{"trials", COUNT, NULL},
	{"time_s", AMOUNT, NULL},
	{"outcome", TEXT, NULL},
	{"reasons", TEXTS, NULL},
	{"throughput_pps", AMOUNT, NULL},
	{"lower_bound_pps", AMOUNT, NULL},
	{"upper_bound_pps", AMOUNT, NULL},
	{"loss_tolerance", RATIO, NULL},
	{"width", RATIO, NULL},
	{"trial_s", AMOUNT, NULL},
	{"pdr_pps", AMOUNT, NULL},
	{"pdr_loss_ratio", RATIO, NULL},
	{"loads", EACH, entry},
	{"points", EACH, entry},
	{"goals", EACH, entry},
	{"min_load_pps", AMOUNT, NULL},
	{"max_load_pps", AMOUNT, NULL},
	{"burst_rate_pps", AMOUNT, NULL},
	{"repetitions", COUNT, NULL},
	{"burst_frames", SPREAD, spread},
	{"recovery_s", SPREAD, spread},
	{"overload_pps", AMOUNT, NULL},
	{"then_pps", AMOUNT, NULL},
	{"rate_pps", AMOUNT, NULL},
	{"outage_s", AMOUNT, NULL},
	{"lost", COUNT, NULL},
	{"loss_ratio", RATIO, NULL},
	{NULL, COUNT, NULL},
};

/* One record under check. */
struct check {
	bool lenient; /* only types: it says itself that its counters are impossible */
	char *why;
	size_t len;
};

static int wrong(const struct check *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int wrong(const struct check *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->why, c->len, format, ap);
	va_end(ap);
	return -EBADMSG;
}

static int check_number(const struct check *c, const struct field *f, const json_t *value)
{
	const bool whole = f->kind == COUNT || f->kind == SIZE;
	double number = json_number_value(value);

	if (whole ? !json_is_integer(value) : !json_is_number(value))
		return wrong(c, "%s is no %snumber", f->name, whole ? "whole " : "");
	if (c->lenient)
		return 0;
	if (f->kind == SIZE && !(number >= 1 && number <= LARGEST_SIZE))
		return wrong(c, "%s is %.6g", f->name, number);
	if (f->kind == RATIO && !(number <= 1 && number >= -1))
		return wrong(c, "%s is %.6g, over 1", f->name, number);
	if ((f->kind == COUNT || f->kind == AMOUNT) && number < 0)
		return wrong(c, "%s is negative", f->name);
	if (f->kind != COUNT && !(fabs(number) <= HUGE_AMOUNT))
		return wrong(c, "%s is %.3g, more than can be", f->name, number);
	return 0;
}

/* min <= p50 <= ... <= max, min <= mean <= max, as far as they are known. Figures are rounded to
 * whole nanoseconds, means are not. */
static int check_order(const struct check *c, const char *name, const json_t *o)
{
	static const char *const rising[] = {"min", "p50", "p90", "p99", "p999", "p9999", "max"};
	double mean = result_num(o, "mean"), last = NAN;
	const char *before = NULL;

	for (size_t i = 0; i < sizeof(rising) / sizeof(rising[0]); i++) {
		double value = result_num(o, rising[i]);

		if (isnan(value))
			continue;
		if (before && value < last)
			return wrong(c, "%s: %s is less than %s", name, rising[i], before);
		last = value;
		before = rising[i];
	}
	if (mean < result_num(o, "min") - 1 || mean > result_num(o, "max") + 1)
		return wrong(c, "%s: the mean lies outside of minimum and maximum", name);
	return 0;
}

static int check_fields(const struct check *c, const struct field *fields, const json_t *object);

static int check_list(const struct check *c, const struct field *f, const json_t *list)
{
	int rc = 0;

	if (!json_is_array(list))
		return wrong(c, "%s is no list", f->name);
	for (size_t i = 0; i < json_array_size(list) && !rc; i++) {
		const json_t *value = json_array_get(list, i);

		if (f->kind == TEXTS)
			rc = json_is_string(value) ? 0 : wrong(c, "%s holds no text", f->name);
		else if (!json_is_object(value))
			rc = wrong(c, "%s holds what is no record", f->name);
		else
			rc = check_fields(c, f->inside, value);
	}
	return rc;
}

static int check_verdict(const struct check *c, const char *name, const json_t *value)
{
	static const char *const verdicts[] = {"valid", "disturbed", "invalid"};
	const char *text = json_string_value(value);

	for (size_t i = 0; text && i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		if (!strcmp(text, verdicts[i]))
			return 0;
	return wrong(c, "%s is none of valid, disturbed, invalid", name);
}

/* The fields of an object within the record; "tx." goes before what is said of one of them. */
static int check_inside(const struct check *c, const struct field *f, const json_t *value)
{
	char inner[200];
	int rc;

	if (!json_is_object(value))
		return wrong(c, "%s is no record", f->name);
	rc = check_fields(c, f->inside, value);
	if (!rc)
		return f->kind == SPREAD && !c->lenient ? check_order(c, f->name, value) : 0;
	snprintf(inner, sizeof(inner), "%s", c->why);
	return wrong(c, "%s.%s", f->name, inner);
}

static int check_field(const struct check *c, const struct field *f, const json_t *value)
{

	switch (f->kind) {
	case TEXT:
		return json_is_string(value) ? 0 : wrong(c, "%s is no text", f->name);
	case FLAG:
		return json_is_boolean(value) ? 0
					      : wrong(c, "%s is neither true nor false", f->name);
	case VERDICT:
		return check_verdict(c, f->name, value);
	case TEXTS:
	case EACH:
		return check_list(c, f, value);
	case INSIDE:
	case SPREAD:
		return check_inside(c, f, value);
	default:
		return check_number(c, f, value);
	}
}

static int check_fields(const struct check *c, const struct field *fields, const json_t *object)
{
	int rc = 0;

	for (const struct field *f = fields; f->name && !rc; f++) {
		const json_t *value = json_object_get(object, f->name);

		if (value && !json_is_null(value))
			rc = check_field(c, f, value);
	}
	return rc;
}

int result_check_trial(const json_t *trial, char *why, size_t len)
{
	const char *verdict = result_str(trial, "verdict");
	const struct check c = {verdict && !strcmp(verdict, "invalid"), why, len};

	return check_fields(&c, trial_fields, trial);
}

int result_check_test(const json_t *test, char *why, size_t len)
{
	const char *outcome = result_str(test, "outcome");
	const struct check c = {outcome && !strcmp(outcome, "invalid"), why, len};

	return check_fields(&c, test_fields, test);
}

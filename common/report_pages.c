/*
 * The pages of the report: what each test's standard wants to see, as columns, and what is no
 * figure, in words.
 */
#include "common/report_table.h"

#include "common/results.h"
#include "common/units.h"

#include <math.h>
#include <string.h>

/* Widths of columns, the blank before each included. */
#define W_SIZE	  6
#define W_RATE	  9
#define W_LOSS	  9
#define W_TIME	  10
#define W_LATENCY 8

/* The left of every table, its second group still open. */
/* clang-format off */
#define SIZE_AND_THEORY(group) \
	{"size", CELL_NUMBER, W_SIZE, "test.frame_size", 1, 0, "", NULL}, \
	{"", CELL_RATE, W_RATE + 1, "test.theoretical_max_pps", 1, 0, group, NULL}
#define END {NULL, CELL_TEXT, 0, NULL, 0, 0, NULL, NULL}
#define RATE(where, group) {"", CELL_RATE, W_RATE, where, 1, 0, group, NULL}
#define SPREAD(where, width, scale, decimals, group) \
	{"mean", CELL_NUMBER, width, where ".mean", scale, decimals, group, NULL}, \
	{"min", CELL_NUMBER, width, where ".min", scale, decimals, NULL, NULL}, \
	{"max", CELL_NUMBER, width, where ".max", scale, decimals, NULL, NULL}, \
	{"stdev", CELL_NUMBER, width, where ".stdev", scale, decimals, NULL, NULL}
#define LATENCY(name, where, group) \
	{name, CELL_NUMBER, W_LATENCY, where, 1e-3, 2, group, NULL}

static const struct column throughput[] = {
	SIZE_AND_THEORY("theory"),
	RATE("result_pps", "throughput"),
	{"theory %", CELL_NUMBER, 9, "percent", 1, 2, NULL, NULL},
	{"Gbps L1", CELL_NUMBER, 9, "l1_bps", 1e-9, 3, NULL, NULL},
	RATE("test.lower_bound_pps", "search bounds"),
	RATE("test.upper_bound_pps", NULL),
	{"loss %", CELL_LOSS, W_LOSS, "test.loss_tolerance", 0, 0, "tolerance, trials", NULL},
	{"each s", CELL_NUMBER, 8, "test.trial_s", 1, 2, NULL, NULL},
	{"N", CELL_NUMBER, 5, "test.trials", 1, 0, NULL, NULL},
	{"all s", CELL_NUMBER, 8, "test.time_s", 1, 1, NULL, NULL},
	END
};

static const struct column latency[] = {
	SIZE_AND_THEORY("theory"),
	{"%", CELL_NUMBER, 5, "item.percent", 1, 0, "at a load of", NULL},
	RATE("item.rate_pps", NULL),
	{"loss %", CELL_LOSS, W_LOSS, "item.loss_ratio", 0, 0, NULL, "item"},
	LATENCY("min", "item.latency_ns.min", "latency, us"),
	LATENCY("mean", "item.latency_ns.mean", NULL),
	LATENCY("p50", "item.latency_ns.p50", NULL),
	LATENCY("p99", "item.latency_ns.p99", NULL),
	LATENCY("p99.9", "item.latency_ns.p999", NULL),
	LATENCY("PDV", "item.latency_ns.pdv", NULL),
	LATENCY("p50", "item.latency_clean_ns.p50", "clean latency, us"),
	LATENCY("p99.9", "item.latency_clean_ns.p999", NULL),
	LATENCY("PDV", "item.latency_clean_ns.pdv", NULL),
	END
};

/* The loads come behind these. */
static const struct column loss[] = {
	SIZE_AND_THEORY("theory, max load"),
	RATE("test.max_load_pps", NULL),
	END
};

static const struct column back_to_back[] = {
	SIZE_AND_THEORY("theory"),
	RATE("test.burst_rate_pps", "burst, throughput"),
	RATE("test.throughput_pps", NULL),
	SPREAD("test.burst_frames", 10, 1, 1, "longest burst without loss, frames"),
	{"repeats", CELL_NUMBER, 8, "test.repetitions", 1, 0, NULL, NULL},
	{"implied", CELL_NUMBER, 9, "test.implied_buffer_s", 1e3, 4, "buffer, ms", NULL},
	{"corrected", CELL_NUMBER, 10, "test.corrected_buffer_s", 1e3, 4, NULL, NULL},
	END
};

static const struct column recovery[] = {
	SIZE_AND_THEORY("theory"),
	RATE("test.overload_pps", "overload, then"),
	RATE("test.then_pps", NULL),
	SPREAD("test.recovery_s", W_TIME, 1e3, 3, "time until loss ends, ms"),
	{"repeats", CELL_NUMBER, 8, "test.repetitions", 1, 0, NULL, NULL},
	END
};

static const struct column reset[] = {
	SIZE_AND_THEORY("theory"),
	RATE("test.rate_pps", "rate"),
	{"outage s", CELL_NUMBER, W_TIME, "test.outage_s", 1, 4, "while the DUT restarted", NULL},
	{"frames lost", CELL_NUMBER, 14, "test.lost", 1, 0, NULL, NULL},
	END
};

static const struct column mlrsearch[] = {
	SIZE_AND_THEORY("theory"),
	{"name", CELL_TEXT, 9, "item.name", 0, 0, "goal", NULL},
	{"loss %", CELL_LOSS, W_LOSS, "item.loss_ratio", 0, 0, NULL, NULL},
	{"exceed %", CELL_NUMBER, 9, "item.exceed_ratio", 100, 1, NULL, NULL},
	{"width %", CELL_NUMBER, 8, "item.width", 100, 3, NULL, NULL},
	RATE("item.conditional_throughput_pps", "throughput"),
	{"theory %", CELL_NUMBER, 9, "percent", 1, 2, NULL, NULL},
	RATE("item.relevant_lower_bound_pps", "search bounds"),
	RATE("item.relevant_upper_bound_pps", NULL),
	{"N", CELL_NUMBER, 5, "test.trials", 1, 0, "trials", NULL},
	{"all s", CELL_NUMBER, 8, "test.time_s", 1, 1, NULL, NULL},
	END
};

static const struct column soak[] = {
	SIZE_AND_THEORY("theory, rate"),
	RATE("test.rate_pps", NULL),
	{"N", CELL_NUMBER, 6, "test.intervals", 1, 0, "intervals", NULL},
	{"each s", CELL_NUMBER, 7, "test.interval_s", 1, 2, NULL, NULL},
	{"lost", CELL_NUMBER, 9, "test.lost", 1, 0, NULL, NULL},
	{"loss %", CELL_LOSS, W_LOSS, "test.loss_ratio", 0, 0, NULL, NULL},
	{"trial", CELL_NUMBER, 6, "test.worst.trial", 1, 0, "the worst of them", NULL},
	{"started", CELL_TEXT, 25, "test.worst.started", 0, 0, NULL, NULL},
	{"loss %", CELL_LOSS, 8, "test.worst.loss_ratio", 0, 0, NULL, NULL},
	{"p99 us", CELL_NUMBER, 9, "test.worst.p99_ns", 1e-3, 2, NULL, NULL},
	{"max us", CELL_NUMBER, 9, "test.worst.max_ns", 1e-3, 2, NULL, NULL},
	END
};
/* clang-format on */

/* In the order of the standard, its successors behind. */
const struct report_page report_pages[] = {
	{"throughput", "Throughput (RFC 2544, 26.1)", throughput},
	{"latency", "Latency (RFC 2544, 26.2, and RFC 8219)", latency},
	{"loss", "Frame loss rate (RFC 2544, 26.3)", loss},
	{"back-to-back", "Back-to-back frames (RFC 2544, 26.4, and RFC 9004)", back_to_back},
	{"recovery", "System recovery (RFC 2544, 26.5)", recovery},
	{"reset", "Reset (RFC 2544, 26.6)", reset},
	{"mlrsearch", "MLRsearch (RFC 9971)", mlrsearch},
	{"soak", "Soak", soak},
	{NULL, NULL, NULL},
};

/* ">= 12.3 Mpps, generator-limited", or the outcome alone where the bound is unknown. */
static void at_least(double pps, const char *outcome, char *text, size_t len)
{
	char number[32];

	if (isfinite(pps))
		snprintf(text, len, ">= %s, %s", si_format(pps, "pps", number, sizeof(number)),
			 outcome);
	else
		snprintf(text, len, "%s", outcome);
}

static void unbounded_burst(const json_t *test, char *text, size_t len)
{
	double frames = result_num(test, "burst_frames.mean");

	if (fabs(frames) < 1e18)
		snprintf(text, len, ">= %.0f frames, unbounded", frames);
	else
		snprintf(text, len, "unbounded");
}

static void zero_loss_impossible(const json_t *test, char *text, size_t len)
{
	double pdr = result_num(test, "pdr_pps"), ratio = result_num(test, "pdr_loss_ratio");
	int used = snprintf(text, len, "zero loss impossible on this host");
	char number[32];

	if (!isfinite(pdr))
		return;
	used += snprintf(text + used, len - (size_t)used, "; PDR %s",
			 si_format(pdr, "pps", number, sizeof(number)));
	if (isfinite(ratio))
		snprintf(text + used, len - (size_t)used, " at %.4g %% loss", ratio * 100);
}

/* The words for an outcome that has no figure to say; its own name where there are none. */
static const char *words_for(const char *test, const char *outcome)
{
	static const struct {
		const char *test, *outcome, *words;
	} words[] = {
		{NULL, "found", ""},
		{NULL, "irregular", ""}, /* said of the goals that are */
		{NULL, "line-rate", "line rate"},
		{NULL, "none", "loss at the lowest load too"},
		{NULL, "not-overloaded", "the overload lost nothing"},
		{NULL, "no-reset-seen", "the DUT never stopped forwarding"},
		{"recovery", "unbounded", "loss did not end"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].outcome, outcome) &&
		    (!words[i].test || !strcmp(words[i].test, test)))
			return words[i].words;
	return outcome;
}

void report_remark(const json_t *row, char *text, size_t len)
{
	const json_t *test = json_object_get(row, "test");
	const char *outcome = result_str(test, "outcome"), *name = result_str(test, "test");
	double bound = result_num(test, "lower_bound_pps");

	if (isnan(bound))
		bound = result_num(row, "item.relevant_lower_bound_pps");
	if (!outcome)
		outcome = "found";
	if (!strcmp(outcome, "zero-loss-impossible"))
		zero_loss_impossible(test, text, len);
	else if (!strcmp(outcome, "unbounded") && name && !strcmp(name, "back-to-back"))
		unbounded_burst(test, text, len);
	else if (!strcmp(outcome, "generator-limited"))
		at_least(bound, outcome, text, len);
	else
		snprintf(text, len, "%s", words_for(name ? name : "", outcome));
	if (!*text && json_is_false(result_get(row, "item.regular")))
		snprintf(text, len, "irregular");
}

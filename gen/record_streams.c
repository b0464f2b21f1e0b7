/*
 * The records of single streams, and a table of them for people: all of a few, the worst of many.
 */
#include "common/results.h"
#include "gen/record.h"
#include "gen/stream_result.h"

#include <math.h>
#include <stdlib.h>

#define SHOW_ALL   16u /* streams at most that are all shown */
#define SHOW_WORST 5u

json_t *record_streams(const struct generator *g, const struct trial_result *whole)
{
	struct hist *all = malloc(sizeof(*all)), *clean = malloc(sizeof(*clean));
	json_t *records = all && clean ? json_array() : NULL;

	if (records) {
		hist_reset(all);
		hist_reset(clean);
	}
	for (uint32_t i = 0; records && i < whole->from->streams; i++) {
		struct trial_result r = {.all = all, .clean = clean};

		stream_result(g, whole, i, &r);
		json_array_append_new(records, record_make(g, &r));
	}
	free(all);
	free(clean);
	return records;
}

struct row {
	const json_t *record;
	size_t stream;
	double worth; /* what the rows are ordered by */
};

/* The largest first; unknown ones last; else in order of streams. */
static int by_worth(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	double p = isnan(x->worth) ? -1 : x->worth, q = isnan(y->worth) ? -1 : y->worth;

	if (p != q)
		return p < q ? 1 : -1;
	return (x->stream > y->stream) - (x->stream < y->stream);
}

static void print_count(FILE *out, const json_t *record, const char *key)
{
	const json_t *value = result_get(record, key);

	if (json_is_integer(value))
		fprintf(out, " %12lld", (long long)json_integer_value(value));
	else
		fprintf(out, " %12s", "-");
}

static void print_row(FILE *out, const json_t *record)
{
	static const char *const counts[] = {"tx.sent", "rx.received", "rx.lost"};
	static const char *const times[] = {"latency_ns.p50", "latency_ns.p99", "latency_ns.max"};
	char text[32];

	fprintf(out, "  %6s", result_str(record, "stream"));
	for (size_t i = 0; i < 3; i++)
		print_count(out, record, counts[i]);
	for (size_t i = 0; i < 3; i++)
		fprintf(out, " %10s", ns_format(result_num(record, times[i]), text, sizeof(text)));
	fputc('\n', out);
}

static void print_heading(FILE *out)
{
	fprintf(out, "  %6s %12s %12s %12s %10s %10s %10s\n", "stream", "sent", "received", "lost",
		"p50", "p99", "max");
}

/* The streams with the largest value of key; nothing where it is 0 or unknown for all. */
static void print_worst(FILE *out, const json_t *records, const char *key, const char *what)
{
	size_t n = json_array_size(records);
	struct row *rows = calloc(n, sizeof(*rows));

	for (size_t i = 0; rows && i < n; i++) {
		rows[i].record = json_array_get(records, i);
		rows[i].stream = i;
		rows[i].worth = result_num(rows[i].record, key);
	}
	if (rows) {
		qsort(rows, n, sizeof(*rows), by_worth);
		if (rows[0].worth > 0) {
			fprintf(out, "  of %zu streams the %u with %s:\n", n, SHOW_WORST, what);
			print_heading(out);
		}
		for (size_t i = 0; i < SHOW_WORST && rows[i].worth > 0; i++)
			print_row(out, rows[i].record);
	}
	free(rows);
}

void record_print_streams(const json_t *records, FILE *out)
{
	size_t n = json_array_size(records);

	if (n > SHOW_ALL) {
		print_worst(out, records, "loss_ratio", "the largest loss");
		print_worst(out, records, "latency_ns.p99", "the largest p99");
		return;
	}
	print_heading(out);
	for (size_t i = 0; i < n; i++)
		print_row(out, json_array_get(records, i));
}

/*
 * The summary as a table for people: a block a path, a row a frame size.
 *
 * One unit a column, chosen for the whole table, so that figures can be compared down a column at a
 * glance.
 */
#include "common/results.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Widths of columns, the blank before each included. */
#define W_SIZE	  6
#define W_RATE	  9
#define W_GBPS	  9
#define W_LOSS	  9
#define W_CPU	  6
#define W_LATENCY 8

struct unit {
	const char *name;
	double factor;
};

/*
 * The unit for a column of frame rates: the one that fits the largest, or a smaller one where the
 * smallest would keep fewer than three digits and the largest still fits its cell.
 */
static struct unit column_unit(const json_t *summary, const char *where)
{
	static const struct unit units[] = {{"Mpps", 1e6}, {"kpps", 1e3}, {"pps", 1}};
	double min = INFINITY, max = 0, value;
	size_t u = 0;

	for (size_t i = 0; i < json_array_size(summary); i++) {
		value = result_num(json_array_get(summary, i), where);
		if (value > max)
			max = value;
		if (value > 0 && value < min)
			min = value;
	}
	while (u < 2 && max < units[u].factor)
		u++;
	while (u < 2 && min < units[u].factor / 10 && max < units[u + 1].factor * 1e5)
		u++;
	return units[u];
}

/* A cell with a fixed number of decimals, fewer where it would not fit; "-" where unknown. */
static void number_cell(FILE *out, int width, double value, int decimals)
{
	char text[64];

	if (!isfinite(value)) {
		fprintf(out, "%*s", width, "-");
		return;
	}
	do {
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	} while ((int)strlen(text) >= width && decimals-- > 0);
	fprintf(out, "%*s", width, text);
}

/* A share as percent. A loss that is there never looks like none. */
static void loss_cell(FILE *out, int width, double ratio)
{
	if (ratio == 0)
		fprintf(out, "%*s", width, "0");
	else if (ratio > 0 && ratio < 0.5e-6)
		fprintf(out, "%*s", width, "<0.0001");
	else
		number_cell(out, width, ratio * 100, 4);
}

/* ' ' valid or no trial, 'd' disturbed, '!' invalid (or no verdict known). */
static char mark(const json_t *row, const char *which)
{
	const json_t *trial = json_object_get(row, which);
	const char *verdict = result_str(trial, "verdict");

	if (!json_is_object(trial) || (verdict && !strcmp(verdict, "valid")))
		return ' ';
	return verdict && !strcmp(verdict, "disturbed") ? 'd' : '!';
}

static void print_title(const json_t *row, FILE *out)
{
	const char *path = result_str(row, "path"), *direction = result_str(row, "direction");
	const char *stream = result_str(row, "stream");

	fprintf(out, "\n%s path", path ? path : "unknown");
	if (direction)
		fprintf(out, ", ports %s", direction);
	if (stream && strcmp(stream, "all"))
		fprintf(out, ", stream %s", stream);
	fputc('\n', out);
}

/* A group's heading in the middle of its columns, then the rule between groups. */
static void group_heading(FILE *out, int width, const char *text)
{
	int left = (width - (int)strlen(text)) / 2;

	fprintf(out, "%*s%-*s |", left, "", width - left, text);
}

static void print_heading(const struct unit *max, const struct unit *paced, FILE *out)
{
	fprintf(out, "%*s |", W_SIZE, "");
	group_heading(out, W_RATE + W_GBPS + W_LOSS + W_CPU, "max (forwarding rate)");
	group_heading(out, W_RATE + W_LOSS + W_CPU, "paced");
	group_heading(out, 3 * W_LATENCY, "latency, us");
	group_heading(out, 3 * W_LATENCY, "clean latency, us");
	fprintf(out, "\n%*s |%*s%*s%*s%*s |%*s%*s%*s |", W_SIZE, "size", W_RATE, max->name, W_GBPS,
		"Gbps L1", W_LOSS, "loss %", W_CPU, "CPU %", W_RATE, paced->name, W_LOSS, "loss %",
		W_CPU, "CPU %");
	for (int i = 0; i < 2; i++)
		fprintf(out, "%*s%*s%*s |", W_LATENCY, "min", W_LATENCY, "p50", W_LATENCY, "p99");
	fputc('\n', out);
}

static void print_latency(const json_t *row, const char *const where[3], FILE *out)
{
	for (int i = 0; i < 3; i++)
		number_cell(out, W_LATENCY, result_num(row, where[i]) / 1e3, 2);
	fputs(" |", out);
}

static void print_row(const json_t *row, const struct unit *max, const struct unit *paced,
		      FILE *out)
{
	static const char *const all[] = {"paced.latency_ns.min", "paced.latency_ns.p50",
					  "paced.latency_ns.p99"};
	static const char *const clean[] = {"paced.latency_clean_ns.min",
					    "paced.latency_clean_ns.p50",
					    "paced.latency_clean_ns.p99"};

	number_cell(out, W_SIZE, result_num(row, "frame_size"), 0);
	fputs(" |", out);
	number_cell(out, W_RATE, result_num(row, "max.rx.pps") / max->factor, 3);
	number_cell(out, W_GBPS, result_num(row, "max.rx.l1_bps") / 1e9, 3);
	loss_cell(out, W_LOSS, result_num(row, "max.loss_ratio"));
	number_cell(out, W_CPU, result_num(row, "max.dut.cpu_busy") * 100, 1);
	fprintf(out, "%c|", mark(row, "max"));
	number_cell(out, W_RATE, result_num(row, "paced.rate_requested_pps") / paced->factor, 3);
	loss_cell(out, W_LOSS, result_num(row, "paced.loss_ratio"));
	number_cell(out, W_CPU, result_num(row, "paced.dut.cpu_busy") * 100, 1);
	fprintf(out, "%c|", mark(row, "paced"));
	print_latency(row, all, out);
	print_latency(row, clean, out);
	fputc('\n', out);
}

static bool any_mark(const json_t *summary, char which)
{
	for (size_t i = 0; i < json_array_size(summary); i++) {
		const json_t *row = json_array_get(summary, i);

		if (mark(row, "max") == which || mark(row, "paced") == which)
			return true;
	}
	return false;
}

static bool same_block(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"path", "direction", "stream"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
			return false;
	return true;
}

void result_print_table(const json_t *summary, FILE *out)
{
	struct unit max = column_unit(summary, "max.rx.pps");
	struct unit paced = column_unit(summary, "paced.rate_requested_pps");
	const json_t *before = NULL, *row;

	if (!json_array_size(summary)) {
		fprintf(out, "no trials\n");
		return;
	}
	for (size_t i = 0; i < json_array_size(summary); i++) {
		row = json_array_get(summary, i);
		if (!before || !same_block(before, row)) {
			print_title(row, out);
			print_heading(&max, &paced, out);
		}
		print_row(row, &max, &paced, out);
		before = row;
	}
	fputs("\nsize: bytes with FCS. CPU: the DUT's busy share. Clean: without frames in the "
	      "shadow "
	      "of the generator's own stalls.\n",
	      out);
	if (any_mark(summary, 'd'))
		fputs("d disturbed: the figures stand, the host got in the way; reasons are in "
		      "trials.jsonl.\n",
		      out);
	if (any_mark(summary, '!'))
		fputs("! invalid: not to be used; reasons are in trials.jsonl.\n", out);
}

/*
 * The summary as a table for people: a block a path, a row a frame size.
 *
 * One unit a column, chosen for the whole table, so that figures can be compared down a column at a
 * glance.
 */
#include "common/results.h"
#include "common/table.h"

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

static struct table_unit column_unit(const json_t *summary, const char *where)
{
	double min = INFINITY, max = 0, value;

	for (size_t i = 0; i < json_array_size(summary); i++) {
		value = result_num(json_array_get(summary, i), where);
		if (value > max)
			max = value;
		if (value > 0 && value < min)
			min = value;
	}
	return table_rate_unit(min, max);
}

static void print_heading(const struct table_unit *max, const struct table_unit *paced, FILE *out)
{
	fprintf(out, "%*s |", W_SIZE, "");
	table_group(out, W_RATE + W_GBPS + W_LOSS + W_CPU, "max (forwarding rate)");
	table_group(out, W_RATE + W_LOSS + W_CPU, "paced");
	table_group(out, 3 * W_LATENCY, "latency, us");
	table_group(out, 3 * W_LATENCY, "clean latency, us");
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
		table_number(out, W_LATENCY, result_num(row, where[i]) / 1e3, 2);
	fputs(" |", out);
}

static void print_row(const json_t *row, const struct table_unit *max,
		      const struct table_unit *paced, FILE *out)
{
	static const char *const all[] = {"paced.latency_ns.min", "paced.latency_ns.p50",
					  "paced.latency_ns.p99"};
	static const char *const clean[] = {"paced.latency_clean_ns.min",
					    "paced.latency_clean_ns.p50",
					    "paced.latency_clean_ns.p99"};

	table_number(out, W_SIZE, result_num(row, "frame_size"), 0);
	fputs(" |", out);
	table_number(out, W_RATE, result_num(row, "max.rx.pps") / max->factor, 3);
	table_number(out, W_GBPS, result_num(row, "max.rx.l1_bps") / 1e9, 3);
	table_loss(out, W_LOSS, result_num(row, "max.loss_ratio"));
	table_number(out, W_CPU, result_num(row, "max.dut.cpu_busy") * 100, 1);
	fprintf(out, "%c|", table_mark(json_object_get(row, "max")));
	table_number(out, W_RATE, result_num(row, "paced.rate_requested_pps") / paced->factor, 3);
	table_loss(out, W_LOSS, result_num(row, "paced.loss_ratio"));
	table_number(out, W_CPU, result_num(row, "paced.dut.cpu_busy") * 100, 1);
	fprintf(out, "%c|", table_mark(json_object_get(row, "paced")));
	print_latency(row, all, out);
	print_latency(row, clean, out);
	fputc('\n', out);
}

static bool any_mark(const json_t *summary, char which)
{
	for (size_t i = 0; i < json_array_size(summary); i++) {
		const json_t *row = json_array_get(summary, i);

		if (table_mark(json_object_get(row, "max")) == which ||
		    table_mark(json_object_get(row, "paced")) == which)
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
	struct table_unit max = column_unit(summary, "max.rx.pps");
	struct table_unit paced = column_unit(summary, "paced.rate_requested_pps");
	const json_t *before = NULL, *row;

	if (!json_array_size(summary)) {
		fprintf(out, "no trials\n");
		return;
	}
	for (size_t i = 0; i < json_array_size(summary); i++) {
		row = json_array_get(summary, i);
		if (!before || !same_block(before, row)) {
			fputc('\n', out);
			table_title(out, row);
			fputc('\n', out);
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

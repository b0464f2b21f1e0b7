/*
 * The summary as a table for people: a block a path, a row a frame size.
 *
 * One unit a column, chosen for the whole table, so that figures can be compared down a column at a
 * glance.
 */
#include "common/report_table.h"
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

/* clang-format off */
#define LATENCY(name, where, group) {name, CELL_NUMBER, W_LATENCY, where, 1e-3, 2, group, NULL}
static const struct column columns[] = {
	{"size", CELL_NUMBER, W_SIZE, "frame_size", 1, 0, "", NULL},
	{"", CELL_RATE, W_RATE, "max.rx.pps", 1, 3, "max (forwarding rate)", NULL},
	{"Gbps L1", CELL_NUMBER, W_GBPS, "max.rx.l1_bps", 1e-9, 3, NULL, NULL},
	{"loss %", CELL_LOSS, W_LOSS, "max.loss_ratio", 1, 0, NULL, NULL},
	{"CPU %", CELL_NUMBER, W_CPU, "max.dut.cpu_busy", 100, 1, NULL, "max"},
	{"", CELL_RATE, W_RATE, "paced.rate_requested_pps", 1, 3, "paced", NULL},
	{"loss %", CELL_LOSS, W_LOSS, "paced.loss_ratio", 1, 0, NULL, NULL},
	{"CPU %", CELL_NUMBER, W_CPU, "paced.dut.cpu_busy", 100, 1, NULL, "paced"},
	LATENCY("min", "paced.latency_ns.min", "latency, us"),
	LATENCY("p50", "paced.latency_ns.p50", NULL),
	LATENCY("p99", "paced.latency_ns.p99", NULL),
	LATENCY("min", "paced.latency_clean_ns.min", "clean latency, us"),
	LATENCY("p50", "paced.latency_clean_ns.p50", NULL),
	LATENCY("p99", "paced.latency_clean_ns.p99", NULL),
	{NULL, CELL_TEXT, 0, NULL, 0, 0, NULL, NULL},
};
/* clang-format on */
_Static_assert(sizeof(columns) / sizeof(columns[0]) == SUMMARY_COLUMNS + 1, "columns");

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

void summary_columns(const json_t *summary, struct column into[SUMMARY_COLUMNS + 1])
{
	memcpy(into, columns, sizeof(columns));
	for (struct column *c = into; c->heading; c++) {
		if (c->cell == CELL_RATE) {
			struct table_unit unit = column_unit(summary, c->where);

			c->cell = CELL_NUMBER;
			c->heading = unit.name;
			c->scale = 1 / unit.factor;
		}
	}
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

void summary_each_block(const json_t *summary, void (*block)(void *context, const json_t *rows),
			void *context)
{
	const size_t n = json_array_size(summary);

	for (size_t i = 0, next; i < n; i = next) {
		json_t *rows = json_array();

		for (next = i; next < n && same_block(json_array_get(summary, i),
						      json_array_get(summary, next));
		     next++)
			json_array_append(rows, json_array_get(summary, next));
		block(context, rows);
		json_decref(rows);
	}
}

/* What goes to the stream for each block. */
struct printing {
	FILE *out;
	struct column columns[SUMMARY_COLUMNS + 1];
};

static void no_remark(const json_t *row, char *text, size_t len)
{
	(void)row;
	snprintf(text, len, "%s", "");
}

static void print_block(void *context, const json_t *rows)
{
	const struct printing *p = context;

	fputc('\n', p->out);
	table_title(p->out, json_array_get(rows, 0));
	fputc('\n', p->out);
	report_table(p->columns, rows, no_remark, p->out);
}

void result_print_table(const json_t *summary, FILE *out)
{
	struct printing p = {.out = out};

	if (!json_array_size(summary)) {
		fprintf(out, "no trials\n");
		return;
	}
	summary_columns(summary, p.columns);
	summary_each_block(summary, print_block, &p);
	fputs("\n" SUMMARY_NOTE "\n", out);
	if (any_mark(summary, 'd'))
		fputs("d disturbed: the figures stand, the host got in the way; reasons are in "
		      "trials.jsonl.\n",
		      out);
	if (any_mark(summary, '!'))
		fputs("! invalid: not to be used; reasons are in trials.jsonl.\n", out);
}

/*
 * The report: records put together to tables by test, path and direction, and printed.
 */
#include "common/report.h"

#include "common/report_table.h"
#include "common/results.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define W_SIZE	      6
#define W_LOAD	      9
#define LOADS_A_TABLE 10 /* columns of loads that fit beside each other */
#define LEFT_OF_LOADS 3	 /* the page's own columns */

static void print_title(const struct report_page *page, const json_t *rows, FILE *out)
{
	fprintf(out, "\n%s, ", page->title);
	table_title(out, result_get(json_array_get(rows, 0), "test"));
	fputc('\n', out);
}

/* All percentages of a page's points, the highest first; those of two sizes differ by rounding. */
static json_t *all_loads(const json_t *rows)
{
	json_t *loads = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++) {
		double percent = result_num(json_array_get(rows, i), "item.percent"), seen = 0;
		size_t at = 0;

		if (isnan(percent))
			continue;
		for (; at < json_array_size(loads); at++) {
			seen = json_number_value(json_array_get(loads, at));
			if (seen <= percent * (1 + 1e-6))
				break;
		}
		if (at == json_array_size(loads) || seen < percent * (1 - 1e-6))
			json_array_insert_new(loads, at, json_real(percent));
	}
	return loads;
}

/* One row a record, its points beside each other: those of the n loads from the given one on, as
 * p0, p1 and so on. */
static json_t *wide_rows(const json_t *rows, const json_t *loads, size_t from, size_t n)
{
	json_t *wide = json_array(), *last = NULL;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i);
		double percent = result_num(row, "item.percent");

		if (!last || json_object_get(last, "test") != json_object_get(row, "test")) {
			last = json_copy(row);
			json_array_append_new(wide, last);
		}
		for (size_t p = 0; p < n; p++) {
			double load = json_number_value(json_array_get(loads, from + p));
			char key[16];

			snprintf(key, sizeof(key), "p%zu", p);
			if (fabs(load - percent) <= 1e-6 * fabs(load))
				json_object_set(last, key, json_object_get(row, "item"));
		}
	}
	return wide;
}

/* A column a load, in further tables where there are many. */
static void each_of_loss(const struct report_part *part,
			 void (*visit)(void *, const struct report_part *), void *context)
{
	struct column columns[LEFT_OF_LOADS + LOADS_A_TABLE + 1];
	char heading[LOADS_A_TABLE][16], where[LOADS_A_TABLE][24], mark[LOADS_A_TABLE][8];
	const json_t *rows = part->rows;
	json_t *loads = all_loads(rows);
	size_t from = 0;

	do {
		size_t left = json_array_size(loads) - from;
		size_t n = left < LOADS_A_TABLE ? left : LOADS_A_TABLE;
		json_t *wide = wide_rows(rows, loads, from, n);

		memcpy(columns, part->page->columns, LEFT_OF_LOADS * sizeof(columns[0]));
		for (size_t p = 0; p < n; p++) {
			snprintf(heading[p], sizeof(heading[p]), "%.4g",
				 json_number_value(json_array_get(loads, from + p)));
			snprintf(where[p], sizeof(where[p]), "p%zu.loss_ratio", p);
			snprintf(mark[p], sizeof(mark[p]), "p%zu", p);
			columns[LEFT_OF_LOADS + p] = (struct column){
				heading[p], CELL_LOSS, W_LOAD, where[p], 0, 0, NULL, mark[p]};
		}
		if (n)
			columns[LEFT_OF_LOADS].group = "loss %, by load in % of the max load";
		columns[LEFT_OF_LOADS + n] = (struct column){.heading = NULL};
		from += n;
		visit(context, &(struct report_part){part->page, columns, wide,
						     from >= json_array_size(loads)});
		json_decref(wide);
	} while (from < json_array_size(loads));
	json_decref(loads);
}

void report_each_reason(const json_t *rows,
			void (*reason)(void *context, const json_t *test, const char *text),
			void *context)
{
	const json_t *before = NULL;
	char *text;
	size_t len;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *test = json_object_get(json_array_get(rows, i), "test");
		const json_t *reasons = json_object_get(test, "reasons");
		FILE *joined;

		if (test == before || !json_array_size(reasons))
			continue;
		before = test;
		joined = open_memstream(&text, &len);
		if (!joined)
			return;
		for (size_t r = 0; r < json_array_size(reasons); r++) {
			const char *one = json_string_value(json_array_get(reasons, r));

			fputs(r ? "; " : "", joined);
			table_text(joined, one ? one : "-");
		}
		if (fclose(joined) == 0)
			reason(context, test, text);
		free(text);
	}
}

static bool same_block(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"test", "path", "direction", "stream"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);

		if ((x || y) && !(x && y && json_equal(x, y)))
			return false;
	}
	return true;
}

/* The records of a block from the one at first on, by size; those without one size last. */
static json_t *block_of(const json_t *tests, size_t first)
{
	json_t *block = json_array();

	for (size_t i = first; i < json_array_size(tests); i++) {
		json_t *test = json_array_get(tests, i);
		double size = result_num(test, "frame_size");
		size_t at = json_array_size(block);

		if (!same_block(json_array_get(tests, first), test))
			continue;
		for (; at > 0; at--) {
			double before = result_num(json_array_get(block, at - 1), "frame_size");

			if (isnan(size) || before <= size)
				break;
		}
		json_array_insert(block, at, test);
	}
	return block;
}

static bool begins_block(const json_t *tests, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_block(json_array_get(tests, i), json_array_get(tests, at)))
			return false;
	return true;
}

static void each_of_block(const struct report_page *page, const json_t *tests, size_t first,
			  void (*visit)(void *, const struct report_part *), void *context)
{
	json_t *block = block_of(tests, first), *rows = json_array();
	struct report_part part = {page, page->columns, rows, true};

	for (size_t i = 0; i < json_array_size(block); i++)
		report_rows(json_array_get(block, i), rows);
	if (!strcmp(page->test, "loss"))
		each_of_loss(&part, visit, context);
	else
		visit(context, &part);
	json_decref(rows);
	json_decref(block);
}

size_t report_each(const json_t *tests, void (*part)(void *context, const struct report_part *part),
		   void *context)
{
	size_t known = 0, n = json_array_size(tests);

	for (const struct report_page *page = report_pages; page->test; page++)
		for (size_t i = 0; i < n; i++) {
			const char *name = result_str(json_array_get(tests, i), "test");

			if (!name || strcmp(name, page->test))
				continue;
			known++;
			if (begins_block(tests, i))
				each_of_block(page, tests, i, part, context);
		}
	return n - known;
}

/* What goes to the stream for each table. */
struct printing {
	FILE *out;
	bool marked;
};

static void print_reason(void *context, const json_t *test, const char *text)
{
	const struct printing *p = context;

	table_number(p->out, W_SIZE, result_num(test, "frame_size"), 0);
	fprintf(p->out, ": %s\n", text);
}

static void print_part(void *context, const struct report_part *part)
{
	struct printing *p = context;

	print_title(part->page, part->rows, p->out);
	p->marked |= report_table(part->columns, part->rows, report_remark, p->out);
	if (part->last)
		report_each_reason(part->rows, print_reason, p);
}

void report_print(const json_t *tests, FILE *out)
{
	struct printing p = {.out = out};
	size_t n = json_array_size(tests), unknown = report_each(tests, print_part, &p);

	if (!n)
		fputs("no tests\n", out);
	if (unknown < n)
		fputs("\nsize: bytes with FCS. theory: frames a second that the line rate "
		      "allows; '-' where the link has none.\n",
		      out);
	if (p.marked)
		fputs("d disturbed: the figures stand, the host got in the way. ! invalid: not to "
		      "be used. Reasons are in trials.jsonl.\n",
		      out);
	if (unknown)
		fprintf(out, "%zu records of unknown tests are left out.\n", unknown);
}

static int print_text(const json_t *tests, FILE *out)
{
	report_print(tests, out);
	return 0;
}

int report_write(const char *dir, const json_t *tests, char *err, size_t errlen)
{
	int rc = result_write_text(dir, "report.txt", print_text, tests, err, errlen);

	return rc ? rc : result_write_text(dir, "report.csv", report_print_csv, tests, err, errlen);
}

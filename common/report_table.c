/*
 * One printer for the tables of all tests, so that each is only a list of columns.
 */
#include "common/report_table.h"

#include "common/results.h"
#include "common/table.h"
#include "common/units.h"

#include <math.h>
#include <string.h>

/* An outcome that is a result, not a bound or the lack of one. */
static bool is_result(const json_t *test)
{
	const char *outcome = result_str(test, "outcome");

	return outcome && (!strcmp(outcome, "found") || !strcmp(outcome, "line-rate"));
}

static json_t *make_row(const json_t *test, json_t *item)
{
	double theory = result_num(test, "theoretical_max_pps");
	double size = result_num(test, "frame_size"), pps;
	json_t *row = json_object();

	pps = result_num(item, "conditional_throughput_pps");
	if (isnan(pps) && is_result(test))
		pps = result_num(test, "throughput_pps");
	json_object_set(row, "test", (json_t *)(uintptr_t)test);
	json_object_set(row, "item", item);
	json_object_set_new(row, "result_pps", result_real(pps));
	json_object_set_new(row, "percent", result_real(theory > 0 ? pps / theory * 100 : NAN));
	/* A frame size that no frame has says nothing about bits. */
	json_object_set_new(row, "l1_bps",
			    result_real(size >= FRAME_MIN && size <= FRAME_JUMBO_MAX
						? pps_to_l1_bps(pps, (uint32_t)size)
						: NAN));
	return row;
}

void report_rows(const json_t *test, json_t *rows)
{
	static const char *const lists[][2] = {
		{"latency", "loads"}, {"loss", "points"}, {"mlrsearch", "goals"}};
	const char *name = result_str(test, "test");
	const json_t *list = NULL;

	for (size_t i = 0; name && i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(name, lists[i][0]))
			list = json_object_get(test, lists[i][1]);
	for (size_t i = 0; i < json_array_size(list); i++)
		json_array_append_new(rows, make_row(test, json_array_get(list, i)));
	if (!json_array_size(list))
		json_array_append_new(rows, make_row(test, json_null()));
}

struct table_unit report_rate_unit(const struct column *columns, const json_t *rows)
{
	double min = INFINITY, max = 0, value;

	for (size_t i = 0; i < json_array_size(rows); i++)
		for (const struct column *c = columns; c->heading; c++) {
			if (c->cell != CELL_RATE)
				continue;
			value = result_num(json_array_get(rows, i), c->where);
			max = fmax(max, value);
			if (value > 0)
				min = fmin(min, value);
		}
	return table_rate_unit(min, max);
}

bool report_ends_group(const struct column *c)
{
	return !c[1].heading || c[1].group;
}

static void print_heading(const struct column *columns, const struct table_unit *unit, FILE *out)
{
	const char *group = "";
	char text[64];
	int width = 0;

	for (const struct column *c = columns; c->heading; c++) {
		if (c->group)
			group = c->group;
		width += c->width;
		if (!report_ends_group(c))
			continue;
		table_group(out, width, group);
		width = 0;
	}
	fputc('\n', out);
	for (const struct column *c = columns; c->heading; c++) {
		snprintf(text, sizeof(text), "%s%s", c->heading,
			 c->cell == CELL_RATE ? unit->name : "");
		/* A mark takes the place behind its figure. */
		if (c->mark && !report_ends_group(c))
			fprintf(out, "%*s ", c->width - 1, text);
		else
			fprintf(out, "%*s%s", c->width, text, report_ends_group(c) ? " |" : "");
	}
	fputc('\n', out);
}

/* A text in the right of its cell, cut to what fits. */
static void print_text(int width, const char *text, FILE *out)
{
	char cut[64];

	if (!text) {
		fprintf(out, "%*s", width, "-");
		return;
	}
	snprintf(cut, sizeof(cut) < (size_t)width ? sizeof(cut) : (size_t)width, "%s", text);
	fprintf(out, "%*s", width - (int)strlen(cut), "");
	table_text(out, cut);
}

void report_cell(const struct column *c, int width, const json_t *row,
		 const struct table_unit *unit, FILE *out)
{
	double value = result_num(row, c->where);

	switch (c->cell) {
	case CELL_RATE:
		table_number(out, width, value / unit->factor, 3);
		break;
	case CELL_NUMBER:
		table_number(out, width, value * c->scale, c->decimals);
		break;
	case CELL_LOSS:
		table_loss(out, width, value);
		break;
	case CELL_TEXT:
		print_text(width, result_str(row, c->where), out);
		break;
	}
}

bool report_table(const struct column *columns, const json_t *rows,
		  void (*remark)(const json_t *row, char *text, size_t len), FILE *out)
{
	struct table_unit unit = report_rate_unit(columns, rows);
	bool marked = false;
	char text[192];

	print_heading(columns, &unit, out);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		for (const struct column *c = columns; c->heading; c++) {
			char mark = c->mark ? table_mark(result_get(row, c->mark)) : ' ';
			bool end = report_ends_group(c);

			marked |= mark != ' ';
			report_cell(c, c->mark && !end ? c->width - 1 : c->width, row, &unit, out);
			if (c->mark || end)
				fputc(mark, out);
			if (end)
				fputc('|', out);
		}
		remark(row, text, sizeof(text));
		if (*text) {
			fputc(' ', out);
			table_text(out, text);
		}
		fputc('\n', out);
	}
	return marked;
}

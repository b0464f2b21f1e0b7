/*
 * A comparison for people, spreadsheets and scripts.
 */
#include "plots/compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/csv.h"
#include "common/results.h"
#include "common/table.h"

#define W_NAME	14
#define W_VALUE 12

static const char *const marks[] = {[APART_UNKNOWN] = "?", [APART_NOISE] = " ", [APART_REAL] = "*"};

static const char *const words[] = {
	[APART_UNKNOWN] = "unknown", [APART_NOISE] = "noise", [APART_REAL] = "real"};

static void print_change(const struct compare_cell *cell, FILE *out)
{
	double change = compare_change(cell);

	if (isfinite(change))
		fprintf(out, " %+*.2f", W_VALUE - 3, 100 * change);
	else
		fprintf(out, " %*s", W_VALUE - 3, "-");
}

static void print_row(const struct compare_row *row, bool baseline, FILE *out)
{
	for (unsigned int m = 0; m < METRICS; m++) {
		const struct compare_cell *cell = &row->cell[m];
		double scale = metric_scale(m);

		if (!isfinite(cell->a) && !isfinite(cell->b))
			continue;
		fprintf(out, "  %-*s %-4s", W_NAME, metric_name(m), metric_unit(m));
		table_number(out, W_VALUE, cell->a * scale, 3);
		table_number(out, W_VALUE, cell->b * scale, 3);
		table_number(out, W_VALUE, (cell->b - cell->a) * scale, 3);
		print_change(cell, out);
		fprintf(out, " %s", marks[cell->apart]);
		if (baseline)
			table_number(out, W_VALUE, cell->baseline * scale, 3);
		fputc('\n', out);
	}
}

void compare_print(const struct comparison *c, const char *a, const char *b, const char *baseline,
		   FILE *out)
{
	bool unknown = false;

	fprintf(out, "A: %s\nB: %s\n", a, b);
	if (baseline)
		fprintf(out, "baseline: %s\n", baseline);
	for (size_t i = 0; i < c->n_notes; i++)
		fprintf(out, "%s%s\n", i ? "  " : "Measured differently:\n  ", c->note[i]);
	for (size_t i = 0; i < c->n; i++) {
		const struct compare_row *row = &c->row[i];

		fprintf(out, "\n%s%s%s, %u B\n", row->path_a,
			strcmp(row->path_a, row->path_b) ? " against " : "",
			strcmp(row->path_a, row->path_b) ? row->path_b : "", row->frame_size);
		fprintf(out, "  %-*s %-4s%*s%*s%*s %*s  ", W_NAME, "", "", W_VALUE, "A", W_VALUE,
			"B", W_VALUE, "B - A", W_VALUE - 3, "%");
		if (baseline)
			fprintf(out, "%*s", W_VALUE, "baseline");
		fputc('\n', out);
		print_row(row, baseline != NULL, out);
		for (unsigned int m = 0; m < METRICS; m++)
			unknown |= row->cell[m].apart == APART_UNKNOWN &&
				   isfinite(row->cell[m].a) && isfinite(row->cell[m].b);
	}
	fprintf(out,
		"\nMedians. *: apart by more than noise (Mann-Whitney U test, two-sided, 5 %%).\n");
	if (unknown)
		fprintf(out,
			"?: fewer than three trials on a side, so noise is not known: measure with "
			"--repeat 5.\n");
}

void compare_print_csv(const struct comparison *c, FILE *out)
{
	fputs("path_a,path_b,frame_size,metric,unit,a,b,difference,change_percent,trials_a,trials_"
	      "b,p,"
	      "apart,baseline\n",
	      out);
	for (size_t i = 0; i < c->n; i++) {
		for (unsigned int m = 0; m < METRICS; m++) {
			const struct compare_row *row = &c->row[i];
			const struct compare_cell *cell = &row->cell[m];
			const double scale = metric_scale(m);
			const double values[] = {cell->a * scale, cell->b * scale,
						 (cell->b - cell->a) * scale,
						 100 * compare_change(cell)};

			if (!isfinite(cell->a) && !isfinite(cell->b))
				continue;
			csv_text(row->path_a, out);
			fputc(',', out);
			csv_text(row->path_b, out);
			fprintf(out, ",%u,%s,%s", row->frame_size, metric_name(m), metric_unit(m));
			for (size_t v = 0; v < 4; v++)
				fprintf(out, isfinite(values[v]) ? ",%.9g" : ",", values[v]);
			fprintf(out, ",%zu,%zu", cell->n_a, cell->n_b);
			fprintf(out, isfinite(cell->p) ? ",%.6g" : ",", cell->p);
			fprintf(out, ",%s", words[cell->apart]);
			fprintf(out, isfinite(cell->baseline) ? ",%.9g\n" : ",\n",
				cell->baseline * scale);
		}
	}
}

int compare_print_json(const struct comparison *c, const char *a, const char *b, FILE *out)
{
	json_t *notes = json_array(), *rows = json_array(), *root;
	int rc;

	for (size_t i = 0; i < c->n_notes; i++)
		json_array_append_new(notes, json_string(c->note[i]));
	for (size_t i = 0; i < c->n; i++) {
		for (unsigned int m = 0; m < METRICS; m++) {
			const struct compare_row *row = &c->row[i];
			const struct compare_cell *cell = &row->cell[m];
			const double scale = metric_scale(m);

			if (!isfinite(cell->a) && !isfinite(cell->b))
				continue;
			json_array_append_new(
				rows,
				json_pack("{s:s, s:s, s:i, s:s, s:s, s:o, s:o, s:o, s:I, s:I, s:o, "
					  "s:s, s:o}",
					  "path_a", row->path_a, "path_b", row->path_b,
					  "frame_size", (int)row->frame_size, "metric",
					  metric_name(m), "unit", metric_unit(m), "a",
					  result_real(cell->a * scale), "b",
					  result_real(cell->b * scale), "change_percent",
					  result_real(100 * compare_change(cell)), "trials_a",
					  (json_int_t)cell->n_a, "trials_b", (json_int_t)cell->n_b,
					  "p", result_real(cell->p), "apart", words[cell->apart],
					  "baseline", result_real(cell->baseline * scale)));
		}
	}
	root = json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "tandem.compare/1", "a", a, "b", b,
			 "measured_differently", notes, "rows", rows);
	rc = root ? json_dumpf(root, out, JSON_INDENT(2)) : -1;
	fputc('\n', out);
	json_decref(root);
	return rc ? -ENOMEM : 0;
}

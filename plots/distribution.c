/*
 * Whole distributions out of .hgrm files: latency by percentile, as HdrHistogram's own plotter
 * draws it, and histograms. Of each path and frame size the last paced trial is taken, the last at
 * max where there is none.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/chart.h"
#include "plots/figures.h"
#include "plots/hgrm.h"

#define CHOOSE	   "choose with --sizes, or give fewer results"
#define BINS_A_TEN 20.0 /* bars of a histogram in a decade */
#define FILES_MAX  64u

struct file {
	struct hgrm_name name;
	char path[1400];
};

static bool same_kind(const struct hgrm_name *a, const struct hgrm_name *b)
{
	return strcmp(a->path, b->path) == 0 && a->frame_size == b->frame_size &&
	       a->from == b->from && a->to == b->to;
}

/* Whether a shows more of interest than b. */
static bool better(const struct hgrm_name *a, const struct hgrm_name *b)
{
	return a->paced != b->paced ? a->paced : a->trial > b->trial;
}

static int by_name(const void *a, const void *b)
{
	const struct hgrm_name *x = &((const struct file *)a)->name;
	const struct hgrm_name *y = &((const struct file *)b)->name;
	int path = strcmp(x->path, y->path);

	if (path)
		return path;
	if (x->frame_size != y->frame_size)
		return x->frame_size < y->frame_size ? -1 : 1;
	return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* The files of a folder that are drawn, in the order of path and size; how many. */
static size_t list_files(const struct figure_input *in, const struct result *r, struct file *files)
{
	DIR *dir = opendir(r->dir);
	const struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir))) {
		struct hgrm_name name;
		size_t i = 0;

		if (!hgrm_name(entry->d_name, &name) || !chart_wants_size(in, name.frame_size))
			continue;
		while (i < n && !same_kind(&files[i].name, &name))
			i++;
		if (i == FILES_MAX || (i < n && !better(&name, &files[i].name)))
			continue;
		n += i == n;
		files[i].name = name;
		snprintf(files[i].path, sizeof(files[i].path), "%s/%s", r->dir, entry->d_name);
	}
	if (dir)
		closedir(dir);
	qsort(files, n, sizeof(*files), by_name);
	return n;
}

static bool several_directions(const struct file *files, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (files[i].name.from != files[0].name.from ||
		    files[i].name.to != files[0].name.to)
			return true;
	return false;
}

/* Points of one file's line, in nanoseconds. */
typedef int (*fill_line)(const struct hgrm *h, struct chart_line *line);

static int add_file(const struct figure_input *in, const struct result *r, const struct file *file,
		    bool directions, fill_line fill, struct chart_panel *panel, char *err,
		    size_t errlen)
{
	struct chart_line *line;
	struct hgrm h;
	char label[160], direction[8] = "";
	int rc = hgrm_read(file->path, &h, err, errlen);

	if (rc)
		return -EINVAL;
	if (directions)
		snprintf(direction, sizeof(direction), " %c>%c", file->name.from, file->name.to);
	snprintf(label, sizeof(label), "%.60s%s%.20s path%s, %u B%s",
		 in->n_results > 1 ? r->name : "", in->n_results > 1 ? ": " : "", file->name.path,
		 direction, file->name.frame_size, file->name.paced ? "" : ", at max");
	rc = chart_line_add(panel, label, CHOOSE, &line, err, errlen);
	if (rc == 0)
		rc = fill(&h, line);
	hgrm_free(&h);
	return rc;
}

static int collect(const struct figure_input *in, fill_line fill, struct chart *chart, char *err,
		   size_t errlen)
{
	struct file *files = calloc(FILES_MAX, sizeof(*files));
	int rc = files ? 0 : -ENOMEM;

	chart->n = 1;
	for (size_t r = 0; r < in->n_results && rc == 0; r++) {
		size_t n = list_files(in, &in->results[r], files);

		for (size_t i = 0; i < n && rc == 0; i++)
			rc = add_file(in, &in->results[r], &files[i], several_directions(files, n),
				      fill, &chart->panel[0], err, errlen);
	}
	free(files);
	chart_note_sizes(in, chart);
	if (rc == 0 && chart->panel[0].n == 0) {
		snprintf(err, errlen, "%s: no .hgrm file of such a trial in it",
			 in->results[0].path);
		rc = -ENODATA;
	}
	return rc;
}

static int fill_percentiles(const struct hgrm *h, struct chart_line *line)
{
	line->steps = true;
	for (size_t i = 0; i < h->n; i++) {
		double x = 1 / (1 - h->row[i].quantile);
		int rc;

		/* The last row is the maximum, of quantile 1: where its count puts it. */
		if (!isfinite(x))
			x = 2 * h->row[i].count;
		if (x > 1e5)
			break;
		if (x < 10 && i + 1 < h->n && 1 / (1 - h->row[i + 1].quantile) < 10)
			continue;
		rc = chart_point_add(line, fmax(x, 10), h->row[i].value / 1e3, POINT_MISSING);
		if (rc)
			return rc;
	}
	return 0;
}

/* Samples between two rows lie somewhere between their values: they are spread over the bins there,
 * by the width that each has on the log axis. */
static int fill_histogram(const struct hgrm *h, struct chart_line *line)
{
	const double lo = log10(fmax(h->row[0].value, 1)), total = h->row[h->n - 1].count;
	const double hi = log10(fmax(h->row[h->n - 1].value, 1));
	const int first = (int)floor(lo * BINS_A_TEN), last = (int)floor(hi * BINS_A_TEN);
	double *bin = calloc((size_t)last - (size_t)first + 1, sizeof(*bin));
	double before = 0, from = lo;
	int rc = bin ? 0 : -ENOMEM;

	for (size_t i = 0; i < h->n && bin; i++) {
		double to = log10(fmax(h->row[i].value, 1)), count = h->row[i].count - before;

		for (int b = first; b <= last; b++) {
			double left = fmax(b / BINS_A_TEN, from),
			       right = fmin((b + 1) / BINS_A_TEN, to);

			if (to <= from)
				bin[b - first] += b == (int)floor(to * BINS_A_TEN) ? count : 0;
			else if (right > left)
				bin[b - first] += count * (right - left) / (to - from);
		}
		before = h->row[i].count;
		from = to;
	}
	line->steps = true;
	for (int b = first; b <= last && rc == 0 && total > 0; b++)
		rc = chart_point_add(line, pow(10, b / BINS_A_TEN) / 1e3,
				     bin[b - first] / total * 100, POINT_MISSING);
	if (rc == 0 && total > 0)
		rc = chart_point_add(line, pow(10, (last + 1) / BINS_A_TEN) / 1e3,
				     bin[last - first] / total * 100, POINT_MISSING);
	free(bin);
	return rc;
}

static int collect_percentiles(const struct figure_input *in, struct chart *chart, char *err,
			       size_t errlen)
{
	chart->kind = CHART_PERCENTILES;
	chart->x_label = "Percentile";
	chart->panel[0].y_label = "Latency (\xc2\xb5s, log scale)";
	chart->panel[0].log = true;
	snprintf(chart->notes, sizeof(chart->notes),
		 "Round trip through the DUT, all samples of one trial a line: the last paced one "
		 "of "
		 "its path and size.");
	return collect(in, fill_percentiles, chart, err, errlen);
}

static int collect_histogram(const struct figure_input *in, struct chart *chart, char *err,
			     size_t errlen)
{
	chart->kind = CHART_LOG;
	chart->x_label = "Latency (\xc2\xb5s, log scale)";
	chart->panel[0].y_label = "Share of samples (%)";
	snprintf(
		chart->notes, sizeof(chart->notes),
		"All samples of one trial a line, the last paced one of its path and size; %d bins "
		"of equal width a decade.",
		(int)BINS_A_TEN);
	return collect(in, fill_histogram, chart, err, errlen);
}

static void draw_percentiles(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect_percentiles, in, title);
}

static void draw_histogram(struct canvas *c, const struct figure_input *in, const char *title)
{
	chart_draw(c, collect_histogram, in, title);
}

int percentiles_figure(const struct figure_input *in, struct figure *figure, char *err,
		       size_t errlen)
{
	return chart_figure(in, collect_percentiles, "percentiles", "Latency by percentile",
			    draw_percentiles, figure, err, errlen);
}

int histogram_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	return chart_figure(in, collect_histogram, "histogram", "Latency histogram", draw_histogram,
			    figure, err, errlen);
}

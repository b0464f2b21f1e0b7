/*
 * What frames cost the DUT: the busy share of its lcores with what the kernel adds, and cycles a
 * frame, against frame size.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"
#include "plots/figures.h"
#include "plots/panel.h"

#define PANEL_WIDTH 500
#define PANEL_GAP   88
#define LEFT	    92
#define HEIGHT	    560
#define TITLE_ROOM  34
#define HEADROOM    1.03

enum { BUSY, CYCLES, N_PANELS };

static const char *kind_of(const struct series_set *set)
{
	return series_any(set, "max") ? "max" : "paced";
}

/* Busy share of the lcores, and CPUs that the kernel's threads took beside them. */
static struct point busy_point(const json_t *trial)
{
	struct point p = series_point(trial, "dut.cpu_busy", 100);
	double threads = trial ? result_num(trial, "dut.kernel_threads_share") : NAN;

	if (threads > 0)
		p.value += 100 * threads;
	return p;
}

static void collect(const struct series_set *set, unsigned int panel,
		    struct point point[SERIES_MAX][SIZES_MAX], double *lo, double *hi)
{
	*lo = *hi = NAN;
	for (size_t s = 0; s < set->n; s++) {
		for (size_t i = 0; i < set->n_sizes; i++) {
			const json_t *trial = series_trial(&set->series[s], i, kind_of(set));

			point[s][i] = panel == BUSY
					      ? busy_point(trial)
					      : series_point(trial, "dut.cycles_per_frame", 1);
		}
		series_range(point[s], set->n_sizes, lo, hi);
	}
}

static void draw(struct canvas *c, const struct figure_input *in, const char *title)
{
	static const char *const titles[] = {
		"Busy, mean of the lcores, with rte_kni's and vhost's threads", "Cost of a frame"};
	static const char *const labels[] = {"CPU (%)", "Cycles a frame (log scale)"};
	struct point point[N_PANELS][SERIES_MAX][SIZES_MAX];
	struct legend legend = {0};
	struct marks marks = {false, false};
	double top, bottom, lo[N_PANELS], hi[N_PANELS];
	char origin[512], notes[256];

	for (unsigned int p = 0; p < N_PANELS; p++) {
		collect(in->set, p, point[p], &lo[p], &hi[p]);
		for (size_t s = 0; s < in->set->n; s++)
			marks_note(&marks, point[p][s], in->set->n_sizes);
	}
	for (size_t s = 0; s < in->set->n; s++)
		legend_add(&legend, &style_curve[s], POINT_VALID, in->set->series[s].label);
	legend_add_marks(&legend, marks.disturbed, marks.invalid);
	snprintf(notes, sizeof(notes),
		 "Busy: rounds that moved frames. Cycles: of all busy rounds for each frame from "
		 "the "
		 "wire, system calls and the kernel's work in them included. %s trials.",
		 strcmp(kind_of(in->set), "max") == 0 ? "Max" : "Paced");
	page_frame(c, title, results_origin(in->results, in->n_results, origin, sizeof(origin)),
		   &legend, notes, &top, &bottom);
	for (unsigned int i = 0; i < N_PANELS; i++) {
		struct panel p = {.x0 = LEFT + (double)i * (PANEL_WIDTH + PANEL_GAP),
				  .y0 = bottom + 60,
				  .y1 = top - TITLE_ROOM,
				  .n_x = in->set->n_sizes,
				  .size = in->set->size,
				  .title = titles[i],
				  .y_label = labels[i]};

		p.x1 = p.x0 + PANEL_WIDTH;
		if (i == CYCLES)
			axis_log(&p.y, lo[i], hi[i] * HEADROOM);
		else
			axis_linear(&p.y, hi[i] > 100 ? hi[i] * HEADROOM : 100);
		panel_frame(c, &p);
		for (size_t s = 0; s < in->set->n; s++)
			panel_curve(c, &p, point[i][s], &style_curve[s]);
	}
}

int cpu_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen)
{
	struct point point[SERIES_MAX][SIZES_MAX];
	double lo, hi;

	collect(in->set, BUSY, point, &lo, &hi);
	if (!isfinite(hi)) {
		snprintf(err, errlen,
			 "%s: no trial knows the DUT's CPU: measure with --dut or --dut-telemetry",
			 in->results[0].path);
		return -ENODATA;
	}
	*figure = (struct figure){.name = "cpu",
				  .title = "What frames cost the DUT, by frame size",
				  .width = LEFT + N_PANELS * PANEL_WIDTH +
					   (N_PANELS - 1) * PANEL_GAP + (int)PAGE_MARGIN,
				  .height = HEIGHT,
				  .draw = draw};
	return 0;
}

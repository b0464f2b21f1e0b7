/*
 * Rate against frame size, a panel for frames and one for bits a second.
 *
 * What a trial at max brings back is the forwarding rate (RFC 2285), and the picture is called so;
 * where there are only paced trials it shows what came back of the offered rate. Throughput as RFC
 * 1242 means it takes a search.
 */
#include "plots/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"
#include "common/units.h"
#include "plots/panel.h"
#include "plots/searched.h"

#define PANEL_WIDTH 500
#define PANEL_GAP   88
#define LEFT	    92
#define HEIGHT	    560
#define LOG_RATIO   8.0 /* the largest over the smallest value from which the y axis is a log one */
#define LIMIT_ROOM                                                                                 \
	4.0		 /* a linear axis grows to show the line rate up to so many times the data \
			  */
#define SMALL_UNIT   0.1 /* below so many millions (billions) the unit is thousands (millions) */
#define HEADROOM     1.03 /* nothing lies on the frame's upper edge, where it would be lost */
#define LIMITS_MAX   4
#define CURVE_HEIGHT 34 /* what is between the legend and a panel's frame: its title */

/* What an axis shows: a member of the record's rx, and how it is called in both units. */
static const struct quantity {
	const char *member;
	const char *title;
	double scale[2];
	const char *unit[2];
} quantities[RATE_AXES] = {
	[AXIS_PPS] = {"rx.pps", "Frame rate", {1e-6, 1e-3}, {"Mpps", "kpps"}},
	[AXIS_L1] = {"rx.l1_bps",
		     "Bit rate on L1 (frame + 20 bytes)",
		     {1e-9, 1e-6},
		     {"Gbit/s, L1", "Mbit/s, L1"}},
	[AXIS_L2] = {"rx.l2_bps",
		     "Bit rate on L2 (frame with FCS)",
		     {1e-9, 1e-6},
		     {"Gbit/s, L2", "Mbit/s, L2"}},
	[AXIS_LINE] = {"rx.l1_bps",
		       "Share of the line rate",
		       {100, 100},
		       {"% of line rate", "% of line rate"}},
};

static const struct axis_list default_axes = {2, {AXIS_PPS, AXIS_L1}};

struct curves {
	const char *kind; /* of the trials shown: "max" or "paced" */
	struct point point[SERIES_MAX][SIZES_MAX];
	double lo, hi; /* of the values over 0 */
};

static const struct axis_list *axes_of(const struct figure_input *in)
{
	return in->options->axes.n ? &in->options->axes : &default_axes;
}

static const char *kind_of(const struct series_set *set)
{
	return series_any(set, "max") ? "max" : "paced";
}

/* A trial's value; a share of the line rate is unknown where that is. */
static struct point value_of(const json_t *trial, const struct quantity *q, double scale)
{
	struct point p;

	if (q == &quantities[AXIS_LINE])
		scale /= trial ? result_num(trial, "line_rate_bps") : NAN;
	p = series_point(trial, q->member, scale);
	if (!isfinite(p.value) && p.mark != POINT_INVALID)
		p.mark = POINT_MISSING;
	return p;
}

static void collect(const struct series_set *set, const struct quantity *q, double scale,
		    struct curves *curves)
{
	curves->kind = kind_of(set);
	curves->lo = curves->hi = NAN;
	for (size_t s = 0; s < set->n; s++) {
		for (size_t i = 0; i < set->n_sizes; i++)
			curves->point[s][i] =
				value_of(series_trial(&set->series[s], i, curves->kind), q, scale);
		series_range(curves->point[s], set->n_sizes, &curves->lo, &curves->hi);
	}
}

/* The line rates that the trials state, each once. */
static size_t line_rates(const struct series_set *set, double *rates)
{
	static const char *const kinds[] = {"max", "paced"};
	size_t n = 0;

	for (size_t s = 0; s < set->n; s++) {
		for (size_t k = 0; k < 2 * set->n_sizes; k++) {
			const json_t *trial = series_trial(&set->series[s], k / 2, kinds[k % 2]);
			double rate = trial ? result_num(trial, "line_rate_bps") : NAN;
			size_t r = 0;

			while (r < n && rates[r] != rate)
				r++;
			if (rate > 0 && r == n && n < LIMITS_MAX)
				rates[n++] = rate;
		}
	}
	return n;
}

/* Frames a second in what an axis shows, not of the line rate. */
static double in_axis(enum rate_axis axis, double pps, uint32_t size)
{
	return axis == AXIS_PPS	 ? pps
	       : axis == AXIS_L1 ? pps_to_l1_bps(pps, size)
				 : pps_to_l2_bps(pps, size);
}

/* What searches found, in an axis' own unit; a share of the line rate is not theirs to know. */
static void scale_found(struct searched *found, const struct series_set *set, enum rate_axis axis,
			double scale, struct curves *curves)
{
	for (size_t l = 0; l < found->n; l++) {
		struct searched_line *line = &found->line[l];

		for (size_t i = 0; i < set->n_sizes; i++) {
			line->lower[i] = in_axis(axis, line->lower[i], set->size[i]) * scale;
			line->upper[i] = in_axis(axis, line->upper[i], set->size[i]) * scale;
			curves->lo = fmin(curves->lo, line->lower[i]);
			curves->hi = fmax(curves->hi, line->upper[i]);
		}
	}
}

static void find(const struct figure_input *in, enum rate_axis axis, double scale,
		 struct searched *found, struct curves *curves)
{
	searched_collect(in->results, in->n_results, in->set, SERIES_MAX - in->set->n, found);
	if (axis == AXIS_LINE)
		found->n = 0;
	scale_found(found, in->set, axis, scale, curves);
}

/* A band from bound to bound, and a curve along the lower one. */
static void draw_found(struct canvas *c, const struct panel *p, const struct searched_line *line,
		       const struct style *style)
{
	struct point points[SIZES_MAX];

	for (size_t i = 0; i < p->n_x; i++)
		points[i] = (struct point){line->lower[i], !isfinite(line->lower[i]) ? POINT_MISSING
							   : line->regular[i]	     ? POINT_VALID
									      : POINT_DISTURBED};
	panel_band(c, p, line->lower, line->upper, style->pen.colour);
	panel_curve(c, p, points, style);
}

static double limit_at(enum rate_axis axis, double line_rate, uint32_t size)
{
	double pps = line_rate_pps(line_rate, size);

	return axis == AXIS_LINE ? 1 : in_axis(axis, pps, size);
}

/* The y axis: linear or log by what the data spans, with room for a line rate that is not far off.
 */
static void scale_axis(struct axis *axis, const struct curves *curves, unsigned int scale,
		       double limit)
{
	bool log =
		scale == SCALE_LOG || (scale == SCALE_AUTO && curves->hi / curves->lo > LOG_RATIO);
	double hi = curves->hi;

	if (isfinite(limit) && (log || limit <= LIMIT_ROOM * hi))
		hi = fmax(hi, limit);
	hi *= HEADROOM;
	if (log)
		axis_log(axis, curves->lo, hi);
	else
		axis_linear(axis, hi);
}

static void draw_panel(struct canvas *c, const struct figure_input *in, enum rate_axis which,
		       struct panel *p)
{
	const struct quantity *q = &quantities[which];
	const struct series_set *set = in->set;
	double rates[LIMITS_MAX], limit[LIMITS_MAX][SIZES_MAX], top = NAN;
	size_t n_rates = line_rates(set, rates);
	struct searched found;
	struct curves curves;
	char label[64];
	int unit;

	collect(set, q, q->scale[0], &curves);
	find(in, which, q->scale[0], &found, &curves);
	unit = curves.hi < SMALL_UNIT;
	if (unit) {
		collect(set, q, q->scale[1], &curves);
		find(in, which, q->scale[1], &found, &curves);
	}
	for (size_t r = 0; r < n_rates; r++) {
		for (size_t i = 0; i < set->n_sizes; i++) {
			limit[r][i] = limit_at(which, rates[r], set->size[i]) * q->scale[unit];
			top = fmax(top, limit[r][i]);
		}
	}
	scale_axis(&p->y, &curves, in->options->scale, top);
	snprintf(label, sizeof(label), "%s%s", q->unit[unit], p->y.log ? " (log scale)" : "");
	p->title = q->title;
	p->note = NULL;
	p->y_label = label;
	p->n_x = set->n_sizes;
	p->size = set->size;
	panel_frame(c, p);
	for (size_t r = 0; r < n_rates; r++)
		panel_limit(c, p, limit[r], &style_line_rate);
	for (size_t s = 0; s < set->n; s++)
		panel_curve(c, p, curves.point[s], &style_curve[s]);
	for (size_t l = 0; l < found.n; l++)
		draw_found(c, p, &found.line[l], &style_curve[set->n + l]);
	p->y_label = NULL; /* it was drawn, and its text ends with this function */
}

static void make_legend(const struct figure_input *in, struct legend *legend)
{
	const struct axis_list *axes = axes_of(in);
	const struct series_set *set = in->set;
	const struct style ceiling = {style_line_rate, MARKER_NONE};
	double rates[LIMITS_MAX];
	size_t n_rates = line_rates(set, rates);
	struct marks marks = {false, false};
	struct searched found;
	struct curves curves;
	char text[160], rate[32];

	for (size_t s = 0; s < set->n; s++) {
		snprintf(text, sizeof(text), "%s%s", set->series[s].label,
			 series_has(&set->series[s], set->n_sizes, kind_of(set))
				 ? ""
				 : " (not run at max)");
		legend_add(legend, &style_curve[s], POINT_VALID, text);
	}
	searched_collect(in->results, in->n_results, set, SERIES_MAX - set->n, &found);
	for (size_t l = 0; l < found.n; l++) {
		legend_add(legend, &style_curve[set->n + l], POINT_VALID, found.line[l].label);
		for (size_t i = 0; i < set->n_sizes; i++)
			marks.disturbed |=
				isfinite(found.line[l].lower[i]) && !found.line[l].regular[i];
	}
	for (size_t r = 0; r < n_rates; r++) {
		snprintf(text, sizeof(text), "line rate %s",
			 si_format(rates[r], "bit/s", rate, sizeof(rate)));
		legend_add(legend, &ceiling, POINT_MISSING, text);
	}
	for (size_t a = 0; a < axes->n; a++) {
		collect(set, &quantities[axes->axis[a]], 1, &curves);
		for (size_t s = 0; s < set->n; s++)
			marks_note(&marks, curves.point[s], set->n_sizes);
	}
	legend_add_marks(legend, marks.disturbed, marks.invalid);
}

/* Under the picture: what was offered, and how the two rates are counted. */
static void make_notes(const struct series_set *set, char *buf, size_t len)
{
	char offered[128];

	if (set->n == 0) {
		snprintf(buf, len,
			 "Found by searches (tests.jsonl): a curve along the highest load that "
			 "held, a "
			 "band up to the lowest that did not; hollow where a search did not come "
			 "to its end.");
		return;
	}
	if (strcmp(kind_of(set), "max") == 0) {
		snprintf(buf, len,
			 "Forwarding rate: what came back while the generator sent as fast as the "
			 "port "
			 "took frames (max).");
		return;
	}
	buf[0] = 0;
	for (size_t s = 0; s < set->n; s++) {
		size_t used = strlen(buf);

		snprintf(buf + used, len - used, "%s%s: %s", s ? "; " : "Paced trials. ",
			 set->series[s].label,
			 offered_text(&set->series[s], set->n_sizes, "paced", offered,
				      sizeof(offered)));
	}
}

static void draw(struct canvas *c, const struct figure_input *in, const char *title)
{
	const struct axis_list *axes = axes_of(in);
	struct legend legend = {0};
	double top, bottom;
	char origin[512], notes[512];

	make_legend(in, &legend);
	make_notes(in->set, notes, sizeof(notes));
	page_frame(c, title, results_origin(in->results, in->n_results, origin, sizeof(origin)),
		   &legend, notes, &top, &bottom);
	for (size_t a = 0; a < axes->n; a++) {
		struct panel p = {
			.x0 = LEFT + (double)a * (PANEL_WIDTH + PANEL_GAP),
			.y0 = bottom + 60,
			.y1 = top - CURVE_HEIGHT,
		};

		p.x1 = p.x0 + PANEL_WIDTH;
		draw_panel(c, in, (enum rate_axis)axes->axis[a], &p);
	}
}

int throughput_figure(const struct figure_input *in, struct figure *figure, char *err,
		      size_t errlen)
{
	const size_t panels = axes_of(in)->n;
	const char *kind = kind_of(in->set);

	struct searched found;
	bool any = series_any(in->set, kind);

	searched_collect(in->results, in->n_results, in->set, SERIES_MAX - in->set->n, &found);
	if (!any && !found.n) {
		snprintf(err, errlen, "%s: no trial with a rate in it", in->results[0].path);
		return -ENODATA;
	}
	*figure = (struct figure){
		.name = "throughput",
		.title = !any ? "Throughput by frame size"
			 : strcmp(kind, "max") == 0
				 ? "Forwarding rate (RFC 2285) by frame size"
				 : "Received rate at the offered rate, by frame size",
		.width = LEFT + (int)panels * PANEL_WIDTH + (int)(panels - 1) * PANEL_GAP +
			 (int)PAGE_MARGIN,
		.height = HEIGHT,
		.draw = draw,
	};
	return 0;
}

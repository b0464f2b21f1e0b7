/*
 * Rendering and writing, and the few things both pictures say.
 */
#include "plots/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/results.h"
#include "common/units.h"

#define N_FORMATS  2
#define SAME_SHARE 0.01 /* shares of the forwarding rate that differ by less are told as one */

static const char *const suffix[N_FORMATS] = {[CANVAS_SVG] = ".svg", [CANVAS_PNG] = ".png"};

int figure_render(const struct figure *figure, const struct figure_input *in,
		  enum canvas_format format, char **data, size_t *len, char *err, size_t errlen)
{
	const char *title = in->options->title ? in->options->title : figure->title;
	struct canvas *c = canvas_new(format, figure->width, figure->height, err, errlen);

	if (!c)
		return -ENOMEM;
	figure->draw(c, in, title);
	return canvas_finish(c, title, data, len, err, errlen);
}

/* The path without its ending, and the formats that an ending of --out asks for. */
static unsigned int place(const struct figure *figure, const struct figure_input *in, char *stem,
			  size_t len)
{
	const char *out = in->options->out ? in->options->out : in->results[0].dir;
	const size_t n = strlen(out);
	unsigned int formats = in->options->formats;
	struct stat st;

	if ((stat(out, &st) == 0 && S_ISDIR(st.st_mode)) || (n && out[n - 1] == '/')) {
		snprintf(stem, len, "%s%s%s", out, n && out[n - 1] == '/' ? "" : "/", figure->name);
	} else {
		snprintf(stem, len, "%s", out);
		for (int f = 0; f < N_FORMATS; f++) {
			if (n > 4 && strcmp(out + n - 4, suffix[f]) == 0 && n < len) {
				stem[n - 4] = 0;
				formats = formats ? formats : 1u << f;
				break;
			}
		}
	}
	return formats ? formats : (1u << N_FORMATS) - 1;
}

int figure_write(const struct figure *figure, const struct figure_input *in, char *err,
		 size_t errlen)
{
	char stem[1100], name[1120], *slash;
	const char *dir = ".";
	unsigned int formats = place(figure, in, stem, sizeof(stem));

	slash = strrchr(stem, '/');
	if (slash) {
		*slash = 0;
		dir = slash == stem ? "/" : stem;
	}

	for (int f = 0; f < N_FORMATS; f++) {
		char *data = NULL;
		size_t len = 0;
		int rc;

		if (!(formats & 1u << f))
			continue;
		snprintf(name, sizeof(name), "%s%s", slash ? slash + 1 : stem, suffix[f]);
		rc = figure_render(figure, in, (enum canvas_format)f, &data, &len, err, errlen);
		if (rc == 0)
			rc = result_write_file(dir, name, data, len, err, errlen);
		free(data);
		if (rc < 0)
			return rc;
		printf("%s%s%s\n", slash ? stem : "", slash ? "/" : "", name);
	}
	return 0;
}

void marks_note(struct marks *marks, const struct point *points, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		marks->disturbed |= points[i].mark == POINT_DISTURBED;
		marks->invalid |= points[i].mark == POINT_INVALID;
	}
}

/* Smallest and largest of what was offered, in pps, and as a share of what came back at max. */
struct offered {
	double lo, hi, share_lo, share_hi;
	bool all_shares; /* every paced trial has a trial at max beside it */
};

static struct offered offered_range(const struct series *series, size_t n_sizes, const char *kind)
{
	struct offered o = {NAN, NAN, NAN, NAN, true};

	for (size_t i = 0; i < n_sizes; i++) {
		const json_t *trial = series_trial(series, i, kind);
		const json_t *at_max = series_trial(series, i, "max");
		double pps = trial ? result_num(trial, "rate_requested_pps") : NAN;
		double share;

		if (!isfinite(pps))
			continue;
		share = at_max ? pps / result_num(at_max, "rx.pps") : NAN;
		o.lo = fmin(o.lo, pps);
		o.hi = fmax(o.hi, pps);
		o.share_lo = fmin(o.share_lo, share);
		o.share_hi = fmax(o.share_hi, share);
		o.all_shares &= isfinite(share);
	}
	return o;
}

char *offered_text(const struct series *series, size_t n_sizes, const char *kind, char *buf,
		   size_t len)
{
	const struct offered o = offered_range(series, n_sizes, kind);
	char lo[32], hi[32], share[64] = "";

	if (!isfinite(o.lo)) {
		snprintf(buf, len, "at max, as fast as the port takes frames");
		return buf;
	}
	if (o.all_shares && o.share_hi - o.share_lo < SAME_SHARE)
		snprintf(share, sizeof(share), "%.0f %% of the forwarding rate, ",
			 50 * (o.share_lo + o.share_hi));
	si_format(o.lo, "pps", lo, sizeof(lo));
	si_format(o.hi, "pps", hi, sizeof(hi));
	if (strcmp(lo, hi) == 0)
		snprintf(buf, len, "offered %s%s", share, lo);
	else
		snprintf(buf, len, "offered %s%s to %s", share, lo, hi);
	return buf;
}

/*
 * Drawing primitives on libplot.
 *
 * libplot keeps pen, fill and font as state that reaches from one call into the next; here every
 * call sets all it needs, so that the order of calls changes nothing but what lies above what. Its
 * parameters also come from the environment where a program leaves them open: all are set, or
 * BITMAPSIZE in a user's shell would change pictures.
 */
#include "plots/canvas.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <plot.h> /* uses FILE without including it */

#include "plots/picture.h"

/*
 * A PNG has twice the pixels of the SVG's, for print and for screens of high density, and is drawn
 * three times too large and averaged down, since libplot's bitmaps are not anti-aliased.
 */
#define PNG_DENSITY 2
#define OVERSAMPLE  3

/*
 * Hershey's letters run wider than Helvetica's at the same size. libplot draws their strokes in a
 * width of its own, too thin to read well: a text is drawn four times, moved by this part of the
 * font size to each side.
 */
#define HERSHEY_SIZE	    0.96
#define HERSHEY_SPREAD	    0.011
#define HERSHEY_BOLD_SPREAD 0.024
#define CAP_HALF_HEIGHT	    0.35 /* of the font size: from the baseline to the middle of a capital */

struct canvas {
	enum canvas_format format;
	int width, height;
	plPlotter *plotter;
	FILE *stream; /* memory stream into data */
	char *data;
	size_t len;
	unsigned char *anchors; /* enum text_align of each text, in the order drawn: picture_svg
				   needs it */
	size_t n_anchors;
	bool failed;
};

/*
 * libplot keeps its parameters and its PNG's text when a plotter is deleted, about 1 KiB a picture.
 * In a build with the leak checker (where these functions exist) what it allocates is not held
 * against us.
 */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void ignore_leaks(bool ignore)
{
	if (ignore && __lsan_disable)
		__lsan_disable();
	else if (!ignore && __lsan_enable)
		__lsan_enable();
}

static plPlotterParams *canvas_params(int width, int height)
{
	static char no[] = "no", none[] = "none", white[] = "white", longest[] = "100000";
	plPlotterParams *params = pl_newplparams();
	char page[96], bitmap[48];

	if (!params)
		return NULL;
	/* libplot wants inches; picture.c puts pixels in their place in the finished SVG. */
	snprintf(page, sizeof(page), "letter,xsize=%gin,ysize=%gin,xoffset=0in,yoffset=0in",
		 width / 96.0, height / 96.0);
	snprintf(bitmap, sizeof(bitmap), "%dx%d", width * PNG_DENSITY * OVERSAMPLE,
		 height * PNG_DENSITY * OVERSAMPLE);
	pl_setplparam(params, "PAGESIZE", page);
	pl_setplparam(params, "BITMAPSIZE", bitmap);
	pl_setplparam(params, "ROTATION", no);
	pl_setplparam(params, "BG_COLOR", white);
	pl_setplparam(params, "INTERLACE", no);
	pl_setplparam(params, "TRANSPARENT_COLOR", none);
	pl_setplparam(params, "MAX_LINE_LENGTH", longest);
	return params;
}

struct canvas *canvas_new(enum canvas_format format, int width, int height, char *err,
			  size_t errlen)
{
	plPlotterParams *params = canvas_params(width, height);
	struct canvas *c = calloc(1, sizeof(*c));

	if (!params || !c)
		goto fail;
	c->format = format;
	c->width = width;
	c->height = height;
	c->stream = open_memstream(&c->data, &c->len);
	if (!c->stream)
		goto fail;
	ignore_leaks(true);
	c->plotter =
		pl_newpl_r(format == CANVAS_SVG ? "svg" : "png", NULL, c->stream, stderr, params);
	ignore_leaks(false);
	if (!c->plotter || pl_openpl_r(c->plotter) < 0)
		goto fail;
	pl_deleteplparams(params);
	pl_fspace_r(c->plotter, 0, 0, width, height);
	pl_erase_r(c->plotter);
	pl_capmod_r(c->plotter, "butt");
	pl_joinmod_r(c->plotter, "round");
	return c;
fail:
	snprintf(err, errlen, "cannot open a %dx%d picture: out of memory?", width, height);
	if (params)
		pl_deleteplparams(params);
	canvas_drop(c);
	return NULL;
}

double canvas_width(const struct canvas *c)
{
	return c->width;
}

double canvas_height(const struct canvas *c)
{
	return c->height;
}

/* A colour part of 8 bits as libplot's 16. */
static int part(uint32_t colour, int shift)
{
	return (int)(colour >> shift & 0xff) * 257;
}

static void set_pen(struct canvas *c, const struct pen *pen, uint32_t fill)
{
	plPlotter *p = c->plotter;

	pl_pentype_r(p, pen->width > 0);
	pl_pencolor_r(p, part(pen->colour, 16), part(pen->colour, 8), part(pen->colour, 0));
	pl_flinewidth_r(p, pen->width);
	pl_flinedash_r(p, pen->n_dash, pen->dash, 0);
	if (!pen->n_dash)
		pl_linemod_r(p, "solid");
	pl_filltype_r(p, fill != NO_FILL);
	if (fill != NO_FILL)
		pl_fillcolor_r(p, part(fill, 16), part(fill, 8), part(fill, 0));
}

static void path(struct canvas *c, const double *xy, size_t n)
{
	pl_fmove_r(c->plotter, xy[0], xy[1]);
	for (size_t i = 1; i < n; i++)
		pl_fcont_r(c->plotter, xy[2 * i], xy[2 * i + 1]);
}

void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1,
		 const struct pen *pen)
{
	const double xy[] = {x0, y0, x1, y1};

	canvas_polyline(c, xy, 2, pen);
}

void canvas_polyline(struct canvas *c, const double *xy, size_t n, const struct pen *pen)
{
	if (n < 2)
		return;
	set_pen(c, pen, NO_FILL);
	path(c, xy, n);
	pl_endpath_r(c->plotter);
}

void canvas_polygon(struct canvas *c, const double *xy, size_t n, const struct pen *pen,
		    uint32_t fill)
{
	if (n < 3)
		return;
	set_pen(c, pen, fill);
	path(c, xy, n);
	/* Closed by hand: libplot's closepath leaves a dashed or thick outline open at its end. */
	pl_fcont_r(c->plotter, xy[0], xy[1]);
	pl_endpath_r(c->plotter);
}

void canvas_circle(struct canvas *c, double x, double y, double r, const struct pen *pen,
		   uint32_t fill)
{
	set_pen(c, pen, fill);
	pl_fcircle_r(c->plotter, x, y, r);
	pl_endpath_r(c->plotter);
}

/* Font and colour; a bitmap has Hershey's vector fonts only. */
static void set_font(struct canvas *c, const struct font *font)
{
	const struct pen pen = {font->colour, 1, {0}, 0};
	const char *name = font->bold ? "Helvetica-Bold" : "Helvetica";
	double size = font->size;

	if (c->format == CANVAS_PNG) {
		size *= HERSHEY_SIZE;
		name = font->bold ? "HersheySans-Bold" : "HersheySans";
	}
	set_pen(c, &pen, NO_FILL);
	pl_ffontname_r(c->plotter, name);
	pl_ffontsize_r(c->plotter, size);
}

void canvas_text(struct canvas *c, double x, double y, const struct font *font,
		 enum text_align align, bool vertical, const char *text)
{
	const double down = CAP_HALF_HEIGHT * font->size;
	static const int side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	const double spread =
		c->format == CANVAS_SVG
			? 0
			: font->size * (font->bold ? HERSHEY_BOLD_SPREAD : HERSHEY_SPREAD);
	char *latin1 = picture_latin1(text);
	unsigned char *anchors;
	/* In SVG the renderer's font decides how wide a text is, so it also aligns it: see
	 * picture_svg. */
	int justify = c->format == CANVAS_SVG || align == TEXT_LEFT ? 'l'
		      : align == TEXT_CENTRE			    ? 'c'
								    : 'r';

	anchors = latin1 ? realloc(c->anchors, c->n_anchors + 1) : NULL;
	if (anchors)
		c->anchors = anchors;
	else
		c->failed = true;
	if (anchors && latin1[0]) {
		anchors[c->n_anchors++] = (unsigned char)align;
		set_font(c, font);
		pl_ftextangle_r(c->plotter, vertical ? 90 : 0);
		for (size_t i = 0; i < (spread > 0 ? 4 : 1); i++) {
			pl_fmove_r(c->plotter, (vertical ? x + down : x) + side[i][0] * spread,
				   (vertical ? y : y - down) + side[i][1] * spread);
			pl_alabel_r(c->plotter, justify, 'x', latin1);
		}
	}
	free(latin1);
}

double canvas_text_width(struct canvas *c, const struct font *font, const char *text)
{
	char *latin1 = picture_latin1(text);
	double width = 0;

	if (latin1) {
		set_font(c, font);
		pl_ftextangle_r(c->plotter, 0);
		width = pl_flabelwidth_r(c->plotter, latin1);
	}
	free(latin1);
	return width;
}

/* Ends libplot's part: afterwards data and len hold what it drew. Returns false when anything went
 * wrong. */
static bool close_plotter(struct canvas *c)
{
	bool ok = !c->failed;

	if (c->plotter) {
		ignore_leaks(true);
		ok &= pl_closepl_r(c->plotter) >= 0;
		ok &= pl_deletepl_r(c->plotter) >= 0;
		ignore_leaks(false);
		c->plotter = NULL;
	}
	if (c->stream) {
		ok &= fclose(c->stream) == 0;
		c->stream = NULL;
	}
	return ok;
}

int canvas_finish(struct canvas *c, const char *title, char **data, size_t *len, char *err,
		  size_t errlen)
{
	int rc = close_plotter(c) ? 0 : -ENOMEM;

	if (rc == 0 && c->format == CANVAS_SVG)
		rc = picture_svg(c->data, c->len, c->width, c->height, title, c->anchors,
				 c->n_anchors, data, len);
	else if (rc == 0)
		rc = picture_png(c->data, c->len, c->width * PNG_DENSITY, c->height * PNG_DENSITY,
				 PNG_DENSITY, OVERSAMPLE, title, data, len);
	if (rc < 0)
		snprintf(err, errlen, "cannot finish the %s picture: %s",
			 c->format == CANVAS_SVG ? "SVG" : "PNG", strerror(-rc));
	canvas_drop(c);
	return rc;
}

void canvas_drop(struct canvas *c)
{
	if (!c)
		return;
	close_plotter(c);
	free(c->data);
	free(c->anchors);
	free(c);
}

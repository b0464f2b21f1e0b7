/*
 * A picture in memory, drawn with GNU libplot as SVG or PNG.
 *
 * Coordinates are pixels of the finished picture, the origin at the lower left, y upwards. The same
 * calls give both formats; the bytes depend on nothing but the calls, so that the same results give
 * the same file.
 */
#ifndef TANDEM_CANVAS_H
#define TANDEM_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum canvas_format { CANVAS_SVG, CANVAS_PNG };

struct canvas;

struct pen {
	uint32_t colour; /* 0xRRGGBB */
	double width;	 /* pixels; 0 draws no line (a filled shape without a border) */
	double dash[4];	 /* on, off, on, off in pixels; n_dash of them, 0 for a solid line */
	int n_dash;
};

#define NO_FILL UINT32_MAX /* as a fill colour: only the border */

struct font {
	double size; /* pixels */
	bool bold;
	uint32_t colour;
};

enum text_align { TEXT_LEFT, TEXT_CENTRE, TEXT_RIGHT };

/* A white canvas, the caller's to end with canvas_finish or canvas_drop. NULL with one line in err.
 */
struct canvas *canvas_new(enum canvas_format format, int width, int height, char *err,
			  size_t errlen);

double canvas_width(const struct canvas *c);
double canvas_height(const struct canvas *c);

void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1,
		 const struct pen *pen);

/* n points, x and y in turn: an open line, or a closed shape with a fill colour. */
void canvas_polyline(struct canvas *c, const double *xy, size_t n, const struct pen *pen);
void canvas_polygon(struct canvas *c, const double *xy, size_t n, const struct pen *pen,
		    uint32_t fill);
void canvas_circle(struct canvas *c, double x, double y, double r, const struct pen *pen,
		   uint32_t fill);

/*
 * One line of UTF-8 text; (x, y) is its left end, middle or right end at half the height of a
 * capital. Turned by 90 degrees to the left where vertical. Characters outside Latin-1 are drawn as
 * "?".
 */
void canvas_text(struct canvas *c, double x, double y, const struct font *font,
		 enum text_align align, bool vertical, const char *text);

/* Width of a text in pixels; in SVG by Helvetica's metrics, so leave some room for other fonts. */
double canvas_text_width(struct canvas *c, const struct font *font, const char *text);

/*
 * Ends the picture and frees the canvas. The finished file is *data (the caller's to free), *len
 * bytes; title is its description for screen readers and image viewers. Returns 0 or a negative
 * errno with one line in err.
 */
int canvas_finish(struct canvas *c, const char *title, char **data, size_t *len, char *err,
		  size_t errlen);

void canvas_drop(struct canvas *c); /* frees a canvas that is not to be finished; NULL is fine */

#endif

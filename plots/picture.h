/*
 * From what libplot wrote to a file for people: the SVG's header and text made right, the PNG
 * averaged down.
 */
#ifndef TANDEM_PICTURE_H
#define TANDEM_PICTURE_H

#include <stddef.h>

/*
 * UTF-8 as Latin-1, which is what libplot takes: other characters become "?", control characters
 * blanks, and a backslash, which libplot would read as the start of an escape, a slash. NULL when
 * out of memory.
 */
char *picture_latin1(const char *utf8);

/*
 * libplot's SVG (Latin-1, in inches, a view box of 1 x 1) as UTF-8 with pixels throughout, a title,
 * and each text anchored at its left, middle or right (enum text_align in anchors, in the order
 * drawn). The result is the caller's to free. Returns 0, -ENOMEM, or -EPROTO when the input is not
 * the SVG that libplot 2.6 writes.
 */
int picture_svg(const char *svg, size_t len, int width, int height, const char *title,
		const unsigned char *anchors, size_t n_anchors, char **out, size_t *out_len);

/*
 * A PNG of times the width and height scaled down by averaging, written as a PNG of width x height.
 * The result is the caller's to free. Returns 0, -ENOMEM, or -EPROTO when the input is no PNG of
 * that size.
 */
int picture_png(const char *png, size_t len, int width, int height, int density, int times,
		const char *title, char **out, size_t *out_len);

#endif

/*
 * libplot's SVG made fit for browsers.
 *
 * As libplot writes it, a browser that scales the picture distorts it (view box 1 x 1, aspect ratio
 * not kept), its coordinates are squeezed into that box, its text is Latin-1, and text is placed by
 * Helvetica's metrics although most machines have another font, so that centred text comes out off
 * the centre. libplot starts a text where it was told (canvas.c draws all of it left-justified) and
 * SVG's own text-anchor does the rest.
 */
#include "plots/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/canvas.h"

char *picture_latin1(const char *utf8)
{
	const unsigned char *s = (const unsigned char *)utf8;
	char *out = calloc(1, strlen(utf8) + 1), *o = out;

	if (!out)
		return NULL;
	while (*s) {
		if (*s < 0x80) {
			*o++ = *s < 0x20 || *s == 0x7f ? ' ' : *s == '\\' ? '/' : (char)*s;
			s++;
		} else if ((*s == 0xc2 || *s == 0xc3) && (s[1] & 0xc0) == 0x80) {
			unsigned int code = (unsigned int)(*s & 3) << 6 | (s[1] & 0x3f);

			*o++ = code < 0xa0 ? '?' : (char)code;
			s += 2;
		} else {
			*o++ = '?';
			s++;
			while ((*s & 0xc0) == 0x80)
				s++;
		}
	}
	*o = 0;
	return out;
}

/* Text between tags, its Latin-1 turned into UTF-8 and XML's own characters escaped where asked. */
static void put_text(FILE *out, const char *text, size_t len, int escape)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char ch = (unsigned char)text[i];

		if (ch >= 0x80) {
			fputc(0xc0 | ch >> 6, out);
			fputc(0x80 | (ch & 0x3f), out);
		} else if (escape && strchr("<>&\"", ch)) {
			fprintf(out, "&#%u;", ch);
		} else {
			fputc(ch, out);
		}
	}
}

static void put_header(FILE *out, int width, int height, const char *title)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
		width, height, width, height);
	put_text(out, title, strlen(title), 1);
	fprintf(out,
		"</title>\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
		"<g transform=\"translate(0,%d) scale(1,-1)\"",
		width, height, height);
}

/* Copies the drawing, with an anchor in every <text>. Returns how many of them there were. */
static size_t put_body(FILE *out, const char *body, const unsigned char *anchors, size_t n)
{
	static const char *const name[] = {"start", "middle", "end"};
	static const char tag[] = "<text ", family[] = "Helvetica,sans-serif";
	const char *next;
	size_t seen = 0;

	while ((next = strstr(body, tag))) {
		const char *font = strstr(next, family);

		if (!font || seen >= n)
			return n + 1;
		put_text(out, body, (size_t)(next - body), 0);
		fprintf(out, "%stext-anchor=\"%s\" ", tag, name[anchors[seen++]]);
		next += sizeof(tag) - 1;
		put_text(out, next, (size_t)(font - next), 0);
		fputs("Helvetica,Arial,'Liberation Sans',sans-serif", out);
		body = font + sizeof(family) - 1;
	}
	put_text(out, body, strlen(body), 0);
	return seen;
}

int picture_svg(const char *svg, size_t len, int width, int height, const char *title,
		const unsigned char *anchors, size_t n_anchors, char **out, size_t *out_len)
{
	static const char group[] = "<g id=\"content\" transform=\"";
	const char *body = len ? strstr(svg, group) : NULL;
	char *latin1;
	size_t seen;
	FILE *f;

	body = body ? strchr(body + sizeof(group) - 1, '"') : NULL;
	if (!body)
		return -EPROTO;
	latin1 = picture_latin1(title);
	f = latin1 ? open_memstream(out, out_len) : NULL;
	if (!f) {
		free(latin1);
		return -ENOMEM;
	}
	put_header(f, width, height, latin1);
	free(latin1);
	seen = put_body(f, body + 1, anchors, n_anchors);
	if (fclose(f) != 0 || seen != n_anchors) {
		free(*out);
		*out = NULL;
		return seen != n_anchors ? -EPROTO : -ENOMEM;
	}
	return 0;
}

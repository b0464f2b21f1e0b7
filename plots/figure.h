/*
 * A picture from options to files: the verbs say what to draw, this says where it goes and in which
 * formats.
 */
#ifndef TANDEM_FIGURE_H
#define TANDEM_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "plots/canvas.h"
#include "plots/load.h"
#include "plots/series.h"

enum scale { SCALE_AUTO, SCALE_LOG, SCALE_LINEAR };
enum rate_axis { AXIS_PPS, AXIS_L1, AXIS_L2, AXIS_LINE, RATE_AXES };

struct axis_list {
	size_t n;
	unsigned int axis[RATE_AXES]; /* enum rate_axis, left to right */
};

/* The frame sizes that are drawn, where not all. */
struct size_choice {
	size_t n; /* 0: all */
	uint32_t size[SIZES_MAX];
};

/* What the command line says about a picture. */
struct figure_options {
	const char *out; /* folder or start of file names, NULL for the first result's folder */
	unsigned int
		formats;   /* bits 1 << enum canvas_format, 0 for what out's ending says, or both */
	const char *title; /* NULL for the picture's own */
	struct axis_list axes; /* of throughput; none for its default */
	unsigned int scale;    /* enum scale, of throughput's y axes */
	struct size_choice sizes;
};

struct figure_input {
	const struct figure_options *options;
	const struct result *results;
	size_t n_results;
	const struct series_set *set;
};

struct figure {
	const char *name;  /* "throughput": the file's name without its ending */
	const char *title; /* the picture's own */
	int width, height;
	void (*draw)(struct canvas *c, const struct figure_input *in, const char *title);
};

/* Pictures of what has been read. *figure is filled in. Return 0, or -ENODATA with one line in err.
 */
int throughput_figure(const struct figure_input *in, struct figure *figure, char *err,
		      size_t errlen);
int latency_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen);

/*
 * Draws a figure in memory; *data is the caller's to free. Returns 0 or a negative errno with one
 * line in err.
 */
int figure_render(const struct figure *figure, const struct figure_input *in,
		  enum canvas_format format, char **data, size_t *len, char *err, size_t errlen);

/*
 * Draws a figure in all formats asked for, writes each file whole (a reader never sees half of it)
 * and prints its name on stdout. Returns 0 or a negative errno with one line in err.
 */
int figure_write(const struct figure *figure, const struct figure_input *in, char *err,
		 size_t errlen);

/* Whether a picture has points with a mark: only then the legend explains it. */
struct marks {
	bool disturbed, invalid;
};
void marks_note(struct marks *marks, const struct point *points, size_t n);

/*
 * What share of the forwarding rate a series' paced trials were offered, and how much that was: "at
 * 50 % of the forwarding rate, 0.41 to 4.02 Mpps". Returns buf.
 */
char *offered_text(const struct series *series, size_t n_sizes, const char *kind, char *buf,
		   size_t len);

#endif

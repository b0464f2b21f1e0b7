/*
 * What the verbs that draw have in common: reading their lists, and the way from results to files.
 */
#include "plots/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Index of the next word of a list in names, -1 for an unknown one; *text moves behind its comma.
 */
static int next_word(const char **text, const char *const *names)
{
	size_t len = strcspn(*text, ",");
	int found = -1;

	for (int i = 0; names[i]; i++)
		if (strlen(names[i]) == len && strncmp(names[i], *text, len) == 0)
			found = i;
	*text += len;
	if (**text == ',' && (*text)[1])
		++*text;
	return found;
}

int parse_formats(void *field, const char *text, char *err, size_t errlen)
{
	static const char *const names[] = {[CANVAS_SVG] = "svg", [CANVAS_PNG] = "png", NULL};
	const char *at = text;
	unsigned int mask = 0;

	do {
		int format = next_word(&at, names);

		if (format < 0 || *at == ',') {
			snprintf(err, errlen, "'%.40s' is no list of formats: svg, png or svg,png",
				 text);
			return -EINVAL;
		}
		mask |= 1u << format;
	} while (*at);
	*(unsigned int *)field = mask;
	return 0;
}

int parse_axes(void *field, const char *text, char *err, size_t errlen)
{
	static const char *const names[] = {
		[AXIS_PPS] = "pps", [AXIS_L1] = "l1", [AXIS_L2] = "l2", [AXIS_LINE] = "line", NULL};
	struct axis_list list = {0};
	const char *at = text;

	do {
		int axis = next_word(&at, names);

		if (axis < 0 || *at == ',' || list.n == RATE_AXES) {
			snprintf(err, errlen,
				 "'%.40s' is no list of axes: up to four of pps, l1, l2, line, "
				 "such as pps,l1",
				 text);
			return -EINVAL;
		}
		list.axis[list.n++] = (unsigned int)axis;
	} while (*at);
	*(struct axis_list *)field = list;
	return 0;
}

int write_figure(int (*make)(const struct figure_input *in, struct figure *figure, char *err,
			     size_t errlen),
		 const struct plot_options *options, const struct result *results, size_t n,
		 char *err, size_t errlen)
{
	struct series_set set;
	struct figure_input in = {&options->figure, results, n, &set};
	struct figure figure;
	int rc = series_collect(results, n, &set, err, errlen);

	if (rc == 0)
		rc = make(&in, &figure, err, errlen);
	if (rc == 0)
		rc = figure_write(&figure, &in, err, errlen);
	return rc;
}

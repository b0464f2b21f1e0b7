/*
 * tandem-plot throughput: rate against frame size.
 */
#include "plots/cmd.h"

static const char *const scales[] = {
	[SCALE_AUTO] = "auto", [SCALE_LOG] = "log", [SCALE_LINEAR] = "linear", NULL};

static const struct opt opts[] = {
	PICTURE_OPTS,
	{.name = "axis",
	 .type = OPT_PARSE,
	 .offset = offsetof(struct plot_options, figure.axes),
	 .parse = parse_axes,
	 .arg = "LIST",
	 .group = "Axes",
	 .help = "a panel for each of pps (frames a second), l1 (bits a second, frame + 20 bytes), "
		 "l2 (bits a second, frame), line (% of the line rate that the trials know); "
		 "default: "
		 "pps,l1"},
	{.name = "scale",
	 .type = OPT_CHOICE,
	 .offset = offsetof(struct plot_options, figure.scale),
	 .choices = scales,
	 .arg = "SCALE",
	 .help = "of the y axes; auto is log where the largest value is more than 8 times the "
		 "smallest"},
	{.name = NULL}};

static const char *const examples[] = {
	"tandem-plot throughput results/latest", "throughput.svg and throughput.png in that folder",
	"tandem-plot throughput results/before results/after --out compare.png --axis pps",
	"two runs in one picture of frame rates", NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "throughput",
	.synopsis = "throughput RESULT... [options]",
	.summary = "Draws the forwarding rate (of trials at max; else the received rate of paced "
		   "trials) against frame size, a curve a path, with the line rate where it is "
		   "known.",
	.opts = opts,
	.examples = examples,
};

static int run(const struct plot_options *options, const struct result *results, size_t n,
	       char *err, size_t errlen)
{
	return write_figure(throughput_figure, options, results, n, err, errlen);
}

const struct verb verb_throughput = {&command, "draw the forwarding rate against frame size",
				     LOAD_SUMMARY, run};

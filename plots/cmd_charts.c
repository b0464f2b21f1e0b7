/*
 * The verbs of tandem-plot that draw one picture each of what trials say, in one table: they differ
 * in the figure and in words alone.
 */
#include "plots/cmd.h"
#include "plots/figures.h"

#include "common/units.h"

static int parse_sizes(void *field, const char *text, char *err, size_t errlen)
{
	struct size_choice *choice = field;

	return sizes_parse(text, choice->size, SIZES_MAX, &choice->n, err, errlen);
}

static const struct opt picture_opts[] = {PICTURE_OPTS, {.name = NULL}};

static const struct opt sized_opts[] = {
	PICTURE_OPTS,
	{.name = "sizes",
	 .short_name = 's',
	 .type = OPT_PARSE,
	 .offset = offsetof(struct plot_options, figure.sizes),
	 .parse = parse_sizes,
	 .arg = "LIST",
	 .group = "Choice",
	 .help = "frame sizes to draw, such as 64,1518; default: all"},
	{.name = NULL}};

/* CHART(c_name, verb, maker, load, options, summary, brief, example, what it does) */
#define CHART(id, verb_name, maker, what_load, options, text, brief_text, example, example_text)  \
	static const char *const id##_examples[] = {(example), (example_text), NULL};             \
	static const struct opt_command id##_command = {                                          \
		.program = PLOT_PROGRAM,                                                          \
		.verb = (verb_name),                                                              \
		.synopsis = verb_name " RESULT... [options]",                                     \
		.summary = (text),                                                                \
		.opts = (options),                                                                \
		.examples = id##_examples,                                                        \
	};                                                                                        \
	static int id##_run(const struct plot_options *o, const struct result *results, size_t n, \
			    char *err, size_t errlen)                                             \
	{                                                                                         \
		return write_figure((maker), o, results, n, err, errlen);                         \
	}                                                                                         \
	const struct verb verb_##id = {&id##_command, (brief_text), (what_load), id##_run}

CHART(latency_load, "latency-load", latency_load_figure, LOAD_TRIALS, sized_opts,
      "Draws typical (p50) and p99 latency against the offered load, a line a path and frame size, "
      "of all paced trials: those of searches, too.",
      "draw latency against the offered load",
      "tandem-plot latency-load results/latest --sizes 64,1518", "two sizes in one picture");
CHART(loss, "loss", loss_figure, LOAD_TRIALS, sized_opts,
      "Draws the frame loss ratio against the offered load (RFC 2544, section 26.3), a line a path "
      "and frame size, of all paced trials.",
      "draw frame loss against the offered load", "tandem-plot loss results/latest --out loss.svg",
      "one file, as SVG");
CHART(percentiles, "percentiles", percentiles_figure, LOAD_SUMMARY, sized_opts,
      "Draws latency by percentile from 90 % to 99.999 %, as HdrHistogram's plotter does, from the "
      ".hgrm files of the results: a line a path and frame size, several results in one picture.",
      "draw latency by percentile, 90 % to 99.999 %",
      "tandem-plot percentiles results/before results/after --sizes 64", "two runs, 64 bytes");
CHART(histogram, "histogram", histogram_figure, LOAD_SUMMARY, sized_opts,
      "Draws histograms of latency from the .hgrm files of the results.",
      "draw histograms of latency", "tandem-plot histogram results/latest --sizes 64",
      "both paths, 64 bytes");
CHART(cpu, "cpu", cpu_figure, LOAD_SUMMARY, picture_opts,
      "Draws the busy share of the DUT's lcores, with rte_kni's and vhost-net's kernel threads, "
      "and "
      "the cycles that a frame costs, against frame size.",
      "draw the DUT's CPU share and cycles a frame", "tandem-plot cpu results/io results/kernel",
      "two runs in one picture");
CHART(timeline, "timeline", timeline_figure, LOAD_TRIALS, sized_opts,
      "Draws rate, loss and latency over time, a point a trial, as a soak leaves them; stretches "
      "with a stall of the generator or the DUT are shaded.",
      "draw a soak over time, stalls marked", "tandem-plot timeline results/soak",
      "of a soak's folder");
CHART(spacing, "spacing", spacing_figure, LOAD_TRIALS, sized_opts,
      "Draws how evenly the generator's frames left and how late they were against the schedule, "
      "by "
      "offered load.",
      "draw the generator's departures: spacing, lateness", "tandem-plot spacing results/latest",
      "all loads of a run");

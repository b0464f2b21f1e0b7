/*
 * tandem-plot latency: round-trip latency against frame size.
 */
#include "plots/cmd.h"

static const struct opt opts[] = {PICTURE_OPTS, {.name = NULL}};

static const char *const examples[] = {
	"tandem-plot latency results/latest", "latency.svg and latency.png in that folder",
	"tandem-plot latency results/latest --format svg --out /tmp/", "only /tmp/latency.svg",
	NULL};

static const struct opt_command command = {
	.program = PLOT_PROGRAM,
	.verb = "latency",
	.synopsis = "latency RESULT... [options]",
	.summary =
		"Draws min, p50, p99 and p99.9 of the round-trip latency against frame size on a "
		"log axis, a panel a path: of paced trials, without the shadow of the "
		"generator's own stalls where the record has that view.",
	.opts = opts,
	.examples = examples,
};

static int run(const struct plot_options *options, const struct result *results, size_t n,
	       char *err, size_t errlen)
{
	return write_figure(latency_figure, options, results, n, err, errlen);
}

const struct verb verb_latency = {&command,
				  "draw min, p50, p99 and p99.9 of the latency against frame size",
				  LOAD_SUMMARY, run};

/*
 * What a person wants to see meanwhile: phase, rates, loss, latency, time left. Reads running
 * counters; they may be a moment old, and nothing here is a result.
 */
#include "gen/progress.h"

#include "common/clock.h"
#include "common/units.h"
#include "gen/generator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TERMINAL_NS 1000000000ull
#define PIPE_NS	    10000000000ull

int progress_open(struct progress *p, bool quiet)
{
	const char *term = getenv("TERM");

	*p = (struct progress){.quiet = quiet};
	p->terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
	p->scratch = malloc(sizeof(*p->scratch));
	return p->scratch ? 0 : -ENOMEM;
}

void progress_close(struct progress *p)
{
	progress_clear(p);
	free(p->scratch);
	p->scratch = NULL;
}

void progress_begin(struct progress *p, const char *label)
{
	snprintf(p->label, sizeof(p->label), "%s", label);
	p->last_ns = clock_ns();
	p->last_sent = 0;
	p->last_received = 0;
}

void progress_clear(struct progress *p)
{
	if (p->line_open)
		fputs("\r\033[K", stderr);
	p->line_open = false;
}

static uint64_t peek(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static double rate(uint64_t now, uint64_t before, double seconds)
{
	/* A new segment starts its counters at 0. */
	return now >= before && seconds > 0 ? (double)(now - before) / seconds : NAN;
}

void progress_tick(struct progress *p, const struct generator *g, const char *phase, double left_s)
{
	uint64_t now = clock_ns(), sent = 0, received = 0;
	double seconds = (double)(now - p->last_ns) / 1e9;
	double ns = 1e9 / clock_hz_estimate(), p50 = NAN, p99 = NAN, loss;
	char tx[32], rx[32], l50[32], l99[32], left[32], line[256];

	if (p->quiet || now - p->last_ns < (p->terminal ? TERMINAL_NS : PIPE_NS))
		return;
	for (uint16_t d = 0; d < g->n_directions; d++) {
		for (unsigned int l = 0; l < g->crew.n; l++)
			sent += peek(&g->directions[d].lanes[l].sent) +
				peek(&g->directions[d].lanes[l].unstamped);
		received += direction_received(&g->directions[d], g->crew.n);
	}
	hist_copy(p->scratch, g->directions[0].accounts[0][0].clean);
	if (p->scratch->count) {
		p50 = hist_quantile(p->scratch, 0.5) * ns;
		p99 = hist_quantile(p->scratch, 0.99) * ns;
	}
	/* Frames on their way are no loss: a share that stays is. */
	loss = sent > received ? (double)(sent - received) / (double)sent * 100 : 0;
	snprintf(line, sizeof(line), "%s  %-7s tx %s  rx %s  loss %.3f %%  p50 %s  p99 %s  left %s",
		 p->label, phase,
		 si_format(rate(sent, p->last_sent, seconds), "pps", tx, sizeof(tx)),
		 si_format(rate(received, p->last_received, seconds), "pps", rx, sizeof(rx)), loss,
		 ns_format(p50, l50, sizeof(l50)), ns_format(p99, l99, sizeof(l99)),
		 duration_format(left_s + p->left_after_s, left, sizeof(left)));
	if (p->terminal)
		fprintf(stderr, "\r\033[K%s", line);
	else
		fprintf(stderr, "%s\n", line);
	fflush(stderr);
	p->line_open = p->terminal;
	p->last_ns = now;
	p->last_sent = sent;
	p->last_received = received;
}

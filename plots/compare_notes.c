/*
 * What was measured differently: before any figure, for a difference may be made of it.
 */
#include "plots/compare.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/results.h"
#include "plots/compare_notes.h"
#include "plots/floor.h"

/* Facts that figures depend on, in run.json and in a trial's record. */
static const struct fact {
	const char *label, *where;
	bool of_run;
} facts[] = {
	{"host", "host.hostname", true},
	{"CPU", "host.cpu_model", true},
	{"kernel", "host.kernel", true},
	{"hypervisor", "host.hypervisor", true},
	{"DPDK", "dpdk_version", true},
	{"tandem-gen", "tandem_version", true},
	{"line rate", "line_rate_bps", false},
	{"burst", "burst", false},
	{"on a full ring", "on_full", false},
	{"arrival", "arrival", false},
	{"flows", "flows", false},
	{"duration", "duration_s.requested", false},
};

__attribute__((format(printf, 2, 3))) static void note(struct comparison *c, const char *format,
						       ...)
{
	va_list args;

	if (c->n_notes == sizeof(c->note) / sizeof(c->note[0]))
		return;
	va_start(args, format);
	vsnprintf(c->note[c->n_notes++], sizeof(c->note[0]), format, args);
	va_end(args);
}

/* The row of a summary that has a trial to ask. */
static const json_t *first_trial(const struct result *r)
{
	const json_t *row, *trial;
	size_t i;

	json_array_foreach (r->summary, i, row) {
		trial = json_object_get(row, "paced");
		if (!json_is_object(trial))
			trial = json_object_get(row, "max");
		if (json_is_object(trial))
			return trial;
	}
	return NULL;
}

static const char *source_of(const struct result *r)
{
	const json_t *trial = first_trial(r);
	const char *source = trial ? result_str(trial, "source") : NULL;

	if (!source && json_array_size(r->tests))
		source = result_str(json_array_get(r->tests, 0), "source");
	return source;
}

/* A fact as text, "" where it is not known. */
static void fact_text(const struct result *r, const struct fact *f, char *buf, size_t len)
{
	const json_t *from = f->of_run ? r->run : first_trial(r);
	const json_t *value = from ? result_get(from, f->where) : NULL;

	if (json_is_string(value))
		snprintf(buf, len, "%s", json_string_value(value));
	else if (json_is_number(value))
		snprintf(buf, len, "%g", json_number_value(value));
	else
		*buf = '\0';
}

static void note_instrument(const struct result *r, const char *which, struct comparison *c)
{
	const char *source = source_of(r);

	if (source)
		note(c,
		     "%s is of %.60s: a hardware tester stamps at its port; tandem-gen's latency "
		     "includes its own driver and bus",
		     which, source);
}

static void note_floor(const struct result *r, const char *which, struct comparison *c)
{
	struct floor floor;
	char ignored[256];

	if (!source_of(r) && floor_of(r, &floor, ignored, sizeof(ignored)) == 0)
		note(c, "%s: the generator's own loop takes %.3f us (selftest%s%s)", which,
		     floor.ns / 1e3, floor.loop ? " over " : "", floor.loop ? floor.loop : "");
}

void compare_note(const struct result *a, const struct result *b, struct comparison *c)
{
	bool foreign = source_of(a) || source_of(b);

	note_instrument(a, "A", c);
	note_instrument(b, "B", c);
	if (foreign) {
		note_floor(a, "A", c);
		note_floor(b, "B", c);
	}
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		char of_a[120], of_b[120];

		fact_text(a, &facts[i], of_a, sizeof(of_a));
		fact_text(b, &facts[i], of_b, sizeof(of_b));
		if (*of_a && *of_b && strcmp(of_a, of_b) != 0)
			note(c, "%s: %s against %s", facts[i].label, of_a, of_b);
	}
}

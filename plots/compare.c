/*
 * Samples of each metric out of the trials, and what they say of one another.
 */
#include "plots/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/results.h"
#include "plots/floor.h"
#include "plots/rank_test.h"

#define LEVEL	  0.05 /* of the rank test */
#define SAME_LOAD 0.02 /* loads that differ by less are one */

/* Where a metric's values are: kind of trial, figure, and what stands in where that is unknown. */
static const struct {
	const char *name, *unit;
	double scale;
	bool at_max, paced;
	enum trial_figure figure, instead;
} metrics[METRICS] = {
	[METRIC_FORWARDING] = {"forwarding", "Mpps", 1e-6, true, false, TRIAL_RX_PPS, TRIAL_RX_PPS},
	[METRIC_THROUGHPUT] = {"throughput", "Mpps", 1e-6, false, false, TRIAL_RX_PPS,
			       TRIAL_RX_PPS},
	[METRIC_OFFERED] = {"offered", "Mpps", 1e-6, false, true, TRIAL_ASKED_PPS, TRIAL_ASKED_PPS},
	[METRIC_LOSS] = {"loss", "%", 100, false, true, TRIAL_LOSS_RATIO, TRIAL_LOSS_RATIO},
	[METRIC_LATENCY_MIN] = {"latency-min", "us", 1e-3, false, true, TRIAL_CLEAN_MIN, TRIAL_MIN},
	[METRIC_LATENCY_MEAN] = {"latency-mean", "us", 1e-3, false, true, TRIAL_CLEAN_MEAN,
				 TRIAL_MEAN},
	[METRIC_LATENCY_P50] = {"latency-p50", "us", 1e-3, false, true, TRIAL_CLEAN_P50, TRIAL_P50},
	[METRIC_LATENCY_P99] = {"latency-p99", "us", 1e-3, false, true, TRIAL_CLEAN_P99, TRIAL_P99},
	[METRIC_LATENCY_P999] = {"latency-p99.9", "us", 1e-3, false, true, TRIAL_CLEAN_P999,
				 TRIAL_P999},
	[METRIC_CPU] = {"cpu", "%", 100, true, true, TRIAL_CPU_BUSY, TRIAL_CPU_BUSY},
};

const char *metric_name(enum metric metric)
{
	return metrics[metric].name;
}

const char *metric_unit(enum metric metric)
{
	return metrics[metric].unit;
}

double metric_scale(enum metric metric)
{
	return metrics[metric].scale;
}

struct sample {
	size_t n;
	double value[RANK_TEST_MAX];
};

static bool is_whole(const struct trial_group *group)
{
	return (!strcmp(group->stream, "all") || !*group->stream) && !*group->test;
}

static void add_value(struct sample *s, double value)
{
	if (isfinite(value) && s->n < RANK_TEST_MAX)
		s->value[s->n++] = value;
}

/* Whether a trial is of a path and size, at max or paced. Invalid ones have nothing to say. */
static bool is_of(const struct result *r, const struct trial *t, const char *path, uint32_t size,
		  bool at_max)
{
	const struct trial_group *group = &r->trials.group[t->group];
	bool max = isnan(t->figure[TRIAL_ASKED_PPS]) && isfinite(t->figure[TRIAL_TX_PPS]);

	return t->frame_size == size && strcmp(group->path, path) == 0 && is_whole(group) &&
	       t->verdict != TRIAL_INVALID && at_max == max;
}

/* The load of the last paced trial; NaN at max, or where no load is known. */
static double load_of(const struct result *r, const char *path, uint32_t size, bool at_max)
{
	double load = NAN;

	for (size_t i = 0; i < r->trials.n && !at_max; i++)
		if (is_of(r, &r->trials.trial[i], path, size, false))
			load = (double)r->trials.trial[i].figure[TRIAL_ASKED_PPS];
	return load;
}

static void add_trials(const struct result *r, const char *path, uint32_t size, enum metric metric,
		       bool at_max, struct sample *s)
{
	const double load = load_of(r, path, size, at_max);

	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.trial[i];
		double value = (double)t->figure[metrics[metric].figure];
		double asked = (double)t->figure[TRIAL_ASKED_PPS];

		if (!is_of(r, t, path, size, at_max) ||
		    (isfinite(load) && !(fabs(asked / load - 1) <= SAME_LOAD)))
			continue;
		add_value(s, isfinite(value) ? value : (double)t->figure[metrics[metric].instead]);
	}
}

static void add_found(const struct result *r, const char *path, uint32_t size, struct sample *s)
{
	const json_t *test, *goal;
	size_t i, g;

	json_array_foreach (r->tests, i, test) {
		const char *own = result_str(test, "path");

		if (strcmp(own ? own : "", path) != 0 || result_num(test, "frame_size") != size)
			continue;
		add_value(s, result_num(test, "throughput_pps"));
		json_array_foreach (json_object_get(test, "goals"), g, goal)
			if (!strcmp(result_str(goal, "name") ? result_str(goal, "name") : "",
				    "ndr"))
				add_value(s, result_num(goal, "conditional_throughput_pps"));
	}
}

static void collect(const struct result *r, const char *path, uint32_t size, enum metric metric,
		    struct sample *s)
{
	s->n = 0;
	if (metric == METRIC_THROUGHPUT) {
		add_found(r, path, size, s);
		return;
	}
	if (metrics[metric].at_max)
		add_trials(r, path, size, metric, true, s);
	if (metrics[metric].paced && s->n == 0)
		add_trials(r, path, size, metric, false, s);
}

/* Paths and sizes that a result has values for. */
struct names {
	size_t n;
	const char *path[16];
};

static void add_name(struct names *names, const char *path)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->path[i], path) == 0)
			return;
	if (names->n < sizeof(names->path) / sizeof(names->path[0]))
		names->path[names->n++] = path;
}

static void list_paths(const struct result *r, struct names *names)
{
	const json_t *test;
	size_t i;

	names->n = 0;
	for (i = 0; i < r->trials.n_groups; i++)
		add_name(names, r->trials.group[i].path);
	json_array_foreach (r->tests, i, test)
		add_name(names, result_str(test, "path") ? result_str(test, "path") : "");
}

static void fill_row(const struct result *a, const struct result *b, const struct result *baseline,
		     struct compare_row *row, struct sample *s)
{
	struct names names = {0};

	if (baseline)
		list_paths(baseline, &names);
	for (unsigned int m = 0; m < METRICS; m++) {
		struct compare_cell *cell = &row->cell[m];

		collect(a, row->path_a, row->frame_size, m, &s[0]);
		collect(b, row->path_b, row->frame_size, m, &s[1]);
		*cell = (struct compare_cell){NAN, NAN, NAN, s[0].n, s[1].n, NAN, APART_UNKNOWN};
		cell->p = rank_test(s[0].value, s[0].n, s[1].value, s[1].n);
		if (isfinite(cell->p))
			cell->apart = cell->p < LEVEL ? APART_REAL : APART_NOISE;
		if (s[0].n)
			cell->a = sample_median(s[0].value, s[0].n);
		if (s[1].n)
			cell->b = sample_median(s[1].value, s[1].n);
		/* A baseline has one path, or the same one. */
		for (size_t i = 0; i < names.n && isnan(cell->baseline); i++) {
			if (names.n > 1 && strcmp(names.path[i], row->path_b) != 0)
				continue;
			collect(baseline, names.path[i], row->frame_size, m, &s[0]);
			if (s[0].n)
				cell->baseline = sample_median(s[0].value, s[0].n);
		}
	}
}

static bool row_has(const struct compare_row *row)
{
	for (unsigned int m = 0; m < METRICS; m++)
		if (isfinite(row->cell[m].a) && isfinite(row->cell[m].b))
			return true;
	return false;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Frame sizes of a result, ascending; how many. */
static size_t list_sizes(const struct result *r, uint32_t *size, size_t max)
{
	const json_t *test;
	size_t n = 0, i, k;

	for (i = 0; i < r->trials.n; i++) {
		for (k = 0; k < n && size[k] != r->trials.trial[i].frame_size;)
			k++;
		if (k == n && n < max && r->trials.trial[i].frame_size)
			size[n++] = r->trials.trial[i].frame_size;
	}
	json_array_foreach (r->tests, i, test) {
		double own = result_num(test, "frame_size");

		for (k = 0; k < n && size[k] != own;)
			k++;
		if (k == n && n < max && own >= 1 && own <= 65535)
			size[n++] = (uint32_t)own;
	}
	qsort(size, n, sizeof(*size), by_number);
	return n;
}

static void compare_paths(const struct result *a, const struct result *b,
			  const struct result *baseline, const char *path_a, const char *path_b,
			  struct comparison *c, struct sample *s)
{
	uint32_t size[32];
	size_t n = list_sizes(a, size, 32);

	for (size_t i = 0; i < n && c->n < COMPARE_ROWS; i++) {
		struct compare_row *row = &c->row[c->n];

		*row = (struct compare_row){.frame_size = size[i]};
		snprintf(row->path_a, sizeof(row->path_a), "%s", path_a);
		snprintf(row->path_b, sizeof(row->path_b), "%s", path_b);
		fill_row(a, b, baseline, row, s);
		c->n += row_has(row);
	}
}

int compare_results(const struct result *a, const struct result *b, const struct result *baseline,
		    const char *path_a, const char *path_b, struct comparison *c, char *err,
		    size_t errlen)
{
	struct sample *s = malloc(2 * sizeof(*s));
	struct names of_a, of_b;

	memset(c, 0, sizeof(*c));
	if (!s) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	list_paths(a, &of_a);
	list_paths(b, &of_b);
	if (path_a) {
		compare_paths(a, b, baseline, path_a, path_b, c, s);
	} else if (of_a.n == 1 && of_b.n == 1) {
		compare_paths(a, b, baseline, of_a.path[0], of_b.path[0], c, s);
	} else {
		for (size_t i = 0; i < of_a.n; i++)
			for (size_t k = 0; k < of_b.n; k++)
				if (strcmp(of_a.path[i], of_b.path[k]) == 0)
					compare_paths(a, b, baseline, of_a.path[i], of_b.path[k], c,
						      s);
	}
	free(s);
	if (c->n)
		return 0;
	snprintf(err, errlen,
		 "%s and %s have no path and frame size in common: name the paths with --paths A,B",
		 a->path, b->path);
	return -ENODATA;
}

double compare_change(const struct compare_cell *cell)
{
	if (!isfinite(cell->a) || !isfinite(cell->b))
		return NAN;
	if (!(fabs(cell->a) > 0))
		return fabs(cell->b) > 0 ? NAN : 0;
	return (cell->b - cell->a) / fabs(cell->a);
}

int fail_if_parse(struct fail_if *condition, const char *text, char *err, size_t errlen)
{
	size_t len = strcspn(text, "<>"), used;
	const char *number = text + len + (text[len] != 0);
	char *end;

	memset(condition, 0, sizeof(*condition));
	condition->metric = METRICS;
	for (unsigned int m = 0; m < METRICS; m++)
		if (strlen(metrics[m].name) == len && !strncmp(metrics[m].name, text, len))
			condition->metric = m;
	condition->below = text[len] == '<';
	condition->limit = strtod(number, &end);
	condition->share = *end == '%';
	if (condition->metric != METRICS && text[len] && end != number &&
	    isfinite(condition->limit) && !end[condition->share] &&
	    strlen(text) < sizeof(condition->text)) {
		strcpy(condition->text, text);
		return 0;
	}
	used = (size_t)snprintf(err, errlen,
				"'%.40s' is no condition such as 'forwarding<-2%%' or "
				"'latency-p99>5': metrics are",
				text);
	for (unsigned int m = 0; m < METRICS && used < errlen; m++)
		used += (size_t)snprintf(err + used, errlen - used, "%s %s", m ? "," : "",
					 metrics[m].name);
	return -EINVAL;
}

const struct compare_row *fail_if_holds(const struct fail_if *condition, const struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct compare_cell *cell = &c->row[i].cell[condition->metric];
		double by = condition->share
				    ? 100 * compare_change(cell)
				    : (cell->b - cell->a) * metrics[condition->metric].scale;

		if (cell->apart == APART_NOISE || !isfinite(by))
			continue;
		if (condition->below ? by < condition->limit : by > condition->limit)
			return &c->row[i];
	}
	return NULL;
}

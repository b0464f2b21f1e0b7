/*
 * From records of tests to bands: one for throughput, one for each goal of a search.
 */
#include "plots/searched.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/results.h"

#define THROUGHPUT "throughput"

static const char *text(const json_t *o, const char *key)
{
	const char *s = result_str(o, key);

	return s ? s : "";
}

bool searched_is(const json_t *test)
{
	const char *name = text(test, "test");

	return strcmp(name, THROUGHPUT) == 0 || strcmp(name, "mlrsearch") == 0;
}

/* The goal's name as a word of a label: "NDR", "PDR", "throughput". */
static void goal_word(const char *goal, char *buf, size_t len)
{
	size_t n = 0;
	bool short_name = strlen(goal) <= 4;

	for (; goal[n] && n + 1 < len; n++)
		buf[n] = short_name ? (char)toupper((unsigned char)goal[n]) : goal[n];
	buf[n] = 0;
}

static struct searched_line *line_of(struct searched *s, size_t room, const struct result *r,
				     size_t result, const json_t *test, const char *goal,
				     bool with_name)
{
	const char *path = text(test, "path"), *direction = text(test, "direction");
	struct searched_line *line;
	char word[32];

	for (size_t i = 0; i < s->n; i++) {
		line = &s->line[i];
		if (line->result == result && !strcmp(line->path, path) &&
		    !strcmp(line->direction, direction) && !strcmp(line->goal, goal))
			return line;
	}
	if (s->n == room || s->n == SERIES_MAX) {
		s->more = true;
		return NULL;
	}
	line = &s->line[s->n++];
	*line = (struct searched_line){
		.path = path, .direction = direction, .goal = goal, .result = result};
	for (size_t i = 0; i < SIZES_MAX; i++)
		line->lower[i] = line->upper[i] = NAN;
	goal_word(goal, word, sizeof(word));
	snprintf(line->label, sizeof(line->label), "%.60s%s%.20s%s%s", with_name ? r->name : "",
		 with_name ? ": " : "", path,
		 !path[0]		? ""
		 : series_is_mode(path) ? " path, "
					: ", ",
		 word);
	return line;
}

static void add(struct searched *s, size_t room, const struct result *r, size_t result,
		const json_t *test, const char *goal, size_t size, const json_t *from,
		const char *const keys[2], bool with_name)
{
	struct searched_line *line = line_of(s, room, r, result, test, goal, with_name);
	double lower = result_num(from, keys[0]), upper = result_num(from, keys[1]);
	const char *outcome = text(test, "outcome");

	if (!line || !(lower > 0))
		return;
	line->lower[size] = lower;
	line->upper[size] = upper >= lower ? upper : lower;
	line->regular[size] = !strcmp(outcome, "found") || !strcmp(outcome, "line-rate");
}

static void add_test(struct searched *s, size_t room, const struct result *r, size_t result,
		     const json_t *test, size_t size, bool with_name)
{
	static const char *const of_throughput[2] = {"throughput_pps", "upper_bound_pps"};
	static const char *const of_goal[2] = {"relevant_lower_bound_pps",
					       "relevant_upper_bound_pps"};
	const json_t *goal;
	size_t i;

	if (strcmp(text(test, "test"), THROUGHPUT) == 0) {
		/* What another instrument found may have been asked for by name. */
		const char *named = text(test, "goal");

		add(s, room, r, result, test, *named ? named : THROUGHPUT, size, test,
		    of_throughput, with_name);
		return;
	}
	json_array_foreach (json_object_get(test, "goals"), i, goal)
		add(s, room, r, result, test, text(goal, "name"), size, goal, of_goal, with_name);
}

void searched_collect(const struct result *results, size_t n_results, const struct series_set *set,
		      size_t room, struct searched *searched)
{
	const json_t *test;
	size_t i;

	*searched = (struct searched){.n = 0};
	for (size_t r = 0; r < n_results; r++) {
		json_array_foreach (results[r].tests, i, test) {
			size_t size = 0;

			if (!searched_is(test))
				continue;
			while (size < set->n_sizes &&
			       (double)set->size[size] != result_num(test, "frame_size"))
				size++;
			if (size < set->n_sizes)
				add_test(searched, room, &results[r], r, test, size, n_results > 1);
		}
	}
}

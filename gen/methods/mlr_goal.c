/*
 * Reading goals from the command line.
 */
#include "gen/methods/mlr_goal.h"

#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX   256
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyz0123456789._-"

__attribute__((format(printf, 3, 4))) static int refuse(char *err, size_t errlen,
							const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err, errlen, format, args);
	va_end(args);
	return -EINVAL;
}

/* "0.5%" to 0.005. A number without % is refused: 0.5 could mean either. */
static int percent(const char *text, double least, double most, double *ratio, char *err,
		   size_t errlen)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double value;

	if (!isdigit((unsigned char)*text) || strcmp(text + digits, "%"))
		return refuse(err, errlen, "'%s' is no percentage; write e.g. 0.5%%", text);
	value = strtod(text, &end) / 100;
	if (end != text + digits)
		return refuse(err, errlen, "'%s' is no percentage; write e.g. 0.5%%", text);
	if (value < least || value > most)
		return refuse(err, errlen, "%s is not between %.12g%% and %.12g%%", text,
			      least * 100, most * 100);
	*ratio = value;
	return 0;
}

static int seconds(const char *text, double most, double *s, char *err, size_t errlen)
{
	uint64_t ns;
	int error = duration_parse(text, &ns, err, errlen);
	double value;

	if (error)
		return error;
	value = (double)ns / 1e9;
	if (value < MLR_TRIAL_LEAST_S || value > most)
		return refuse(err, errlen, "%s is not between %.12g and %.12g seconds", text,
			      MLR_TRIAL_LEAST_S, most);
	*s = value;
	return 0;
}

/* What stands behind the colons. */
static int read_setting(struct mlr_goal *g, const char *key, const char *value, char *err,
			size_t errlen)
{
	if (!strcmp(key, "exceed"))
		return percent(value, 0, MLR_EXCEED_MOST, &g->exceed_ratio, err, errlen);
	if (!strcmp(key, "width"))
		return percent(value, MLR_WIDTH_LEAST, MLR_WIDTH_MOST, &g->width, err, errlen);
	if (!strcmp(key, "initial"))
		return seconds(value, MLR_TRIAL_MOST_S, &g->initial_trial_s, err, errlen);
	if (!strcmp(key, "trial"))
		return seconds(value, MLR_TRIAL_MOST_S, &g->final_trial_s, err, errlen);
	return seconds(value, MLR_SUM_MOST_S, &g->duration_sum_s, err, errlen);
}

static int read_settings(struct mlr_goal *g, char *rest, char *err, size_t errlen)
{
	static const char *const keys[] = {"exceed", "width", "initial", "trial", "sum"};
	bool given[sizeof(keys) / sizeof(keys[0])] = {false};
	char why[160], *item;

	while ((item = strsep(&rest, ":"))) {
		char *value = strchr(item, '=');
		size_t i = 0;

		if (value)
			*value++ = '\0';
		while (i < sizeof(keys) / sizeof(keys[0]) && strcmp(item, keys[i]))
			i++;
		if (i == sizeof(keys) / sizeof(keys[0]))
			return refuse(err, errlen,
				      "'%s' is no setting of a goal; there are exceed, width, "
				      "initial, trial and sum",
				      item);
		if (!value || !*value)
			return refuse(err, errlen, "%s needs a value, as in %s=...", item, item);
		if (given[i])
			return refuse(err, errlen, "%s is given twice", item);
		given[i] = true;
		if (read_setting(g, item, value, why, sizeof(why)))
			return refuse(err, errlen, "%s: %s", item, why);
	}
	/* Defaults give way to what was asked for. */
	if (!given[4] && g->duration_sum_s < g->final_trial_s)
		g->duration_sum_s = g->final_trial_s;
	if (!given[3] && g->final_trial_s > g->duration_sum_s)
		g->final_trial_s = g->duration_sum_s;
	if (!given[2] && g->initial_trial_s > g->final_trial_s)
		g->initial_trial_s = g->final_trial_s;
	return 0;
}

/* "ndr", "pdr", "NAME=0.1%". */
static int read_head(struct mlr_goal *g, char *head, char *err, size_t errlen)
{
	char *loss = strchr(head, '='), why[160];
	size_t length;

	if (loss)
		*loss++ = '\0';
	length = strlen(head);
	if (!length || length >= sizeof(g->name) || strspn(head, NAME_CHARS) != length)
		return refuse(err, errlen,
			      "'%.40s' is no name; write 1 to %zu small letters, digits, '.', '_' "
			      "or '-'",
			      head, sizeof(g->name) - 1);
	memcpy(g->name, head, length + 1);
	if (!loss && !strcmp(head, "pdr"))
		g->loss_ratio = MLR_PDR_LOSS_RATIO;
	else if (!loss && strcmp(head, "ndr"))
		return refuse(err, errlen, "%s has no loss ratio; write e.g. %s=0.1%%", head, head);
	else if (loss && percent(loss, 0, 1 - 1e-9, &g->loss_ratio, why, sizeof(why)))
		return refuse(err, errlen, "%s", why);
	if (!strcmp(head, "ndr") && g->loss_ratio > 0)
		return refuse(err, errlen, "ndr is the rate without loss; call it pdr=%s", loss);
	return 0;
}

/* Sums and trials that do not go together. */
static int check(const struct mlr_goal *g, char *err, size_t errlen)
{
	if (g->initial_trial_s > g->final_trial_s)
		return refuse(err, errlen,
			      "initial trials of %.12g s are longer than the final "
			      "ones of %.12g s",
			      g->initial_trial_s, g->final_trial_s);
	if (g->final_trial_s > g->duration_sum_s)
		return refuse(err, errlen, "a sum of %.12g s is shorter than a trial of %.12g s",
			      g->duration_sum_s, g->final_trial_s);
	if (!mlr_goal_sensible(g))
		return refuse(err, errlen, "a sum of %.12g s takes more than %d trials of %.12g s",
			      g->duration_sum_s, MLR_TRIALS_MOST, g->final_trial_s);
	return 0;
}

int mlr_goal_parse(const char *text, struct mlr_goal *goal, char *err, size_t errlen)
{
	struct mlr_goal g = {.exceed_ratio = MLR_EXCEED_RATIO,
			     .width = MLR_WIDTH,
			     .initial_trial_s = MLR_INITIAL_TRIAL_S,
			     .final_trial_s = MLR_FINAL_TRIAL_S,
			     .duration_sum_s = MLR_DURATION_SUM_S};
	char copy[TEXT_MAX], why[200], *rest = copy, *head;
	int error;

	if (strlen(text) >= sizeof(copy))
		return refuse(err, errlen, "goal '%.20s...': too long", text);
	strcpy(copy, text);
	head = strsep(&rest, ":");
	error = read_head(&g, head, why, sizeof(why));
	if (!error)
		error = read_settings(&g, rest, why, sizeof(why));
	if (!error)
		error = check(&g, why, sizeof(why));
	if (error)
		return refuse(err, errlen, "goal '%s': %s", text, why);
	*goal = g;
	return 0;
}

int mlr_goals_add(struct mlr_goals *goals, const char *text, char *err, size_t errlen)
{
	char copy[MLR_GOALS_MAX * TEXT_MAX], *rest = copy, *one;
	struct mlr_goals more = *goals;

	if (strlen(text) >= sizeof(copy))
		return refuse(err, errlen, "goals '%.20s...': too long", text);
	strcpy(copy, text);
	while ((one = strsep(&rest, ","))) {
		struct mlr_goal *g = &more.list[more.n];
		int error;

		if (more.n == MLR_GOALS_MAX)
			return refuse(err, errlen, "goal '%s': there are %d already", one,
				      MLR_GOALS_MAX);
		error = mlr_goal_parse(one, g, err, errlen);
		if (error)
			return error;
		for (unsigned int i = 0; i < more.n; i++)
			if (!strcmp(more.list[i].name, g->name))
				return refuse(err, errlen,
					      "goal '%s': there is a goal of that name; write "
					      "another name, as in pdr2=0.1%%",
					      one);
		more.n++;
	}
	*goals = more;
	return 0;
}

static bool between(double value, double least, double most)
{
	return value >= least && value <= most;
}

bool mlr_goal_sensible(const struct mlr_goal *g)
{
	return g->loss_ratio >= 0 && g->loss_ratio < 1 &&
	       between(g->exceed_ratio, 0, MLR_EXCEED_MOST) &&
	       between(g->width, MLR_WIDTH_LEAST, MLR_WIDTH_MOST) &&
	       between(g->initial_trial_s, MLR_TRIAL_LEAST_S, g->final_trial_s) &&
	       between(g->final_trial_s, MLR_TRIAL_LEAST_S, MLR_TRIAL_MOST_S) &&
	       between(g->duration_sum_s, g->final_trial_s, MLR_SUM_MOST_S) &&
	       g->duration_sum_s / g->final_trial_s <= MLR_TRIALS_MOST;
}

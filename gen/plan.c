/*
 * From a plan's keys to configurations: every value goes through the option table of its verb, as
 * if it came from the command line, so that bounds and messages are the same.
 */
#include "gen/plan.h"

#include "gen/plan_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options whose parser adds to what it was given before. */
static const char *const repeatable[] = {"goal"};

struct reading {
	const char *path;
	const struct verb *const *verbs;
	size_t n_verbs;
	struct plan *plan;
	char *err;
	size_t errlen;
};

#define BAD(r, line, ...) PLAN_ERROR(-EINVAL, (r)->err, (r)->errlen, (r)->path, line, __VA_ARGS__)

static int no_memory(const struct reading *r)
{
	return PLAN_ERROR(-ENOMEM, r->err, r->errlen, r->path, 0, "out of memory");
}

/* Gives a word to the plan, which frees it. NULL stands for no memory. */
static int keep(const struct reading *r, char *word)
{
	struct plan *plan = r->plan;
	char **words =
		word ? realloc(plan->words, (plan->n_words + 1) * sizeof(*plan->words)) : NULL;

	if (!words) {
		free(word);
		return no_memory(r);
	}
	plan->words = words;
	words[plan->n_words++] = word;
	return 0;
}

static const struct opt *find_option(const struct verb *verb, const char *name)
{
	for (const struct opt *o = verb->command.opts; o && o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

static const struct plan_entry *find_entry(const struct plan_section *section, const char *key)
{
	for (size_t i = 0; i < section->n; i++)
		if (!strcmp(section->entries[i].key, key))
			return &section->entries[i];
	return NULL;
}

/* The keys at the top that are no options. */
static bool is_structure(const char *key)
{
	return !strcmp(key, "tests") || !strcmp(key, "defaults");
}

static bool is_repeatable(const char *name)
{
	for (size_t i = 0; i < sizeof(repeatable) / sizeof(repeatable[0]); i++)
		if (!strcmp(repeatable[i], name))
			return true;
	return false;
}

/* An option of the command line, which it takes over, parsed into config. */
static int give(const struct reading *r, const struct verb *verb, struct gen_config *config,
		size_t line, char *word)
{
	char message[512] = "";
	int rc = keep(r, word);

	if (rc)
		return rc;
	if (opt_parse(&verb->command, config, 1, &word, NULL, 0, NULL, message, sizeof(message)) ==
	    OPT_OK)
		return 0;
	return BAD(r, line, "%s", message);
}

static char *option_word(const char *name, const char *value)
{
	char *word = NULL;

	return asprintf(&word, "--%s=%s", name, value) < 0 ? NULL : word;
}

static int give_flag(const struct reading *r, const struct verb *verb, struct gen_config *config,
		     const struct plan_entry *entry)
{
	const char *value = entry->list ? "" : entry->values[0];
	char *word = NULL;

	if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
		return BAD(r, entry->line, "--%s: must be true or false", entry->key);
	if (asprintf(&word, "--%s%s", *value == 't' ? "" : "no-", entry->key) < 0)
		word = NULL;
	return give(r, verb, config, entry->line, word);
}

/* "--name=a,b" of a list. */
static char *joined_word(const struct plan_entry *entry)
{
	size_t size = strlen(entry->key) + 4;
	char *word, *end;

	for (size_t i = 0; i < entry->n; i++)
		size += strlen(entry->values[i]) + 1;
	word = malloc(size);
	if (!word)
		return NULL;
	end = stpcpy(stpcpy(stpcpy(word, "--"), entry->key), "=");
	for (size_t i = 0; i < entry->n; i++)
		end = stpcpy(stpcpy(end, i ? "," : ""), entry->values[i]);
	return word;
}

/* A key of the plan as an option that the verb has. */
static int apply(const struct reading *r, const struct verb *verb, struct gen_config *config,
		 const struct plan_entry *entry)
{
	const struct opt *o = find_option(verb, entry->key);
	int rc = 0;

	if (o->type == OPT_FLAG)
		return give_flag(r, verb, config, entry);
	if (!entry->list)
		return give(r, verb, config, entry->line,
			    option_word(entry->key, entry->values[0]));
	if (o->type != OPT_PARSE)
		return BAD(r, entry->line, "--%s: takes one value, not a list", entry->key);
	for (size_t i = 0; i < entry->n; i++)
		if (!*entry->values[i])
			return BAD(r, entry->line, "--%s: an entry of the list is empty",
				   entry->key);
	if (!is_repeatable(entry->key) || !entry->n)
		return give(r, verb, config, entry->line, joined_word(entry));
	for (size_t i = 0; i < entry->n && !rc; i++)
		rc = give(r, verb, config, entry->line, option_word(entry->key, entry->values[i]));
	return rc;
}

/* A key that no option of the verb has, in the words that the command line has for it. */
static int unknown_key(const struct reading *r, const struct verb *verb,
		       const struct plan_entry *entry)
{
	struct gen_config config;
	char message[512] = "", *word = option_word(entry->key, "");
	enum opt_result result;

	if (!word)
		return no_memory(r);
	gen_config_init(&config);
	word[strlen(word) - 1] = '\0'; /* no value: it is about the name */
	result = opt_parse(&verb->command, &config, 1, &word, NULL, 0, NULL, message,
			   sizeof(message));
	free(word);
	/* --help, --no-json and the like are words of the command line alone. */
	if (result != OPT_ERROR)
		return BAD(r, entry->line, "unknown option --%.64s: a plan has the long names",
			   entry->key);
	return BAD(r, entry->line, "%s", message);
}

static int unknown_verb(const struct reading *r, const struct plan_entry *entry)
{
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < r->n_verbs && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i ? (i + 1 < r->n_verbs ? ", " : " or ") : "",
					 r->verbs[i]->command.verb);
	return BAD(r, entry->line, "unknown verb '%.64s': a test begins with %s", entry->key, list);
}

static int find_verb(const struct reading *r, const struct plan_entry *entry,
		     struct plan_step *step)
{
	step->line = entry->line;
	for (size_t i = 0; i < r->n_verbs && !step->verb; i++)
		if (!strcmp(r->verbs[i]->command.verb, entry->key))
			step->verb = r->verbs[i];
	return step->verb ? 0 : unknown_verb(r, entry);
}

/* The word behind a verb, which is the value of its key. */
static int take_operand(const struct reading *r, const struct plan_entry *entry,
			struct plan_step *step)
{
	const char *verb = step->verb->command.verb;
	char *word;
	int rc;

	if (entry->list)
		return BAD(r, entry->line, "%s takes one word, not a list", verb);
	if (!*entry->values[0])
		return 0;
	if (!step->verb->max_operands)
		return BAD(r, entry->line, "%s takes no word: '%.64s' is left over", verb,
			   entry->values[0]);
	word = strdup(entry->values[0]);
	rc = keep(r, word);
	if (!rc)
		step->config.method.test = word;
	return rc;
}

/* Those keys of a section that the verb has and that no nearer section sets. */
static int apply_section(const struct reading *r, struct plan_step *step,
			 const struct plan_section *section, const struct plan_section *nearer,
			 const struct plan_section *nearest)
{
	int rc = 0;

	for (size_t i = 0; i < section->n && !rc; i++) {
		const struct plan_entry *entry = &section->entries[i];

		if (is_structure(entry->key) || !find_option(step->verb, entry->key) ||
		    find_entry(nearer, entry->key) || find_entry(nearest, entry->key))
			continue;
		rc = apply(r, step->verb, &step->config, entry);
	}
	return rc;
}

static int make_step(const struct reading *r, const struct plan_file *file,
		     const struct plan_section *test, struct plan_step *step)
{
	const struct verb *verb = step->verb;
	char message[256] = "";
	int rc;

	gen_config_init(&step->config);
	rc = apply_section(r, step, &file->top, &file->defaults, test);
	if (!rc)
		rc = apply_section(r, step, &file->defaults, test, test);
	for (size_t i = 1; i < test->n && !rc; i++) {
		if (find_option(verb, test->entries[i].key))
			rc = apply(r, verb, &step->config, &test->entries[i]);
		else
			rc = unknown_key(r, verb, &test->entries[i]);
	}
	if (!rc)
		rc = take_operand(r, &test->entries[0], step);
	if (rc)
		return rc;
	verb->defaults(&step->config);
	gen_config_derive(&step->config);
	if (gen_config_check(&step->config, message, sizeof(message)) ||
	    (verb->check && verb->check(&step->config, message, sizeof(message))))
		return BAD(r, step->line, "%s", message);
	return 0;
}

/*
 * A key outside of the tests must be known to all of them, or to one. It is parsed once more, for
 * where all tests set it themselves nobody has looked at its value.
 */
static int check_shared(const struct reading *r, const struct plan_entry *entry, bool by_all)
{
	const struct plan_step *knows = NULL, *does_not = NULL;
	struct gen_config config;

	for (size_t i = 0; i < r->plan->n; i++) {
		const struct plan_step *step = &r->plan->steps[i];

		if (find_option(step->verb, entry->key))
			knows = knows ? knows : step;
		else
			does_not = does_not ? does_not : step;
	}
	if (!knows)
		return unknown_key(r, r->plan->steps[0].verb, entry);
	if (by_all && does_not)
		return BAD(r, entry->line,
			   "--%s: %s in line %zu has no such option; what some tests have stands "
			   "under 'defaults:'",
			   entry->key, does_not->verb->command.verb, does_not->line);
	gen_config_init(&config);
	return apply(r, knows->verb, &config, entry);
}

static int make_plan(const struct reading *r, const struct plan_file *file)
{
	struct plan *plan = r->plan;
	int rc = 0;

	if (!file->n_tests)
		return BAD(r, file->top.line,
			   "no tests: a list under 'tests:' says what to run, e.g. '  - run:'");
	plan->steps = calloc(file->n_tests, sizeof(*plan->steps));
	if (!plan->steps)
		return no_memory(r);
	plan->n = file->n_tests;
	for (size_t i = 0; i < file->n_tests && !rc; i++)
		rc = find_verb(r, &file->tests[i].entries[0], &plan->steps[i]);
	for (size_t i = 0; i < file->top.n && !rc; i++)
		if (!is_structure(file->top.entries[i].key))
			rc = check_shared(r, &file->top.entries[i], true);
	for (size_t i = 0; i < file->defaults.n && !rc; i++)
		rc = check_shared(r, &file->defaults.entries[i], false);
	for (size_t i = 0; i < file->n_tests && !rc; i++)
		rc = make_step(r, file, &file->tests[i], &plan->steps[i]);
	return rc;
}

int plan_read(const char *path, const struct verb *const *verbs, size_t n, struct plan *plan,
	      char *err, size_t errlen)
{
	struct reading r = {.path = path,
			    .verbs = verbs,
			    .n_verbs = n,
			    .plan = plan,
			    .err = err,
			    .errlen = errlen};
	struct plan_file file;
	int rc;

	memset(plan, 0, sizeof(*plan));
	rc = plan_file_read(path, &file, err, errlen);
	if (!rc)
		rc = make_plan(&r, &file);
	plan_file_free(&file);
	if (rc)
		plan_free(plan);
	return rc;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_words; i++)
		free(plan->words[i]);
	free(plan->words);
	free(plan->steps);
	memset(plan, 0, sizeof(*plan));
}

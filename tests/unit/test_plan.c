/*
 * Test plans: what is read is what the command line would have given, and what is wrong is named
 * with its line.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdio.h>

#include "gen/plan.h"

static struct plan plan;
static char err[256];

/* The sizes of a stand-in for a test method: a goal adds one, as a repeated option does. */
static int parse_goal(void *field, const char *text, char *message, size_t len)
{
	struct size_list *list = field;

	if (list->n == MAX_SIZES || (strcmp(text, "ndr") != 0 && strncmp(text, "pdr=", 4) != 0)) {
		snprintf(message, len, "'%s': must be ndr or pdr=LOSS", text);
		return -EINVAL;
	}
	list->size[list->n++] = text[0] == 'n' ? 1 : 2;
	return 0;
}

static int check_word(const struct gen_config *config, char *message, size_t len)
{
	const char *word = config->method.test;

	if (word && (!strcmp(word, "throughput") || !strcmp(word, "latency")))
		return 0;
	snprintf(message, len, "search %s: must be throughput or latency", word ? word : "");
	return -EINVAL;
}

static void run_defaults(struct gen_config *config)
{
	gen_config_fill(config, &(struct size_list){.size = {64}, .n = 1},
			&(struct rate_list){.rate = {{.kind = RATE_MAX}}, .n = 1});
}

static const struct opt search_options[] = {
	{.name = "goal",
	 .type = OPT_PARSE,
	 .offset = offsetof(struct gen_config, sizes),
	 .parse = parse_goal,
	 .arg = "GOAL"},
	{.name = "out", .type = OPT_STRING, .offset = offsetof(struct gen_config, out)},
	{.name = "title", .type = OPT_STRING, .offset = offsetof(struct gen_config, title)},
	{.name = NULL}};

static const struct verb run = {.command = {.verb = "run", .opts = run_options},
				.defaults = run_defaults};
static const struct verb sweep = {.command = {.verb = "sweep", .opts = sweep_options},
				  .defaults = run_defaults};
static const struct verb search = {.command = {.verb = "search", .opts = search_options},
				   .defaults = run_defaults,
				   .max_operands = 1,
				   .check = check_word};
static const struct verb *const verbs[] = {&run, &sweep, &search};

static int read_text(const char *text)
{
	folder_put("plan.yaml", "w", text);
	err[0] = '\0';
	return plan_read(folder_path("plan.yaml"), verbs, 3, &plan, err, sizeof(err));
}

static void assert_read(const char *text)
{
	if (read_text(text))
		fail_msg("%s", err);
}

/* One line, which begins with the file and the line and says what. */
static void assert_refused(const char *text, int line, const char *what)
{
	char begin[192];

	if (read_text(text) == 0)
		fail_msg("taken:\n%s", text);
	assert_int_equal(plan.n + plan.n_words, 0);
	snprintf(begin, sizeof(begin), "%s:%d: ", folder_path("plan.yaml"), line);
	if (strncmp(err, begin, strlen(begin)) != 0 || !strstr(err, what))
		fail_msg("expected line %d and '%s': %s", line, what, err);
	assert_null(strchr(err, '\n'));
}

static void test_a_plan(void **state)
{
	(void)state;
	assert_read("# of every test\n"
		    "title: \"two, of course\"\n"
		    "seed: 7\n"
		    "strict: true\n"
		    "defaults:\n"
		    "  duration: 60\n"
		    "  sizes: [64, 1518]\n"
		    "  verify: true\n"
		    "tests:\n"
		    "  - run:\n"
		    "    size: 128\n"
		    "    rate: 1mpps\n"
		    "  - sweep:\n"
		    "    rate:\n"
		    "      - max\n"
		    "      - 50%max\n"
		    "    duration: 500ms\n"
		    "    verify: false\n"
		    "    seed: 8\n");
	assert_int_equal(plan.n, 2);
	assert_ptr_equal(plan.steps[0].verb, &run);
	assert_int_equal(plan.steps[0].line, 10);
	assert_string_equal(plan.steps[0].config.title, "two, of course");
	assert_int_equal(plan.steps[0].config.seed, 7);
	assert_true(plan.steps[0].config.strict && plan.steps[0].config.verify);
	assert_int_equal(plan.steps[0].config.sizes.n, 1);
	assert_int_equal(plan.steps[0].config.sizes.size[0], 128);
	assert_int_equal(plan.steps[0].config.duration_ns, 60000000000);
	assert_null(plan.steps[0].config.method.test);
	assert_ptr_equal(plan.steps[1].verb, &sweep);
	assert_int_equal(plan.steps[1].line, 13);
	assert_int_equal(plan.steps[1].config.sizes.n, 2);
	assert_int_equal(plan.steps[1].config.rates.n, 2);
	assert_int_equal(plan.steps[1].config.rates.rate[1].kind, RATE_PERCENT_OF_MAX);
	assert_int_equal(plan.steps[1].config.duration_ns, 500000000);
	assert_int_equal(plan.steps[1].config.seed, 8);
	assert_true(plan.steps[1].config.strict && !plan.steps[1].config.verify);
	/* As from the command line, its other defaults too. */
	assert_int_equal(plan.steps[1].config.burst, 32);
	plan_free(&plan);
	assert_int_equal(plan.n, 0);
}

static void test_words_and_repeated_options(void **state)
{
	(void)state;
	assert_read("defaults: {goal: [ndr, pdr=0.5%]}\n"
		    "tests:\n"
		    "- search: throughput\n"
		    "- search: latency\n"
		    "  goal: ndr\n"
		    "- {search: 'latency', out: \"-\"}\n");
	assert_int_equal(plan.n, 3);
	assert_string_equal(plan.steps[0].config.method.test, "throughput");
	assert_int_equal(plan.steps[0].config.sizes.n, 2);
	assert_int_equal(plan.steps[0].config.sizes.size[1], 2);
	/* The test's own replaces the defaults' and is not added to them. */
	assert_int_equal(plan.steps[1].config.sizes.n, 1);
	assert_string_equal(plan.steps[2].config.out, "-");
	plan_free(&plan);
	assert_refused("tests:\n- search:\n", 2, "search : must be throughput");
	assert_refused("tests:\n- search: soak\n", 2, "search soak: must be throughput");
	assert_refused("tests:\n- search: [latency]\n", 2, "takes one word");
	assert_refused("tests:\n- run: fast\n", 2, "run takes no word: 'fast'");
	assert_refused("tests:\n- search: latency\n  goal: [ndr, best]\n", 3, "--goal best: ");
}

static void test_order_and_forms_do_not_matter(void **state)
{
	(void)state;
	assert_read("---\ntests:\n- run:\nquiet: true\ndefaults:\n...\n");
	assert_true(plan.steps[0].config.quiet);
	plan_free(&plan);
	assert_read("{\"tests\": [{\"run\": null, \"size\": 64, \"json\": true}]}");
	assert_true(plan.steps[0].config.json);
	plan_free(&plan);
	assert_read("title: \xc3\xbc\xe2\x82\xac\ntests:\r\n- run:\r\n");
	assert_string_equal(plan.steps[0].config.title, "\xc3\xbc\xe2\x82\xac");
	plan_free(&plan);
}

static void test_options_have_their_own_words(void **state)
{
	(void)state;
	assert_refused("tests:\n- run:\n  size: 63\n", 3, "--size 63: ");
	assert_refused("tests:\n- run:\n  sise: 64\n", 3, "unknown option --sise: did you mean");
	assert_refused("tests:\n- run:\n  sizes: 64\n", 3, "unknown option --sizes");
	assert_refused("tests:\n- run:\n- sweep:\n\n  sizes: [64, 1]\n", 5, "--sizes 64,1: ");
	assert_refused("tests:\n- run:\n  duration:\n", 3, "--duration: needs a value");
	assert_refused("tests:\n- run:\n  duration: ~\n", 3, "--duration: needs a value");
	assert_refused("tests:\n- sweep:\n  sizes: []\n", 3, "--sizes: needs a value");
	assert_refused("tests:\n- sweep:\n  sizes: [64, , 128]\n", 3, "not YAML");
	assert_refused("tests:\n- sweep:\n  sizes: [64, '', 128]\n", 3, "is empty");
	assert_refused("tests:\n- run:\n  duration: [1, 2]\n", 3, "--duration: takes one value");
	assert_refused("tests:\n- run:\n  json: maybe\n", 3, "--json: must be true or false");
	assert_refused("tests:\n- run:\n  json:\n", 3, "--json: must be true or false");
	assert_refused("tests:\n- run:\n  json: [true]\n", 3, "--json: must be true or false");
	assert_refused("tests:\n- run:\n  no-json: true\n", 3, "unknown option --no-json");
	assert_refused("tests:\n- run:\n  help: true\n", 3, "unknown option --help");
	assert_refused("tests:\n- run:\n  s: 64\n", 3, "unknown option --s");
	assert_refused("tests:\n- run:\n  json=: true\n", 3, "--json");
	assert_refused("tests:\n- run:\n  <<: true\n", 3, "unknown option --<<");
	/* What no single option can know, at the test. */
	assert_refused("tests:\n- run:\n- run:\n  tx-only: true\n  verify: true\n", 3, "--verify");
	assert_refused("append: true\ntests:\n- run:\n", 3, "--append needs --out");
}

static void test_shared_keys(void **state)
{
	(void)state;
	assert_refused("sede: 7\ntests:\n- run:\n", 1, "unknown option --sede: did you mean");
	assert_refused("defaults:\n  sede: 7\ntests:\n- run:\n", 2, "unknown option --sede");
	/* At the top only what all know. */
	assert_refused("sizes: 64\ntests:\n- sweep:\n- run:\n", 1, "--sizes: run in line 4");
	assert_read("defaults: {sizes: 64}\ntests:\n- sweep:\n- run:\n");
	plan_free(&plan);
	/* Values that nobody uses are looked at all the same. */
	assert_refused("defaults:\n  size: 1\ntests:\n- run:\n  size: 64\n", 2, "--size 1: ");
	assert_refused("seed: x\ntests:\n- run:\n  seed: 64\n", 1, "--seed x: ");
}

static void test_structure(void **state)
{
	(void)state;
	assert_refused("", 1, "nothing in it");
	assert_refused("# nothing\n\n", 1, "nothing in it");
	assert_refused("---\n", 2, "a plan has keys");
	assert_refused("run\n", 1, "a plan has keys");
	assert_refused("- run:\n", 1, "a plan has keys");
	assert_refused("title: x\n", 1, "no tests");
	assert_refused("tests: []\n", 1, "no tests");
	assert_refused("title: x\ntests:\n", 2, "'tests' takes a list");
	assert_refused("tests:\n  run:\n", 2, "'tests' takes a list");
	assert_refused("tests:\n- run\n", 2, "begins with its verb");
	assert_refused("tests:\n- {}\n", 2, "without a verb");
	assert_refused("tests:\n- jog:\n", 2,
		       "unknown verb 'jog': a test begins with run, sweep "
		       "or search");
	assert_refused("tests:\n- size: 64\n  run:\n", 2, "unknown verb 'size'");
	assert_refused("tests:\n- run:\n    size: 64\n", 3, "beside its first key");
	assert_refused("tests:\n- sweep:\n  sizes: [[64]]\n", 3, "plain values");
	assert_refused("tests:\n- run:\n  [a]: 64\n", 3, "a key is a single word");
	assert_refused("tests:\n- run:\n  '': 64\n", 3, "a key is empty");
	assert_refused("default:\n  size: 64\ntests:\n- run:\n", 2, "unknown key 'default'");
	assert_refused("defaults: 7\ntests:\n- run:\n", 1, "'defaults' takes keys");
	assert_refused("tests:\n- run:\n  size: 64\n  rate: 1\n  size: 64\n", 5,
		       "'size' stands in line 3 already");
	assert_refused("tests:\n- run:\ntests:\n- run:\n", 3, "'tests' stands in line 1 already");
	assert_refused("tests:\n- run:\n---\ntests:\n- run:\n", 3, "second document");
}

static void test_yaml_that_is_refused(void **state)
{
	(void)state;
	assert_refused("title: &a x\ntests:\n- run:\n", 1, "an anchor");
	assert_refused("tests:\n- run:\n  title: *a\n", 3, "an alias");
	assert_refused("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\ntests: []\n", 1, "an anchor");
	assert_refused("seed: !!str 7\ntests:\n- run:\n", 1, "a tag");
	assert_refused("tests:\n- run:\n\tsize: 64\n", 3, "a tab in the indentation");
	assert_refused("tests:\n- run: [\n", 3, "not YAML: ");
	assert_refused("title: 'x\n", 2, "not YAML: ");
	assert_refused("\xef\xbb\xbftests:\n- run:\n", 1, "byte order mark");
	assert_refused("title: x\ntests:\n- run:\n  path: \xff\n", 4, "not YAML: ");
	assert_refused("title: x\ntests:\n- run:\n  path: \x01\n", 4, "not YAML: ");
	assert_refused("title: \"a\\0b\"\ntests:\n- run:\n", 1, "control character");
	assert_refused("title: |\n  a\n  b\ntests:\n- run:\n", 1, "control character");
	assert_refused("%YAML 9.9\n---\ntests:\n- run:\n", 1, "not YAML: ");
}

/* begin, n times middle, end, in a buffer that the next call takes. */
static char *many(const char *begin, size_t n, const char *middle, const char *end)
{
	static char text[1100000];
	char *at = stpcpy(text, begin);

	assert_true(strlen(begin) + n * strlen(middle) + strlen(end) < sizeof(text));
	for (size_t i = 0; i < n; i++)
		at = stpcpy(at, middle);
	strcpy(at, end);
	return text;
}

static void test_sizes_are_bounded(void **state)
{
	(void)state;
	assert_read(many("tests:\n", 1000, "- run:\n", ""));
	assert_int_equal(plan.n, 1000);
	plan_free(&plan);
	assert_refused(many("tests:\n", 1001, "- run:\n", ""), 1002, "more than 1000 tests");
	assert_refused(many("tests: ", 100000, "[", ""), 1, "begins with its verb");
	assert_refused(many("tests:\n- run:\n  rate: ", 100000, "{a: ", ""), 3, "'rate' takes");
	assert_refused(many("tests:\n- run:\n  rate: [", 300, "1,", "]\n"), 3, "256 values");
	/* A long text ends in a message of one line. */
	assert_refused(many("tests:\n- run:\n  rate: ", 100000, "9", "\n"), 3, "--rate 999");
	assert_int_equal(read_text(many("tests:\n- run:\n", 1000000, "#", "")), -EFBIG);
	assert_non_null(strstr(err, "larger than 1 MB"));
}

static void test_files_that_cannot_be_read(void **state)
{
	(void)state;
	assert_int_equal(plan_read(folder_path("none.yaml"), verbs, 3, &plan, err, sizeof(err)),
			 -ENOENT);
	assert_non_null(strstr(err, "none.yaml: cannot read it: No such file"));
	assert_int_equal(plan_read(folder, verbs, 3, &plan, err, sizeof(err)), -EISDIR);
	assert_int_equal(plan_read("/dev/zero", verbs, 3, &plan, err, sizeof(err)), -EFBIG);
	assert_int_equal(plan_read("/dev/null", verbs, 3, &plan, err, sizeof(err)), -EINVAL);
}

/* The example that the documentation points to. */
static void test_the_example(void **state)
{
	static const struct verb mlrsearch = {
		.command = {.verb = "mlrsearch", .opts = search_options}, .defaults = run_defaults};
	static const struct verb *const all[] = {&verb_rfc2544, &verb_soak, &mlrsearch};
	static const char file[] = "gen/plans/acceptance.yaml";

	(void)state;
	if (plan_read(file, all, 3, &plan, err, sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(plan.n, 5);
	assert_string_equal(plan.steps[2].config.method.test, "back-to-back");
	assert_int_equal(plan.steps[2].config.duration_ns, 2000000000);
	assert_int_equal(plan.steps[4].config.duration_ns, 8 * 3600 * 1000000000ull);
	assert_string_equal(plan.steps[4].config.out, "results/acceptance");
	plan_free(&plan);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_plan),
		TEST(test_words_and_repeated_options),
		TEST(test_order_and_forms_do_not_matter),
		TEST(test_options_have_their_own_words),
		TEST(test_shared_keys),
		TEST(test_structure),
		TEST(test_yaml_that_is_refused),
		TEST(test_sizes_are_bounded),
		TEST(test_files_that_cannot_be_read),
		TEST(test_the_example),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

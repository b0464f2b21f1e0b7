/*
 * Options from a table: every type, every way to write one, every way to get it wrong, and the
 * help.
 */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdio.h>

#include "common/opts.h"
#include "common/units.h"

struct config {
	bool json, strict;
	const char *out;
	uint64_t burst, seed, wait;
	double loss;
	struct rate rate;
	unsigned int mode;
	int goals;
	uint8_t mac[6];
};

static int parse_goal(void *field, const char *text, char *err, size_t errlen)
{
	if (strcmp(text, "ndr")) {
		snprintf(err, errlen, "goal '%s': must be ndr", text);
		return -EINVAL;
	}
	++*(int *)field;
	return 0;
}

static int parse_mac(void *field, const char *text, char *err, size_t errlen)
{
	return mac_parse(text, field, err, errlen);
}

#define FIELD(f) offsetof(struct config, f)

static const char *const modes[] = {"io", "kernel", "split", NULL};
static const struct opt opts[] = {
	{.name = "burst",
	 .short_name = 'b',
	 .type = OPT_UINT,
	 .offset = FIELD(burst),
	 .min = 1,
	 .max = 512,
	 .arg = "N",
	 .help = "frames a burst",
	 .group = "Traffic"},
	{.name = "rate",
	 .type = OPT_RATE,
	 .offset = FIELD(rate),
	 .arg = "RATE",
	 .help = "frames per second, or bits per second, or a share of the line rate, or as fast "
		 "as "
		 "the port takes it; the word max stands for that"},
	{.name = "wait-link",
	 .type = OPT_DURATION,
	 .offset = FIELD(wait),
	 .min = 0.001,
	 .max = 60,
	 .arg = "TIME",
	 .help = "wait for the peer"},
	{.name = "seed",
	 .type = OPT_UINT,
	 .offset = FIELD(seed),
	 .min = 5,
	 .arg = "N",
	 .help = "of random numbers"},
	{.name = "loss",
	 .type = OPT_DOUBLE,
	 .offset = FIELD(loss),
	 .min = 0,
	 .max = 0.5,
	 .arg = "RATIO",
	 .help = "accepted"},
	{.name = "forward-mode",
	 .type = OPT_CHOICE,
	 .offset = FIELD(mode),
	 .choices = modes,
	 .arg = "MODE",
	 .help = "how frames go",
	 .group = "DUT"},
	{.name = "goal",
	 .type = OPT_PARSE,
	 .offset = FIELD(goals),
	 .parse = parse_goal,
	 .arg = "GOAL",
	 .help = "more than one may be given"},
	{.name = "mac", .type = OPT_PARSE, .offset = FIELD(mac), .parse = parse_mac, .arg = "MAC"},
	{.name = "out",
	 .short_name = 'o',
	 .type = OPT_STRING,
	 .offset = FIELD(out),
	 .arg = "FOLDER",
	 .help = "first line\nsecond line",
	 .group = "Output"},
	{.name = "json",
	 .short_name = 'j',
	 .type = OPT_FLAG,
	 .offset = FIELD(json),
	 .help = "as JSON"},
	{.name = "strict",
	 .short_name = 's',
	 .type = OPT_FLAG,
	 .offset = FIELD(strict),
	 .help = "disturbed fails"},
	{.name = "a-very-long-name-of-an-option",
	 .type = OPT_STRING,
	 .offset = FIELD(out),
	 .arg = "VALUE",
	 .help = "wide"},
	{.name = NULL},
};
static const char *const examples[] = {"tandem-gen -l 0 -- run", "runs", NULL};
static const struct opt_command command = {
	.program = "tandem-gen",
	.verb = "run",
	.synopsis = "[EAL] -- run [OPTIONS]",
	.summary = "Sends and receives.",
	.opts = opts,
	.examples = examples,
};

static struct config config;
static const char *operands[2];
static size_t n_operands;
static char err[256];

/* Parses up to eight words over fresh defaults. */
static enum opt_result parse(const char *const *words)
{
	char *argv[16];
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	config = (struct config){.burst = 32, .json = false, .strict = true};
	err[0] = '\0';
	return opt_parse(&command, &config, argc, argv, operands, 2, &n_operands, err, sizeof(err));
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void test_every_type(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--burst", "64", "--rate=1.2mpps", "--wait-link", "2.5s",
			       "--forward-mode", "kernel", "--loss", "0.25", "--json",
			       "--out=results/x=y"),
			 OPT_OK);
	assert_int_equal(config.burst, 64);
	assert_true(config.rate.kind == RATE_PPS && config.rate.value == 1.2e6);
	assert_int_equal(config.wait, 2500000000);
	assert_int_equal(config.mode, 1);
	assert_true(config.loss == 0.25 && config.json && config.strict);
	assert_string_equal(config.out, "results/x=y");
	assert_int_equal(PARSE("--goal", "ndr", "--goal=ndr", "--mac", "0a:00:00:00:00:01"),
			 OPT_OK);
	assert_int_equal(config.goals, 2);
	assert_int_equal(config.mac[5], 1);
	assert_int_equal(config.burst, 32); /* the default stays */
	assert_int_equal(PARSE("--burst", "1", "--burst", "2"), OPT_OK);
	assert_int_equal(config.burst, 2);
}

static void test_flags_and_short(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--no-strict", "-j"), OPT_OK);
	assert_true(config.json && !config.strict);
	assert_int_equal(PARSE("--json", "--no-json"), OPT_OK);
	assert_false(config.json);
	assert_int_equal(PARSE("-b", "7", "-ofolder"), OPT_OK);
	assert_int_equal(config.burst, 7);
	assert_string_equal(config.out, "folder");
	assert_int_equal(PARSE("-jsb9"), OPT_OK);
	assert_true(config.json && config.burst == 9);
}

static void test_operands(void **state)
{
	(void)state;
	assert_int_equal(PARSE("one", "--json", "--", "--burst"), OPT_OK);
	assert_int_equal(n_operands, 2);
	assert_string_equal(operands[0], "one");
	assert_string_equal(operands[1], "--burst");
	assert_int_equal(PARSE("-"), OPT_OK);
	assert_string_equal(operands[0], "-");
	assert_int_equal(PARSE("a", "b", "c"), OPT_ERROR);
	assert_string_equal(err, "unexpected 'c': --help shows the usage");
	assert_int_equal(PARSE("--json"), OPT_OK);
	assert_int_equal(n_operands, 0);
}

static void test_help_and_version_are_told(void **state)
{
	(void)state;
	assert_int_equal(PARSE("--help"), OPT_HELP);
	assert_int_equal(PARSE("-h"), OPT_HELP);
	assert_int_equal(PARSE("--json", "--version"), OPT_VERSION);
	assert_int_equal(PARSE("--", "--help"), OPT_OK);
}

static void test_messages(void **state)
{
	static const struct {
		const char *words[3];
		const char *message;
	} bad[] = {
		{{"--burst", "0"}, "--burst 0: must be from 1 to 512"},
		{{"--burst=513"}, "--burst 513: must be from 1 to 512"},
		{{"-b0"}, "--burst 0: must be from 1 to 512"},
		{{"--burst", "x"}, "--burst x: expected a whole number, e.g. 1000, 64k or 1m"},
		{{"--burst"}, "--burst: needs a value (N)"},
		{{"--burst="}, "--burst: needs a value (N)"},
		{{"--burst", "--json"}, "--burst: needs a value (N)"},
		{{"-b"}, "--burst: needs a value (N)"},
		{{"--seed", "4"}, "--seed 4: must be at least 5"},
		{{"--rate", "12x"},
		 "--rate 12x: expected e.g. 500kpps, 1.2mpps, 10gbps, 10gbps-l1, 25%, 50%max or "
		 "max"},
		{{"--wait-link", "61"}, "--wait-link 61: must be from 0.001 to 60 seconds"},
		{{"--wait-link", "0"}, "--wait-link 0: must be from 0.001 to 60 seconds"},
		{{"--loss", "0.6"}, "--loss 0.6: must be from 0 to 0.5"},
		{{"--loss", "-0.1"}, "--loss -0.1: must be from 0 to 0.5"},
		{{"--loss", "nan"}, "--loss nan: expected a number, e.g. 0.5"},
		{{"--forward-mode", "ip"}, "--forward-mode ip: must be io, kernel or split"},
		{{"--goal", "pdr"}, "--goal pdr: must be ndr"},
		{{"--json=yes"}, "--json takes no value"},
		{{"--no-json=1"}, "--no-json takes no value"},
		{{"--no-burst"}, "--no-burst: --burst is no switch, it takes a value (N)"},
		{{"--brust", "3"}, "unknown option --brust: did you mean --burst?"},
		{{"--jsn"}, "unknown option --jsn: did you mean --json?"},
		{{"--no-jsno"}, "unknown option --no-jsno: did you mean --no-json?"},
		{{"--forwardmode=io"},
		 "unknown option --forwardmode: did you mean --forward-mode?"},
		{{"--nothing-like-it"},
		 "unknown option --nothing-like-it: --help lists the options"},
		{{"-x"}, "unknown option -x: --help lists the options"},
		{{"-\n"}, "unknown option -?: --help lists the options"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i].words), OPT_ERROR);
		assert_string_equal(err, bad[i].message);
	}
	assert_int_equal(PARSE("--mac", "1:2"), OPT_ERROR);
	assert_ptr_equal(strstr(err, "--mac 1:2: expected"), err);
}

/* Long words must be cut, not overflow. */
static void test_long_words(void **state)
{
	char word[5000];

	(void)state;
	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	memcpy(word, "--", 2);
	assert_int_equal(PARSE(word), OPT_ERROR);
	assert_int_equal(PARSE("--rate", word + 2), OPT_ERROR);
	assert_int_equal(PARSE("--forward-mode", word + 2), OPT_ERROR);
	assert_true(strlen(err) < sizeof(err));
}

/* The column a phrase starts at, -1 when it is not there. */
static int column(const char *text, const char *phrase)
{
	const char *at = strstr(text, phrase), *line = at;

	if (!at)
		return -1;
	while (line > text && line[-1] != '\n')
		line--;
	return (int)(at - line);
}

static void test_help(void **state)
{
	char *text = NULL, *line, *save;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	opt_help(&command, out);
	fclose(out);
	assert_ptr_equal(strstr(text, "Usage: tandem-gen [EAL] -- run [OPTIONS]\n\nSends and"),
			 text);
	assert_non_null(strstr(text, "\nTraffic:\n  -b, --burst N"));
	assert_non_null(strstr(text, "frames a burst (1 to 512)\n"));
	assert_non_null(strstr(text, "(0.001 to 60 seconds)"));
	assert_non_null(strstr(text, "(at least 5)"));
	assert_non_null(strstr(text, "\nDUT:\n      --forward-mode MODE"));
	assert_non_null(strstr(text, "how frames go (io, kernel, split)\n"));
	assert_non_null(strstr(text, "  -h, --help"));
	assert_non_null(strstr(text, "\nExamples:\n  tandem-gen -l 0 -- run\n      runs\n"));
	/* One column for all help texts, and lines that fit. */
	assert_int_equal(column(text, "frames a burst"), column(text, "wait for the peer"));
	assert_int_equal(column(text, "frames a burst"), column(text, "second line"));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 100);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type), cmocka_unit_test(test_flags_and_short),
		cmocka_unit_test(test_operands),   cmocka_unit_test(test_help_and_version_are_told),
		cmocka_unit_test(test_messages),   cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

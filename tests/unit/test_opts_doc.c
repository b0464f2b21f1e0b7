/*
 * Man pages and completion from a table: what roff and the shell would take for their own is kept
 * from them.
 */
#include "tests/unit/unit.h"

#include "common/opts_doc.h"

#include <stdio.h>

static const char *const colours[] = {"dark-red", "blue", NULL};
static const struct opt first_options[] = {
	{"back\\slash", 0, OPT_STRING, .arg = "FILE-NAME", .help = ".TH is no request\n'nor this"},
	{"colour", 'c', OPT_CHOICE, .choices = colours, .arg = "COLOUR", .help = "which"},
	{"count", 0, OPT_UINT, .min = 1, .max = 9, .arg = "N", .help = "how many"},
	{.name = NULL}};
static const struct opt second_options[] = {
	{"count", 0, OPT_UINT, .min = 1, .max = 9, .arg = "N", .help = "how many"},
	{"colour", 'c', OPT_CHOICE, .choices = colours, .arg = "COLOUR", .help = "of the other"},
	{"quiet", 'q', OPT_FLAG, .help = "no word"},
	{.name = NULL}};
static const char *const examples[] = {"prog one --count 3", "three", NULL};
static const struct opt_command first = {"prog",       "one",	      "one [options]",
					 "The first.", first_options, examples};
static const struct opt_command second = {"prog",	 "two",		 "two [options]",
					  "The second.", second_options, NULL};
static const struct opt_command *const commands[] = {&first, &second, NULL};
static const char *const see_also[] = {"other-prog(1)", NULL};
static const struct opt_program program = {"prog",   "does",	  "One.\n.Two.",
					   commands, "0 or not.", see_also};

static char *document(const char *word, int expected)
{
	static char text[16384];
	FILE *out = fmemopen(text, sizeof(text), "w");

	text[0] = '\0';
	assert_int_equal(opt_document(&program, word, out), expected);
	fclose(out);
	return text;
}

static unsigned int count(const char *text, const char *word)
{
	unsigned int n = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		n++;
	return n;
}

static void test_man(void **state)
{
	const char *page = document("--man", 0);

	(void)state;
	assert_int_equal(strncmp(page, ".TH PROG 1 ", 11), 0);
	assert_non_null(strstr(page, "\\fB\\-\\-back\\eslash\\fR \\fIFILE\\-NAME\\fR\n"));
	assert_non_null(strstr(page, "\n\\&.TH is no request\n\\&'nor this\n"));
	assert_non_null(strstr(page, "which (dark\\-red, blue)"));
	assert_non_null(strstr(page, "how many (1 to 9)"));
	assert_non_null(strstr(page, "\\fBprog one \\-\\-count 3\\fR\nthree"));
	assert_non_null(strstr(page, ".BR other\\-prog (1)\n"));
	/* Said once; what has other words in the second verb is said again. */
	assert_int_equal(count(page, "how many"), 1);
	assert_non_null(strstr(page, "As with the verbs above:\n\\fB\\-\\-count\\fR.\n"));
	assert_non_null(strstr(page, "of the other"));
}

static void test_completion(void **state)
{
	const char *script = document("--bash-completion", 0);

	(void)state;
	assert_non_null(strstr(script, "complete -F _prog prog\n"));
	assert_non_null(strstr(script, "compgen -W 'dark-red blue'"));
	assert_non_null(strstr(script, "two:-*)"));
	assert_null(strstr(script, "two:--quiet)")); /* a flag has no value */
}

static void test_other_words(void **state)
{
	(void)state;
	assert_string_equal(document("--help", -1), "");
	assert_string_equal(document("one", -1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_man),
		cmocka_unit_test(test_completion),
		cmocka_unit_test(test_other_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

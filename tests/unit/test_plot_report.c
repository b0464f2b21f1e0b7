/*
 * tandem-plot report: what the page says of records, that nothing in them becomes markup, and where
 * its links lead. How it looks is tests/system/test_report.sh's, in a browser.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/html.h"
#include "plots/report.h"
#include "tests/unit/folder.h"

#define DATA "tests/unit/data/plot/"

static struct result results[RESULTS_MAX];
static char err[512], *page;

/* The report of results on the command line, standing in dir; frees the one before. */
static void make(const char *const *paths, size_t n, const char *dir)
{
	struct report report = {.results = results, .n = n};
	size_t size = 0;

	free(page);
	page = NULL;
	assert_int_equal(results_load(paths, n, LOAD_TRIALS, results, err, sizeof(err)), 0);
	if (*dir)
		assert_non_null(realpath(dir, report.dir));
	report.out = open_memstream(&page, &size);
	assert_non_null(report.out);
	assert_int_equal(report_write_html(&report, err, sizeof(err)), 0);
	assert_int_equal(fclose(report.out), 0);
	results_free(results, n);
}

static void has(const char *text)
{
	if (!strstr(page, text))
		fail_msg("the page lacks: %s", text);
}

static size_t count(const char *text)
{
	size_t n = 0;

	for (const char *at = page; (at = strstr(at, text)); at++)
		n++;
	return n;
}

static const char *text_of(void (*put)(FILE *out, const char *text), const char *text)
{
	static char buf[256];
	FILE *out = fmemopen(buf, sizeof(buf), "w");

	memset(buf, 0, sizeof(buf));
	put(out, text);
	fclose(out);
	return buf;
}

static void test_text(void **state)
{
	static const struct {
		const char *in, *out;
	} texts[] = {
		{"a<b>&\"c'", "a&#60;b&#62;&#38;&#34;c&#39;"},
		{"line\nend\t\x1b[31m\x7f", "line end  [31m "},
		{"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80",
		 "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80"},
		/* Cut, overlong, a surrogate, beyond the last: each byte is replaced. */
		{"\xc3", "\xef\xbf\xbd"},
		{"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xc2\x85", " "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_string_equal(text_of(html_text, texts[i].in), texts[i].out);
	assert_string_equal(text_of(html_url, "../a b/c#d?e%.json"), "../a%20b/c%23d%3Fe%25.json");
	assert_string_equal(text_of(html_url, "javascript:x"), "./javascript%3Ax");
}

static void test_a_run(void **state)
{
	const char *paths[] = {DATA "run1"};

	(void)state;
	make(paths, 1, DATA "run1");
	assert_int_equal(strncmp(page, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
	has("name=\"viewport\"");
	/* Nothing is loaded from elsewhere, nothing runs. */
	assert_int_equal(count("http"), count("http://www.w3.org/2000/svg"));
	assert_int_equal(count("<script") + count(" src=") + count("@import") + count("url("), 0);
	/* Sections in their order. */
	assert_true(strstr(page, "id=\"verdict\"") < strstr(page, "id=\"tables\""));
	assert_true(strstr(page, "id=\"tables\"") < strstr(page, "id=\"curves\""));
	assert_true(strstr(page, "id=\"curves\"") < strstr(page, "id=\"records\""));
	has("<caption>io path, ports 0&#62;1</caption>");
	has("<caption>kernel path, ports 0&#62;1</caption>");
	/* 64 bytes: 7.92 Mpps at max. */
	has("<th scope=\"row\">64</th><td class=\"first\">7.920</td>");
	has("<th colspan=\"4\" scope=\"colgroup\" class=\"group\">max (forwarding rate)</th>");
	has("<abbr class=\"mark disturbed\" title=\"disturbed\">d</abbr>");
	has("<abbr class=\"mark invalid\" title=\"invalid\">!</abbr>");
	has("<div class=\"banner invalid\">");
	/* All pictures that there is something for. */
	assert_int_equal(count("role=\"img\""), 6);
	assert_int_equal(count("role=\"img\""), count("<svg"));
	has("Latency by offered load");
	has("What frames cost the DUT, by frame size");
	assert_int_equal(count("<?xml"), 0);
	assert_int_equal(count("<details>"), count("</details>"));
	assert_int_equal(count("<section"), count("</section>"));
	assert_int_equal(count("<table"), count("</table>"));
	has("<a href=\"trials.jsonl\">trials.jsonl</a>");
	has("Forwarding rate (RFC 2285)");
}

static void test_nothing_becomes_markup(void **state)
{
	const char *paths[] = {folder};

	(void)state;
	folder_put(
		"run.json", "w",
		"{\"title\":\"<script>alert(1)</script>\",\"host\":{\"hostname\":\"\\\"><img>\"},"
		"\"commands\":[[\"a'b\",\"<i>\",\"\"]],\"warnings\":[\"<u>\"],"
		"\"ports\":[{\"id\":0,\"name\":\"<s>\"}]}");
	folder_put("trials.jsonl", "w",
		   "{\"trial\":1,\"frame_size\":64,\"path\":\"<b>\",\"direction\":\"<x>\","
		   "\"rate_requested_pps\":1000,\"tx\":{\"pps\":1000},\"rx\":{\"pps\":1000},"
		   "\"latency_ns\":{\"min\":1000,\"p50\":2000,\"p99\":3000,\"p999\":4000},"
		   "\"verdict\":\"disturbed\",\"reasons\":[\"<q>\"],\"started\":\"<time>\"}\n"
		   "<bad>\n");
	folder_put("tests.jsonl", "w",
		   "{\"test\":\"mlrsearch\",\"path\":\"<b>\",\"reasons\":[\"<q>\"],\"outcome\":\"<"
		   "o>\","
		   "\"goals\":[{\"name\":\"<g>\"}]}\n");
	make(paths, 1, folder);
	has("<title>&#60;script&#62;alert(1)&#60;/script&#62; - Tandem report</title>");
	for (const char *const *tag =
		     (const char *const[]){"<script", "<img", "<i>", "<u>", "<s>", "<x>", "<q>",
					   "<time>", "<g>", "<o>", "<bad>", NULL};
	     *tag; tag++)
		if (strstr(page, *tag))
			fail_msg("%s became markup", *tag);
	assert_null(strstr(page, "<caption><b>"));
	assert_int_equal(count("<b>"), count("</b>"));
	has("<pre>&#39;a&#39;\\&#39;&#39;b&#39; &#39;&#60;i&#62;&#39; &#39;&#39;</pre>");
	has("trials.jsonl, line 2: ");
	has("<li>&#60;u&#62;</li>");
	has("MLRsearch (RFC 9971), &#60;b&#62; path");
}

/* Counters stand with all their digits. */
static void test_large_counters(void **state)
{
	const char *paths[] = {folder};

	(void)state;
	folder_put(
		"trials.jsonl", "w",
		"{\"trial\":1,\"frame_size\":64,\"rate_requested_pps\":1000,\"verdict\":\"valid\","
		"\"tx\":{\"pps\":1000,\"sent\":9007199254740993},\"loss_ratio\":1e-9}\n");
	make(paths, 1, folder);
	has("<td>9007199254740993</td>");
	has("<td>&#60;0.0001</td>");
	has("<div class=\"banner valid\">");
	/* What is unknown is said as unknown. */
	has("Not known: no run.json");
}

static void test_two_results_and_links(void **state)
{
	const char *paths[] = {DATA "run1", DATA "line10g"};

	(void)state;
	assert_int_equal(mkdir(folder_path("a b"), 0777), 0);
	make(paths, 2, DATA "floor");
	has("<h3 class=\"result\">run1</h3>");
	has("<a href=\"../run1/trials.jsonl\">");
	has("<a href=\"../line10g/run.json\">");
	make(paths, 2, folder_path("a b"));
	has("tests/unit/data/plot/run1/trials.jsonl\">trials.jsonl</a>");
	has("<a href=\"../../");
	/* Where it stands nowhere there are names, not links. */
	make(paths, 2, "");
	assert_null(strstr(page, "<a href=\"../"));
	has("<li>trials.jsonl</li>");
}

/* The folder of a test method: its trials are steps, its tables those of the tests. */
static void test_tests_alone(void **state)
{
	const char *paths[] = {folder};

	(void)state;
	folder_put("trials.jsonl", "w",
		   "{\"trial\":1,\"frame_size\":64,\"path\":\"io\",\"rate_requested_pps\":1000,"
		   "\"verdict\":\"valid\",\"test\":{\"name\":\"throughput\"},\"tx\":{\"pps\":1000}}"
		   "\n");
	folder_put(
		"tests.jsonl", "w",
		"{\"schema\":\"tandem.test/1\",\"test\":\"throughput\",\"path\":\"io\","
		"\"direction\":\"0>1\",\"frame_size\":64,\"throughput_pps\":197041,"
		"\"outcome\":\"found\",\"reasons\":[\"a bound is of a disturbed trial\"]}\n"
		"{\"schema\":\"tandem.test/1\",\"test\":\"loss\",\"path\":\"io\",\"frame_size\":64,"
		"\"max_load_pps\":371988,\"outcome\":\"found\",\"points\":[{\"percent\":100,"
		"\"loss_ratio\":0.181499,\"verdict\":\"disturbed\"},{\"percent\":90,"
		"\"loss_ratio\":0,\"verdict\":\"valid\"}]}\n");
	make(paths, 1, folder);
	has("<caption>Throughput (RFC 2544, 26.1), io path, ports 0&#62;1</caption>");
	has("<td class=\"first\">197.041</td>");
	has("64 bytes: a bound is of a disturbed trial");
	has("<b>197 kpps</b>");
	has("<summary>throughput, io path, ports 0&#62;1, 64 bytes <span "
	    "class=\"chip\">found</span>");
	has("<th scope=\"row\">points[0].loss_ratio</th><td class=\"text\">0.181499</td>");
	has(">18.1499<abbr class=\"mark disturbed\" title=\"disturbed\">d</abbr></td>");
	assert_int_equal(count("<section"), count("</section>"));
}

static void test_hgrm(void **state)
{
	const char *paths[] = {folder};
	char name[64];
	json_t *trial = json_pack("{s:i,s:s}", "trial", 3, "direction", "1>0");

	(void)state;
	folder_put("trials.jsonl", "w", "{\"frame_size\":64,\"tx\":{\"pps\":1}}\n");
	folder_put("io-64B-max-0-1-t3.hgrm", "w", "");
	folder_put("io-64B-max-1-0-t13.hgrm", "w", "");
	assert_int_equal(results_load(paths, 1, LOAD_TRIALS, results, err, sizeof(err)), 0);
	assert_false(report_hgrm(&results[0], trial, name, sizeof(name)));
	folder_put("io-64B-max-1-0-t3.hgrm", "w", "");
	assert_true(report_hgrm(&results[0], trial, name, sizeof(name)));
	assert_string_equal(name, "io-64B-max-1-0-t3.hgrm");
	results_free(results, 1);
	json_decref(trial);
}

static int free_page(void **state)
{
	(void)state;
	free(page);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_a_run),
		IN_FOLDER(test_nothing_becomes_markup),
		IN_FOLDER(test_large_counters),
		IN_FOLDER(test_two_results_and_links),
		IN_FOLDER(test_tests_alone),
		IN_FOLDER(test_hgrm),
	};

	return cmocka_run_group_tests_name("plot report", tests, NULL, free_page);
}

/*
 * tandem-plot table --less-floor: which floor is taken, what it is taken off, and what stays. The
 * verb itself is run as the program runs it, its output caught.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/cmd.h"
#include "plots/floor.h"

#define DATA "tests/unit/data/plot/"

static char err[512];

/* A file descriptor led into a temporary file, and back, its text read. */
struct capture {
	int fd, saved;
	FILE *file;
};

static struct capture capture_begin(int fd)
{
	struct capture c = {.fd = fd, .saved = dup(fd), .file = tmpfile()};

	fflush(NULL);
	assert_non_null(c.file);
	assert_true(c.saved >= 0 && dup2(fileno(c.file), fd) == fd);
	return c;
}

static void capture_end(struct capture *c, char *text, size_t len)
{
	size_t n;

	fflush(NULL);
	dup2(c->saved, c->fd);
	close(c->saved);
	rewind(c->file);
	n = fread(text, 1, len - 1, c->file);
	text[n] = '\0';
	fclose(c->file);
}

static char out_text[8192], err_text[1024];

/* tandem-plot table with up to three words behind it; its exit status. */
static int table(const char *a, const char *b, const char *c)
{
	const char *argv[] = {"tandem-plot", "table", a, b, c, NULL};
	int argc = c ? 5 : b ? 4 : 3, status;
	struct capture out = capture_begin(STDOUT_FILENO), error = capture_begin(STDERR_FILENO);

	status = plot_main(argc, (char **)(uintptr_t)argv);
	capture_end(&error, err_text, sizeof(err_text));
	capture_end(&out, out_text, sizeof(out_text));
	return status;
}

static void test_subtract(void **state)
{
	const struct floor floor = {.ns = 4200};
	const char *path = DATA "floor";
	struct result r;
	json_t *rows, *row, *before;

	(void)state;
	assert_int_equal(results_load(&path, 1, LOAD_SUMMARY, &r, err, sizeof(err)), 0);
	before = json_deep_copy(r.summary);
	rows = floor_subtract(&floor, r.summary);
	row = json_array_get(rows, 0);
	/* 4130 ns were measured: never below 0. */
	assert_true(result_num(row, "paced.latency_ns.min") == 0);
	assert_true(result_num(row, "paced.latency_ns.p50") == 7867 - 4200);
	assert_true(result_num(row, "paced.latency_ns.p9999") == 130990 - 4200);
	assert_true(result_num(row, "paced.latency_ns.max") == 186034 - 4200);
	assert_true(fabs(result_num(row, "paced.latency_ns.mean") - 3981.8) < 1e-6);
	assert_true(result_num(row, "paced.latency_clean_ns.p99") == 15925 - 4200);
	/* Spreads and counts do not move with the floor. */
	assert_true(result_num(row, "paced.latency_ns.pdv") == 44294);
	assert_true(result_num(row, "paced.latency_ns.count") == 19800000);
	assert_true(result_num(row, "paced.latency_ns.stdev") == 5580.9);
	assert_true(json_equal(before, r.summary));
	json_decref(before);
	json_decref(rows);
	results_free(&r, 1);
}

static void test_unknown_latency_stays_unknown(void **state)
{
	const struct floor floor = {.ns = 400};
	json_t *summary = json_pack("[{s:{s:{s:n, s:i}, s:n}}, {s:n}]", "paced", "latency_ns",
				    "min", "p50", 500, "latency_clean_ns", "paced");
	json_t *rows = floor_subtract(&floor, summary);

	(void)state;
	assert_true(json_is_null(result_get(json_array_get(rows, 0), "paced.latency_ns.min")));
	assert_true(result_num(json_array_get(rows, 0), "paced.latency_ns.p50") == 100);
	assert_true(json_is_null(result_get(json_array_get(rows, 0), "paced.latency_clean_ns")));
	assert_true(json_is_null(result_get(json_array_get(rows, 1), "paced")));
	json_decref(rows);
	json_decref(summary);
}

static int floor_from(json_t *run, struct floor *floor)
{
	struct result r = {.path = "made", .run = run};
	int rc = floor_of(&r, floor, err, sizeof(err));

	json_decref(run);
	return rc;
}

static void test_floor_of(void **state)
{
	struct floor floor;

	(void)state;
	assert_int_equal(floor_from(NULL, &floor), -ENODATA);
	assert_int_equal(floor_from(json_pack("{s:n}", "selftest"), &floor), -ENODATA);
	assert_non_null(strstr(err, "tandem-gen ... -- selftest"));
	assert_int_equal(
		floor_from(json_pack("{s:{s:s}}", "selftest", "schema", SELFTEST_SCHEMA), &floor),
		-ENODATA);
	assert_int_equal(floor_from(json_pack("{s:{s:s,s:{s:i}}}", "selftest", "schema",
					      SELFTEST_SCHEMA, "floor_ns", "min", -1),
				    &floor),
			 -ENODATA);
	assert_int_equal(floor_from(json_pack("{s:{s:s,s:{s:i}}}", "selftest", "schema",
					      "tandem.selftest/9", "floor_ns", "min", 1),
				    &floor),
			 -ENODATA);
	assert_non_null(strstr(err, "tandem.selftest/9"));
	assert_int_equal(floor_from(json_pack("{s:{s:s,s:{s:i}}}", "selftest", "schema",
					      SELFTEST_SCHEMA, "floor_ns", "min", 12345),
				    &floor),
			 0);
	assert_true(floor.ns == 12345);
}

static void test_title(void **state)
{
	struct floor floor = {412, "2026-03-01T08:00:00.000Z", "net_ring"};
	char title[192];

	(void)state;
	assert_string_equal(floor_title(&floor, title, sizeof(title)),
			    "latency less the floor of 412 ns (selftest of "
			    "2026-03-01T08:00:00.000Z, over net_ring)");
	floor = (struct floor){.ns = 12345};
	assert_string_equal(floor_title(&floor, title, sizeof(title)),
			    "latency less the floor of 12.3 us (selftest)");
}

static void test_table(void **state)
{
	(void)state;
	assert_int_equal(table(DATA "floor", NULL, NULL), 0);
	assert_null(strstr(out_text, "less the floor"));
	assert_non_null(strstr(out_text, "    4.13    7.87   20.70 |"));
	assert_int_equal(table("--less-floor", DATA "floor", NULL), 0);
	assert_int_equal(strncmp(out_text, "latency less the floor of 412 ns (selftest of ", 46),
			 0);
	assert_non_null(strstr(out_text, "    3.72    7.46   20.29 |"));
	assert_string_equal(err_text, "");
}

static void test_refusals(void **state)
{
	(void)state;
	assert_int_equal(table("--less-floor", DATA "run1", NULL), 2);
	assert_non_null(strstr(err_text, "run 'tandem-gen ... -- selftest' first"));
	assert_ptr_equal(strchr(err_text, '\n'), err_text + strlen(err_text) - 1);
	/* One of two without a floor: nothing is printed. */
	assert_int_equal(table("--less-floor", DATA "floor", DATA "run1"), 2);
	assert_string_equal(out_text, "");
	assert_int_equal(table("--less-floor", "--csv", DATA "floor"), 2);
	assert_non_null(strstr(err_text, "--csv"));
	assert_int_equal(table("--less-floor", "--json", DATA "floor"), 2);
	assert_non_null(strstr(err_text, "--json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_subtract),
		cmocka_unit_test(test_unknown_latency_stays_unknown),
		cmocka_unit_test(test_floor_of),
		cmocka_unit_test(test_title),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Pictures: the same bytes twice, sane SVG and PNG, gaps in the curves, and the program's errors
 * and exit status.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plots/cmd.h"
#include "plots/picture.h"

#define DATA "tests/unit/data/plot/"

typedef int (*make_figure)(const struct figure_input *, struct figure *, char *, size_t);

static char err[512];

/* A picture of one result; the caller frees it. */
static char *render(const char *path, make_figure make, const struct figure_options *options,
		    enum canvas_format format, size_t *len)
{
	struct result result;
	struct series_set set;
	struct figure_input in = {options, &result, 1, &set};
	struct figure figure;
	char *data = NULL;

	assert_int_equal(results_load(&path, 1, LOAD_SUMMARY, &result, err, sizeof(err)), 0);
	assert_int_equal(series_collect(&result, 1, &set, err, sizeof(err)), 0);
	assert_int_equal(make(&in, &figure, err, sizeof(err)), 0);
	assert_int_equal(figure_render(&figure, &in, format, &data, len, err, sizeof(err)), 0);
	results_free(&result, 1);
	return data;
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

static void test_same_input_same_bytes(void **state)
{
	static const make_figure make[] = {throughput_figure, latency_figure};
	const struct figure_options options = {0};

	(void)state;
	/* libplot takes what a program leaves open from the environment. */
	for (int i = 0; i < 4; i++) {
		enum canvas_format format = i & 1 ? CANVAS_PNG : CANVAS_SVG;
		size_t len[2];
		char *a, *b;

		a = render(DATA "run1", make[i / 2], &options, format, &len[0]);
		setenv("BITMAPSIZE", "100x100", 1);
		setenv("PAGESIZE", "a4", 1);
		setenv("ROTATION", "90", 1);
		setenv("BG_COLOR", "red", 1);
		b = render(DATA "run1", make[i / 2], &options, format, &len[1]);
		unsetenv("BITMAPSIZE");
		unsetenv("PAGESIZE");
		unsetenv("ROTATION");
		unsetenv("BG_COLOR");
		assert_int_equal(len[0], len[1]);
		assert_memory_equal(a, b, len[0]);
		free(a);
		free(b);
	}
}

static void test_svg(void **state)
{
	const struct figure_options options = {.title = "A <b> & \xc2\xb5 \xe2\x82\xac \\mu"};
	size_t len;
	char *svg = render(DATA "run1", latency_figure, &options, CANVAS_SVG, &len);

	(void)state;
	assert_int_equal(len, strlen(svg));
	assert_non_null(strstr(svg, "viewBox=\"0 0 1190 600\""));
	assert_non_null(strstr(svg, "<title>A &#60;b&#62; &#38; \xc2\xb5 ? /mu</title>"));
	assert_non_null(strstr(svg, "bench-a, AMD EPYC 7763 64-Core Processor, 2026-03-02 14:05"));
	assert_non_null(strstr(svg, "(\xc2\xb5s, log scale)"));
	assert_non_null(strstr(svg, "text-anchor=\"middle\""));
	assert_non_null(strstr(svg, "kernel path"));
	assert_non_null(strstr(svg, "disturbed"));
	assert_non_null(strstr(svg, "invalid"));
	assert_null(strstr(svg, "ISO-8859"));
	assert_null(strstr(svg, "nan"));
	assert_int_equal(count(svg, "<svg"), 1);
	assert_int_equal(count(svg, "<text"), count(svg, "</text>"));
	free(svg);
}

static void test_png(void **state)
{
	const struct figure_options options = {0};
	png_image image = {.version = PNG_IMAGE_VERSION};
	size_t len, grey = 0;
	char *png = render(DATA "run1", throughput_figure, &options, CANVAS_PNG, &len);
	uint8_t *pixels;

	(void)state;
	assert_true(png_image_begin_read_from_memory(&image, png, len));
	assert_int_equal(image.width, 2 * 1204);
	assert_int_equal(image.height, 2 * 560);
	image.format = PNG_FORMAT_GRAY;
	pixels = malloc(PNG_IMAGE_SIZE(image));
	assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
	assert_int_equal(pixels[0], 255);
	/* Smooth: many pixels are neither paper nor one of the few colours. */
	for (size_t i = 0; i < PNG_IMAGE_SIZE(image); i++)
		grey += pixels[i] > 60 && pixels[i] < 200;
	assert_true(grey > 5000);
	free(pixels);
	free(png);
}

static void test_titles_say_what_is_shown(void **state)
{
	const struct figure_options options = {0};
	size_t len;
	char *svg = render(DATA "line10g", throughput_figure, &options, CANVAS_SVG, &len);

	(void)state;
	assert_non_null(strstr(svg, "Forwarding rate (RFC 2285)"));
	assert_non_null(strstr(svg, "line rate 10.0 Gbit/s"));
	assert_non_null(strstr(svg, "Mpps (log scale)"));
	assert_non_null(strstr(svg, "Gbit/s, L1"));
	free(svg);
	svg = render(DATA "paced", throughput_figure, &options, CANVAS_SVG, &len);
	assert_non_null(strstr(svg, "Received rate at the offered rate"));
	assert_null(strstr(svg, "Forwarding rate"));
	assert_null(strstr(svg, "line rate"));
	assert_null(strstr(svg, "log scale"));
	free(svg);
}

static void test_bad_pictures_are_refused(void **state)
{
	char *out;
	size_t len;

	(void)state;
	assert_int_equal(picture_svg("", 0, 10, 10, "t", NULL, 0, &out, &len), -EPROTO);
	assert_int_equal(picture_svg("<svg>", 5, 10, 10, "t", NULL, 0, &out, &len), -EPROTO);
	assert_int_equal(picture_png("x", 1, 10, 10, 1, 2, "t", &out, &len), -EPROTO);
	assert_null(out);
}

/* Runs the program with its output thrown away; what it said on stderr is in err. */
static int run(const char *words)
{
	char line[512], *argv[16], *save;
	int argc = 0, status, out, old_out, old_err;
	FILE *errors = tmpfile();
	size_t n;

	snprintf(line, sizeof(line), "tandem-plot %s", words);
	for (char *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	fflush(stdout);
	fflush(stderr);
	out = open("/dev/null", O_WRONLY);
	old_out = dup(STDOUT_FILENO);
	old_err = dup(STDERR_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(fileno(errors), STDERR_FILENO);
	status = plot_main(argc, argv);
	fflush(stdout);
	dup2(old_out, STDOUT_FILENO);
	dup2(old_err, STDERR_FILENO);
	close(out);
	close(old_out);
	close(old_err);
	rewind(errors);
	n = fread(err, 1, sizeof(err) - 1, errors);
	err[n] = 0;
	fclose(errors);
	return status;
}

static void test_exit_status(void **state)
{
	static const struct {
		const char *words, *says;
	} wrong[] = {
		{"", "known are throughput, latency, latency-load, percentiles"},
		{"percentile x", "unknown verb 'percentile': known are throughput, latency, "
				 "latency-load, percentiles"},
		{"throughput", "name a RESULT"},
		{"throughput /no/such", "/no/such: No such file"},
		{"latency " DATA "empty", "no trials"},
		{"table " DATA, "no trials.jsonl"},
		{"throughput " DATA "run1 --format gif", "svg, png"},
		{"throughput " DATA "run1 --format svg,", "svg, png"},
		{"throughput " DATA "run1 --axis pps,l3", "pps, l1, l2"},
		{"throughput " DATA "run1 --axis pps,pps,pps,pps,pps", "up to four"},
		{"latency " DATA "run1 --axis pps", "--axis"},
		{"table --csv --json " DATA "run1", "not both"},
		{"table --csv " DATA "run1 " DATA "run1", "one RESULT"},
		{"table a b c d e f g h i", "i"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(run(wrong[i].words), 2);
		assert_non_null(strstr(err, wrong[i].says));
		/* One line. */
		assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1);
	}
	assert_int_equal(run("latency " DATA "run1 --format svg --out /no/such/place/"), 1);
	assert_non_null(strstr(err, "/no/such/place"));
	assert_int_equal(run("table " DATA "broken"), 0);
	assert_non_null(strstr(err, "trials.jsonl, line 3: "));
	assert_int_equal(run("table " DATA "run1"), 0);
	assert_int_equal(run("table --csv " DATA "run1"), 0);
	assert_int_equal(run("table --json " DATA "run1 " DATA "paced"), 0);
	assert_int_equal(run("--help"), 0);
	assert_int_equal(run("--version"), 0);
	assert_int_equal(run("latency --help"), 0);
	assert_string_equal(err, "");
}

static void test_files_go_where_told(void **state)
{
	char dir[] = "/tmp/tandem-plot-XXXXXX", words[256], path[128];
	static const char *const made[] = {"throughput.svg", "throughput.png", "a.svg", "b.png"};

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(words, sizeof(words), "throughput " DATA "run1 --out %s", dir);
	assert_int_equal(run(words), 0);
	snprintf(words, sizeof(words), "latency " DATA "run1 --format svg --out %s/a", dir);
	assert_int_equal(run(words), 0);
	snprintf(words, sizeof(words), "throughput " DATA "run1 --axis l2 --out %s/b.png", dir);
	assert_int_equal(run(words), 0);
	/* Exactly these: the folder is empty, so can be removed, once they are gone. */
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, made[i]);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_input_same_bytes),
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_png),
		cmocka_unit_test(test_titles_say_what_is_shown),
		cmocka_unit_test(test_bad_pictures_are_refused),
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_files_go_where_told),
	};

	return cmocka_run_group_tests_name("plot figure", tests, NULL, NULL);
}

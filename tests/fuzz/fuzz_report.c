/*
 * A tests.jsonl of any bytes: read, printed as tables and as CSV. The file is in memory.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/report.h"
#include "common/results.h"

/* Both, thrown away; CSV has a line a record at least. */
static void print(const json_t *tests)
{
	char *text = NULL;
	size_t size = 0, lines = 0;
	FILE *out = open_memstream(&text, &size);

	FUZZ_CHECK(out);
	FUZZ_CHECK(report_print_csv(tests, out) == 0);
	fflush(out);
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	FUZZ_CHECK(lines >= 1 + json_array_size(tests));
	report_print(tests, out);
	fclose(out);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("tests", MFD_CLOEXEC);
	char path[64], err[300];
	json_t *tests;

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (result_read_tests(path, &tests, err, sizeof(err)) == 0) {
		print(tests);
		json_decref(tests);
	} else {
		FUZZ_CHECK(*err && !tests);
	}
	close(fd);
	return 0;
}

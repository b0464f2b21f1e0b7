/*
 * A trials.jsonl of any bytes: read, summed up, printed as CSV and as a table, its floor taken off.
 * The file is in memory.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/floor.h"

static char err[300];

/* What one summary prints, thrown away; CSV has a line a row, more where a text has line ends. */
static void print(const json_t *summary)
{
	char *text = NULL;
	size_t size = 0, lines = 0;
	FILE *out = open_memstream(&text, &size);

	FUZZ_CHECK(out);
	FUZZ_CHECK(result_print_csv(summary, out) == 0);
	fflush(out);
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	FUZZ_CHECK(lines >= 1 + json_array_size(summary));
	result_print_table(summary, out);
	fclose(out);
	free(text);
}

static void fuzz_floor(json_t *record, const json_t *summary)
{
	struct result r = {.path = "fuzz", .run = record};
	struct floor floor;
	char title[192];
	json_t *rows;

	if (floor_of(&r, &floor, err, sizeof(err)))
		floor = (struct floor){.ns = 400};
	FUZZ_CHECK(*floor_title(&floor, title, sizeof(title)));
	rows = floor_subtract(&floor, summary);
	FUZZ_CHECK(json_array_size(rows) == json_array_size(summary));
	print(rows);
	json_decref(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("trials", MFD_CLOEXEC);
	json_t *trials, *summary;
	char path[64];

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (result_read_trials(path, &trials, err, sizeof(err)) == 0) {
		summary = result_summary(trials);
		FUZZ_CHECK(json_array_size(summary) <= json_array_size(trials));
		print(summary);
		fuzz_floor(json_array_get(trials, 0), summary);
		json_decref(summary);
		json_decref(trials);
	} else {
		FUZZ_CHECK(*err && !trials);
	}
	close(fd);
	return 0;
}

/*
 * A file of another instrument, any bytes: what is taken from it is either refused with one line or
 * made of finite numbers that belong together.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "common/results.h"
#include "plots/import.h"

static char path[64];

static void remove_file(void)
{
	unlink(path);
}

static void make_file(const uint8_t *data, size_t size)
{
	int fd;

	if (!*path) {
		strcpy(path,
		       access("/dev/shm", W_OK) ? "/tmp/fuzz-XXXXXX" : "/dev/shm/fuzz-XXXXXX");
		fd = mkostemp(path, O_CLOEXEC);
		FUZZ_CHECK(fd >= 0);
		close(fd);
		atexit(remove_file);
	}
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void check_row(const json_t *row)
{
	const json_t *trial = json_object_get(row, "paced");
	double size = result_num(row, "frame_size");

	FUZZ_CHECK(isnan(size) || (size >= 1 && size <= 65535));
	FUZZ_CHECK(!json_is_object(trial) || result_str(trial, "source"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char err[600] = "";
	struct result r = {.path = path};
	const json_t *row;
	size_t i;
	int rc;

	make_file(data, size);
	if (!import_is(path))
		return 0;
	r.tests = json_array();
	r.warnings = json_array();
	rc = import_result(&r, LOAD_TRIALS, err, sizeof(err));
	FUZZ_CHECK(rc < 0 ? *err && !strchr(err, '\n') : r.n_trials || json_array_size(r.tests));
	json_array_foreach (r.summary, i, row)
		check_row(row);
	results_free(&r, 1);
	return 0;
}

/*
 * trials.jsonl, tests.jsonl and plan.jsonl: one record a line, appended and on disk before the next
 * trial starts.
 *
 * A crash or a full disk may leave the last line cut. Readers (results_read.c) leave such a line
 * out, and the next append removes it first, so that it never runs into a good one.
 */
#include "common/results.h"
#include "common/results_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct journal trials_journal = {"trials.jsonl", TRIAL_SCHEMA, "trial", "run",
				       result_check_trial};
const struct journal tests_journal = {"tests.jsonl", TEST_SCHEMA, "test", "results of test methods",
				      result_check_test};
const struct journal steps_journal = {"plan.jsonl", PLAN_SCHEMA, "step", "plan", NULL};

/* Takes a last line without end off the file. */
static int drop_cut_line(int fd)
{
	struct stat st;
	off_t end;
	char last;

	if (fstat(fd, &st))
		return -errno;
	for (end = st.st_size; end > 0; end--) {
		if (pread(fd, &last, 1, end - 1) != 1)
			return -EIO;
		if (last == '\n')
			break;
	}
	if (end == st.st_size)
		return 0;
	return ftruncate(fd, end) ? -errno : 0;
}

static int append_lines(const char *path, const char *lines, size_t size)
{
	int fd, rc;

	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	rc = drop_cut_line(fd);
	if (!rc)
		rc = result_write_all(fd, lines, size);
	/* Some file systems and pipes have nothing to sync. */
	if (!rc && fdatasync(fd) && errno != EINVAL && errno != EROFS)
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

/* The records as lines; the caller frees them. NULL when out of memory. */
static char *lines_of(const json_t *records, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	bool whole = out != NULL;

	for (size_t i = 0; whole && i < json_array_size(records); i++)
		whole = !json_dumpf(json_array_get(records, i), out,
				    JSON_COMPACT | JSON_REAL_PRECISION(17)) &&
			fputc('\n', out) != EOF;
	if ((out && fclose(out)) || !whole) {
		free(text);
		return NULL;
	}
	return text;
}

static int append_records(const struct journal *j, const char *dir, const json_t *records,
			  char *err, size_t errlen)
{
	char path[PATH_MAX], *text;
	size_t size;
	int rc;

	rc = result_path(path, dir, j->name, err, errlen);
	if (rc)
		return rc;
	text = lines_of(records, &size);
	if (!text)
		return result_error(-ENOMEM, err, errlen, "cannot write %s: out of memory", path);
	rc = append_lines(path, text, size);
	free(text);
	if (rc)
		return result_error(rc, err, errlen, "cannot write %s: %s", path, strerror(-rc));
	return 0;
}

static int append_record(const struct journal *j, const char *dir, const json_t *record, char *err,
			 size_t errlen)
{
	json_t *records = json_pack("[O]", record);
	int rc = append_records(j, dir, records, err, errlen);

	json_decref(records);
	return rc;
}

int result_append_trials(const char *dir, const json_t *trials, char *err, size_t errlen)
{
	return append_records(&trials_journal, dir, trials, err, errlen);
}

int result_append_trial(const char *dir, const json_t *trial, char *err, size_t errlen)
{
	return append_record(&trials_journal, dir, trial, err, errlen);
}

int result_append_test(const char *dir, const json_t *test, char *err, size_t errlen)
{
	return append_record(&tests_journal, dir, test, err, errlen);
}

int result_append_step(const char *dir, const json_t *step, char *err, size_t errlen)
{
	return append_record(&steps_journal, dir, step, err, errlen);
}

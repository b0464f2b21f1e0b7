/*
 * trials.jsonl, tests.jsonl and plan.jsonl: one record a line, appended and on disk before the next
 * trial starts.
 *
 * A crash or a full disk may leave the last line cut. Readers leave such a line out, and the next
 * append removes it first, so that it never runs into a good one.
 */
#include "common/results.h"
#include "common/results_path.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of such records. */
struct journal {
	const char *name, *schema;
	const char *record, *folder; /* one of them, and what a folder holds with it, in messages */
};

static const struct journal trials_journal = {"trials.jsonl", TRIAL_SCHEMA, "trial", "run"};
static const struct journal tests_journal = {"tests.jsonl", TEST_SCHEMA, "test",
					     "results of test methods"};
static const struct journal steps_journal = {"plan.jsonl", PLAN_SCHEMA, "step", "plan"};

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

static bool is_blank(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isspace((unsigned char)line[i]))
			return false;
	return true;
}

/* One line as a record appended to the array. */
static int read_line(const struct journal *j, const char *path, size_t number, const char *line,
		     size_t len, json_t *records, char *err, size_t errlen)
{
	json_error_t error;
	const char *schema;
	json_t *record;

	record = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!record)
		return result_error(-EBADMSG, err, errlen, "%s, line %zu: %s", path, number,
				    error.text);
	schema = result_str(record, "schema");
	if (!json_is_object(record) || (schema && strcmp(schema, j->schema))) {
		result_error(-EBADMSG, err, errlen, "%s, line %zu: %s%s, expected %s", path, number,
			     schema ? "a record of schema " : "no record of a ",
			     schema ? schema : j->record, j->schema);
		json_decref(record);
		return -EBADMSG;
	}
	json_array_append_new(records, record);
	return 0;
}

static int read_lines(const struct journal *j, FILE *in, const char *path, json_t *records,
		      char *err, size_t errlen)
{
	size_t size = 0, number = 0;
	char *line = NULL;
	ssize_t len;
	int rc = 0;

	while (!rc && (len = getline(&line, &size, in)) > 0) {
		number++;
		if (line[len - 1] != '\n')
			break;
		if (!is_blank(line, (size_t)len))
			rc = read_line(j, path, number, line, (size_t)len, records, err, errlen);
	}
	if (!rc && ferror(in))
		rc = result_error(-EIO, err, errlen, "cannot read %s: %s", path, strerror(errno));
	free(line);
	return rc;
}

static int read_records(const struct journal *j, const char *path, json_t **records, char *err,
			size_t errlen)
{
	char file[PATH_MAX];
	struct stat st;
	FILE *in;
	int rc;

	*records = NULL;
	if (stat(path, &st))
		return result_error(-errno, err, errlen, "cannot read %s: %s", path,
				    strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		rc = result_path(file, path, j->name, err, errlen);
		if (rc)
			return rc;
	} else if (snprintf(file, sizeof(file), "%s", path) >= PATH_MAX) {
		return result_error(-ENAMETOOLONG, err, errlen, "%s: the path is too long", path);
	}
	in = fopen(file, "re");
	if (!in && errno == ENOENT)
		return result_error(-ENOENT, err, errlen, "%s holds no %s: no %s in it", path,
				    j->folder, j->name);
	if (!in)
		return result_error(-errno, err, errlen, "cannot read %s: %s", file,
				    strerror(errno));
	*records = json_array();
	rc = read_lines(j, in, file, *records, err, errlen);
	fclose(in);
	if (rc) {
		json_decref(*records);
		*records = NULL;
	}
	return rc;
}

int result_read_trials(const char *path, json_t **trials, char *err, size_t errlen)
{
	return read_records(&trials_journal, path, trials, err, errlen);
}

int result_read_tests(const char *path, json_t **tests, char *err, size_t errlen)
{
	return read_records(&tests_journal, path, tests, err, errlen);
}

int result_read_steps(const char *path, json_t **steps, char *err, size_t errlen)
{
	return read_records(&steps_journal, path, steps, err, errlen);
}

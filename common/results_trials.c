/*
 * trials.jsonl: one record a line, appended and on disk before the next trial starts.
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

static int append_line(const char *path, const char *line, size_t size)
{
	int fd, rc;

	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	rc = drop_cut_line(fd);
	if (!rc)
		rc = result_write_all(fd, line, size);
	/* Some file systems and pipes have nothing to sync. */
	if (!rc && fdatasync(fd) && errno != EINVAL && errno != EROFS)
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

int result_append_trial(const char *dir, const json_t *trial, char *err, size_t errlen)
{
	char path[PATH_MAX], *text;
	size_t len;
	int rc;

	rc = result_path(path, dir, "trials.jsonl", err, errlen);
	if (rc)
		return rc;
	text = json_dumps(trial, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (!text)
		return result_error(-ENOMEM, err, errlen, "cannot write %s: out of memory", path);
	len = strlen(text);
	text[len] = '\n'; /* in the place of the 0: the length is given */
	rc = append_line(path, text, len + 1);
	free(text);
	if (rc)
		return result_error(rc, err, errlen, "cannot write %s: %s", path, strerror(-rc));
	return 0;
}

static bool is_blank(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isspace((unsigned char)line[i]))
			return false;
	return true;
}

/* One line as a trial record appended to the array. */
static int read_line(const char *path, size_t number, const char *line, size_t len, json_t *trials,
		     char *err, size_t errlen)
{
	json_error_t error;
	const char *schema;
	json_t *trial;

	trial = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!trial)
		return result_error(-EBADMSG, err, errlen, "%s, line %zu: %s", path, number,
				    error.text);
	schema = result_str(trial, "schema");
	if (!json_is_object(trial) || (schema && strcmp(schema, TRIAL_SCHEMA))) {
		result_error(-EBADMSG, err, errlen, "%s, line %zu: %s%s, expected %s", path, number,
			     schema ? "a record of schema " : "no record of a trial",
			     schema ? schema : "", TRIAL_SCHEMA);
		json_decref(trial);
		return -EBADMSG;
	}
	json_array_append_new(trials, trial);
	return 0;
}

static int read_lines(FILE *in, const char *path, json_t *trials, char *err, size_t errlen)
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
			rc = read_line(path, number, line, (size_t)len, trials, err, errlen);
	}
	if (!rc && ferror(in))
		rc = result_error(-EIO, err, errlen, "cannot read %s: %s", path, strerror(errno));
	free(line);
	return rc;
}

int result_read_trials(const char *path, json_t **trials, char *err, size_t errlen)
{
	char file[PATH_MAX];
	struct stat st;
	FILE *in;
	int rc;

	*trials = NULL;
	if (stat(path, &st))
		return result_error(-errno, err, errlen, "cannot read %s: %s", path,
				    strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		rc = result_path(file, path, "trials.jsonl", err, errlen);
		if (rc)
			return rc;
	} else if (snprintf(file, sizeof(file), "%s", path) >= PATH_MAX) {
		return result_error(-ENAMETOOLONG, err, errlen, "%s: the path is too long", path);
	}
	in = fopen(file, "re");
	if (!in && errno == ENOENT)
		return result_error(-ENOENT, err, errlen, "%s holds no run: no trials.jsonl in it",
				    path);
	if (!in)
		return result_error(-errno, err, errlen, "cannot read %s: %s", file,
				    strerror(errno));
	*trials = json_array();
	rc = read_lines(in, file, *trials, err, errlen);
	fclose(in);
	if (rc) {
		json_decref(*trials);
		*trials = NULL;
	}
	return rc;
}

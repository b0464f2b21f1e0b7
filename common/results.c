/*
 * The folder of a run: making it, run.json, files written whole, and reaching into a record.
 */
#include "common/results.h"
#include "common/results_path.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

json_t *result_get(const json_t *record, const char *dotted)
{
	const json_t *at = record;
	char key[64];
	size_t len;

	while (at) {
		len = strcspn(dotted, ".");
		if (len >= sizeof(key))
			return NULL;
		memcpy(key, dotted, len);
		key[len] = '\0';
		at = json_object_get(at, key);
		if (!dotted[len])
			break;
		dotted += len + 1;
	}
	return (json_t *)at;
}

double result_num(const json_t *record, const char *dotted)
{
	const json_t *value = result_get(record, dotted);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *result_str(const json_t *record, const char *dotted)
{
	return json_string_value(result_get(record, dotted));
}

json_t *result_count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

json_t *result_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

int result_error(int code, char *err, size_t errlen, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(err, errlen, format, ap);
	va_end(ap);
	return code;
}

int result_path(char *path, const char *dir, const char *name, char *err, size_t errlen)
{
	if (snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX)
		return 0;
	return result_error(-ENAMETOOLONG, err, errlen, "%s: the path is too long", dir);
}

int result_write_all(int fd, const char *data, size_t size)
{
	ssize_t n;

	for (; size; data += n, size -= (size_t)n) {
		n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return -errno;
	}
	return 0;
}

/* mkdir -p. */
static int make_folders(const char *dir, char *err, size_t errlen)
{
	char path[PATH_MAX];
	struct stat st;

	if (!*dir)
		return result_error(-EINVAL, err, errlen, "a results folder needs a name");
	if (snprintf(path, sizeof(path), "%s", dir) >= PATH_MAX)
		return result_error(-ENAMETOOLONG, err, errlen, "%s: the path is too long", dir);
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		(void)mkdir(path, 0777); /* what fails here shows in the last one below */
		*p = '/';
	}
	if (mkdir(path, 0777) && errno != EEXIST)
		return result_error(-errno, err, errlen, "cannot make the folder %s: %s", dir,
				    strerror(errno));
	if (stat(path, &st))
		return result_error(-errno, err, errlen, "cannot use %s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return result_error(-ENOTDIR, err, errlen, "%s is a file: name a folder", dir);
	if (access(path, W_OK | X_OK))
		return result_error(-errno, err, errlen, "cannot write to the folder %s: %s", dir,
				    strerror(errno));
	return 0;
}

int result_open(const char *dir, int append, char *err, size_t errlen)
{
	static const char *const files[] = {"run.json", "trials.jsonl", "tests.jsonl"};
	char path[PATH_MAX];
	struct stat st;
	json_t *run;
	int rc;

	rc = make_folders(dir, err, errlen);
	if (rc)
		return rc;
	for (size_t i = 0; !append && i < sizeof(files) / sizeof(files[0]); i++) {
		rc = result_path(path, dir, files[i], err, errlen);
		if (rc)
			return rc;
		if (!stat(path, &st) && st.st_size > 0)
			return result_error(-EEXIST, err, errlen,
					    "%s holds a run already: name another folder", dir);
	}
	/* A run.json that cannot be read is better found now than when the measurement is over. */
	rc = result_read_run(dir, &run, err, errlen);
	if (!rc)
		json_decref(run);
	return rc;
}

int result_write_file(const char *dir, const char *name, const char *data, size_t size, char *err,
		      size_t errlen)
{
	char path[PATH_MAX], temporary[PATH_MAX];
	int fd, rc;

	rc = result_path(path, dir, name, err, errlen);
	if (rc)
		return rc;
	if (snprintf(temporary, sizeof(temporary), "%s/.%s.tmp", dir, name) >= PATH_MAX)
		return result_error(-ENAMETOOLONG, err, errlen, "%s: the path is too long", dir);
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return result_error(-errno, err, errlen, "cannot write %s: %s", path,
				    strerror(errno));
	rc = result_write_all(fd, data, size);
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && rename(temporary, path))
		rc = -errno;
	if (rc) {
		unlink(temporary);
		return result_error(rc, err, errlen, "cannot write %s: %s", path, strerror(-rc));
	}
	return 0;
}

int result_write_text(const char *dir, const char *name,
		      int (*print)(const json_t *records, FILE *out), const json_t *records,
		      char *err, size_t errlen)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	int rc;

	out = open_memstream(&text, &size);
	rc = out ? print(records, out) : -ENOMEM;
	if (out && fclose(out))
		rc = -ENOMEM;
	if (rc)
		result_error(rc, err, errlen, "cannot write %s/%s: %s", dir, name, strerror(-rc));
	else
		rc = result_write_file(dir, name, text, size, err, errlen);
	free(text);
	return rc;
}

static bool starts_with(const json_t *list, const json_t *prefix)
{
	if (json_array_size(list) < json_array_size(prefix))
		return false;
	for (size_t i = 0; i < json_array_size(prefix); i++)
		if (!json_equal(json_array_get(list, i), json_array_get(prefix, i)))
			return false;
	return true;
}

/* Puts the command lines of the run.json that stands there before those of run. */
static int join_commands(const char *dir, json_t *run, char *err, size_t errlen)
{
	json_t *before, *commands, *old, *joined;
	int rc;

	rc = result_read_run(dir, &before, err, errlen);
	if (rc)
		return rc;
	commands = json_object_get(run, "commands");
	old = json_object_get(before, "commands");
	if (!json_is_array(old) || starts_with(commands, old)) {
		json_decref(before);
		return 0;
	}
	joined = json_copy(old);
	if (json_is_array(commands))
		json_array_extend(joined, commands);
	json_object_set_new(run, "commands", joined);
	json_decref(before);
	return 0;
}

int result_write_run(const char *dir, json_t *run, char *err, size_t errlen)
{
	char *text;
	size_t len;
	int rc;

	rc = join_commands(dir, run, err, errlen);
	if (rc)
		return rc;
	if (!json_object_get(run, "commands"))
		json_object_set_new(run, "commands", json_array());
	json_object_set_new(run, "schema", json_string(RUN_SCHEMA));
	text = json_dumps(run, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	if (!text)
		return result_error(-ENOMEM, err, errlen, "cannot write %s/run.json: out of memory",
				    dir);
	len = strlen(text);
	text[len] = '\n'; /* in the place of the 0: the length is given */
	rc = result_write_file(dir, "run.json", text, len + 1, err, errlen);
	free(text);
	return rc;
}

int result_read_run(const char *dir, json_t **run, char *err, size_t errlen)
{
	char path[PATH_MAX];
	json_error_t error;
	FILE *in;
	int rc;

	*run = NULL;
	rc = result_path(path, dir, "run.json", err, errlen);
	if (rc)
		return rc;
	in = fopen(path, "re");
	if (!in && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!in)
		return result_error(-errno, err, errlen, "cannot read %s: %s", path,
				    strerror(errno));
	*run = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
	fclose(in);
	if (!*run)
		return result_error(-EBADMSG, err, errlen, "%s, line %d: %s", path, error.line,
				    error.text);
	if (!json_is_object(*run)) {
		json_decref(*run);
		*run = NULL;
		return result_error(-EBADMSG, err, errlen, "%s: not the record of a run", path);
	}
	return 0;
}

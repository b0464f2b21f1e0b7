/*
 * Reading trials.jsonl, tests.jsonl and plan.jsonl: all records at once, where a bad line is an
 * error (who resumes a run must know all of it), or one at a time, where a bad line is left out and
 * told.
 */
#include "common/results.h"
#include "common/results_path.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_blank(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isspace((unsigned char)line[i]))
			return false;
	return true;
}

/* A line as a record, new reference; NULL with what is wrong with it in why. */
static json_t *parse_line(const struct journal *j, const char *line, size_t len, char *why,
			  size_t whylen)
{
	json_error_t error;
	const char *schema;
	json_t *record;

	record = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!record) {
		snprintf(why, whylen, "%s", error.text);
		return NULL;
	}
	schema = result_str(record, "schema");
	if (json_is_object(record) && (!schema || !strcmp(schema, j->schema)))
		return record;
	snprintf(why, whylen, "%s%s, expected %s",
		 schema ? "a record of schema " : "no record of a ", schema ? schema : j->record,
		 j->schema);
	json_decref(record);
	return NULL;
}

struct reading {
	const struct journal *journal;
	const struct result_visitor *visitor;
	const char *path;
	size_t line, good, bad;
	uint64_t offset;
	char *err; /* what was wrong with the first bad line */
	size_t errlen;
};

/* A line that cannot be used. Returns 0 to go on, or what ends the reading. */
static int bad_line(struct reading *r, const char *why)
{
	char what[600];

	r->bad++;
	snprintf(what, sizeof(what), "%s, line %zu: %s", r->path, r->line, why);
	/* From a hand-edited file: what would break the message's line is a blank. */
	for (char *c = what; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	if (r->bad == 1)
		snprintf(r->err, r->errlen, "%s", what);
	if (!r->visitor->skipped)
		return -EBADMSG;
	r->visitor->skipped(r->visitor->context, what);
	return 0;
}

static int read_line(struct reading *r, const char *line, size_t len)
{
	const bool tolerant = r->visitor->skipped;
	char why[400];
	json_t *record;
	int rc;

	if (line[len - 1] != '\n')
		return tolerant ? bad_line(r, "cut off, it has no end") : 0;
	/* An editor's byte order mark. */
	if (r->line == 1 && len > 3 && !memcmp(line, "\xef\xbb\xbf", 3)) {
		line += 3;
		len -= 3;
	}
	if (is_blank(line, len))
		return 0;
	record = parse_line(r->journal, line, len, why, sizeof(why));
	if (!record)
		return bad_line(r, why);
	if (tolerant && r->journal->check && r->journal->check(record, why, sizeof(why)))
		rc = bad_line(r, why);
	else {
		r->good++;
		rc = r->visitor->record(r->visitor->context, record, r->offset);
	}
	json_decref(record);
	return rc;
}

static int read_lines(struct reading *r, FILE *in)
{
	size_t size = 0;
	char *line = NULL;
	ssize_t len;
	int rc = 0;

	while (!rc && (len = getline(&line, &size, in)) > 0) {
		r->line++;
		rc = read_line(r, line, (size_t)len);
		r->offset += (uint64_t)len;
	}
	if (!rc && ferror(in))
		rc = result_error(-EIO, r->err, r->errlen, "cannot read %s: %s", r->path,
				  strerror(errno));
	free(line);
	if (!rc && r->bad && !r->good) {
		size_t used = strlen(r->err);

		if (r->bad > 1 && used < r->errlen)
			snprintf(r->err + used, r->errlen - used,
				 " (and so on: none of its %zu records can be used)", r->bad);
		rc = -EBADMSG;
	}
	return rc;
}

static int read_journal(const struct journal *j, const char *path,
			const struct result_visitor *visitor, char *err, size_t errlen)
{
	struct reading r = {.journal = j, .visitor = visitor, .err = err, .errlen = errlen};
	char file[PATH_MAX];
	struct stat st;
	FILE *in;
	int rc;

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
	r.path = file;
	rc = read_lines(&r, in);
	fclose(in);
	return rc;
}

int result_each_trial(const char *path, const struct result_visitor *visitor, char *err,
		      size_t errlen)
{
	return read_journal(&trials_journal, path, visitor, err, errlen);
}

int result_each_test(const char *path, const struct result_visitor *visitor, char *err,
		     size_t errlen)
{
	return read_journal(&tests_journal, path, visitor, err, errlen);
}

static int keep(void *records, json_t *record, uint64_t offset)
{
	(void)offset;
	return json_array_append(records, record) ? -ENOMEM : 0;
}

static int read_records(const struct journal *j, const char *path, json_t **records, char *err,
			size_t errlen)
{
	struct result_visitor visitor = {.record = keep};
	int rc;

	*records = visitor.context = json_array();
	rc = read_journal(j, path, &visitor, err, errlen);
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

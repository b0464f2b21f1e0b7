/*
 * A result folder of any bytes, read as tandem-plot reads it and shown as the report shows it. The
 * input is trials.jsonl, then after a line "---" tests.jsonl, after another run.json.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "plots/load.h"
#include "plots/report.h"

static char folder[64];

static void remove_folder(void)
{
	static const char *const names[] = {"trials.jsonl", "tests.jsonl", "run.json"};
	char path[128];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static void make_folder(void)
{
	if (*folder)
		return;
	strcpy(folder, access("/dev/shm", W_OK) ? "/tmp/fuzz-XXXXXX" : "/dev/shm/fuzz-XXXXXX");
	FUZZ_CHECK(mkdtemp(folder));
	atexit(remove_folder);
}

static void put(const char *name, const uint8_t *data, size_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

/* The next part of the input, up to a line "---". */
static size_t next_part(const uint8_t **data, size_t *size)
{
	const uint8_t *end = memmem(*data, *size, "\n---\n", 5);
	size_t len = end ? (size_t)(end - *data) + 1 : *size;
	size_t gone = end ? len + 4 : len;

	*data += gone;
	*size -= gone;
	return len;
}

static void check_trials(const struct result *r)
{
	FUZZ_CHECK(r->n_trials > 0 && r->trials.n == r->n_trials);
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.trial[i];
		json_t *record = result_trial_record(r, t);

		FUZZ_CHECK(t->group < r->trials.n_groups && json_is_object(record));
		json_decref(record);
		/* Of what is not marked, nothing is negative and nothing out of order. */
		if (t->verdict == TRIAL_INVALID)
			continue;
		for (int f = 0; f < TRIAL_FIGURES; f++)
			FUZZ_CHECK(isnan(t->figure[f]) || t->figure[f] >= 0 ||
				   f == TRIAL_LOSS_RATIO);
		FUZZ_CHECK(!(t->figure[TRIAL_MIN] > t->figure[TRIAL_MAX]));
		FUZZ_CHECK(!(t->figure[TRIAL_LOSS_RATIO] > 1));
	}
}

/* Without the warnings: one a bad line would drown all else that is said. */
static int load_quietly(struct result *r, char *err, size_t errlen)
{
	static FILE *null;
	FILE *saved = stderr;
	const char *paths[] = {folder};
	int rc;

	if (!null)
		null = fopen("/dev/null", "we");
	FUZZ_CHECK(null);
	stderr = null;
	rc = results_load(paths, 1, LOAD_TRIALS, r, err, errlen);
	stderr = saved;
	return rc;
}

/* All that shows what was read; the pictures are left out, they are libplot's. */
static void show(const struct result *r)
{
	struct report report = {.results = r, .n = 1};
	char *page = NULL;
	size_t size = 0;

	report.out = open_memstream(&page, &size);
	FUZZ_CHECK(report.out);
	report_verdicts(&report);
	report_glance(&report);
	report_tables(&report);
	report_details(&report);
	report_method(&report);
	report_environment(&report);
	FUZZ_CHECK(fclose(report.out) == 0 && strlen(page) == size);
	for (size_t i = 0; i < size; i++)
		FUZZ_CHECK((unsigned char)page[i] >= 0x20 || page[i] == '\n');
	FUZZ_CHECK(!strstr(page, "<script") && !strstr(page, "<img"));
	free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"trials.jsonl", "tests.jsonl", "run.json"};
	struct result r;
	char err[512] = "";

	make_folder();
	for (size_t i = 0; i < 3; i++) {
		const uint8_t *part = data;
		size_t len = next_part(&data, &size);

		put(names[i], part, len);
	}
	if (load_quietly(&r, err, sizeof(err)) == 0) {
		check_trials(&r);
		show(&r);
	} else {
		FUZZ_CHECK(*err && !strchr(err, '\n'));
	}
	results_free(&r, 1);
	return 0;
}

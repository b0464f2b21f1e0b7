/*
 * Links to the raw records, relative to where the report stands, so that the folder can be moved
 * and served.
 */
#include "plots/report.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/results.h"
#include "plots/html.h"

/* "../other/run/" from one real folder to another. Returns false where it does not fit. */
static bool way_to(const char *from, const char *to, char *way, size_t len)
{
	size_t same = 0, used = 0;

	for (size_t i = 0;; i++) {
		const bool end_from = !from[i] || from[i] == '/', end_to = !to[i] || to[i] == '/';

		if (end_from && end_to)
			same = i;
		if (!from[i] || !to[i] || from[i] != to[i])
			break;
	}
	way[0] = '\0';
	for (const char *at = from + same; *at; at++) {
		if (*at != '/' || !at[1])
			continue;
		if (used + 4 > len)
			return false;
		used += (size_t)snprintf(way + used, len - used, "../");
	}
	to += same + (to[same] == '/');
	if (*to && snprintf(way + used, len - used, "%s/", to) >= (int)(len - used))
		return false;
	return true;
}

void report_link(const struct report *report, const struct result *r, const char *file,
		 const char *label)
{
	char real[PATH_MAX], way[2 * PATH_MAX];
	const bool known = *report->dir && realpath(r->dir, real) &&
			   way_to(report->dir, real, way, sizeof(way));

	if (known) {
		fputs("<a href=\"", report->out);
		html_url(report->out, way);
		html_url(report->out, file);
		fputs("\">", report->out);
	}
	html_text(report->out, label);
	if (known)
		fputs("</a>", report->out);
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

bool report_hgrm(const struct result *r, const json_t *trial, char *name, size_t len)
{
	const json_t *number = json_object_get(trial, "trial");
	const struct dirent *entry;
	char end[40];
	DIR *dir;
	bool found = false;

	if (!json_is_integer(number))
		return false;
	snprintf(end, sizeof(end), "-t%lld.hgrm", (long long)json_integer_value(number));
	dir = opendir(r->dir);
	while (dir && !found && (entry = readdir(dir))) {
		/* Of two directions the trial's own. */
		const char *direction = result_str(trial, "direction");
		char both[64];

		snprintf(both, sizeof(both), "-%c-%c%s", direction && *direction ? *direction : '?',
			 direction && strlen(direction) >= 3 ? direction[2] : '?', end);
		found = ends_with(entry->d_name, both);
		if (found)
			snprintf(name, len, "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static int is_record(const struct dirent *entry)
{
	static const char *const ends[] = {".json", ".jsonl", ".csv", ".txt", ".yaml"};

	if (entry->d_name[0] == '.')
		return 0;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(entry->d_name, ends[i]))
			return 1;
	return 0;
}

static int is_percentiles(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ends_with(entry->d_name, ".hgrm");
}

/* A link a file; returns how many there were. */
static int put_files(const struct report *report, const struct result *r,
		     int (*wanted)(const struct dirent *entry))
{
	struct dirent **entries = NULL;
	int n = scandir(r->dir, &entries, wanted, alphasort);

	if (n > 0)
		fputs("<ul class=\"files\">\n", report->out);
	for (int i = 0; i < n; i++) {
		fputs("<li>", report->out);
		report_link(report, r, entries[i]->d_name, entries[i]->d_name);
		fputs("</li>\n", report->out);
		free(entries[i]);
	}
	if (n > 0)
		fputs("</ul>\n", report->out);
	free(entries);
	return n;
}

void report_files(const struct report *report)
{
	report_section(report, "records", "Raw records");
	fputs("<p class=\"note\">Beside this page, in the formats of Tandem's results/README.md. "
	      "trials.jsonl holds all that is known of each trial.</p>\n",
	      report->out);
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		put_files(report, r, is_record);
		fputs("<details>\n<summary>Latency percentiles of single trials (HdrHistogram "
		      "text)</summary>\n",
		      report->out);
		if (put_files(report, r, is_percentiles) <= 0)
			fputs("<p class=\"note\">None.</p>\n", report->out);
		fputs("</details>\n", report->out);
	}
	fputs("</section>\n", report->out);
}

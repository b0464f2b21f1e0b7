/*
 * Reading percentile text: a heading, rows of numbers, and lines of "#" with the summary.
 */
#include "plots/hgrm.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_LEN 512
#define ROWS_MAX     1000000u

static int add_row(struct hgrm *h, size_t *room, const struct hgrm_row *row)
{
	if (h->n == *room) {
		size_t more = *room ? 2 * *room : 128;
		struct hgrm_row *grown =
			more <= ROWS_MAX ? realloc(h->row, more * sizeof(*grown)) : NULL;

		if (!grown)
			return -ENOMEM;
		h->row = grown;
		*room = more;
	}
	h->row[h->n++] = *row;
	return 0;
}

/* A row of the table. Values and counts never fall. */
static bool parse_row(const char *line, const struct hgrm *h, struct hgrm_row *row)
{
	char *end;

	row->value = strtod(line, &end);
	if (end == line)
		return false;
	row->quantile = strtod(end, &end);
	row->count = strtod(end, &end);
	if (!isfinite(row->value) || !(row->quantile >= 0 && row->quantile <= 1) ||
	    !(row->count >= 0) || !isfinite(row->count))
		return false;
	return !h->n ||
	       (row->value >= h->row[h->n - 1].value && row->count >= h->row[h->n - 1].count &&
		row->quantile >= h->row[h->n - 1].quantile);
}

int hgrm_read(const char *path, struct hgrm *h, char *err, size_t errlen)
{
	char line[LINE_MAX_LEN];
	size_t room = 0;
	unsigned long number = 0;
	FILE *f = fopen(path, "re");
	int rc = 0;

	*h = (struct hgrm){0};
	if (!f) {
		rc = -errno;
		snprintf(err, errlen, "%s: %s", path, strerror(-rc));
		return rc;
	}
	while (rc == 0 && fgets(line, sizeof(line), f)) {
		const char *text = line + strspn(line, " \t\r\n");
		struct hgrm_row row;

		number++;
		if (!*text || *text == '#' || !strncmp(text, "Value", 5))
			continue;
		rc = parse_row(text, h, &row) ? add_row(h, &room, &row) : -EINVAL;
		if (rc == -EINVAL)
			snprintf(err, errlen,
				 "%s, line %lu: no row of percentile text (Value Percentile "
				 "TotalCount)",
				 path, number);
		else if (rc)
			snprintf(err, errlen, "%s: too many rows", path);
	}
	fclose(f);
	if (rc == 0 && h->n == 0) {
		snprintf(err, errlen, "%s: no percentile text in it", path);
		rc = -EINVAL;
	}
	if (rc)
		hgrm_free(h);
	return rc;
}

void hgrm_free(struct hgrm *h)
{
	free(h->row);
	*h = (struct hgrm){0};
}

bool hgrm_name(const char *file, struct hgrm_name *name)
{
	char kind[8];
	int end = 0;

	*name = (struct hgrm_name){0};
	if (sscanf(file, "%31[^-]-%uB-%7[a-z]-%c-%c-t%lu.hgrm%n", name->path, &name->frame_size,
		   kind, &name->from, &name->to, &name->trial, &end) != 6 ||
	    !end || file[end])
		return false;
	name->paced = strcmp(kind, "paced") == 0;
	return name->paced || strcmp(kind, "max") == 0;
}

/*
 * What the sections of a report share.
 */
#include "plots/report.h"

#include "common/table.h"
#include "plots/html.h"

void report_section(const struct report *report, const char *id, const char *heading)
{
	fprintf(report->out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">", id,
		id, id);
	html_text(report->out, heading);
	fputs("</h2>\n", report->out);
}

void report_result_name(const struct report *report, const struct result *r)
{
	if (report->n < 2)
		return;
	fputs("<h3 class=\"result\">", report->out);
	html_text(report->out, r->name);
	fputs("</h3>\n", report->out);
}

char *report_row_title(const json_t *row, char *text, size_t len)
{
	FILE *out = fmemopen(text, len, "w");

	text[0] = '\0';
	if (out) {
		table_title(out, row);
		fclose(out);
	}
	text[len - 1] = '\0';
	return text;
}

void report_field(FILE *out, const char *name, const json_t *value)
{
	fputs("<tr><th scope=\"row\">", out);
	html_text(out, name);
	fputs("</th><td class=\"text\">", out);
	html_value(out, value);
	fputs("</td></tr>\n", out);
}

static void put_fields(FILE *out, const char *name, const json_t *value, int depth)
{
	const char *key;
	char path[256];
	json_t *inside;
	size_t i;

	if (depth > 8) {
		report_field(out, name, NULL);
	} else if (json_is_object(value)) {
		json_object_foreach ((json_t *)(uintptr_t)value, key, inside) {
			snprintf(path, sizeof(path), "%.120s%s%.120s", name, *name ? "." : "", key);
			put_fields(out, path, inside, depth + 1);
		}
	} else if (json_is_array(value) && (json_is_object(json_array_get(value, 0)) ||
					    json_is_array(json_array_get(value, 0)))) {
		json_array_foreach (value, i, inside) {
			snprintf(path, sizeof(path), "%.200s[%zu]", name, i);
			put_fields(out, path, inside, depth + 1);
		}
	} else {
		report_field(out, name, value);
	}
}

void report_fields(FILE *out, const char *name, const json_t *value)
{
	put_fields(out, name, value, 0);
}

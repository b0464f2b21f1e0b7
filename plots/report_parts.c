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

/*
 * Escaping, and tables from the same descriptions as those on the screen.
 */
#include "plots/html.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/results.h"
#include "common/table.h"

#define CELL_WIDTH 40 /* room for any figure with all its decimals */

/* Length of the UTF-8 character at s, 0 where there is none. */
static size_t utf8_length(const unsigned char *s)
{
	const size_t len = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	if (*s > 0xf4 || (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

void html_text(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		size_t len = utf8_length(s);

		if (strchr("&<>\"'", *s))
			fprintf(out, "&#%u;", *s);
		else if (len == 0)
			fputs("\xef\xbf\xbd", out);
		else if (iscntrl(*s) || (*s == 0xc2 && s[1] < 0xa0)) /* C0, DEL, C1 */
			fputc(' ', out);
		else
			fwrite(s, 1, len, out);
		s += len ? len : 1;
	}
}

void html_textf(FILE *out, const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	html_text(out, text);
}

void html_url(FILE *out, const char *path)
{
	/* "a:b" would be an address of its own. */
	if (strcspn(path, ":") < strcspn(path, "/"))
		fputs("./", out);
	for (const unsigned char *s = (const unsigned char *)path; *s; s++) {
		if (isalnum(*s) || strchr("/-._~", *s))
			fputc(*s, out);
		else
			fprintf(out, "%%%02X", *s);
	}
}

void html_value(FILE *out, const json_t *value)
{
	if (json_is_string(value)) {
		html_text(out, json_string_value(value));
	} else if (json_is_array(value) && json_array_size(value)) {
		for (size_t i = 0; i < json_array_size(value); i++) {
			fputs(i ? "; " : "", out);
			html_value(out, json_array_get(value, i));
		}
	} else if (!value || json_is_null(value) || json_is_array(value)) {
		fputs("-", out);
	} else if (json_is_boolean(value)) {
		fputs(json_is_true(value) ? "yes" : "no", out);
	} else {
		char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

		html_text(out, text ? text : "-");
		free(text);
	}
}

static void put_groups(FILE *out, const struct column *columns, bool remarks)
{
	const char *group = "";
	int span = 0;

	fputs("<tr>", out);
	for (const struct column *c = columns; c->heading; c++) {
		if (c->group)
			group = c->group;
		span++;
		if (!report_ends_group(c))
			continue;
		if (*group) {
			fprintf(out, "<th colspan=\"%d\" scope=\"colgroup\" class=\"group\">",
				span);
			html_text(out, group);
			fputs("</th>", out);
		} else {
			fprintf(out, "<td colspan=\"%d\"></td>", span);
		}
		span = 0;
	}
	fprintf(out, "%s</tr>\n", remarks ? "<td></td>" : "");
}

static void put_headings(FILE *out, const struct column *columns, const struct table_unit *unit,
			 bool remarks)
{
	fputs("<tr>", out);
	for (const struct column *c = columns; c->heading; c++) {
		fprintf(out, "<th scope=\"col\"%s>",
			c->group && *c->group ? " class=\"first\"" : "");
		html_text(out, c->heading);
		fprintf(out, "%s</th>", c->cell == CELL_RATE ? unit->name : "");
	}
	fprintf(out, "%s</tr>\n", remarks ? "<th scope=\"col\" class=\"text\">remark</th>" : "");
}

/* A cell's text without the blanks that line it up on a screen. */
static void put_cell(FILE *out, const struct column *c, const json_t *row,
		     const struct table_unit *unit)
{
	char *text = NULL;
	const char *at;
	size_t len;
	FILE *cell = open_memstream(&text, &len);

	if (!cell)
		return;
	report_cell(c, CELL_WIDTH, row, unit, cell);
	if (fclose(cell) == 0) {
		at = text + strspn(text, " ");
		html_text(out, at);
	}
	free(text);
}

static bool put_mark(FILE *out, const struct column *c, const json_t *row)
{
	char mark = c->mark ? table_mark(result_get(row, c->mark)) : ' ';

	if (mark == 'd')
		fputs("<abbr class=\"mark disturbed\" title=\"disturbed\">d</abbr>", out);
	else if (mark == '!')
		fputs("<abbr class=\"mark invalid\" title=\"invalid\">!</abbr>", out);
	return mark != ' ';
}

static bool put_row(FILE *out, const struct column *columns, const json_t *row,
		    const struct table_unit *unit)
{
	bool marked = false;

	fputs("<tr>", out);
	for (const struct column *c = columns; c->heading; c++) {
		if (c == columns)
			fputs("<th scope=\"row\">", out);
		else
			fprintf(out, "<td%s>", c->group && *c->group ? " class=\"first\"" : "");
		put_cell(out, c, row, unit);
		marked |= put_mark(out, c, row);
		fputs(c == columns ? "</th>" : "</td>", out);
	}
	return marked;
}

static bool any_remark(const json_t *rows,
		       void (*remark)(const json_t *row, char *text, size_t len))
{
	char text[192] = "";

	for (size_t i = 0; remark && i < json_array_size(rows) && !*text; i++)
		remark(json_array_get(rows, i), text, sizeof(text));
	return *text;
}

bool html_table(FILE *out, const char *caption, const struct column *columns, const json_t *rows,
		void (*remark)(const json_t *row, char *text, size_t len))
{
	const struct table_unit unit = report_rate_unit(columns, rows);
	const bool remarks = any_remark(rows, remark);
	bool marked = false;
	char text[192];

	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
	html_text(out, caption);
	fputs("\">\n<table>\n<caption>", out);
	html_text(out, caption);
	fputs("</caption>\n<thead>\n", out);
	put_groups(out, columns, remarks);
	put_headings(out, columns, &unit, remarks);
	fputs("</thead>\n<tbody>\n", out);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		marked |= put_row(out, columns, json_array_get(rows, i), &unit);
		if (remarks) {
			remark(json_array_get(rows, i), text, sizeof(text));
			fputs("<td class=\"text\">", out);
			html_text(out, text);
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
	return marked;
}

/*
 * What all tables share, so that they look alike.
 */
#include "common/table.h"

#include "common/results.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct table_unit table_rate_unit(double min, double max)
{
	static const struct table_unit units[] = {{"Mpps", 1e6}, {"kpps", 1e3}, {"pps", 1}};
	size_t u = 0;

	while (u < 2 && max < units[u].factor)
		u++;
	while (u < 2 && min < units[u].factor / 10 && max < units[u + 1].factor * 1e5)
		u++;
	return units[u];
}

void table_number(FILE *out, int width, double value, int decimals)
{
	char text[64];

	if (!isfinite(value)) {
		fprintf(out, "%*s", width, "-");
		return;
	}
	do {
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	} while ((int)strlen(text) >= width && decimals-- > 0);
	if ((int)strlen(text) >= width)
		snprintf(text, sizeof(text), "%.0e", value);
	fprintf(out, "%*s", width, text);
}

void table_loss(FILE *out, int width, double ratio)
{
	if (ratio == 0)
		fprintf(out, "%*s", width, "0");
	else if (ratio > 0 && ratio < 0.5e-6)
		fprintf(out, "%*s", width, "<0.0001");
	else
		table_number(out, width, ratio * 100, 4);
}

void table_group(FILE *out, int width, const char *text)
{
	int left = (width - (int)strlen(text)) / 2;

	fprintf(out, "%*s%-*s |", left, "", width - left, text);
}

void table_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? ' ' : *text, out);
}

void table_title(FILE *out, const json_t *record)
{
	const char *path = result_str(record, "path"), *direction = result_str(record, "direction");
	const char *stream = result_str(record, "stream");

	table_text(out, path ? path : "unknown");
	fputs(" path", out);
	if (direction) {
		fputs(", ports ", out);
		table_text(out, direction);
	}
	if (stream && strcmp(stream, "all")) {
		fputs(", stream ", out);
		table_text(out, stream);
	}
}

char table_mark(const json_t *trial)
{
	const char *verdict = result_str(trial, "verdict");

	if (!json_is_object(trial) || (verdict && !strcmp(verdict, "valid")))
		return ' ';
	return verdict && !strcmp(verdict, "disturbed") ? 'd' : '!';
}

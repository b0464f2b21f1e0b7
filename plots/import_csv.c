/*
 * CSV: IxNetwork's AggregateResults.csv, Spirent TestCenter's RFC 2544 results, and the plain one
 * of results/README.md. They differ in the names of their columns alone, which say the units, too.
 */
#include "plots/import.h"

#include <csv.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

#define COLUMNS_MAX  128u
#define HEADING_ROWS 40u /* rows before the heading: titles, notes */

enum quantity {
	Q_NONE,
	Q_SIZE,
	Q_OFFERED,
	Q_SENT,
	Q_RECEIVED,
	Q_RX,
	Q_FOUND,
	Q_UPPER,
	Q_LOSS,
	Q_MIN,
	Q_MEAN,
	Q_P50,
	Q_P90,
	Q_P99,
	Q_P999,
	Q_P9999,
	Q_MAX,
	Q_CPU,
	QUANTITIES
};

enum unit { U_PLAIN, U_SHARE, U_FRAMES, U_BITS, U_TIME };

/* Names without their unit, spaces, case and punctuation. */
static const struct {
	const char *stem;
	enum quantity quantity;
} stems[] = {
	{"framesize", Q_SIZE},
	{"configuredframesize", Q_SIZE},
	{"size", Q_SIZE},
	{"aggtxrate", Q_OFFERED},
	{"txrate", Q_OFFERED},
	{"offeredload", Q_OFFERED},
	{"intendedload", Q_OFFERED},
	{"offered", Q_OFFERED},
	{"aggtxcount", Q_SENT},
	{"txframecount", Q_SENT},
	{"sent", Q_SENT},
	{"aggrxcount", Q_RECEIVED},
	{"rxframecount", Q_RECEIVED},
	{"received", Q_RECEIVED},
	{"aggrxthroughput", Q_RX},
	{"forwardingrate", Q_RX},
	{"rx", Q_RX},
	{"throughput", Q_FOUND},
	{"upperbound", Q_UPPER},
	{"percentloss", Q_LOSS},
	{"aggloss", Q_LOSS},
	{"frameloss", Q_LOSS},
	{"loss", Q_LOSS},
	{"minlatency", Q_MIN},
	{"aggminlatency", Q_MIN},
	{"minimumlatency", Q_MIN},
	{"latencymin", Q_MIN},
	{"avglatency", Q_MEAN},
	{"aggavglatency", Q_MEAN},
	{"averagelatency", Q_MEAN},
	{"latencyavg", Q_MEAN},
	{"latencymean", Q_MEAN},
	{"latencyp50", Q_P50},
	{"latencyp90", Q_P90},
	{"latencyp99", Q_P99},
	{"latencyp999", Q_P999},
	{"latencyp9999", Q_P9999},
	{"maxlatency", Q_MAX},
	{"aggmaxlatency", Q_MAX},
	{"maximumlatency", Q_MAX},
	{"latencymax", Q_MAX},
	{"cpu", Q_CPU},
	{"cpubusy", Q_CPU},
};

static const struct {
	const char *name;
	enum unit unit;
	double scale;
} units[] = {
	{"%", U_SHARE, 0.01},	    {"percent", U_SHARE, 0.01}, {"%linerate", U_SHARE, 0.01},
	{"ratio", U_SHARE, 1},	    {"fps", U_FRAMES, 1},	{"pps", U_FRAMES, 1},
	{"frames/s", U_FRAMES, 1},  {"kpps", U_FRAMES, 1e3},	{"mpps", U_FRAMES, 1e6},
	{"bps", U_BITS, 1},	    {"kbps", U_BITS, 1e3},	{"mbps", U_BITS, 1e6},
	{"gbps", U_BITS, 1e9},	    {"ns", U_TIME, 1},		{"us", U_TIME, 1e3},
	{"\xc2\xb5s", U_TIME, 1e3}, {"usec", U_TIME, 1e3},	{"ms", U_TIME, 1e6},
	{"s", U_TIME, 1e9},	    {"frames", U_PLAIN, 1},	{"bytes", U_PLAIN, 1},
};

struct column {
	enum quantity quantity;
	enum unit unit;
	double scale;
};

struct reading {
	const struct import_file *file;
	struct result *result;
	enum load load;
	bool decimal_comma;
	const char *source;
	char own_source[64]; /* that a comment of the file names */
	bool has_heading;
	size_t n_columns, at;
	struct column column[COLUMNS_MAX];
	/* The row being read: the first column of a quantity counts. */
	double value[QUANTITIES];
	enum unit unit[QUANTITIES];
	size_t row;
	char first[160]; /* what the rows before a heading began with */
	int rc;
};

static const char *find_unit(const char *text, size_t len, struct column *c)
{
	char name[24];
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < sizeof(name); i++)
		if (!isspace((unsigned char)text[i]))
			name[n++] = (char)tolower((unsigned char)text[i]);
	name[n] = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].name, name) == 0) {
			c->unit = units[i].unit;
			c->scale = units[i].scale;
			return units[i].name;
		}
	}
	return NULL;
}

/* "Agg Rx Throughput (fps)", "latency_p99_us": what a column holds. */
static struct column column_of(const char *name)
{
	struct column c = {Q_NONE, U_PLAIN, 1};
	const char *open = strchr(name, '('), *close = open ? strchr(open, ')') : NULL;
	size_t len = strlen(name), n = 0;
	char stem[64];

	if (open && close) {
		if (!find_unit(open + 1, (size_t)(close - open - 1), &c))
			c.unit = U_PLAIN;
		len = (size_t)(open - name);
	} else {
		const char *tail = strrchr(name, '_');

		if (tail && find_unit(tail + 1, strlen(tail + 1), &c))
			len = (size_t)(tail - name);
	}
	for (size_t i = 0; i < len && n + 1 < sizeof(stem); i++)
		if (isalnum((unsigned char)name[i]))
			stem[n++] = (char)tolower((unsigned char)name[i]);
	stem[n] = '\0';
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (strcmp(stems[i].stem, stem) == 0)
			c.quantity = stems[i].quantity;
	if (c.quantity == Q_LOSS && strcmp(stem, "percentloss") == 0 && c.unit == U_PLAIN)
		c = (struct column){Q_LOSS, U_SHARE, 0.01};
	/* Spirent's are of results; a rate without a unit is in frames. */
	if ((c.quantity == Q_OFFERED || c.quantity == Q_RX || c.quantity == Q_FOUND ||
	     c.quantity == Q_UPPER) &&
	    c.unit == U_PLAIN)
		c.unit = U_FRAMES;
	return c;
}

/* A number with a decimal point or comma and thousands apart, as spreadsheets write it. */
static double number(const char *text, bool decimal_comma)
{
	char plain[64], *end;
	size_t n = 0;
	double value;

	for (; *text && n + 1 < sizeof(plain); text++) {
		if (isspace((unsigned char)*text) || *text == '%' || *text == '\'')
			continue;
		if (*text == ',' || *text == '.') {
			bool decimal = (*text == ',') == decimal_comma;

			if (decimal)
				plain[n++] = '.';
			continue;
		}
		plain[n++] = *text;
	}
	plain[n] = '\0';
	value = strtod(plain, &end);
	return n && !*end && isfinite(value) ? value : NAN;
}

static void on_cell(void *cell, size_t len, void *context)
{
	struct reading *r = context;
	const char *text = cell ? cell : "";
	double value;

	(void)len;
	if (r->at == 0 && !r->has_heading && !*r->first)
		import_words(text, r->first, sizeof(r->first));
	if (r->at == COLUMNS_MAX)
		return;
	if (!r->has_heading) {
		r->column[r->at++] = column_of(text);
		return;
	}
	if (r->at < r->n_columns) {
		const struct column *c = &r->column[r->at];

		value = number(text, r->decimal_comma) * c->scale;
		if (c->quantity != Q_NONE && isfinite(value) &&
		    (isnan(r->value[c->quantity]) || c->unit == U_FRAMES)) {
			/* Frames a second need nothing else to be understood. */
			r->value[c->quantity] = value;
			r->unit[c->quantity] = c->unit;
		}
	}
	r->at++;
}

static bool is_heading(const struct reading *r)
{
	bool size = false;
	size_t known = 0;

	for (size_t i = 0; i < r->at; i++) {
		size |= r->column[i].quantity == Q_SIZE;
		known += r->column[i].quantity != Q_NONE;
	}
	return size && known >= 2;
}

/* A rate in frames a second; shares of a line rate need one that is known. */
static double rate(const struct reading *r, enum quantity q, double line_pps)
{
	double value = r->value[q], size = r->value[Q_SIZE];

	switch (r->unit[q]) {
	case U_SHARE:
		return value * line_pps;
	case U_BITS:
		return size > 0 ? value / (8 * size) : NAN;
	default:
		return value;
	}
}

static void take_row(struct reading *r)
{
	struct imported row = imported_unknown(r->source);
	const bool counts = r->unit[Q_RX] == U_FRAMES && r->unit[Q_FOUND] == U_SHARE;
	/* Both in the file: then the line rate is, too. */
	double line_pps = counts ? r->value[Q_RX] / r->value[Q_FOUND] : NAN;

	if (!(r->value[Q_SIZE] > 0))
		return;
	row.frame_size = r->value[Q_SIZE];
	row.rx_pps = rate(r, Q_RX, line_pps);
	row.offered_pps = rate(r, Q_OFFERED, line_pps);
	row.line_share = r->unit[Q_OFFERED] == U_SHARE ? r->value[Q_OFFERED] : NAN;
	row.sent = r->value[Q_SENT];
	row.received = r->value[Q_RECEIVED];
	row.loss_ratio = r->value[Q_LOSS];
	row.min = r->value[Q_MIN];
	row.mean = r->value[Q_MEAN];
	row.max = r->value[Q_MAX];
	row.p50 = r->value[Q_P50];
	row.p90 = r->value[Q_P90];
	row.p99 = r->value[Q_P99];
	row.p999 = r->value[Q_P999];
	row.p9999 = r->value[Q_P9999];
	row.cpu_busy = r->value[Q_CPU];
	row.lower_pps = rate(r, Q_FOUND, line_pps);
	row.upper_pps = rate(r, Q_UPPER, line_pps);
	/* An RFC 2544 tester's last row of a size is what it found. */
	if (!isfinite(row.lower_pps) && strcmp(r->source, "IxNetwork") == 0)
		row.lower_pps = row.rx_pps;
	row.found = "throughput";
	r->rc = import_take(r->result, r->load, &row);
}

static void on_row(int end, void *context)
{
	struct reading *r = context;

	(void)end;
	r->row++;
	if (r->rc == 0 && !r->has_heading && is_heading(r)) {
		r->has_heading = true;
		r->n_columns = r->at;
	} else if (r->rc == 0 && r->has_heading) {
		take_row(r);
	}
	for (size_t q = 0; q < QUANTITIES; q++)
		r->value[q] = NAN;
	memset(r->unit, 0, sizeof(r->unit));
	r->at = 0;
}

/* The character that parts the columns of the first lines. */
static char delimiter(const char *text)
{
	static const char candidates[] = {',', ';', '\t'};
	size_t count[3] = {0}, lines = 0;

	for (; *text && lines < HEADING_ROWS; text++) {
		lines += *text == '\n';
		for (size_t i = 0; i < 3; i++)
			count[i] += *text == candidates[i];
	}
	/* With semicolons the commas are those of numbers. */
	if (count[1] >= count[2] && count[1] > 0 && count[1] * 3 >= count[0])
		return ';';
	return count[2] > count[0] ? '\t' : ',';
}

/* "# source: NAME" in the plain CSV; else whose columns they are. */
static void find_source(struct reading *r)
{
	const char *comment = strstr(r->file->text, "# source:");
	char name[64];

	r->source = "CSV";
	if (strstr(r->file->text, "Agg Rx") || strstr(r->file->text, "Agg Tx"))
		r->source = "IxNetwork";
	else if (strstr(r->file->text, "ForwardingRate") || strstr(r->file->text, "OfferedLoad"))
		r->source = "Spirent";
	if (comment && sscanf(comment, "# source: %63[^\r\n,;]", name) == 1)
		r->source = import_words(name, r->own_source, sizeof(r->own_source));
}

static bool knows(const struct import_file *file)
{
	(void)file;
	return true; /* the last one asked */
}

/* Lines that begin with "#" are comments; libcsv knows none. */
static char *without_comments(const struct import_file *file, size_t *len)
{
	char *text = malloc(file->len + 1), *to = text;

	for (const char *line = file->text; text && *line;) {
		size_t n = strcspn(line, "\n");

		n += line[n] == '\n';
		if (*line != '#') {
			memcpy(to, line, n);
			to += n;
		}
		line += n;
	}
	if (text)
		*to = '\0';
	*len = text ? (size_t)(to - text) : 0;
	return text;
}

static int take(const struct import_file *file, struct result *result, enum load load, char *err,
		size_t errlen)
{
	struct reading *r = calloc(1, sizeof(*r));
	struct csv_parser parser;
	size_t len = 0;
	char *text = without_comments(file, &len);
	int rc = r && text && !csv_init(&parser, CSV_APPEND_NULL) ? 0 : -ENOMEM;

	if (rc) {
		free(r);
		free(text);
		return rc;
	}
	r->file = file;
	r->result = result;
	r->load = load;
	find_source(r);
	for (size_t q = 0; q < QUANTITIES; q++)
		r->value[q] = NAN;
	csv_set_delim(&parser, (unsigned char)delimiter(text));
	r->decimal_comma = delimiter(text) == ';';
	if (csv_parse(&parser, text, len, on_cell, on_row, r) != len ||
	    csv_fini(&parser, on_cell, on_row, r))
		r->rc = -EINVAL;
	csv_free(&parser);
	rc = r->rc;
	if (!r->has_heading)
		snprintf(err, errlen,
			 "%s: no layout that is known: its first column is '%.60s'; needed is a "
			 "frame size (Framesize, ConfiguredFrameSize, frame_size) beside rates or "
			 "latencies with their units (see results/README.md)",
			 file->path, r->first);
	else if (rc == -EINVAL)
		snprintf(err, errlen, "%s: broken CSV near row %zu", file->path, r->row + 1);
	if (!r->has_heading)
		rc = -EINVAL;
	/* A source's name lives in r: records have copies of their own. */
	free(r);
	free(text);
	return rc;
}

const struct import_format import_csv = {"CSV", knows, take};

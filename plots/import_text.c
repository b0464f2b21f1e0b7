/*
 * Text: HdrHistogram's percentiles, and the statistics that testpmd and DPDK's KNI sample print.
 */
#include "plots/import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/hgrm.h"

static bool knows_hgrm(const struct import_file *file)
{
	const char *text = file->text + strspn(file->text, " \t\r\n");

	return strncmp(text, "Value", 5) == 0 && strstr(text, "Percentile") &&
	       strstr(text, "TotalCount");
}

/* The first value at or over a quantile. */
static double at_quantile(const struct hgrm *h, double q)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->row[i].quantile >= q - 1e-12)
			return h->row[i].value;
	return NAN;
}

/* Ours are nanoseconds and so are taken others. */
static int take_hgrm(const struct import_file *file, struct result *r, enum load load, char *err,
		     size_t errlen)
{
	struct imported row = imported_unknown("HdrHistogram");
	const char *name = strrchr(file->path, '/');
	struct hgrm_name own;
	struct hgrm h;
	int rc = hgrm_read(file->path, &h, err, errlen);

	if (rc)
		return -EINVAL;
	if (hgrm_name(name ? name + 1 : file->path, &own))
		row.frame_size = own.frame_size;
	row.min = h.row[0].value;
	row.max = h.row[h.n - 1].value;
	row.p50 = at_quantile(&h, 0.5);
	row.p90 = at_quantile(&h, 0.9);
	row.p99 = at_quantile(&h, 0.99);
	row.p999 = at_quantile(&h, 0.999);
	row.p9999 = at_quantile(&h, 0.9999);
	row.received = h.row[h.n - 1].count;
	hgrm_free(&h);
	return import_take(r, load, &row);
}

static bool knows_testpmd(const struct import_file *file)
{
	return strstr(file->text, "NIC statistics for port") ||
	       strstr(file->text, "Forward statistics for port") ||
	       strstr(file->text, "KNI statistics") || strstr(file->text, "KNI example statistics");
}

/* Sum of the numbers behind every "NAME: ". */
static double sum_of(const char *text, const char *name)
{
	double sum = 0;
	bool any = false;

	while ((text = strstr(text, name))) {
		char *end;
		double value;

		text += strlen(name);
		value = strtod(text, &end);
		if (end != text) {
			sum += value;
			any = true;
		}
	}
	return any ? sum : NAN;
}

/* The sample's table: rows of numbers, "0  0/ 1  rx rx_dropped tx tx_dropped". */
static void take_kni_rows(const char *text, struct imported *row)
{
	double rx = 0, dropped = 0;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		double a, b, c, d;
		int port, from, to;

		line += *line == '\n';
		if (sscanf(line, " %d %d/ %d %lf %lf %lf %lf", &port, &from, &to, &a, &b, &c, &d) !=
		    7)
			continue;
		rx += c;
		dropped += b + d;
	}
	row->received = rx;
	row->sent = rx + dropped;
}

static int take_testpmd(const struct import_file *file, struct result *r, enum load load, char *err,
			size_t errlen)
{
	const char *last = file->text, *at;
	struct imported row = imported_unknown("testpmd");

	if (strstr(file->text, "KNI")) {
		row.source = "KNI sample";
		for (at = file->text; (at = strstr(at, "KNI")); at++)
			if (strstr(at, "rx_packets"))
				last = at;
		take_kni_rows(last, &row);
	} else {
		/* The last block of each port says how it ended. */
		for (at = file->text; (at = strstr(at, "Accumulated forward statistics")); at++)
			last = at;
		row.received = sum_of(last, "TX-packets:");
		row.sent = sum_of(last, "RX-packets:");
		row.rx_pps = sum_of(last, "Tx-pps:");
		row.offered_pps = sum_of(last, "Rx-pps:");
	}
	if (!isfinite(row.received) && !isfinite(row.rx_pps)) {
		snprintf(err, errlen, "%s: statistics without RX-packets or TX-packets",
			 file->path);
		return -EINVAL;
	}
	return import_take(r, load, &row);
}

const struct import_format import_hgrm = {"HdrHistogram", knows_hgrm, take_hgrm};
const struct import_format import_testpmd = {"testpmd", knows_testpmd, take_testpmd};

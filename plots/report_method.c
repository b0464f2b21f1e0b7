/*
 * How it was measured: stamp points, clock, floor, what the words mean.
 */
#include "plots/report.h"

#include <math.h>
#include <string.h>

#include "common/results.h"
#include "common/units.h"
#include "plots/floor.h"
#include "plots/html.h"

static const struct {
	const char *word, *meaning;
} words[] = {
	{"Frame size",
	 "bytes with the 4-byte FCS (RFC 2544). L2 rates count it, L1 rates 20 bytes more "
	 "(preamble, start delimiter, gap)."},
	{"Latency",
	 "the round trip of every received frame, from the TX to the RX stamp point. Minimum, "
	 "mean and maximum are exact, percentiles within 0.1 %. Clean: without frames that "
	 "were under way while the generator itself was stalled."},
	{"Offered",
	 "frames due by the schedule: sent, refused (the transmit ring was full) and unsent "
	 "(the generator was late)."},
	{"Lost",
	 "sent less received, after waiting for stragglers. On a link without a wire a refused "
	 "frame counts as lost at the DUT's door."},
	{"Forwarding rate",
	 "what comes back while the generator sends as fast as the port takes frames "
	 "(RFC 2285). Throughput (RFC 1242) is the highest rate without loss, found "
	 "by a search."},
	{"PDV",
	 "99.9th percentile less minimum (RFC 8219). Typical latency is the median, worst-case "
	 "latency the 99.9th percentile."},
	{"Verdict",
	 "valid; disturbed: the accounts close and the figures stand, but the host got in the "
	 "way; invalid: impossible counters, no sample, or the link was lost."},
};

static void put_term(FILE *out, const char *term, const char *text)
{
	if (!text || !*text)
		return;
	fputs("<dt>", out);
	html_text(out, term);
	fputs("</dt><dd>", out);
	html_text(out, text);
	fputs("</dd>\n", out);
}

static void put_selftest(const struct report *report, const struct result *r)
{
	const json_t *selftest = result_get(r->run, "selftest");
	struct floor floor;
	char ignored[256], text[400], ns[32], rate[32];

	if (floor_of(r, &floor, ignored, sizeof(ignored)) < 0) {
		put_term(report->out, "Floor of this host",
			 "not known: no selftest was run before (tandem-gen ... -- selftest)");
		return;
	}
	snprintf(
		text, sizeof(text),
		"%s, what the generator's own loop takes (selftest%s%.40s%s%.40s); a DUT's latency "
		"cannot be measured more finely. Highest rate of the loop: %s.",
		ns_format(floor.ns, ns, sizeof(ns)), floor.started ? " of " : "",
		floor.started ? floor.started : "", floor.loop ? ", over " : "",
		floor.loop ? floor.loop : "",
		si_format(result_num(selftest, "highest_rate_pps"), "pps", rate, sizeof(rate)));
	put_term(report->out, "Floor of this host", text);
}

static void put_points(const struct report *report, const struct result *r)
{
	const json_t *first = json_array_get(r->summary, 0);
	const json_t *trial = json_is_object(json_object_get(first, "paced"))
				      ? json_object_get(first, "paced")
				      : json_object_get(first, "max");
	char text[200];

	report_result_name(report, r);
	fputs("<dl class=\"wide\">\n", report->out);
	put_term(report->out, "TX stamp point", result_str(r->run, "clock.tx_stamp"));
	put_term(report->out, "RX stamp point", result_str(r->run, "clock.rx_stamp"));
	put_term(report->out, "Clock", result_str(r->run, "clock.source"));
	put_selftest(report, r);
	if (!isnan(result_num(trial, "burst"))) {
		snprintf(
			text, sizeof(text),
			"up to %.0f frames a burst, %.0f UDP flows, arrival %.20s, %.4g s a trial, "
			"on a full transmit ring: %.10s",
			result_num(trial, "burst"), result_num(trial, "flows"),
			result_str(trial, "arrival") ? result_str(trial, "arrival") : "-",
			result_num(trial, "duration_s.actual"),
			result_str(trial, "on_full") ? result_str(trial, "on_full") : "-");
		put_term(report->out, "Traffic", text);
	}
	fputs("</dl>\n", report->out);
}

void report_method(const struct report *report)
{
	report_section(report, "method", "Method");
	fputs("<p>Every frame carries a stamp: a sequence number, the time of sending and a "
	      "checksum. "
	      "Each one is accounted for: received, lost, duplicate, reordered, corrupt, and how "
	      "long it took.</p>\n",
	      report->out);
	for (size_t i = 0; i < report->n; i++)
		put_points(report, &report->results[i]);
	fputs("<details>\n<summary>Words</summary>\n<dl class=\"wide\">\n", report->out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_term(report->out, words[i].word, words[i].meaning);
	fputs("</dl>\n</details>\n</section>\n", report->out);
}

/*
 * Where it was measured: the host, the ports, the DUT, the command lines; all of run.json folded
 * below.
 */
#include "plots/report.h"

#include <math.h>
#include <string.h>

#include "common/results.h"
#include "plots/html.h"

static const struct {
	const char *name, *where;
} facts[] = {
	{"Host", "host.hostname"},
	{"System", "host.os"},
	{"Kernel", "host.kernel"},
	{"CPU", "host.cpu_model"},
	{"CPUs online", "host.cpus_online"},
	{"CPUs allowed", "host.cpus_allowed"},
	{"Isolated CPUs", "host.isolated_cpus"},
	{"Governor", "host.governor"},
	{"Simultaneous multithreading", "host.smt"},
	{"Hypervisor", "host.hypervisor"},
	{"Clock source", "host.clocksource"},
	{"Load, 1 minute", "host.load_1min"},
	{"Tandem", "tandem_version"},
	{"DPDK", "dpdk_version"},
	{"DUT's path", "dut.path"},
	{"DUT's kernel path", "dut.kernel_path"},
};

static void put_facts(const struct report *report, const struct result *r)
{
	FILE *out = report->out;
	double memory = result_num(r->run, "host.memory_bytes");
	json_t *text;

	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Host and DUT\">\n"
	      "<table class=\"facts\">\n<tbody>\n",
	      out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const json_t *value = result_get(r->run, facts[i].where);

		if (value && !(json_is_string(value) && !*json_string_value(value)))
			report_field(out, facts[i].name, value);
	}
	if (!isnan(memory)) {
		text = json_sprintf("%.1f GiB", memory / (1 << 30));
		report_field(out, "Memory", text);
		json_decref(text);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}

static void put_ports(const struct report *report, const struct result *r)
{
	static const struct column columns[] = {
		{"port", CELL_NUMBER, 5, "id", 1, 0, "", NULL},
		{"name", CELL_TEXT, 40, "name", 0, 0, NULL, NULL},
		{"driver", CELL_TEXT, 40, "driver", 0, 0, NULL, NULL},
		{"link, Mbit/s", CELL_NUMBER, 12, "link_mbps", 1, 0, NULL, NULL},
		{"MTU", CELL_NUMBER, 6, "mtu", 1, 0, NULL, NULL},
		{"RX queues", CELL_NUMBER, 6, "rx_queues", 1, 0, NULL, NULL},
		{"TX queues", CELL_NUMBER, 6, "tx_queues", 1, 0, NULL, NULL},
		{"RX ring", CELL_NUMBER, 6, "rx_desc", 1, 0, NULL, NULL},
		{"TX ring", CELL_NUMBER, 6, "tx_desc", 1, 0, NULL, NULL},
		{NULL, CELL_TEXT, 0, NULL, 0, 0, NULL, NULL},
	};
	const json_t *ports = json_object_get(r->run, "ports");

	if (json_array_size(ports))
		html_table(report->out, "The generator's ports", columns, ports, NULL);
}

/* A word as a shell takes it. */
static void put_word(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "@%+=:,./_-";

	if (*word && strspn(word, plain) == strlen(word)) {
		html_text(out, word);
		return;
	}
	html_text(out, "'");
	for (; *word; word++) {
		char one[8] = {*word, '\0'};

		/* A multi-byte character stays in one piece. */
		for (int i = 1; i < 4 && ((unsigned char)word[1] & 0xc0) == 0x80; i++)
			one[i] = *++word;
		html_text(out, *one == '\'' ? "'\\''" : one);
	}
	html_text(out, "'");
}

static void put_commands(const struct report *report, const struct result *r)
{
	const json_t *commands = json_object_get(r->run, "commands");

	if (!json_array_size(commands))
		return;
	fputs("<h3>Command lines</h3>\n", report->out);
	for (size_t i = 0; i < json_array_size(commands); i++) {
		const json_t *words = json_array_get(commands, i);

		fputs("<pre>", report->out);
		for (size_t w = 0; w < json_array_size(words); w++) {
			const char *word = json_string_value(json_array_get(words, w));

			fputs(w ? " " : "", report->out);
			put_word(report->out, word ? word : "");
		}
		fputs("</pre>\n", report->out);
	}
}

static void put_record(const struct report *report, const struct result *r)
{
	const char *key;
	json_t *value;

	fputs("<details>\n<summary>All of run.json</summary>\n<div class=\"scroll\" "
	      "role=\"region\" "
	      "tabindex=\"0\" aria-label=\"All of run.json\">\n<table class=\"facts\">\n<tbody>\n",
	      report->out);
	json_object_foreach (r->run, key, value) {
		if (strcmp(key, "commands"))
			report_fields(report->out, key, value);
	}
	fputs("</tbody>\n</table>\n</div>\n</details>\n", report->out);
}

void report_environment(const struct report *report)
{
	report_section(report, "environment", "Environment");
	for (size_t i = 0; i < report->n; i++) {
		const struct result *r = &report->results[i];

		report_result_name(report, r);
		if (!json_object_size(r->run)) {
			fputs("<p class=\"note\">Not known: no run.json that can be read.</p>\n",
			      report->out);
			continue;
		}
		put_facts(report, r);
		put_ports(report, r);
		put_commands(report, r);
		put_record(report, r);
	}
	fputs("</section>\n", report->out);
}

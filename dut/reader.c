/*
 * It starts no EAL: it is a client of the DUT's socket, as anybody with the right to it.
 */
#include "dut/reader.h"

#include "common/dpdk/telemetry.h"
#include "common/host.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_PREFIX "tandem-dut"

static void help(void)
{
	puts("Usage: tandem-dut telemetry [PREFIX|PATH]\n\n"
	     "Reads the figures of a running tandem-dut for a generator on another host: "
	     "'tandem-gen ... --dut\n"
	     "ssh://HOST/PREFIX' starts it through ssh. Each line of standard input is a "
	     "request, each line of\n"
	     "output its answer in JSON. PREFIX is the DUT's --file-prefix, tandem-dut unless "
	     "given; PATH its\n"
	     "telemetry socket.\n\n"
	     "  echo /tandem/dut/stats | tandem-dut telemetry\n"
	     "  echo host | tandem-dut telemetry | jq .reply.cpu_model");
}

static json_t *answer(const char *path, const char *command)
{
	char err[512];
	json_t *reply = NULL;

	if (!strcmp(command, "host"))
		return json_pack("{s:o}", "reply", host_facts());
	if (telemetry_request(path, command, &reply, err, sizeof(err)))
		return json_pack("{s:s}", "error", err);
	return json_pack("{s:o}", "reply", reply);
}

int reader_main(int argc, char **argv)
{
	const char *where = argc ? argv[0] : DEFAULT_PREFIX;
	char path[256], line[256];

	if (argc && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))) {
		help();
		return 0;
	}
	if (argc > 1 || *where == '-') {
		fprintf(stderr, "tandem-dut: telemetry takes one word, the DUT's file prefix or "
				"its socket's path\n");
		return 2;
	}
	if (strchr(where, '/'))
		snprintf(path, sizeof(path), "%s", where);
	else
		telemetry_path(where, path, sizeof(path));
	while (fgets(line, sizeof(line), stdin)) {
		json_t *o;

		line[strcspn(line, "\n")] = '\0';
		o = answer(path, line);
		if (!o || json_dumpf(o, stdout, JSON_COMPACT) < 0 || putchar('\n') == EOF ||
		    fflush(stdout))
			return 1;
		json_decref(o);
	}
	return 0;
}

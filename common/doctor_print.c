/*
 * What the doctor says: the table with a command under each row that needs one, or JSON; and for
 * which links and kernel paths, beside the asked one, the host would do.
 */
#include "common/doctor.h"
#include "common/opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const link_names[] = {"embedded", "nic", "af_xdp", "af_packet", "tap", NULL};
static const char *const kernel_names[] = {"none", "auto",	  "af_xdp", "af_packet",
					   "tap",  "virtio-user", "kni",    NULL};

/* Everything that two servers or one could be used for. */
static const struct {
	const char *name;
	unsigned int link, kernel;
} uses[] = {
	{"vhost-user and memif", DOCTOR_EMBEDDED, DOCTOR_NO_KERNEL},
	{"NICs", DOCTOR_NIC, DOCTOR_NO_KERNEL},
	{"af_xdp", DOCTOR_LINK_AF_XDP, DOCTOR_NO_KERNEL},
	{"af_packet", DOCTOR_LINK_AF_PACKET, DOCTOR_NO_KERNEL},
	{"tap", DOCTOR_LINK_TAP, DOCTOR_NO_KERNEL},
	{"kernel path over af_xdp", DOCTOR_EMBEDDED, DOCTOR_AF_XDP},
	{"kernel path over af_packet", DOCTOR_EMBEDDED, DOCTOR_AF_PACKET},
	{"kernel path over tap", DOCTOR_EMBEDDED, DOCTOR_TAP},
	{"kernel path over virtio-user", DOCTOR_EMBEDDED, DOCTOR_VIRTIO_USER},
	{"kernel path over KNI", DOCTOR_EMBEDDED, DOCTOR_KNI},
};

/* The names of rows that fail in a use, ", " between them; "" when it would run. */
static void what_fails(const struct doctor_host *host, const struct doctor_role *role, size_t use,
		       char *buf, size_t len)
{
	struct doctor_role other = *role;
	struct doctor_rows rows = {NULL, 0, false};
	size_t used = 0;

	other.link = uses[use].link;
	other.kernel = uses[use].kernel;
	buf[0] = '\0';
	doctor_examine(host, &other, &rows);
	for (size_t i = 0; i < rows.n && used < len; i++)
		if (rows.row[i].state == DOCTOR_FAIL)
			used += (size_t)snprintf(buf + used, len - used, "%s%s", used ? ", " : "",
						 rows.row[i].name);
	doctor_free(&rows);
}

static const char *role_name(const struct doctor_role *role)
{
	return role->generator ? "generator" : "DUT";
}

void doctor_print(const struct doctor_host *host, const struct doctor_role *role,
		  const struct doctor_rows *rows, FILE *out)
{
	unsigned int counts[4] = {0};
	char lacks[256];
	int width = 0;

	for (size_t i = 0; i < rows->n; i++) {
		int len = (int)strlen(rows->row[i].name);

		width = len > width ? len : width;
	}
	fprintf(out, "As %s, link %s", role_name(role), link_names[role->link]);
	if (role->kernel != DOCTOR_NO_KERNEL)
		fprintf(out, ", kernel path %s", kernel_names[role->kernel]);
	fputs(role->no_huge ? ", without hugepages\n\n" : "\n\n", out);
	for (size_t i = 0; i < rows->n; i++) {
		const struct doctor_row *row = &rows->row[i];

		counts[row->state]++;
		fprintf(out, "%-4s  %-*s  %s\n", doctor_state_name(row->state), width, row->name,
			row->found);
		if (*row->remedy)
			fprintf(out, "%*s-> %s\n", width + 8, "", row->remedy);
	}
	fprintf(out, "\n%u OK, %u WARN, %u FAIL\n", counts[DOCTOR_OK], counts[DOCTOR_WARN],
		counts[DOCTOR_FAIL]);
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		what_fails(host, role, i, lacks, sizeof(lacks));
		fprintf(out, "%s %s%s%s%s\n", *lacks ? "not for" : "fit for", uses[i].name,
			*lacks ? " (" : "", lacks, *lacks ? ")" : "");
	}
}

json_t *doctor_record(const struct doctor_host *host, const struct doctor_role *role,
		      const struct doctor_rows *rows)
{
	static const char *const states[] = {"none", "ok", "warn", "fail"};
	json_t *list = json_array(), *fit = json_array(), *unfit = json_object();
	char lacks[256];

	for (size_t i = 0; i < rows->n; i++) {
		const struct doctor_row *row = &rows->row[i];

		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s?}", "check", row->name,
						"state", states[row->state], "found", row->found,
						"remedy", *row->remedy ? row->remedy : NULL));
	}
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		what_fails(host, role, i, lacks, sizeof(lacks));
		if (*lacks)
			json_object_set_new(unfit, uses[i].name, json_string(lacks));
		else
			json_array_append_new(fit, json_string(uses[i].name));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "schema", "tandem.doctor/1",
			 "role", role->generator ? "generator" : "dut", "link",
			 link_names[role->link], "kernel_path", kernel_names[role->kernel], "fit",
			 !doctor_fails(rows), "checks", list, "fit_for", fit, "not_for", unfit);
}

struct doctor_options {
	struct doctor_role role;
	bool json;
};

#define AT(field) offsetof(struct doctor_options, field)

/* clang-format off */
#define LINK_OPTION \
	{"link", 0, OPT_CHOICE, AT(role.link), 0, 0, link_names, NULL, "LINK", \
	 "what joins it to its peer. embedded (default): vhost-user or memif, both programs on this host", "Role"}
#define OTHER_OPTIONS \
	{"no-huge", 0, OPT_FLAG, AT(role.no_huge), 0, 0, NULL, NULL, NULL, \
	 "it is to run without hugepages", NULL}, \
	{"json", 0, OPT_FLAG, AT(json), 0, 0, NULL, NULL, NULL, "one JSON object", "Output"}, \
	{NULL, 0, OPT_FLAG, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}

static const struct opt gen_options[] = {LINK_OPTION, OTHER_OPTIONS};
static const struct opt dut_options[] = {
	LINK_OPTION,
	{"kernel-path", 0, OPT_CHOICE, AT(role.kernel), 0, 0, kernel_names, NULL, "DRIVER",
	 "driver of the kernel ports; none for io alone; auto (default) needs one of them", NULL},
	OTHER_OPTIONS
};
/* clang-format on */

static const char *const gen_examples[] = {
	"tandem-gen doctor", "is this machine fit for both programs, joined by vhost-user?",
	"tandem-gen doctor --link nic", "and for a network card? Exit status 1 where it is not",
	NULL};
static const char *const dut_examples[] = {
	"tandem-dut doctor --kernel-path af_xdp",
	"is this machine fit for both programs, and for a kernel path over af_xdp?",
	"tandem-dut doctor --link nic --kernel-path kni --json",
	"the seed's own set-up, for a script to read", NULL};

static const char summary[] =
	"What this host is fit for: OK, WARN and FAIL for each thing that a run depends on, with "
	"the "
	"command that mends it; '-' is of no concern to the role. Nothing is changed, no EAL is "
	"started. Exit status: 0 fit, 1 not.";

const struct opt_command doctor_gen_command = {"tandem-gen", "doctor",	  "doctor [options]",
					       summary,	     gen_options, gen_examples};
const struct opt_command doctor_dut_command = {"tandem-dut", "doctor",	  "doctor [options]",
					       summary,	     dut_options, dut_examples};

int doctor_main(const char *program, int argc, char **argv, const char *built, const char *running)
{
	bool generator = !strcmp(program, "tandem-gen");
	const struct opt_command *command = generator ? &doctor_gen_command : &doctor_dut_command;
	struct doctor_options o = {.role = {DOCTOR_EMBEDDED,
					    generator ? DOCTOR_NO_KERNEL : DOCTOR_AUTO, false,
					    generator}};
	struct doctor_host host = {"", built, running, (int)getpid()};
	struct doctor_rows rows = {NULL, 0, false};
	json_t *record;
	char err[256];
	int status;

	switch (opt_parse(command, &o, argc, argv, NULL, 0, NULL, err, sizeof(err))) {
	case OPT_HELP:
		opt_help(command, stdout);
		return 0;
	case OPT_VERSION:
		printf("%s " TANDEM_VERSION "\n", program);
		return 0;
	case OPT_ERROR:
		fprintf(stderr, "%s: %s\n", program, err);
		return 2;
	case OPT_OK:
		break;
	}
	if (doctor_examine(&host, &o.role, &rows)) {
		fprintf(stderr, "%s: out of memory\n", program);
		doctor_free(&rows);
		return 1;
	}
	status = doctor_fails(&rows);
	if (o.json) {
		record = doctor_record(&host, &o.role, &rows);
		if (!record || json_dumpf(record, stdout, JSON_INDENT(2)) || putchar('\n') == EOF)
			status = 1;
		json_decref(record);
	} else {
		doctor_print(&host, &o.role, &rows, stdout);
	}
	doctor_free(&rows);
	return status;
}

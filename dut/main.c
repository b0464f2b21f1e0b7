/*
 * tandem-dut: options, EAL, the DUT's life, the record.
 *
 * There is one way out. Whatever was begun is undone in reverse order, and the record is written
 * also after Ctrl-C.
 */
#include "dut/document.h"
#include "dut/dut.h"
#include "dut/impair.h"
#include "dut/kni.h"
#include "dut/prompt.h"
#include "dut/reader.h"
#include "dut/stats.h"
#include "dut/telemetry.h"
#include "common/dpdk/eal.h"
#include "common/dpdk/host_doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM	       "tandem-dut"
#define EXIT_USAGE     2
#define FOR_EVER_NS    (1000000000ull * 3600 * 24 * 365)
#define MESSAGE_LENGTH 1024

static struct dut the_dut;

static int complain(int status, const char *message)
{
	fprintf(stderr, PROGRAM ": %s\n", message);
	return status;
}

/* The record of a run that has ended: table, and file if asked for. */
static int report(const struct dut *d, const struct clock_point *end, char *err, size_t errlen)
{
	struct dut_snapshot s;
	json_t *record;
	int rc = 0;

	dut_snapshot_take(d, &s);
	record = stats_record(d, &s, clock_hz(&d->begin, end),
			      (double)(end->ns - d->begin.ns) / 1e9);
	stats_print(record, stdout);
	if (d->options.stats_file)
		rc = stats_write(record, d->options.stats_file, err, errlen);
	if (rc == 0)
		rc = impair_log_save(d, err, errlen);
	json_decref(record);
	return rc;
}

/*
 * Forwards under the eyes of control and prompt. As in testpmd the file of commands comes first,
 * and forwarding waits for a command only where more can be typed.
 */
static int forward(struct dut *d, const volatile bool *stop, char *err, size_t errlen)
{
	const struct dut_options *o = &d->options;
	struct prompt *prompt = prompt_new(d, stop);
	int rc = 0;

	if (!prompt) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	if (o->cmdline_file)
		rc = prompt_run_file(prompt, o->cmdline_file, err, errlen);
	if (rc == 0 && !prompt_quits(prompt)) {
		if (o->interactive)
			prompt_interact(prompt);
		else if (!d->running)
			rc = dut_start_cores(d, err, errlen);
		if (!o->interactive && forward_has_kernel(o->forward_mode))
			prompt_keys(prompt);
	}
	if (rc == 0)
		rc = dut_control(d, prompt, stop, err, errlen);
	dut_stop_cores(d);
	prompt_free(prompt);
	return rc;
}

/* From started EAL to closed ports. */
static int run(struct dut *d, const volatile bool *stop)
{
	char err[MESSAGE_LENGTH], report_err[MESSAGE_LENGTH];
	int rc = dut_setup(d, stop, err, sizeof(err));

	if (rc == 0) {
		struct clock_point end;

		if (dut_telemetry_start(d) < 0)
			fprintf(stderr,
				PROGRAM ": no telemetry: the commands could not be registered\n");
		rc = forward(d, stop, err, sizeof(err));
		end = clock_point_now();
		dut_telemetry_stop();
		if (dut_capture_end(d, report_err, sizeof(report_err)) < 0) {
			fprintf(stderr, PROGRAM ": %s\n", report_err);
			rc = rc == 0 ? 1 : rc;
		}
		if (report(d, &end, report_err, sizeof(report_err)) < 0) {
			fprintf(stderr, PROGRAM ": %s\n", report_err);
			rc = rc == 0 ? 1 : rc;
		}
	}
	dut_teardown(d);
	if (rc < 0 && !*stop)
		complain(1, err);
	/* To be stopped while still setting up is no failure of the DUT's. */
	return rc > 0 || (rc < 0 && !*stop);
}

int main(int argc, char **argv)
{
	struct eal_args args = eal_split(argc, argv);
	struct dut *d = &the_dut;
	char err[MESSAGE_LENGTH];
	const volatile bool *stop;
	uint64_t wait;
	int status, rc;

	if (argc > 1 && !strcmp(argv[1], READER_VERB))
		return reader_main(argc - 2, argv + 2);
	if (argc == 2 && !dut_document(argv[1], stdout))
		return 0;
	if (args.app_argc && !strcmp(args.app_argv[0], "doctor"))
		return host_doctor_main(PROGRAM, args.app_argc - 1, args.app_argv + 1);
	d->argc = argc;
	d->argv = argv;
	switch (dut_options_parse(&d->options, args.app_argc, args.app_argv, err, sizeof(err))) {
	case OPT_HELP:
		dut_options_help(stdout);
		return 0;
	case OPT_VERSION:
		printf(PROGRAM " " TANDEM_VERSION "\n");
		return 0;
	case OPT_ERROR:
		return complain(EXIT_USAGE, err);
	case OPT_OK:
		break;
	}
	if (d->options.cmdline_file && access(d->options.cmdline_file, R_OK) < 0) {
		snprintf(err, sizeof(err), "--cmdline-file: cannot read %s: %s",
			 d->options.cmdline_file, strerror(errno));
		return complain(1, err);
	}
	/* The next file that is opened would be taken for the standard input. */
	if (fcntl(STDIN_FILENO, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != STDIN_FILENO)
		return complain(1, "standard input is closed, and /dev/null cannot be opened");
	if ((d->options.stats_file &&
	     stats_check_path("--stats", d->options.stats_file, err, sizeof(err)) < 0) ||
	    (d->options.impair_log &&
	     stats_check_path("--impair-log", d->options.impair_log, err, sizeof(err)) < 0))
		return complain(1, err);
	stop = stop_on_signals();
	kni_signals_take();
	driver_signals_take(false);
	wait = d->options.wait_link_ns ? d->options.wait_link_ns : FOR_EVER_NS;
	rc = eal_start(PROGRAM, &args, wait, stop, err, sizeof(err));
	if (rc < 0) {
		if (*stop)
			return 0;
		/* What EAL refuses is how it was called, but for a peer that does not come. */
		return complain(rc == -ETIMEDOUT ? 1 : EXIT_USAGE, err);
	}
	control_thread_unpin();
	if (kni_check(&d->options, err, sizeof(err)) < 0)
		status = complain(EXIT_USAGE, err);
	else
		status = run(d, stop);
	eal_end();
	return status;
}

/*
 * The command runs in a session of its own under a shell that waits for its end, or for that of its
 * own input: that is us, or the connection.
 */
#include "gen/dut_start.h"

#include "common/clock.h"
#include "gen/dut_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NAP_NS	    100000000ull
#define MOMENT_NS   500000000ull
#define PATIENCE_NS 10000000000ull

/* Within single quotes nothing means anything but the quote. NULL when out of memory. */
static char *quoted(const char *text)
{
	char *out = malloc(4 * strlen(text) + 3), *to = out;

	if (!out)
		return NULL;
	*to++ = '\'';
	for (; *text; text++)
		to += *text == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *text);
	strcpy(to, "'");
	return out;
}

/* The shell's part. Descriptor 3 is its input, for a background command has none. */
static char *script_of(const char *command)
{
	char *words = quoted(command), *script = NULL;

	if (words && asprintf(&script,
			      "exec 3<&0\n"
			      "setsid sh -c %s </dev/null 3<&- &\n"
			      "dut=$!\n"
			      "{ cat <&3 >/dev/null; kill -s TERM -- -$dut; } 2>/dev/null &\n"
			      "wait $dut\n"
			      "exit $?",
			      words) < 0)
		script = NULL;
	free(words);
	return script;
}

int dut_start(struct dut_child *c, const struct dut_place *place, const char *ssh,
	      const char *command, char *err, size_t errlen)
{
	const char *argv[DUT_SSH_WORDS] = {"sh", "-c"};
	char *script = script_of(command), words[512];
	int rc = 0;

	*c = (struct dut_child){.fd = -1, .log_fd = -1};
	if (!script) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	if (place->way == DUT_SSH) {
		rc = dut_place_ssh(place, ssh, script, words, sizeof(words), argv, err, errlen);
	} else {
		argv[2] = script;
		argv[3] = NULL;
	}
	if (!rc) {
		rc = dut_child_start(c, argv, false);
		if (rc)
			snprintf(err, errlen, "--dut-start: cannot start %s: %s", argv[0],
				 strerror(-rc));
	}
	free(script);
	return rc;
}

static int ended_early(struct dut_child *c, int status, char *err, size_t errlen)
{
	char words[256];

	dut_child_last_words(c, words, sizeof(words));
	if (!*words)
		snprintf(words, sizeof(words), "status %d",
			 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	snprintf(err, errlen, "--dut-start: the DUT ended: %s", words);
	return -ECHILD;
}

int dut_start_wait(struct dut_child *c, const struct dut_place *place, const char *ssh,
		   const char *program, uint64_t wait_ns, const volatile bool *stop, char *err,
		   size_t errlen)
{
	uint64_t begin = clock_ns(), until;
	struct dut_link link;
	json_t *reply = NULL;
	int status = 0, rc = -EAGAIN;

	until = begin + (place->way == DUT_NOWHERE ? MOMENT_NS : wait_ns);
	dut_link_init(&link, place, ssh, program);
	while (rc) {
		if (dut_child_ended(c, &status)) {
			rc = ended_early(c, status, err, errlen);
			break;
		}
		if (*stop) {
			snprintf(err, errlen, "stopped");
			rc = -EINTR;
			break;
		}
		if (place->way != DUT_NOWHERE) {
			rc = dut_link_request(&link, "/tandem/dut/info", &reply, err, errlen);
			link.lost_ns = 0;
		}
		if (rc && clock_ns() >= until) {
			rc = place->way == DUT_NOWHERE ? 0 : -ETIMEDOUT;
			break;
		}
		if (rc)
			clock_sleep(NAP_NS);
	}
	json_decref(reply);
	dut_link_close(&link);
	return rc;
}

void dut_started_end(struct dut_child *c)
{
	dut_child_end(c, PATIENCE_NS);
}

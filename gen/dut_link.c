/*
 * Over ssh: a line a request, a line of JSON back, {"reply": ...} or {"error": TEXT}.
 */
#include "gen/dut_link.h"

#include "common/clock.h"
#include "common/dpdk/telemetry.h"
#include "common/host.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define REPLY_MAX  (64 * 1024)
#define FIRST_NS   10000000000ull /* connection, authentication and the first answer */
#define OTHER_NS   3000000000ull
#define AGAIN_NS   30000000000ull
#define GOODBYE_NS 500000000ull

void dut_link_init(struct dut_link *l, const struct dut_place *place, const char *ssh,
		   const char *program)
{
	*l = (struct dut_link){
		.place = place, .ssh = ssh, .program = program, .child = {0, -1, -1}};
}

static int connect_ssh(struct dut_link *l, char *err, size_t errlen)
{
	const char *argv[DUT_SSH_WORDS];
	char script[512], words[512];
	int rc;

	snprintf(script, sizeof(script), "exec %s telemetry %s", l->program, l->place->prefix);
	rc = dut_place_ssh(l->place, l->ssh, script, words, sizeof(words), argv, err, errlen);
	if (rc)
		return rc;
	rc = dut_child_start(&l->child, argv, true);
	if (rc)
		snprintf(err, errlen, "%s: cannot start %s: %s", l->place->text, argv[0],
			 strerror(-rc));
	return rc;
}

/* A line of at most size bytes within the time. Its length, or a negative errno. */
static ssize_t read_line(int fd, char *line, size_t size, uint64_t until)
{
	size_t n = 0;

	while (n < size) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		uint64_t now = clock_ns();
		ssize_t got;

		if (now >= until || poll(&p, 1, (int)((until - now) / 1000000 + 1)) < 0)
			return now >= until ? -ETIMEDOUT : -errno;
		if (!p.revents)
			continue;
		got = recv(fd, line + n, size - n, 0);
		if (got <= 0)
			return got < 0 ? -errno : -EPIPE;
		n += (size_t)got;
		if (line[n - 1] == '\n')
			return (ssize_t)n;
	}
	return -EMSGSIZE;
}

static int read_reply(const char *line, size_t n, const char *where, json_t **reply, char *err,
		      size_t errlen)
{
	json_t *whole = json_loadb(line, n, 0, NULL);
	const char *error = json_string_value(json_object_get(whole, "error"));

	*reply = json_incref(json_object_get(whole, "reply"));
	if (!*reply)
		snprintf(err, errlen, "%s: %s", where,
			 error ? error : "the answer is not tandem-dut's");
	json_decref(whole);
	return *reply ? 0 : -EPROTO;
}

/* The connection is of no use any more: what ssh said of it, or what was missed. */
static int lose(struct dut_link *l, int rc, char *err, size_t errlen)
{
	char words[256];
	int status;

	/* ssh says why just before it ends. */
	for (int i = 0; i < 20 && rc == -EPIPE && !dut_child_ended(&l->child, &status); i++)
		clock_sleep(10000000);
	dut_child_last_words(&l->child, words, sizeof(words));
	snprintf(err, errlen, "%s: %s%s%s", l->place->text,
		 rc == -ETIMEDOUT ? "no answer in time" : "the connection is lost",
		 *words ? ": " : "", words);
	dut_child_end(&l->child, 0);
	l->lost_ns = clock_ns();
	return rc;
}

static int request_ssh(struct dut_link *l, const char *command, json_t **reply, char *err,
		       size_t errlen)
{
	uint64_t patience = OTHER_NS;
	char line[256], *text;
	ssize_t n;
	int rc = 0;

	if (!l->child.pid) {
		if (l->lost_ns && clock_ns() - l->lost_ns < AGAIN_NS) {
			snprintf(err, errlen, "%s: the connection is lost", l->place->text);
			return -ENOTCONN;
		}
		rc = connect_ssh(l, err, errlen);
		if (rc)
			return rc;
		patience = FIRST_NS;
	}
	text = malloc(REPLY_MAX);
	if (!text) {
		snprintf(err, errlen, "out of memory");
		return -ENOMEM;
	}
	n = snprintf(line, sizeof(line), "%s\n", command);
	if (send(l->child.fd, line, (size_t)n, MSG_NOSIGNAL) != n)
		n = -EPIPE;
	else
		n = read_line(l->child.fd, text, REPLY_MAX, clock_ns() + patience);
	rc = n < 0 ? lose(l, (int)n, err, errlen)
		   : read_reply(text, (size_t)n, l->place->text, reply, err, errlen);
	free(text);
	return rc;
}

int dut_link_request(struct dut_link *l, const char *command, json_t **reply, char *err,
		     size_t errlen)
{
	if (l->place->way == DUT_SSH)
		return request_ssh(l, command, reply, err, errlen);
	if (strcmp(command, "host") != 0)
		return telemetry_request(l->place->path, command, reply, err, errlen);
	*reply = host_facts();
	return 0;
}

void dut_link_close(struct dut_link *l)
{
	dut_child_end(&l->child, GOODBYE_NS);
}

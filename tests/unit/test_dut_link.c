/*
 * The link to a DUT elsewhere, with a shell in ssh's place: answers, nonsense, silence and death.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include "gen/dut_link.h"
#include "gen/dut_start.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct dut_place place;
static struct dut_link dut;
static char ssh[256], err[512];
static json_t *reply;

/* A program that ssh's options do not reach: its standard input and output are the connection. */
static void use_ssh(const char *script)
{
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	folder_put("ssh", "w", text);
	assert_int_equal(chmod(folder_path("ssh"), 0700), 0);
	snprintf(ssh, sizeof(ssh), "%s", folder_path("ssh"));
	assert_int_equal(dut_place_parse(&place, "ssh://far/x", err, sizeof(err)), 0);
	dut_link_init(&dut, &place, ssh, "tandem-dut");
	*err = '\0';
}

static int ask(void)
{
	reply = NULL;
	return dut_link_request(&dut, "/tandem/dut/stats", &reply, err, sizeof(err));
}

static void test_answers(void **state)
{
	(void)state;
	use_ssh("while read -r line; do echo '{\"reply\": {\"asked\": \"'$line'\"}}'; done");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ask(), 0);
		assert_string_equal(json_string_value(json_object_get(reply, "asked")),
				    "/tandem/dut/stats");
		json_decref(reply);
	}
	dut_link_close(&dut);
	assert_int_equal(dut.child.pid, 0);
	dut_link_close(&dut);
}

static void test_errors_of_the_far_end(void **state)
{
	(void)state;
	use_ssh("while read -r line; do echo '{\"error\": \"no socket\"}'; done");
	assert_int_equal(ask(), -EPROTO);
	assert_string_equal(err, "ssh://far/x: no socket");
	/* The connection is as good as before. */
	assert_true(dut.child.pid > 0);
	dut_link_close(&dut);
	use_ssh("while read -r line; do echo nonsense; done");
	assert_int_equal(ask(), -EPROTO);
	assert_non_null(strstr(err, "not tandem-dut's"));
	dut_link_close(&dut);
}

static void test_a_lost_connection(void **state)
{
	(void)state;
	use_ssh("read -r line; echo '{\"reply\": {}}'; read -r line; "
		"printf 'first\\r\\nConnection to far closed.\\r\\n' >&2; exit 255");
	assert_int_equal(ask(), 0);
	json_decref(reply);
	assert_true(ask() < 0);
	assert_string_equal(err, "ssh://far/x: the connection is lost: Connection to far closed.");
	assert_int_equal(dut.child.pid, 0);
	/* Not tried again at once. */
	assert_int_equal(ask(), -ENOTCONN);
	dut.lost_ns = 1;
	assert_int_equal(ask(), 0);
	json_decref(reply);
	dut_link_close(&dut);
}

static void test_no_ssh(void **state)
{
	(void)state;
	use_ssh("exit 0");
	snprintf(ssh, sizeof(ssh), "/nonexistent/ssh");
	assert_int_equal(ask(), -ENOENT);
	assert_non_null(strstr(err, "/nonexistent/ssh"));
	dut_link_close(&dut);
}

static void test_starting(void **state)
{
	struct dut_child child;
	volatile bool stop = false;
	struct dut_place nowhere = {.way = DUT_NOWHERE};
	char command[256];

	(void)state;
	/* It runs, and is told to end. */
	snprintf(command, sizeof(command),
		 "trap 'echo \"it'\"'\"'s over\" >%s/end; exit 0' TERM; echo on >%s/begin; "
		 "while :; do sleep 0.02; done",
		 folder, folder);
	assert_int_equal(dut_start(&child, &nowhere, "ssh", command, err, sizeof(err)), 0);
	assert_int_equal(dut_start_wait(&child, &nowhere, "ssh", "x", 0, &stop, err, sizeof(err)),
			 0);
	assert_string_equal(folder_read("begin"), "on\n");
	assert_int_not_equal(access(folder_path("end"), F_OK), 0);
	dut_started_end(&child);
	assert_string_equal(folder_read("end"), "it's over\n");
	/* It ends by itself, and says why. */
	assert_int_equal(dut_start(&child, &nowhere, "ssh", "echo no such port >&2; exit 3", err,
				   sizeof(err)),
			 0);
	assert_int_equal(dut_start_wait(&child, &nowhere, "ssh", "x", 0, &stop, err, sizeof(err)),
			 -ECHILD);
	assert_string_equal(err, "--dut-start: the DUT ended: no such port");
	dut_started_end(&child);
	/* It runs, but nobody answers at its place. */
	assert_int_equal(dut_place_parse(&place, folder_path("socket"), err, sizeof(err)), 0);
	assert_int_equal(dut_start(&child, &place, "ssh", "exec sleep 60", err, sizeof(err)), 0);
	assert_int_equal(
		dut_start_wait(&child, &place, "ssh", "x", 1000000, &stop, err, sizeof(err)),
		-ETIMEDOUT);
	stop = true;
	assert_int_equal(
		dut_start_wait(&child, &place, "ssh", "x", 60000000000, &stop, err, sizeof(err)),
		-EINTR);
	dut_started_end(&child);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_answers),	      CASE(test_errors_of_the_far_end),
		CASE(test_a_lost_connection), CASE(test_no_ssh),
		CASE(test_starting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

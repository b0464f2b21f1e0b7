/*
 * Where the DUT is: what --dut takes, and what becomes of it on ssh's command line.
 */
#include "tests/unit/unit.h"

#include "gen/dut_place.h"

static struct dut_place place;
static char err[256];

static void good(const char *text)
{
	assert_int_equal(dut_place_parse(&place, text, err, sizeof(err)), 0);
	assert_string_equal(place.text, text);
}

static void refused(const char *text)
{
	*err = '\0';
	assert_int_equal(dut_place_parse(&place, text, err, sizeof(err)), -EINVAL);
	assert_true(*err);
	assert_null(strchr(err, '\n'));
}

static void test_sockets(void **state)
{
	(void)state;
	good("unix:/run/dpdk/x/dpdk_telemetry.v2");
	assert_int_equal(place.way, DUT_UNIX);
	assert_string_equal(place.path, "/run/dpdk/x/dpdk_telemetry.v2");
	good("/tmp/socket");
	assert_string_equal(place.path, "/tmp/socket");
	good("unix:socket");
	assert_string_equal(place.path, "socket");
	refused("unix:");
	refused("socket");
	refused("");
	refused("tcp://host/");
	refused("unix:/a/path/that/is/longer/than/the/hundred/and/eight/bytes/of/a/socket's/"
		"address/and/so/"
		"cannot/be/reached/by/anybody");
}

static void test_hosts(void **state)
{
	(void)state;
	good("ssh://dut");
	assert_int_equal(place.way, DUT_SSH);
	assert_string_equal(place.host, "dut");
	assert_string_equal(place.prefix, "tandem-dut");
	assert_int_equal(place.port, 0);
	good("ssh://root@10.0.0.2:2222/second");
	assert_string_equal(place.host, "root@10.0.0.2");
	assert_string_equal(place.prefix, "second");
	assert_int_equal(place.port, 2222);
	good("ssh://root@[fe80::1%eth1]:22/");
	assert_string_equal(place.host, "root@fe80::1%eth1");
	assert_string_equal(place.prefix, "tandem-dut");
	assert_int_equal(place.port, 22);
	good("ssh://[2001:db8::1]");
	assert_string_equal(place.host, "2001:db8::1");
	assert_int_equal(place.port, 0);
}

/* Nothing of it may become an option or a word of a shell. */
static void test_bad_hosts(void **state)
{
	static const char *const texts[] = {
		"ssh://",	 "ssh:///prefix", "ssh://-oProxyCommand=x",
		"ssh://a b",	 "ssh://a;b",	  "ssh://$(x)",
		"ssh://a:0",	 "ssh://a:65536", "ssh://a:",
		"ssh://a:22x",	 "ssh://a/../b",  "ssh://a/-x",
		"ssh://a/b/c",	 "ssh://a/b c",	  "ssh://@a",
		"ssh://root@-a", "ssh://a/\"",	  "ssh://a'b",
		"ssh://[::1",	 "ssh://a\nb",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refused(texts[i]);
}

static void test_command_line(void **state)
{
	const char *argv[DUT_SSH_WORDS];
	char buf[128];
	size_t n = 0;

	(void)state;
	good("ssh://root@dut:2222");
	assert_int_equal(dut_place_ssh(&place, "ssh -F  my.conf", "exec x", buf, sizeof(buf), argv,
				       err, sizeof(err)),
			 0);
	while (argv[n])
		n++;
	assert_string_equal(argv[0], "ssh");
	assert_string_equal(argv[1], "-F");
	assert_string_equal(argv[2], "my.conf");
	assert_string_equal(argv[n - 1], "exec x");
	assert_string_equal(argv[n - 2], "root@dut");
	assert_string_equal(argv[n - 3], "--");
	assert_string_equal(argv[n - 4], "2222");
	assert_string_equal(argv[n - 5], "-p");
	/* Without a port, no -p. */
	good("ssh://dut");
	assert_int_equal(
		dut_place_ssh(&place, "ssh", "exec x", buf, sizeof(buf), argv, err, sizeof(err)),
		0);
	for (n = 0; argv[n]; n++)
		assert_string_not_equal(argv[n], "-p");
	assert_int_equal(dut_place_ssh(&place, "", "x", buf, sizeof(buf), argv, err, sizeof(err)),
			 -EINVAL);
	assert_int_equal(dut_place_ssh(&place,
				       "a b c d e f g h i j k l m n o p q r s t u v w x y z", "x",
				       buf, sizeof(buf), argv, err, sizeof(err)),
			 -EINVAL);
	assert_int_equal(dut_place_ssh(&place, "ssh -o Option=far-too-long-for-it", "x", buf, 24,
				       argv, err, sizeof(err)),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sockets),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_bad_hosts),
		cmocka_unit_test(test_command_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The generator's options: what is taken, what is refused and in which words.
 */
#include "tests/unit/unit.h"

#include "gen/config.h"

static const struct opt_command run = {.program = "tandem-gen", .verb = "run", .opts = run_options};
static const struct opt_command sweep = {
	.program = "tandem-gen", .verb = "sweep", .opts = sweep_options};

static struct gen_config config;
static char err[256];

/* Parses words separated by blanks over the defaults. */
static enum opt_result parse(const struct opt_command *command, const char *line)
{
	static char text[512];
	char *argv[64], *rest = NULL;
	const char *operand;
	size_t n_operands;
	int argc = 0;

	assert_true(strlen(line) < sizeof(text));
	strcpy(text, line);
	for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[argc++] = w;
	gen_config_init(&config);
	err[0] = '\0';
	return opt_parse(command, &config, argc, argv, &operand, 0, &n_operands, err, sizeof(err));
}

static void test_defaults(void **state)
{
	(void)state;
	assert_int_equal(parse(&run, ""), OPT_OK);
	assert_int_equal(config.warmup_ns, 200000000);
	assert_int_equal(config.drain_ns, 1000000000);
	assert_int_equal(config.repeat, 1);
	assert_int_equal(config.burst, 32);
	assert_int_equal(config.flows, 1);
	assert_int_equal(config.streams, 1);
	assert_int_equal(config.src_ip, 0xc6120002); /* 198.18.0.2 */
	assert_int_equal(config.dst_ip, 0xc6130001); /* 198.19.0.1 */
	assert_int_equal(config.src_port, 1024);
	assert_int_equal(config.dst_port, 7);
	assert_int_equal(config.ttl, 64);
	assert_int_equal(config.on_full, ON_FULL_AUTO);
	assert_int_equal(config.gateway.mode, GATEWAY_AUTO);
	assert_int_equal(config.wait_link_ns, 10000000000);
	assert_int_equal(config.stall_threshold_ns, 100000);
	assert_false(config.json || config.strict || config.append || config.quiet);
	assert_int_equal(gen_config_check(&config, err, sizeof(err)), 0);
}

static void test_run(void **state)
{
	(void)state;
	assert_int_equal(parse(&run, "--size 1518 --rate=1.2mpps --duration 500ms --burst 1 "
				     "--flows 64k --frames 1m --repeat 3 --json --strict "
				     "--on-full wait --path io --ttl 2 --tos 184"),
			 OPT_OK);
	assert_int_equal(config.sizes.n, 1);
	assert_int_equal(config.sizes.size[0], 1518);
	assert_int_equal(config.rates.n, 1);
	assert_int_equal(config.rates.rate[0].kind, RATE_PPS);
	assert_true(config.rates.rate[0].value == 1.2e6);
	assert_int_equal(config.duration_ns, 500000000);
	assert_int_equal(config.flows, 64000);
	assert_int_equal(config.frames, 1000000);
	assert_int_equal(config.repeat, 3);
	assert_true(config.json && config.strict);
	assert_int_equal(config.on_full, ON_FULL_WAIT);
	assert_string_equal(config.path, "io");
	assert_int_equal(config.ttl, 2);
	assert_int_equal(config.tos, 184);
	assert_int_equal(gen_config_check(&config, err, sizeof(err)), 0);
}

static void test_addresses(void **state)
{
	static const uint8_t mac[6] = {0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f};

	(void)state;
	assert_int_equal(parse(&run, "--src-ip 10.0.0.1 --dst-ip 10.0.1.255 --src-mac "
				     "0a:1b:2c:3d:4e:5f --gateway 10.0.0.254"),
			 OPT_OK);
	assert_int_equal(config.src_ip, 0x0a000001);
	assert_int_equal(config.dst_ip, 0x0a0001ff);
	assert_true(config.src_mac.given);
	assert_false(config.dst_mac.given);
	assert_memory_equal(config.src_mac.mac, mac, 6);
	assert_int_equal(config.gateway.mode, GATEWAY_GIVEN);
	assert_int_equal(config.gateway.ip, 0x0a0000fe);
	assert_int_equal(parse(&run, "--gateway none"), OPT_OK);
	assert_int_equal(config.gateway.mode, GATEWAY_NONE);
	assert_int_equal(parse(&run, "--gateway auto"), OPT_OK);
	assert_int_equal(config.gateway.mode, GATEWAY_AUTO);
}

static void test_lists_of_a_sweep(void **state)
{
	(void)state;
	assert_int_equal(parse(&sweep, "--sizes 64,128,1518 --rate max,50%max,10gbps-l1,25%"),
			 OPT_OK);
	assert_int_equal(config.sizes.n, 3);
	assert_int_equal(config.sizes.size[2], 1518);
	assert_int_equal(config.rates.n, 4);
	assert_int_equal(config.rates.rate[0].kind, RATE_MAX);
	assert_int_equal(config.rates.rate[1].kind, RATE_PERCENT_OF_MAX);
	assert_true(config.rates.rate[1].value == 50);
	assert_int_equal(config.rates.rate[2].kind, RATE_L1_BPS);
	assert_int_equal(config.rates.rate[3].kind, RATE_PERCENT);
	assert_int_equal(parse(&sweep, "--rate 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"), OPT_OK);
	assert_int_equal(config.rates.n, MAX_RATES);
}

static void test_bad_values_name_the_option(void **state)
{
	/* what is typed, and what the message must name */
	static const char *const bad[][2] = {
		{"--size 63", "size"},
		{"--size 9019", "size"},
		{"--size 64b", "size"},
		{"--size", "size"},
		{"--rate fast", "rate"},
		{"--rate -1", "rate"},
		{"--rate 0", "rate"},
		{"--rate 1,,2", "rate"},
		{"--rate ,", "rate"},
		{"--rate 1,", "rate"},
		{"--rate 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "16"},
		{"--rate 1000000000000000000000000000000000000000000000000000000000000000000",
		 "rate"},
		{"--duration 0", "duration"},
		{"--duration soon", "duration"},
		{"--burst 0", "burst"},
		{"--burst 513", "burst"},
		{"--flows 0", "flows"},
		{"--streams 0", "streams"},
		{"--streams 1025", "streams"},
		{"--flows 1048577", "flows"},
		{"--frames 0", "frames"},
		{"--repeat 0", "repeat"},
		{"--src-port 65536", "src-port"},
		{"--dst-port 0", "dst-port"},
		{"--ttl 0", "ttl"},
		{"--ttl 256", "ttl"},
		{"--tos 256", "tos"},
		{"--src-ip 1.2.3", "src-ip"},
		{"--dst-ip 1.2.3.256", "dst-ip"},
		{"--src-mac 0a:1b:2c:3d:4e", "src-mac"},
		{"--gateway maybe", "gateway"},
		{"--on-full perhaps", "on-full"},
		{"--line-rate quick", "line-rate"},
		{"--rxd 31", "rxd"},
		{"--txd 32769", "txd"},
		{"--wait-link -1s", "wait-link"},
		{"--stall-threshold 0", "stall-threshold"},
		{"--json=yes", "json"},
		{"--nothing", "nothing"},
		{"--durations 1", "duration"}, /* what it was taken for */
		{"operand", "operand"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (int s = 0; s < 2; s++) {
			if (s && !strncmp(bad[i][0], "--size", 6))
				continue; /* run's own */
			if (parse(s ? &sweep : &run, bad[i][0]) != OPT_ERROR)
				fail_msg("'%s' was taken", bad[i][0]);
			if (!strstr(err, bad[i][1]))
				fail_msg("'%s' gives: %s", bad[i][0], err);
			assert_null(strchr(err, '\n'));
		}
}

static void test_edges_are_taken(void **state)
{
	static const char *const good[] = {"--size 64",
					   "--size 9018",
					   "--duration 1ms",
					   "--burst 512",
					   "--burst 1",
					   "--flows 1048576",
					   "--warmup 0",
					   "--drain 0",
					   "--src-port 65535",
					   "--dst-port 1",
					   "--ttl 255",
					   "--tos 0",
					   "--rxd 32768",
					   "--wait-link 0",
					   "--stall-threshold 1us",
					   "--line-rate 2.5g",
					   "--rate 0.5",
					   "--rate 100%",
					   "-s 64 -r max -d 2m -q -o x"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (parse(&run, good[i]) != OPT_OK)
			fail_msg("'%s': %s", good[i], err);
}

static void test_flags_are_taken_back(void **state)
{
	(void)state;
	assert_int_equal(parse(&run, "--json --no-json --strict"), OPT_OK);
	assert_false(config.json);
	assert_true(config.strict);
	assert_int_equal(parse(&run, "--help"), OPT_HELP);
	assert_int_equal(parse(&sweep, "--version"), OPT_VERSION);
}

static void assert_check_refuses(const char *line, const char *text)
{
	assert_int_equal(parse(&run, line), OPT_OK);
	if (gen_config_check(&config, err, sizeof(err)) != -EINVAL)
		fail_msg("'%s' was taken", line);
	if (!strstr(err, text))
		fail_msg("'%s' gives: %s", line, err);
	assert_null(strchr(err, '\n'));
}

static void assert_check_takes(const char *line)
{
	assert_int_equal(parse(&run, line), OPT_OK);
	if (gen_config_check(&config, err, sizeof(err)))
		fail_msg("'%s': %s", line, err);
}

static void test_what_excludes_each_other(void **state)
{
	(void)state;
	assert_check_refuses("--tx-only --bidirectional", "--bidirectional");
	assert_check_refuses("--tx-only --verify", "--verify");
	assert_check_refuses("--append", "--out");
	assert_check_takes("--append --out x");
	assert_check_takes("--tx-only");
	assert_check_takes("--bidirectional --verify");
}

static void test_arrivals(void **state)
{
	static const char *const bad[] = {"--burst-train 64",	     "--burst-train 64@max",
					  "--burst-train 64@50%max", "--burst-train 1@10kpps",
					  "--burst-train @10kpps",   "--burst-train 64@",
					  "--arrival sometimes",     "--burst-train 1000001@1kpps"};

	(void)state;
	assert_int_equal(parse(&run, "--arrival poisson"), OPT_OK);
	assert_int_equal(config.arrival, ARRIVAL_POISSON);
	assert_int_equal(parse(&run, "--burst-train 64@10kpps"), OPT_OK);
	assert_int_equal(config.train.frames, 64);
	assert_int_equal(config.train.rate.kind, RATE_PPS);
	assert_true(config.train.rate.value == 10000);
	assert_check_refuses("--burst-train 64@10kpps --arrival poisson", "--arrival poisson");
	assert_check_refuses("--tx-only --samples x", "--samples");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (parse(&run, bad[i]) != OPT_ERROR)
			fail_msg("'%s' was taken", bad[i]);
		assert_null(strchr(err, '\n'));
	}
}

static void test_percent_of_max_wants_max_before_it(void **state)
{
	(void)state;
	assert_check_refuses("--rate 50%max", "max,50%max");
	assert_check_refuses("--rate 50%max,max", "max,50%max");
	assert_check_takes("--rate max,50%max,10%max");
	assert_check_takes("--rate 50%");
}

static void test_flows_need_ports(void **state)
{
	(void)state;
	assert_check_takes("--flows 1048576");
	assert_check_refuses("--flows 1048576 --src-port 65535", "--flows");
	assert_check_takes("--flows 1000 --src-port 65535 --dst-port 64000");
	assert_check_refuses("--flows 1000 --src-port 65535 --dst-port 65000", "--flows");
}

/* Every stream has a flow of its own at least. */
static void test_streams_have_flows(void **state)
{
	(void)state;
	assert_int_equal(parse(&run, "--streams 1024 --flows 10"), OPT_OK);
	gen_config_derive(&config);
	assert_int_equal(config.flows, 1024);
	assert_int_equal(parse(&sweep, "--streams 7 --flows 10"), OPT_OK);
	gen_config_derive(&config);
	assert_int_equal(config.flows, 10);
	assert_int_equal(config.streams, 7);
	assert_int_equal(parse(&run, "--streams 2 --src-port 65535 --dst-port 65535"), OPT_OK);
	gen_config_derive(&config);
	assert_int_equal(gen_config_check(&config, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "--streams"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_lists_of_a_sweep),
		cmocka_unit_test(test_bad_values_name_the_option),
		cmocka_unit_test(test_edges_are_taken),
		cmocka_unit_test(test_flags_are_taken_back),
		cmocka_unit_test(test_what_excludes_each_other),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_percent_of_max_wants_max_before_it),
		cmocka_unit_test(test_flows_need_ports),
		cmocka_unit_test(test_streams_have_flows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

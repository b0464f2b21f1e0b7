/*
 * Units: what the command line may say, what it may not, and how figures are written.
 */
#include "tests/unit/unit.h"

#include "common/units.h"

static char err[256];

static void test_rate_parse(void **state)
{
	static const struct {
		const char *text;
		enum rate_kind kind;
		double value;
	} good[] = {
		{"max", RATE_MAX, 0},
		{"MAX", RATE_MAX, 0},
		{"1000", RATE_PPS, 1000},
		{"0.5", RATE_PPS, 0.5},
		{"7pps", RATE_PPS, 7},
		{"500kpps", RATE_PPS, 500e3},
		{"1.2mpps", RATE_PPS, 1.2e6},
		{"1.2Mpps", RATE_PPS, 1.2e6},
		{"1GPPS", RATE_PPS, 1e9},
		{"64bps", RATE_L2_BPS, 64},
		{"64kbps", RATE_L2_BPS, 64e3},
		{"2.5mbps", RATE_L2_BPS, 2.5e6},
		{"10gbps", RATE_L2_BPS, 10e9},
		{"10Gbps-L2", RATE_L2_BPS, 10e9},
		{"10gbps-l1", RATE_L1_BPS, 10e9},
		{"100mbps-L1", RATE_L1_BPS, 100e6},
		{"25%", RATE_PERCENT, 25},
		{"100%", RATE_PERCENT, 100},
		{"0.001%", RATE_PERCENT, 0.001},
		{"50%max", RATE_PERCENT_OF_MAX, 50},
		{"200%MAX", RATE_PERCENT_OF_MAX, 200},
	};
	struct rate rate;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(rate_parse(good[i].text, &rate, err, sizeof(err)), 0);
		assert_int_equal(rate.kind, good[i].kind);
		assert_true(rate.value == good[i].value);
	}
}

static void test_rate_parse_refuses(void **state)
{
	static const char *const bad[] = {
		"",
		"nan",
		"inf",
		"-1",
		"-1kpps",
		"+1",
		" 1",
		"1 ",
		"1 kpps",
		"0",
		"0%",
		"0.0mpps",
		"0.0000000000001kpps",
		"0x10",
		"1e6",
		"1,5mpps",
		".5",
		"5.",
		"1.2.3",
		"12x",
		"kpps",
		"1kpps-l1",
		"10gbps-l3",
		"100.1%",
		"201%max",
		"-5%",
		"1%min",
		"maxx",
		"1tpps",
		"1001gpps",
		"1000001gbps",
		"12kppsx",
		"%",
		"9999999999999999999",
		"0.0000000000000000001",
	};
	struct rate rate = {.kind = RATE_PPS, .value = 42};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(rate_parse(bad[i], &rate, err, sizeof(err)), -EINVAL);
		assert_true(rate.kind == RATE_PPS && rate.value == 42); /* nothing stored */
		assert_ptr_equal(strstr(err, "rate '"), err);
		assert_null(strchr(err, '\n'));
	}
	rate_parse("12x", &rate, err, sizeof(err));
	assert_string_equal(err, "rate '12x': expected e.g. 500kpps, 1.2mpps, 10gbps, 10gbps-l1, "
				 "25%, 50%max or max");
}

static void test_rate_format_round_trip(void **state)
{
	static const char *const texts[] = {
		"max",	 "500kpps",  "1.2mpps", "10gbps", "10gbps-l1", "25%",		"50%max",
		"64bps", "0.125pps", "3mbps",	"33.3%",  "999kpps",   "14.880952mpps",
	};
	struct rate rate, again;
	uint64_t seed = 7;
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(rate_parse(texts[i], &rate, err, sizeof(err)), 0);
		assert_string_equal(rate_format(&rate, text, sizeof(text)), texts[i]);
	}
	for (int i = 0; i < 10000; i++) {
		rate.kind = RATE_PPS;
		rate.value = (double)(unit_random(&seed) >> 30) / 1000;
		if (rate.value == 0)
			continue;
		rate_format(&rate, text, sizeof(text));
		assert_int_equal(rate_parse(text, &again, err, sizeof(err)), 0);
		assert_true(again.kind == rate.kind);
		assert_true(fabs(again.value - rate.value) <= 1e-15 * rate.value);
	}
}

static void test_rate_to_pps(void **state)
{
	struct rate rate = {.kind = RATE_MAX};
	double pps = -1;

	(void)state;
	assert_int_equal(rate_to_pps(&rate, 64, 0, 0, &pps, err, sizeof(err)), 0);
	assert_true(pps == 0);
	rate = (struct rate){RATE_PPS, 1234.5};
	assert_int_equal(rate_to_pps(&rate, 64, 0, 0, &pps, err, sizeof(err)), 0);
	assert_true(pps == 1234.5);
	/* 10 Gbit/s of 64-byte frames: 14.88 Mpps on L1, 19.53 Mpps if only the frame counted. */
	rate = (struct rate){RATE_L1_BPS, 10e9};
	assert_int_equal(rate_to_pps(&rate, 64, 0, 0, &pps, err, sizeof(err)), 0);
	assert_int_equal(llround(pps), 14880952);
	rate = (struct rate){RATE_L2_BPS, 10e9};
	assert_int_equal(rate_to_pps(&rate, 64, 0, 0, &pps, err, sizeof(err)), 0);
	assert_int_equal(llround(pps), 19531250);
	rate = (struct rate){RATE_PERCENT, 50};
	assert_int_equal(rate_to_pps(&rate, 1518, 10e9, 0, &pps, err, sizeof(err)), 0);
	assert_int_equal(llround(pps), 406372);
	rate = (struct rate){RATE_PERCENT_OF_MAX, 50};
	assert_int_equal(rate_to_pps(&rate, 64, 0, 8e6, &pps, err, sizeof(err)), 0);
	assert_true(pps == 4e6);

	pps = 42;
	assert_int_equal(rate_to_pps(&rate, 64, 10e9, 0, &pps, err, sizeof(err)), -EINVAL);
	rate = (struct rate){RATE_PERCENT, 50};
	assert_int_equal(rate_to_pps(&rate, 64, 0, 8e6, &pps, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "a rate in % needs a line rate: give --line-rate, "
				 "e.g. --line-rate 10g");
	assert_int_equal(rate_to_pps(&rate, 64, NAN, 0, &pps, err, sizeof(err)), -EINVAL);
	rate = (struct rate){RATE_L2_BPS, 1e9};
	assert_int_equal(rate_to_pps(&rate, 0, 0, 0, &pps, err, sizeof(err)), -EINVAL);
	assert_true(pps == 42);
}

static void test_layers(void **state)
{
	(void)state;
	assert_true(pps_to_l1_bps(1e6, 64) == 672e6);
	assert_true(pps_to_l2_bps(1e6, 64) == 512e6);
	assert_int_equal(llround(line_rate_pps(1e9, 1518)), 81274);
}

static void test_duration(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{"10", 10000000000}, {"1.5s", 1500000000}, {"200ms", 200000000},  {"50us", 50000},
		{"80ns", 80},	     {"2m", 120000000000}, {"1h", 3600000000000}, {"0", 0},
		{"0.1", 100000000},  {"1.5US", 1500},	   {"0.3ms", 300000},
	};
	static const char *const bad[] = {"",	"s",   "-1",   "1 s", "nan", "infinity",
					  "1d", "1e3", "0x1s", "5.",  "1s1", "99999999999h"};
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(duration_parse(good[i].text, &ns, err, sizeof(err)), 0);
		assert_int_equal(ns, good[i].ns);
	}
	ns = 42;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(duration_parse(bad[i], &ns, err, sizeof(err)), -EINVAL);
	assert_int_equal(ns, 42);
}

static void test_line_rate(void **state)
{
	static const char *const bad[] = {"", "10", "g", "0g", "-1g", "10x", "nan", "1e1g", "10gg"};
	double bps;

	(void)state;
	assert_int_equal(line_rate_parse("10g", &bps, err, sizeof(err)), 0);
	assert_true(bps == 10e9);
	assert_int_equal(line_rate_parse("10Gbps", &bps, err, sizeof(err)), 0);
	assert_true(bps == 10e9);
	assert_int_equal(line_rate_parse("2.5g", &bps, err, sizeof(err)), 0);
	assert_true(bps == 2.5e9);
	assert_int_equal(line_rate_parse("100m", &bps, err, sizeof(err)), 0);
	assert_true(bps == 100e6);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(line_rate_parse(bad[i], &bps, err, sizeof(err)), -EINVAL);
	assert_true(bps == 100e6);
}

static void test_count(void **state)
{
	static const char *const bad[] = {"",
					  "k",
					  "-1",
					  "+1",
					  " 1",
					  "1.5k",
					  "0x10",
					  "1kk",
					  "1e3",
					  "nan",
					  "18446744073709551616",
					  "18446744073709551615k"};
	uint64_t n;

	(void)state;
	assert_int_equal(count_parse("0", 0, 10, &n, err, sizeof(err)), 0);
	assert_int_equal(n, 0);
	assert_int_equal(count_parse("64k", 1, 100000, &n, err, sizeof(err)), 0);
	assert_int_equal(n, 64000);
	assert_int_equal(count_parse("1M", 1, UINT64_MAX, &n, err, sizeof(err)), 0);
	assert_int_equal(n, 1000000);
	assert_int_equal(count_parse("18446744073709551615", 0, UINT64_MAX, &n, err, sizeof(err)),
			 0);
	assert_true(n == UINT64_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(count_parse(bad[i], 0, UINT64_MAX, &n, err, sizeof(err)), -EINVAL);
	assert_int_equal(count_parse("0", 1, 512, &n, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "count '0': must be from 1 to 512");
	assert_int_equal(count_parse("513", 1, 512, &n, err, sizeof(err)), -EINVAL);
	assert_int_equal(count_parse("4", 5, UINT64_MAX, &n, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, "count '4': must be at least 5");
	assert_true(n == UINT64_MAX);
}

static void test_sizes(void **state)
{
	static const char *const bad[] = {
		"",    ",",    "64,",	"64,,128", ",64",
		"63",  "9019", "64,64", "64, 128", "-64",
		"64b", "nan",  "0x40",	"64;128",  "99999999999999999999"};
	uint32_t sizes[4] = {0};
	size_t n = 0;

	(void)state;
	assert_int_equal(sizes_parse("64,1518,9018", sizes, 4, &n, err, sizeof(err)), 0);
	assert_int_equal(n, 3);
	assert_int_equal(sizes[0], 64);
	assert_int_equal(sizes[1], 1518);
	assert_int_equal(sizes[2], 9018);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sizes_parse(bad[i], sizes, 4, &n, err, sizeof(err)), -EINVAL);
	assert_int_equal(sizes_parse("64,65,66,67", sizes, 4, &n, err, sizeof(err)), 0);
	assert_int_equal(sizes_parse("64,65,66,67,68", sizes, 4, &n, err, sizeof(err)), -EINVAL);
	assert_int_equal(n, 4);
	assert_int_equal(sizes[0], 64);
}

static void test_addresses(void **state)
{
	static const char *const bad_mac[] = {"",
					      "0a:1b:2c:3d:4e",
					      "0a:1b:2c:3d:4e:5f:",
					      "0a:1b:2c:3d:4e:5g",
					      "0a-1b-2c-3d-4e-5f",
					      "a:1b:2c:3d:4e:5f",
					      " 0a:1b:2c:3d:4e:5f",
					      "0a:1b:2c:3d:4e:5f0"};
	static const char *const bad_ip[] = {"",	 "1",	      "1.2.3",	   "1.2.3.",
					     "1.2.3.4.", "1.2.3.256", "01.2.3.4",  "1.2.3.4 ",
					     "-1.2.3.4", "1..2.3",    "1.2.3.0x4", "1.2.3.1000"};
	uint8_t mac[6];
	uint32_t ip;
	char text[32];

	(void)state;
	assert_int_equal(mac_parse("0a:1B:2c:3d:4e:5F", mac, err, sizeof(err)), 0);
	assert_string_equal(mac_format(mac, text, sizeof(text)), "0a:1b:2c:3d:4e:5f");
	for (size_t i = 0; i < sizeof(bad_mac) / sizeof(bad_mac[0]); i++)
		assert_int_equal(mac_parse(bad_mac[i], mac, err, sizeof(err)), -EINVAL);
	assert_int_equal(mac[0], 0x0a);
	assert_int_equal(ipv4_parse("198.18.0.1", &ip, err, sizeof(err)), 0);
	assert_int_equal(ip, 0xc6120001);
	assert_string_equal(ipv4_format(ip, text, sizeof(text)), "198.18.0.1");
	assert_int_equal(ipv4_parse("0.0.0.0", &ip, err, sizeof(err)), 0);
	assert_int_equal(ipv4_parse("255.255.255.255", &ip, err, sizeof(err)), 0);
	for (size_t i = 0; i < sizeof(bad_ip) / sizeof(bad_ip[0]); i++)
		assert_int_equal(ipv4_parse(bad_ip[i], &ip, err, sizeof(err)), -EINVAL);
	assert_int_equal(ip, 0xffffffff);
}

static void test_for_people(void **state)
{
	static const struct {
		double value;
		const char *text;
	} si[] = {{1234567, "1.23 Mpps"},
		  {0, "0.00 pps"},
		  {1, "1.00 pps"},
		  {12.34, "12.3 pps"},
		  {999.4, "999 pps"},
		  {999.6, "1.00 kpps"},
		  {999600, "1.00 Mpps"},
		  {9.996, "10.0 pps"},
		  {1e9, "1.00 Gpps"},
		  {1e15, "1000 Tpps"},
		  {0.01234, "0.0123 pps"},
		  {-1234, "-1.23 kpps"},
		  {NAN, "-"},
		  {INFINITY, "-"}},
	  ns[] = {{12345, "12.3 us"}, {80, "80.0 ns"},	  {0, "0.00 ns"},      {1e6, "1.00 ms"},
		  {2.5e9, "2.50 s"},  {7.2e12, "7200 s"}, {999700, "1.00 ms"}, {NAN, "-"}},
	  time[] = {{0, "0:00"},       {62, "1:02"}, {59.6, "1:00"},
		    {3723, "1:02:03"}, {-3, "0:00"}, {NAN, "-"}};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(si) / sizeof(si[0]); i++)
		assert_string_equal(si_format(si[i].value, "pps", text, sizeof(text)), si[i].text);
	for (size_t i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		assert_string_equal(ns_format(ns[i].value, text, sizeof(text)), ns[i].text);
	for (size_t i = 0; i < sizeof(time) / sizeof(time[0]); i++)
		assert_string_equal(duration_format(time[i].value, text, sizeof(text)),
				    time[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate_parse),
		cmocka_unit_test(test_rate_parse_refuses),
		cmocka_unit_test(test_rate_format_round_trip),
		cmocka_unit_test(test_rate_to_pps),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_line_rate),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

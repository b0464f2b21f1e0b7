/*
 * Results of other instruments: files in their layouts, made here, with what spreadsheets and
 * exports do to them; and files that are nothing of the kind.
 */
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include "common/results.h"
#include "common/units.h"
#include "plots/import.h"

#include <stdio.h>

static struct result result;
static char err[600];

static int load(const char *name, const char *text)
{
	static char path[192];
	const char *paths[1];

	folder_put(name, "w", text);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	paths[0] = path;
	*err = '\0';
	return results_load(paths, 1, LOAD_TRIALS, &result, err, sizeof(err));
}

static const json_t *paced(size_t row)
{
	const json_t *trial = json_object_get(json_array_get(result.summary, row), "paced");

	assert_true(json_is_object(trial));
	return trial;
}

static void near(double value, double expected)
{
	assert_true(fabs(value - expected) <= 1e-9 * fabs(expected));
}

static void test_ixnetwork(void **state)
{
	(void)state;
	/* BOM, CRLF, returns at the end of the heading, quotes, thousands, a column nobody knows.
	 */
	assert_int_equal(
		load("AggregateResults.csv",
		     "\xef\xbb\xbfTrial,Framesize,Agg Tx Rate (% Line Rate),Agg Tx Count (frames),"
		     "Agg Rx Count (frames),Agg Rx Throughput (fps),Agg Rx Throughput (Kbps),"
		     "Agg Rx Throughput (% Line Rate),Some Note,Min Latency (ns),Max Latency (ns),"
		     "Avg Latency (ns)\r\r\r\n"
		     "1,64,80,\"1,000,000\",999000,11904761.9,6095238,80,x,2500,91000,7300\r\n"
		     "2,64,80,1000000,1000000,11904761.9,6095238,80,\"a, b\",2400,90000,7200\r\n"
		     "1,1518,100,200000,200000,812743.8,9869960,100,,4000,20000,8000\r\n"),
		0);
	assert_int_equal(result.n_trials, 3);
	assert_string_equal(result_str(paced(0), "path"), "IxNetwork");
	near(result_num(paced(0), "frame_size"), 64);
	near(result_num(paced(0), "tx.sent"), 1000000);
	near(result_num(paced(0), "rx.pps"), 11904761.9);
	near(result_num(paced(0), "latency_ns.min"), 2400);
	near(result_num(paced(0), "latency_ns.mean"), 7200);
	near(result_num(paced(0), "latency_ns.max"), 90000);
	near(result_num(paced(0), "rx.l2_bps"), 11904761.9 * 512);
	assert_true(isnan(result_num(paced(0), "latency_ns.p99")));
	assert_true(result_num(paced(0), "loss_ratio") == 0);
	near(result_num(paced(1), "frame_size"), 1518);
	/* The first trial lost one in a thousand. */
	near((double)result.trials.trial[0].figure[TRIAL_LOSS_RATIO], (double)0.001f);
	assert_int_equal(json_array_size(result.tests), 3);
	near(result_num(json_array_get(result.tests, 2), "throughput_pps"), 812743.8);
	results_free(&result, 1);
}

static void test_spirent(void **state)
{
	(void)state;
	/* A title before, semicolons with decimal commas, microseconds. */
	assert_int_equal(load("rfc2544.csv",
			      "RFC 2544 Throughput;;\n\n"
			      "ConfiguredFrameSize;OfferedLoad(%);Throughput(%);ForwardingRate(fps)"
			      ";PercentLoss;"
			      "TxFrameCount;RxFrameCount;MinimumLatency(us);MaximumLatency(us);"
			      "AverageLatency(us)\n"
			      "128;50,5;40,25;3.399.493,243;0,5;100000;99500;3,25;80,5;6,125\n"),
			 0);
	assert_string_equal(result_str(paced(0), "path"), "Spirent");
	near(result_num(paced(0), "rx.pps"), 3399493.243);
	near(result_num(paced(0), "loss_ratio"), 0.005);
	near(result_num(paced(0), "latency_ns.min"), 3250);
	near(result_num(paced(0), "latency_ns.mean"), 6125);
	near(result_num(paced(0), "latency_ns.max"), 80500);
	/* The line rate is what the share and the frames say together. */
	near(result_num(paced(0), "rate_requested_pps"), 3399493.243 / 0.4025 * 0.505);
	near(result_num(json_array_get(result.tests, 0), "throughput_pps"), 3399493.243);
	results_free(&result, 1);
}

static void test_plain(void **state)
{
	(void)state;
	assert_int_equal(load("plain.csv",
			      "# source: my tester\n# anything\n"
			      "frame_size,offered_kpps,throughput_mpps,loss_percent,latency_min_us,"
			      "latency_p50_us,latency_p99_us,latency_p999_ms,latency_max_ms,"
			      "cpu_percent\n"
			      "64,1000,1.25,0.1,1.5,2,3,0.004,0.5,79.5\n"
			      "\n"
			      "512,,,,,,,,,\n"),
			 0);
	assert_int_equal(result.n_trials, 1);
	assert_string_equal(result_str(paced(0), "path"), "my tester");
	near(result_num(paced(0), "rate_requested_pps"), 1e6);
	near(result_num(paced(0), "latency_ns.p50"), 2000);
	near(result_num(paced(0), "latency_ns.p999"), 4000);
	near(result_num(paced(0), "latency_ns.max"), 500000);
	near(result_num(paced(0), "dut.cpu_busy"), 0.795);
	near(result_num(json_array_get(result.tests, 0), "throughput_pps"), 1.25e6);
	results_free(&result, 1);
}

static void test_nfvbench(void **state)
{
	(void)state;
	assert_int_equal(
		load("nfvbench.json",
		     "{\"benchmarks\":{\"network\":{\"service_chain\":{\"PVP\":{\"result\":{"
		     "\"result\":{"
		     "\"64\":{\"ndr\":{\"rate_pps\":2000000,\"stats\":{\"overall\":{\"avg_delay_"
		     "usec\":25.5,"
		     "\"min_delay_usec\":10,\"max_delay_usec\":300,\"drop_percentage\":0.002,"
		     "\"rx\":{\"pkt_rate\":1999960}}}},\"pdr\":{\"rate_pps\":2400000}},"
		     "\"IMIX\":{\"ndr\":{\"rate_pps\":5}}}}}}}}}"),
		0);
	near(result_num(paced(0), "latency_ns.mean"), 25500);
	near(result_num(paced(0), "loss_ratio"), 0.00002);
	assert_int_equal(json_array_size(result.tests), 2);
	assert_string_equal(result_str(json_array_get(result.tests, 1), "goal"), "pdr");
	near(result_num(json_array_get(result.tests, 1), "throughput_pps"), 2.4e6);
	results_free(&result, 1);
}

static void test_csit(void **state)
{
	(void)state;
	assert_int_equal(load("csit.json",
			      "{\"version\":\"1.2.0\",\"test_id\":\"tests.vpp.10ge2p1x710-eth-l2xc-"
			      "ndrpdr.64b-1t1c-eth-l2xc-ndrpdr\",\"tags\":[\"64B\",\"NDRPDR\"],"
			      "\"result\":{\"type\":\"ndrpdr\",\"ndr\":{\"lower\":{\"rate\":{"
			      "\"value\":9000000,"
			      "\"unit\":\"pps\"}},\"upper\":{\"rate\":{\"value\":9040000}}},"
			      "\"pdr\":{\"lower\":{\"rate\":{\"value\":9500000}},\"upper\":{"
			      "\"rate\":{\"value\":"
			      "9545000}}},\"latency_forward\":{\"pdr_50\":{\"avg\":8,\"min\":4,"
			      "\"max\":90}}}}"),
			 0);
	near(result_num(json_array_get(result.tests, 0), "frame_size"), 64);
	near(result_num(json_array_get(result.tests, 0), "upper_bound_pps"), 9040000);
	near(result_num(json_array_get(result.tests, 1), "throughput_pps"), 9500000);
	near(result_num(paced(0), "latency_ns.mean"), 8000);
	results_free(&result, 1);
}

static void test_trex(void **state)
{
	(void)state;
	assert_int_equal(
		load("trex.json",
		     "{\"0\":{\"opackets\":5000},\"global\":{\"tx_pps\":1000000,\"rx_pps\":990000,"
		     "\"tx_bps\":480000000},\"total\":{\"opackets\":10000,\"ipackets\":9900},"
		     "\"latency\":{\"global\":{},\"5\":{\"latency\":{\"average\":12.5,\"total_"
		     "min\":4,"
		     "\"total_max\":200}}}}"),
		0);
	near(result_num(paced(0), "frame_size"), 64);
	near(result_num(paced(0), "loss_ratio"), 0.01);
	near(result_num(paced(0), "rx.pps"), 990000);
	near(result_num(paced(0), "latency_ns.max"), 200000);
	results_free(&result, 1);
	assert_int_equal(
		load("ndr.json",
		     "{\"config\":{\"tunables\":{\"size\":\"128\"}},\"ndr_results\":{\"result\":{"
		     "\"rate_tx_pps\":7000000,\"rx_pps\":6999000,\"drop_rate_percentage\":0.01}}}"),
		0);
	near(result_num(json_array_get(result.tests, 0), "throughput_pps"), 7e6);
	near(result_num(paced(0), "frame_size"), 128);
	near(result_num(paced(0), "loss_ratio"), 0.0001);
	results_free(&result, 1);
}

static void test_texts(void **state)
{
	(void)state;
	assert_int_equal(load("io-64B-paced-0-0-t3.hgrm",
			      "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
			      "    1000.000 0.000000000000          1           1.00\n"
			      "    1500.000 0.500000000000        500           2.00\n"
			      "    2500.000 0.990000000000        990         100.00\n"
			      "    9000.000 1.000000000000       1000\n"
			      "#[Mean    =     1600.000, StdDeviation   =      100.000]\n"),
			 0);
	near(result_num(paced(0), "frame_size"), 64);
	near(result_num(paced(0), "latency_ns.p99"), 2500);
	near(result_num(paced(0), "latency_ns.max"), 9000);
	results_free(&result, 1);
	assert_int_equal(
		load("testpmd.txt",
		     "  ######################## NIC statistics for port 0  "
		     "########################\n"
		     "  RX-packets: 5          RX-missed: 0          RX-bytes:  300\n"
		     "  +++++++++++++++ Accumulated forward statistics for all "
		     "ports+++++++++++++++\n"
		     "  RX-packets: 1000           RX-dropped: 0             RX-total: 1000\n"
		     "  TX-packets: 990            TX-dropped: 10            TX-total: 1000\n"),
		0);
	near(result_num(paced(0), "tx.sent"), 1000);
	near(result_num(paced(0), "loss_ratio"), 0.01);
	results_free(&result, 1);
	assert_int_equal(load("kni.txt", "**KNI example statistics**\n======  ==============\n"
					 " Port    Lcore(RX/TX)    rx_packets    rx_dropped    "
					 "tx_packets    tx_dropped\n"
					 "------  --------------  ------------\n"
					 "      0          1/ 1          3107            10        "
					 "  3090             7\n"),
			 0);
	near(result_num(paced(0), "rx.received"), 3090);
	near(result_num(paced(0), "tx.sent"), 3107);
	results_free(&result, 1);
}

static void test_what_is_none_of_them(void **state)
{
	static const struct {
		const char *name, *text, *says;
	} bad[] = {
		{"a.csv", "time,temperature\n1,2\n", "first column is 'time'"},
		{"b.csv", "hello\n", "frame_size"},
		{"c.csv", "frame_size,throughput_pps\n", "no result in it"},
		{"d.csv", "frame_size,throughput_pps\nx,y\n", "no result in it"},
		{"e.json", "{\"a\":1}", "begins with 'a'"},
		{"f.json", "{\"a\":", "line 1"},
		{"g.hgrm", "Value Percentile TotalCount\nx\n", "line 2"},
		{"h.txt", "NIC statistics for port 0\n", "RX-packets"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_true(load(bad[i].name, bad[i].text) < 0);
		assert_non_null(strstr(err, bad[i].says));
		assert_non_null(strstr(err, bad[i].name));
		assert_null(strchr(err, '\n'));
		results_free(&result, 1);
	}
}

/* What is shipped says what the arithmetic says. */
static void test_baselines(void **state)
{
	static const double gbits[] = {1, 10, 25, 40, 100};
	static const uint32_t sizes[] = {64, 128, 256, 512, 1024, 1280, 1518};
	const char *guide = "results/baselines/kni-guide.csv";

	(void)state;
	for (size_t i = 0; i < sizeof(gbits) / sizeof(gbits[0]); i++) {
		char path[64];
		const char *paths[] = {path};

		snprintf(path, sizeof(path), "results/baselines/line-rate-%.0fg.csv", gbits[i]);
		assert_int_equal(results_load(paths, 1, LOAD_TRIALS, &result, err, sizeof(err)), 0);
		assert_int_equal(json_array_size(result.tests), 7);
		for (size_t s = 0; s < 7; s++) {
			const json_t *test = json_array_get(result.tests, s);

			assert_true(result_num(test, "frame_size") == sizes[s]);
			assert_true(fabs(result_num(test, "throughput_pps") -
					 line_rate_pps(gbits[i] * 1e9, sizes[s])) < 0.001);
		}
		results_free(&result, 1);
	}
	assert_int_equal(results_load(&guide, 1, LOAD_TRIALS, &result, err, sizeof(err)), 0);
	near(result_num(paced(0), "latency_ns.mean"), 12300);
	near(result_num(paced(0), "dut.cpu_busy"), 0.8);
	results_free(&result, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_ixnetwork), CASE(test_spirent),
		CASE(test_plain),     CASE(test_nfvbench),
		CASE(test_csit),      CASE(test_trex),
		CASE(test_texts),     CASE(test_what_is_none_of_them),
		CASE(test_baselines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

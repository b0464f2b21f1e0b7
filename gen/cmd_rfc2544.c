/*
 * rfc2544: the tests of RFC 2544, section 26, over frame sizes, each size from throughput to
 * recovery, for later tests need what the first one found.
 */
#include "gen/rfc2544.h"

#include "common/report.h"
#include "common/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct test {
	const char *name;
	int (*run)(struct rfc2544 *t);
	double (*estimate_s)(const struct gen_config *config, double overhead_s);
	bool needs_throughput;
} tests[] = {
	{"throughput", rfc2544_throughput, rfc2544_throughput_s, false},
	{"latency", rfc2544_latency, rfc2544_latency_s, true},
	{"loss", rfc2544_loss, rfc2544_loss_s, false},
	{"back-to-back", rfc2544_back_to_back, rfc2544_back_to_back_s, true},
	{"recovery", rfc2544_recovery, rfc2544_recovery_s, true},
	{"reset", rfc2544_reset, rfc2544_reset_s, true},
};

#define N_TESTS	   (sizeof(tests) / sizeof(tests[0]))
#define THROUGHPUT (&tests[0])
#define RESET	   (&tests[N_TESTS - 1])

static void defaults(struct gen_config *config)
{
	static const struct size_list sizes = {.size = {64, 128, 256, 512, 1024, 1280, 1518},
					       .n = 7};

	if (!config->sizes.n)
		config->sizes = sizes;
	if (!config->duration_ns)
		config->duration_ns = 60000000000ull;
}

static int check(const struct gen_config *config, char *err, size_t errlen)
{
	const char *name = config->method.test;

	for (size_t i = 0; name && i < N_TESTS; i++)
		if (!strcmp(tests[i].name, name))
			return 0;
	if (name && !strcmp(name, "all"))
		return 0;
	snprintf(err, errlen,
		 "%s%s%s: say throughput, latency, loss, back-to-back, recovery, reset or all",
		 name ? "unknown test '" : "which test", name ? name : "", name ? "'" : "");
	return -EINVAL;
}

/* Whether a test is to be run; by 'all', the reset test is only with a command that does it. */
static bool wanted(const struct gen_config *config, const struct test *test)
{
	if (strcmp(config->method.test, "all"))
		return !strcmp(config->method.test, test->name);
	return test != RESET || config->method.reset_command;
}

/* Whether it runs: because it is wanted, or because a wanted one needs it. */
static bool runs(const struct gen_config *config, const struct test *test)
{
	bool needed = false;

	for (size_t i = 0; i < N_TESTS; i++)
		needed |= wanted(config, &tests[i]) && tests[i].needs_throughput;
	if (config->method.throughput.kind != RATE_MAX)
		needed = false;
	return wanted(config, test) || (needed && test == THROUGHPUT);
}

/* RFC 2544 has the reset test done at one size, the smallest. */
static uint32_t smallest(const struct gen_config *config)
{
	uint32_t size = config->sizes.size[0];

	for (size_t i = 1; i < config->sizes.n; i++)
		if (config->sizes.size[i] < size)
			size = config->sizes.size[i];
	return size;
}

static bool runs_at(const struct gen_config *config, const struct test *test, uint32_t size)
{
	return runs(config, test) && (test != RESET || size == smallest(config));
}

static double estimate_s(const struct gen_config *config, const struct test *test)
{
	double duration_s = (double)config->duration_ns / 1e9;

	return test->estimate_s(config, measure_overhead_s(config, duration_s));
}

static double plan_s(const struct gen_config *config)
{
	double sum = 0;

	for (size_t s = 0; s < config->sizes.n; s++)
		for (size_t i = 0; i < N_TESTS; i++)
			if (runs_at(config, &tests[i], config->sizes.size[s]))
				sum += estimate_s(config, &tests[i]);
	return sum;
}

static int dry_run(const struct gen_config *config)
{
	char text[32];

	printf("%-14s %6s   %s\n", "test", "size", "at most");
	for (size_t s = 0; s < config->sizes.n; s++)
		for (size_t i = 0; i < N_TESTS; i++)
			if (runs_at(config, &tests[i], config->sizes.size[s]))
				printf("%-14s %6u   %s\n", tests[i].name, config->sizes.size[s],
				       duration_format(estimate_s(config, &tests[i]), text,
						       sizeof(text)));
	if (!runs(config, RESET) && !strcmp(config->method.test, "all"))
		puts("reset is left out: it needs --reset-command");
	printf("\n%zu sizes, %s at most, repeats of disturbed trials left aside\n", config->sizes.n,
	       duration_format(plan_s(config), text, sizeof(text)));
	return 0;
}

static int run_size(struct measure *m, uint32_t size)
{
	const struct gen_config *config = m->campaign.invocation->config;
	struct rfc2544 t = {.measure = m, .config = config, .size = size};
	int rc;

	measure_begin(m, "max", size);
	t.throughput_pps = NAN;
	rc = measure_bounds(m, &t.max_pps, &t.min_pps);
	if (!rc && config->method.throughput.kind != RATE_MAX)
		rc = measure_pps(m, &config->method.throughput, &t.throughput_pps);
	m->throughput_pps = t.throughput_pps;
	for (size_t i = 0; i < N_TESTS && !rc; i++) {
		if (!runs_at(config, &tests[i], size))
			continue;
		measure_begin(m, tests[i].name, size);
		rc = tests[i].run(&t);
	}
	return rc;
}

static int run(const struct invocation *invocation)
{
	const struct gen_config *config = invocation->config;
	static struct measure m;
	int rc = measure_open(&m, invocation);

	m.planned_s = plan_s(config);
	for (size_t s = 0; s < config->sizes.n && !rc; s++)
		rc = run_size(&m, config->sizes.size[s]);
	return measure_report(&m, rc);
}

static const char *const examples[] = {
	"tandem-gen -l 2 -a 0000:02:00.0 -- rfc2544 throughput --out results/throughput",
	"highest load without loss of seven frame sizes, 60-second trials",
	"tandem-gen -l 2 -a 0000:02:00.0 -- rfc2544 all --sizes 64,1518 --duration 10 --out "
	"results/all",
	"all tests but reset, two sizes, shorter trials",
	"tandem-gen -l 2 -a 0000:02:00.0 -- rfc2544 all --dry-run",
	"the plan and its duration",
	NULL,
};

const struct verb verb_rfc2544 = {
	.command = {.program = "tandem-gen",
		    .verb = "rfc2544",
		    .synopsis = "[EAL options] -- rfc2544 TEST [options]",
		    .summary = "The tests of RFC 2544 (9004, 8219): throughput, latency, loss, "
			       "back-to-back, recovery, reset or all.",
		    .opts = rfc2544_options,
		    .examples = examples},
	.max_operands = 1,
	.defaults = defaults,
	.check = check,
	.dry_run = dry_run,
	.planned_s = plan_s,
	.run = run,
};

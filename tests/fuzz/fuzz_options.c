/*
 * Command lines of tandem-gen, NUL between words, the first byte choosing the verb; each word is
 * looked at as a --vdev too. fuzz_dut_options.c has tandem-dut's.
 */
#include "tests/fuzz/fuzz.h"

#include "common/dpdk/vdev.h"
#include "gen/config.h"
#include "gen/frame.h"
#include "gen/sender.h"

#define MAX_WORDS 24

static void fuzz_vdev(const char *vdev)
{
	static const char *const keys[] = {"path", "socket", "server", "role", "a"};
	char value[16];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (vdev_value(vdev, keys[i], value, sizeof(value)))
			FUZZ_CHECK(strlen(value) < sizeof(value) && !strchr(value, ','));
	(void)vdev_needs_path_socket(vdev);
}

/* The bounds that the tables state, as the sender relies on them. */
static void check_config(const struct gen_config *config)
{
	FUZZ_CHECK(config->sizes.n <= MAX_SIZES && config->rates.n <= MAX_RATES);
	for (size_t i = 0; i < config->sizes.n; i++)
		FUZZ_CHECK(config->sizes.size[i] >= FRAME_MIN &&
			   config->sizes.size[i] <= FRAME_JUMBO_MAX);
	FUZZ_CHECK(config->burst >= 1 && config->burst <= SENDER_MAX_BURST);
	FUZZ_CHECK(config->flows >= 1 && config->flows <= FRAME_MAX_FLOWS);
	FUZZ_CHECK(config->src_port >= 1 && config->src_port <= 65535);
	FUZZ_CHECK(config->ttl <= 255 && config->tos <= 255);
	FUZZ_CHECK(config->arrival <= ARRIVAL_POISSON && config->on_full <= ON_FULL_WAIT);
	FUZZ_CHECK(!config->train.frames || config->train.rate.kind != RATE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct opt *const tables[] = {run_options, sweep_options, selftest_options,
						   replay_options};
	struct opt_command command = {.program = "tandem-gen", .synopsis = "", .summary = ""};
	char *words[MAX_WORDS], err[256] = "", *text;
	struct gen_config config;
	size_t operands = 0;
	int n;

	if (!size)
		return 0;
	command.opts = tables[data[0] % 3];
	text = fuzz_words(data + 1, size - 1, words, MAX_WORDS, &n);
	gen_config_init(&config);
	switch (opt_parse(&command, &config, n, words, NULL, 0, &operands, err, sizeof(err))) {
	case OPT_OK:
		FUZZ_CHECK(operands == 0);
		check_config(&config);
		(void)gen_config_check(&config, err, sizeof(err));
		break;
	case OPT_ERROR:
		FUZZ_CHECK(*err);
		break;
	case OPT_HELP:
	case OPT_VERSION:
		break;
	}
	for (int i = 0; i < n; i++)
		fuzz_vdev(words[i]);
	free(text);
	return 0;
}

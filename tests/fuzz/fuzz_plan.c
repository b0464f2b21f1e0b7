/*
 * A plan of any bytes, in memory as a file: read into configurations that keep their bounds, or
 * refused in one line that names the file.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "gen/frame.h"
#include "gen/plan.h"
#include "gen/sender.h"

static void defaults(struct gen_config *config)
{
	gen_config_fill(config, &(struct size_list){.size = {64}, .n = 1},
			&(struct rate_list){.rate = {{.kind = RATE_MAX}}, .n = 1});
}

static const struct verb run = {.command = {.verb = "run", .opts = run_options},
				.defaults = defaults};
static const struct verb sweep = {.command = {.verb = "sweep", .opts = sweep_options},
				  .defaults = defaults};
static const struct verb rfc2544 = {.command = {.verb = "rfc2544", .opts = rfc2544_options},
				    .max_operands = 1,
				    .defaults = defaults};
static const struct verb *const verbs[] = {&run, &sweep, &rfc2544};

/* Reads a string to its end, so that one which is gone is seen. */
static size_t length(const char *text)
{
	return text ? strlen(text) : 0;
}

static void check(const struct plan *plan)
{
	size_t sum = 0;

	FUZZ_CHECK(plan->n > 0);
	for (size_t i = 0; i < plan->n; i++) {
		const struct gen_config *config = &plan->steps[i].config;

		FUZZ_CHECK(plan->steps[i].verb && plan->steps[i].line > 0);
		FUZZ_CHECK(config->sizes.n >= 1 && config->sizes.n <= MAX_SIZES);
		FUZZ_CHECK(config->rates.n >= 1 && config->rates.n <= MAX_RATES);
		FUZZ_CHECK(config->burst >= 1 && config->burst <= SENDER_MAX_BURST);
		FUZZ_CHECK(config->flows >= 1 && config->flows <= FRAME_MAX_FLOWS);
		sum += length(config->out) + length(config->title) + length(config->path) +
		       length(config->samples) + length(config->method.test) +
		       length(config->method.reset_command);
	}
	FUZZ_CHECK(sum < SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("plan", MFD_CLOEXEC);
	char path[64], err[256] = "";
	struct plan plan;

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (plan_read(path, verbs, sizeof(verbs) / sizeof(verbs[0]), &plan, err, sizeof(err)) ==
	    0) {
		check(&plan);
		plan_free(&plan);
	} else {
		FUZZ_CHECK(!strncmp(err, path, strlen(path)) && !strchr(err, '\n'));
		FUZZ_CHECK(!plan.steps && !plan.words);
	}
	close(fd);
	return 0;
}

/*
 * A test plan: one YAML file that says what to run, one test after the other.
 *
 *   title: acceptance            # options of every test
 *   out: results/acceptance
 *   defaults:                    # options of those tests that have them
 *     duration: 60
 *   tests:
 *     - rfc2544: throughput      # the verb and its word
 *       sizes: [64, 1518]        # its options, without dashes
 *     - soak:
 *       rate: 50%
 *
 * A key is an option's long name, its value what stands behind it on the command line; a flag is
 * true or false. A list is what is joined by commas there; of an option that may be given several
 * times (--goal) each entry is one. A key of a test wins over the same one in the defaults, and
 * that over one at the top. What is at the top every test of the plan must know, what is in the
 * defaults one of them.
 */
#ifndef TANDEM_PLAN_H
#define TANDEM_PLAN_H

#include "gen/cmd.h"

#include <stddef.h>

/* A test: its verb, and the configuration as the command line would have given it, the verb's word
 * and defaults filled in, checked. */
struct plan_step {
	const struct verb *verb;
	struct gen_config config; /* its strings are the plan's */
	size_t line;		  /* where it stands in the file */
};

struct plan {
	struct plan_step *steps;
	size_t n;
	char **words; /* what the configurations point into */
	size_t n_words;
};

/*
 * Reads a plan whose tests are some of n verbs. Returns 0, and the caller releases the plan; or a
 * negative errno with one line in err, "FILE:LINE: what is wrong", and nothing to release.
 */
int plan_read(const char *path, const struct verb *const *verbs, size_t n, struct plan *plan,
	      char *err, size_t errlen);

void plan_free(struct plan *plan);

#endif

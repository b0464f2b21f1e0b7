/*
 * Latency less the floor: what the generator's own loop takes, as a selftest found it, taken off
 * what a run measured.
 */
#ifndef TANDEM_FLOOR_H
#define TANDEM_FLOOR_H

#include <jansson.h>
#include <stddef.h>

#include "plots/load.h"

struct floor {
	double ns;	     /* the shortest round trip of the loop */
	const char *started; /* UTC, when it was measured; NULL unknown; borrowed from the result */
	const char *loop;    /* driver of the loop, such as "net_ring"; likewise */
};

/*
 * The floor that a result carries in its run.json. Returns 0, or -ENODATA with one line in err:
 * there is none, or one whose schema is unknown.
 */
int floor_of(const struct result *r, struct floor *floor, char *err, size_t errlen);

/*
 * Summary rows with the floor taken off the paced latency, all and clean: minimum, mean,
 * percentiles and maximum, never below 0. Spreads and counts stay as they are. New array; the one
 * given is left as it is, and so are its trials. NULL when out of memory.
 */
json_t *floor_subtract(const struct floor *floor, const json_t *summary);

/* "latency less the floor of 412 ns (selftest of 2026-01-01T00:00:00.000Z, over net_ring)", with
 * what is known of the bracket. Returns buf. */
char *floor_title(const struct floor *floor, char *buf, size_t len);

#endif

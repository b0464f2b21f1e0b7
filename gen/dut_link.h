/*
 * The way to the DUT's figures: its telemetry socket on this host, or the same on another host,
 * read by `tandem-dut telemetry` at the other end of an ssh connection. ssh is the authentication;
 * nobody listens.
 */
#ifndef TANDEM_DUT_LINK_H
#define TANDEM_DUT_LINK_H

#include "gen/dut_child.h"
#include "gen/dut_place.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct dut_link {
	const struct dut_place *place;
	const char *ssh, *program; /* the ssh command here, tandem-dut there */
	struct dut_child child;	   /* of DUT_SSH */
	uint64_t lost_ns;	   /* when the connection was lost; 0: it was not */
	bool warned;
};

/* Nothing is asked yet; strings and place are borrowed. */
void dut_link_init(struct dut_link *l, const struct dut_place *place, const char *ssh,
		   const char *program);

/*
 * One request, as telemetry_request; "host" asks for the facts of the DUT's host (common/host.h).
 * *reply is a new reference. A connection that was lost is tried anew, but not for half a minute.
 * Returns 0, or a negative errno with one line in err.
 */
int dut_link_request(struct dut_link *l, const char *command, json_t **reply, char *err,
		     size_t errlen);

void dut_link_close(struct dut_link *l);

#endif

/*
 * --dut-start: the DUT, started before our ports are opened and ended after they are closed,
 * through ssh or a shell here.
 */
#ifndef TANDEM_DUT_START_H
#define TANDEM_DUT_START_H

#include "gen/dut_child.h"
#include "gen/dut_place.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Starts command on the place's host (DUT_SSH), else here. It gets no input, and SIGTERM when
 * dut_started_end is called, this program dies or the connection breaks. Returns 0 or a negative
 * errno with one line in err; dut_started_end is due in both cases.
 */
int dut_start(struct dut_child *c, const struct dut_place *place, const char *ssh,
	      const char *command, char *err, size_t errlen);

/*
 * Waits until a DUT that was started answers at its place: at most wait_ns, until *stop, or until
 * the command ends. Returns 0, or a negative errno with one line in err. For DUT_NOWHERE there is
 * nobody to ask: then it looks for a moment whether the command goes on.
 */
int dut_start_wait(struct dut_child *c, const struct dut_place *place, const char *ssh,
		   const char *program, uint64_t wait_ns, const volatile bool *stop, char *err,
		   size_t errlen);

/* Ends it, with up to ten seconds to close its ports. Does nothing when nothing was started. */
void dut_started_end(struct dut_child *c);

#endif

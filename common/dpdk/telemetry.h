/*
 * A client of DPDK's telemetry socket: one request, one JSON reply of at most 16 KiB.
 */
#ifndef TANDEM_TELEMETRY_H
#define TANDEM_TELEMETRY_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Where EAL of this user puts the socket of a program with that file prefix. Returns buf. */
char *telemetry_path(const char *prefix, char *buf, size_t len);

/*
 * Sends command ("/tandem/dut/stats" or "/tandem/dut/stalls,64") to the socket at path. The value
 * of the reply (the object behind the command's name) is a new reference in *reply. Waits at most a
 * second. Returns 0 or a negative errno with one line in err.
 */
int telemetry_request(const char *path, const char *command, json_t **reply, char *err,
		      size_t errlen);

#endif

/*
 * `tandem-dut telemetry`: the far end of `tandem-gen --dut ssh://...`, which reads a running DUT's
 * figures for a generator on another host.
 */
#ifndef TANDEM_DUT_READER_H
#define TANDEM_DUT_READER_H

#define READER_VERB "telemetry"

/*
 * Answers the lines of stdin ("/tandem/dut/stats", "host") with a line of JSON each, {"reply": ...}
 * or {"error": TEXT}, until it ends. argv are the words after the verb: --help, or the DUT's file
 * prefix or its socket's path. Returns the exit status.
 */
int reader_main(int argc, char **argv);

#endif

/*
 * The verb doctor, with what only DPDK's headers and library know.
 */
#ifndef TANDEM_HOST_DOCTOR_H
#define TANDEM_HOST_DOCTOR_H

/* doctor_main, told DPDK's versions. argv holds the verb's options. Returns the exit status. */
int host_doctor_main(const char *program, int argc, char **argv);

#endif

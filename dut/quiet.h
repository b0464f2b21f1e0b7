/*
 * Keeping the chatter of the libraries behind af_xdp off the screen.
 */
#ifndef TANDEM_DUT_QUIET_H
#define TANDEM_DUT_QUIET_H

/* libbpf and libxdp print nothing from now on, where they are loaded. What fails is told by our own
 * error. */
void quiet_xdp_libraries(void);

#endif

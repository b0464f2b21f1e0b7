/*
 * Writing capture files. Libpcap writes no pcapng, which alone keeps a frame's direction: its few
 * blocks are written here. A name that ends in .pcap gets the classic format with nanoseconds,
 * without directions.
 */
#ifndef TANDEM_CAPTURE_WRITE_H
#define TANDEM_CAPTURE_WRITE_H

#include "common/capture_ring.h"

#include <stdio.h>

struct capture_writer {
	FILE *file;
	bool classic;
	uint32_t snaplen;
};

/* Opens path and writes its head, with n interfaces by their names (written by program). 0 or a
 * negative errno. */
int capture_write_open(struct capture_writer *w, const char *path, uint32_t snaplen,
		       const char *program, const char *const *names, unsigned int n);

/* Writes an entry that was seen at ns since 1970, cut to snaplen. False on an error. */
bool capture_write(struct capture_writer *w, const struct capture_entry *entry, uint64_t ns);

/* Writes how many frames the capture missed, and closes the file. 0 or a negative errno. */
int capture_write_close(struct capture_writer *w, uint64_t ns, uint64_t written, uint64_t dropped);

#endif

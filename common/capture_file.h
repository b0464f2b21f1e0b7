/*
 * Reading capture files: pcap of all kinds that libpcap knows (microseconds, nanoseconds, either
 * byte order, modified) and pcapng. Frames come out as Ethernet, whatever link they were captured
 * on; a file is read front to back in bounded memory.
 */
#ifndef TANDEM_CAPTURE_FILE_H
#define TANDEM_CAPTURE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Libpcap's bound of a captured frame, and the Ethernet header that one may be given. */
#define CAPTURE_MAX_FRAME (262144u + 14u)

struct pcap;

struct capture_file {
	struct pcap *pcap;
	FILE *file;
	const char *path;   /* the caller's */
	int link;	    /* DLT_ */
	uint64_t frames;    /* read so far, those left out included */
	uint64_t left_out;  /* without an EtherType on a link that is not Ethernet, or too short */
	bool cut_off;	    /* the file ends in the middle of a frame */
	uint8_t *converted; /* room for a frame that gets an Ethernet header */
};

struct capture_frame {
	const uint8_t *bytes; /* from the destination MAC on, no FCS; valid until the next call */
	uint32_t len;	      /* bytes that are there */
	uint32_t wire_len;    /* bytes it had: more than len where the capture cut it (snaplen) */
	uint64_t ns;	      /* when, since 1970 */
	bool made_macs; /* the link has no MACs of this kind: both stand in for unknown ones */
};

/*
 * Opens a file for reading; path must outlive it. Returns 0, or a negative errno with one line in
 * err that names the file and what is wrong (-EINVAL: no capture file, or a link type that carries
 * no Ethernet or IP; it is named). capture_close is due after success alone.
 */
int capture_open(struct capture_file *c, const char *path, char *err, size_t errlen);
void capture_close(struct capture_file *c);

/* The name of a link type that can be read, NULL for one that cannot. */
const char *capture_link_name(int link);

/*
 * The next frame. Returns 1; 0 at the end, also where the file was cut off in the middle of a frame
 * (cut_off is set then); or a negative errno with a line in err that names file and frame.
 */
int capture_next(struct capture_file *c, struct capture_frame *f, char *err, size_t errlen);

#endif

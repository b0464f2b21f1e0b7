/*
 * Capturing what a program sends and receives: polling threads put copies of frames into rings
 * (capture_ring.h), one thread of its own filters and writes them. When it is slower than they are,
 * frames are missing in the capture, and counted, never in the measurement.
 */
#ifndef TANDEM_CAPTURE_OUT_H
#define TANDEM_CAPTURE_OUT_H

#include "common/capture_ring.h"
#include "common/opts.h"

#include <jansson.h>

#define CAPTURE_SNAPLEN 262144u

struct capture_options {
	const char *path;   /* NULL: no capture */
	const char *filter; /* a BPF expression as tcpdump's, or NULL */
	uint64_t count;	    /* frames at most; 0: no limit */
	uint64_t snaplen;   /* bytes of a frame at most; 0: all */
};

/* Rows of a table of options, the struct's offset given. */
/* clang-format off */
#define CAPTURE_OPTIONS(at, heading) \
	{"capture", 0, OPT_STRING, (at) + offsetof(struct capture_options, path), 0, 0, NULL, NULL, "FILE", \
	 "write what is sent and received there: pcapng with directions and nanoseconds, or, where the name ends\n" \
	 "in .pcap, the classic format without directions", heading}, \
	{"capture-filter", 0, OPT_STRING, (at) + offsetof(struct capture_options, filter), 0, 0, NULL, NULL, "BPF", \
	 "frames that this expression matches, as tcpdump's: 'udp port 53'", NULL}, \
	{"capture-count", 0, OPT_UINT, (at) + offsetof(struct capture_options, count), 1, 1e18, NULL, NULL, "N", \
	 "end the capture after N frames", NULL}, \
	{"capture-snaplen", 0, OPT_UINT, (at) + offsetof(struct capture_options, snaplen), 1, CAPTURE_SNAPLEN, NULL, NULL, \
	 "BYTES", "that much of each frame at most. Default: all of it", NULL}
/* clang-format on */

/* What a polling thread puts frames into; one thread. */
struct capture_tap {
	struct capture_ring ring;
	uint64_t dropped; /* frames that found it full */
	const bool *full; /* the capture has as many frames as were asked for */
	uint32_t copy;	  /* bytes of a frame at most */
};

struct capture_counts {
	uint64_t written;
	uint64_t filtered; /* that the filter left out */
	uint64_t dropped;  /* that found a ring full */
};

struct capture_out;

/* What no single option can know: options without a file, a filter that is none. 0, or -EINVAL with
 * one line in err. */
int capture_options_check(const struct capture_options *options, char *err, size_t errlen);

/*
 * Opens the file for frames of n_ports interfaces by their names, and starts the writing thread for
 * n_taps polling threads. Returns NULL with *rc 0 where no capture is asked for; NULL with a
 * negative errno in *rc and a line in err on an error. options must outlive it.
 */
struct capture_out *capture_out_open(const struct capture_options *options, const char *program,
				     const char *const *names, unsigned int n_ports,
				     unsigned int n_taps, int *rc, char *err, size_t errlen);

/* The tap of a polling thread; NULL where out is. */
struct capture_tap *capture_out_tap(struct capture_out *out, unsigned int i);

/*
 * Waits, a few seconds at most, until all that was put is written: the polling threads stand still.
 * Fills in the counts so far.
 */
void capture_out_settle(struct capture_out *out, struct capture_counts *counts);

/* Writes what is left and closes the file; out may be NULL. 0 or a negative errno with a line in
 * err. */
int capture_out_close(struct capture_out *out, char *err, size_t errlen);

/* {"file","written","filtered","dropped"} for a record. New reference. */
json_t *capture_record(const struct capture_options *options, const struct capture_counts *counts);

#endif

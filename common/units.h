/*
 * Rates, sizes, durations and counts: reading them from the command line and writing them for
 * people.
 *
 * A frame size includes the 4-byte FCS (RFC 2544). The L2 rate counts the frame size, the L1 rate
 * the frame size + 20 bytes of preamble, SFD and inter-frame gap. Output names which of the two it
 * is.
 *
 * Every parser returns 0, or -EINVAL with one line about what is wrong in err; nothing is stored
 * then.
 */
#ifndef TANDEM_UNITS_H
#define TANDEM_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_FCS	  4u  /* bytes of FCS, part of a frame size, not in an mbuf */
#define FRAME_L1_OVERHEAD 20u /* preamble 7 + SFD 1 + inter-frame gap 12 */
#define FRAME_MIN	  64u
#define FRAME_MAX	  1518u
#define FRAME_JUMBO_MAX	  9018u

enum rate_kind {
	RATE_MAX,	    /* as fast as the port takes it: nothing is due */
	RATE_PPS,	    /* frames per second */
	RATE_L2_BPS,	    /* bits per second, frame size counted */
	RATE_L1_BPS,	    /* bits per second, frame size + 20 counted */
	RATE_PERCENT,	    /* percent of the L1 line rate */
	RATE_PERCENT_OF_MAX /* percent of the forwarding rate seen at "max" before, written 50%max
			     */
};

struct rate {
	enum rate_kind kind;
	double value;
};

/* "500kpps", "1.2mpps", "1000" (pps), "10gbps" (L2), "10gbps-l1", "25%", "50%max", "max". */
int rate_parse(const char *text, struct rate *rate, char *err, size_t errlen);

/* The text of a rate as rate_parse reads it. Returns buf. */
char *rate_format(const struct rate *rate, char *buf, size_t len);

/*
 * Frames per second of a rate at a frame size. line_rate_bps is 0 where unknown: a percent rate is
 * then an error. max_pps is what percent-of-max refers to, 0 where unknown: an error too. RATE_MAX
 * gives *pps = 0.
 */
int rate_to_pps(const struct rate *rate, uint32_t frame_size, double line_rate_bps, double max_pps,
		double *pps, char *err, size_t errlen);

/* Bits per second on L1 and L2 of a frame rate; frames per second a line of line_rate_bps carries
 * at most. */
double pps_to_l1_bps(double pps, uint32_t frame_size);
double pps_to_l2_bps(double pps, uint32_t frame_size);
double line_rate_pps(double line_rate_bps, uint32_t frame_size);

/* "10" (seconds), "1.5s", "200ms", "50us", "80ns", "2m", "1h" to nanoseconds. */
int duration_parse(const char *text, uint64_t *ns, char *err, size_t errlen);

/* "10g", "10gbps", "2.5g", "100m": a link speed in bits per second. */
int line_rate_parse(const char *text, double *bps, char *err, size_t errlen);

/* "1000", "64k", "1m": a whole number with decimal suffix, between min and max. */
int count_parse(const char *text, uint64_t min, uint64_t max, uint64_t *count, char *err,
		size_t errlen);

/* "64,128,1518": frame sizes from FRAME_MIN to FRAME_JUMBO_MAX, at most max of them; *n says how
 * many. */
int sizes_parse(const char *text, uint32_t *sizes, size_t max, size_t *n, char *err, size_t errlen);

/* "0a:1b:2c:3d:4e:5f" to six bytes. "198.18.0.1" to an address in host byte order. */
int mac_parse(const char *text, uint8_t mac[6], char *err, size_t errlen);
int ipv4_parse(const char *text, uint32_t *addr, char *err, size_t errlen);
char *mac_format(const uint8_t mac[6], char *buf, size_t len);
char *ipv4_format(uint32_t addr, char *buf, size_t len);

/*
 * For people, always three significant digits: si_format(1234567, "pps") gives "1.23 Mpps";
 * ns_format(12345) gives "12.3 us". A NaN (unknown) gives "-". All return buf.
 */
char *si_format(double value, const char *unit, char *buf, size_t len);
char *ns_format(double ns, char *buf, size_t len);
char *duration_format(double seconds, char *buf, size_t len); /* "1:02", "1:02:03" for time left */

#endif

/*
 * Which frames take the kernel path in split mode: the rule as the user writes it, and what it says
 * of a frame.
 *
 * Flows stay whole: all rules but the one by stream look at nothing but what all frames of a flow
 * share, and a stream of the generator's has flows of its own. So the two paths, which take unequal
 * times, reorder no flow.
 */
#ifndef TANDEM_DUT_SPLIT_RULE_H
#define TANDEM_DUT_SPLIT_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPLIT_RULE_TEXT 64u

enum split_kind {
	SPLIT_NONE,    /* no rule given */
	SPLIT_UDP_DST, /* by UDP destination port */
	SPLIT_UDP_SRC, /* by UDP source port */
	SPLIT_STREAM,  /* by sequence space of the stamp */
	SPLIT_PERCENT  /* by a hash of addresses, ports and protocol */
};

struct split_rule {
	enum split_kind kind;
	uint32_t first, last; /* ports or streams that go to the kernel */
	uint32_t of;	      /* streams a queue of the generator's has; 65536 when not said */
	uint64_t share;	      /* of 2^32 hashes, those below go to the kernel */
	char text[SPLIT_RULE_TEXT]; /* as given */
};

/*
 * Reads "udp-dst=PORT[-PORT]", "udp-src=PORT[-PORT]", "stream=N[-N][/OF]" or "percent=P" into
 * *rule, which starts zeroed. Returns 0, or -EINVAL with one line in err and *rule as it was.
 */
int split_rule_parse(struct split_rule *rule, const char *text, char *err, size_t errlen);

/*
 * True when a frame of len bytes goes to the kernel: whatever is no UDP over IPv4 or IPv6, behind
 * at most two VLAN tags, is cut short, or is a fragment (its ports are not in each); and UDP as the
 * rule says.
 */
bool split_rule_to_kernel(const struct split_rule *rule, const uint8_t *frame, uint32_t len);

#endif

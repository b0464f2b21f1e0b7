/*
 * Received frames, any bytes: the stamp is found inside the frame or not at all, a stamp written
 * there reads back, and ARP looks at no byte that is not there.
 */
#include "tests/fuzz/fuzz.h"

#include "common/stamp.h"
#include "gen/neighbour.h"

static void fuzz_find(const uint8_t *frame, uint32_t len)
{
	int at = stamp_find(frame, len);
	struct stamp s, again;
	uint8_t written[STAMP_LEN];

	(void)stamp_is_quoted(frame, len);
	FUZZ_CHECK(at >= -1);
	if (at < 0)
		return;
	FUZZ_CHECK((uint32_t)at + STAMP_LEN <= len);
	if (!stamp_read(frame + at, &s))
		return;
	FUZZ_CHECK(s.tx_time <= STAMP_TIME_MASK);
	stamp_write(written, stamp_base(s.trial, s.space), s.seq, s.tx_time);
	FUZZ_CHECK(stamp_read(written, &again));
	FUZZ_CHECK(again.tx_time == s.tx_time && again.seq == s.seq && again.space == s.space &&
		   again.trial == s.trial);
}

static void fuzz_arp(const uint8_t *frame, uint32_t len)
{
	struct neighbour_self self = {{0x02, 0, 0, 0, 0, 0x02}, 198u << 24 | 18u << 16 | 2};
	uint8_t reply[ARP_FRAME_LEN], mac[6];

	if (arp_answer(&self, frame, len, reply)) {
		FUZZ_CHECK(arp_reply_from(reply, sizeof(reply), self.ip, mac));
		FUZZ_CHECK(!memcmp(mac, self.mac, sizeof(mac)));
	}
	(void)arp_reply_from(frame, len, self.ip, mac);
	(void)arp_is_own_request(&self, frame, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* libFuzzer's bytes end where their memory ends. */
	fuzz_find(data, (uint32_t)size);
	fuzz_arp(data, (uint32_t)size);
	return 0;
}

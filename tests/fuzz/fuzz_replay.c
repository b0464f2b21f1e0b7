/*
 * A capture file of any bytes, made ready to be sent: rewritten and stamped as the first byte says.
 * Every frame stays within its bounds, and a stamp stands where it is found again.
 */
#include "tests/fuzz/fuzz.h"

#include "common/stamp.h"
#include "common/units.h"
#include "gen/replay_file.h"

#include <sys/mman.h>
#include <unistd.h>

static void check_frame(uint8_t *bytes, const struct replay_frame *f)
{
	struct stamp s;

	FUZZ_CHECK(f->len >= 14 && f->len <= FRAME_MAX);
	if (!f->stamp_at)
		return;
	FUZZ_CHECK(f->stamp_at + STAMP_LEN <= f->len);
	stamp_write(bytes + f->stamp_at, stamp_base(1, 2), 3, 4);
	FUZZ_CHECK(stamp_find(bytes, f->len) == (int)f->stamp_at);
	FUZZ_CHECK(stamp_read(bytes + f->stamp_at, &s) && s.seq == 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[FRAME_JUMBO_MAX + 64];
	struct replay_rules rules = {.max_frame = FRAME_MAX};
	struct replay_frame frame;
	struct replay_file file;
	char path[64], err[512] = "";
	int fd, rc;

	if (!size)
		return 0;
	fd = memfd_create("capture", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rules.fix_sums = data[0] & 8;
	rules.stamp = (enum stamp_how)(data[0] % 3);
	if (data[0] & 4)
		FUZZ_CHECK(!rewrite_parse(
			&rules.rewrite,
			"dst-mac=gateway,src-mac=port,src-ip=1.2.3.4/13,"
			"ip=10.0.0.0/8:11.0.0.0,dst-ip6=fd00::/7,src-port=5,port=9:7",
			err, sizeof(err)));
	if (!replay_file_open(&file, path, &rules, err, sizeof(err))) {
		while ((rc = replay_file_next(&file, bytes, &frame, err, sizeof(err))) == 1)
			check_frame(bytes, &frame);
		FUZZ_CHECK(rc == 0 || !strchr(err, '\n'));
		FUZZ_CHECK(file.facts.stampable <= file.facts.frames);
		replay_file_close(&file);
	}
	close(fd);
	return 0;
}

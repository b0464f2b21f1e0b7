/*
 * A capture file of any bytes, in memory: read to its end with every frame within what was read, or
 * refused in one line that names the file.
 */
#include "tests/fuzz/fuzz.h"

#include "common/capture_file.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("capture", MFD_CLOEXEC), rc;
	char path[64], err[512] = "";
	struct capture_file c;
	struct capture_frame f;
	volatile unsigned int sum = 0; /* each byte is read, so that one which is gone is seen */

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (capture_open(&c, path, err, sizeof(err))) {
		FUZZ_CHECK(!strncmp(err, path, strlen(path)) && !strchr(err, '\n'));
		close(fd);
		return 0;
	}
	while ((rc = capture_next(&c, &f, err, sizeof(err))) == 1) {
		FUZZ_CHECK(f.len >= 14 && f.len <= CAPTURE_MAX_FRAME && f.wire_len >= f.len);
		for (uint32_t i = 0; i < f.len; i++)
			sum = sum + f.bytes[i];
	}
	FUZZ_CHECK(rc == 0 || (strstr(err, path) && !strchr(err, '\n')));
	FUZZ_CHECK(c.left_out <= c.frames);
	capture_close(&c);
	close(fd);
	return 0;
}

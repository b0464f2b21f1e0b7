/*
 * What a device on a kernel interface needs: what is missing is named in one line, with its remedy;
 * other devices need nothing. Nothing here depends on what this kernel has.
 */
#include "common/dpdk/vdev.h"

#include "tests/unit/unit.h"

#include <stdio.h>

static char err[512];

static int check(const char *vdev)
{
	err[0] = '\0';
	return vdev_check_kernel(vdev, err, sizeof(err));
}

static void others_need_nothing(void **state)
{
	static const char *const others[] = {"",
					     "net_null0",
					     "net_vhost0,iface=/x",
					     "net_memif0",
					     "net_virtio_user0,path=/run/x.sock",
					     "0000:01:00.0"};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_int_equal(check(others[i]), 0);
}

/* One line that begins with the device, whatever is missing. */
static void what_is_missing_is_named(void **state)
{
	static const char *const devices[] = {"net_af_packet0,iface=tandem-none",
					      "net_af_xdp0,iface=tandem-none",
					      "net_virtio_user7,path=/dev/tandem-none"};

	(void)state;
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		size_t name = strcspn(devices[i], ",");

		assert_true(check(devices[i]) < 0);
		assert_memory_equal(err, devices[i], name);
		assert_null(strchr(err, '\n'));
	}
	/* The last of them says what to load. */
	assert_non_null(strstr(err, "modprobe vhost-net"));
	assert_non_null(strstr(err, "/dev/tandem-none"));
}

/* A short buffer takes what fits. */
static void short_buffers_are_kept(void **state)
{
	char little[8];

	(void)state;
	assert_int_equal(
		vdev_check_kernel("net_virtio_user0,path=/dev/tandem-none", little, sizeof(little)),
		-ENOENT);
	assert_int_equal(strlen(little), sizeof(little) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_need_nothing),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(short_buffers_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

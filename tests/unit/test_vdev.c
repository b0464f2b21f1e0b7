/*
 * Virtual devices: reading their arguments, and what becomes of the sockets behind them.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/dpdk/vdev.h"

static char dir[64], path[100], vdev[256], err[256];
static const volatile bool run_on, stopped = true;

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/tandem-unit-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/sock", dir);
	err[0] = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/* A socket that listens at path; closing it leaves a dead file. */
static int listener(int type)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, type, 0);

	assert_true(fd >= 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	return fd;
}

static bool there(void)
{
	struct stat st;

	return !stat(path, &st);
}

static int prepare(const char *format, uint64_t wait_ns, const volatile bool *stop)
{
	snprintf(vdev, sizeof(vdev), "%s%s", format, path);
	return vdev_prepare(vdev, wait_ns, stop, err, sizeof(err));
}

static void test_value(void **state)
{
	static const char arguments[] =
		"net_memif0,role=server,socket=/run/x.sock,zero-copy=yes,empty=,id=5";
	char buf[16];

	(void)state;
	assert_true(vdev_value(arguments, "role", buf, sizeof(buf)));
	assert_string_equal(buf, "server");
	assert_true(vdev_value(arguments, "socket", buf, sizeof(buf)));
	assert_string_equal(buf, "/run/x.sock");
	assert_true(vdev_value(arguments, "id", buf, sizeof(buf)));
	assert_string_equal(buf, "5");
	assert_true(vdev_value(arguments, "empty", buf, sizeof(buf)));
	assert_string_equal(buf, "");
	/* Neither the end of another key, nor its beginning, nor the device's name. */
	assert_false(vdev_value(arguments, "copy", buf, sizeof(buf)));
	assert_false(vdev_value(arguments, "rol", buf, sizeof(buf)));
	assert_false(vdev_value(arguments, "d", buf, sizeof(buf)));
	assert_false(vdev_value(arguments, "net_memif0", buf, sizeof(buf)));
	assert_false(vdev_value("net_memif0", "role", buf, sizeof(buf)));
	assert_false(vdev_value("", "role", buf, sizeof(buf)));
	assert_false(vdev_value("net_memif0,", "role", buf, sizeof(buf)));
	/* As long as the buffer, and a byte longer with its end. */
	assert_true(vdev_value(arguments, "socket", buf, 12));
	assert_false(vdev_value(arguments, "socket", buf, 11));
}

static void test_memif_wants_a_path(void **state)
{
	(void)state;
	assert_true(vdev_needs_path_socket("net_memif0,role=server"));
	assert_true(vdev_needs_path_socket("net_memif0"));
	assert_false(vdev_needs_path_socket("net_memif0,socket-abstract=no"));
	assert_false(vdev_needs_path_socket("net_memif0,role=server,socket-abstract=yes,id=0"));
	assert_false(vdev_needs_path_socket("net_vhost0,iface=/run/x"));
	assert_false(vdev_needs_path_socket(""));
}

static void test_sockets_are_told_apart(void **state)
{
	static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET};
	static const enum socket_type ours[] = {SOCKET_STREAM, SOCKET_SEQPACKET};
	char too_long[300];

	(void)state;
	for (int i = 0; i < 2; i++) {
		int fd;

		assert_int_equal(socket_alive(path, ours[i]), SOCKET_ABSENT);
		fd = listener(types[i]);
		assert_int_equal(socket_alive(path, ours[i]), SOCKET_LIVE);
		/* Somebody listens, even if in another way than we would speak. */
		assert_int_equal(socket_alive(path, ours[1 - i]), SOCKET_LIVE);
		close(fd);
		assert_int_equal(socket_alive(path, ours[i]), SOCKET_DEAD);
		unlink(path);
	}
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	assert_int_equal(socket_alive(too_long, SOCKET_STREAM), SOCKET_ABSENT);
	assert_int_equal(socket_alive(dir, SOCKET_STREAM), SOCKET_ABSENT);
}

static void test_full_backlog_is_alive(void **state)
{
	int fd = listener(SOCK_STREAM);

	(void)state;
	/* Never accepted, so the queue fills. */
	for (int i = 0; i < 8; i++)
		assert_int_equal(socket_alive(path, SOCKET_STREAM), SOCKET_LIVE);
	close(fd);
}

static void test_servers_remove_a_dead_socket(void **state)
{
	static const char *const servers[] = {
		"net_vhost0,queues=1,iface=",
		"net_virtio_user0,server=1,path=",
		"net_memif0,role=server,socket=",
		"net_memif0,role=master,socket=",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		assert_int_equal(prepare(servers[i], 0, &run_on), 0); /* absent: nothing to do */
		close(listener(i < 2 ? SOCK_STREAM : SOCK_SEQPACKET));
		assert_true(there());
		assert_int_equal(prepare(servers[i], 0, &run_on), 0);
		assert_false(there());
	}
}

static void test_servers_refuse_a_live_socket(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		int fd = listener(i ? SOCK_SEQPACKET : SOCK_STREAM);

		assert_int_equal(prepare(i ? "net_memif0,role=server,socket=" : "net_vhost0,iface=",
					 0, &run_on),
				 -EADDRINUSE);
		assert_non_null(strstr(err, path));
		assert_null(strchr(err, '\n'));
		assert_true(there());
		close(fd);
		unlink(path);
	}
}

static void test_what_is_no_socket_is_left_alone(void **state)
{
	FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	fclose(f);
	assert_int_equal(prepare("net_vhost0,iface=", 0, &run_on), 0);
	assert_true(there());
}

static void test_clients_leave_sockets_alone(void **state)
{
	(void)state;
	close(listener(SOCK_STREAM));
	assert_int_equal(prepare("net_vhost0,client=1,iface=", 0, &run_on), 0);
	assert_int_equal(prepare("net_memif0,role=client,socket=", 0, &run_on), 0);
	assert_int_equal(prepare("net_memif0,socket=", 0, &run_on), 0);
	assert_int_equal(prepare("net_null0,path=", 0, &run_on), 0);
	assert_true(there());
}

static void test_virtio_user_waits_for_its_server(void **state)
{
	uint64_t begin = clock_ns();
	int fd;

	(void)state;
	assert_int_equal(prepare("net_virtio_user0,path=", 120000000, &run_on), -ETIMEDOUT);
	assert_true(clock_ns() - begin >= 120000000);
	assert_true(clock_ns() - begin < 5000000000);
	assert_non_null(strstr(err, path));
	assert_non_null(strstr(err, "--wait-link"));
	assert_null(strchr(err, '\n'));

	/* A dead socket is no server either, and is not the client's to remove. */
	close(listener(SOCK_STREAM));
	assert_int_equal(prepare("net_virtio_user0,path=", 0, &run_on), -ETIMEDOUT);
	assert_true(there());
	unlink(path);

	assert_int_equal(prepare("net_virtio_user0,path=", 10000000000, &stopped), -EINTR);

	fd = listener(SOCK_STREAM);
	assert_int_equal(prepare("net_virtio_user0,path=", 0, &run_on), 0);
	close(fd);
}

static void test_virtio_user_on_devices(void **state)
{
	(void)state;
	/* A character device needs no server; one that is missing is a module not loaded. */
	assert_int_equal(
		vdev_prepare("net_virtio_user0,path=/dev/null", 0, &run_on, err, sizeof(err)), 0);
	assert_int_equal(vdev_prepare("net_virtio_user0,path=/dev/tandem-none", 0, &run_on, err,
				      sizeof(err)),
			 -ENOENT);
	assert_non_null(strstr(err, "modprobe"));
	assert_int_equal(vdev_prepare("net_virtio_user0", 0, &run_on, err, sizeof(err)), 0);
	assert_int_equal(vdev_prepare("", 0, &run_on, err, sizeof(err)), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_value),
		CASE(test_memif_wants_a_path),
		CASE(test_sockets_are_told_apart),
		CASE(test_full_backlog_is_alive),
		CASE(test_servers_remove_a_dead_socket),
		CASE(test_servers_refuse_a_live_socket),
		CASE(test_what_is_no_socket_is_left_alone),
		CASE(test_clients_leave_sockets_alone),
		CASE(test_virtio_user_waits_for_its_server),
		CASE(test_virtio_user_on_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

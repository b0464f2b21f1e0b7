/*
 * The sockets behind virtual devices: what must be so before DPDK opens them.
 */
#ifndef TANDEM_VDEV_H
#define TANDEM_VDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum socket_type {
	SOCKET_STREAM,	 /* vhost-user */
	SOCKET_SEQPACKET /* memif, telemetry */
};
enum socket_state {
	SOCKET_ABSENT,
	SOCKET_DEAD, /* a file nobody listens on */
	SOCKET_LIVE
};

/* What a Unix socket's path is. A listener in another network namespace is found by connecting. */
enum socket_state socket_alive(const char *path, enum socket_type type);

/* Value of a key in "net_memif0,role=server,socket=/run/x.sock"; false when it is not there or too
 * long. */
bool vdev_value(const char *vdev, const char *key, char *buf, size_t len);

/*
 * True for a memif that says nothing of socket-abstract. Its default, an abstract socket, crosses
 * neither namespaces nor file permissions, so that ",socket-abstract=no" must be added.
 */
bool vdev_needs_path_socket(const char *vdev);

/*
 * Tries what a virtual device on a kernel interface (tap, af_packet, af_xdp, virtio_user with
 * path=/dev/vhost-net, kni) needs: device, kind of socket, rights, and the interface it names, in
 * this thread's network namespace. Returns 0, also for other devices, or a negative errno with one
 * line in err that says what to load or do.
 */
int vdev_check_kernel(const char *vdev, char *err, size_t errlen);

/*
 * Makes ready what a --vdev argument needs: a virtio_user waits until its vhost-user socket has a
 * listener (wait_ns at most, *stop ends it); a memif or vhost server removes a dead socket in its
 * way, and refuses a live one; what the kernel must have is checked. Returns 0 or a negative errno
 * with one line in err.
 */
int vdev_prepare(const char *vdev, uint64_t wait_ns, const volatile bool *stop, char *err,
		 size_t errlen);

#endif

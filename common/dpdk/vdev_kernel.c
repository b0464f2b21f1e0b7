/*
 * What the drivers on kernel interfaces need of the kernel, tried before DPDK does: its drivers say
 * no more than "Invalid argument" when a module, a device or a right is missing, and the remedy is
 * another one each time.
 */
#include "common/dpdk/vdev.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TUN_DEVICE "/dev/net/tun"
#define KNI_DEVICE "/dev/kni"

/* Whether this thread has a capability; true where that cannot be found out. */
static bool has_right(unsigned int capability)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data) < 0)
		return true;
	return data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

static int lacks_right(const char *name, const char *right, char *err, size_t errlen)
{
	snprintf(err, errlen, "%s needs the right %s: run as root", name, right);
	return -EPERM;
}

static int check_device(const char *name, const char *path, const char *module, char *err,
			size_t errlen)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int rc = fd < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	if (rc == -EACCES || rc == -EPERM)
		snprintf(err, errlen, "%s cannot open %s: %s; run as root", name, path,
			 strerror(-rc));
	else if (rc < 0)
		snprintf(err, errlen,
			 "%s needs %s: %s; load the module %s (%s %s), and where this is a "
			 "container let it have the device",
			 name, path, strerror(-rc), module,
			 strcmp(path, KNI_DEVICE) ? "modprobe" : "make kni, then insmod", module);
	return rc;
}

/* A socket of the family as the driver will open it. */
static int check_socket(const char *name, int family, const char *remedy, char *err, size_t errlen)
{
	int fd = socket(family, SOCK_RAW | SOCK_CLOEXEC, 0);
	int rc = fd < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	if (rc == -EPERM || rc == -EACCES)
		return lacks_right(name, "CAP_NET_RAW", err, errlen);
	if (rc == -EAFNOSUPPORT)
		snprintf(err, errlen, "%s: %s", name, remedy);
	else if (rc < 0)
		snprintf(err, errlen, "%s cannot open a socket: %s", name, strerror(-rc));
	return rc;
}

static int check_interface(const char *vdev, const char *name, char *err, size_t errlen)
{
	char interface[64];

	if (!vdev_value(vdev, "iface", interface, sizeof(interface)) || if_nametoindex(interface))
		return 0;
	snprintf(err, errlen,
		 "%s: there is no interface %s in this network namespace; make it, or name "
		 "another with iface=",
		 name, interface);
	return -ENODEV;
}

static int check_af_xdp(const char *vdev, const char *name, char *err, size_t errlen)
{
	int rc = check_socket(name, AF_XDP,
			      "it needs a kernel with AF_XDP (CONFIG_XDP_SOCKETS); take "
			      "af_packet here",
			      err, errlen);

	if (rc < 0)
		return rc;
	if (!has_right(CAP_NET_ADMIN))
		return lacks_right(name, "CAP_NET_ADMIN", err, errlen);
	if (!has_right(CAP_BPF) && !has_right(CAP_SYS_ADMIN))
		return lacks_right(name, "CAP_BPF", err, errlen);
	return check_interface(vdev, name, err, errlen);
}

int vdev_check_kernel(const char *vdev, char *err, size_t errlen)
{
	char name[32], path[256];
	int rc;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(vdev, ","), vdev);
	if (strncmp(vdev, "net_tap", 7) == 0) {
		rc = check_device(name, TUN_DEVICE, "tun", err, errlen);
		if (rc == 0 && !has_right(CAP_NET_ADMIN))
			rc = lacks_right(name, "CAP_NET_ADMIN", err, errlen);
		return rc;
	}
	if (strncmp(vdev, "net_af_packet", 13) == 0) {
		rc = check_socket(name, AF_PACKET,
				  "it needs packet sockets; load the module af_packet (modprobe "
				  "af_packet)",
				  err, errlen);
		return rc < 0 ? rc : check_interface(vdev, name, err, errlen);
	}
	if (strncmp(vdev, "net_kni", 7) == 0)
		return check_device(name, KNI_DEVICE, "rte_kni", err, errlen);
	if (strncmp(vdev, "net_af_xdp", 10) == 0)
		return check_af_xdp(vdev, name, err, errlen);
	if (strncmp(vdev, "net_virtio_user", 15) == 0 &&
	    vdev_value(vdev, "path", path, sizeof(path)) && strncmp(path, "/dev/", 5) == 0) {
		rc = check_device(name, path, "vhost-net", err, errlen);
		return rc < 0 ? rc : check_device(name, TUN_DEVICE, "tun", err, errlen);
	}
	return 0;
}

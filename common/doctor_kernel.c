/*
 * What links and kernel paths over kernel interfaces need: devices, modules, socket families,
 * rights.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a role when a driver is not to be had: the one that was named fails; auto takes
 * another. */
static enum doctor_state lacking(const struct exam *e, enum doctor_link link,
				 enum doctor_kernel kernel)
{
	if (doctor_uses(e->role, link, kernel))
		return DOCTOR_FAIL;
	return e->role->kernel == DOCTOR_AUTO && kernel != DOCTOR_KNI ? DOCTOR_WARN : DOCTOR_NONE;
}

static void say_how_to_load(struct doctor_row *row, enum doctor_module module, const char *name,
			    const char *config)
{
	if (row->state == DOCTOR_NONE)
		return;
	if (module == MODULE_ABSENT)
		doctor_remedy(row, "a kernel with %s; in a container, let it have the device",
			      config);
	else
		doctor_remedy(row, "modprobe %s", name);
}

void doctor_kni(const struct exam *e)
{
	enum doctor_module module = doctor_module(e, "rte_kni");
	struct doctor_row *row;

	if (module == MODULE_PRESENT) {
		doctor_found(doctor_row(e, "rte_kni", DOCTOR_OK), "loaded");
		return;
	}
	row = doctor_row(e, "rte_kni", lacking(e, DOCTOR_LINKS, DOCTOR_KNI));
	doctor_found(row, module == MODULE_LOADABLE ? "not loaded" : "not built for this kernel");
	if (row->state == DOCTOR_NONE)
		return;
	if (module == MODULE_LOADABLE)
		doctor_remedy(row, "modprobe rte_kni");
	else
		doctor_remedy(row, "build it from DPDK 22.11's kernel/linux/kni (Debian ships "
				   "none), or take another --kernel-path");
}

void doctor_vhost_net(const struct exam *e)
{
	bool device = doctor_exists(e, "/dev/vhost-net");
	struct doctor_row *row;

	row = doctor_row(e, "vhost-net",
			 device ? DOCTOR_OK : lacking(e, DOCTOR_LINKS, DOCTOR_VIRTIO_USER));
	doctor_found(row, device ? "/dev/vhost-net" : "no /dev/vhost-net");
	if (!device)
		say_how_to_load(row, doctor_module(e, "vhost_net"), "vhost_net",
				"CONFIG_VHOST_NET");
}

void doctor_tun(const struct exam *e)
{
	bool device = doctor_exists(e, "/dev/net/tun");
	enum doctor_state state = lacking(e, DOCTOR_LINK_TAP, DOCTOR_TAP);
	struct doctor_row *row;

	/* virtio-user stands on a tap, too. */
	if (e->role->kernel == DOCTOR_VIRTIO_USER)
		state = DOCTOR_FAIL;
	row = doctor_row(e, "tun", device ? DOCTOR_OK : state);
	doctor_found(row, device ? "/dev/net/tun" : "no /dev/net/tun");
	if (!device)
		say_how_to_load(row, doctor_module(e, "tun"), "tun", "CONFIG_TUN");
}

/* Socket families as the kernel has registered them: a line each, its name first. */
static bool has_family(const struct exam *e, const char *name)
{
	char path[PATH_MAX], rest[256];

	return sysfs_line(doctor_path(e, path, "/proc/net/protocols"), name, ' ', rest,
			  sizeof(rest));
}

void doctor_af_xdp(const struct exam *e)
{
	enum doctor_state state = lacking(e, DOCTOR_LINK_AF_XDP, DOCTOR_AF_XDP);
	struct doctor_row *row = doctor_row(e, "AF_XDP", DOCTOR_OK);

	if (!has_family(e, "XDP")) {
		row->state = state;
		doctor_found(row, "this kernel has none");
		if (state != DOCTOR_NONE)
			doctor_remedy(row,
				      "a kernel with CONFIG_XDP_SOCKETS, or af_packet instead");
	} else if (!doctor_has_right(e, CAP_NET_RAW) || !doctor_has_right(e, CAP_NET_ADMIN) ||
		   (!doctor_has_right(e, CAP_BPF) && !doctor_has_right(e, CAP_SYS_ADMIN))) {
		row->state = state;
		doctor_found(row, "in the kernel, but not for us: CAP_NET_RAW, CAP_NET_ADMIN and "
				  "CAP_BPF are needed");
		if (state != DOCTOR_NONE)
			doctor_remedy(row, "run as root");
	} else {
		doctor_found(row, "in the kernel, and the rights for it");
	}
}

void doctor_af_packet(const struct exam *e)
{
	enum doctor_state state = lacking(e, DOCTOR_LINK_AF_PACKET, DOCTOR_AF_PACKET);
	struct doctor_row *row = doctor_row(e, "AF_PACKET", DOCTOR_OK);

	if (!has_family(e, "PACKET")) {
		row->state = state;
		doctor_found(row, "this kernel has none");
		if (state != DOCTOR_NONE)
			doctor_remedy(row, "modprobe af_packet (CONFIG_PACKET)");
	} else if (!doctor_has_right(e, CAP_NET_RAW)) {
		row->state = state;
		doctor_found(row, "in the kernel, but not for us: CAP_NET_RAW is needed");
		if (state != DOCTOR_NONE)
			doctor_remedy(row, "run as root");
	} else {
		doctor_found(row, "in the kernel, and the right for it");
	}
}

/* Where the DUT is to choose, one driver is enough; without any there is no kernel path. */
void doctor_auto(const struct exam *e)
{
	bool raw = doctor_has_right(e, CAP_NET_RAW), admin = doctor_has_right(e, CAP_NET_ADMIN);
	bool tun = doctor_exists(e, "/dev/net/tun") && admin;
	struct {
		const char *name;
		bool works;
	} drivers[] = {{"af_xdp", has_family(e, "XDP") && raw && admin},
		       {"af_packet", has_family(e, "PACKET") && raw},
		       {"tap", tun},
		       {"virtio-user", tun && doctor_exists(e, "/dev/vhost-net")}};
	struct doctor_row *row;
	unsigned int n = 0;

	if (e->role->kernel != DOCTOR_AUTO)
		return;
	row = doctor_row(e, "kernel path", DOCTOR_OK);
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (drivers[i].works)
			doctor_more(row, "%s%s", n++ ? ", " : "by ", drivers[i].name);
	if (n)
		return;
	row->state = DOCTOR_FAIL;
	doctor_found(row, "no driver for it works here");
	doctor_remedy(row, "mend one of the rows above, or --kernel-path none for io alone");
}

/* Rights that are not a driver's: the DUT makes a namespace for the kernel, taps want NET_ADMIN,
 * NICs their device files. */
void doctor_rights(const struct exam *e)
{
	static const struct {
		unsigned int capability;
		const char *name;
	} all[] = {{CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
		   {CAP_NET_ADMIN, "CAP_NET_ADMIN"},
		   {CAP_NET_RAW, "CAP_NET_RAW"}};
	bool kernel = e->role->kernel != DOCTOR_NO_KERNEL;
	bool raw = e->role->link == DOCTOR_LINK_AF_PACKET;
	bool interface =
		raw || e->role->link == DOCTOR_LINK_TAP || e->role->link == DOCTOR_LINK_AF_XDP;
	struct doctor_row *row = doctor_row(e, "rights", DOCTOR_OK);
	unsigned int lacks = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (doctor_has_right(e, all[i].capability))
			continue;
		if (!kernel && !(interface && all[i].capability == CAP_NET_RAW) &&
		    !(interface && !raw && all[i].capability == CAP_NET_ADMIN))
			continue;
		doctor_more(row, "%s%s", lacks++ ? ", " : "without ", all[i].name);
	}
	if (lacks) {
		row->state = DOCTOR_FAIL;
		doctor_more(row, kernel ? ": no namespace and no port on it can be made"
					: ": no port on an interface can be made");
		doctor_remedy(row, "run as root");
	} else {
		doctor_found(row, kernel || interface ? "enough" : "none are needed");
	}
}

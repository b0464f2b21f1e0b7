/*
 * Network cards: how DPDK gets at them, which there are, where they sit.
 */
#include "common/doctor_check.h"
#include "common/sysfs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES	  "/sys/bus/pci/devices"
#define NOIOMMU	  "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode"
#define NAME_SIZE 64

struct groups {
	unsigned int n;
};

static void count_group(const char *name, void *arg)
{
	(void)name;
	((struct groups *)arg)->n++;
}

static unsigned int iommu_groups(const struct exam *e)
{
	struct groups g = {0};
	char dir[PATH_MAX];

	sysfs_each(doctor_path(e, dir, "/sys/kernel/iommu_groups"), count_group, &g);
	return g.n;
}

void doctor_iommu(const struct exam *e)
{
	unsigned int n = iommu_groups(e);
	bool nic = e->role->link == DOCTOR_NIC;
	struct doctor_row *row = doctor_row(e, "IOMMU",
					    n	  ? DOCTOR_OK
					    : nic ? DOCTOR_WARN
						  : DOCTOR_NONE);

	if (n)
		doctor_found(row, "%u groups", n);
	else
		doctor_found(row, "none");
	if (!nic || n)
		return;
	doctor_more(row, ": vfio-pci then needs its no-IOMMU mode, igb_uio none");
	doctor_remedy(row, "firmware: VT-d or AMD-Vi on; kernel command line: intel_iommu=on "
			   "iommu=pt");
}

/* The driver that NICs are bound to for DPDK: the best that is there, or how to get one. */
void doctor_nic_driver(const struct exam *e)
{
	enum doctor_module vfio = doctor_module(e, "vfio-pci"), igb = doctor_module(e, "igb_uio"),
			   generic = doctor_module(e, "uio_pci_generic");
	bool nic = e->role->link == DOCTOR_NIC;
	struct doctor_row *row = doctor_row(e, "vfio or uio", DOCTOR_OK);
	char mode[8] = "";

	doctor_text(e, NOIOMMU, mode, sizeof(mode));
	if (vfio == MODULE_PRESENT && (iommu_groups(e) || *mode == 'Y' || *mode == '1')) {
		doctor_found(row, "vfio-pci%s", iommu_groups(e) ? "" : " in its no-IOMMU mode");
		return;
	}
	if (igb == MODULE_PRESENT) {
		doctor_found(row, "igb_uio");
		return;
	}
	row->state = nic ? DOCTOR_WARN : DOCTOR_NONE;
	if (generic == MODULE_PRESENT) {
		doctor_found(row, "uio_pci_generic: legacy interrupts only, no virtual functions");
		if (nic)
			doctor_remedy(row, "modprobe vfio-pci, or load igb_uio");
		return;
	}
	row->state = nic ? DOCTOR_FAIL : DOCTOR_NONE;
	if (vfio == MODULE_PRESENT) {
		doctor_found(row, "vfio-pci, but no IOMMU");
		if (nic)
			doctor_remedy(row, "echo 1 >" NOIOMMU ", or load igb_uio");
	} else if (vfio == MODULE_LOADABLE || igb == MODULE_LOADABLE ||
		   generic == MODULE_LOADABLE) {
		const char *best = vfio == MODULE_LOADABLE  ? "vfio-pci"
				   : igb == MODULE_LOADABLE ? "igb_uio"
							    : "uio_pci_generic";
		doctor_found(row, "none loaded; %s is there", best);
		if (nic)
			doctor_remedy(row, "modprobe %s", best);
	} else {
		doctor_found(row, "neither in this kernel nor as modules");
		if (nic)
			doctor_remedy(row, "a kernel with CONFIG_VFIO_PCI (Debian's linux-image-"
					   "amd64), or dpdk-kmods' igb_uio");
	}
}

struct nic {
	char address[NAME_SIZE], driver[NAME_SIZE], interface[NAME_SIZE];
	bool for_dpdk; /* bound to a driver that DPDK takes it from, or one that shares it */
	bool shares;   /* the kernel keeps its interface beside DPDK */
	bool in_use;   /* carries the default route */
	int node;      /* -1 unknown */
};

/* The last part of where a link leads. */
static void link_name(const char *path, char *buf, size_t len)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	target[n > 0 ? n : 0] = '\0';
	snprintf(buf, len, "%.*s", (int)len - 1,
		 strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

static void take_name(const char *name, void *arg)
{
	snprintf(arg, NAME_SIZE, "%.*s", NAME_SIZE - 1, name);
}

/* A virtio device has its interface one folder down. */
struct below {
	const char *dir;
	char *interface;
};

static void look_below(const char *name, void *arg)
{
	struct below *b = arg;
	char dir[PATH_MAX];

	if (strncmp(name, "virtio", 6))
		return;
	snprintf(dir, sizeof(dir), "%s/%s/net", b->dir, name);
	sysfs_each(dir, take_name, b->interface);
}

/* The interface that the default route goes out of; "" when there is none. */
static void default_interface(const struct exam *e, char *buf)
{
	char path[PATH_MAX], line[256], name[NAME_SIZE];
	FILE *in = fopen(doctor_path(e, path, "/proc/net/route"), "re");
	unsigned int destination, mask;

	buf[0] = '\0';
	while (in && !*buf && fgets(line, sizeof(line), in))
		if (sscanf(line, "%63s %x %*x %*x %*d %*d %*d %x", name, &destination, &mask) ==
			    3 &&
		    !destination && !mask)
			snprintf(buf, NAME_SIZE, "%s", name);
	if (in)
		fclose(in);
}

static void read_nic(const struct exam *e, const char *address, struct nic *nic)
{
	static const char *const dpdk[] = {"vfio-pci", "igb_uio", "uio_pci_generic"};
	static const char *const shared[] = {"mlx4_core", "mlx5_core", "mana"};
	char dir[PATH_MAX], path[PATH_MAX + 16], text[32], gateway[NAME_SIZE];
	struct below below = {dir, nic->interface};

	memset(nic, 0, sizeof(*nic));
	snprintf(nic->address, sizeof(nic->address), "%.*s", NAME_SIZE - 1, address);
	doctor_path(e, dir, DEVICES "/%s", address);
	snprintf(path, sizeof(path), "%s/driver", dir);
	link_name(path, nic->driver, sizeof(nic->driver));
	snprintf(path, sizeof(path), "%s/net", dir);
	if (!sysfs_each(path, take_name, nic->interface))
		sysfs_each(dir, look_below, &below);
	snprintf(path, sizeof(path), "%s/numa_node", dir);
	nic->node = sysfs_text(path, text, sizeof(text)) ? atoi(text) : -1;
	for (size_t i = 0; i < sizeof(dpdk) / sizeof(dpdk[0]); i++)
		nic->for_dpdk |= !strcmp(nic->driver, dpdk[i]);
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		nic->shares |= !strcmp(nic->driver, shared[i]);
	nic->for_dpdk |= nic->shares;
	default_interface(e, gateway);
	nic->in_use = *gateway && !strcmp(gateway, nic->interface);
}

static bool device_text(const struct exam *e, const struct nic *nic, const char *file, char *buf,
			size_t len)
{
	char path[PATH_MAX];

	return sysfs_text(doctor_path(e, path, DEVICES "/%s/%s", nic->address, file), buf, len);
}

/* Its slot: "8.0 GT/s x4 of x8". True when it has less than the card could use. */
static bool say_slot(const struct exam *e, const struct nic *nic, struct doctor_row *row)
{
	char speed[64], width[16], most_speed[64], most_width[16];

	if (!device_text(e, nic, "current_link_speed", speed, sizeof(speed)) ||
	    !device_text(e, nic, "current_link_width", width, sizeof(width)) ||
	    !device_text(e, nic, "max_link_speed", most_speed, sizeof(most_speed)) ||
	    !device_text(e, nic, "max_link_width", most_width, sizeof(most_width)) ||
	    atoi(width) <= 0 || atoi(most_width) > 32) /* virtual cards say 0 or 255 */
		return false;
	doctor_more(row, ", PCIe %s x%s", speed, width);
	if (strtod(speed, NULL) >= strtod(most_speed, NULL) && atoi(width) >= atoi(most_width))
		return false;
	doctor_more(row, " where the card can %s x%s", most_speed, most_width);
	return true;
}

/* Its link, while the kernel has it. True when it is down. */
static bool say_link(const struct exam *e, const struct nic *nic, struct doctor_row *row)
{
	char path[PATH_MAX], text[32];

	if (!*nic->interface)
		return false;
	doctor_more(row, ", %s", nic->interface);
	if (!sysfs_text(doctor_path(e, path, "/sys/class/net/%s/operstate", nic->interface), text,
			sizeof(text)))
		return false;
	doctor_more(row, " %s", text);
	if (strcmp(text, "up"))
		return true;
	if (sysfs_text(doctor_path(e, path, "/sys/class/net/%s/speed", nic->interface), text,
		       sizeof(text)) &&
	    atoi(text) > 0)
		doctor_more(row, " %s Mbit/s", text);
	return false;
}

/* Whether we may run on a core of the card's node; true where the node is unknown. */
static bool say_node(const struct exam *e, const struct nic *nic, struct doctor_row *row)
{
	bool here[DOCTOR_MAX_CPUS], allowed[DOCTOR_MAX_CPUS];
	char path[PATH_MAX], text[1024];

	if (nic->node < 0)
		return true;
	doctor_more(row, ", NUMA node %d", nic->node);
	if (!sysfs_text(doctor_path(e, path, "/sys/devices/system/node/node%d/cpulist", nic->node),
			text, sizeof(text)))
		return true;
	doctor_cpus(text, here);
	doctor_allowed(e, allowed);
	for (unsigned int cpu = 0; cpu < DOCTOR_MAX_CPUS; cpu++)
		if (here[cpu] && allowed[cpu])
			return true;
	doctor_more(row, ", of whose cores (%s) we have none", text);
	return false;
}

/* One card's row. Its state is that of the role only where the role wants a card. */
static void row_of_nic(const struct exam *e, const struct nic *nic)
{
	char name[32];
	struct doctor_row *row;
	bool narrow, down, near;

	snprintf(name, sizeof(name), "NIC %.24s", nic->address);
	row = doctor_row(e, name, DOCTOR_OK);
	doctor_found(row, "%s", *nic->driver ? nic->driver : "no driver");
	down = say_link(e, nic, row);
	near = say_node(e, nic, row);
	narrow = say_slot(e, nic, row);
	if (nic->in_use) {
		doctor_more(row, "; carries the default route: make host leaves it alone");
		row->state = DOCTOR_NONE;
		return;
	}
	if (e->role->link != DOCTOR_NIC) {
		row->state = DOCTOR_NONE;
		return;
	}
	if (nic->for_dpdk && !down && near && !narrow)
		return;
	row->state = DOCTOR_WARN;
	if (!nic->for_dpdk)
		doctor_remedy(row, "make host PCI=\"%s\"", nic->address);
	else if (!near)
		doctor_remedy(row, "run on cores of node %d, or move the card", nic->node);
	else if (narrow)
		doctor_remedy(row, "another slot; lspci -vv -s %s says what it has", nic->address);
	else
		doctor_remedy(row, "plug the cable in; ip link set %s up", nic->interface);
}

struct cards {
	const struct exam *e;
	char (*address)[NAME_SIZE];
	size_t n;
};

static void note_card(const char *name, void *arg)
{
	struct cards *c = arg;
	char path[PATH_MAX], class[32], (*grown)[NAME_SIZE];

	if (!sysfs_text(doctor_path(c->e, path, DEVICES "/%s/class", name), class, sizeof(class)) ||
	    strncmp(class, "0x02", 4))
		return;
	grown = realloc(c->address, (c->n + 1) * sizeof(*grown));
	if (!grown) {
		c->e->rows->out_of_memory = true;
		return;
	}
	c->address = grown;
	snprintf(grown[c->n++], NAME_SIZE, "%.*s", NAME_SIZE - 1, name);
}

static int by_address(const void *a, const void *b)
{
	return strcmp(a, b);
}

void doctor_nics(const struct exam *e)
{
	struct cards cards = {.e = e};
	bool wanted = e->role->link == DOCTOR_NIC;
	unsigned int ready = 0, free_ones = 0;
	struct doctor_row *row;
	char dir[PATH_MAX];
	struct nic nic;

	sysfs_each(doctor_path(e, dir, DEVICES), note_card, &cards);
	if (cards.n)
		qsort(cards.address, cards.n, sizeof(*cards.address), by_address);
	for (size_t i = 0; i < cards.n; i++) {
		read_nic(e, cards.address[i], &nic);
		row_of_nic(e, &nic);
		free_ones += !nic.in_use;
		ready += nic.for_dpdk && (!nic.in_use || nic.shares);
	}
	row = doctor_row(e, "NICs", ready ? DOCTOR_OK : wanted ? DOCTOR_FAIL : DOCTOR_NONE);
	doctor_found(row, "%zu, %u free, %u ready for DPDK", cards.n, free_ones, ready);
	if (wanted && !ready && free_ones)
		doctor_remedy(row, "make host PCI=\"ADDRESS ...\" with those to be used");
	else if (wanted && !ready)
		doctor_remedy(row, "add a card; the one of the default route stays the kernel's");
	free(cards.address);
}

/*
 * The doctor against trees of files that stand for / : every row in each of its states.
 */
#include "tests/unit/unit.h"

#include "common/doctor.h"
#include "tests/unit/folder.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define ALL_RIGHTS "CapEff:\t000001ffffffffff\n"
#define NO_RIGHTS  "CapEff:\t0000000000000000\n"
#define NODE	   "sys/devices/system/node/node"
#define CPU	   "sys/devices/system/cpu/"
#define PCI	   "sys/bus/pci/devices/"
#define CLOCK	   "sys/devices/system/clocksource/clocksource0/current_clocksource"
#define GOVERNOR   "/cpufreq/scaling_governor"

/* The roles of the tests. */
static const struct doctor_role io = {DOCTOR_EMBEDDED, DOCTOR_NO_KERNEL, false, true};
static const struct doctor_role no_huge = {DOCTOR_EMBEDDED, DOCTOR_NO_KERNEL, true, true};
static const struct doctor_role nic = {DOCTOR_NIC, DOCTOR_NO_KERNEL, false, false};
static const struct doctor_role choosing = {DOCTOR_EMBEDDED, DOCTOR_AUTO, false, false};
static const struct doctor_role tap = {DOCTOR_EMBEDDED, DOCTOR_TAP, false, false};
static const struct doctor_role af_xdp = {DOCTOR_LINK_AF_XDP, DOCTOR_NO_KERNEL, false, true};
static const struct doctor_role af_packet = {DOCTOR_LINK_AF_PACKET, DOCTOR_NO_KERNEL, false, true};
static const struct doctor_role link_tap = {DOCTOR_LINK_TAP, DOCTOR_NO_KERNEL, false, true};
static const struct doctor_role virtio = {DOCTOR_EMBEDDED, DOCTOR_VIRTIO_USER, false, false};
static const struct doctor_role kni = {DOCTOR_EMBEDDED, DOCTOR_KNI, false, false};

static const char *built = "DPDK 22.11.4", *running = "DPDK 22.11.5";

static void make_folders(const char *name)
{
	char path[256], *slash;

	snprintf(path, sizeof(path), "%s", name);
	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder_path(path), 0777);
		*slash = '/';
	}
}

/* A file of the tree, in place of the one before. */
static void put(const char *name, const char *text)
{
	make_folders(name);
	folder_put(name, "w", text);
}

static void put_link(const char *name, const char *target)
{
	make_folders(name);
	unlink(folder_path(name));
	assert_int_equal(symlink(target, folder_path(name)), 0);
}

static void drop(const char *name)
{
	remove(folder_path(name));
}

static void put_pool(const char *dir, unsigned int kb, unsigned int total, unsigned int free_pages)
{
	char name[256], text[32];

	snprintf(name, sizeof(name), "%s/hugepages-%ukB/nr_hugepages", dir, kb);
	snprintf(text, sizeof(text), "%u\n", total);
	put(name, text);
	snprintf(name, sizeof(name), "%s/hugepages-%ukB/free_hugepages", dir, kb);
	snprintf(text, sizeof(text), "%u\n", free_pages);
	put(name, text);
}

static void put_module(const char *file, const char *name)
{
	struct utsname uts;
	char path[256];

	assert_int_equal(uname(&uts), 0);
	snprintf(path, sizeof(path), "lib/modules/%s/%s", uts.release, file);
	put(path, name);
}

/* The row of a name as the doctor finds it in a role. Its texts stand until the next call. */
static const struct doctor_row *find(const struct doctor_role *role, const char *name)
{
	struct doctor_host host = {folder, built, running, 1};
	static struct doctor_row found;
	struct doctor_rows rows = {NULL, 0, false};

	found = (struct doctor_row){.name = ""};
	assert_int_equal(doctor_examine(&host, role, &rows), 0);
	for (size_t i = 0; i < rows.n; i++)
		if (!strcmp(rows.row[i].name, name))
			found = rows.row[i];
	doctor_free(&rows);
	return &found;
}

/* The row has that state, its finding has that text, and its remedy; "" is none, NULL any. */
static void expect_at(int line, const struct doctor_role *role, const char *name,
		      enum doctor_state state, const char *says, const char *remedy)
{
	const struct doctor_row *row = find(role, name);

	if (strcmp(row->name, name) || row->state != state || !strstr(row->found, says) ||
	    (remedy && (*remedy ? !strstr(row->remedy, remedy) : *row->remedy)))
		fail_msg("line %d: '%s' is %s: '%s' -> '%s', expected %s: '%s' -> '%s'", line,
			 row->name, doctor_state_name(row->state), row->found, row->remedy,
			 doctor_state_name(state), says, remedy ? remedy : "any");
	/* What is wrong has a remedy, what is not has none. */
	assert_true((row->state >= DOCTOR_WARN) == (*row->remedy != '\0'));
}
#define expect(...) expect_at(__LINE__, __VA_ARGS__)

/* A host of two cores and one node that can do everything. */
static int host_setup(void **state)
{
	if (folder_setup(state))
		return -1;
	put("proc/self/status", "Name:\tx\n" ALL_RIGHTS "Cpus_allowed_list:\t0-3\n");
	put("proc/self/limits",
	    "Limit  Soft  Hard  Units\nMax locked memory  unlimited  unlimited  "
	    "bytes\n");
	put("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu constant_tsc nonstop_tsc\n");
	put("proc/net/protocols", "protocol  size\nPACKET    1600\nXDP       1088\n");
	put("proc/net/route", "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
			      "mgmt\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n");
	put_pool("sys/kernel/mm/hugepages", 2048, 1024, 512);
	put_pool(NODE "0/hugepages", 2048, 1024, 512);
	put(NODE "0/cpulist", "0-3\n");
	put(CPU "isolated", "2-3\n");
	put(CPU "nohz_full", "2-3\n");
	return 0;
}

static void test_hugepages(void **state)
{
	(void)state;
	expect(&io, "hugepages node 0", DOCTOR_OK, "1024 of 2048 MB free", "");
	put_pool(NODE "0/hugepages", 2048, 64, 32);
	expect(&io, "hugepages node 0", DOCTOR_WARN, "64 of 128 MB free", "node0/hugepages");
	put_pool(NODE "0/hugepages", 2048, 64, 31);
	expect(&io, "hugepages node 0", DOCTOR_FAIL, "62 of 128 MB free", "--no-huge");
	expect(&no_huge, "hugepages node 0", DOCTOR_WARN, "62", "make host");
	assert_null(strstr(find(&nic, "hugepages node 0")->remedy, "--no-huge"));
	/* Pages of all sizes count. */
	put_pool(NODE "0/hugepages", 1048576, 1, 1);
	expect(&io, "hugepages node 0", DOCTOR_OK, "1086 of 1152 MB free", "");
}

static void test_hugepages_of_two_nodes(void **state)
{
	(void)state;
	put_pool(NODE "1/hugepages", 2048, 0, 0);
	put(NODE "1/cpulist", "4-7\n");
	/* None of its cores is ours. */
	expect(&io, "hugepages node 1", DOCTOR_NONE, "0 of 0 MB free", "");
	put("proc/self/status", ALL_RIGHTS "Cpus_allowed_list:\t0-7\n");
	/* The other node has enough for us to run. */
	expect(&io, "hugepages node 1", DOCTOR_WARN, "0 of 0 MB free", "node1/hugepages");
	put_pool(NODE "0/hugepages", 2048, 0, 0);
	put_pool("sys/kernel/mm/hugepages", 2048, 0, 0);
	expect(&io, "hugepages node 0", DOCTOR_FAIL, "0 of 0 MB free", "node0/hugepages");
	expect(&io, "hugepages node 1", DOCTOR_FAIL, "0 of 0 MB free", "node1/hugepages");
}

/* A kernel without NUMA, or without hugepages. */
static void test_hugepages_without_nodes(void **state)
{
	char from[192], to[192];

	(void)state;
	snprintf(from, sizeof(from), "%s", folder_path("sys/devices/system/node"));
	snprintf(to, sizeof(to), "%s", folder_path("gone"));
	assert_int_equal(rename(from, to), 0);
	expect(&io, "hugepages", DOCTOR_OK, "1024 of 2048 MB free", "");
	put_pool("sys/kernel/mm/hugepages", 2048, 100, 100);
	expect(&io, "hugepages", DOCTOR_WARN, "200 of 200 MB free", "sysctl vm.nr_hugepages");
	put_pool("sys/kernel/mm/hugepages", 2048, 0, 0);
	expect(&io, "hugepages", DOCTOR_FAIL, "0 of 0 MB free", "sysctl vm.nr_hugepages");
}

static void test_memory_locks(void **state)
{
	(void)state;
	expect(&nic, "memory locks", DOCTOR_OK, "unlimited", "");
	put("proc/self/limits", "Max locked memory         8388608              8388608  bytes\n");
	expect(&nic, "memory locks", DOCTOR_OK, "8192 kB, and the right", "");
	put("proc/self/status", NO_RIGHTS "Cpus_allowed_list:\t0-3\n");
	expect(&nic, "memory locks", DOCTOR_FAIL, "8192 kB", "ulimit -l");
	expect(&af_xdp, "memory locks", DOCTOR_FAIL, "8192 kB", "ulimit -l");
	expect(&io, "memory locks", DOCTOR_NONE, "8192 kB", "");
	put("proc/self/limits", "Max locked memory         1073741824  1073741824  bytes\n");
	expect(&nic, "memory locks", DOCTOR_OK, "1048576 kB", "");
	drop("proc/self/limits");
	expect(&nic, "memory locks", DOCTOR_NONE, "unknown", "");
}

static void test_iommu(void **state)
{
	(void)state;
	expect(&io, "IOMMU", DOCTOR_NONE, "none", "");
	expect(&nic, "IOMMU", DOCTOR_WARN, "none", "intel_iommu=on");
	put("sys/kernel/iommu_groups/0/type", "DMA\n");
	put("sys/kernel/iommu_groups/1/type", "DMA\n");
	expect(&nic, "IOMMU", DOCTOR_OK, "2 groups", "");
}

static void test_nic_driver(void **state)
{
	(void)state;
	expect(&io, "vfio or uio", DOCTOR_NONE, "neither", "");
	expect(&nic, "vfio or uio", DOCTOR_FAIL, "neither", "CONFIG_VFIO_PCI");
	put_module("modules.dep", "kernel/drivers/uio/uio_pci_generic.ko.xz: kernel/uio.ko.xz\n");
	expect(&nic, "vfio or uio", DOCTOR_FAIL, "uio_pci_generic is there",
	       "modprobe uio_pci_generic");
	put_module("modules.dep", "kernel/vfio-pci-core.ko: \nkernel/drivers/vfio/vfio-pci.ko: \n");
	expect(&nic, "vfio or uio", DOCTOR_FAIL, "vfio-pci is there", "modprobe vfio-pci");
	put("sys/module/uio_pci_generic/refcnt", "0\n");
	expect(&nic, "vfio or uio", DOCTOR_WARN, "uio_pci_generic", "vfio-pci");
	put("sys/module/igb_uio/refcnt", "0\n");
	expect(&nic, "vfio or uio", DOCTOR_OK, "igb_uio", "");
	drop("sys/module/igb_uio/refcnt");
	drop("sys/module/igb_uio");
	drop("sys/module/uio_pci_generic/refcnt");
	drop("sys/module/uio_pci_generic");
	put("sys/module/vfio_pci/refcnt", "0\n");
	expect(&nic, "vfio or uio", DOCTOR_FAIL, "no IOMMU", "enable_unsafe_noiommu_mode");
	put("sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "Y\n");
	expect(&nic, "vfio or uio", DOCTOR_OK, "no-IOMMU mode", "");
	put("sys/kernel/iommu_groups/0/type", "DMA\n");
	expect(&nic, "vfio or uio", DOCTOR_OK, "vfio-pci", "");
	assert_null(strstr(find(&nic, "vfio or uio")->found, "no-IOMMU"));
}

static void test_built_in_module(void **state)
{
	(void)state;
	put_module("modules.builtin", "kernel/drivers/uio/igb_uio.ko\n");
	expect(&nic, "vfio or uio", DOCTOR_OK, "igb_uio", "");
}

static void put_nic(const char *address, const char *driver, const char *interface,
		    const char *node)
{
	char name[256];

	snprintf(name, sizeof(name), PCI "%s/class", address);
	put(name, "0x020000\n");
	snprintf(name, sizeof(name), PCI "%s/numa_node", address);
	put(name, node);
	snprintf(name, sizeof(name), PCI "%s/driver", address);
	put_link(name, driver);
	if (!interface)
		return;
	snprintf(name, sizeof(name), PCI "%s/net/%s/x", address, interface);
	put(name, "");
	snprintf(name, sizeof(name), "sys/class/net/%s/operstate", interface);
	put(name, "up\n");
	snprintf(name, sizeof(name), "sys/class/net/%s/speed", interface);
	put(name, "40000\n");
}

static void test_no_nic(void **state)
{
	(void)state;
	expect(&io, "NICs", DOCTOR_NONE, "0, 0 free, 0 ready", "");
	expect(&nic, "NICs", DOCTOR_FAIL, "0, 0 free, 0 ready", "add a card");
	put(PCI "0000:00:02.0/class", "0x010000\n"); /* a disk */
	expect(&nic, "NICs", DOCTOR_FAIL, "0, 0 free, 0 ready", "add a card");
}

static void test_nic_of_the_kernel(void **state)
{
	(void)state;
	put_nic("0000:02:00.0", "../../drivers/i40e", "p1", "0\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_WARN, "i40e, p1 up 40000 Mbit/s, NUMA node 0",
	       "make host PCI=\"0000:02:00.0\"");
	expect(&io, "NIC 0000:02:00.0", DOCTOR_NONE, "i40e", "");
	expect(&nic, "NICs", DOCTOR_FAIL, "1, 1 free, 0 ready", "make host");
	/* Management stays where it is. */
	put_nic("0000:01:00.0", "../../drivers/igb", "mgmt", "0\n");
	expect(&nic, "NIC 0000:01:00.0", DOCTOR_NONE, "default route", "");
	expect(&nic, "NICs", DOCTOR_FAIL, "2, 1 free, 0 ready", "make host");
	/* One that the kernel and DPDK share. */
	put_nic("0000:03:00.0", "../../drivers/mlx5_core", "p2", "0\n");
	expect(&nic, "NIC 0000:03:00.0", DOCTOR_OK, "mlx5_core", "");
	expect(&nic, "NICs", DOCTOR_OK, "3, 2 free, 1 ready", "");
	put("sys/class/net/p2/operstate", "down\n");
	expect(&nic, "NIC 0000:03:00.0", DOCTOR_WARN, "p2 down", "ip link set p2 up");
}

static void test_virtio_nic(void **state)
{
	(void)state;
	put_nic("0000:00:03.0", "../../drivers/virtio-pci", NULL, "-1\n");
	put(PCI "0000:00:03.0/virtio2/net/mgmt/x", "");
	expect(&nic, "NIC 0000:00:03.0", DOCTOR_NONE, "virtio-pci, mgmt; carries the default", "");
}

static void test_nic_of_dpdk(void **state)
{
	(void)state;
	put_nic("0000:02:00.0", "../../drivers/vfio-pci", NULL, "0\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_OK, "vfio-pci, NUMA node 0", "");
	expect(&nic, "NICs", DOCTOR_OK, "1, 1 free, 1 ready", "");
	put(PCI "0000:02:00.0/current_link_speed", "8.0 GT/s PCIe\n");
	put(PCI "0000:02:00.0/max_link_speed", "8.0 GT/s PCIe\n");
	put(PCI "0000:02:00.0/current_link_width", "8\n");
	put(PCI "0000:02:00.0/max_link_width", "8\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_OK, "PCIe 8.0 GT/s PCIe x8", "");
	put(PCI "0000:02:00.0/current_link_width", "4\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_WARN, "x4 where the card can 8.0 GT/s PCIe x8",
	       "another slot");
	put(PCI "0000:02:00.0/current_link_width", "8\n");
	put(PCI "0000:02:00.0/current_link_speed", "2.5 GT/s PCIe\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_WARN, "2.5 GT/s PCIe x8 where", "another slot");
	/* It sits on another node than our cores. */
	put(PCI "0000:02:00.0/numa_node", "1\n");
	put(NODE "1/cpulist", "4-7\n");
	expect(&nic, "NIC 0000:02:00.0", DOCTOR_WARN, "of whose cores (4-7) we have none",
	       "run on cores of node 1");
}

static void test_tun(void **state)
{
	(void)state;
	expect(&tap, "tun", DOCTOR_FAIL, "no /dev/net/tun", "CONFIG_TUN");
	expect(&link_tap, "tun", DOCTOR_FAIL, "no /dev/net/tun", "CONFIG_TUN");
	expect(&virtio, "tun", DOCTOR_FAIL, "no /dev/net/tun", "CONFIG_TUN");
	expect(&choosing, "tun", DOCTOR_WARN, "no /dev/net/tun", "CONFIG_TUN");
	expect(&io, "tun", DOCTOR_NONE, "no /dev/net/tun", "");
	put_module("modules.dep", "kernel/drivers/net/tun.ko.xz:\n");
	expect(&tap, "tun", DOCTOR_FAIL, "no /dev/net/tun", "modprobe tun");
	put("dev/net/tun", "");
	expect(&tap, "tun", DOCTOR_OK, "/dev/net/tun", "");
}

static void test_vhost_net(void **state)
{
	(void)state;
	expect(&virtio, "vhost-net", DOCTOR_FAIL, "no /dev/vhost-net", "CONFIG_VHOST_NET");
	expect(&choosing, "vhost-net", DOCTOR_WARN, "no /dev/vhost-net", "CONFIG_VHOST_NET");
	expect(&tap, "vhost-net", DOCTOR_NONE, "no /dev/vhost-net", "");
	put("dev/vhost-net", "");
	expect(&virtio, "vhost-net", DOCTOR_OK, "/dev/vhost-net", "");
}

static void test_kni(void **state)
{
	(void)state;
	expect(&kni, "rte_kni", DOCTOR_FAIL, "not built", "kernel/linux/kni");
	expect(&choosing, "rte_kni", DOCTOR_NONE, "not built", "");
	put_module("modules.dep", "extra/rte_kni.ko:\n");
	expect(&kni, "rte_kni", DOCTOR_FAIL, "not loaded", "modprobe rte_kni");
	put("sys/module/rte_kni/refcnt", "0\n");
	expect(&kni, "rte_kni", DOCTOR_OK, "loaded", "");
}

static void test_af_xdp(void **state)
{
	(void)state;
	expect(&af_xdp, "AF_XDP", DOCTOR_OK, "the rights", "");
	put("proc/self/status", NO_RIGHTS);
	expect(&af_xdp, "AF_XDP", DOCTOR_FAIL, "CAP_BPF", "root");
	expect(&choosing, "AF_XDP", DOCTOR_WARN, "CAP_BPF", "root");
	expect(&io, "AF_XDP", DOCTOR_NONE, "CAP_BPF", "");
	put("proc/net/protocols", "PACKET    1600\nXDPX  1\n");
	expect(&af_xdp, "AF_XDP", DOCTOR_FAIL, "kernel has none", "CONFIG_XDP_SOCKETS");
	expect(&choosing, "AF_XDP", DOCTOR_WARN, "kernel has none", "CONFIG_XDP_SOCKETS");
	expect(&io, "AF_XDP", DOCTOR_NONE, "kernel has none", "");
}

static void test_af_packet(void **state)
{
	(void)state;
	expect(&af_packet, "AF_PACKET", DOCTOR_OK, "the right", "");
	put("proc/self/status", NO_RIGHTS);
	expect(&af_packet, "AF_PACKET", DOCTOR_FAIL, "CAP_NET_RAW", "root");
	expect(&choosing, "AF_PACKET", DOCTOR_WARN, "CAP_NET_RAW", "root");
	put("proc/net/protocols", "XDP    1600\n");
	expect(&af_packet, "AF_PACKET", DOCTOR_FAIL, "kernel has none", "modprobe af_packet");
	expect(&io, "AF_PACKET", DOCTOR_NONE, "kernel has none", "");
}

static void test_choice_of_a_kernel_path(void **state)
{
	(void)state;
	expect(&choosing, "kernel path", DOCTOR_OK, "by af_xdp, af_packet", "");
	assert_string_equal(find(&tap, "kernel path")->name, ""); /* it was named */
	put("proc/net/protocols", "TCP    1600\n");
	expect(&choosing, "kernel path", DOCTOR_FAIL, "no driver", "--kernel-path none");
	put("dev/net/tun", "");
	expect(&choosing, "kernel path", DOCTOR_OK, "by tap", "");
}

static void test_rights(void **state)
{
	(void)state;
	expect(&tap, "rights", DOCTOR_OK, "enough", "");
	put("proc/self/status", NO_RIGHTS);
	expect(&io, "rights", DOCTOR_OK, "none are needed", "");
	expect(&tap, "rights", DOCTOR_FAIL, "CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_NET_RAW", "root");
	expect(&af_packet, "rights", DOCTOR_FAIL, "without CAP_NET_RAW:", "root");
	expect(&link_tap, "rights", DOCTOR_FAIL, "without CAP_NET_ADMIN, CAP_NET_RAW:", "root");
	put("proc/self/status", "CapEff:\t0000000000002000\n"); /* CAP_NET_RAW alone */
	expect(&af_packet, "rights", DOCTOR_OK, "enough", "");
	drop("proc/self/status");
	expect(&tap, "rights", DOCTOR_OK, "enough", "");
}

static void test_cores(void **state)
{
	(void)state;
	expect(&io, "cores", DOCTOR_OK, "4 to run on", "");
	put("proc/self/status", ALL_RIGHTS "Cpus_allowed_list:\t3\n");
	expect(&io, "cores", DOCTOR_WARN, "1 to run on", "second core");
	expect(&nic, "cores", DOCTOR_OK, "1 to run on", "");
	drop("proc/self/status");
	expect(&io, "cores", DOCTOR_NONE, "unknown", "");
}

static void test_isolation(void **state)
{
	(void)state;
	expect(&io, "isolated cores", DOCTOR_OK, "2-3", "");
	expect(&io, "nohz_full", DOCTOR_OK, "2-3", "");
	put(CPU "isolated", "3\n");
	put(CPU "nohz_full", "(null)\n");
	expect(&io, "isolated cores", DOCTOR_WARN, "3: 2 are needed", "isolcpus=");
	expect(&nic, "isolated cores", DOCTOR_OK, "3", "");
	expect(&nic, "nohz_full", DOCTOR_WARN, "none", "nohz_full=");
	put(CPU "isolated", "\n");
	drop(CPU "nohz_full");
	expect(&nic, "isolated cores", DOCTOR_WARN, "none", "isolcpus=");
	expect(&nic, "nohz_full", DOCTOR_WARN, "none", "nohz_full=");
}

static void test_governor(void **state)
{
	(void)state;
	expect(&io, "governor", DOCTOR_OK, "not in this kernel's hands", "");
	put(CPU "cpu0" GOVERNOR, "performance\n");
	put(CPU "cpu1" GOVERNOR, "performance\n");
	expect(&io, "governor", DOCTOR_OK, "performance on all 2", "");
	put(CPU "cpu1" GOVERNOR, "powersave\n");
	expect(&io, "governor", DOCTOR_WARN, "powersave on 1 of 2 cores", "performance");
}

static void test_turbo(void **state)
{
	(void)state;
	expect(&io, "turbo", DOCTOR_OK, "not in this kernel's hands", "");
	put(CPU "cpufreq/boost", "1\n");
	expect(&io, "turbo", DOCTOR_WARN, "on", "echo 0 >/sys/devices/system/cpu/cpufreq/boost");
	put(CPU "cpufreq/boost", "0\n");
	expect(&io, "turbo", DOCTOR_OK, "off", "");
	put(CPU "intel_pstate/no_turbo", "0\n");
	expect(&io, "turbo", DOCTOR_WARN, "on",
	       "echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo");
	put(CPU "intel_pstate/no_turbo", "1\n");
	expect(&io, "turbo", DOCTOR_OK, "off", "");
}

static void test_smt(void **state)
{
	(void)state;
	expect(&io, "SMT siblings", DOCTOR_OK, "none", "");
	put(CPU "cpu0/topology/thread_siblings_list", "0\n");
	put(CPU "cpu9/topology/thread_siblings_list", "1,9\n"); /* not ours */
	expect(&io, "SMT siblings", DOCTOR_OK, "none", "");
	put(CPU "cpu3/topology/thread_siblings_list", "3,7\n");
	put(CPU "cpu2/topology/thread_siblings_list", "2,6\n");
	expect(&io, "SMT siblings", DOCTOR_WARN, "2,6 share one core", "smt/control");
}

static void test_tsc(void **state)
{
	(void)state;
	expect(&io, "TSC", DOCTOR_OK, "constant_tsc, nonstop_tsc", "");
	put("proc/cpuinfo", "flags\t\t: fpu tsc constant_tsc\n");
	expect(&io, "TSC", DOCTOR_WARN, "no nonstop_tsc", "max_cstate");
	put("proc/cpuinfo", "flags\t\t: fpu tsc nonstop_tsc\n");
	expect(&io, "TSC", DOCTOR_FAIL, "no constant_tsc", "another machine");
	drop("proc/cpuinfo");
	expect(&io, "TSC", DOCTOR_NONE, "unknown", "");
	expect(&io, "virtual machine", DOCTOR_NONE, "unknown", "");
}

static void test_clock_source(void **state)
{
	(void)state;
	expect(&io, "clock source", DOCTOR_NONE, "unknown", "");
	put(CLOCK, "tsc\n");
	expect(&io, "clock source", DOCTOR_OK, "tsc", "");
	put(CLOCK, "kvm-clock\n");
	expect(&io, "clock source", DOCTOR_WARN, "kvm-clock: the hypervisor's", "echo tsc");
	put(CLOCK, "hpet\n");
	expect(&io, "clock source", DOCTOR_WARN, "hpet: reading it takes", "echo tsc");
}

static void test_mitigations(void **state)
{
	(void)state;
	expect(&io, "mitigations", DOCTOR_NONE, "unknown", "");
	put(CPU "vulnerabilities/meltdown", "Not affected\n");
	put(CPU "vulnerabilities/spectre_v2", "Vulnerable\n");
	expect(&choosing, "mitigations", DOCTOR_OK, "0 of 2 on", "");
	put(CPU "vulnerabilities/spectre_v2", "Mitigation: Retpolines\n");
	expect(&choosing, "mitigations", DOCTOR_WARN, "1 of 2 on", "mitigations=off");
	expect(&af_packet, "mitigations", DOCTOR_WARN, "1 of 2 on", "mitigations=off");
	expect(&io, "mitigations", DOCTOR_OK, "1 of 2 on; they slow", "");
}

static void test_virtual_machine(void **state)
{
	(void)state;
	expect(&io, "virtual machine", DOCTOR_OK, "no", "");
	put("proc/cpuinfo", "flags\t\t: constant_tsc hypervisor nonstop_tsc\n");
	expect(&io, "virtual machine", DOCTOR_WARN, "yes", "bare metal");
}

static void test_dpdk(void **state)
{
	(void)state;
	expect(&io, "DPDK", DOCTOR_OK, "DPDK 22.11.5, built with DPDK 22.11.4", "");
	built = running = "DPDK 23.11.0";
	expect(&io, "DPDK", DOCTOR_WARN, "not the series that Tandem was tested", "22.11");
	running = "DPDK 22.11.5";
	expect(&io, "DPDK", DOCTOR_WARN, "built with DPDK 23.11.0", "make clean all");
	built = "DPDK 22.11.4";
}

static void test_other_programs(void **state)
{
	(void)state;
	put("proc/1/maps", "7f00 r-xp /usr/lib/librte_eal.so.23\n"); /* ourselves */
	put("proc/1/comm", "tandem-gen\n");
	put("proc/7/maps", "7f00 r-xp /usr/lib/libc.so.6\n");
	put("proc/7/comm", "bash\n");
	expect(&io, "other DPDK programs", DOCTOR_OK, "none that we may see", "");
	put("proc/42/maps", "7e00 r-xp /usr/lib/libc.so.6\n7f00 r-xp /usr/lib/librte_eal.so.23\n");
	put("proc/42/comm", "dpdk-testpmd\n");
	expect(&io, "other DPDK programs", DOCTOR_WARN, "1: dpdk-testpmd (42)", "end them");
}

/* Nothing can be read, as in a chroot: no crash, and nothing is said to be well that is not known
 * to be. */
static void test_empty_root(void **state)
{
	struct doctor_host host = {folder, built, running, 1};
	struct doctor_rows rows = {NULL, 0, false};

	(void)state;
	assert_int_equal(doctor_examine(&host, &nic, &rows), 0);
	assert_true(rows.n >= 20);
	assert_true(doctor_fails(&rows));
	doctor_free(&rows);
	expect(&io, "hugepages", DOCTOR_FAIL, "0 of 0 MB free", "sysctl");
	expect(&io, "other DPDK programs", DOCTOR_NONE, "unknown", "");
}

static void test_record_and_table(void **state)
{
	struct doctor_host host = {folder, built, running, 1};
	struct doctor_rows rows = {NULL, 0, false};
	json_t *record, *row;
	char *text = NULL;
	size_t size = 0, i;
	FILE *out;

	(void)state;
	assert_int_equal(doctor_examine(&host, &kni, &rows), 0);
	record = doctor_record(&host, &kni, &rows);
	assert_string_equal(json_string_value(json_object_get(record, "kernel_path")), "kni");
	assert_true(json_is_false(json_object_get(record, "fit")));
	json_array_foreach (json_object_get(record, "checks"), i, row) {
		if (strcmp(json_string_value(json_object_get(row, "check")), "rte_kni"))
			continue;
		assert_string_equal(json_string_value(json_object_get(row, "state")), "fail");
		assert_true(json_is_string(json_object_get(row, "remedy")));
		break;
	}
	assert_true(i < rows.n);
	assert_string_equal(json_string_value(json_object_get(json_object_get(record, "not_for"),
							      "kernel path over KNI")),
			    "rte_kni");
	json_decref(record);
	out = open_memstream(&text, &size);
	doctor_print(&host, &kni, &rows, out);
	fclose(out);
	assert_non_null(strstr(text, "FAIL  rte_kni"));
	assert_non_null(strstr(text, "-> build it from DPDK"));
	assert_non_null(strstr(text, "not for kernel path over KNI (rte_kni)"));
	assert_non_null(strstr(text, "fit for vhost-user and memif"));
	free(text);
	doctor_free(&rows);
}

#define HOST(f) cmocka_unit_test_setup_teardown(f, host_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOST(test_hugepages),
		HOST(test_hugepages_of_two_nodes),
		HOST(test_hugepages_without_nodes),
		HOST(test_memory_locks),
		HOST(test_iommu),
		HOST(test_nic_driver),
		HOST(test_built_in_module),
		HOST(test_no_nic),
		HOST(test_nic_of_the_kernel),
		HOST(test_virtio_nic),
		HOST(test_nic_of_dpdk),
		HOST(test_tun),
		HOST(test_vhost_net),
		HOST(test_kni),
		HOST(test_af_xdp),
		HOST(test_af_packet),
		HOST(test_choice_of_a_kernel_path),
		HOST(test_rights),
		HOST(test_cores),
		HOST(test_isolation),
		HOST(test_governor),
		HOST(test_turbo),
		HOST(test_smt),
		HOST(test_tsc),
		HOST(test_clock_source),
		HOST(test_mitigations),
		HOST(test_virtual_machine),
		HOST(test_dpdk),
		HOST(test_other_programs),
		HOST(test_record_and_table),
		cmocka_unit_test_setup_teardown(test_empty_root, folder_setup, folder_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

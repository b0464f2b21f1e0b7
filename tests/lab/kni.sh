#!/usr/bin/env bash
# Builds what rte_kni takes, which Debian's DPDK has the source of but does not build: the kernel module, librte_kni and
# the net_kni driver, a plugin of EAL's (-d). Nothing is patched, DPDK itself is not rebuilt.
#   kni.sh DIR DPDK HEADERS [SRCTREE]
#   DIR      where rte_kni.ko, librte_kni.so.23 and librte_net_kni.so.23 go
#   DPDK     DPDK's source, of libdpdk-dev's version
#   HEADERS  a kernel's build tree, as /lib/modules/RELEASE/build; "none" for the plugin alone
set -eu
dir=$(realpath -m "$1") dpdk=$(realpath "$2") headers=$3
cc=${CC:-gcc}
mkdir -p "$dir"
read -ra cflags < <(pkg-config --cflags libdpdk)
read -ra libs < <(pkg-config --libs libdpdk)
abi=$(cut -d. -f1 "$dpdk/ABI_VERSION")

loud() { # LOG COMMAND...: says what it said when it fails
	local log=$1
	shift
	if ! "$@" >"$log" 2>&1; then
		tail -n 20 "$log" >&2
		echo "kni.sh: failed: $*" >&2
		exit 1
	fi
}

if [ "$headers" != none ]; then
	[ -f "$headers/Makefile" ] || {
		echo "kni.sh: no kernel headers in $headers: install linux-headers for that kernel" >&2
		exit 1
	}
	# kbuild writes beside its sources.
	rm -rf "$dir/module"
	cp -r "$dpdk/kernel/linux/kni" "$dir/module"
	dpdk_include=$(pkg-config --variable=includedir libdpdk)
	config=$(printf '%s\n' "${cflags[@]}" | sed -n 's/^-I//p' | while read -r d; do
		[ ! -f "$d/rte_config.h" ] || echo "$d/rte_config.h"
	done | head -n 1)
	[ -n "$config" ] || config=$dpdk_include/rte_config.h
	# The module and the library must agree, so both take the installed headers; the library's own are in the source alone.
	loud "$dir/module.log" make -C "$headers" M="$dir/module" \
		MODULE_CFLAGS="-DHAVE_ARG_TX_QUEUE -include $config $(printf '%s ' "${cflags[@]}" | grep -o -- '-I[^ ]*' | tr '\n' ' ')\
-I$dpdk/lib/eal/include -I$dpdk/lib/kni -I$dir/module" modules
	cp "$dir/module/rte_kni.ko" "$dir/rte_kni.ko"
fi

# The tree's headers that are not installed: of the drivers' side of ethdev and of the vdev bus.
loud "$dir/kni.log" "$cc" -O2 -g -fPIC -shared -Wl,-soname,"librte_kni.so.$abi" -DALLOW_EXPERIMENTAL_API -DALLOW_INTERNAL_API \
	"-DRTE_LOG_DEFAULT_LOGTYPE=lib.kni" "${cflags[@]}" -I"$dpdk/lib/kni" -o "$dir/librte_kni.so.$abi" "$dpdk/lib/kni/rte_kni.c" \
	"${libs[@]}" -lbsd
ln -sf "librte_kni.so.$abi" "$dir/librte_kni.so"
loud "$dir/net_kni.log" "$cc" -O2 -g -fPIC -shared -Wl,-soname,"librte_net_kni.so.$abi" -Wl,-rpath,'$ORIGIN' \
	-DALLOW_EXPERIMENTAL_API -DALLOW_INTERNAL_API "-DRTE_LOG_DEFAULT_LOGTYPE=pmd.net.kni" "${cflags[@]}" -I"$dpdk/lib/kni" \
	-I"$dpdk/lib/ethdev" -I"$dpdk/drivers/bus/vdev" -I"$dpdk/lib/eal/include" \
	-o "$dir/librte_net_kni.so.$abi" "$dpdk/drivers/net/kni/rte_eth_kni.c" -L"$dir" -lrte_kni -lrte_bus_vdev "${libs[@]}" -lbsd

#!/usr/bin/env bash
# Boots the lab's VM: an initramfs of busybox, ip, the programs, their libraries and the modules; QEMU with KVM where that
# works, else by software. The guest's console goes to stdout, its results to DIR/results.
#   vm.sh LAB BUILD   LAB holds kernel/, rte_kni.ko and the plugin, BUILD the programs; LIMIT (300) seconds
set -eu
lab=$(realpath "$1") build=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
limit=${LIMIT:-300}
release=$(cat "$lab/kernel/release")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# copy_program FILE: with all it is linked to, at the same paths.
copy_libraries() {
	ldd "$1" | awk '/=> \// {print $3} /^[[:space:]]*\/lib/ {print $1}' | sort -u | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp -nL "$library" "$root$library"
	done
}

mkdir -p "$root"/{bin,lab/modules,proc,sys,dev,run,tmp,var,out,etc}
cp /bin/busybox "$root/bin/busybox"
cp -L "$(command -v ip)" "$root/bin/ip"
copy_libraries "$root/bin/ip"
for program in tandem-dut tandem-gen; do
	cp "$build/$program" "$root/lab/"
	strip "$root/lab/$program"
	copy_libraries "$build/$program"
done
cp "$lab/rte_kni.ko" "$lab"/lib*.so.23 "$root/lab/"
copy_libraries "$lab/librte_net_kni.so.23"
rm -f "$root$lab"/lib*
# EAL loads its plugins from a folder: the drivers in use, and what they need. Two files of one library would be two
# libraries, so what a program is linked to already is a link here.
drivers=$(dirname "$(find /usr/lib -path '*dpdk/pmds-*' -name 'librte_net_memif.so' | head -n 1)")
mkdir -p "$root$drivers"
for name in net_memif net_virtio net_tap net_af_packet net_af_xdp; do
	copy_libraries "$drivers/librte_$name.so"
done
for name in bus_vdev mempool_ring net_memif net_virtio net_tap net_af_packet net_af_xdp; do
	plugin=$(basename "$(readlink -f "$drivers/librte_$name.so")")
	there=$(find "$root" -name "librte_$name.so.*" -not -path '*pmds*' | head -n 1)
	if [ -n "$there" ]; then
		ln -s "${there#"$root"}" "$root$drivers/$plugin"
	else
		cp -L "$drivers/$plugin" "$root$drivers/"
	fi
done
# What libxdp loads into the kernel for af_xdp.
find /usr/lib -path '*/bpf/xdp-dispatcher.o' -o -path '*/bpf/xsk_def_xdp_prog*.o' | while read -r object; do
	mkdir -p "$root$(dirname "$object")"
	cp "$object" "$root$object"
done
# What EAL's threads load when they are cancelled.
find /lib/x86_64-linux-gnu -name 'libgcc_s.so.1' -exec cp -nL --parents {} "$root" \;
n=0
for module in tun tap vhost_iotlb vhost vhost_net veth; do
	file=$(find "$lab/kernel/lib/modules" -name "$module.ko")
	[ -z "$file" ] || cp "$file" "$root/lab/modules/$((n++))$module.ko"
done
cp "$here/guest.sh" "$root/init"
chmod +x "$root/init"
cat >"$root/lab/settings" <<-EOF
	BACKENDS="${BACKENDS:-kni virtio-user af_xdp af_packet tap}"
	SIZES=${SIZES:-64,128,256,512,1024,1280,1518}
	RATE=${RATE:-1kpps}
	DURATION=${DURATION:-1s}
EOF
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$lab/initramfs.gz"

# boot LIMIT BEGIN ACCELERATOR...: the guest must have begun within BEGIN seconds, and ends within LIMIT.
boot() {
	local limit=$1 begin=$2 qemu n
	shift 2
	rm -f "$lab/results.b64"
	timeout "$limit" qemu-system-x86_64 -M q35 "$@" -smp 2 -m 1280M -nodefaults -no-user-config -nographic -no-reboot \
		-nic none -serial file:"$lab/console" -serial file:"$lab/results.b64" \
		-kernel "$lab/kernel/boot/vmlinuz-$release" -initrd "$lab/initramfs.gz" \
		-append "console=ttyS0 quiet loglevel=3 hugepages=256 mitigations=off nokaslr ipv6.disable=1 panic=-1" \
		>"$lab/qemu.log" 2>&1 </dev/null &
	qemu=$!
	for ((n = 0; n < begin * 10; n++)); do
		if grep -q 'LAB BEGIN' "$lab/console" 2>/dev/null; then
			wait $qemu || true
			return 0
		fi
		kill -0 $qemu 2>/dev/null || break
		sleep 0.1
	done
	kill $qemu 2>/dev/null
	wait $qemu 2>/dev/null || true
	return 1
}

# A hypervisor that is itself a guest may offer a KVM that does not get a kernel going.
how=
if [ -z "${NO_KVM:-}" ] && [ -w /dev/kvm ]; then
	rm -f "$lab/console"
	! boot "$limit" 15 -accel kvm -cpu host,arch-capabilities=off || how=KVM
fi
if [ -z "$how" ]; then
	rm -f "$lab/console"
	how="software emulation"
	boot "$limit" 90 -accel "tcg,thread=multi" -cpu max,la57=off || how="$how, the guest does not begin: $(tail -n 1 "$lab/qemu.log")"
fi
echo "LAB note Linux $release under $how"
tr -d '\r' <"$lab/console" | grep -a -A1000 'LAB BEGIN' || true
rm -rf "$lab/results"
mkdir -p "$lab/results"
tr -d '\r' <"$lab/results.b64" | base64 -d | tar -C "$lab/results" -xz

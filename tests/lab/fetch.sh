#!/usr/bin/env bash
# Fetches what building rte_kni takes, out of Debian's archive, into a folder: DPDK's source of the installed version and,
# for the VM, a Debian kernel with its headers. Nothing is installed and apt's own settings stay as they are.
#   fetch.sh DIR source        DIR/dpdk: the source of libdpdk-dev's version
#   fetch.sh DIR kernel        DIR/kernel: a cloud kernel's image and headers, unpacked
set -eu
dir=$(realpath -m "$1")
what=$2
mkdir -p "$dir"

# What apt is told instead of its own settings: the machine's Debian entries once more, as sources. Both forms of entries
# are known, one a line and deb822.
apt_with_sources() {
	local lists=$dir/apt
	if [ ! -d "$lists" ]; then
		mkdir -p "$lists/lists/partial" "$lists/parts"
		{ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
			sed -n 's/^[[:space:]]*deb[[:space:]]\(.*\)/deb-src \1/p' | grep -E ' (bookworm|stable)' \
			>"$lists/parts/private.list" || true
		for file in /etc/apt/sources.list.d/*.sources; do
			[ -f "$file" ] || continue
			grep -Eq '^Suites:.*(bookworm|stable)' "$file" || continue
			sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")"
		done
	fi
	apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$lists/parts" -o Dir::State::lists="$lists/lists" "$@"
}

# Runs a command quietly, and loudly where it fails.
quiet() {
	if ! "$@" >"$dir/fetch.log" 2>&1 </dev/null; then
		tail -n 15 "$dir/fetch.log" >&2
		echo "fetch.sh: failed: $*" >&2
		exit 1
	fi
}

case $what in
source)
	version=$(dpkg-query -W -f='${source:Version}' libdpdk-dev)
	[ ! -f "$dir/dpdk/kernel/linux/kni/kni_net.c" ] || [ "$(cat "$dir/dpdk.version" 2>/dev/null)" != "$version" ] || exit 0
	rm -rf "$dir/dpdk" "$dir/apt"
	quiet apt_with_sources update
	mkdir -p "$dir/dsc"
	cd "$dir/dsc"
	# Unpacked by hand: Debian's patches are not about KNI, and dpkg-source is one package less.
	quiet apt_with_sources source --download-only "dpdk=$version"
	mkdir "$dir/dpdk"
	quiet tar -C "$dir/dpdk" --strip-components=1 -xf "$(ls dpdk_*.orig.tar.*)"
	rm -rf "$dir/dsc" "$dir/apt"
	echo "$version" >"$dir/dpdk.version"
	;;
kernel)
	[ ! -f "$dir/kernel/release" ] || exit 0
	rm -rf "$dir/kernel" "$dir/debs"
	mkdir -p "$dir/kernel" "$dir/debs"
	cd "$dir/debs"
	# linux-headers-6.1.0-NN-cloud-amd64, and what it and the image of the same name are made of.
	headers=$(apt-cache depends linux-headers-cloud-amd64 | awk '/Depends: linux-headers-/ {print $2; exit}')
	[ -n "$headers" ] || { echo "fetch.sh: apt knows no linux-headers-cloud-amd64: run apt-get update" >&2; exit 1; }
	release=${headers#linux-headers-}
	mapfile -t more < <(apt-cache depends "$headers" | awk '/Depends: linux-(headers|kbuild)-/ {print $2}')
	image=linux-image-$release
	quiet apt-get download "$headers" "${more[@]}" "$image"
	for deb in *.deb; do
		quiet dpkg -x "$deb" "$dir/kernel"
	done
	# What the headers include by an absolute path stands here, too.
	sed -i "s|/usr/src/|$dir/kernel/usr/src/|" "$dir/kernel/usr/src/$headers/Makefile"
	rm -rf "$dir/debs"
	echo "$release" >"$dir/kernel/release"
	;;
*)
	echo "fetch.sh: source or kernel" >&2
	exit 2
	;;
esac

#!/usr/bin/env bash
# Makes the Debian package of what is built: make install into a folder, stripped, the libraries' packages asked of
# dpkg-shlibdeps, packed by dpkg-deb. The same commit and tools give the same bytes. `make deb` calls it.
set -eu
umask 022
cd "$(dirname "$0")/.."

version=$1
build=${BUILD:-build}
arch=$(dpkg --print-architecture)
out=$build/tandem_${version}_$arch.deb
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y README.md)
export SOURCE_DATE_EPOCH
who=${DEBFULLNAME:-Tandem developers}" <${DEBEMAIL:-tandem@localhost}>"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/root
docs=$root/usr/share/doc/tandem

make --no-print-directory -s B="$build" DESTDIR="$root" PREFIX=/usr install
strip --strip-unneeded --remove-section=.comment "$root"/usr/bin/tandem-{gen,dut,plot}
gzip -9n "$root"/usr/share/man/man1/*.1
cat >"$docs/copyright" <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Tandem

Files: *
Copyright: the Tandem developers
License: BSD-3-Clause
 See /usr/share/common-licenses/BSD.
END
gzip -9n >"$docs/changelog.gz" <<END
tandem ($version) unstable; urgency=medium

  * What README.md tells.

 -- $who  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END

# Libraries, by what the programs are linked with. Drivers are loaded by DPDK at run time, which no tool can see:
# those of the links are needed, the cards' are recommended. librte-eal23 tells the number of their series.
mkdir "$stage/debian"
printf 'Source: tandem\n\nPackage: tandem\nArchitecture: any\n' >"$stage/debian/control"
libraries=$(cd "$stage" && dpkg-shlibdeps -O root/usr/bin/tandem-{gen,dut,plot} 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
abi=$(sed -n 's/.*librte-eal\([0-9.]*\).*/\1/p' <<<"$libraries")
[ -n "$abi" ] || { echo "deb.sh: dpkg-shlibdeps names no package of EAL's library" >&2 && exit 1; }
drivers=
for driver in bus-pci bus-vdev mempool-ring net-vhost net-virtio net-memif net-af-packet net-af-xdp net-tap net-null; do
	case $libraries in
	*"librte-$driver$abi"*) ;;
	*) drivers="$drivers, librte-$driver$abi" ;;
	esac
done

mkdir "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: tandem
Version: $version
Architecture: $arch
Maintainer: $who
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $libraries$drivers, dpdk, iproute2
Recommends: librte-meta-net, kmod, openssh-client
Section: net
Priority: optional
Description: traffic generator and device under test on DPDK
 Two servers back to back: one generates traffic, the other forwards it. Throughput,
 loss and round-trip latency of a data path for frames of 64 to 1518 bytes, without a
 hardware generator. Both ends also run on one machine. tandem-run is the whole
 benchmark in one command, tandem-gen doctor says what a machine is fit for.
END
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0r touch -h -d "@$SOURCE_DATE_EPOCH"
dpkg-deb --root-owner-group -Zxz --build "$root" "$out" >/dev/null
echo "$out"

#!/usr/bin/env bash
# Prepares this host for DPDK and puts it back: hugepages on each NUMA node, modules, network cards bound to a driver that
# DPDK takes them from. `make host` and `make host-undo` call it.
#
# What is changed is noted before it is done, so that it can be undone also after a run that was broken off; a second run
# changes only what is still to be changed. Cards that this host is reached by are never touched.
set -u
me=${0##*/}
sys=${TANDEM_SYSFS:-/sys} # tests have trees of their own
state=${TANDEM_STATE:-/run/tandem-host.state}
pages=512
driver=vfio-pci
undo=no
cards=()

usage() {
	cat <<EOF
Usage: $me [options] [PCI-ADDRESS...]
   or: $me --undo
Prepares this host: hugepages on each NUMA node, the modules of the kernel path and of the driver, and the given network cards
bound to it. Refuses a card that carries the default route or an SSH session, also below a bond, bridge or VLAN. What was
changed is printed, noted in $state, and put back by --undo.

  --driver NAME     vfio-pci, igb_uio or uio_pci_generic (default vfio-pci)
  --hugepages N     pages of 2 MB on each node that has cores (default 512)
  --undo            put back what earlier runs changed
Example: $me --driver igb_uio 0000:02:00.0 0000:02:00.1
EOF
}

die() {
	echo "$me: $1" >&2
	exit "${2:-1}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--help | -h)
		usage
		exit 0
		;;
	--undo) undo=yes ;;
	--driver | --hugepages)
		[ $# -ge 2 ] || die "$1 needs a value" 2
		case $1 in
		--driver) driver=$2 ;;
		--hugepages) pages=$2 ;;
		esac
		shift
		;;
	-*) die "unknown option $1; --help lists them" 2 ;;
	*) cards+=("$1") ;;
	esac
	shift
done
case $driver in vfio-pci | igb_uio | uio_pci_generic) ;; *) die "--driver $driver: vfio-pci, igb_uio or uio_pci_generic" 2 ;; esac
[[ $pages =~ ^[0-9]{1,7}$ ]] || die "--hugepages $pages: no number of pages" 2
for card in ${cards[@]+"${cards[@]}"}; do
	[[ $card =~ ^[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]$ ]] || die "'$card' is no PCI address such as 0000:02:00.0" 2
	[ -e "$sys/bus/pci/devices/$card" ] || die "there is no PCI device $card; lspci -D lists them" 2
done
[ "$(id -u)" -eq 0 ] || die "run as root" 2

driver_of() { basename "$(readlink "$sys/bus/pci/devices/$1/driver" 2>/dev/null)" 2>/dev/null; }

# note KIND NAME OLD: what there was before the first change counts.
note() {
	grep -qs "^$1 $2 " "$state" || echo "$1 $2 $3" >>"$state" || die "cannot note changes in $state"
}

# Addresses at which SSH sessions end here. sudo drops SSH_CONNECTION, so the sessions themselves are looked at, too.
ssh_addresses() {
	{
		awk '{print $3}' <<<"${SSH_CONNECTION:-}"
		ss -Htn state established '( sport = :ssh )' 2>/dev/null | awk '{print $3}' |
			sed 's/:[0-9]*$//; s/^\[//; s/\]$//; s/^::ffff://'
	} | sed 's/%.*//; /^$/d' | sort -u
}

# The interfaces of a card; a virtio card has them one folder down.
interfaces_of() {
	local dir
	for dir in "$sys/bus/pci/devices/$1"/net/* "$sys/bus/pci/devices/$1"/virtio*/net/*; do
		[ ! -e "$dir" ] || echo "${dir##*/}"
	done
}

# Interfaces that this host is reached by: of default routes and of SSH sessions, and all that these stand on.
lifelines() {
	local address lower name
	local -a found
	mapfile -t found < <({
		ip -o route show default
		ip -6 -o route show default
	} 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
	for address in $(ssh_addresses); do
		mapfile -t -O "${#found[@]}" found < <(ip -o addr show to "$address" 2>/dev/null | awk '{print $2}')
	done
	while [ ${#found[@]} -gt 0 ]; do
		name=${found[0]%%@*}
		found=("${found[@]:1}")
		echo "$name"
		for lower in "$sys/class/net/$name"/lower_*; do
			[ -e "$lower" ] || [ -L "$lower" ] || continue
			found+=("${lower##*/lower_}")
		done
	done | sort -u
}

check_cards() {
	local card name protected
	protected=$(lifelines)
	for card in ${cards[@]+"${cards[@]}"}; do
		for name in $(interfaces_of "$card"); do
			! grep -qx -- "$name" <<<"$protected" ||
				die "$card is $name, by which this host is reached (default route or SSH): it is left alone" 2
		done
	done
}

reserve_pages() {
	local node file old got nodes=()
	for node in "$sys"/devices/system/node/node[0-9]*; do
		[ ! -s "$node/cpulist" ] || [ -z "$(tr -d '[:space:]' <"$node/cpulist")" ] || nodes+=("$node")
	done
	[ ${#nodes[@]} -gt 0 ] || nodes=("$sys/kernel/mm")
	for node in "${nodes[@]}"; do
		file=$node/hugepages/hugepages-2048kB/nr_hugepages
		[ -e "$file" ] || die "this kernel has no hugepages of 2 MB ($file)"
		old=$(cat "$file")
		[ "$old" -lt "$pages" ] || continue
		note hugepages "$file" "$old"
		echo "$pages" >"$file" || die "cannot write $file"
		got=$(cat "$file")
		echo "hugepages of 2 MB on ${node##*/}: $old, now $got"
		[ "$got" -ge "$pages" ] || echo "$me: only $got of $pages pages could be had on ${node##*/}; memory is in pieces: try after a reboot" >&2
	done
}

# load MODULE: notes it where it was not there before. Fails where it cannot be had.
load() {
	local folder=$sys/module/${1//-/_}
	[ ! -d "$folder" ] || return 0
	modprobe -q "$1" 2>/dev/null || return 1
	[ -d "$folder" ] || return 0 # built in
	note module "$1" -
	echo "module $1: loaded"
}

load_modules() {
	local module
	for module in tun vhost-net; do
		load $module || echo "$me: module $module is not to be had: its kernel path goes without" >&2
	done
	[ ${#cards[@]} -gt 0 ] || return 0
	[ "$driver" = vfio-pci ] || load uio || die "module uio is not to be had"
	load "$driver" || die "module $driver is not to be had; igb_uio comes with Debian's dpdk-kmods-dkms"
}

bind_cards() {
	local card old
	for card in ${cards[@]+"${cards[@]}"}; do
		old=$(driver_of "$card")
		[ "$old" != "$driver" ] || continue
		note bind "$card" "${old:--}"
		dpdk-devbind.py -b "$driver" "$card" || die "$card could not be bound to $driver"
		echo "card $card: ${old:-no driver}, now $driver"
	done
}

put_back() {
	local kind name old failed=0
	[ -s "$state" ] || {
		echo "nothing to put back"
		return 0
	}
	while read -r kind name old; do
		case $kind in
		hugepages) echo "$old" >"$name" ;;
		module) modprobe -r "$name" 2>/dev/null || echo "$me: module $name is in use and stays" >&2 ;;
		bind) if [ "$old" = - ]; then dpdk-devbind.py -u "$name"; else dpdk-devbind.py -b "$old" "$name"; fi ;;
		esac && echo "put back: $kind $name${old:+ $old}" || failed=1
	done < <(tac "$state")
	[ $failed = 0 ] || die "not all could be put back; what is left is noted in $state"
	rm -f "$state"
}

if [ $undo = yes ]; then
	put_back
	exit
fi
check_cards
reserve_pages
load_modules
bind_cards
if [ -s "$state" ]; then
	echo "noted in $state: '$me --undo' puts it back"
else
	echo "nothing was to be changed"
fi

#!/usr/bin/env bash
# Hugepages for a run: sourced. hugepages_reserve N wants N free 2 MB pages and says in HUGE whether there are;
# hugepages_release puts the number back that was there before.
#
# EAL runs with --in-memory, so neither a mount of hugetlbfs nor files in one are needed.

HUGE=no
huge_before=

hugepages_free() {
	awk '/^HugePages_Free:/ {free = $2} /^Hugepagesize:/ {size = $2} END {print int(free * size / 2048)}' /proc/meminfo
}

hugepages_reserve() {
	local want=$1 free total
	free=$(hugepages_free)
	if [ "$free" -lt "$want" ] && [ -w /proc/sys/vm/nr_hugepages ]; then
		total=$(cat /proc/sys/vm/nr_hugepages)
		huge_before=$total
		echo $((total + want - free)) 2>/dev/null >/proc/sys/vm/nr_hugepages || true
		free=$(hugepages_free)
	fi
	if [ "$free" -ge "$want" ]; then
		HUGE=yes
		return
	fi
	HUGE=no
	hugepages_release
}

hugepages_release() {
	[ -z "$huge_before" ] || echo "$huge_before" 2>/dev/null >/proc/sys/vm/nr_hugepages || true
	huge_before=
}

#!/usr/bin/env bash
# Hugepages for a run: sourced. hugepages_reserve N wants N free 2 MB pages and says in HUGE whether there are;
# hugepages_release puts the number back that was there before.
#
# EAL runs with --in-memory, so neither a mount of hugetlbfs nor files in one are needed.

HUGE=no
huge_before=

pages_2mb=/sys/kernel/mm/hugepages/hugepages-2048kB

# Free hugepages of all sizes, in units of 2 MB.
hugepages_free() {
	local dir size sum=0
	for dir in /sys/kernel/mm/hugepages/hugepages-*kB; do
		[ -d "$dir" ] || continue
		size=${dir##*-}
		sum=$((sum + $(cat "$dir/free_hugepages") * ${size%kB} / 2048))
	done
	echo $sum
}

hugepages_reserve() {
	local want=$1 free
	free=$(hugepages_free)
	if [ "$free" -lt "$want" ] && [ -w $pages_2mb/nr_hugepages ]; then
		huge_before=$(cat $pages_2mb/nr_hugepages)
		echo $((huge_before + want - free)) 2>/dev/null >$pages_2mb/nr_hugepages || true
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
	[ -z "$huge_before" ] || echo "$huge_before" 2>/dev/null >$pages_2mb/nr_hugepages || true
	huge_before=
}

#!/bin/bash
# The doctor says of this machine what is true: each row beside what the shell reads by itself. Nothing is changed.
. "$(dirname "$0")/lib.sh"

doctor() { # NAME PROGRAM OPTIONS...: its JSON in $T/NAME.out, exit status in $status
	local name=$1 program=$2

	shift 2
	timeout 20 "$program" doctor --json "$@" >"$T/$name.out" 2>"$T/$name.err" </dev/null
	status=$?
}

row() { jq -r --arg row "$2" '.checks[] | select(.check == $row) | .'"$3" "$T/$1.out"; }

# says NAME ROW STATE TEXT: the row's state, and a text in what was found.
says() {
	local found

	if [ "$(row "$1" "$2" state)" = "$3" ] && found=$(row "$1" "$2" found) && [[ $found == *"$4"* ]]; then
		ok "$1: $2 is $3"
	else
		fail "$1: $2 is $3" "it is $(row "$1" "$2" state): '$(row "$1" "$2" found)', expected '$4'"
	fi
}

# has COMMAND...: the state of what the asked role cannot do without.
has() { if "$@" >/dev/null 2>&1; then echo ok; else echo fail; fi; }

doctor dut "$DUT" --kernel-path tap
check_json "what is said is whole" "$T/dut.out" '.schema == "tandem.doctor/1" and .role == "dut" and .kernel_path == "tap"
	and (.checks | length) >= 20 and (.fit == ([.checks[] | select(.state == "fail")] == []))
	and all(.checks[]; (.state == "warn" or .state == "fail") == (.remedy != null))'
check_equal "the exit status is what the record says" "$status" "$(jq 'if .fit then 0 else 1 end' "$T/dut.out")"
says dut tun "$(has test -e /dev/net/tun)" /dev/net/tun
says dut cores "$([ ${#CPUS[@]} -ge 2 ] && echo ok || echo warn)" "${#CPUS[@]} to run on"
says dut "clock source" "$([ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" = tsc ] && echo ok || echo warn)" \
	"$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
says dut "virtual machine" "$(grep -q '^flags.* hypervisor' /proc/cpuinfo && echo warn || echo ok)" ""
says dut "DPDK" ok "DPDK $(pkg-config --modversion libdpdk)"
isolated=$(cat /sys/devices/system/cpu/isolated 2>/dev/null)
says dut "isolated cores" "$([ -n "$isolated" ] && echo ok || echo warn)" "${isolated:-none}"
on=$(cat /sys/devices/system/cpu/vulnerabilities/* 2>/dev/null | grep -c ^Mitigation)
all=$(cat /sys/devices/system/cpu/vulnerabilities/* 2>/dev/null | wc -l)
says dut mitigations "$([ "$on" -gt 0 ] && echo warn || echo ok)" "$on of $all on"
if [ -e /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor ]; then
	says dut governor "$(grep -Lq '^performance' /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor && echo warn || echo ok)" ""
else
	says dut governor ok "not in this kernel's hands"
fi
node=$(cat /sys/devices/system/node/node0/hugepages/hugepages-*/nr_hugepages 2>/dev/null | head -n 1)
if [ -n "$node" ]; then
	mb=0
	for pool in /sys/devices/system/node/node0/hugepages/hugepages-*kB; do
		kb=${pool##*-}
		mb=$((mb + $(cat "$pool/nr_hugepages") * ${kb%kB} / 1024))
	done
	check "dut: hugepages of node 0 are those of sysfs" "$(row dut 'hugepages node 0' found), not $mb MB" \
		grep -q "of $mb MB free" <<<"$(row dut 'hugepages node 0' found)"
else
	skip "dut: hugepages of node 0" "this kernel has no NUMA nodes"
fi

doctor gen "$GEN" --link af_xdp
xdp=$(grep -q '^XDP ' /proc/net/protocols && is_root && echo ok || echo fail)
says gen AF_XDP "$xdp" ""
check_equal "the exit status says whether the link can be had" "$status" "$([ "$xdp" = ok ] && [ "$(jq .fit "$T/gen.out")" = true ] && echo 0 || echo 1)"

doctor nic "$DUT" --link nic --kernel-path kni
cards=$(cat /sys/bus/pci/devices/*/class 2>/dev/null | grep -c ^0x02)
says nic NICs "$(row nic NICs state)" "$cards, "
says nic rte_kni "$(has test -d /sys/module/rte_kni)" ""
says nic IOMMU "$([ -n "$(ls /sys/kernel/iommu_groups 2>/dev/null)" ] && echo ok || echo warn)" ""
default=$(ip -o route show default 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1)
card=$(readlink -f "/sys/class/net/$default/device" 2>/dev/null | grep -o '[0-9a-f]*:[0-9a-f]*:[0-9a-f]*\.[0-9a-f]' | tail -n 1)
if [ -n "$default" ] && [ -n "$card" ]; then
	says nic "NIC $card" none "$default"
	check "it is left alone for its default route" "$(row nic "NIC $card" found)" \
		grep -q 'carries the default route' <<<"$(row nic "NIC $card" found)"
else
	skip "nic: the card of the default route" "there is none"
fi

# Another DPDK program is seen while it runs.
use_link vhost
start_dut
doctor other "$GEN"
says other "other DPDK programs" warn "tandem-dut ($dut_pid)"
stop_dut

# Without rights and hugepages.
if is_root; then
	timeout 20 setpriv --reuid 12345 --regid 12345 --clear-groups "$DUT" doctor --json --kernel-path af_packet \
		>"$T/nobody.out" 2>"$T/nobody.err"
	check_equal "without rights it exits 1" "$?" 1
	says nobody rights fail CAP_SYS_ADMIN
	says nobody AF_PACKET fail CAP_NET_RAW
else
	skip "without rights it exits 1" "only root can give rights up"
fi

"$DUT" doctor >"$T/table" 2>&1
check "the table is for people" "$(head -n 3 "$T/table")" grep -Eq '^(OK|WARN)    ?tun  +/dev/net/tun|^WARN  tun' "$T/table"
check "the links it is fit for are named" "$(tail -n 3 "$T/table")" grep -q '^fit for vhost-user and memif' "$T/table"

for words in "--link wire" "--kernel-path x" "now"; do
	# shellcheck disable=SC2086
	"$DUT" doctor $words >"$T/bad.out" 2>"$T/bad"
	check_equal "doctor $words: usage" "$?" 2
	check_line "doctor $words: one line" "$T/bad"
done

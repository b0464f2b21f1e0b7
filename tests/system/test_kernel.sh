# The kernel path: frames go up into a kernel of the DUT's own namespace, are routed there (TTL, MACs
# change), come back and are recognised; and nothing of it is left afterwards, however the DUT ended.
. "$(dirname "$0")/lib.sh"

if ! is_root || ! ip netns add "$PREFIX-can" 2>/dev/null; then
	skip "kernel path" "network namespaces cannot be made here (root is needed)"
	exit 0
fi
ip netns del "$PREFIX-can"

SIZES=64,128,256,512,1024,1280,1518

# A frame may fall to the kernel's queues, but then somebody counted it.
TOLD='.rx.lost == 0 or (.dut != null
	and .rx.lost <= .dut.kernel_dropped + .dut.tx_dropped + .dut.rx_missed)'

own_netns() { echo "tandem-$dut_pid"; }
netns_there() { ip netns list | grep -qw -- "$1"; }

check_nothing_left() { # NAME NETNS
	check "$1: no namespace left" "$2 is still there" sh -c "! ip netns list | grep -qw -- '$2'"
	check "$1: no interface left" "$(ip -br link | grep -w 'td[0-9]*[kd]')" \
		sh -c "! ip -br link | grep -qw 'td[0-9]*[kd]'"
	check "$1: no state file left" "/run/tandem/$2.json is still there" \
		test ! -e "/run/tandem/$2.json"
}

# start_kernel DRIVER OPTIONS...: fails with a skip where the machine lacks the driver.
start_kernel() {
	local driver=$1

	shift
	start_dut --forward-mode=kernel --kernel-path="$driver" --on-full wait "$@"
	is_gone "$dut_pid" || return 0
	if grep -Eq 'needs a kernel with AF_XDP|load the module tun' "$T/dut.err"; then
		skip "$LINK $driver" "$(tail -n 1 "$T/dut.err")"
	else
		fail "$LINK $driver: the DUT starts" "$(tail -n 2 "$T/dut.err" | tr '\n' ' ')"
	fi
	return 1
}

through_kernel() { # DRIVER SIGNAL
	local name="$LINK $1" netns n

	use_link "$LINK"
	start_kernel "$1" || return
	netns=$(own_netns)
	check "$name: the namespace is made" "no $netns" netns_there "$netns"
	gen sizes sweep --sizes "$SIZES" --rate 5kpps --frames 2000 --warmup 0 --drain 500ms --verify \
		--json --dut-telemetry "$(dut_telemetry)"
	check_equal "$name: every size runs" "$status $(wc -l <"$T/sizes.out")" "0 7"
	check_json "$name: what came back is right and in order" "$T/sizes.out" \
		".tx.offered == 2000 and .rx.received > 0 and .rx.duplicate == 0 and .rx.corrupt == 0
		and .rx.reordered == 0 and .verdict != \"invalid\" and $ACCOUNTS"
	check_json "$name: what did not was counted by the DUT" "$T/sizes.out" "$TOLD"
	check_json "$name: the record names the path" "$T/sizes.out" \
		'.path == "kernel" and (.dut.config.kernel_path | IN("af_xdp", "af_packet", "tap"))'
	check_json "$name: what the frames cost the DUT" "$T/sizes.out" \
		'.dut.cycles_per_frame > 0 and .dut.system_share >= 0 and .dut.system_share <= 1
		and .dut.softirq_share >= 0 and .dut.kernel_threads_share == 0'
	if [ "$1" != auto ]; then
		check_json "$name: ... and the driver" "$T/sizes.out" \
			".dut.config.kernel_path == \"$1\""
	fi
	n=$(ip netns exec "$netns" cat /proc/net/snmp | awk '/^Ip: [0-9]/ {print $7}')
	check "$name: the kernel routed the frames" "ForwDatagrams is $n" test "${n:-0}" -ge 1000
	stop_dut "$2"
	check_equal "$name: SIG$2 ends the DUT with status 0" "$dut_status" 0
	check_nothing_left "$name, SIG$2" "$netns"
}

# What a router changes, and what it must not let pass.
rewritten() {
	use_link vhost
	start_kernel af_packet || return
	gen tos run --size 128 --rate 5kpps --frames 1000 --tos 184 --ttl 2 --flows 50 --warmup 0 --drain 500ms \
		--json --dut-telemetry "$(dut_telemetry)"
	check_json "TOS 184, TTL 2, 50 flows: recognised" "$T/tos.out" \
		".rx.received > 0 and .verdict != \"invalid\" and ($TOLD)"
	gen ttl run --size 128 --rate 5kpps --frames 1000 --ttl 1 --json
	check_equal "TTL 1 does not pass a router: status" "$status" 1
	check_line "TTL 1 does not pass a router: one line" "$T/ttl.err"
	gen gateway run --rate 5kpps --frames 1000 --gateway 198.18.0.1 --warmup 0 --drain 500ms --json \
		--dut-telemetry "$(dut_telemetry)"
	check_json "the gateway that was named answers ARP" "$T/gateway.out" ".rx.received > 0 and ($TOLD)"
	gen nobody run --rate 5kpps --frames 1000 --gateway 198.18.0.77 --json
	check_equal "a gateway that does not answer: status" "$status" 1
	check "a gateway that does not answer is named" "$(cat "$T/nobody.err")" \
		grep -q '198.18.0.77' "$T/nobody.err"
	stop_dut
}

# Killed without a chance to clean up: the next start does.
killed() {
	local driver netns

	for driver in af_packet tap; do
		use_link vhost
		start_kernel $driver || continue
		netns=$(own_netns)
		check "$driver, kill -9: the namespace stays" "no $netns" netns_there "$netns"
		stop_dut KILL
		use_link vhost
		start_kernel $driver || continue
		check_nothing_left "$driver, kill -9, after the next start" "$netns"
		gen again run --rate 5kpps --frames 1000 --warmup 0 --drain 500ms --json
		check_json "$driver, kill -9: the next DUT works" "$T/again.out" '.rx.received > 0'
		netns=$(own_netns)
		stop_dut
		check_nothing_left "$driver, after it" "$netns"
	done
}

# A namespace of the user's is used and kept, and is empty again.
kept_netns() {
	local netns=$PREFIX-kept

	ip netns add "$netns"
	MADE_NETNS+=("$netns")
	use_link vhost
	start_kernel af_packet --kernel-netns "$netns" || return
	gen kept run --rate 5kpps --frames 1000 --warmup 0 --drain 500ms --json
	check_json "a given namespace: frames come back" "$T/kept.out" '.rx.received > 0'
	stop_dut
	check "a given namespace is kept" "it is gone" netns_there "$netns"
	check_equal "a given namespace is empty again" \
		"$(ip -n "$netns" -br link | grep -c 'td[0-9]')" 0
	check "a given namespace: no state file left" "it is there" test ! -e "/run/tandem/$netns.json"
}

LINK=vhost
through_kernel af_packet INT
through_kernel af_xdp TERM
through_kernel tap INT
through_kernel auto TERM
check "auto says what it took" "$(head -c 300 "$T/dut.err")" grep -Eq 'af_xdp|af_packet|tap' "$T/dut.err"
LINK=memif
through_kernel af_packet INT
rewritten
killed
kept_netns
check "nothing in the host's own namespace" "$(ip -br link)" sh -c '! ip -br link | grep -q "^td[0-9]"'

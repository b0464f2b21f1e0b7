# Changes made in the kernel, with ip, to the interface behind a kernel port: seen within a second,
# told on stderr, by telemetry and in the record; the wire port takes over an MTU where its driver
# can. And what the kernel lacks is named at the start.
. "$(dirname "$0")/lib.sh"

# missing NAME STATUS TEXT PREFIX... -- EAL OPTIONS -- OPTIONS: one line that has the text.
missing() {
	local name=$1 want=$2 text=$3 before=()

	shift 3
	while [ "$1" != -- ]; do
		before+=("$1")
		shift
	done
	shift
	# shellcheck disable=SC2046
	timeout 30 "${before[@]}" "$DUT" $(dut_eal) "$@" >"$T/missing.out" 2>"$T/missing.err" </dev/null
	check_equal "$name: status" "$?" "$want"
	check_line "$name: one line" "$T/missing.err"
	check "$name: named" "$(cat "$T/missing.err")" grep -q -- "$text" "$T/missing.err"
}

missing "no such interface" 2 "no interface tandem-none\|CAP_NET_RAW" -- --vdev net_af_packet0,iface=tandem-none --
if ! [ -e /dev/vhost-net ]; then
	missing "no vhost-net" 2 "modprobe vhost-net" -- --vdev net_virtio_user0,path=/dev/vhost-net,iface=x --
	if is_root; then
		missing "no vhost-net for the kernel path" 1 "modprobe vhost-net" -- \
			--vdev "net_vhost0,iface=$T/missing.sock" -- --forward-mode=kernel --kernel-path=virtio-user
	fi
fi
if is_root && command -v setpriv >/dev/null; then
	for vdev in net_af_xdp0,iface=lo net_tap0; do
		missing "${vdev%%,*} without CAP_NET_ADMIN" 2 "CAP_NET_ADMIN\|needs a kernel with AF_XDP\|load the module tun" \
			setpriv --bounding-set -net_admin --inh-caps -net_admin -- --vdev "$vdev" --
	done
fi

if ! is_root || ! ip netns add "$PREFIX-home" 2>/dev/null; then
	skip "events of the kernel" "network namespaces cannot be made here (root is needed)"
	exit 0
fi
MADE_NETNS+=("$PREFIX-home")

kernel_says() {
	python3 - "$(dut_telemetry)" <<'PY' 2>/dev/null || echo '{"none":{}}'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(5)
s.connect(sys.argv[1])
s.recv(1024)
s.send(b"/tandem/dut/kernel")
print(s.recv(16384).decode())
PY
}
says() { kernel_says | jq -e ".[] | $1"; }

# seen NAME FILTER LINE: by telemetry and on stderr, a second after the change at most.
seen() {
	check "$1: telemetry" "$(kernel_says)" within 1 says "$2"
	check "$1: told" "$(tail -n 3 "$T/dut.err")" grep -q -- "$3" "$T/dut.err"
}

# A driver with a wire that has no MTU to set (vhost-user).
changes() {
	local driver=$1 netns

	use_link vhost
	start_dut --forward-mode=kernel --kernel-path="$driver" --on-full wait --stats "$T/dut.json"
	if is_gone "$dut_pid"; then
		skip "$driver" "$(tail -n 1 "$T/dut.err")"
		return
	fi
	netns=tandem-$dut_pid
	check "$driver, at the start: telemetry" "$(kernel_says)" within 3 says \
		'.link0_interface == "td0k" and .link0_up == 1 and .link0_mtu == 1500 and .changes == 0'
	gen before run --rate 5kpps --frames 500 --json "${WAIT[@]}"
	check_json "$driver, before: exact" "$T/before.out" "$EXACT"
	ip -n "$netns" link set td0k mtu 1400
	seen "$driver, MTU 1400" '.link0_mtu == 1400 and .link0_wire_mtu == 0' 'td0k has MTU 1400'
	ip -n "$netns" link set td0k mtu 1300
	seen "$driver, MTU 1300" '.link0_mtu == 1300' 'td0k has MTU 1300'
	check_equal "$driver: one warning that the wire does not follow" \
		"$(grep -c 'net_vhost0 keeps its MTU.*driver cannot' "$T/dut.err")" 1
	ip -n "$netns" link set td0k down
	seen "$driver, down" '.link0_up == 0' 'td0k is down'
	ip -n "$netns" link set td0k up
	seen "$driver, up" '.link0_up == 1' 'td0k is up'
	gen after run --rate 5kpps --frames 500 --json "${WAIT[@]}"
	check_json "$driver, after: exact" "$T/after.out" "$EXACT"
	stop_dut
	check_equal "$driver: the DUT ends cleanly" "$dut_status" 0
	check_json "$driver: the record" "$T/dut.json" \
		'(.kernel.links == [{interface: "td0k", up: true, mtu: 1300, wire_mtu: null}])
		and ([.kernel.events[] | [.event, .mtu]] == [["mtu", 1400], ["mtu", 1300], ["down", 1300], ["up", 1300]])
		and all(.kernel.events[]; .interface == "td0k" and .seconds > 0)'
}

# While the kernel's side is down, frames are dropped and counted, and nobody waits for it for ever.
down_under_traffic() {
	use_link vhost
	start_dut --forward-mode=split --split stream=1 --kernel-path=af_packet --on-full wait --stats "$T/dut.json"
	is_gone "$dut_pid" && return
	gen before run --rate 5kpps --frames 500 --json "${WAIT[@]}"
	ip -n "tandem-$dut_pid" link set td0k down
	seen "down in split mode" '.link0_up == 0' 'td0k is down'
	gen down run --rate 5kpps --frames 2000 --streams 2 --gateway none --json "${WAIT[@]}"
	check_equal "down in split mode: the io stream is whole, the kernel's is lost" \
		"$(jq -c 'select(.stream == "0" or .stream == "1") | [.tx.sent == .rx.received, .rx.received > 0]' \
			"$T/down.out" | tr '\n' ' ')" "[true,true] [false,false] "
	stop_dut
	check_json "down in split mode: the lost ones are counted" "$T/dut.json" \
		'.paths.kernel.dropped >= 1000 and .paths.io.dropped == 0'
}

# A wire port that can: af_packet, whose MTU is that of its interface.
wire_follows() {
	local home=$PREFIX-home

	ip -n "$home" link add w0 type veth peer name w1
	ip -n "$home" link set w0 up
	ip -n "$home" link set w1 up
	# shellcheck disable=SC2046
	nsenter --net="/run/netns/$home" "$DUT" $(dut_eal) --vdev net_af_packet0,iface=w0 -- --duration 60 \
		--forward-mode=kernel --kernel-path="$1" --stats "$T/dut.json" \
		>"$T/dut.out" 2>"$T/dut.err" </dev/null &
	dut_pid=$!
	STARTED+=("$dut_pid")
	within 30 says '.link0_mtu == 1500'
	if is_gone "$dut_pid"; then
		skip "the wire follows $1" "$(tail -n 1 "$T/dut.err")"
	else
		ip -n "tandem-$dut_pid" link set td0k mtu 1400
		seen "the wire follows $1" '.link0_wire_mtu == 1400' 'net_af_packet0: MTU 1400'
		check_equal "the wire follows $1: its interface" \
			"$(ip -n "$home" -o link show w0 | grep -o 'mtu [0-9]*')" "mtu 1400"
		ip -n "tandem-$dut_pid" link set td0k mtu 9000
		seen "the wire's mbufs are too small for 9000" '.link0_mtu == 9000' 'keeps its MTU.*--max-frame'
		stop_dut
		check_json "the wire follows $1: the record" "$T/dut.json" \
			'.kernel.links[0] | .mtu == 9000 and .wire_mtu == 1400'
	fi
	ip -n "$home" link del w0
}

# Kernel ports that the user gave: their interfaces are watched where the DUT runs.
given_port() {
	local home=$PREFIX-home

	ip -n "$home" link add k0 type veth peer name k1
	ip -n "$home" link set k0 up
	ip -n "$home" link set k1 up
	# shellcheck disable=SC2046
	nsenter --net="/run/netns/$home" "$DUT" $(dut_eal) --vdev "net_vhost0,iface=$T/given.sock" \
		--vdev net_af_packet0,iface=k0 -- --duration 60 --forward-mode=kernel --stats "$T/dut.json" \
		>"$T/dut.out" 2>"$T/dut.err" </dev/null &
	dut_pid=$!
	STARTED+=("$dut_pid")
	check "a given port: telemetry" "$(tail -n 1 "$T/dut.err")" within 30 says \
		'.link0_interface == "k0" and .link0_up == 1 and .link0_mtu == 1500'
	ip -n "$home" link set k1 down # what lies behind it
	seen "a given port, down" '.link0_up == 0' 'k0 is down'
	ip -n "$home" link set k1 up
	ip -n "$home" link set k0 mtu 1450
	seen "a given port, MTU" '.link0_up == 1 and .link0_mtu == 1450' 'k0 has MTU 1450'
	stop_dut
	check_json "a given port: the record" "$T/dut.json" \
		'.kernel.path == null and .kernel.dropped == null and ([.kernel.events[].event] == ["down", "up", "mtu"])'
	ip -n "$home" link del k0
}

changes af_packet
changes af_xdp
changes tap
down_under_traffic
wire_follows af_packet
wire_follows tap
given_port
check_no_traces "nothing is left"

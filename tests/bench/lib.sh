#!/usr/bin/env bash
# What the benchmarks share: running a program on a side, medians, rows. Sourced by run.sh.

build=${BUILD:-build}
rounds=${ROUNDS:-5}
seconds=${SECONDS_A_RUN:-1}
fifth=$(awk -v s="$seconds" 'BEGIN {print s / 5}')
tmp=$(mktemp -d)
netns=tandem-bench-$$
gen_core=0
dut_core=$(($(nproc) > 1 ? 1 : 0))
background=

end_background() {
	[ -n "$background" ] || return 0
	end_program "$background"
	background=
	rm -f "$tmp"/*.sock
}

clean_up() {
	end_background
	remove_router
	hugepages_release
	rm -rf "$tmp" /var/run/dpdk/bench-$$-*
}

# Sender alone on net_null, frames a second. BURST
ours_send() {
	"$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen --vdev net_null0 -- run --tx-only \
		--duration "$seconds" --warmup 200ms --burst "$1" --json -q 2>/dev/null | jq '.tx.pps // empty'
}

# The same of a capture of a million 64-byte frames, from memory.
ours_replay() {
	[ -f "$tmp/million.pcap" ] || python3 tests/system/captures.py make "$tmp/million.pcap" 1000000 uniform
	"$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen --vdev net_null0 -- replay "$tmp/million.pcap" \
		--rate max --loop 0 --tx-only --duration "$seconds" --json -q 2>/dev/null | jq '.tx.pps // empty'
}

# The same of testpmd, the mean of its seconds (the first line, at its start, is 0). Its main lcore sleeps on the other core.
peer_send() {
	timeout -s INT $((seconds + 4)) dpdk-testpmd -l $gen_core,$dut_core --main-lcore $dut_core "${eal_testpmd[@]}" \
		--file-prefix bench-$$-peer --no-pci --vdev net_null0 -- --forward-mode=txonly --burst="$1" --stats-period 1 \
		--no-mlockall </dev/null 2>/dev/null | awk '/Tx-pps:/ && $2 {sum += $2; n++} END {if (n) print sum / n}'
}

# Every frame stamped, sent, received and checked through a ring back to itself. FLOWS [STREAMS]
ours_ring() {
	"$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen --vdev net_ring0 -- run --rate max \
		--duration "$seconds" --warmup 200ms --drain 100ms --flows "$1" --streams "${2:-1}" --json -q 2>/dev/null |
		jq 'select(.stream == "all") | .rx.pps // empty'
}

# testpmd's flowgen on the same loop, which neither stamps nor checks.
peer_ring() {
	timeout -s INT $((seconds + 4)) dpdk-testpmd -l $gen_core,$dut_core --main-lcore $dut_core "${eal_testpmd[@]}" \
		--file-prefix bench-$$-peer --no-pci --vdev net_ring0 -- --forward-mode=flowgen --burst=32 --stats-period 1 \
		--no-mlockall </dev/null 2>/dev/null | awk '/Rx-pps:/ && $2 {sum += $2; n++} END {if (n) print sum / n}'
}

# Through testpmd io over a link: our generator, and a testpmd io that keeps 1,024 frames in flight, the best fifth of
# each. LINK
ours_through_testpmd() {
	start_dut peer "$1"
	measure "$1" 64
	end_background
}

peer_through_testpmd() {
	local link=()
	start_dut peer "$1"
	wait_for_socket
	case $1 in
	vhost) link=(--single-file-segments --vdev
		"net_virtio_user0,path=$tmp/l.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0") ;;
	memif) link=(--vdev "net_memif0,role=client,socket=$tmp/l.sock,socket-abstract=no,rsize=14") ;;
	esac
	{
		sleep 1.5
		echo start tx_first 32
		sleep 0.5
		echo show port stats all
		for _ in 1 2 3 4 5; do
			sleep "$fifth"
			echo show port stats all
		done
		echo stop
		echo quit
	} | timeout $((seconds + 10)) dpdk-testpmd -l $gen_core,$dut_core --main-lcore $dut_core "${eal_testpmd[@]}" \
		--file-prefix bench-$$-peer --no-pci "${link[@]}" -- -i --forward-mode=io --burst=32 --rxd=1024 --txd=1024 \
		--no-mlockall 2>/dev/null | awk '/Rx-pps:/ && n++ && $2 > most {most = $2} END {print most}'
	end_background
}

# The typical round trip through either DUT, slowly and a frame at a time, in nanoseconds. WHO LINK
round_trip() {
	start_dut "$1" "$2"
	measure "$2" 64 --rate 10kpps --burst 1
	end_background
}

start() { # COMMAND...: in the background, ended by end_background
	"$@" >"$tmp/dut.log" 2>&1 </dev/null &
	background=$!
}

# The DUT is up; then a moment more, for a virtual machine's host moves a core that has just begun to spin, and who
# starts faster must not be measured meanwhile.
wait_for_socket() {
	local i
	for i in $(seq 100); do
		[ -S "$tmp/l.sock" ] && break
		sleep 0.05
	done
	sleep 2
}

# What comes back at max through whatever forwards behind a link: the best of five fifths of the time, for two cores of a
# virtual machine are near each other at one moment and far apart at the next, whoever runs on them. With OPTIONS, the clean
# p50 of such a trial. LINK SIZE
# [OPTIONS]
measure() {
	local link=() figure=.rx.pps options=(--rate max --repeat 5 --duration "$fifth")
	if [ $# -gt 2 ]; then
		options=("${@:3}" --duration "$seconds")
		figure=.latency_clean_ns.p50
	fi
	case $1 in
	vhost) link=(--single-file-segments --vdev
		"net_virtio_user0,path=$tmp/l.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0") ;;
	memif) link=(--vdev "net_memif0,role=client,socket=$tmp/l.sock,socket-abstract=no,rsize=14") ;;
	esac
	wait_for_socket
	"$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen "${link[@]}" -- run --size "$2" "${options[@]}" \
		--warmup 300ms --drain 200ms --json -q 2>"$tmp/gen.err" |
		jq -s "[.[] | select(.schema == \"tandem.trial/1\") | $figure | numbers] | max // empty"
	[ ! -s "$tmp/gen.err" ] || cat "$tmp/gen.err" "$tmp/dut.log" >&2
}

wire_vdev() { # LINK
	case $1 in
	vhost) echo "net_vhost0,iface=$tmp/l.sock" ;;
	memif) echo "net_memif0,role=server,socket=$tmp/l.sock,socket-abstract=no,rsize=14" ;;
	esac
}

# A DUT on one core: ours or testpmd in io mode, with a second port for the kernel path. WHO LINK [KERNEL_VDEV]
start_dut() {
	local who=$1 vdevs=(--vdev "$(wire_vdev "$2")") inside=() mode=io
	if [ $# -gt 2 ]; then
		vdevs+=(--vdev "$3")
		inside=(ip netns exec "$netns")
		mode=kernel
	fi
	case $who in
	ours)
		start "${inside[@]}" "$build/tandem-dut" -l $dut_core "${eal[@]}" --file-prefix bench-$$-dut "${vdevs[@]}" -- \
			--forward-mode=$mode --burst=32 --rxd=1024 --txd=1024
		;;
	peer)
		start "${inside[@]}" dpdk-testpmd -l $gen_core,$dut_core --main-lcore $gen_core "${eal_testpmd[@]}" --no-pci \
			--file-prefix bench-$$-dut "${vdevs[@]}" -- --forward-mode=io --burst=32 --rxd=1024 --txd=1024 \
			--stats-period 3600 --no-mlockall
		;;
	esac
}

# One figure of a DUT. WHO LINK SIZE [KERNEL_DRIVER]
through_dut() {
	local vdev
	if [ $# -gt 3 ]; then
		make_kernel_side "$4"
		case $4 in
		tap) vdev=net_tap0,iface=tdbk ;;
		*) vdev=net_$4"0,iface=tdbd" ;;
		esac
		start_dut "$1" "$2" "$vdev"
		finish_kernel_side "$4"
	else
		start_dut "$1" "$2"
	fi
	measure "$2" "$3"
	end_background
	[ $# -le 3 ] || ip netns del "$netns" 2>/dev/null
}

# A namespace whose kernel routes the generator's frames back, with a veth pair or, once the program made it, a tap.
make_kernel_side() { # DRIVER
	ip netns add "$netns"
	[ "$1" = tap ] || ip -n "$netns" link add tdbd type veth peer name tdbk
	ip netns exec "$netns" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 \
		net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
		net.ipv4.conf.all.send_redirects=0 net.ipv4.conf.default.send_redirects=0
	[ "$1" = tap ] || ip -n "$netns" link set tdbd up
}

finish_kernel_side() { # DRIVER
	for _ in $(seq 100); do
		ip -n "$netns" link show tdbk >/dev/null 2>&1 && [ -S "$tmp/l.sock" ] && break
		sleep 0.05
	done
	ip -n "$netns" addr add 198.18.0.1/24 dev tdbk
	ip -n "$netns" link set tdbk up
	ip -n "$netns" route add 198.19.0.0/24 via 198.18.0.2
	sleep 0.3
}

# The limit of any kernel path: the kernel alone routes from one veth pair to another, on the DUT's core as far as it
# can be told so (RPS), and our generator stands at both other ends. The better of the two drivers it can use there.
routed() {
	local driver best=0 pps
	for driver in af_xdp af_packet; do
		make_router
		pps=$(ip netns exec "$netns-g" "$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen \
			--vdev "net_${driver}0,iface=ga" --vdev "net_${driver}1,iface=gb" -- run --size 64 --rate max --repeat 5 \
			--duration "$fifth" --warmup 300ms --drain 200ms --json -q 2>"$tmp/gen.err" |
			jq -s '[.[] | select(.schema == "tandem.trial/1") | .rx.pps | numbers] | max // empty')
		best=$(awk -v a="${pps:-0}" -v b="$best" 'BEGIN {print (a > b ? a : b)}')
		remove_router
	done
	[ "$best" = 0 ] || echo "$best"
}

# Two veth pairs from a namespace for the generator into one that routes between them.
make_router() {
	local ns mask end
	mask=$(printf '%x' $((1 << dut_core)))
	for ns in "$netns" "$netns-g"; do
		ip netns add "$ns"
		ip netns exec "$ns" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	done
	ip netns exec "$netns" sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 \
		net.ipv4.conf.default.rp_filter=0
	for end in a b; do
		ip link add "r$end" netns "$netns" type veth peer name "g$end" netns "$netns-g"
		ip -n "$netns" link set "r$end" up
		ip -n "$netns-g" link set "g$end" up
		ip netns exec "$netns" sh -c "echo $mask >/sys/class/net/r$end/queues/rx-0/rps_cpus" 2>/dev/null
	done
	ip -n "$netns" addr add 198.18.0.1/24 dev ra
	ip -n "$netns" addr add 198.19.1.254/24 dev rb
	ip -n "$netns" neigh add 198.19.1.1 dev rb nud permanent \
		lladdr "$(ip netns exec "$netns-g" cat /sys/class/net/gb/address)"
}

remove_router() {
	ip netns del "$netns" 2>/dev/null
	ip netns del "$netns-g" 2>/dev/null
}

median() {
	sort -g | awk '{v[NR] = $1} END {if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; else print "nan"}'
}

# One row: interleaved rounds of two commands that print a figure each. NAME OURS PEER [UNIT SCALE]
row() {
	local name=$1 ours peer unit=${4:-Mpps} scale=${5:-1e6}
	: >"$tmp/ours" && : >"$tmp/peer" && : >"$tmp/ratio"
	for _ in $(seq "$rounds"); do
		ours=$($2)
		peer=$($3)
		[ -n "$ours" ] && [ -n "$peer" ] && [ "$peer" != 0 ] || {
			echo "bench $name: a run gave no figure" >&2
			failed=1
			continue
		}
		echo "$ours" >>"$tmp/ours"
		echo "$peer" >>"$tmp/peer"
		awk -v a="$ours" -v b="$peer" 'BEGIN {print a / b}' >>"$tmp/ratio"
	done
	printf 'bench %-22s ours %10.3f peer %10.3f ratio %6.3f unit %s\n' "$name" \
		"$(median <"$tmp/ours" | awk '{print $1 / '$scale'}')" "$(median <"$tmp/peer" | awk '{print $1 / '$scale'}')" \
		"$(median <"$tmp/ratio")" "$unit"
}

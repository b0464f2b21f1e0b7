# Two hosts: the DUT in one network namespace, the generator in another, joined by veth pairs as by
# cables. What both programs count is what the interfaces count, and what happens to the cable is
# named and survived.
. "$(dirname "$0")/lib.sh"

GEN_HOST=$PREFIX-g
DUT_HOST=$PREFIX-d

if ! is_root || ! ip netns add "$GEN_HOST" 2>/dev/null; then
	skip "two hosts" "needs root and network namespaces"
	exit 0
fi
MADE_NETNS+=("$GEN_HOST" "$DUT_HOST")
ip netns add "$DUT_HOST"

# The programs exec in their namespace, so that the pid the helpers know is the program's.
on_host() { # NAMESPACE PROGRAM
	local file=$T/on-$1

	printf '#!/bin/sh\nexec ip netns exec %s %s "$@"\n' "$1" "$(realpath "$2")" >"$file"
	chmod +x "$file"
	echo "$file"
}
GEN=$(on_host "$GEN_HOST" "$GEN")
DUT=$(on_host "$DUT_HOST" "$DUT")

# cables N [MTU]: N new veth pairs g0-d0, g1-d1, up, with nothing of the kernel's own on them.
cables() {
	local i end

	for ((i = 0; i < 2; i++)); do
		ip -n "$GEN_HOST" link del "g$i" 2>/dev/null
	done
	for ((i = 0; i < $1; i++)); do
		ip link add "g$i" netns "$GEN_HOST" type veth peer name "d$i" netns "$DUT_HOST"
		for end in "$GEN_HOST g$i" "$DUT_HOST d$i"; do
			set -- "$1" "${2:-}" $end
			[ -e /proc/sys/net/ipv6 ] && ip netns exec "$3" sysctl -qw "net.ipv6.conf.$4.disable_ipv6=1"
			[ -z "$2" ] || ip -n "$3" link set "$4" mtu "$2"
			ip -n "$3" link set "$4" up
		done
	done
}

# use_driver af_packet|af_xdp PORTS [FRAMECNT]: rings that hold what a stalled program misses.
use_driver() {
	local i more=

	[ "$1" = af_xdp ] || more=,blocksz=65536,framecnt=${3:-8192}
	DUT_LINK=()
	GEN_LINK=()
	for ((i = 0; i < $2; i++)); do
		DUT_LINK+=(--vdev "net_$1$i,iface=d$i$more")
		GEN_LINK+=(--vdev "net_$1$i,iface=g$i$more")
	done
}

# count HOST INTERFACE FIELD: of the interface's 64-bit counters, as rx.packets.
count() { ip -n "$1" -s -j link show "$2" | jq ".[0].stats64.$3"; }

# Frames that the interfaces of N cables dropped on arrival: no room in the ring of a program that
# stood still.
dropped() {
	local i n=0

	for ((i = 0; i < $1; i++)); do
		n=$((n + $(count "$GEN_HOST" "g$i" rx.dropped) + $(count "$DUT_HOST" "d$i" rx.dropped)))
	done
	echo $n
}

# cables_agree NAME PORTS: nothing gets lost between the counters of programs and interfaces.
cables_agree() {
	local i g d tx=0 rx=0 sent received

	for ((i = 0; i < $2; i++)); do
		g=$(count "$GEN_HOST" "g$i" tx.packets)
		d=$(count "$DUT_HOST" "d$i" rx.packets)
		check_equal "$1: cable $i: what left the generator's end came to the DUT's" \
			"$g $(count "$GEN_HOST" "g$i" tx.dropped)" "$d 0"
		check_equal "$1: cable $i: the DUT received what its interface did not drop" \
			"$(jq ".ports[$i].rx" "$T/dut.json")" "$((d - $(count "$DUT_HOST" "d$i" rx.dropped)))"
		check_equal "$1: cable $i: the DUT's interface sent what the DUT did" \
			"$(count "$DUT_HOST" "d$i" tx.packets)" "$(jq ".ports[$i].tx" "$T/dut.json")"
		check_equal "$1: cable $i: and it came to the generator's end" \
			"$(count "$GEN_HOST" "g$i" rx.packets)" "$(count "$DUT_HOST" "d$i" tx.packets)"
		tx=$((tx + g))
		rx=$((rx + $(count "$GEN_HOST" "g$i" rx.packets)))
	done
	sent=$(jq -s 'map(select(.tx and .rx)) | map(.tx.sent) | add' "$T/run.out")
	received=$(jq -s 'map(select(.tx and .rx)) | map(.rx.received) | add' "$T/run.out")
	check "$1: the generator's interfaces carried what it sent and received" "$tx >= $sent, $rx >= $received" \
		test "$tx" -ge "$sent" -a "$rx" -ge "$received"
}

# whole NAME FRAMES CABLES: all frames came back, or the interfaces dropped what is missing: the
# rings of af_xdp are short.
whole() {
	check_json "$1: all come back" "$T/run.out" "($ACCOUNTS) and .tx.offered == $2 and .rx.duplicate == 0
		and .rx.reordered == 0 and .rx.corrupt == 0 and .verdict != \"invalid\" and .rx.lost <= $(dropped "$3")"
}

exact() { # DRIVER
	cables 1
	use_driver "$1" 1
	start_dut --on-full wait --stats "$T/dut.json"
	gen run run --frames 5000 --rate 10kpps --size 512 --verify --json "${WAIT[@]}"
	stop_dut
	check_equal "$1: both end cleanly" "$status $dut_status" "0 0"
	whole "$1, one cable" 5000 1
	cables_agree "$1, one cable" 1
	cables 2
	use_driver "$1" 2
	start_dut --on-full wait --port-topology=paired --stats "$T/dut.json"
	gen all run --frames 4000 --rate 8kpps --bidirectional --verify --json "${WAIT[@]}"
	jq -c 'select(.schema == "tandem.trial/1")' "$T/all.out" >"$T/run.out"
	stop_dut
	whole "$1, two cables, both ways" 4000 2
	check_equal "$1, two cables: a record each way" "$(jq -r .direction "$T/run.out" | tr '\n' ' ')" "0>1 1>0 "
	cables_agree "$1, two cables" 2
}

# A generator's port that checks checksums in the place of --verify: net_tap does. The frames it sends take a
# bridge to the cable and come back with a bit of the payload changed, as the DUT counts.
damaged() {
	cables 1
	if ! ip -n "$GEN_HOST" tuntap add tg mode tap multi_queue 2>/dev/null ||
		! ip -n "$GEN_HOST" link add bridge type bridge 2>/dev/null; then
		skip "a port that checks checksums" "no tap or no bridge here"
		return
	fi
	for end in g0 tg; do
		ip -n "$GEN_HOST" link set "$end" master bridge up
		bridge -n "$GEN_HOST" link set dev "$end" learning off
	done
	ip -n "$GEN_HOST" link set bridge up
	use_driver af_packet 1
	GEN_LINK=(--vdev net_tap0,iface=tg)
	start_dut --forward-mode=impair --impair corrupt=0.1 --seed 7 --on-full wait --stats "$T/dut.json"
	gen run run --frames 3000 --rate 3kpps --size 256 --out "$T/damaged" --json "${WAIT[@]}"
	stop_dut
	check_json "a port that checks checksums: its record" "$T/damaged/run.json" '.ports[0].checks_sums == true'
	check_json "a port that checks checksums: all come back" "$T/run.out" \
		'.tx.sent > 100 and .rx.received == .tx.sent and .verdict != "invalid"'
	check_equal "a port that checks checksums: what is damaged, without --verify" "$(jq .rx.corrupt "$T/run.out")" \
		"$(jq --argjson trial "$(jq .stamp_trial "$T/run.out")" \
			'.impairment.trials[] | select(.trial == $trial) | .corrupted' "$T/dut.json")"
	ip -n "$GEN_HOST" link del bridge
	ip -n "$GEN_HOST" link del tg
}

# A DUT that stands still for 50 ms behind a ring for 32 frames: the kernel drops the rest, which is
# put down to that stall.
stalled() {
	cables 1
	use_driver af_packet 1
	DUT_LINK=(--vdev "net_af_packet0,iface=d0,blocksz=4096,framesz=2048,framecnt=32")
	start_dut --stall-threshold 30ms --stats "$T/dut.json"
	start_gen run run --duration 1300ms --rate 5kpps --json --stall-threshold 30ms \
		--dut-telemetry "$(dut_telemetry)" --warmup 0 --drain 500ms
	within 30 traffic_flows 500
	until is_gone "$gen_pid"; do
		kill -STOP "$dut_pid"
		sleep 0.05
		kill -CONT "$dut_pid"
		sleep 0.4
	done 2>/dev/null
	wait_program "$gen_pid" 30
	stop_dut
	check_json "a stalled DUT: lost, and no more put down to stalls" "$T/run.out" \
		"($ACCOUNTS) and .rx.lost > 0 and .rx.lost_in_gen_stall + .rx.lost_in_dut_stall <= .rx.lost and .dut.stalls.count > 0"
	if jq -e '.stalls.count == 0' "$T/run.out" >/dev/null; then
		check_json "a stalled DUT: the losses are the stall's" "$T/run.out" '.rx.lost_in_dut_stall > 0'
	else
		skip "a stalled DUT: the losses are the stall's" "the generator stalled, too: $(jq -c .stalls "$T/run.out")"
	fi
	# The driver does not count what its socket dropped; the interfaces passed it on.
	check "a stalled DUT: the cable lost nothing" "it did" test "$(count "$GEN_HOST" g0 tx.packets)" = \
		"$(count "$DUT_HOST" d0 rx.packets)"
}

# Cable out in the second of three trials, and in again.
cable_out() { # DRIVER
	cables 1
	use_driver "$1" 1
	start_dut --on-full wait
	start_gen run sweep --sizes 128,256,512 --rate 5kpps --duration 1 --warmup 0 --drain 500ms \
		--on-full wait --wait-link 20s --json
	within 30 test -s "$T/run.out"
	sleep 0.2
	ip -n "$DUT_HOST" link set d0 down
	sleep 0.5
	ip -n "$DUT_HOST" link set d0 up
	wait_program "$gen_pid" 40
	check "$1, cable out: three records" "$(wc -l <"$T/run.out") and $(tail -n 1 "$T/run.err")" \
		test "$(wc -l <"$T/run.out")" = 3
	check_json "$1, cable out: all sums are right" "$T/run.out" "$ACCOUNTS"
	sed -n 2p "$T/run.out" >"$T/out.out"
	check_json "$1, cable out: the trial is invalid, and the link is named" "$T/out.out" \
		'.verdict == "invalid" and (.reasons | any(test("link went down"))) and .tx.unsent > 0'
	sed -n '1p;3p' "$T/run.out" >"$T/ends.out"
	if [ "$1" = af_packet ]; then
		check_json "$1, cable out: before and after it nothing is lost" "$T/ends.out" "$EXACT"
	else # short rings, filled anew when the link is back
		check_json "$1, cable out: before and after it no more is lost than interfaces dropped" "$T/ends.out" \
			".rx.received > 0 and .rx.lost <= $(dropped 1) and .verdict != \"invalid\""
	fi
	check_equal "$1, cable out: the DUT saw it, too" "$(grep -c 'link down' "$T/dut.err")" 1
	check "$1, cable out: the DUT is still there" "$(tail -n 1 "$T/dut.err")" kill -0 "$dut_pid"
	stop_dut
	check_equal "$1, cable out: the DUT ends cleanly" "$dut_status" 0
}

# The DUT goes in the second of four trials, and comes back.
restarted() {
	cables 1
	use_driver af_packet 1
	start_dut --on-full wait
	start_gen run sweep --sizes 128,256,512,1024 --rate 5kpps --duration 1 --warmup 0 --drain 500ms --on-full wait --json
	within 30 test -s "$T/run.out"
	stop_dut KILL
	start_dut --on-full wait
	wait_program "$gen_pid" 40
	check_json "DUT restarted: all sums are right" "$T/run.out" "$ACCOUNTS"
	sed -n 2,3p "$T/run.out" | jq -s '{rx: {lost: map(.rx.lost) | add}}' >"$T/out.out"
	check_json "DUT restarted: the loss is seen" "$T/out.out" '.rx.lost > 0'
	sed -n '1p;4p' "$T/run.out" >"$T/ends.out"
	check_json "DUT restarted: before and after it nothing is lost" "$T/ends.out" "$EXACT"
	stop_dut
	rm -rf "/var/run/dpdk/$PREFIX-dut" # of the killed
}

nothing_comes_back() {
	cables 2
	use_driver af_packet 2
	gen run run --frames 100 --rate 1kpps --json "${WAIT[@]}"
	check_equal "no DUT: status, no record" "$status $(wc -c <"$T/run.out")" "1 0"
	check_line "no DUT: one line" "$T/run.err"
	check "no DUT: both ports are named" "$(cat "$T/run.err")" \
		grep -q 'no frame came back: sent on port 0 (net_af_packet0), awaited on port 1 (net_af_packet1)' "$T/run.err"
	start_dut --port-topology=loop
	gen run run --frames 100 --rate 1kpps --json "${WAIT[@]}"
	check_equal "frames come back on the wrong port: status" "$status" 1
	check_line "frames come back on the wrong port: one line" "$T/run.err"
	stop_dut
}

# Frames that the cable is too thin for.
small_mtu() {
	cables 1 1000
	use_driver af_packet 1
	start_dut
	gen fits run --size 1000 --frames 500 --rate 5kpps --json "${WAIT[@]}"
	check_json "MTU 1000: frames of 1000 bytes fit" "$T/fits.out" "$EXACT"
	gen run run --size 1518 --frames 500 --rate 5kpps --json --warmup 0 --drain 500ms
	check_equal "MTU 1000, frames of 1518 bytes: status" "$status" 1
	check_json "MTU 1000, frames of 1518 bytes: none came back, and the sums are right" "$T/run.out" \
		"($ACCOUNTS) and .rx.received == 0 and .verdict == \"invalid\" and (.reasons | length) > 0"
	check "MTU 1000: the DUT is still there" "$(tail -n 1 "$T/dut.err")" kill -0 "$dut_pid"
	stop_dut
}

exact af_packet
exact af_xdp
damaged
stalled
cable_out af_packet
cable_out af_xdp
restarted
nothing_comes_back
small_mtu
check_no_traces "nothing is left"

# Several lcores and queues: each core sends a sequence space of its own, a frame may come back to
# any of them, and the merged accounts are exact. There are more lcores than CPUs here.
. "$(dirname "$0")/lib.sh"

FRAMES=40000
ALL=drop=0.01,dup=0.01,reorder=0.01:7,corrupt=0.01

# N lcores that take turns on the two CPUs of a test: 0@a,1@b,2@a,3@b.
lcores() {
	local i list=

	for ((i = 0; i < $1; i++)); do
		list=$list,$i@$((i % 2 ? DUT_LCORE : GEN_LCORE))
	done
	echo "${list#,}"
}

# use_cores GEN_LCORES DUT_LCORES: of the programs started from now on.
use_cores() {
	N_GEN=$1
	N_DUT=$2
	gen_eal() { echo --lcores "$(lcores "$N_GEN")" --file-prefix "$PREFIX-gen" "${HUGE[@]}"; }
	dut_eal() { echo --lcores "$(lcores "$N_DUT")" --file-prefix "$PREFIX-dut" "${HUGE[@]}"; }
}

# use_queues vhost|memif QUEUES [PORTS]: as use_link; memif takes as many queues as are opened, and
# has 2^16 buffers for the rings of all.
use_queues() {
	local i rsize=14

	use_link "$1" "${3:-1}"
	if [ "$1" = memif ]; then
		[ "$2" -le 2 ] || rsize=13
		DUT_LINK=("${DUT_LINK[@]/rsize=14/rsize=$rsize}")
		GEN_LINK=("${GEN_LINK[@]/rsize=14/rsize=$rsize}")
		return
	fi
	for ((i = 1; i < 2 * ${3:-1}; i += 2)); do
		DUT_LINK[i]=${DUT_LINK[i]},queues=$2
		GEN_LINK[i]=${GEN_LINK[i]},queues=$2
	done
}

# What both programs say about the trial of a record, in the same words.
found() { jq -c '[.tx.sent, .rx.lost, .rx.received, .rx.duplicate, .rx.reordered, .rx.corrupt]' "$1"; }
did() {
	jq -c --argjson trial "$(jq -s '.[0].stamp_trial' "$1")" '.impairment.trials[] | select(.trial == $trial)
		| [.seen, .policed + .dropped + .tx_dropped + .held_at_end, .sent_first, .duplicated, .reordered,
			.corrupted]' "$2" | tail -n 1
}

# exact NAME QUEUES: all that was sent on several queues comes back, once, in order, untouched.
exact() {
	start_dut --rxq "$2" --txq "$2" --on-full wait --stats "$T/dut.json"
	gen run run --frames $FRAMES --rate max --flows 16 --verify --json "${WAIT[@]}"
	check_json "$1: all come back" "$T/run.out" "$EXACT and .tx.sent == $FRAMES and .rx.corrupt == 0 and ($ACCOUNTS)"
	stop_dut
	check_equal "$1: both end cleanly" "$status $dut_status" "0 0"
	# A goodbye goes no further.
	check_json "$1: the DUT gave back all it got" "$T/dut.json" '.ports[0] | .rx - .tx <= 1 and .rx >= .tx and .dropped == 0'
}

# impaired NAME QUEUES LIST: what the DUT did, queue by queue, is what the merged accounts say.
impaired() {
	start_dut --forward-mode=impair --impair "$3" --seed 3 --rxq "$2" --txq "$2" --stats "$T/dut.json"
	gen run run --frames $FRAMES --rate max --size 128 --verify --json "${WAIT[@]}"
	stop_dut
	check_equal "$1, $3: both end cleanly" "$status $dut_status" "0 0"
	check_equal "$1, $3: to the frame" "$(found "$T/run.out")" "$(did "$T/run.out" "$T/dut.json")"
	check_json "$1, $3: sums" "$T/run.out" \
		"($ACCOUNTS) and .verdict != \"invalid\" and .rx.lost + .rx.duplicate + .rx.reordered + .rx.corrupt > 50"
}

over() { # LINK IMPAIRMENTS...
	local link=$1 list

	shift
	use_queues "$link" 2
	use_cores 2 1
	exact "$link: 2 lcores, 2 queues" 2
	for list in "$@"; do
		impaired "$link: 2 lcores, 2 queues" 2 "$list"
	done
	use_queues "$link" 4
	use_cores 4 2
	exact "$link: 4 lcores, 4 queues, 2 lcores in the DUT" 4
	impaired "$link: 4 lcores, 4 queues" 4 $ALL
}

# More lcores than the port has queues: as many work as there are queues, and that is said.
too_many() {
	use_queues vhost 2
	use_cores 4 1
	start_dut --rxq 2 --txq 2 --on-full wait
	gen run run --frames 3000 --rate 20kpps --json "${WAIT[@]}"
	check_json "vhost: 4 lcores, 2 queues, paced: exact" "$T/run.out" "$EXACT and ($ACCOUNTS) and .tx.offered == 3000"
	check "vhost: 4 lcores, 2 queues: said" "$(cat "$T/run.err")" grep -q '4 lcores given, 2 used' "$T/run.err"
	stop_dut
}

# The driver would let larger rings of more queues overwrite each other.
memif_rings() {
	local program

	use_link memif
	for program in "$DUT" "$GEN"; do
		local options=(--rxq 4 --txq 4)
		[ "$program" = "$DUT" ] || options=(run --duration 1)
		timeout 20 "$program" --lcores "$(lcores 4)" --file-prefix "$PREFIX-other" "${HUGE[@]}" \
			"${DUT_LINK[@]}" -- "${options[@]}" >"$T/rings.out" 2>"$T/rings.err" </dev/null
		status=$?
		check "memif: 4 queues of 2^14 are refused" "they are not" test "$status" = 1 -o "$status" = 2
		check "memif: 4 queues of 2^14: what to do is said" "$(cat "$T/rings.err")" \
			grep -q 'rsize=13 on both sides' "$T/rings.err"
	done
}

both_ways() { # LINK
	use_queues "$1" 2 2
	use_cores 2 2
	start_dut --rxq 2 --txq 2 --port-topology=paired --on-full wait --stats "$T/dut.json"
	gen run run --frames $FRAMES --rate max --bidirectional --verify --json "${WAIT[@]}"
	jq -c 'select(.schema == "tandem.trial/1")' "$T/run.out" >"$T/trials.out"
	check_json "$1: both ways, 2 lcores: all come back" "$T/trials.out" "$EXACT and .tx.sent == $FRAMES"
	check_equal "$1: both ways: a record each" "$(jq -r .direction "$T/trials.out" | tr '\n' ' ')" "0>1 1>0 "
	stop_dut
	check_json "$1: both ways: the DUT's ports carried as much each way" "$T/dut.json" \
		"(.ports | all(.rx >= $FRAMES and .dropped == 0)) and
		([.ports[0].rx - .ports[1].tx, .ports[1].rx - .ports[0].tx] | all(. == 0 or . == 1))"
}

both_ways_impaired() { # LINK
	use_queues "$1" 2 2
	use_cores 2 2
	start_dut --forward-mode=impair --impair drop=0.01,dup=0.01,reorder=0.01:3 --rxq 2 --txq 2 \
		--port-topology=paired --stats "$T/dut.json"
	gen run run --frames $FRAMES --rate max --size 128 --bidirectional --verify --json "${WAIT[@]}"
	jq -c 'select(.schema == "tandem.trial/1")' "$T/run.out" >"$T/trials.out"
	stop_dut
	check_equal "$1: both ways, impaired: to the frame" "$(found "$T/trials.out" | jq -cs 'transpose | map(add)')" \
		"$(did "$T/trials.out" "$T/dut.json")"
}

# Frames a queue received and sent of the generator's port, from EAL's telemetry: [[rx...],[tx...]].
gen_queues() {
	python3 - "/var/run/dpdk/$PREFIX-gen/dpdk_telemetry.v2" <<-'PY' 2>/dev/null || echo '[[],[]]'
		import json, socket, sys
		s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
		s.settimeout(5)
		s.connect(sys.argv[1])
		s.recv(1024)
		s.send(b"/ethdev/stats,0")
		stats = json.loads(s.recv(16384))["/ethdev/stats"]
		print([stats["q_ipackets"][:2], stats["q_opackets"][:2]])
	PY
}
# Frames left on both queues and came back on one alone.
crossed() { gen_queues | tee "$T/crossed" | jq -e '(.[1] | min) > 1000 and (.[0] | min) == 0 and (.[0] | max) > 2000'; }

# The kernel hands frames to the sockets of an interface by their flow: those of a single one all
# come back on one queue, whichever core sent them.
crossing() {
	local a=$PREFIX-a b=$PREFIX-b name="af_packet, 2 queues"

	if ! is_root || ! ip netns add "$a" 2>/dev/null; then
		skip "$name" "needs root and network namespaces"
		return
	fi
	MADE_NETNS+=("$a" "$b")
	ip netns add "$b"
	ip link add tq0 netns "$a" type veth peer name tq1 netns "$b"
	for end in "$a tq0" "$b tq1"; do
		# shellcheck disable=SC2086
		set -- $end
		ip netns exec "$1" sysctl -qw "net.ipv6.conf.$2.disable_ipv6=1" 2>/dev/null
		ip -n "$1" link set "$2" up
	done
	use_cores 2 1
	local more=qpairs=2,blocksz=65536,framecnt=8192 dut=$DUT gen=$GEN
	DUT_LINK=(--vdev "net_af_packet0,iface=tq1,$more")
	GEN_LINK=(--vdev "net_af_packet0,iface=tq0,$more")
	# A process that enters its namespace by itself keeps the pid that the helpers know.
	in_netns "$b" "$dut" >"$T/dut-in"
	in_netns "$a" "$gen" >"$T/gen-in"
	DUT=$T/dut-in
	GEN=$T/gen-in
	start_dut --rxq 2 --txq 2 --on-full wait --stats "$T/dut.json"
	start_gen run run --rate 10kpps --frames 15000 --verify --json "${WAIT[@]}"
	check "$name: what left on both comes back on one" "$(cat "$T/crossed" 2>/dev/null)" within 20 crossed
	wait_program "$gen_pid" 30
	check_json "$name: exact all the same" "$T/run.out" "$EXACT and ($ACCOUNTS) and .tx.sent > 2000"
	gen flows run --rate 10kpps --frames 5000 --flows 64 --verify --json "${WAIT[@]}"
	# Frames of one space that came by two queues are in no order with each other.
	check_json "$name: 64 flows: exact" "$T/flows.out" \
		'.rx.received == .tx.sent and .rx.lost == 0 and .rx.duplicate == 0 and .rx.corrupt == 0 and .verdict != "invalid"'
	stop_dut
	start_dut --forward-mode=impair --impair drop=0.01,dup=0.01,corrupt=0.01 --rxq 2 --txq 2 --stats "$T/dut.json"
	gen run run --rate 10kpps --frames 10000 --size 128 --verify --json "${WAIT[@]}"
	stop_dut
	check_equal "$name: impaired: to the frame" "$(found "$T/run.out" | jq -c 'del(.[4])')" \
		"$(did "$T/run.out" "$T/dut.json" | jq -c 'del(.[4])')"
	DUT=$dut
	GEN=$gen
}
in_netns() {
	printf '#!/bin/sh\nexec ip netns exec %s %s "$@"\n' "$1" "$(realpath "$2")"
	chmod +x "$T/dut-in" "$T/gen-in" 2>/dev/null
}

over vhost drop=3/1000,dup=0.01 $ALL
over memif reorder=0.01:5
too_many
memif_rings
both_ways vhost
both_ways_impaired memif
crossing
check_no_traces "nothing is left"

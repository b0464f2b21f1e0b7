# Split mode: a share of the frames goes through the kernel, the rest straight back, in one run; the
# generator's streams tell the two apart, to the frame. Series mode: each frame passes both.
. "$(dirname "$0")/lib.sh"

for words in "--forward-mode=split" "--split percent=25" "--forward-mode=split --split percent=x" \
	"--forward-mode=split --split stream=2-1" "--forward-mode=io --kernel-path=tap"; do
	# shellcheck disable=SC2086
	"$DUT" --no-huge -- $words >"$T/bad.out" 2>"$T/bad.err"
	check_equal "$words is refused: status" "$?" 2
	check_line "$words is refused: one line" "$T/bad.err"
done

if ! is_root || ! ip netns add "$PREFIX-can" 2>/dev/null; then
	skip "split and series" "network namespaces cannot be made here (root is needed)"
	exit 0
fi
ip netns del "$PREFIX-can"

use_link vhost

# start_mode OPTIONS...: over af_packet, with no ring that loses anything.
start_mode() {
	start_dut --kernel-path=af_packet --on-full wait --stats "$T/dut.json" "$@"
	is_gone "$dut_pid" || return 0
	fail "$*: the DUT starts" "$(tail -n 2 "$T/dut.err" | tr '\n' ' ')"
	return 1
}

# run_streams N OPTIONS...: their records in streams.out, that of all in all.out.
run_streams() {
	local n=$1

	shift
	gen run run --streams "$n" --rate 20kpps --frames 20000 --size 128 --json "${WAIT[@]}" \
		--dut-telemetry "$(dut_telemetry)" "$@"
	jq -c 'select(.stream == "all")' "$T/run.out" >"$T/all.out"
	jq -c 'select(.stream != "all" and .schema == "tandem.trial/1")' "$T/run.out" >"$T/streams.out"
}

# Frames of the last run, which on a busy machine are fewer than were due.
sent() { jq -s 'map(.tx.sent) | add' "$T/streams.out"; }

# One run of four streams under a rule, of which the fourth is the kernel's: counts are exact and the
# two paths' latencies apart.
a_quarter() {
	local name=$1

	shift
	start_mode --forward-mode=split --split "$name" || return
	run_streams 4 "$@"
	stop_dut
	check_equal "$name: the generator ends cleanly" "$status $(wc -l <"$T/streams.out")" "0 4"
	check_json "$name: each stream comes back whole and in order" "$T/streams.out" "$EXACT"
	check_json "$name: the record names the path" "$T/all.out" '.path == "split"'
	# The shortest of thousands, for a busy machine can hold up most of a path's frames.
	check_equal "$name: the kernel's stream takes longer than the others" \
		"$(jq -s 'map(.latency_ns.min) | .[3] > (.[:3] | max)' "$T/streams.out")" true
	check_json "$name: neither path lost a frame" "$T/dut.json" '.config.forward_mode == "split"
		and all(.paths[]; .rx == .tx and .dropped == 0) and .kernel.dropped == 0
		and .paths.io.rx + .paths.kernel.rx == .ports[0].rx and .paths.kernel.rx == .ports[1].tx'
	check "$name: the table tells both paths" "$(cat "$T/dut.out")" grep -Eq '^kernel +[0-9]+ +[0-9]+ +0$' "$T/dut.out"
}

# What the DUT counted on each path, warm-up and all, is in the streams' proportion; but for ARP.
both_told() {
	start_mode --forward-mode=split --split stream=3 --stats-period 100ms || return
	run_streams 4
	dut_ask >"$T/told.json"
	stop_dut
	check_json "both told: a quarter is the kernel's" "$T/told.json" \
		'.[] | .path_kernel_rx * 4 - .port0_rx | fabs < 600'
	check_json "both told: telemetry" "$T/told.json" '.[] | .path_io_rx >= $sent * 3 / 4 and .path_kernel_rx >= $sent / 4
		and .path_io_tx == .path_io_rx and .path_kernel_tx == .path_kernel_rx and .path_kernel_dropped == 0' --argjson sent "$(sent)"
	check "both told: the progress line" "$(tail -n 3 "$T/dut.err")" \
		grep -q 'io path rx .* kernel path rx' "$T/dut.err"
}

# Of flows on neighbouring ports a quarter is the kernel's, to within a few flows; each stays whole.
by_percent() {
	start_mode --forward-mode=split --split percent=25 || return
	run_streams 400 --frames 40000
	stop_dut
	check_json "percent=25 of 400 flows: each comes back whole and in order" "$T/streams.out" "$EXACT"
	check_json "percent=25 of 400 flows: a quarter of the frames" "$T/dut.json" \
		'(.paths.kernel.rx / .ports[0].rx) as $share | $share > 0.23 and $share < 0.27'
}

# All or none of it: the two modes that split joins.
ends_of_the_scale() {
	start_mode --forward-mode=split --split percent=0 || return
	run_streams 1
	stop_dut
	check_json "percent=0: exact" "$T/run.out" "$EXACT"
	check_json "percent=0: what is no UDP alone is the kernel's" "$T/dut.json" \
		'.paths.io.rx >= $sent and .paths.kernel.rx < 100' --argjson sent "$(sent)"
	start_mode --forward-mode=split --split percent=100 || return
	run_streams 1
	stop_dut
	check_json "percent=100: exact" "$T/run.out" "$EXACT"
	check_json "percent=100: all is the kernel's" "$T/dut.json" \
		'.paths.io.rx == 0 and .paths.kernel.rx >= $sent' --argjson sent "$(sent)"
}

# As fast as it goes, on both paths at once: rings fill up, wait, and lose nothing.
under_load() {
	start_mode "$@" || return
	run_streams 4 --rate max --frames 60000
	stop_dut
	check_json "$*, at max: each stream comes back whole" "$T/streams.out" "$EXACT"
	check_equal "$*, at max: the DUT ends cleanly" "$dut_status" 0
}

# Each frame passes an io stage, a ring, a kernel stage, and back.
series() {
	start_mode --forward-mode=series || return
	run_streams 2
	stop_dut
	check_json "$1: exact" "$T/streams.out" "$EXACT"
	check_json "$1: the record names the path" "$T/all.out" '.path == "series"'
	# But for a few of the kernel's own, which may be on their way when the DUT ends.
	check_json "$1: every frame passed every port" "$T/dut.json" \
		'def near($a; $b): $a - $b | fabs <= 10;
		([.ports[].role] == ["wire", "kernel", "stage", "stage"]) and .ports[0].rx >= $sent
		and all(.ports[]; .dropped <= 10) and near(.ports[2].tx; .ports[0].rx) and near(.ports[3].rx; .ports[0].rx)
		and near(.ports[1].tx; .ports[3].rx) and near(.ports[3].tx; .ports[1].rx)
		and near(.ports[0].tx; .ports[2].rx)' --argjson sent "$(sent)"
	check_json "$1: cores" "$T/dut.json" ".lcores | length == $2"
}

a_quarter stream=3
a_quarter stream=3/4
a_quarter udp-src=4003 --src-port 4000
a_quarter udp-dst=5003-5100 --src-port 65535 --dst-port 5000 # a destination port each
both_told
by_percent
ends_of_the_scale
under_load --forward-mode=split --split stream=3
under_load --forward-mode=series
series "series on one lcore" 1
dut_eal() { echo --lcores "0@$DUT_LCORE,1@$GEN_LCORE" --file-prefix "$PREFIX-dut" "${HUGE[@]}"; }
series "series on two lcores" 2
under_load --forward-mode=series
check "no namespace left" "$(ip netns list)" sh -c '! ip netns list | grep -q "^tandem-[0-9]"'
check_no_traces "nothing is left"

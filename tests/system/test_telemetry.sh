# The DUT's part of a record, read over telemetry, and the accounts of both programs side by side:
# what one sent the other received.
. "$(dirname "$0")/lib.sh"

check_dut_part() { # NAME FILE
	check_json "$1: the DUT's part is there" "$2" '.dut != null and .path == "io"'
	check_json "$1: its busy share is one" "$2" '.dut.cpu_busy >= 0 and .dut.cpu_busy <= 1'
	check_json "$1: its counters are whole numbers" "$2" '[.dut | .rx_missed, .tx_dropped,
		.kernel_dropped, .stalls.count, .stalls.max_ns, .stalls.total_ns]
		| all(type == "number" and . == floor and . >= 0)'
	check_json "$1: its settings are told" "$2" '.dut.config | .forward_mode == "io"
		and .on_full == "wait" and .burst == 16 and .rxd == 512 and .ports == 1'
	check_json "$1: losses in its stalls are known" "$2" \
		'.rx.lost_in_dut_stall == 0 and .rx.lost == 0'
}

# Both records of one trial agree. The DUT also counts probes and what primed the rings, so its
# counters are compared over the trial alone, through two readings of its telemetry.
agree() {
	local before after

	gen warm run --frames 100 --json "${WAIT[@]}"
	# A new peer is primed at its first trial: the readings must lie around trial 2 of one run, so
	# the difference holds probes and priming of the same run; it is counted from the DUT's side.
	before=$(dut_ask | jq -c '."/tandem/dut/stats"')
	gen agree run --rate 20kpps --frames 5000 --json "${WAIT[@]}"
	after=$(dut_ask | jq -c '."/tandem/dut/stats"')
	check_json "$LINK: the generator lost nothing" "$T/agree.out" "$EXACT"
	check_equal "$LINK: the DUT sent on all it received" \
		"$(jq -n "$after.port0_tx - $before.port0_tx")" \
		"$(jq -n "$after.port0_rx - $before.port0_rx")"
	check "$LINK: the DUT saw at least what was sent" "from $before to $after" \
		jq -en "$after.port0_rx - $before.port0_rx >= $(jq .tx.sent "$T/agree.out")"
}

final_record() {
	local file=$T/dut-$LINK.json

	check_json "$LINK: the DUT's record" "$file" '.schema == "tandem.dut/1" and .tsc_hz > 1e8
		and .duration_s > 0 and (.ports | length == 1) and (.lcores | length == 1)
		and .kernel == null and .impairment == null'
	check_json "$LINK: tx = rx - dropped" "$file" \
		'.ports[0] | .tx == .rx - .dropped and .rx > 5000 and .role == "wire"'
	check_json "$LINK: busy share and loops" "$file" '.lcores[0]
		| .busy_share >= 0 and .busy_share <= 1 and .busy_cycles <= .total_cycles
		and .loop_ns.min <= .loop_ns.p50 and .loop_ns.p50 <= .loop_ns.max'
	check "$LINK: the DUT's table" "$(head -c 200 "$T/dut.out")" grep -q 'rx frames' "$T/dut.out"
}

wrong_socket() {
	gen none run --frames 100 --json --dut-telemetry "$T/nothing.sock"
	check_equal "$LINK: no telemetry there: status" "$status" 1
	check_line "$LINK: no telemetry there: one line" "$T/none.err"
	check "$LINK: no telemetry there: the path is named" "$(cat "$T/none.err")" \
		grep -q "$T/nothing.sock" "$T/none.err"
	check_equal "$LINK: no telemetry there: no record" "$(cat "$T/none.out")" ""
	# Its own socket answers, but is no DUT's.
	gen self run --frames 100 --json --dut-telemetry "/var/run/dpdk/$PREFIX-gen/dpdk_telemetry.v2"
	check_equal "$LINK: the telemetry of another program: status" "$status" 1
	check_line "$LINK: the telemetry of another program: one line" "$T/self.err"
}

for link in vhost memif; do
	use_link $link
	start_dut --on-full wait --burst 16 --rxd 512 --stats "$T/dut-$link.json"
	gen part run --rate 20kpps --frames 10000 --json --dut-telemetry "$(dut_telemetry)" "${WAIT[@]}"
	check_equal "$link: with telemetry: status" "$status" 0
	check_dut_part "$link" "$T/part.out"
	agree
	wrong_socket
	stop_dut
	check_equal "$link: the DUT ends cleanly" "$dut_status" 0
	final_record
done

use_link vhost
start_dut --stats "$T/no/such/folder/dut.json"
wait_program "$dut_pid" 10
check_equal "a record that cannot be written is refused at start: status" "$status" 1
check_line "a record that cannot be written is refused at start: one line" "$T/dut.err"
check_no_traces "nothing is left"

# What the DUT says it did to the frames is what the generator finds, to the frame; delays are at
# least as long as asked for; queues and lcores add up.
. "$(dirname "$0")/lib.sh"

FRAMES=200000

# The DUT's account of the trial that the record is about, which saw all that was sent.
trial_of() {
	jq -c --slurpfile record "$1" '.impairment.trials[]
		| select(.trial == $record[0].stamp_trial and .seen == $record[0].tx.sent)' "$2"
}

# case_of NAME LIST [generator options]: a trial through a DUT with that impairment.
case_of() {
	local name="$LINK: $1" list=$2 tx

	shift 2
	start_dut --forward-mode=impair --impair "$list" --seed 7 --stats "$T/dut.json" "${DUT_MORE[@]}"
	gen run run --frames "$FRAMES" --size 128 --verify --json "${WAIT[@]}" "${@:---rate=max}"
	stop_dut
	check_equal "$name: both end cleanly" "$status $dut_status" "0 0"
	check_json "$name: all frames went out" "$T/run.out" ".tx.sent + .tx.unsent == $FRAMES and .tx.refused == 0"
	trial_of "$T/run.out" "$T/dut.json" >"$T/did.out"
	tx=$(jq -c '{lost: (.outage_dropped + .policed + .dropped + .tx_dropped + .held_at_end), received: .sent_first,
		duplicate: .duplicated, reordered, corrupt: .corrupted}' "$T/did.out")
	check_equal "$name: the generator finds what the DUT did" \
		"$(jq -c '.rx | {lost, received, duplicate, reordered, corrupt}' "$T/run.out")" "$tx"
	check_json "$name: the DUT lost nothing by itself" "$T/did.out" \
		'.tx_dropped == 0 and .held_at_end == 0 and .seen == .outage_dropped + .policed + .dropped + .sent_first'
}

# did NAME FILTER: of the DUT's account of the last case.
did() { check_json "$LINK: $1" "$T/did.out" "$2"; }

impairments() {
	case_of "drop by chance" drop=0.001
	did "... about as many" '.dropped > 100 and .dropped < 320'
	case_of "drop 3 of 1000" drop=3/1000
	did "... exactly as many" '.dropped == .seen * 3 / 1000'
	case_of "copies" dup=0.001
	did "... about as many" '.duplicated > 100 and .duplicated < 320'
	case_of "reordering" reorder=0.002:5
	did "... about as many" '.reordered > 250 and .reordered < 560'
	case_of "corruption" corrupt=0.001
	did "... about as many" '.corrupted > 100 and .corrupted < 320 and .corrupt_refused == 0'
	# A busy machine sends fewer than were due, and so fewer are too many.
	case_of "policing" rate=5kpps:64 --rate 100kpps
	did "... some" '.policed > 0 and .sent_first > 64'
	# By the frames' own stamps: a stall moves no frame in or out, but it leaves some unsent. A frame goes out up to
	# 50 us late, 10 frames' time.
	case_of "an outage" outage=300ms..500ms --rate 200kpps
	did "... as long as asked for" \
		".outage_dropped >= 40000 - 20 - $(jq .tx.unsent "$T/run.out") and .outage_dropped <= 40000 + 20"
	check_json "$LINK: ... in one run" "$T/run.out" '.rx.longest_loss_run == .rx.lost'
	case_of "all together" outage=200ms..300ms,rate=50kpps:64,drop=0.001,corrupt=0.001,dup=0.001,reorder=0.002:5,delay=10us..30us \
		--rate 200kpps
	did "... each did something" '[.outage_dropped, .policed, .dropped, .corrupted, .duplicated, .reordered, .delayed] | all(. > 0)'
}

refused_corruption() {
	start_dut --forward-mode=impair --impair corrupt=0.1 --stats "$T/dut.json"
	gen run run --frames 2000 --rate max --size 64 --verify --json "${WAIT[@]}"
	stop_dut
	trial_of "$T/run.out" "$T/dut.json" >"$T/did.out"
	did "frames without payload are not corrupted" '.corrupted == 0 and .corrupt_refused > 0 and .sent_first == .seen'
	check_equal "$LINK: ... which is said once" "$(grep -c 'cannot be corrupted' "$T/dut.err")" 1
}

delays() {
	start_dut --forward-mode=impair --impair delay=200us
	gen run run --rate 10kpps --frames 5000 --json "${WAIT[@]}"
	stop_dut
	check_json "$LINK: a delay of 200 us is that at least" "$T/run.out" \
		'.latency_ns.min >= 200000 and .rx.lost == 0 and .rx.reordered == 0'
	echo "   p50 $(jq '.latency_clean_ns.p50' "$T/run.out") ns clean, $(jq -r .verdict "$T/run.out")"
	start_dut --forward-mode=impair --impair delay=50us..80us
	gen run run --rate 10kpps --frames 5000 --json "${WAIT[@]}"
	stop_dut
	check_json "$LINK: a delay of 50 to 80 us is 50 us at least" "$T/run.out" \
		'.latency_ns.min >= 50000 and .rx.lost == 0'
	echo "   p50 $(jq '.latency_clean_ns.p50' "$T/run.out") ns clean, $(jq -r .verdict "$T/run.out")"
}

# The log of a run, without the trial's number, which starts at random, and the probes before it.
log_of() {
	local trial

	trial=$(jq '.impairment.trials[-1].trial' "$T/dut.json")
	awk -F, -v trial="$trial" '$1 == trial {print $2 "," $3 "," $4}' "$1"
}

seeds() {
	local list=drop=0.01,corrupt=0.01,dup=0.01,reorder=0.01:3

	for run in "one 5" "two 5" "other 6"; do
		# shellcheck disable=SC2086
		set -- $run
		start_dut --forward-mode=impair --impair $list --seed "$2" --impair-log "$T/$1.csv" --stats "$T/dut.json"
		gen run run --frames 5000 --rate max --size 128 --json "${WAIT[@]}"
		stop_dut
		# When a held frame goes may depend on a pause; what is decided for it does not.
		log_of "$T/$1.csv" | grep -v reordered | sort >"$T/$1.log"
	done
	check_equal "the log has a head" "$(head -n 1 "$T/one.csv")" trial,space,seq,action
	check "the log has lines" "empty" test -s "$T/one.log"
	check "the same seed and frames give the same decisions" "they differ" cmp "$T/one.log" "$T/two.log"
	if cmp -s "$T/one.log" "$T/other.log"; then
		fail "another seed gives others" "they are the same"
	else
		ok "another seed gives others"
	fi
	check_equal "the log holds every action" "$(jq '.impairment.log.entries' "$T/dut.json")" \
		"$(tail -n +2 "$T/other.csv" | wc -l)"
}

stall() {
	start_dut --forward-mode=impair --impair stall=60ms/300ms --stats "$T/dut.json"
	gen run run --rate 1kpps --duration 1 --json "${WAIT[@]}"
	stop_dut
	check_json "$LINK: a stall is recorded as one" "$T/dut.json" '.stalls.count >= 2 and .stalls.max_ns >= 60e6'
	check_json "$LINK: and loses nothing" "$T/run.out" '.rx.lost == 0 and .latency_ns.max > 40e6'
}

# Two ports both ways on two lcores that share a CPU: the DUT's streams add up to both records.
both_ways() {
	use_link "$1" 2
	dut_eal() {
		echo --lcores "0@$DUT_LCORE,1@$DUT_LCORE" --file-prefix "$PREFIX-dut" "${HUGE[@]}"
	}
	start_dut --forward-mode=impair --impair drop=1/100,dup=0.01,reorder=0.01:3,corrupt=0.01 --stats "$T/dut.json"
	gen run run --frames 20000 --rate max --size 128 --bidirectional --verify --json "${WAIT[@]}"
	ask_impairment >"$T/telemetry.out"
	jq -c 'select(.schema == "tandem.trial/1")' "$T/run.out" >"$T/trials.out"
	stop_dut
	check_equal "$LINK: both ways on two lcores: both end cleanly" "$status $dut_status" "0 0"
	check_equal "$LINK: both ways: the generator finds what the DUT did" \
		"$(jq -cs '[[.[].tx.sent], [.[].rx.lost], [.[].rx.received], [.[].rx.duplicate], [.[].rx.reordered],
			[.[].rx.corrupt]] | map(add)' "$T/trials.out")" \
		"$(jq -c '.impairment.trials[-1] | [.seen, .dropped + .tx_dropped, .sent_first, .duplicated, .reordered,
			.corrupted]' "$T/dut.json")"
	check_equal "$LINK: both ways: both directions drop alike" "$(jq -c '.rx.lost' "$T/trials.out" | tr '\n' ' ')" "200 200 "
	check_equal "$LINK: both ways: both lcores work" "$(jq '[.lcores[] | select(.busy_cycles > 0)] | length' "$T/dut.json")" 2
	check_equal "$LINK: telemetry tells the same" "$(jq -cS '.[] | del(.trials)' "$T/telemetry.out")" \
		"$(jq -cS '.impairment | del(.trials, .log)' "$T/dut.json")"
}

ask_impairment() {
	python3 - "$(dut_telemetry)" <<-'PY'
		import socket, sys
		s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
		s.settimeout(5)
		s.connect(sys.argv[1])
		s.recv(1024)
		s.send(b"/tandem/dut/impairment")
		print(s.recv(16384).decode())
	PY
}

queues() {
	timeout 20 "$DUT" -l "$DUT_LCORE" --file-prefix "$PREFIX-other" "${HUGE[@]}" \
		--vdev "net_vhost0,iface=$T/q1.sock,queues=1" -- --rxq 2 --txq 2 --duration 1 \
		>"$T/q.out" 2>"$T/q.err" </dev/null
	check_equal "queues that a port has not are refused" "$? $(wc -l <"$T/q.err")" "1 1"
	timeout 20 "$DUT" -l "$DUT_LCORE" --file-prefix "$PREFIX-other" "${HUGE[@]}" \
		--vdev "net_vhost0,iface=$T/q2.sock,queues=2" -- --rxq 2 --txq 2 --duration 1 \
		--stats "$T/q.json" >"$T/q.out" 2>"$T/q.err" </dev/null
	check_equal "two queues start" "$? $(jq -c '[.config.rxq, .config.txq]' "$T/q.json")" "0 [2,2]"
}

bad_lists() {
	local list

	for list in "" , drop drop= drop=0 drop=1.1 drop=-1 drop=nan drop=0x1 drop=1e-3 drop=. drop=1. drop=2/1 drop=0/5 \
		drop=1/0 drop=1/ drop=/3 drop=1/2/3 drop=0.1,drop=0.1 drop=0.1,,dup=0.1 dup=x dup=0.1x reorder=0.1 \
		reorder=0.1: reorder=0.1:0 reorder=0.1:9999 reorder=1:5 delay=0 delay=.. delay=5us.. delay=80us..50us \
		delay=50 delay=1h outage=1s outage=1s.. outage=..1s outage=2s..2s outage=3s..2s outage=-1s..2s outage=1s..61m \
		outage=nan..1s outage=1s..2s,outage=3s..4s corrupt= rate=0 rate=10% rate=max rate=1gbps rate=1kpps: rate=1kpps:0 rate=1kpps:x \
		stall=1s stall=1s/1s stall=2s/1s stall=/ stall=0/1s flood=1 "drop=0.1 " "$(printf 'x%.0s' {1..300})" \
		"drop=$(printf '1%.0s' {1..200})" $'drop=\x01' $'\xff'; do
		timeout 10 "$DUT" --no-huge -- --forward-mode=impair --impair "$list" >"$T/bad.out" 2>"$T/bad.err" </dev/null
		status=$?
		if [ "$status $(wc -l <"$T/bad.err") $(wc -c <"$T/bad.out")" = "2 1 0" ]; then
			ok "refused in a line: '${list:0:30}'"
		else
			fail "refused in a line: '${list:0:30}'" "status $status: $(head -c 300 "$T/bad.err")"
		fi
	done
	for options in --forward-mode=impair "--impair drop=0.1" "--seed 5" "--impair-log x" \
		"--forward-mode=impair --impair drop=0.1 --seed=-1" "--rxq 2" "--rxq 2 --txq 3" "--rxq 17 --txq 17"; do
		# shellcheck disable=SC2086
		timeout 10 "$DUT" --no-huge -- $options >"$T/bad.out" 2>"$T/bad.err" </dev/null
		status=$?
		check_equal "refused in a line: $options" "$status $(wc -l <"$T/bad.err")" "2 1"
	done
}

DUT_MORE=()
bad_lists
for link in vhost memif; do
	use_link $link
	impairments
	refused_corruption
	delays
done
seeds
stall
queues
both_ways vhost
both_ways memif
check_no_traces "nothing is left"

# Streams: each has its own account, latency and record; together they are the whole, and what the
# DUT did, to the frame.
. "$(dirname "$0")/lib.sh"

FRAMES=60000
ALL=drop=0.01,dup=0.01,reorder=0.01:7,corrupt=0.01

# run_streams N [options]: records of the streams in streams.out, that of all in all.out.
run_streams() {
	local n=$1

	shift
	gen run run --frames $FRAMES --size 128 --streams "$n" --verify --json "${WAIT[@]}" "$@"
	jq -c 'select(.stream == "all")' "$T/run.out" >"$T/all.out"
	jq -c 'select(.stream != "all" and .schema == "tandem.trial/1")' "$T/run.out" >"$T/streams.out"
}

# What is counted of frames, of one record or summed up over a file of them.
counts() {
	jq -cs '[.[] | [.tx.offered, .tx.sent, .tx.refused, .tx.unsent, .rx.received, .rx.lost, .rx.loss_runs,
		.rx.duplicate, .rx.reordered, .rx.corrupt, .latency_ns.count, .latency_clean_ns.count]]
		| transpose | map(add)' "$1"
}

# check_streams NAME N: of the run at hand.
check_streams() {
	local name=$1 n=$2

	check_equal "$name: the generator ends cleanly" "$status" 0
	check_equal "$name: a record each, then one of all" \
		"$(jq -r .stream "$T/run.out" | tr '\n' ' ')" "$(seq -s ' ' 0 $((n - 1))) all "
	check_equal "$name: the streams add up to all" "$(counts "$T/streams.out")" "$(counts "$T/all.out")"
	check_json "$name: each stream's account closes" "$T/streams.out" \
		"($ACCOUNTS) and .rx.received > 0 and .latency_ns.count == .rx.received - .rx.corrupt"
	check_json "$name: valid, or disturbed" "$T/all.out" '.verdict != "invalid"'
	check_equal "$name: equal shares" \
		"$(jq -s 'map(.tx.sent) | max - min <= 32 * $lanes' --argjson lanes "${LANES:-1}" "$T/streams.out")" true
	check_equal "$name: the extremes of all are those of a stream" \
		"$(jq -cs '[(map(.latency_ns.min) | min), (map(.latency_ns.max) | max), (map(.rx.longest_loss_run) | max),
			(map(.rx.reorder_extent.max // 0) | max)]' "$T/streams.out")" \
		"$(jq -c '[.latency_ns.min, .latency_ns.max, .rx.longest_loss_run, .rx.reorder_extent.max // 0]' "$T/all.out")"
}

# What the DUT says of the trial at hand, in the same words as found.
found() { jq -c '[.tx.sent, .rx.lost, .rx.received, .rx.duplicate, .rx.reordered, .rx.corrupt]' "$T/all.out"; }
did() {
	jq -c --argjson trial "$(jq .stamp_trial "$T/all.out")" '.impairment.trials[] | select(.trial == $trial)
		| [.seen, .policed + .dropped + .tx_dropped + .held_at_end, .sent_first, .duplicated, .reordered,
			.corrupted]' "$T/dut.json" | tail -n 1
}

# The DUT's log of what it dropped, counted by stream, against each stream's own loss.
by_stream() {
	awk -F, -v trial="$(jq .stamp_trial "$T/all.out")" -v n="$1" \
		'$1 == trial && $4 == "dropped" {lost[$2 % n]++} END {for (i = 0; i < n; i++) print lost[i] + 0}' "$T/log.csv"
}

impaired() { # N OPTIONS...
	local name="$LINK: $1 streams"

	start_dut --forward-mode=impair --impair $ALL --seed 5 --stats "$T/dut.json" --impair-log "$T/log.csv"
	run_streams "$@"
	stop_dut
	check_streams "$name" "$1"
	check_equal "$name: what the DUT did, to the frame" "$(found)" "$(did)"
	check_equal "$name: each stream lost what the DUT dropped of it" \
		"$(jq .rx.lost "$T/streams.out" | tr '\n' ' ')" "$(by_stream "$1" | tr '\n' ' ')"
}

one_stream() {
	start_dut --forward-mode=impair --impair $ALL --seed 5 --stats "$T/dut.json"
	run_streams 1
	stop_dut
	check_equal "$LINK: one stream is no other record" "$(wc -l <"$T/run.out") $(wc -l <"$T/streams.out")" "1 0"
	check_equal "$LINK: one stream: what the DUT did" "$(found)" "$(did)"
}

shapes() {
	start_dut --forward-mode=impair --impair drop=1/100 --stats "$T/dut.json"
	run_streams 7 --rate 200kpps --frames 20000
	check_streams "$LINK: paced" 7
	check_equal "$LINK: paced: streams take turns frame by frame" \
		"$(jq -s 'map(.tx.sent) | max - min <= 1' "$T/streams.out")" true
	check_json "$LINK: paced: a stream is asked for its share" "$T/streams.out" \
		'.rate_requested_pps > 28571 and .rate_requested_pps < 28572'
	run_streams 5 --rate 100kpps --arrival poisson --frames 10000
	check_streams "$LINK: Poisson" 5
	run_streams 3 --burst-train 64@100kpps --frames 9600 --flows 8
	check_equal "$LINK: trains: the streams add up" "$(counts "$T/streams.out")" "$(counts "$T/all.out")"
	check_equal "$LINK: trains: a train is one stream's" \
		"$(jq -cs 'map(.tx.sent + .tx.unsent) | max - min <= 65' "$T/streams.out")" true
	# Fewer flows than streams are made as many.
	check_json "$LINK: flows" "$T/all.out" '.flows == 8 and .streams == 3'
	run_streams 20 --flows 3 --frames 10000
	check_json "$LINK: a flow each at least" "$T/all.out" '.flows == 20 and .streams == 20'
	run_streams 4 --frames 4000 --samples "$T/samples.csv"
	check_equal "$LINK: samples tell streams apart" \
		"$(awk -F, 'NR > 1 {n[$6]++} END {for (i = 0; i < 4; i++) print n[i] + 0}' "$T/samples.csv" | tr '\n' ' ')" \
		"$(jq .latency_ns.count "$T/streams.out" | tr '\n' ' ')"
	gen text run --frames 3000 --streams 3 "${WAIT[@]}"
	check "$LINK: text: a line a stream" "$(cat "$T/text.out")" grep -Eq '^ +2 +[0-9]+ +[0-9]+ +[0-9]+ ' "$T/text.out"
	gen text run --frames 30000 --streams 300 "${WAIT[@]}"
	check "$LINK: text: the worst of many, said so" "$(cat "$T/text.out")" grep -q 'of 300 streams the 5 with' "$T/text.out"
	check "$LINK: text: no line for each of many" "$(wc -l <"$T/text.out") lines" test "$(wc -l <"$T/text.out")" -lt 40
	stop_dut
}

# A folder holds all records; its summary and table are of all streams together.
folder() {
	start_dut --on-full wait
	gen sweep sweep --sizes 64,128 --rate max,50kpps --frames 3000 --streams 100 --json --out "$T/results" "${WAIT[@]}"
	stop_dut
	check_equal "folder: ends cleanly" "$status" 0
	check_equal "folder: every stream of every trial" "$(jq -s 'map(.trial) | group_by(.) | map(length)' -c \
		"$T/results/trials.jsonl")" "[101,101,101,101]"
	check_equal "folder: the last record of a trial is of all" \
		"$(jq -sc 'group_by(.trial) | map(.[-1].stream)' "$T/results/trials.jsonl")" '["all","all","all","all"]'
	check_equal "folder: the summary is of all" "$(tail -n +2 "$T/results/summary.csv" | cut -d, -f3 | sort | uniq -c |
		tr -s ' ')" " 2 all"
	check "folder: the table is of all" "$("$PLOT" table "$T/results")" test "$("$PLOT" table "$T/results" | wc -l)" -lt 12
	check "folder: curves" "none" "$PLOT" throughput "$T/results"
}

# Several lcores that take turns on the CPUs of a test; each sends all streams on a queue of its own.
lcores() {
	local queues=(DUT_LINK GEN_LINK) i

	use_link "$1"
	for i in "${queues[@]}"; do
		local -n link=$i
		if [ "$1" = vhost ]; then link[1]=${link[1]},queues=2; fi
	done
	gen_eal() { echo --lcores "0@$GEN_LCORE,1@$DUT_LCORE" --file-prefix "$PREFIX-gen" "${HUGE[@]}"; }
	LANES=2
	start_dut --forward-mode=impair --impair $ALL --rxq 2 --txq 2 --stats "$T/dut.json"
	run_streams 50
	stop_dut
	check_streams "$LINK: 2 lcores, 50 streams" 50
	check_equal "$LINK: 2 lcores, 50 streams: what the DUT did" "$(found)" "$(did)"
	start_dut --on-full wait --rxq 2 --txq 2
	run_streams 1000 --frames 128000 # two turns each on both
	stop_dut
	check_streams "$LINK: 2 lcores, 1000 streams" 1000
	check_json "$LINK: 2 lcores, 1000 streams: all come back" "$T/streams.out" "$EXACT"
	LANES=1
	gen_eal() { echo -l "$GEN_LCORE" --file-prefix "$PREFIX-gen" "${HUGE[@]}"; }
}

both_ways() {
	use_link memif 2
	start_dut --forward-mode=impair --impair drop=0.01,dup=0.01 --port-topology=paired --stats "$T/dut.json"
	run_streams 9 --bidirectional
	stop_dut
	check_equal "both ways: the streams of each direction, then all" \
		"$(jq -rs 'map(select(.stream) | .direction + "/" + .stream) | join(" ")' "$T/run.out")" \
		"$(for d in '0>1' '1>0'; do printf "$d/%s " 0 1 2 3 4 5 6 7 8 all; done | sed 's/ $//')"
	check_equal "both ways: the streams add up to both" "$(counts "$T/streams.out")" "$(counts "$T/all.out")"
	check_equal "both ways: a last line is the total" "$(tail -n 1 "$T/run.out" | jq -r .schema)" tandem.total/1
	check_equal "both ways: what the DUT did" \
		"$(jq -cs '[(map(.tx.sent) | add), (map(.rx.lost) | add), (map(.rx.duplicate) | add)]' "$T/all.out")" \
		"$(jq -c '.impairment.trials[-1] | [.seen, .dropped + .tx_dropped, .duplicated]' "$T/dut.json")"
}

alone() {
	GEN_LINK=(--vdev net_null0)
	gen tx run --tx-only --rate 1mpps --duration 0.2 --streams 10 --warmup 0 --json
	check_json "tx-only: the streams, nothing received" "$T/tx.out" '.rx == null and .tx.sent > 0'
	check_equal "tx-only: they add up" "$(jq -s 'map(select(.stream != "all") | .tx.sent) | add' "$T/tx.out")" \
		"$(jq 'select(.stream == "all") | .tx.sent' "$T/tx.out")"
	for n in 0 1025 x; do
		gen bad run --streams $n
		check_equal "--streams $n is refused" "$status $(wc -l <"$T/bad.err")" "2 1"
	done
}

for link in vhost memif; do
	use_link $link
	one_stream
	impaired 3
	impaired 100
done
shapes
folder
lcores vhost
lcores memif
both_ways
alone
check_no_traces "nothing is left"

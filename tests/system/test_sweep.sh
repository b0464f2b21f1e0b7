# Result folders, several trials, several ports, and loops without a DUT.
. "$(dirname "$0")/lib.sh"

snapshot() { (cd "$1" && find . -type f | sort | xargs sha256sum); }

folder() {
	local dir=$T/results/one before

	use_link vhost
	start_dut --on-full wait
	gen folder sweep --sizes 64,512 --rate max,20kpps --frames 2000 --out "$dir" --title "two sizes" "${WAIT[@]}"
	check_equal "a sweep: status" "$status" 0
	check "a sweep: run.json" "$(head -c 200 "$dir/run.json")" jq -e '.schema == "tandem.run/1"
		and .title == "two sizes" and (.ports | length == 1) and (.host | type == "object")
		and (.commands[0] | index("sweep") != null)' "$dir/run.json"
	cp "$dir/trials.jsonl" "$T/trials.out"
	check_json "a sweep: its trials" "$T/trials.out" "$EXACT and $ACCOUNTS"
	check "a sweep: sizes and rates in order" "$(jq -c '[.frame_size, .rate_requested_pps]' "$T/trials.out")" \
		jq -es '[.[] | [.frame_size, .rate_requested_pps]]
		== [[64, null], [64, 20000], [512, null], [512, 20000]]' "$T/trials.out"
	check_equal "a sweep: a row a size and the head in summary.csv" "$(wc -l <"$dir/summary.csv")" 3
	check_equal "a sweep: percentiles of each trial" "$(find "$dir" -name '*.hgrm' | wc -l)" 4
	check "a sweep: the screen has a table" "$(tail -n 5 "$T/folder.out")" grep -Eq '^ *512 ' "$T/folder.out"

	before=$(snapshot "$dir")
	gen again sweep --sizes 64 --rate max --frames 2000 --out "$dir" "${WAIT[@]}"
	check "a folder in use is refused: status" "$status" test "$status" = 1 -o "$status" = 2
	check_line "a folder in use is refused: one line" "$T/again.err"
	check_equal "a folder in use is refused: nothing changed" "$(snapshot "$dir")" "$before"
	gen more sweep --sizes 1518 --rate max --frames 2000 --out "$dir" --append "${WAIT[@]}"
	check_equal "--append: status" "$status" 0
	check_equal "--append: one more trial" "$(wc -l <"$dir/trials.jsonl")" 5
	check_equal "--append: the earlier ones as they were" "$(head -n 4 "$dir/trials.jsonl")" "$(cat "$T/trials.out")"
	check_equal "--append: one more row" "$(wc -l <"$dir/summary.csv")" 4
	check_equal "--append: one more percentile file" "$(find "$dir" -name '*.hgrm' | wc -l)" 5
	if [ -x "$PLOT" ]; then
		timeout 30 "$PLOT" table "$dir" >"$T/table.out" 2>"$T/table.err"
		check_equal "tandem-plot table: status" "$?" 0
		check "tandem-plot table: each size" "$(head -c 400 "$T/table.out")" \
			sh -c "grep -Eq '(^|[^0-9])64([^0-9]|$)' '$T/table.out' && grep -q 1518 '$T/table.out'"
	else
		skip "tandem-plot table" "$PLOT is not built"
	fi
	touch "$T/file"
	gen file sweep --sizes 64 --rate max --frames 100 --out "$T/file" "${WAIT[@]}"
	check "a file for a folder is refused: status" "$status" test "$status" = 1 -o "$status" = 2
	check_line "a file for a folder is refused: one line" "$T/file.err"
}

repeats() {
	gen repeat run --rate 20kpps --frames 1000 --repeat 3 --json "${WAIT[@]}"
	check_equal "--repeat 3: three records and one for all" "$(jq -r .schema "$T/repeat.out" | tr '\n' ' ')" \
		"tandem.trial/1 tandem.trial/1 tandem.trial/1 tandem.repeat/1 "
	head -n 3 "$T/repeat.out" >"$T/three.out"
	check_json "--repeat 3: each exact" "$T/three.out" "$EXACT"
	check_equal "--repeat 3: numbered" "$(jq -c .trial "$T/three.out" | tr '\n' ' ')" "1 2 3 "
	tail -n 1 "$T/repeat.out" >"$T/all.out"
	check_json "--repeat 3: the median lies between" "$T/all.out" '.trials == 3
		and (.["latency_ns.p50"] | .samples == 3 and .min <= .median and .median <= .max)
		and .["rx.lost"].max == 0'
	check "--repeat 3: and is the middle one" "$(tail -n 1 "$T/repeat.out" | head -c 300)" \
		jq -es '(.[0:3] | map(.latency_ns.p50) | sort | .[1]) == .[3]["latency_ns.p50"].median' "$T/repeat.out"
	stop_dut
}

two_ports() { # LINK TOPOLOGY
	use_link "$1" 2
	start_dut --port-topology="$2" --on-full wait
	gen one run --size 128 --rate max --frames 5000 --verify --json "${WAIT[@]}"
	check_json "$1, $2: out on one port, in on the other" "$T/one.out" \
		".direction == \"0>1\" and .tx.sent == 5000 and $EXACT"
	gen both run --size 128 --rate max --frames 5000 --bidirectional --verify --json "${WAIT[@]}"
	check_equal "$1, $2: both ways, a record each and one for all" \
		"$(jq -r '.schema + " " + .direction' "$T/both.out" | head -n 2 | tr '\n' ' ') $(wc -l <"$T/both.out")" \
		"tandem.trial/1 0>1 tandem.trial/1 1>0  3"
	head -n 2 "$T/both.out" >"$T/ways.out"
	check_json "$1, $2: both ways exact" "$T/ways.out" \
		".tx.sent == 5000 and .rx.received == 5000 and .rx.corrupt == 0 and $EXACT"
	gen paced run --size 128 --rate 10kpps --frames 2000 --bidirectional --json "${WAIT[@]}"
	head -n 2 "$T/paced.out" >"$T/ways.out"
	check_json "$1, $2: both ways paced" "$T/ways.out" ".tx.offered == 2000 and $EXACT and $ACCOUNTS"
	stop_dut
	check_equal "$1, $2: the DUT ends cleanly" "$dut_status" 0
}

# Sent into nothing: the sender alone. A ring gives back to the port itself what it takes.
alone() {
	GEN_LINK=(--vdev net_null0)
	gen null run --tx-only --frames 20000 --warmup 0 --json
	check_equal "net_null, --tx-only: status" "$status" 0
	check_json "net_null, --tx-only: all sent, nothing claimed about receiving" "$T/null.out" \
		'.tx.sent == 20000 and .tx.offered == 20000 and .rx == null and .latency_ns == null
		and .loss_ratio == null and .verdict != "invalid"'
	GEN_LINK=(--vdev net_ring0)
	gen ring run --frames 20000 --rate max --verify --json "${WAIT[@]}"
	check_json "net_ring: exact" "$T/ring.out" ".tx.sent == 20000 and .rx.corrupt == 0 and $EXACT and $ACCOUNTS"
	gen percent run --frames 100 --rate 50% --json "${WAIT[@]}"
	check_equal "a share of an unknown line rate: status" "$status" 2
	check_line "a share of an unknown line rate: one line" "$T/percent.err"
	gen stated run --frames 2000 --rate 0.1% --line-rate 10g --json "${WAIT[@]}"
	check_json "a share of a stated line rate" "$T/stated.out" \
		"(.rate_requested_pps / (1e7 / (84 * 8)) - 1 | fabs < 1e-6) and $EXACT"
	GEN_LINK=()
	gen nothing run --frames 100
	check "no port: status" "$status" test "$status" = 1 -o "$status" = 2
	check_line "no port: one line" "$T/nothing.err"
}

folder
repeats
two_ports vhost paired
two_ports memif chained
alone
check_no_traces "nothing is left"

# The latency of a record, held against a reference that is computed here from the raw samples; and
# against delays that are known, because the DUT made them.
. "$(dirname "$0")/lib.sh"

# What the samples say, as a record would. Round trips are whole cycles of the TSC, which 0.1 ns
# tell apart, so that they are put back into cycles first. Jitter is RFC 3550's J += (|D| - J) / 16
# in real numbers; percentiles are the nearest rank; delay variation is of neighbours in sequence.
reference() { # RECORD CSV
	awk -F, -v hz="$(jq .tsc_hz "$1")" '
	NR == 1 { next }
	{
		cycles = int($5 * hz / 1e9 + 0.5)
		if (n && $3 != seq && $4 < rx) disorder++
		if (n) {
			d = cycles > last ? cycles - last : last - cycles
			jitter += (d - jitter) / 16
			if ($3 == seq + 1) { pairs++; variation += d; if (d > most) most = d }
		}
		if ($3 in seen) again++
		seen[$3]; seq = $3; rx = $4; last = cycles
		printf "%.0f\n", cycles > sorted
		n++; sum += cycles; squares += cycles * cycles
	}
	function ns(c) { return c * 1e9 / hz }
	function rank(q, i) { i = int(q * n); if (i < q * n) i++; return ns(v[i < 1 ? 1 : i]) }
	END {
		close(sorted)
		while ((("sort -n " sorted) | getline c) > 0) v[++k] = c
		mean = sum / n
		printf "{\"count\":%d,\"min\":%.3f,\"mean\":%.3f,\"max\":%.3f,\"stdev\":%.3f,", n, ns(v[1]), ns(mean), ns(v[n]),
			ns(sqrt(squares / n - mean * mean))
		printf "\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"p9999\":%.3f,", rank(.5), rank(.9), rank(.99),
			rank(.999), rank(.9999)
		printf "\"jitter\":%.4f,\"ipdv_mean\":%.4f,\"ipdv_max\":%.3f,\"pairs\":%d,\"again\":%d,\"disorder\":%d}\n", ns(jitter),
			pairs ? ns(variation / pairs) : 0, ns(most), pairs, again, disorder
	}' sorted="$T/sorted" "$2"
}

# close A B TOLERANCE, in jq.
NEAR='def near($a; $b; $by): ($a - $b | fabs) <= $by;'

# agrees NAME: record run.out and samples in samples.csv say the same.
agrees() {
	local exact=0.51 bucket

	reference "$T/run.out" "$T/samples.csv" >"$T/reference.out"
	bucket="near(\$r[.]; \$l[.]; \$r[.] * 0.001 + 1)"
	with() { check_json "$1" "$T/run.out" "$NEAR \$ref[0] as \$r | .latency_ns as \$l | $2" --slurpfile ref "$T/reference.out"; }
	with "$1: every frame gave a sample" '$r.count == .rx.received and $r.count == $l.count and $r.again == 0'
	with "$1: they are in order of arrival" '$r.disorder == 0'
	with "$1: min, max and mean" "[\"min\", \"max\", \"mean\"] | all(near(\$r[.]; \$l[.]; $exact))"
	with "$1: standard deviation" 'near($r.stdev; $l.stdev; $r.stdev * 1e-6 + 0.5)'
	with "$1: percentiles" "[\"p50\", \"p90\", \"p99\", \"p999\", \"p9999\"] | all($bucket)"
	with "$1: PDV" 'near($r.p999 - $r.min; $l.pdv; $r.p999 * 0.001 + 1)'
	# Half a sixteenth of a cycle is rounded away a frame: at most half a cycle once it has settled.
	with "$1: jitter of RFC 3550" 'near($r.jitter; $l.jitter; 0.5e9 / .tsc_hz + 0.001)'
	with "$1: delay variation" 'near($r.ipdv_mean; .ipdv_ns.mean; 0.001) and near($r.ipdv_max; .ipdv_ns.max; 0.51)'
	check_json "$1: clean figures are of no more samples" "$T/run.out" \
		'.latency_clean_ns.count <= .latency_ns.count and .latency_clean_ns.max <= .latency_ns.max
		and .latency_clean_ns.min >= .latency_ns.min
		and (.stalls.count > 0 or .latency_clean_ns == .latency_ns)'
	check "$1: ordered" "$(jq -c .latency_ns "$T/run.out")" jq -e \
		'.latency_ns | [.min, .p50, .p90, .p99, .p999, .p9999, .max] | . == sort' "$T/run.out"
}

# sampled NAME GEN_OPTIONS...: on the DUT that runs.
sampled() {
	local name=$1

	shift
	gen run run --json --samples "$T/samples.csv" "${WAIT[@]}" "$@"
	check_equal "$name: status" "$status" 0
	agrees "$name"
}

through_io() { # LINK
	use_link "$1"
	start_dut --on-full wait
	sampled "$1, io, 20 kpps, burst 1" --rate 20kpps --frames 5000 --burst 1
	check_json "$1, io: samples are of one order" "$T/reference.out" '.pairs == .count - 1'
	sampled "$1, io, max, bursts" --rate max --frames 30000 --burst 32
	stop_dut
}

through_impairment() {
	use_link vhost
	start_dut --forward-mode=impair --impair drop=0.02,dup=0.02,reorder=0.02:4,delay=10us..200us
	sampled "vhost, everything at once" --rate 20kpps --frames 6000
	check_json "vhost: pairs across a gap are none" "$T/reference.out" '.pairs < .count - 50'
	stop_dut
}

limit() {
	use_link vhost
	start_dut --on-full wait
	gen run run --json --samples "$T/samples.csv" --samples-limit 100 --repeat 2 --rate 20kpps --frames 1000 "${WAIT[@]}"
	check_equal "--samples-limit holds, for each trial" \
		"$(tail -n +2 "$T/samples.csv" | cut -d, -f 1 | sort | uniq -c | awk '{printf "%s:%s ", $2, $1}')" "1:100 2:100 "
	check_equal "the first are kept" "$(sed -n '2p;101p' "$T/samples.csv" | cut -d, -f 3 | tr '\n' ' ')" "0 99 "
	gen bad run --json --samples "$T/no/such/folder.csv" --frames 10 "${WAIT[@]}"
	check_equal "a file that cannot be written: status" "$([ "$status" = 0 ] || echo told)" told
	check_line "a file that cannot be written: one line" "$T/bad.err"
	stop_dut
}

# Nothing makes a delayed frame early, so that the lower bounds hold on any machine. The upper ones
# hold on a quiet one: a trial without stalls is looked for, a few times.
known_delays() {
	local i

	use_link vhost
	start_dut --forward-mode=impair --impair delay=200us
	gen run run --rate 10kpps --frames 2000 --json "${WAIT[@]}"
	check_json "a fixed delay of 200 us: no frame is sooner" "$T/run.out" '.latency_ns.min >= 200000 and .rx.lost == 0'
	stop_dut
	start_dut --forward-mode=impair --impair delay=50us..80us --seed 11
	sampled "uniform delay" --rate 10kpps --frames 5000 --burst 1
	check_json "uniform delay: min" "$T/run.out" '.latency_ns.min >= 50000'
	check_json "uniform delay: percentiles are the uniform's at least" "$T/reference.out" \
		'.p50 >= 64000 and .p90 >= 76000 and .p99 >= 79000'
	for ((i = 0; i < 3; i++)); do
		gen run run --rate 5kpps --frames 1000 --burst 1 --json --dut-telemetry "$(dut_telemetry)" "${WAIT[@]}"
		jq -e '.stalls.count + .dut.stalls.count == 0' "$T/run.out" >/dev/null 2>&1 && break
	done
	if [ $i -lt 3 ]; then
		check_json "uniform delay: p50 of a quiet trial" "$T/run.out" \
			'.latency_clean_ns.p50 >= 60000 and .latency_clean_ns.p50 <= 75000'
	else
		skip "uniform delay: p50 of a quiet trial" "stalls in each of $i trials: p50 $(jq .latency_clean_ns.p50 "$T/run.out") ns"
	fi
	stop_dut
}

through_io vhost
through_io memif
through_impairment
limit
known_delays
check_no_traces "nothing is left"

#!/bin/bash
# The test methods on real programs: a DUT whose policer is known, a run that is killed and goes on, a soak.
. "$(dirname "$0")/lib.sh"

# Frames that find a ring full wait: a loop that loses nothing but what the DUT takes out by count.
QUICK=(--size 64 --drain 200ms --warmup 50ms --settle 20ms --on-full wait)
POLICER=rate=20kpps:256

usage() {
	local dir=$T/none

	gen which rfc2544
	check_equal "rfc2544 without a test: status" "$status" 2
	check_line "rfc2544 without a test: one line" "$T/which.err"
	gen unknown rfc2544 thruput
	check_equal "an unknown test: status" "$status" 2
	check "an unknown test: named" "$(cat "$T/unknown.err")" grep -q "unknown test 'thruput'" "$T/unknown.err"
	gen share rfc2544 throughput --loss-tolerance 150%
	check_equal "a share above 100 %: status" "$status" 2
	check_line "a share above 100 %: one line" "$T/share.err"
	gen rate soak
	check_equal "a soak without a rate: status" "$status" 2
	check_line "a soak without a rate: one line" "$T/rate.err"
	gen gone rfc2544 throughput --resume "$dir" --out "$dir.other"
	check_equal "--resume and --out: status" "$status" 2
	gen plan rfc2544 all --sizes 64,1518 --dry-run
	check_equal "--dry-run: status" "$status" 0
	check "--dry-run: says how long, and what is left out" "$(cat "$T/plan.out")" \
		grep -Eq '2 sizes, [0-9:]+ at most' "$T/plan.out"
	check "--dry-run: the reset test is left out by name" "$(cat "$T/plan.out")" grep -q 'reset is left out' "$T/plan.out"
}

throughput() { # LINK
	use_link "$1"
	start_dut --forward-mode=impair --impair "$POLICER" --seed 1 --on-full wait
	LIMIT=120 gen found rfc2544 throughput "${QUICK[@]/--size/--sizes}" --duration 500ms --width 2% --retry-disturbed 1 \
		--min-rate 5kpps --max-rate 60kpps --out "$T/$1" --json
	check_equal "$1: throughput: status" "$status" 0
	tail -n 1 "$T/found.out" >"$T/test.out"
	# 20 kpps and the bucket of 256 frames over half a second. A busy machine may hold trials up until what is found is too
	# low, and then the result says so; too high it is never.
	check_json "$1: throughput: the policer's rate" "$T/test.out" '.schema == "tandem.test/1" and .test == "throughput"
		and (.outcome == "found" or (.reasons | length > 0)) and .throughput_pps < 21000
		and (.throughput_pps > 19000 or (.reasons | length > 0))'
	check "$1: throughput: every trial on disk" "$(wc -l <"$T/$1/trials.jsonl")" \
		jq -es --argjson n "$(jq .trials "$T/test.out")" '[.[].test.step] | unique | length == $n' "$T/$1/trials.jsonl"
	check "$1: throughput: bounds are achieved loads" "$(cat "$T/test.out")" \
		jq -es --slurpfile t "$T/test.out" 'any(.[];
			((.tx.sent / .duration_s.actual) / ($t[0].throughput_pps // $t[0].lower_bound_pps) - 1)
			| . < 1e-6 and . > -1e-6)' "$T/$1/trials.jsonl"
	check "$1: throughput: report.txt and report.csv" "" test -s "$T/$1/report.txt" -a -s "$T/$1/report.csv"
	stop_dut
}

# Both goals in one search, in trials of half a second: the policer lets 20 kpps and its bucket of 256 frames pass.
mlrsearch() {
	local goal=initial=200ms:trial=400ms:sum=800ms:width=4%

	use_link memif
	start_dut --forward-mode=impair --impair "$POLICER" --seed 1 --on-full wait
	gen mlr mlrsearch "${QUICK[@]/--size/--sizes}" --goal "ndr=0%:$goal" --goal "pdr=0.5%:$goal" --min-rate 5kpps \
		--max-rate 60kpps --max-time 20s --retry-disturbed 1 --out "$T/mlr" --json
	grep -F '"test": "mlrsearch"' "$T/mlr.out" >"$T/test.out" || grep -F '"test":"mlrsearch"' "$T/mlr.out" >"$T/test.out"
	check_json "MLRsearch: a result a goal" "$T/test.out" '.outcome == "found" or .outcome == "irregular"
		or (.reasons | length > 0)'
	# 8,256 frames of 0.4 seconds, and what a busy machine adds by holding them up: a result that is too high
	# would be wrong, one that is too low says why.
	check_json "MLRsearch: the policer's rate" "$T/test.out" '[.goals[]] | length == 2 and all(.[];
		.relevant_lower_bound_pps == null or (.relevant_lower_bound_pps < 21500 and .conditional_throughput_pps < 21500
			and (.relevant_upper_bound_pps == null or .relevant_upper_bound_pps > .relevant_lower_bound_pps)))'
	check_json "MLRsearch: not too low, unless it says why" "$T/test.out" '(.reasons | length > 0) or .outcome == "irregular"
		or all(.goals[]; .conditional_throughput_pps > 19000)'
	check "MLRsearch: every trial on disk" "$(wc -l <"$T/mlr/trials.jsonl")" \
		test "$(wc -l <"$T/mlr/trials.jsonl")" -ge "$(jq .trials "$T/test.out")"
	stop_dut
}

trials_of() { jq -c '[.test.name, .test.step, .test.attempt]' "$1/trials.jsonl"; }
enough_trials() { [ "$(wc -l <"$T/all/trials.jsonl")" -ge 6 ]; }

resume() {
	local options=(rfc2544 all --sizes 64 "${QUICK[@]:2}" --duration 300ms --min-rate 5kpps --max-rate 60kpps --width 4%
		--repetitions 1 --retry-disturbed 1)
	local before

	use_link vhost
	start_dut --forward-mode=impair --impair "$POLICER" --seed 1 --on-full wait
	start_gen all "${options[@]}" --out "$T/all"
	within 40 enough_trials
	stop_program "$gen_pid" KILL
	rm -rf "/var/run/dpdk/$PREFIX-gen"
	cp "$T/all/trials.jsonl" "$T/before.jsonl"
	before=$(wc -l <"$T/before.jsonl")
	check "killed in the middle: its trials are on disk" "$before trials" test "$before" -ge 6
	gen other "${options[@]/300ms/400ms}" --resume "$T/all" --max-rate 50kpps
	check_equal "resumed with other options: status" "$status" 2
	check "resumed with other options: says so" "$(cat "$T/other.err")" grep -q 'another plan' "$T/other.err"
	LIMIT=150 gen more "${options[@]}" --resume "$T/all"
	check_equal "resumed: status" "$status" 0
	check_equal "resumed: what was there stands as it was" "$(head -n "$before" "$T/all/trials.jsonl" | md5sum)" \
		"$(md5sum <"$T/before.jsonl")"
	check_equal "resumed: no trial twice" "$(trials_of "$T/all" | sort | uniq -d)" ""
	check_equal "resumed: all tests ended, once" "$(jq -r .test "$T/all/tests.jsonl" | tr '\n' ' ')" \
		"throughput latency loss back-to-back recovery "
	check "resumed: steps without a hole" "$(trials_of "$T/all" | tr '\n' ' ')" \
		jq -es 'group_by(.test.name) | all(.[]; ([.[].test.step] | unique) == [range(0; ([.[].test.step] | max) + 1)])' \
		"$T/all/trials.jsonl"
	# At 60 kpps a third of the burst leaves the bucket of 256 meanwhile, so 384 pass. On a busy machine a DUT that is
	# held up for longer than the drain makes it less, but never less than the bucket; and one that is too busy to send
	# so fast says that the generator was the limit.
	check "back-to-back: the bucket" "$(jq -c 'select(.test == "back-to-back")' "$T/all/tests.jsonl")" \
		jq -es 'any(.[]; .test == "back-to-back" and (.outcome == "generator-limited" or .burst_rate_pps < 59000 or
			(.burst_frames.mean > 255 and .burst_frames.mean < 400
			and .corrected_buffer_s > 0.0028 and .corrected_buffer_s < 0.0046)))' \
		"$T/all/tests.jsonl"
	check "loss: falls to none" "$(jq -c 'select(.test == "loss")' "$T/all/tests.jsonl")" \
		jq -es 'any(.[]; .test == "loss" and (.points[0].loss_ratio > 0.5 or (.reasons | length > 0))
			and .points[-1].loss_ratio == 0)' "$T/all/tests.jsonl"
	check "latency: four loads" "$(jq -c 'select(.test == "latency")' "$T/all/tests.jsonl" | cut -c1-300)" \
		jq -es 'any(.[]; .test == "latency" and ([.loads[].percent] == [100, 90, 50, 10])
			and all(.loads[]; .latency_ns.p50 <= .latency_ns.p999))' "$T/all/tests.jsonl"
	check "the report names each test" "$(head -c 300 "$T/more.out")" \
		awk '/^Throughput/ {a = 1} /^Latency/ {b = 1} /^Frame loss/ {c = 1} /^Back-to-back/ {d = 1} /^System recovery/ {e = 1}
			END {exit !(a && b && c && d && e)}' "$T/more.out"
	gen finished "${options[@]}" --resume "$T/all"
	check_equal "a finished run resumed: nothing is sent again" "$status $(wc -l <"$T/all/trials.jsonl")" \
		"0 $(wc -l <"$T/all/trials.jsonl")"
	check "a finished run resumed: the same report" "$(diff <(sed 1d "$T/more.out") <(sed 1d "$T/finished.out") | head -n 4)" \
		cmp "$T/more.out" "$T/finished.out"
	stop_dut
}

resident() { awk '/^VmRSS/ {print $2}' "/proc/$gen_pid/status"; }
intervals() { [ "$(cat "$T/soak/trials.jsonl" 2>/dev/null | wc -l)" -ge "$1" ]; }

soak() {
	local early late

	use_link vhost
	start_dut --on-full wait
	start_gen soak soak "${QUICK[@]:0:6}" --on-full wait --rate 10kpps --duration 60s --interval 100ms --out "$T/soak" --json
	within 40 intervals 10
	early=$(resident)
	within 60 intervals 60
	late=$(resident)
	check "a soak: memory is flat" "$early kB after 10 intervals, $late kB after 60" test "$((late - early))" -lt 1024
	stop_program "$gen_pid" INT
	check_equal "a soak ended by Ctrl-C: status" "$status" 1
	tail -n 1 "$T/soak.out" >"$T/soaked.out"
	check_json "a soak ended by Ctrl-C: what it found stands" "$T/soaked.out" '.test == "soak" and .intervals >= 60
		and .lost == 0 and .worst.trial >= 1 and .interval_s == 0.1'
	check "a soak: a record an interval" "$(wc -l <"$T/soak/trials.jsonl")" \
		test "$(jq .intervals "$T/soaked.out")" = "$(wc -l <"$T/soak/trials.jsonl")"
	stop_dut
}

# The DUT stands still for 300 ms: what the frames in its rings bridge is not felt.
reset() {
	use_link vhost
	start_dut --on-full wait
	gen reset rfc2544 reset --sizes 64 --drain 500ms --warmup 50ms --settle 20ms --duration 2s --max-rate 20kpps --json \
		--reset-command "kill -STOP $dut_pid; sleep 0.4; kill -CONT $dut_pid"
	check_equal "reset: status" "$status" 0
	tail -n 1 "$T/reset.out" >"$T/test.out"
	check_json "reset: the outage" "$T/test.out" '.test == "reset" and .outcome == "found" and .outage_s > 0.25
		and .outage_s < 1.5 and .lost > 1000'
	gen none rfc2544 reset --sizes 64 --drain 500ms --warmup 50ms --settle 20ms --duration 300ms --max-rate 20kpps --json \
		--on-full wait --reset-command "exit 3"
	check "reset: a command that fails is named" "$(cat "$T/none.err")" grep -q 'ended with status 3' "$T/none.err"
	stop_dut
}

# The policer takes what is too much; the DUT is down from before the load falls to 250 ms after that. Stamps say when.
recovery() {
	use_link vhost
	start_dut --forward-mode=impair --impair "$POLICER,outage=900ms..1250ms" --seed 1 --on-full wait
	gen recovery rfc2544 recovery --sizes 64 "${QUICK[@]:2}" --duration 1s --throughput 20kpps --max-rate 60kpps \
		--repetitions 2 --json
	check_equal "recovery: status" "$status" 0
	tail -n 1 "$T/recovery.out" >"$T/test.out"
	check_json "recovery: the time until loss ends" "$T/test.out" '.test == "recovery" and .outcome == "found"
		and .repetitions == 2 and .recovery_s.min > 0.24 and .recovery_s.max < 0.26
		and .overload_pps > 21999 and .overload_pps < 22001'
	check_equal "recovery: --throughput is not searched for" "$(jq -r 'select(.test | type == "string").test' "$T/recovery.out")" \
		recovery
	stop_dut
}

usage
throughput memif
mlrsearch
resume
recovery
soak
reset

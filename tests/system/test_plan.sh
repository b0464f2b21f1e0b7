#!/bin/bash
# A plan of several tests: their folders, a plan that is killed twice and goes on, Ctrl-C, what is refused before it begins.
. "$(dirname "$0")/lib.sh"

PLAN=$T/plan.yaml
OUT=$T/out

# Frames that find a ring full wait: a loop that loses nothing but what the policer takes.
cat >"$PLAN" <<END
title: four steps
out: $OUT
defaults:
  duration: 300ms
  warmup: 50ms
  drain: 200ms
  on-full: wait
tests:
  - run:
    rate: 10kpps
  - sweep:
    sizes: [64, 128, 256, 512]
    rate: 10kpps
  - rfc2544: throughput
    sizes: [64, 512]
    settle: 20ms
    min-rate: 5kpps
    max-rate: 60kpps
    width: 2%
  - soak:
    rate: 10kpps
    interval: 100ms
END

child_of() { pgrep -P "$1"; }
lines() { cat "$1" 2>/dev/null | wc -l; }
has_trials() { [ "$(lines "$OUT/$1/trials.jsonl")" -ge "$2" ]; }
trials_of() { jq -c '[.frame_size, .test.name, .test.step, .test.attempt]' "$1/trials.jsonl"; }
steps() { jq -c '[.step, .verb, .word, .dir, .status]' "$OUT/plan.jsonl" | tr '\n' ' '; }

# refused NAME WHAT: status 2, one line that says WHAT, nothing begun.
refused() {
	check_equal "$1: status" "$status" 2
	check_line "$1: one line" "$T/refused.err"
	check "$1: said so" "$(cat "$T/refused.err")" grep -q -- "$2" "$T/refused.err"
}

errors() {
	use_link vhost
	sed 's/interval: 100ms/intervall: 100ms/' "$PLAN" >"$T/typo.yaml"
	gen refused --plan "$T/typo.yaml"
	refused "a plan with an error" "typo.yaml:22: .*--intervall.* did you mean --interval"
	check "a plan with an error: nothing is made" "$(ls "$OUT" 2>&1)" test ! -e "$OUT"
	sed '/interval/a\    out: elsewhere' "$PLAN" >"$T/two.yaml"
	gen refused --plan "$T/two.yaml"
	refused "a test with a folder of its own" "two.yaml:20: a plan has one folder"
	sed 's/soak:/selftest:/' "$PLAN" >"$T/verb.yaml"
	gen refused --plan "$T/verb.yaml"
	refused "a verb that no plan has" "verb.yaml:20: unknown verb 'selftest'"
	gen refused --plan "$T/none.yaml"
	refused "no such plan" "none.yaml: "
	gen refused --plan "$PLAN" --resume
	refused "--resume of nothing" "holds no plan to go on with"
	sed '/^out:/d' "$PLAN" >"$T/nowhere.yaml"
	gen refused --plan "$T/nowhere.yaml" --resume
	refused "--resume without a folder" "needs the plan's folder"
	gen help --plan --help
	check_equal "--plan --help: status" "$status" 0
	check "--plan --help: lists the options" "$(head -n 3 "$T/help.out")" grep -q -- '--dry-run' "$T/help.out"
}

dry_run() {
	gen dry --plan "$PLAN" --dry-run
	check_equal "--dry-run: status" "$status" 0
	# A run of 300 ms, four of them, a search over two sizes, a soak: each with its warm-up and drain.
	check "--dry-run: each step" "$(cat "$T/dry.out")" \
		awk '/^step 1 of 4: run$/ {a = 1} /^step 3 of 4: rfc2544 throughput$/ {b = 1} /^4 sizes, 1 rate, 0:02 at most$/ {c = 1}
			/^throughput +512 / {d = 1} END {exit !(a && b && c && d)}' "$T/dry.out"
	check "--dry-run: the whole" "$(tail -n 1 "$T/dry.out")" grep -Eq '^4 steps, 0:[0-9]+ in all' "$T/dry.out"
	check "--dry-run: nothing is made" "$(ls "$OUT" 2>&1)" test ! -e "$OUT"
	if "$GEN" --help | grep -q mlrsearch; then
		gen acceptance --plan gen/plans/acceptance.yaml --dry-run
		check_equal "the example's dry run: status" "$status" 0
		check "the example's dry run: five steps" "$(tail -n 1 "$T/acceptance.out")" grep -q '^5 steps, ' "$T/acceptance.out"
	else
		skip "the example's dry run" "there is no mlrsearch"
	fi
}

# kill_in STEP TRIALS: the plan and its child with -9, once the step has so many.
kill_in() {
	local child

	within 60 has_trials "$1" "$2"
	child=$(child_of "$gen_pid")
	{
		kill -KILL "$child" "$gen_pid"
		wait "$gen_pid"
	} 2>/dev/null
	within 5 is_gone "$child"
}

killed() {
	local before before_search

	use_link vhost
	start_dut --forward-mode=impair --impair rate=20kpps:256 --seed 1 --on-full wait
	start_gen first --plan "$PLAN"
	kill_in 02-sweep 2
	check_equal "killed in the sweep: what is finished" "$(steps)" '[1,"run",null,"01-run",0] '
	gen refused --plan "$PLAN"
	refused "a folder with a plan" "holds a plan already: --resume goes on"
	sed 's/10kpps/11kpps/' "$PLAN" >"$T/other.yaml"
	gen refused --plan "$T/other.yaml" --resume
	refused "another plan resumed" "is not the plan that .* was started with"
	gen left --plan "$PLAN" --resume --dry-run
	check "--resume --dry-run: what is done" "$(cat "$T/left.out")" grep -q '^step 1 of 4: run: done before$' "$T/left.out"
	check_equal "--resume --dry-run: what is left" "$(tail -n 1 "$T/left.out" | cut -d, -f1)" "3 steps"
	md5sum "$OUT"/01-run/* >"$T/run.md5"
	before=$(md5sum <"$OUT/02-sweep/trials.jsonl")
	start_gen second --plan "$PLAN" --resume
	kill_in 03-rfc2544-throughput 5
	check "resumed: a sweep begins again, what it had is kept" "$(ls "$OUT")" \
		test "$before" = "$(md5sum <"$OUT/02-sweep.before-1/trials.jsonl")" -a "$(lines "$OUT/02-sweep/trials.jsonl")" = 4
	cp "$OUT/03-rfc2544-throughput/trials.jsonl" "$T/search.jsonl"
	before_search=$(lines "$T/search.jsonl")
	LIMIT=100 gen third --plan "$PLAN" --resume
	check_equal "resumed twice: status" "$status" 0
	check_equal "resumed twice: each step once" "$(steps)" \
		'[1,"run",null,"01-run",0] [2,"sweep",null,"02-sweep",0] [3,"rfc2544","throughput","03-rfc2544-throughput",0] [4,"soak",null,"04-soak",0] '
	check "resumed: the finished step is as it was" "$(ls -l "$OUT/01-run")" md5sum -c --status "$T/run.md5"
	check_equal "resumed: finished trials stand as they were" \
		"$(head -n "$before_search" "$OUT/03-rfc2544-throughput/trials.jsonl" | md5sum)" "$(md5sum <"$T/search.jsonl")"
	check_equal "resumed: no trial twice" "$(trials_of "$OUT/03-rfc2544-throughput" | sort | uniq -d)" ""
	check_equal "between the steps" "$(grep '^step' "$T/third.err" | tr '\n' ';')" \
		"step 1 of 4: run: done before;step 2 of 4: sweep: done before;step 3 of 4: rfc2544 throughput: goes on;step 4 of 4: soak;"
	check "the report: on the screen and in the folder" "$(tail -n 20 "$T/third.out")" \
		test "$(tail -n "$(lines "$OUT/report.txt")" "$T/third.out" | md5sum)" = "$(md5sum <"$OUT/report.txt")"
	check_equal "the report: a row a test" "$(cut -d, -f1,5 "$OUT/report.csv" | tr '\n' ' ')" \
		"test,frame_size throughput,64 throughput,512 soak,64 "
	check "each step: its own options" "$(jq -c .rate_requested_pps "$OUT"/0*/trials.jsonl | tr '\n' ' ')" \
		jq -es 'map(.frame_size) == [64, 128, 256, 512] and all(.[]; .rate_requested_pps == 10000)' "$OUT/02-sweep/trials.jsonl"
	cat "$OUT"/0*/trials.jsonl >"$T/trials.before"
	gen fourth --plan "$PLAN" --resume
	check_equal "a finished plan resumed: status" "$status" 0
	check "a finished plan resumed: nothing is sent" "$(tail -n 5 "$T/fourth.err")" \
		test "$(grep -c 'done before' "$T/fourth.err")" = 4 -a "$(cat "$OUT"/0*/trials.jsonl | md5sum)" = "$(md5sum <"$T/trials.before")"
	stop_dut
	check_equal "the DUT outlived them all" "$dut_status" 0
}

# A soak that would last longer than the test, after a run that ends.
stopped() {
	local child

	cat >"$T/long.yaml" <<-END
		json: true
		defaults: {warmup: 50ms, drain: 200ms, on-full: wait, rate: 10kpps}
		tests:
		  - run:
		    duration: 200ms
		  - soak:
		    duration: 10m
		    interval: 100ms
		  - run:
		    duration: 200ms
	END
	OUT=$T/long
	use_link vhost
	start_dut --on-full wait
	start_gen long --plan "$T/long.yaml" --out "$OUT"
	within 40 has_trials 02-soak 3
	child=$(child_of "$gen_pid")
	stop_program "$gen_pid" INT
	check_equal "Ctrl-C: status" "$status" 1
	check "Ctrl-C: the child is gone" "$child" is_gone "$child"
	check "Ctrl-C: no file of it is left" "$(ls /var/run/dpdk)" test ! -e "/var/run/dpdk/$PREFIX-gen"
	check_equal "Ctrl-C: what is finished" "$(steps)" '[1,"run",null,"01-run",0] '
	check "Ctrl-C: the soak's intervals stand, the third step did not begin" "$(ls "$OUT")" \
		test -s "$OUT/02-soak/tests.jsonl" -a ! -e "$OUT/03-run"
	check "Ctrl-C: said so" "$(tail -n 2 "$T/long.err")" grep -q 'was stopped: --resume goes on' "$T/long.err"
	check_json "json: nothing else on stdout" "$T/long.out" '.schema | test("^tandem[.](trial|test)/1$")'

	# The plan alone is killed: nobody is there to tell its child.
	start_gen orphan --plan "$T/long.yaml" --out "$OUT" --resume
	within 40 has_trials 02-soak 3
	child=$(child_of "$gen_pid")
	{ kill -KILL "$gen_pid" && wait "$gen_pid"; } 2>/dev/null
	check "the plan killed with -9: its child ends" "$child" within 15 is_gone "$child"
	check "the plan killed with -9: its child leaves nothing" "$(ls /var/run/dpdk)" test ! -e "/var/run/dpdk/$PREFIX-gen"
	stop_dut
}

# A child that is killed ends the plan; a step that found no peer is tried again.
failed() {
	cat >"$T/short.yaml" <<-END
		defaults: {warmup: 50ms, drain: 200ms, on-full: wait, rate: 10kpps, wait-link: 100ms, duration: 200ms}
		tests: [{run: }, {soak: , interval: 100ms}]
	END
	OUT=$T/short
	use_link vhost
	gen absent --plan "$T/short.yaml" --out "$OUT"
	check_equal "no peer: status" "$status" 1
	check_equal "no peer: both steps were tried" "$(steps)" '[1,"run",null,"01-run",1] [2,"soak",null,"02-soak",1] '
	start_dut --on-full wait
	gen again --plan "$T/short.yaml" --out "$OUT" --resume
	check_equal "steps that failed, resumed: status" "$status" 0
	check_equal "steps that failed, resumed: done now" "$(jq -c '[.step, .status]' "$OUT/plan.jsonl" | tail -n 2 | tr '\n' ' ')" "[1,0] [2,0] "
	OUT=$T/shot
	start_gen shot --plan "$T/long.yaml" --out "$OUT"
	within 40 has_trials 02-soak 2
	kill -KILL "$(child_of "$gen_pid")"
	wait_program "$gen_pid" 10
	check_equal "a child killed with -9: status" "$status" 1
	check "a child killed with -9: said so" "$(tail -n 1 "$T/shot.err")" \
		grep -q 'step 2 of 3, soak, was ended by signal 9' "$T/shot.err"
	check "a child killed with -9: the plan stops" "$(ls "$OUT")" test ! -e "$OUT/03-run"
	stop_dut
	rm -rf "/var/run/dpdk/$PREFIX-gen" # of the one that was shot
}

errors
dry_run
killed
stopped
failed
check_no_traces "no trace"

# Stalls: a stopped program records that it stood still, the generator's own are kept out of the
# clean latency, the DUT's stay in, and losses are put down to whoever stood still.
. "$(dirname "$0")/lib.sh"

# A shared machine takes cores away for up to 20 ms all the time. Only longer gaps are stalls here:
# then those made on purpose stand out, and a frame that met none travels for less than twice this.
THRESHOLD=22ms
STOP_S=0.05
STOP_MIN_NS=45e6

# stopped PID...: stops a program for 50 ms again and again until the generator ends, so that it
# happens during the trial however long the start takes. It has started to send when this is called.
stopped() {
	until is_gone "$gen_pid"; do
		kill -STOP "$1"
		sleep $STOP_S
		kill -CONT "$1"
		sleep 0.4
	done 2>/dev/null
	wait_program "$gen_pid" 30
}

# trial_with WHO GEN_OPTIONS...: a trial in which "dut" or "gen" is stopped.
trial_with() {
	local who=$1 pid

	shift
	start_gen run run --duration 1300ms --json --stall-threshold $THRESHOLD --dut-telemetry "$(dut_telemetry)" "$@"
	within 30 traffic_flows "$(($(dut_rx) + 1000))"
	pid=$dut_pid
	[ "$who" = dut ] || pid=$gen_pid
	stopped "$pid"
}

# unless_stalled WHOSE NAME FILTER: of a trial that would be spoilt by one more stall than were made.
unless_stalled() {
	if jq -e "$1.count == 0" "$T/run.out" >/dev/null; then
		check_json "$2" "$T/run.out" "$3"
	else
		skip "$2" "the machine added a stall of $(jq -c "$1" "$T/run.out")"
	fi
}

dut_stops() {
	use_link vhost
	start_dut --on-full wait --stall-threshold $THRESHOLD --stats "$T/dut.json"
	trial_with dut --rate 20kpps "${WAIT[@]}"
	check_equal "the DUT is stopped: the generator ends by itself" "$status" 0
	check_json "the DUT is stopped: its stall of 50 ms is in the record" "$T/run.out" \
		".dut.stalls.count >= 1 and .dut.stalls.max_ns >= $STOP_MIN_NS and .dut.stalls.total_ns >= .dut.stalls.max_ns"
	check_json "the DUT is stopped: nothing is lost by it, with room to wait" "$T/run.out" \
		"($ACCOUNTS) and .rx.lost == 0 and .verdict != \"invalid\""
	check_json "the DUT is stopped: latency shows it" "$T/run.out" '.latency_ns.max >= 40e6'
	unless_stalled .stalls "the DUT is stopped: the clean latency, too, for it is the DUT's" \
		'.latency_clean_ns.max >= 40e6 and .latency_clean_ns == .latency_ns'
	stop_dut
	check_json "the DUT is stopped: its own record has the stall" "$T/dut.json" ".stalls.max_ns >= $STOP_MIN_NS"
}

generator_stops() {
	use_link vhost
	start_dut --on-full wait --stall-threshold $THRESHOLD --stats "$T/dut.json"
	trial_with gen --rate 20kpps "${WAIT[@]}"
	check_equal "the generator is stopped: it ends by itself" "$status" 0
	check_json "the generator is stopped: its stall of 50 ms is in the record" "$T/run.out" \
		".stalls.count >= 1 and .stalls.max_ns >= $STOP_MIN_NS and .stalls.total_ns >= .stalls.max_ns"
	check_json "the generator is stopped: the trial is disturbed, by a stall and by what was not sent" "$T/run.out" \
		'.verdict == "disturbed" and (.reasons | any(test("the generator stalled"))) and .tx.unsent >= 500'
	check_json "the generator is stopped: nothing is caught up, nothing is lost" "$T/run.out" \
		"($ACCOUNTS) and .rx.lost == 0"
	check_json "the generator is stopped: the latency of clean samples is another" "$T/run.out" \
		'.latency_clean_ns.count <= .latency_ns.count and .latency_clean_ns.max <= .latency_ns.max'
	unless_stalled .dut.stalls "the generator is stopped: clean latency knows nothing of it" \
		".latency_clean_ns.max < $STOP_MIN_NS"
	stop_dut
}

# A ring that holds less than comes in 50 ms: what is due meanwhile is refused at the DUT's door.
door() {
	use_link vhost
	GEN_LINK[1]=${GEN_LINK[1]/queue_size=1024/queue_size=128}
	start_dut --on-full wait --stall-threshold $THRESHOLD
	trial_with dut --rate 20kpps --on-full drop --warmup 0 --drain 500ms
	check_json "a full ring: refused, and lost to the DUT" "$T/run.out" \
		"($ACCOUNTS) and .tx.refused > 200 and .loss_ratio > 0 and .verdict != \"invalid\"
		and ((.rx.lost - (.rx.gen_missed // 0) + .tx.refused) / (.tx.sent + .tx.refused) - .loss_ratio | fabs) < 1e-9"
	check_json "a full ring: no more is put down to stalls than was lost" "$T/run.out" \
		'.rx.lost_in_gen_stall + .rx.lost_in_dut_stall <= .rx.lost'
	stop_dut
}

# dropping NAME THRESHOLD FILTER: drops that have nothing to do with stalls.
dropping() {
	start_dut --forward-mode=impair --impair drop=0.01 --stall-threshold "$2"
	gen run run --rate 20kpps --frames 10000 --json --stall-threshold "$2" --dut-telemetry "$(dut_telemetry)" "${WAIT[@]}"
	check_json "$1" "$T/run.out" ".rx.lost > 0 and ($ACCOUNTS) and $3"
	stop_dut
}

drops() {
	use_link vhost
	dropping "drops without a stall are put down to none" 5s \
		'.stalls.count == 0 and .dut.stalls.count == 0 and .rx.lost_in_gen_stall == 0 and .rx.lost_in_dut_stall == 0'
	dropping "drops among stalls: no more is put down to them than was lost" 100us \
		'.rx.lost_in_gen_stall >= 0 and .rx.lost_in_gen_stall + .rx.lost_in_dut_stall <= .rx.lost
		and (.stalls.count > 0 or .rx.lost_in_gen_stall == 0)'
}

# Every round of the loop is a stall to a threshold of a microsecond: never undisturbed.
retries() {
	use_link vhost
	start_dut --on-full wait --stats "$T/dut.json"
	gen run run --rate 20kpps --frames 1000 --stall-threshold 1us --retry-disturbed 2 --strict --json "${WAIT[@]}"
	check_equal "--retry-disturbed 2 of a trial that is always disturbed ends, and --strict fails: status" "$status" 1
	check_json "--retry-disturbed 2: three attempts" "$T/run.out" '.verdict == "disturbed" and .trial == 3'
	check_equal "--retry-disturbed 2: one record" "$(wc -l <"$T/run.out")" 1
	stop_dut
}

# Stalls that the DUT makes by itself.
ordered() {
	use_link vhost
	start_dut --forward-mode=impair --impair stall=20ms/500ms --stall-threshold 15ms --stats "$T/dut.json"
	gen run run --rate 5kpps --duration 2 --json --dut-telemetry "$(dut_telemetry)" "${WAIT[@]}"
	stop_dut
	check_json "stall=20ms/500ms: the DUT's record has them" "$T/dut.json" '.stalls.count >= 3 and .stalls.max_ns >= 18e6'
	check_json "stall=20ms/500ms: the generator's, too" "$T/run.out" \
		'.dut.stalls.count >= 2 and .dut.stalls.max_ns >= 18e6 and .latency_ns.max >= 15e6 and .rx.lost == 0'
}

dut_stops
generator_stops
door
drops
retries
ordered
check_no_traces "nothing is left"

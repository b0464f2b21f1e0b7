# SIGINT and SIGTERM in each phase: the end comes soon, what was finished is kept, nothing is left.
. "$(dirname "$0")/lib.sh"

# The longest wait for an end. It takes a fraction of a second; a busy machine may need more.
END_S=10

# interrupted NAME SIGNAL: ends the generator in the background and looks at what it did.
interrupted() {
	LIMIT=$END_S stop_program "$gen_pid" "$2"
	check_equal "$1, SIG$2: status" "$status" 1
	check_line "$1, SIG$2: one line" "$T/phase.err"
	check "$1, SIG$2: nothing left" "$(ls -d "/var/run/dpdk/$PREFIX-gen" 2>&1)" \
		test ! -e "/var/run/dpdk/$PREFIX-gen"
}

phases() { # LINK
	use_link "$1"
	start_gen phase run --wait-link 60s
	sleep 1
	interrupted "$1: waiting for the link" INT

	use_link "$1"
	start_dut
	start_gen phase run --rate 20kpps --warmup 60s
	within 30 traffic_flows
	sleep 0.5
	interrupted "$1: warm-up" INT
	check_equal "$1: warm-up: no record" "$(cat "$T/phase.out")" ""

	for signal in INT TERM; do
		start_gen phase run --rate 20kpps --warmup 0 --duration 60
		within 30 traffic_flows "$(($(dut_rx) + 3000))"
		sleep 0.5
		interrupted "$1: measuring" $signal
	done
	start_gen phase run --rate max --warmup 0 --duration 60 --json
	within 30 traffic_flows "$(($(dut_rx) + 3000))"
	interrupted "$1: measuring at max" INT
	stop_dut
	check_equal "$1: the DUT ends cleanly after all that" "$dut_status" 0
}

# A kernel that stops routing in the middle of a trial swallows frames, and the drain waits for them.
drain() {
	if ! is_root; then
		skip "drain" "a kernel path cannot be made here (root is needed)"
		return
	fi
	use_link vhost
	start_dut --forward-mode=kernel --kernel-path=af_packet
	start_gen phase run --rate 20kpps --warmup 0 --duration 2 --drain 60s
	within 30 traffic_flows
	sleep 0.5
	ip netns exec "tandem-$dut_pid" sh -c 'echo 0 >/proc/sys/net/ipv4/ip_forward'
	sleep 3
	check "drain: it waits for what is on its way" "it has ended: $(cat "$T/phase.err")" \
		kill -0 "$gen_pid"
	interrupted "drain" INT
	stop_dut
}

# A DUT that stands still answers nothing: DPDK's driver waits for it when the port is closed, and the
# generator ends without it.
standing_dut() {
	use_link vhost
	start_dut
	start_gen still run --rate 20kpps --warmup 0 --duration 60
	within 30 traffic_flows
	kill -STOP "$dut_pid"
	LIMIT=$END_S stop_program "$gen_pid" INT
	check_equal "a DUT that stands still: one SIGINT ends the generator" "$status" 1
	check "a DUT that stands still: which says why" "$(cat "$T/still.err")" \
		grep -q 'does not answer' "$T/still.err"
	check "a DUT that stands still: nothing is left" "$(ls /var/run/dpdk)" \
		test ! -e "/var/run/dpdk/$PREFIX-gen"
	kill -CONT "$dut_pid"
	stop_dut
	check_equal "a DUT that stood still ends cleanly" "$dut_status" 0
}

sweep() {
	use_link vhost
	start_dut
	start_gen phase sweep --sizes 64,128,256,512 --rate 20kpps --duration 1s --repeat 20 --warmup 0 \
		--drain 200ms --out "$T/swept"
	within 30 sh -c "[ \"\$(wc -l <'$T/swept/trials.jsonl')\" -ge 2 ]"
	interrupted "sweep" INT
	check "sweep: finished trials are kept, whole" "$(wc -l <"$T/swept/trials.jsonl")" \
		jq -es 'length >= 2 and all(.[]; .schema == "tandem.trial/1")' "$T/swept/trials.jsonl"
	check "sweep: their summary too" "no summary.csv" test -s "$T/swept/summary.csv"
	stop_dut
}

# A window that changes its size is no reason to end, nor to lose anything.
window() {
	use_link vhost
	start_dut --on-full wait
	start_gen winch run --rate 20kpps --frames 20000 --json "${WAIT[@]}"
	within 30 traffic_flows
	for _ in 1 2 3; do
		kill -WINCH "$gen_pid" "$dut_pid"
		sleep 0.1
	done
	wait_program "$gen_pid" 30
	check_equal "SIGWINCH: status" "$status" 0
	check_json "SIGWINCH: all is counted" "$T/winch.out" "$EXACT and $ACCOUNTS"
	stop_dut
	check_equal "SIGWINCH: the DUT too" "$dut_status" 0
}

# Ctrl-C on a terminal: typed there, and the terminal is afterwards as it was.
terminal() {
	if ! command -v script >/dev/null; then
		skip "terminal" "the program script (util-linux) is missing"
		return
	fi
	use_link vhost
	start_dut
	cat >"$T/on_tty.sh" <<-END
		trap : INT
		stty -g >'$T/before'
		'$GEN' $(gen_eal) ${GEN_LINK[*]} -- run --rate 20kpps --duration 60 --warmup 0 >'$T/tty.out'
		echo \$? >'$T/tty.status'
		stty -g >'$T/after'
	END
	{
		within 30 traffic_flows
		sleep 2.5 # a progress line comes each second
		printf '\003'
		within 20 test -s "$T/after"
	} | TERM=xterm timeout -k 5 60 script -qefc "bash $T/on_tty.sh" "$T/typescript" >/dev/null 2>&1
	check_equal "Ctrl-C on a terminal: status" "$(cat "$T/tty.status" 2>&1)" 1
	check_equal "Ctrl-C on a terminal: its mode is as before" "$(cat "$T/after")" "$(cat "$T/before")"
	check "a terminal sees progress" "$(tail -c 300 "$T/typescript" | cat -v)" \
		grep -aq 'pps' "$T/typescript"
	stop_dut
}

# The DUT: while it waits for its peer, and while it still sets up.
dut_early() {
	local pause

	for signal in INT TERM; do
		use_link vhost
		start_dut
		LIMIT=$END_S stop_dut $signal
		check_equal "DUT waiting for its peer, SIG$signal: status" "$dut_status" 0
		check "DUT waiting, SIG$signal: its socket is gone" "it is there" test ! -e "${SOCKETS[0]}"
	done
	is_root || return
	for pause in 0.02 0.15 0.4 0.8; do
		use_link vhost
		# shellcheck disable=SC2046
		"$DUT" $(dut_eal) "${DUT_LINK[@]}" -- --forward-mode=kernel --kernel-path=auto --duration 60 \
			>"$T/dut.out" 2>"$T/dut.err" </dev/null &
		dut_pid=$!
		STARTED+=("$dut_pid")
		sleep "$pause"
		LIMIT=$END_S stop_dut TERM
		check "DUT setting up its kernel side, SIGTERM after $pause s: no crash" \
			"status $dut_status: $(tail -n 1 "$T/dut.err")" \
			sh -c "[ '$dut_status' = 0 ] || [ '$dut_status:$pause' = 143:0.02 ]"
		check "... and no namespace left" "tandem-$dut_pid" \
			sh -c "! ip netns list | grep -qw tandem-$dut_pid && [ ! -e /run/tandem/tandem-$dut_pid.json ]"
	done
}

for link in vhost memif; do
	phases $link
done
drain
standing_dut
sweep
window
terminal
dut_early
check_no_traces "nothing is left"

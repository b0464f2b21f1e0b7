# The life of a link: either side first, a peer that is absent, dies or comes back, sockets in the way.
. "$(dirname "$0")/lib.sh"

QUICK=(--rate 20kpps --frames 2000 --json "${WAIT[@]}")
LONG=(--rate 50kpps --duration 60 --warmup 0 --json)

# served NAME: the DUT in the background serves a whole run.
served() {
	gen served run "${QUICK[@]}"
	check_json "$1" "$T/served.out" "$EXACT"
}

# Ended by itself, for a reason that it told, and not by a signal.
check_told() { # NAME OUT ERR
	check "$1: no crash, status 1" "status $status: $(tail -n 1 "$3")" test "$status" = 1
	if [ -s "$2" ]; then
		check_json "$1: the record is invalid and says why" "$2" \
			'.verdict == "invalid" and (.reasons | any(test("link")))'
	else
		check "$1: the error names the link" "$(cat "$3")" grep -Eq 'link|peer|no frame came back' "$3"
	fi
}

absent() {
	use_link "$1"
	gen absent run --wait-link 1s "${QUICK[@]}"
	check_equal "$1: no DUT: status" "$status" 1
	check_line "$1: no DUT: one line" "$T/absent.err"
	check "$1: no DUT: the socket is named" "$(cat "$T/absent.err")" \
		grep -q "${SOCKETS[0]}" "$T/absent.err"
	start_dut --wait-link 500ms
	wait_program "$dut_pid" 15
	check_equal "$1: no generator, DUT with --wait-link: status" "$status" 1
	check "$1: no generator: the DUT names the port" "$(cat "$T/dut.err")" \
		grep -q 'no peer after' "$T/dut.err"
}

generator_first() {
	use_link "$1"
	start_gen first run --wait-link 30s "${QUICK[@]}"
	sleep 1.5 # long enough that it looked for its peer in vain
	start_dut --on-full wait
	wait_program "$gen_pid" 60
	check_equal "$1: generator first: status" "$status" 0
	check_json "$1: generator first: all came back" "$T/first.out" "$EXACT"
	served "$1: generator first: the DUT serves the next run"
	stop_dut
}

# The DUT goes in the middle of a trial: killed (vhost-user alone, memif's driver does not outlive
# that by its own), or ended in good order.
dut_goes() { # LINK SIGNAL
	use_link "$1"
	start_dut
	start_gen long run --wait-link 2s "${LONG[@]}"
	within 30 traffic_flows
	stop_dut "$2"
	wait_program "$gen_pid" 30
	check_told "$1, DUT gets SIG$2 under traffic" "$T/long.out" "$T/long.err"
	start_dut --on-full wait
	served "$1, after SIG$2: a new DUT on the same socket serves"
	stop_dut
}

generator_killed() {
	use_link vhost
	start_dut --on-full wait
	for i in 1 2 3; do
		start_gen killed run "${LONG[@]}"
		within 30 traffic_flows "$(($(dut_rx) + 3000))"
		stop_program "$gen_pid" KILL
		if is_gone "$dut_pid"; then
			fail "vhost: the DUT outlives generator $i" "$(tail -n 1 "$T/dut.err")"
		else
			ok "vhost: the DUT outlives generator $i"
		fi
	done
	rm -rf "/var/run/dpdk/$PREFIX-gen"
	served "vhost: after three killed generators the DUT serves"
	stop_dut
	check_equal "vhost: after three killed generators the DUT ends cleanly" "$dut_status" 0
}

generator_returns() {
	use_link memif
	start_dut --on-full wait
	for i in 1 2 3; do
		start_gen leaves run "${LONG[@]}"
		within 30 traffic_flows "$(($(dut_rx) + 3000))"
		stop_program "$gen_pid" INT
		check_equal "memif: generator $i leaves in the middle of a trial: status" "$status" 1
		served "memif: generator $i is back"
	done
	stop_dut
	check_equal "memif: then the DUT ends cleanly" "$dut_status" 0
}

# A socket file whose program is gone is no obstacle, one in use is.
stale_socket() {
	local type=STREAM first

	use_link "$1"
	[ "$1" = vhost ] || type=SEQPACKET
	python3 -c "import socket, sys
socket.socket(socket.AF_UNIX, socket.SOCK_$type).bind(sys.argv[1])" "${SOCKETS[0]}"
	check "$1: a stale socket is there" "it is not" test -S "${SOCKETS[0]}"
	start_dut --on-full wait
	served "$1: a stale socket is no obstacle"
	first=$dut_pid
	# shellcheck disable=SC2046
	timeout -k 5 30 "$DUT" -l "$DUT_LCORE" --file-prefix "$PREFIX-other" "${HUGE[@]}" "${DUT_LINK[@]}" -- \
		--duration 5 >"$T/other.out" 2>"$T/other.err" </dev/null
	check_equal "$1: a socket in use is refused: status" "$?" 2
	check_line "$1: a socket in use is refused: one line" "$T/other.err"
	dut_pid=$first
	served "$1: ... and its owner goes on"
	stop_dut
}

# A sweep whose DUT goes and comes back: the trial in between is invalid, those after it are not.
sweep_goes_on() { # LINK SIGNAL
	use_link "$1"
	start_dut --on-full wait
	start_gen sweep sweep --sizes 64,128,256,512 --rate 20kpps --duration 1500ms --warmup 0 \
		--drain 500ms --on-full wait --wait-link 30s --json
	within 30 test -s "$T/sweep.out"
	stop_dut "$2"
	start_dut --on-full wait
	wait_program "$gen_pid" 60
	check "$1: a sweep goes on after SIG$2 of its DUT" \
		"status $status, $(wc -l <"$T/sweep.out") records: $(tail -n 1 "$T/sweep.err")" \
		test "$(wc -l <"$T/sweep.out")" = 4
	sed -n '1p;$p' "$T/sweep.out" >"$T/ends.out"
	check_json "$1: first and last trial around SIG$2 are whole" "$T/ends.out" "$EXACT"
	stop_dut
}

for link in vhost memif; do
	absent $link
	generator_first $link
	dut_goes $link INT
	stale_socket $link
done
dut_goes vhost KILL
sweep_goes_on vhost KILL
sweep_goes_on memif INT
generator_killed
generator_returns
rm -rf "/var/run/dpdk/$PREFIX-dut" # of the killed
check_no_traces "nothing is left"

# The DUT's prompt: every command from a pipe, with the generator's traffic behind it; a file of
# commands; a terminal, with completion, history and its mode afterwards; and the two command lines
# of testpmd and of the KNI sample, as they are but for ports and cores.
. "$(dirname "$0")/lib.sh"

# The options behind "--" that testpmd is started with.
TESTPMD=(-i --port-topology=chained --rxd=1024 --txd=1024 --burst=32 --mbcache=512 --forward-mode=io)
# Two lcores wherever there is but one CPU or two.
LCORES=(--lcores "2@$GEN_LCORE,3@$DUT_LCORE")

# start_prompt OPTIONS...: a DUT whose standard input is ours to write to, by say.
start_prompt() {
	[ -z "${say_fd:-}" ] || exec {say_fd}>&-
	rm -f "$T/say"
	mkfifo "$T/say"
	: >"$T/dut.err"
	: >"$T/dut.out"
	"$DUT" "${LCORES[@]}" -n 4 --file-prefix "$PREFIX-dut" "${HUGE[@]}" "${DUT_LINK[@]}" -- \
		--duration 200 "$@" >>"$T/dut.out" 2>>"$T/dut.err" <"$T/say" &
	dut_pid=$!
	STARTED+=("$dut_pid")
	exec {say_fd}>"$T/say"
	within 30 dut_is_ready
}

# say COMMAND FILE: runs it at the prompt; FILE gets what it printed.
say() {
	local from

	from=$(wc -c <"$T/dut.out")
	# help prints its last line last, whatever the command was.
	printf '%s\nhelp\n' "$1" >&"$say_fd"
	within 15 sh -c "tail -c +$((from + 1)) '$T/dut.out' | grep -q '  quit: '"
	tail -c +$((from + 1)) "$T/dut.out" | sed '/^tandem-dut> help$/,$d' >"$2"
}

# The number behind "NAME: " in a file, of all ports together.
number() { grep -o "$1: *[0-9]*" "$2" | awk '{n += $2} END {print n + 0}'; }

said() { # NAME FILE PATTERN
	check "$1" "$(tr '\n' '|' <"$2" | cut -c1-400)" grep -Eq -- "$3" "$2"
}

# A session in which what is shown is held against the generator's record.
session() {
	local name=$LINK sent

	use_link "$LINK"
	start_prompt "${TESTPMD[@]}" --on-full wait
	say "show config fwd" "$T/config"
	said "$name: show config fwd: mode and burst" "$T/config" '^io packet forwarding.* burst=32 '
	said "$name: show config fwd: streams" "$T/config" '^  RX P=0/Q=0 .* -> TX P=0/Q=0'
	say "stop" "$T/stop"
	said "$name: stop before start" "$T/stop" 'not started'
	say "set burst 16" "$T/burst"
	said "$name: set burst while stopped" "$T/burst" 'per burst set to 16'
	gen waiting run --rate 1kpps --frames 100 --wait-link 2s --json
	check_equal "$name: nothing is forwarded before start: status" "$status" 1
	say "start" "$T/start"
	said "$name: start tells the streams" "$T/start" 'burst=16 '
	say "start" "$T/start"
	said "$name: start twice" "$T/start" 'already started'
	gen warm run --frames 100 --json "${WAIT[@]}"

	# Between the two readings lie the frames of one run: its own, its probes and what primes rings.
	say "clear port stats all" "$T/clear"
	said "$name: clear port stats" "$T/clear" 'NIC statistics for port 0 cleared'
	say "clear fwd stats all" "$T/clear"
	gen traffic run --rate 20kpps --frames 20000 --json "${WAIT[@]}"
	check_json "$name: the generator lost nothing" "$T/traffic.out" "$EXACT"
	sent=$(jq .tx.sent "$T/traffic.out")
	say "show fwd stats all" "$T/fwd"
	say "show port stats all" "$T/stats"
	check "$name: fwd stats hold what was sent" "$(number RX-packets "$T/fwd") of $sent" \
		test "$(head -n 4 "$T/fwd" | number RX-packets /dev/stdin)" -ge "$sent"
	check_equal "$name: fwd stats: what came was sent on" \
		"$(number TX-packets "$T/fwd") $(number RX-dropped "$T/fwd") $(number TX-dropped "$T/fwd")" \
		"$(number RX-packets "$T/fwd") 0 0"
	check_equal "$name: fwd stats: all ports together" "$(number RX-packets "$T/fwd")" \
		"$((2 * $(sed -n '/port 0/,/---$/p' "$T/fwd" | number RX-packets /dev/stdin)))"
	check "$name: fwd stats: what a frame cost each core" "$(tail -n 3 "$T/fwd")" \
		awk '$1 == "lcore" {getline; ok = $2 > 0 && $2 <= 100 && $3 > 0 && $4 >= 0} END {exit !ok}' "$T/fwd"
	if [ "$LINK" = vhost ]; then # memif's counts fall with the link, up to 20 ms of them unseen
		check_equal "$name: port stats agree with fwd stats" "$(number RX-packets "$T/stats")" \
			"$(sed -n '/port 0/,/---$/p' "$T/fwd" | number RX-packets /dev/stdin)"
		check_equal "$name: bytes are of frames without FCS" "$(number RX-bytes "$T/stats")" \
			"$((60 * $(number RX-packets "$T/stats")))"
	fi
	check "$name: rates since the last show" "$(grep pps "$T/stats")" \
		test "$(number Rx-pps "$T/stats")" -gt 0
	check_equal "$name: testpmd's layout" "$(grep -c 'NIC statistics for port 0  ####' "$T/stats")" 1
	say "show port stats 0" "$T/again"
	check_equal "$name: rates of an idle port" \
		"$(number Rx-pps "$T/again") $(number Tx-bps "$T/again")" "0 0"
	say "clear port stats all" "$T/clear"
	say "show port stats 0" "$T/again"
	check_equal "$name: cleared" "$(number RX-packets "$T/again") $(number TX-bytes "$T/again")" "0 0"
	say "clear fwd stats all" "$T/clear"
	say "show fwd stats all" "$T/again"
	check_equal "$name: fwd stats cleared" "$(number RX-packets "$T/again")" 0
	check "$name: telemetry still has them" "$(dut_rx)" test "$(dut_rx)" -ge "$sent"
	under_traffic "$name"
	describing "$name"
	mistakes "$name"
	say "stop" "$T/stop"
	said "$name: stop" "$T/stop" '^Done\.$'
	say "start" "$T/start"
	gen again run --rate 20kpps --frames 2000 --json "${WAIT[@]}"
	check_json "$name: started again" "$T/again.out" "$EXACT"
	echo quit >&"$say_fd"
	wait_program "$dut_pid" 15
	check_equal "$name: quit: status" "$status" 0
	said "$name: quit: the table" "$T/dut.out" '^port name '
}

# Commands while frames pass: none is lost by asking, nor by another burst.
under_traffic() {
	start_gen busy run --rate 20kpps --frames 60000 --json "${WAIT[@]}"
	within 30 traffic_flows "$(($(dut_rx) + 3000))"
	say "show port stats all" "$T/first"
	for n in 1 512 64; do
		say "set burst $n" "$T/burst"
		said "$1: set burst $n under traffic" "$T/burst" "per burst set to $n"
	done
	sleep 0.5
	say "show port stats all" "$T/second"
	say "show port xstats all" "$T/xstats"
	# The rate that was asked, wide apart: the host takes its cores away at will.
	check "$1: rates under traffic" "$(grep pps "$T/second")" \
		test "$(number Rx-pps "$T/second")" -ge 2000 -a "$(number Rx-pps "$T/second")" -le 200000
	check "$1: bits are 8 x 60 a frame" "$(grep ps: "$T/second")" \
		test "$(($(number Rx-bps "$T/second") / 480 - $(number Rx-pps "$T/second")))" -le 1
	said "$1: xstats" "$T/xstats" '^###### NIC extended statistics for port 0|no extended'
	wait_program "$gen_pid" 30
	check_json "$1: nothing was lost by asking" "$T/busy.out" "$EXACT"
}

describing() {
	say "show port info 0" "$T/info"
	said "$1: show port info" "$T/info" '^\*+ Infos for port 0 '
	said "$1: show port info: queues" "$T/info" '^Current number of RXDs per queue: 1024$'
	say "show port xstats 0" "$T/xstats"
	say "clear port xstats all" "$T/xstats"
	said "$1: clear port xstats" "$T/xstats" 'extended statistics for port 0 cleared'
	say "show kni stats" "$T/kni"
	said "$1: show kni stats without a kernel path" "$T/kni" 'kernel path none'
	say "" "$T/empty"
	say "# a comment" "$T/empty"
	check_equal "$1: blanks and comments are no commands" "$(grep -c 'not found' "$T/dut.err")" 0
}

# What is wrong names its line, and the next command runs.
mistakes() {
	local command

	for command in "fly" "show port stats" "show port stats 7" "set burst 0" "set burst 513" \
		"set burst x" "start now" "show port stats 99999999999" "$(printf 'x%.0s' {1..2000})"; do
		: >"$T/dut.err"
		say "$command" "$T/wrong"
		check_line "$1: '${command:0:30}': one line" "$T/dut.err"
		said "$1: '${command:0:30}': which line" "$T/dut.err" '^tandem-dut: stdin:[0-9]+: .'
	done
}

# A file: in order, errors by line, then prompt, forwarding or the end.
from_file() {
	use_link vhost
	printf 'show config fwd\nnonsense\n\nset burst 8\nset burst 0\nshow config fwd' >"$T/commands"
	timeout -k 5 30 "$DUT" "${LCORES[@]}" --file-prefix "$PREFIX-dut" "${HUGE[@]}" "${DUT_LINK[@]}" -- \
		-i --cmdline-file="$T/commands" >"$T/file.out" 2>"$T/file.err" </dev/null
	check_equal "a file, then the end of input: status" "$?" 0
	check_equal "a file: its commands ran in order" \
		"$(grep -o 'burst=[0-9]*' "$T/file.out" | tr '\n' ' ')" "burst=32 burst=8 "
	check_equal "a file: errors name their lines" \
		"$(grep -o 'commands:[0-9]*' "$T/file.err" | tr '\n' ' ')" "commands:2 commands:5 "
	printf 'start\nshow fwd stats all\nquit\nshow config fwd\n' >"$T/commands"
	use_link vhost
	timeout -k 5 30 "$DUT" "${LCORES[@]}" --file-prefix "$PREFIX-dut" "${HUGE[@]}" "${DUT_LINK[@]}" -- \
		--cmdline-file="$T/commands" >"$T/file.out" 2>"$T/file.err" </dev/null
	check_equal "a file that quits: status" "$?" 0
	check_equal "a file that quits: nothing after" "$(grep -c 'packet forwarding' "$T/file.out")" 1
	use_link vhost
	echo 'set burst 7' >"$T/commands"
	start_dut --cmdline-file="$T/commands" --on-full wait
	gen file run --rate 20kpps --frames 2000 --json --dut-telemetry "$(dut_telemetry)" "${WAIT[@]}"
	check_json "a file without -i: it forwards" "$T/file.out" "$EXACT and .dut.config.burst == 7"
	stop_dut
	timeout -k 5 30 "$DUT" -- --cmdline-file="$T/none" >"$T/file.out" 2>"$T/file.err" </dev/null
	check_equal "a file that is not there: status" "$?" 1
	check_line "a file that is not there: one line" "$T/file.err"
	use_link vhost
	# shellcheck disable=SC2046
	timeout -k 5 30 "$DUT" $(dut_eal) "${DUT_LINK[@]}" -- -i >"$T/file.out" 2>"$T/file.err" <&-
	check_equal "-i with stdin closed ends: status" "$?" 0
}

wrong_kni() { # WORDS...
	timeout -k 5 30 "$DUT" "${LCORES[@]}" --file-prefix "$PREFIX-dut" "${HUGE[@]}" --vdev net_null0 -- "$@" \
		>"$T/bad.out" 2>"$T/bad.err" </dev/null
	check_equal "$*: status" "$?" 2
	check_line "$*: one line" "$T/bad.err"
}

# The KNI sample's command line: each direction on its lcore, its statistics by signal and command.
kni() {
	wrong_kni -P -p 0x2
	wrong_kni -P -p 0x1 "--config=(0,0,1)"
	wrong_kni -P -p 0x1 "--config=(0,2,4)"
	wrong_kni -P -p 0x3 "--config=(0,2,3),(1,2,3)"
	wrong_kni -P -p 0x1 "--config=(0,2)"
	wrong_kni -P -p q "--config=(0,2,3)"
	if ! is_root || ! ip netns add "$PREFIX-can" 2>/dev/null; then
		skip "the KNI sample's command line" "network namespaces cannot be made here (root is needed)"
		return
	fi
	ip netns del "$PREFIX-can"
	use_link vhost
	start_prompt -P -p 0x1 --config="(0,2,3)"
	gen kni run --rate 2kpps --frames 2000 --warmup 0 --drain 500ms --json --dut-telemetry "$(dut_telemetry)"
	check_json "KNI sample's line: frames come back through the kernel" "$T/kni.out" \
		'.rx.received > 0 and .path == "kernel"'
	kill -USR1 "$dut_pid"
	within 10 grep -q '^ *0 ' "$T/dut.out"
	said "KNI sample's line: SIGUSR1 prints its table" "$T/dut.out" \
		'^ Port    Lcore\(RX/TX\)    rx_packets    rx_dropped    tx_packets    tx_dropped$'
	check "KNI sample's line: lcores and counts" "$(grep '^ *0 ' "$T/dut.out")" \
		awk -v sent="$(jq .tx.sent "$T/kni.out")" -v back="$(jq .rx.received "$T/kni.out")" \
		'/^ *0 / {if ($2 $3 == "2/3" && $4 + $5 >= sent && $6 >= back) ok = 1} END {exit !ok}' "$T/dut.out"
	check "KNI sample's line: the kernel counted the same" "$(grep 'td0k' "$T/dut.out")" \
		awk '/^ *0 / {up = $4} /td0k/ {k = $3 + $4} END {exit !(up > 0 && k >= up)}' "$T/dut.out"
	kill -USR2 "$dut_pid"
	within 10 grep -q 'have been reset' "$T/dut.out"
	kill -USR1 "$dut_pid"
	within 10 sh -c "[ \"\$(grep -c '^ *0 ' '$T/dut.out')\" = 2 ]"
	check_equal "KNI sample's line: SIGUSR2 clears" \
		"$(awk '/^ *0 / {last = $4 " " $6} END {print last}' "$T/dut.out")" "0 0"
	stop_dut
	check_equal "KNI sample's line: the DUT ends cleanly" "$dut_status" 0

	use_link vhost
	start_prompt -P -p 0x1 --config="(0,3,2)" -i
	say "show config fwd" "$T/config"
	check "KNI sample's line: lcore_tx carries from the kernel" "$(cat "$T/config")" \
		sh -c "grep -A1 'Logical Core 2 ' '$T/config' | grep -q 'from the kernel'"
	say start "$T/start"
	gen kni run --rate 2kpps --frames 1000 --warmup 0 --drain 500ms --json
	check_json "KNI sample's line at the prompt: frames come back" "$T/kni.out" '.rx.received > 0'
	say s "$T/kni"
	said "key s at the prompt" "$T/kni" '^ *0 +3/ 2 +[1-9][0-9]* '
	say "clear kni stats" "$T/kni"
	say "show kni stats" "$T/kni"
	said "clear kni stats" "$T/kni" '^ *0 +3/ 2 +0 +0 +0 +0$'
	stop_dut
	check_equal "at the prompt, SIGINT: status" "$dut_status" 0
}

# A terminal. Each case is one run of the program on a pseudo terminal, what it printed in
# $T/tty.out; on its last line the terminal's mode before and after, and how the program ended.
on_tty() { # HOW OPTIONS...
	local how=$1

	shift
	# shellcheck disable=SC2046
	timeout -k 5 60 python3 - "$how" "$DUT" $(dut_eal) "${DUT_LINK[@]}" -- "$@" >"$T/tty.out" 2>"$T/tty.err" <<'PY'
import os, pty, select, signal, subprocess, sys, termios, time

how, command = sys.argv[1], sys.argv[2:]
master, slave = pty.openpty()
before = termios.tcgetattr(slave)
seen, found = b"", 0

def mine():
    os.setsid()
    os.close(os.open(os.ttyname(slave), os.O_RDWR))  # becomes the controlling terminal
    os.tcsetpgrp(slave, os.getpgrp())

# Until text was printed, behind what an earlier call found.
def read_until(text, seconds=20):
    global seen, found
    end = time.monotonic() + seconds
    while text not in seen[found:] and time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            seen += os.read(master, 4096)
    at = seen.find(text, found)
    if at >= 0:
        found = at + len(text)
    return at >= 0

def typed(keys, text):
    os.write(master, keys)
    return read_until(text)

program = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, preexec_fn=mine)
facts = []
if how == "keys":
    time.sleep(0.5)
    end = time.monotonic() + 20
    while not typed(b"s", b"rx_dropped") and time.monotonic() < end:
        pass
    facts.append("table" if b"rx_dropped" in seen else "none")
else:
    facts.append("prompt" if read_until(b"tandem-dut> ") else "none")
facts.append("taken" if not termios.tcgetattr(slave)[3] & termios.ECHO else "untouched")
if how == "complete":
    facts.append("completed" if typed(b"show po", b"show po") and typed(b"\t", b"rt ") else "not")
    facts.append("choices" if typed(b"\t", b"xstats") else "none")
    facts.append("shown" if typed(b"stats 0\r", b"NIC statistics for port 0") and read_until(b"> ") else "not")
    facts.append("history" if typed(b"\x1b[A", b"show port stats 0") else "none")
    facts.append("again" if typed(b"\r", b"NIC statistics for port 0") and read_until(b"> ") else "not")
begin = time.monotonic()
if how in ("ctrl-c", "keys"):
    os.write(master, b"\x03")
elif how in ("ctrl-d", "complete"):
    os.write(master, b"\x04")
elif how == "ctrl-z":
    os.write(master, b"\x1a\x1c")
    time.sleep(0.5)
    facts.append("runs" if program.poll() is None else "ended")
    os.write(master, b"quit\r")
elif how.startswith("signal"):
    for number in how.split("-")[1:]:
        program.send_signal(int(number))
read_end = time.monotonic() + 15
while program.poll() is None and time.monotonic() < read_end:
    if select.select([master], [], [], 0.01)[0]:
        seen += os.read(master, 4096)
took = time.monotonic() - begin
after = termios.tcgetattr(slave)
if program.poll() is None:
    program.kill()
    facts.append("hung")
sys.stdout.buffer.write(seen + b"\n")
print(" ".join(facts), "status", program.wait(), "mode", "same" if after == before else "changed", "ms", int(1000 * took))
PY
	facts=$(tail -n 1 "$T/tty.out" | sed 's/ ms .*//')
	took=$(tail -n 1 "$T/tty.out" | sed 's/.* ms //')
}

terminal() {
	use_link vhost
	on_tty complete -i
	check_equal "a terminal: completion, history, Ctrl-D" "$facts" \
		"prompt taken completed choices shown history again status 0 mode same"
	use_link vhost
	on_tty ctrl-c -i
	check_equal "a terminal: Ctrl-C at the prompt" "$facts" "prompt taken status 0 mode same"
	# A second is the aim; closing ports and a busy host take their part.
	check "a terminal: Ctrl-C ends it soon" "$took ms" test "${took:-9999}" -lt 3000
	use_link vhost
	on_tty ctrl-z -i
	check_equal "a terminal: Ctrl-Z and Ctrl-\\ do nothing" "$facts" "prompt taken runs status 0 mode same"
	for n in 15 2; do
		use_link vhost
		on_tty signal-$n -i
		check_equal "a terminal: signal $n" "$facts" "prompt taken status 0 mode same"
	done
	for n in 1 3 6 11; do
		use_link vhost
		on_tty signal-$n -i
		check_equal "a terminal: deadly signal $n" "$facts" "prompt taken status -$n mode same"
	done
	is_root || return
	use_link vhost
	on_tty keys -P -p 0x1 --kernel-path=af_packet
	check_equal "a terminal: the key s without a prompt" "$facts" "table taken status 0 mode same"
}

for LINK in vhost memif; do
	session
done
from_file
kni
terminal
rm -rf "/var/run/dpdk/$PREFIX-dut" # of those that were killed
check_no_traces "nothing is left"

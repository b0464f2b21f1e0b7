# Captures in and out over vhost-user: a replay comes back byte by byte in order, with its gaps; rates by the frames' own
# sizes; rewritten and stamped frames that tshark finds nothing wrong with; both programs' captures hold what was sent and
# received; files that are none.
. "$(dirname "$0")/lib.sh"

captures() { python3 "$(dirname "$0")/captures.py" "$@"; }
# Stamps of the trials before must not be taken for those of the flows.
SLOW=(--on-full wait --drain 500ms --seed 10)
N=400

# What tshark finds malformed, or summed up wrongly, in a file; nothing of a file it cannot read is no answer.
wrong_frames() {
	tshark -r "$1" -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -o tcp.check_checksum:TRUE \
		-o frame.generate_md5_hash:FALSE -Y "_ws.malformed or ip.checksum.status == 0 or udp.checksum.status == 0 or
		tcp.checksum.status == 0" 2>/dev/null | wc -l
}
# check_tshark NAME FILE N: N frames, none of them wrong.
check_tshark() {
	check_equal "$1: tshark reads every frame" "$(tshark -r "$2" 2>/dev/null | wc -l)" "$3"
	check_equal "$1: tshark finds nothing wrong" "$(wrong_frames "$2")" 0
}

replayed() {
	captures make "$T/in.pcap" $N
	check_tshark "made capture" "$T/in.pcap" $N
	gen replay replay "$T/in.pcap" "${SLOW[@]}" --capture "$T/gen.pcapng" --json
	check_equal "replay: exit" "$status" 0
	check_json "replay: accounts" "$T/replay.out" '.frame_size == null and .tx.sent == 400 and .tx.unsent == 0
		and .rx.received == 250 and .rx.lost == 0 and .rx.reordered == 0 and .rx.duplicate == 0 and .loss_ratio == 0
		and .replay.file.frames == 400 and .replay.file.stampable == 250 and .replay.stamped == 250
		and .replay.unstamped == 150 and .replay.unstamped_received == 150 and .replay.pace == "recorded"
		and .latency_ns.count == 250 and .verdict != "invalid"'
	check_json "replay: what was captured" "$T/replay.out" \
		'.capture.written == 800 and .capture.filtered == 0 and .capture.dropped == 0'
	for way in out in; do
		read -r frames same stamped short late _ < <(captures compare "$T/in.pcap" "$T/gen.pcapng" $way)
		check_equal "replay: same bytes and order, $way" "$frames $same $stamped" "$N $N 250"
	done
	# As sent: no gap is squeezed, and one that is too long was a step of the record's.
	read -r _ _ _ short late _ < <(captures compare "$T/in.pcap" "$T/gen.pcapng" out)
	check_equal "replay: no gap too short" "$short" 0
	check_json "replay: gaps too long are the record's" "$T/replay.out" ".replay.shifts >= $late"
	check_tshark "replay" "$T/gen.pcapng" $((2 * N))
}

# Ahead from the file in a thread: the same, pass after pass.
ahead() {
	gen ahead replay "$T/in.pcap" "${SLOW[@]}" --preload 0 --loop 3 --speed 20x --json
	check_json "reading ahead: all passes" "$T/ahead.out" '.tx.sent == 1200 and .rx.received == 750 and .rx.lost == 0
		and (.replay.preloaded | not) and .replay.speed == 20'
	gen whole replay "$T/in.pcap" "${SLOW[@]}" --loop 0 --frames 1000 --rate max --json
	check_json "loop without end: as many frames as asked" "$T/whole.out" '.tx.sent == 1000 and .replay.loop == null
		and .rx.lost == 0 and .rate_requested_pps == null'
}

rates() {
	gen rate replay "$T/in.pcap" "${SLOW[@]}" --rate 200mbps --json
	check_json "rate by the frames' own sizes" "$T/rate.out" '(.rate_requested_pps * .replay.file.bytes * 8
		/ .replay.file.frames - 200e6 | fabs) < 1 and .tx.sent == 400 and .replay.pace == "rate"
		and (.tx.l2_bps / .tx.pps * .replay.file.frames / 8 / .replay.file.bytes - 1 | fabs) < 1e-9'
	gen percent replay "$T/in.pcap" "${SLOW[@]}" --rate 2% --line-rate 10g --json
	check_json "rate in percent, L1" "$T/percent.out" '(.rate_requested_pps * (.replay.file.bytes
		/ .replay.file.frames + 20) * 8 - 200e6 | fabs) < 1 and .tx.sent == 400'
	gen percent replay "$T/in.pcap" --rate 2% --json
	check_equal "percent of nothing: exit" "$status" 2
}

rewritten() {
	gen append replay "$T/in.pcap" "${SLOW[@]}" --speed 20x --stamp append --json --capture "$T/append.pcapng" --rewrite \
		dst-mac=gateway,src-mac=02:aa:bb:cc:dd:ee,src-ip=198.18.0.0/16,ip=10.9.0.0/16:198.19.0.0,dst-ip6=fd00::9,dst-port=9999
	check_json "append: accounts" "$T/append.out" '.tx.sent == 400 and .rx.received == 300 and .rx.lost == 0'
	check_tshark "append, rewritten" "$T/append.pcapng" $((2 * N))
	check_equal "rewritten: addresses" "$(tshark -r "$T/append.pcapng" -Y 'ip and not (eth.src == 02:aa:bb:cc:dd:ee and
		ip.src == 198.18.0.0/16 and ip.dst == 198.19.8.7)' 2>/dev/null | wc -l)" 0
	check_equal "rewritten: ports and IPv6" "$(tshark -r "$T/append.pcapng" -Y 'ipv6 and not (ipv6.dst == fd00::9 and
		(udp.dstport == 9999 or tcp.dstport == 9999))' 2>/dev/null | wc -l)" 0
	gen none replay "$T/in.pcap" "${SLOW[@]}" --speed 20x --stamp none --json
	check_json "without stamps: plain counts" "$T/none.out" '.tx.sent == 400 and .rx.received == 0 and .rx.lost == 0
		and .loss_ratio == null and .replay.unstamped == 400 and .replay.unstamped_received == 400 and .verdict != "invalid"'
}

# The DUT's capture holds exactly the flows of a run. All its frames fit into the ring, so that none is missed however
# busy the machine is.
flows() {
	stop_dut
	start_dut --on-full wait --capture "$T/dut.pcapng" --stats "$T/dut.json"
	gen flows run --flows 1000 --frames 10000 "${SLOW[@]}" --seed 100 --warmup 0 --json
	check_json "flows: all sent, all back" "$T/flows.out" "$EXACT and .tx.sent == 10000"
	stop_dut
	check_equal "flows: in the DUT's capture, each with 10 frames, in and out" \
		"$(captures flows "$T/dut.pcapng" "$(jq .stamp_trial "$T/flows.out")" in)/$(captures flows "$T/dut.pcapng" \
			"$(jq .stamp_trial "$T/flows.out")" out)" "1000 10 10/1000 10 10"
	check_json "the DUT's record: its capture" "$T/dut.json" '.capture.written > 20000 and .capture.dropped == 0'
}

# Filter, count and length; an interrupted capture can be read.
limits() {
	start_dut --on-full wait --capture "$T/few.pcap" --capture-filter 'udp src port 1025' --capture-count 5 \
		--capture-snaplen 42 --stats "$T/dut.json"
	gen few run --flows 10 --frames 2000 "${SLOW[@]}" --warmup 0 --json
	start_gen stopped replay "$T/in.pcap" --loop 0 --duration 100 --capture "$T/stopped.pcapng"
	within 20 sh -c "[ \$(stat -c %s $T/stopped.pcapng) -gt 100000 ]"
	stop_program "$gen_pid"
	check_equal "Ctrl-C: ends" "$status" 1
	check "Ctrl-C: the capture can be read to its end" "$(tshark -r "$T/stopped.pcapng" 2>&1 | tail -n 1)" \
		tshark -r "$T/stopped.pcapng"
	stop_dut
	check_json "limits: counted" "$T/dut.json" '.capture.written == 5 and .capture.filtered > 0'
	check_equal "limits: in the file" "$(tshark -r "$T/few.pcap" -T fields -e udp.srcport -e frame.cap_len -e frame.len \
		2>/dev/null | sort | uniq -c | tr -s ' \t' ' ')" " 5 1025 42 60"
}

# bad NAME WORDS OPTIONS...: one line that holds the words, exit 2.
bad() {
	local name=$1 words=$2

	shift 2
	"$GEN" --no-huge --vdev net_null0 -- "$@" >"$T/bad.out" 2>"$T/bad.err" </dev/null
	check_equal "$name: exit" "$?" 2
	check_line "$name: one line" "$T/bad.err"
	check "$name: says so" "$(cat "$T/bad.err")" grep -q -- "$words" "$T/bad.err"
}

bad_files() {
	: >"$T/empty.pcap"
	echo "no capture at all" >"$T/text.pcap"
	head -c 24 "$T/in.pcap" >"$T/none.pcap"
	{ head -c 20 "$T/in.pcap"; printf '\151\0\0\0'; } >"$T/wlan.pcap"
	bad "empty file" "is empty" replay "$T/empty.pcap"
	bad "no capture file" "no capture file" replay "$T/text.pcap"
	bad "no frame" "no frame that can be sent" replay "$T/none.pcap"
	bad "another link" "802.11" replay "$T/wlan.pcap"
	bad "no file" "No such file" replay "$T/missing.pcap"
	bad "a folder" "no regular file" replay "$T"
	bad "no operand" "capture file" replay
	bad "capture over itself" "written over" replay "$T/in.pcap" --capture "$T/in.pcap"
	bad "rate and speed" "exclude each other" replay "$T/in.pcap" --rate max --speed 2x
	bad "endless" "--loop 0 needs" replay "$T/in.pcap" --loop 0
	bad "rewriting" "--rewrite" replay "$T/in.pcap" --rewrite dst-ip=300.1.1.1
	bad "filter" "--capture-filter" run --capture x.pcapng --capture-filter 'no such word'
	bad "filter alone" "need --capture" run --capture-count 3
	head -c 3000 "$T/in.pcap" >"$T/cut.pcap"
	"$GEN" --no-huge --file-prefix "$PREFIX-other" --vdev net_null0 -- replay "$T/cut.pcap" --tx-only --json -q \
		>"$T/cut.out" 2>"$T/cut.err"
	check "cut off: said" "$(cat "$T/cut.err")" grep -q 'ends in the middle of a frame' "$T/cut.err"
	check_json "cut off: what is whole is sent" "$T/cut.out" '.replay.file.cut_off and .tx.sent > 1
		and .tx.sent == .replay.file.frames'
}

use_link vhost
start_dut --on-full wait
replayed
ahead
rates
rewritten
flows
limits
bad_files
clean_up
check_no_traces "nothing is left"

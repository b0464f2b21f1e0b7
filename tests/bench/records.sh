#!/usr/bin/env bash
# Reading a soak's worth of trial records: tandem-plot latency beside jq -c, which only reads and writes JSON. Sourced by
# run.sh. RECORDS (1000000) of them, 2.5 KB each, are real ones repeated: the file is made once and goes with $tmp.
records=${RECORDS:-1000000}

# Real records of our generator through our DUT, then as often as it takes.
make_records() { # FILE
	start_dut ours vhost
	wait_for_socket
	"$build/tandem-gen" -l $gen_core "${eal[@]}" --file-prefix bench-$$-gen --single-file-segments --vdev \
		"net_virtio_user0,path=$tmp/l.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0" -- sweep \
		--sizes 64,512,1518 --rate max,20kpps --frames 2000 --warmup 50ms --drain 50ms \
		--dut-telemetry "/var/run/dpdk/bench-$$-dut/dpdk_telemetry.v2" --out "$tmp/few" >/dev/null 2>"$tmp/gen.err"
	end_background
	[ -s "$tmp/few/trials.jsonl" ] || {
		cat "$tmp/gen.err" >&2
		return 1
	}
	cp "$tmp/few/trials.jsonl" "$1"
	while [ "$(wc -l <"$1")" -lt $((records / 10)) ] && [ "$(wc -l <"$1")" -lt 10000 ]; do
		cat "$1" "$1" >"$1.twice" && mv "$1.twice" "$1" || return 1
	done
	mv "$1" "$1.part"
	for _ in $(seq $((records / $(wc -l <"$1.part") + 1))); do
		cat "$1.part" || return 1
	done | head -n "$records" >"$1"
	rm "$1.part"
	[ "$(wc -l <"$1")" = "$records" ]
}

# Seconds and the most memory resident in MB of a command.
timed() { # COMMAND...
	python3 - "$@" <<'EOF'
import resource, subprocess, sys, time
begin = time.monotonic()
status = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
print(time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3)
sys.exit(status)
EOF
}

records_rows() {
	local free ours peer

	free=$(df -k --output=avail "$tmp" | tail -n 1)
	if [ "$free" -lt $((records * 4)) ]; then
		echo "bench records: $tmp has no room for $records records (RECORDS= sets how many)" >&2
		return 1
	fi
	make_records "$tmp/trials.jsonl" || return 1
	ours=$(timed "$build/tandem-plot" latency "$tmp/trials.jsonl" --out "$tmp/") || return 1
	peer=$(timed jq -c . "$tmp/trials.jsonl") || return 1
	rm "$tmp/trials.jsonl"
	awk -v n="$records" -v ours="$ours" -v peer="$peer" 'BEGIN {
		split(ours, o); split(peer, p)
		printf "bench %-22s ours %10.3f peer %10.3f ratio %6.3f unit krecords/s\n", "records-latency-to-jq",
			n / o[1] / 1e3, n / p[1] / 1e3, p[1] / o[1]
		printf "bench %-22s ours %10.3f peer %10.3f ratio %6s unit MB resident\n", "records-memory", o[2], p[2], "-"
	}'
}

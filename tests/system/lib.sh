# Helpers of the system tests: whole programs, joined by vhost-user or memif, as a user runs them.
#
# A test file sources this and runs as a process of its own. It owns a temporary folder ($T), a
# file prefix of EAL that nobody else uses, and the processes it started; all are gone when it ends,
# however it ends. Nothing here depends on how fast the machine is: waits are bounded, not timed.
#
# Each check prints one line: "ok NAME", "FAIL NAME: why" or "skip NAME: why". run.sh counts them.

set -u

BUILD=${BUILD:-./build}
GEN=$BUILD/tandem-gen
DUT=$BUILD/tandem-dut
PLOT=$BUILD/tandem-plot

T=$(mktemp -d "${TMPDIR:-/tmp}/tandem-test.XXXXXX")
PREFIX=tandem-test-$$
STARTED=() # pids of what runs in the background
MADE_NETNS=()

export LC_ALL=C TERM=dumb

# One lcore for each program, taken from the CPUs that this process may use.
mapfile -t CPUS < <(awk '/^Cpus_allowed_list/ {
	n = split($2, ranges, ",")
	for (i = 1; i <= n; i++) {
		split(ranges[i], ends, "-")
		for (c = ends[1]; c <= (ends[2] == "" ? ends[1] : ends[2]); c++)
			print c
	}
}' /proc/self/status)
GEN_LCORE=${CPUS[0]}
DUT_LCORE=${CPUS[1]:-${CPUS[0]}}

# Hugepages where enough are free, else memory without: TANDEM_TEST_HUGE=no asks for the latter.
HUGE=()
free_mb=$(awk '/^HugePages_Free/ {n = $2} /^Hugepagesize/ {kb = $2} END {print int(n * kb / 1024)}' \
	/proc/meminfo)
if [ "${TANDEM_TEST_HUGE:-yes}" = no ] || [ "${free_mb:-0}" -lt 320 ]; then
	HUGE=(--no-huge)
fi

is_root() { [ "$(id -u)" = 0 ]; }

ok() { echo "ok $1"; }
# fail NAME WHY...
fail() {
	local name=$1

	shift
	echo "FAIL $name: $*"
}
skip() { echo "skip $1: $2"; }

# check NAME WHY COMMAND...: passes when the command succeeds; WHY tells what it would mean if not.
check() {
	local name=$1 why=$2

	shift 2
	if "$@" >/dev/null 2>&1; then ok "$name"; else fail "$name" "$why"; fi
}

# check_equal NAME GOT EXPECTED
check_equal() {
	if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "got '$2', expected '$3'"; fi
}

# What one needs to see of a record when a check on it fails.
record_digest() {
	jq -c '{verdict, reasons, frame_size, direction,
		tx: (.tx | {offered, sent, refused, unsent}?),
		rx: (.rx | {received, lost, duplicate, reordered, corrupt, foreign, gen_missed}?),
		dut: (.dut | {rx_missed, tx_dropped, kernel_dropped}?)}' "$1" 2>&1 | tr '\n' ' ' | cut -c1-900
}

# check_json NAME FILE FILTER [jq options]: passes when the filter is true of every record in FILE.
check_json() {
	local name=$1 file=$2 filter=$3

	shift 3
	if [ -s "$file" ] && jq -es "$@" "all(.[]; $filter)" "$file" >/dev/null 2>&1; then
		ok "$name"
	else
		fail "$name" "not true: $(tr -s ' \t\n' ' ' <<<"$filter" | cut -c1-160); record:" \
			"$(record_digest "$file"); stderr: $(tail -n 2 "${file%.out}.err" 2>/dev/null | tr '\n' ' ')"
	fi
}

# check_line NAME FILE: exactly one line, as an error should be.
check_line() {
	local lines

	lines=$(wc -l <"$2")
	if [ "$lines" = 1 ]; then ok "$1"; else fail "$1" "$lines lines: $(head -c 300 "$2")"; fi
}

# within SECONDS COMMAND...: repeats a command until it succeeds; fails when it does not in time.
within() {
	local end=$((SECONDS + $1 + 1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

is_gone() { ! kill -0 "$1" 2>/dev/null || [ "$(awk '{print $3}' "/proc/$1/stat" 2>/dev/null)" = Z ]; }
wait_line() { within "${3:-15}" grep -q -- "$2" "$1"; }

# use_link vhost|memif [PORTS]: arguments for both programs, on new sockets.
use_link() {
	LINK=$1
	N_LINK=$((${N_LINK:-0} + 1))
	DUT_LINK=()
	GEN_LINK=()
	SOCKETS=()
	local i socket

	for ((i = 0; i < ${2:-1}; i++)); do
		socket=$T/$LINK$N_LINK-$i.sock
		SOCKETS+=("$socket")
		if [ "$LINK" = vhost ]; then
			DUT_LINK+=(--vdev "net_vhost$i,iface=$socket")
			GEN_LINK+=(--vdev "net_virtio_user$i,path=$socket,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0")
		else
			DUT_LINK+=(--vdev "net_memif$i,role=server,socket=$socket,socket-abstract=no,rsize=14,id=$i")
			GEN_LINK+=(--vdev "net_memif$i,role=client,socket=$socket,socket-abstract=no,rsize=14,id=$i")
		fi
	done
	[ "$LINK" = memif ] || GEN_LINK+=(--single-file-segments)
}

dut_eal() { echo -l "$DUT_LCORE" --file-prefix "$PREFIX-dut" "${HUGE[@]}"; }
gen_eal() { echo -l "$GEN_LCORE" --file-prefix "$PREFIX-gen" "${HUGE[@]}"; }

# start_dut OPTIONS...: in the background on the link in use, pid in $dut_pid. A DUT that a test
# forgets ends by itself. Returns once it waits for its peer.
start_dut() {
	: >"$T/dut.err" # what an earlier one said there must not be taken for this one's
	# shellcheck disable=SC2046
	"$DUT" $(dut_eal) "${DUT_LINK[@]}" -- --duration 200 "$@" >"$T/dut.out" 2>"$T/dut.err" </dev/null &
	dut_pid=$!
	STARTED+=("$dut_pid")
	within 30 dut_is_ready
}

dut_is_ready() { is_gone "$dut_pid" || grep -Eq 'waiting for the peer|link up' "$T/dut.err"; }

# stop_program PID [SIGNAL]: its exit status in $status, "hung" when it did not end.
stop_program() {
	{ # the shell would tell that somebody was killed
		kill -"${2:-INT}" "$1"
		if within "${LIMIT:-15}" is_gone "$1"; then
			wait "$1"
			status=$?
		else
			kill -KILL "$1"
			wait "$1"
			status=hung
		fi
	} 2>/dev/null
}

stop_dut() {
	stop_program "$dut_pid" "${1:-INT}"
	dut_status=$status
}

# gen NAME VERB OPTIONS...: the generator on the link in use, to its end. Output in $T/NAME.out and
# .err, exit status in $status (124 when it had to be ended).
gen() {
	local name=$1

	shift
	# shellcheck disable=SC2046
	timeout -k 5 "${LIMIT:-60}" "$GEN" $(gen_eal) "${GEN_LINK[@]}" -- "$@" \
		>"$T/$name.out" 2>"$T/$name.err" </dev/null
	status=$?
}

# The same in the background; pid in $gen_pid.
start_gen() {
	local name=$1

	shift
	: >"$T/$name.out" # nobody must wait for a record and find an earlier one
	# shellcheck disable=SC2046
	"$GEN" $(gen_eal) "${GEN_LINK[@]}" -- "$@" >"$T/$name.out" 2>"$T/$name.err" </dev/null &
	gen_pid=$!
	STARTED+=("$gen_pid")
}

# wait_program PID SECONDS: until it ends by itself; its exit status in $status, or "hung".
wait_program() {
	if within "$2" is_gone "$1"; then
		wait "$1" 2>/dev/null
		status=$?
	else
		status=hung
	fi
}

dut_telemetry() { echo "/var/run/dpdk/$PREFIX-dut/dpdk_telemetry.v2"; }

# Frames that the DUT's wire ports received so far, from its telemetry; 0 when it does not answer.
dut_rx() { dut_ask | jq '[.[] | to_entries[] | select(.key | test("^port[0-9]+_rx$")).value] | add // 0'; }
dut_ask() {
	python3 - "$(dut_telemetry)" <<'PY' 2>/dev/null || echo '{"none":{}}'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(5)
s.connect(sys.argv[1])
s.recv(1024)
s.send(b"/tandem/dut/stats")
print(s.recv(16384).decode())
PY
}
traffic_flows() { [ "$(dut_rx)" -gt "${1:-3000}" ]; }

# check_no_traces NAME: nothing of this test's is left that outlives a program.
check_no_traces() {
	local left

	left=$(ls -d "/var/run/dpdk/$PREFIX"* 2>/dev/null | tr '\n' ' ')
	if [ -z "$left" ]; then ok "$1"; else fail "$1" "left: $left"; fi
}

clean_up() {
	local pid name

	trap '' INT TERM
	for pid in "${STARTED[@]}"; do
		is_gone "$pid" || kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	for name in "${MADE_NETNS[@]}"; do
		ip netns del "$name" 2>/dev/null
	done
	rm -rf "$T" "/var/run/dpdk/$PREFIX-dut" "/var/run/dpdk/$PREFIX-gen" "/var/run/dpdk/$PREFIX-other"
}
trap clean_up EXIT
trap 'exit 143' INT TERM HUP

# The accounts of any record close, whatever happened in the trial.
ACCOUNTS='.tx.offered == .tx.sent + .tx.refused + .tx.unsent and .rx.lost == .tx.sent - .rx.received'
# Nothing was lost, copied, moved or changed.
EXACT='.rx.received == .tx.sent and .rx.lost == 0 and .rx.duplicate == 0 and .rx.reordered == 0
	and (.rx.gen_missed // 0) == 0 and (.rx.corrupt == null or .rx.corrupt == 0) and .loss_ratio == 0
	and .verdict != "invalid"'
# Links that lose nothing by themselves.
WAIT=(--on-full wait --warmup 0 --drain 500ms)

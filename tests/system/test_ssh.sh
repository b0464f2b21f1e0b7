# The DUT on another host: a network namespace with an sshd of its own for management and a veth pair as
# the cable. One command on the generator's side starts the DUT, measures, and ends it; the records hold
# the DUT's part; a connection that is lost is said and survived.
. "$(dirname "$0")/lib.sh"

GEN_HOST=$PREFIX-g
DUT_HOST=$PREFIX-d
SSHD=$(command -v sshd || echo /usr/sbin/sshd)

if ! is_root || ! ip netns add "$GEN_HOST" 2>/dev/null; then
	skip "the DUT over ssh" "needs root and network namespaces"
	exit 0
fi
MADE_NETNS+=("$GEN_HOST" "$DUT_HOST")
ip netns add "$DUT_HOST"
if [ ! -x "$SSHD" ]; then
	skip "the DUT over ssh" "needs sshd: run 'make deps'"
	exit 0
fi

# management M, and a cable g0-d0 with nothing of the kernel's own on it
ip link add mg netns "$GEN_HOST" type veth peer name md netns "$DUT_HOST"
ip link add g0 netns "$GEN_HOST" type veth peer name d0 netns "$DUT_HOST"
for end in "$GEN_HOST mg" "$DUT_HOST md" "$GEN_HOST g0" "$DUT_HOST d0"; do
	set -- $end
	[ -e /proc/sys/net/ipv6 ] && ip netns exec "$1" sysctl -qw "net.ipv6.conf.$2.disable_ipv6=1"
	ip -n "$1" link set "$2" up
done
ip -n "$GEN_HOST" addr add 192.0.2.1/24 dev mg
ip -n "$DUT_HOST" addr add 192.0.2.2/24 dev md

# An sshd that knows one key and answers on the management address alone.
ssh-keygen -q -t ed25519 -N '' -f "$T/host"
ssh-keygen -q -t ed25519 -N '' -f "$T/key"
cp "$T/key.pub" "$T/authorized"
mkdir -p /run/sshd
cat >"$T/sshd.conf" <<-EOF
	Port 2222
	ListenAddress 192.0.2.2
	HostKey $T/host
	AuthorizedKeysFile $T/authorized
	PermitRootLogin prohibit-password
	PasswordAuthentication no
	KbdInteractiveAuthentication no
	UsePAM no
	StrictModes no
	PidFile none
EOF
cat >"$T/ssh.conf" <<-EOF
	Host *
	IdentityFile $T/key
	IdentitiesOnly yes
	UserKnownHostsFile $T/known
EOF
echo "[192.0.2.2]:2222 $(cut -d' ' -f1,2 "$T/host.pub")" >"$T/known"

sshd_pid=
start_sshd() {
	ip netns exec "$DUT_HOST" "$SSHD" -D -f "$T/sshd.conf" -E "$T/sshd.log" &
	sshd_pid=$!
	STARTED+=("$sshd_pid")
	within 15 ssh_works
}
ssh_works() { ip netns exec "$GEN_HOST" ssh -F "$T/ssh.conf" -o BatchMode=yes -p 2222 root@192.0.2.2 true; }

if ! start_sshd; then
	fail "an sshd in the DUT's namespace" "$(tail -n 2 "$T/sshd.log" | tr '\n' ' ')"
	exit 1
fi

# The generator execs in its namespace, so that the pid the helpers know is the program's.
printf '#!/bin/sh\nexec ip netns exec %s %s "$@"\n' "$GEN_HOST" "$(realpath "$GEN")" >"$T/on-gen"
chmod +x "$T/on-gen"
PROGRAM=$(realpath "$DUT")
GEN=$T/on-gen
PLACE=ssh://root@192.0.2.2:2222/$PREFIX-far
FAR=(--dut "$PLACE" --ssh "ssh -F $T/ssh.conf" --dut-program "$PROGRAM")
FAR_DUT="exec $PROGRAM -l $DUT_LCORE --file-prefix $PREFIX-far ${HUGE[*]} --vdev net_af_packet0,iface=d0,blocksz=65536,framecnt=8192 -- --on-full wait --duration 120"
GEN_LINK=(--vdev net_af_packet0,iface=g0,blocksz=65536,framecnt=8192)
FAR_SOCKET=/var/run/dpdk/$PREFIX-far/dpdk_telemetry.v2

far_gone() { ! pgrep -f -- "--file-prefix $PREFIX-far " >/dev/null; }

one_command() {
	gen run run --frames 5000 --rate 5kpps --size 256 --out "$T/out" --json "${WAIT[@]}" "${FAR[@]}" --dut-start "$FAR_DUT"
	check_equal "one command: status" "$status" 0
	check_json "one command: the DUT's part is in the record" "$T/run.out" '.tx.offered == 5000 and .rx.received == .tx.sent
		and .path == "io" and .dut.config.forward_mode == "io" and .dut.cpu_busy > 0 and .dut.cpu_busy <= 1
		and .dut.cycles_per_frame > 0 and .dut.rx_missed == 0 and (.dut.stalls.count | type) == "number"'
	check_json "one command: run.json knows the DUT and its host" "$T/out/run.json" \
		".dut_place == \"$PLACE\" and .dut.forward_mode == \"io\" and .dut_host.cpus_online >= 1
		and (.dut_host.kernel | length) > 0"
	check "one command: the DUT has ended" "it still runs" within 15 far_gone
	check "one command: the DUT left nothing" "$FAR_SOCKET" test ! -e "$FAR_SOCKET"
}

# The README's benchmark of two servers, one command on one of them: both drivers, both paths.
benchmark() { # DRIVER PATH
	local name="two servers, $1, $2" more= dut gen_link=("${GEN_LINK[@]}")

	[ "$1" = af_xdp ] || more=,blocksz=65536,framecnt=8192
	GEN_LINK=(--vdev "net_${1}0,iface=g0$more")
	dut="exec $PROGRAM -l $DUT_LCORE --file-prefix $PREFIX-far ${HUGE[*]} --vdev net_${1}0,iface=d0$more -- --forward-mode=$2"
	[ "$2" = io ] || dut="$dut --kernel-path=af_packet"
	gen bench sweep --sizes 64,1518 --rate 2kpps --duration 300ms --warmup 100ms --drain 300ms --out "$T/$1-$2" --json \
		"${FAR[@]}" --dut-start "$dut --on-full wait --duration 120"
	if grep -q 'AF_XDP' "$T/bench.err"; then
		skip "$name" "$(tail -n 1 "$T/bench.err")"
	else
		check_equal "$name: status" "$status" 0
		check_json "$name: frames came back, the DUT's part is there" "$T/bench.out" \
			".path == \"$2\" and .rx.received > 0 and .dut.cycles_per_frame > 0 and .verdict != \"invalid\""
		check "$name: report" "$T/$1-$2" "$PLOT" report "$T/$1-$2"
		check "$name: the DUT has ended" "it still runs" within 15 far_gone
	fi
	GEN_LINK=("${gen_link[@]}")
}

# A DUT that runs by itself; the connection is cut between two trials, and comes back.
lost() {
	ip netns exec "$DUT_HOST" "$PROGRAM" -l "$DUT_LCORE" --file-prefix "$PREFIX-far" "${HUGE[@]}" \
		--vdev net_af_packet0,iface=d0,blocksz=65536,framecnt=8192 -- --on-full wait --duration 120 >"$T/dut.out" 2>"$T/dut.err" &
	dut_pid=$!
	STARTED+=("$dut_pid")
	within 15 test -S "$FAR_SOCKET"
	start_gen lost run --duration 1s --rate 2kpps --repeat 6 --out "$T/lost" --json "${FAR[@]}" --drain 200ms --warmup 0
	within 30 grep -q . "$T/lost/trials.jsonl"
	kill -KILL "$sshd_pid" $(pgrep -P "$sshd_pid") 2>/dev/null
	wait_program "$gen_pid" 60
	check_equal "a lost connection: status" "$status" 0
	check_equal "a lost connection: one warning" "$(grep -c 'warning: ssh://' "$T/lost.err")" 1
	check "a lost connection: names it" "$(cat "$T/lost.err")" grep -q 'the connection is lost' "$T/lost.err"
	check "a lost connection: trials before have the DUT's part, later ones null" "$(jq -c '.dut != null' "$T/lost/trials.jsonl" | tr '\n' ' ')" \
		jq -es '.[0].dut != null and .[-1].dut == null and length == 6 and all(.[]; .rx.received > 0)' "$T/lost/trials.jsonl"
	kill -TERM "$dut_pid"
	wait_program "$dut_pid" 15
	start_sshd
}

refused() {
	gen none run --frames 10 --rate 1kpps "${FAR[@]}"
	check_equal "no DUT there: status" "$status" 1
	check_line "no DUT there: one line" "$T/none.err"
	gen early run --frames 10 --rate 1kpps "${FAR[@]}" --dut-start "echo no such device >&2; exit 3"
	check_equal "a DUT that does not start: status" "$status" 1
	check "a DUT that does not start: its last words" "$(cat "$T/early.err")" \
		grep -q 'the DUT ended: no such device' "$T/early.err"
	check_line "a DUT that does not start: one line" "$T/early.err"
	gen port run --frames 10 --rate 1kpps --wait-link 1s "${FAR[@]/2222/2223}"
	check_equal "nobody listens: status" "$status" 1
	check_line "nobody listens: one line" "$T/port.err"
	gen bad run --frames 10 --rate 1kpps --dut ssh://-x
	check_equal "no host: status" "$status" 2
	check_line "no host: one line" "$T/bad.err"
	"$DUT" telemetry a b >"$T/two.out" 2>"$T/two.err"
	check_equal "tandem-dut telemetry with two words: status" "$?" 2
	check_equal "tandem-dut telemetry: a request that cannot be answered" \
		"$(echo /tandem/dut/stats | "$DUT" telemetry "$PREFIX-none" | jq -r '.error | length > 0')" true
}

# Ctrl-C ends the DUT, too; and so does kill -9.
ended() { # SIGNAL
	start_gen "$1" run --duration 60s --rate 2kpps --json "${FAR[@]}" --dut-start "$FAR_DUT" --warmup 0
	within 30 test -S "$FAR_SOCKET"
	stop_program "$gen_pid" "$1"
	check "SIG$1: the DUT ends, too" "it still runs" within 15 far_gone
	rm -rf "/var/run/dpdk/$PREFIX-far"
}

one_command
for driver in af_packet af_xdp; do
	for path in io kernel; do
		benchmark $driver $path
	done
done
refused
ended INT
ended KILL
rm -rf "/var/run/dpdk/$PREFIX-gen"
lost
check_no_traces "nothing is left"

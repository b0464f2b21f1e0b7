# Both programs as a user without rights over memif and vhost-user: no hugepages, a run-time folder of the user's own, and
# sockets that nobody else can use.
. "$(dirname "$0")/lib.sh"

if ! is_root || ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	skip "an unprivileged user" "needs root, to become another user"
	exit 0
fi

for program in "$GEN" "$DUT" "$PLOT"; do
	check "${program##*/}: position-independent, full RELRO, stack protector" "$(file -b "$program" 2>/dev/null)" \
		sh -c "readelf -h '$program' | grep -q 'Type: *DYN' && readelf -lW '$program' | grep -q GNU_RELRO &&
			readelf -dW '$program' | grep -q BIND_NOW && readelf -sW --dyn-syms '$program' | grep -q __stack_chk_fail"
	check "${program##*/}: no stack that may be executed" "$(readelf -lW "$program" | grep GNU_STACK)" \
		sh -c "readelf -lW '$program' | grep GNU_STACK | grep -q 'RW '"
done

HUGE=(--no-huge)
chmod 0711 "$T"
mkdir -m 0700 "$T/home" "$T/home/run"
chown -R 65534:65534 "$T/home"
cp "$GEN" "$DUT" "$T/home/" # the tree may be closed to others
for program in gen dut; do
	cat >"$T/as-$program" <<-EOF
		#!/bin/sh
		exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \\
			env XDG_RUNTIME_DIR=$T/home/run HOME=$T/home $T/home/tandem-$program "\$@"
	EOF
	chmod 0755 "$T/as-$program"
done
GEN=$T/as-gen
DUT=$T/as-dut
telemetry=$T/home/run/dpdk/$PREFIX-dut/dpdk_telemetry.v2

for link in memif vhost; do
	outer=$T
	T=$T/home # sockets in the user's folder
	use_link $link
	T=$outer
	start_dut --on-full wait
	check "$link: the DUT runs without any right" "$(tail -n 1 "$T/dut.err")" kill -0 "$dut_pid"
	check_equal "$link: as that user" "$(awk '/^Uid/ {print $2}' "/proc/$dut_pid/status")" 65534
	check "$link: its sockets are its owner's alone" "$(stat -c '%a %n' "${SOCKETS[0]}" "$telemetry")" \
		test "$(stat -c %a "${SOCKETS[0]}" "$telemetry" "$(dirname "$telemetry")" | grep -vc '^[67]00$')" = 0
	gen run run --frames 2000 --rate 5kpps --json "${WAIT[@]}" --dut "unix:$telemetry"
	check_equal "$link: status" "$status" 0
	check_json "$link: exact" "$T/run.out" "$EXACT and .dut != null"
	check_equal "$link: nobody listens on a network" \
		"$(ss -H -l -n -p -A inet 2>/dev/null | grep -c "pid=$dut_pid,")" 0
	stop_dut
	check_equal "$link: the DUT ends cleanly" "$dut_status" 0
	check "$link: nothing is left in the run-time folder" "$(find "$T/home/run" -type s -o -type f)" \
		test -z "$(find "$T/home/run" -type s -o -type f)"
done
# What needs a right says which.
"$DUT" -l "$DUT_LCORE" --no-huge --file-prefix "$PREFIX-dut" --vdev net_af_packet0,iface=lo -- >"$T/right.out" 2>"$T/right.err"
check_equal "af_packet without CAP_NET_RAW: status" "$?" 2
check "af_packet without CAP_NET_RAW: named" "$(cat "$T/right.err")" grep -q CAP_NET_RAW "$T/right.err"
"$DUT" -l "$DUT_LCORE" --no-huge --file-prefix "$PREFIX-dut" --vdev "net_memif0,role=server,socket=$T/home/m.sock,socket-abstract=no" -- \
	--forward-mode=kernel >"$T/kernel.out" 2>"$T/kernel.err"
check_equal "the kernel path without rights: status" "$?" 1
check_line "the kernel path without rights: one line" "$T/kernel.err"

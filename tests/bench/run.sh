#!/usr/bin/env bash
# Our figures beside dpdk-testpmd's on the same cores and ports. Runs are interleaved (ours, peer, ours, ...), each figure
# is a median, the ratio is the median of the rounds' ratios: on a shared machine only the ratio means something.
# ROUNDS (5) and SECONDS_A_RUN (1) can be set; arguments pick rows by the beginning of their names.
set -u
cd "$(dirname "$0")/../.."
. scripts/hugepages.sh
. scripts/process.sh
. tests/bench/lib.sh
. tests/bench/records.sh
trap clean_up EXIT
trap 'exit 1' INT TERM

failed=0
wanted=("$@")
eal=()
eal_testpmd=(--in-memory)
hugepages_reserve 512
if [ "$HUGE" = no ]; then
	eal=(--no-huge)
	eal_testpmd=(--no-huge -m 768)
fi

wants() {
	[ ${#wanted[@]} -gt 0 ] || return 0
	local word
	for word in "${wanted[@]}"; do
		[ "${1#"$word"}" = "$1" ] || return 0
	done
	return 1
}

# Stamped and checksummed send against testpmd's unstamped txonly.
for burst in 32 64; do
	wants "send-null-$burst" && row "send-null-$burst" "ours_send $burst" "peer_send $burst"
done
# A capture against frames of one kind.
wants replay && row replay-1m-to-constant ours_replay "ours_send 32"
# Send and receive, every frame stamped and checked.
wants ring && row ring-64 "ours_ring 1" peer_ring
wants flows && row flows-64k-to-1 "ours_ring 65536" "ours_ring 1"
wants streams && row streams-1000-to-1 "ours_ring 1 1000" "ours_ring 1"
# What a frame costs the generator, part by part: no peer has these parts.
case " ${wanted[*]-} " in
"  " | *" cycles"*)
	for _ in $(seq "$rounds"); do
		timeout 120 "$build/tests/bench/cycles" -l $gen_core "${eal[@]}" --file-prefix bench-$$-cycles --vdev net_null0 -- ||
			failed=1
	done >"$tmp/cycles"
	for name in $(awk '!seen[$2]++ {print $2}' "$tmp/cycles"); do
		wants "$name" && printf 'bench %-22s ours %10.3f peer %10s ratio %6s unit cycles/frame\n' "$name" \
			"$(awk -v name="$name" '$2 == name {print $4}' "$tmp/cycles" | median)" - -
	done
	;;
esac
for link in vhost memif; do
	wants "gen-$link" && row "gen-$link-64" "ours_through_testpmd $link" "peer_through_testpmd $link"
done
# The same generator through either DUT.
for link in vhost memif; do
	wants "io-$link" && row "io-$link-64" "through_dut ours $link 64" "through_dut peer $link 64"
done
for link in vhost memif; do
	wants "p50-$link" && row "p50-$link-64" "round_trip ours $link" "round_trip peer $link" us 1e3
done
if wants records; then
	records_rows || failed=1
fi
if [ "$(id -u)" -eq 0 ]; then
	for driver in af_xdp af_packet tap; do
		wants "kernel-$driver" && row "kernel-$driver-64" "through_dut ours vhost 64 $driver" \
			"through_dut peer vhost 64 $driver"
	done
	# How much of what the kernel alone can route is left through the DUT.
	for driver in af_xdp af_packet tap; do
		wants "routed-$driver" && row "routed-$driver-64" "through_dut ours vhost 64 $driver" routed
	done
else
	echo "bench: the kernel rows need root" >&2
fi
exit $failed

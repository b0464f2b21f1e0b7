#!/usr/bin/env bash
# The real rte_kni: built out of Debian's source of the installed DPDK, loaded into a Debian kernel in a VM, and measured
# there through the kernel's routing, beside the other backends. `make lab-kni` calls it. Packages that are only unpacked
# and what is built stay under BUILD/lab; results go to results/<time>-kni-lab. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
lab=$build/lab
passed=0
failed=0

verdict() { # STATUS NAME
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		echo "ok lab: $2"
	else
		failed=$((failed + 1))
		echo "FAIL lab: $2"
	fi
}
end() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ] && [ $passed -gt 0 ]
	exit
}
trap 'exit 130' INT TERM

tests/lab/fetch.sh "$lab" source && tests/lab/fetch.sh "$lab" kernel
verdict $? "DPDK's source and a kernel with its headers"
[ $failed = 0 ] || end
tests/lab/kni.sh "$lab" "$lab/dpdk" "$lab/kernel/usr/src/linux-headers-$(cat "$lab/kernel/release")"
verdict $? "rte_kni.ko, librte_kni and the net_kni driver are built"
[ $failed = 0 ] || end

begin=$SECONDS
LIMIT=${LIMIT:-280} tests/lab/vm.sh "$lab" "$build" >"$lab/vm.log" 2>&1
echo "-- VM: $((SECONDS - begin)) s"
grep -a '^LAB note' "$lab/vm.log"
while read -r _ what name; do
	case $what in
	ok) verdict 0 "$name" ;;
	FAIL) verdict 1 "$name" ;;
	esac
done < <(tr -d '\r' <"$lab/vm.log" | grep -aoE 'LAB (ok|FAIL) .*')
grep -aq 'LAB END' "$lab/vm.log"
verdict $? "the VM came to its end"
[ $failed = 0 ] || tail -n 25 "$lab/vm.log"

# Nothing may be lost at a low rate, through a router: the DUT's own counters agree.
for run in "$lab"/results/*/; do
	name=$(basename "$run")
	[ -f "$run/trials.jsonl" ] || continue
	jq -es 'length == 7 and all(.[]; .path == "kernel" and .rx.received > 0 and .rx.lost == 0 and .rx.duplicate == 0
		and .rx.reordered == 0 and .verdict != "invalid")' "$run/trials.jsonl" >/dev/null
	verdict $? "$name: seven sizes, nothing lost: $(jq -sc '[.[] | [.frame_size, .rx.received, .rx.lost]]' "$run/trials.jsonl")"
done
# What went up came down or was dropped by the kernel, which says so; but for the kernel's own few.
jq -es 'all(.[]; .kernel.path == "kni" and .kernel.refused == 0 and (.ports[] | select(.role == "kernel") |
	.driver == "net_kni" and .rx > 1000) and ((.ports[] | select(.role == "kernel") | .tx - .rx) - .kernel.dropped
	| . <= 4 and . >= -4))' "$lab/results/kni/dut-kni.json" >/dev/null
verdict $? "kni: the DUT's record, and its ledger closes"
jq -es 'all(.[]; .cpu.kernel_threads == 1 and .cpu.kernel_threads_share > 0)' "$lab/results/kni/dut-kni.json" >/dev/null
verdict $? "kni: the kernel thread's CPU time is accounted for"
grep -aq 'KNI' "$lab/results/sample-dut.log"
verdict $? "the KNI sample's statistics"

out=results/$(date +%Y%m%d-%H%M%S)-kni-lab
if [ -d "$lab/results/kni" ]; then
	mkdir -p "$out"
	cp -r "$lab"/results/*/ "$out/"
	runs=()
	for name in kni virtio-user af_xdp af_packet tap; do
		[ ! -f "$out/$name/trials.jsonl" ] || runs+=("$out/$name")
	done
	"$build/tandem-plot" latency "${runs[@]}" -o "$out" --title "Kernel path backends in an emulated machine: no speeds to compare with others"
	verdict $? "the latency of all backends in one picture"
	echo "results: $out"
fi
end

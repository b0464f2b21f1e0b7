#!/usr/bin/env bash
# What it costs to leave KNI: the kernel path over each backend that this host has, beside the io path, in one table and one
# picture each of throughput, latency and CPU. What a host lacks is named with the reason, and not drawn. rte_kni takes part
# where its module is loaded and KNI_PLUGIN names the driver that `make kni` built.
# `make compare-backends` calls it; options as scripts/run.sh: --sizes, --rate, --duration, --link, --out, and
#   --kni-lab DIR   the results of `make lab-kni`: their own picture, for they are of an emulated machine
set -u
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
out=results/$(date +%Y%m%d-%H%M%S)-backends
lab=
options=(--duration 2)

die() {
	echo "backends.sh: $1" >&2
	exit "${2:-1}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--help | -h)
		sed -n '2,8s/^# \?//p' "$0"
		exit 0
		;;
	--out | --kni-lab | --sizes | --rate | --duration | --link)
		[ $# -ge 2 ] || die "$1 needs a value" 2
		case $1 in
		--out) out=$2 ;;
		--kni-lab) lab=$2 ;;
		*) options+=("$1" "$2") ;;
		esac
		shift 2
		;;
	*) die "unknown option $1; --help lists them" 2 ;;
	esac
done
[ "$(id -u)" -eq 0 ] || die "the kernel path needs root" 2
[ -x "$build/tandem-gen" ] || die "$build/tandem-gen is not there: run make" 2
[ -z "$lab" ] || [ -f "$lab/kni/trials.jsonl" ] || die "--kni-lab $lab: no results of make lab-kni there" 2
mkdir -p "$out" || die "cannot make $out"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' INT TERM
runs=()
missing=()

# measure NAME OPTIONS...: a folder of results for each.
measure() {
	local name=$1
	shift
	echo "== $name" >&2
	if BUILD=$build scripts/run.sh "${options[@]}" --name "$name" --out "$out/$name" "$@" >"$log" 2>&1 &&
		[ -s "$out/$name/trials.jsonl" ]; then
		runs+=("$out/$name")
	else
		rm -rf "${out:?}/$name"
		missing+=("$name: $(grep -aE '^(tandem-dut|tandem-gen|run.sh):' "$log" | head -n 1)")
	fi
}

measure io --paths io
for backend in kni virtio-user af_xdp af_packet tap; do
	if [ $backend = kni ] && [ -e /dev/kni ]; then
		export TANDEM_DUT_EAL="--iova-mode=pa -d ${KNI_PLUGIN:-$build/kni/librte_net_kni.so.23}"
	else
		unset TANDEM_DUT_EAL
	fi
	measure $backend --paths kernel --kernel-path $backend
done
[ ${#runs[@]} -gt 0 ] || die "no backend could be measured: ${missing[*]}"

status=0
for verb in throughput latency cpu; do
	"$build/tandem-plot" $verb "${runs[@]}" --out "$out" --title "What it costs to leave KNI: $verb by backend" || status=1
done
[ -z "$lab" ] || "$build/tandem-plot" latency "$lab"/*/ --out "$out/emulated-latency" \
	--title "The same backends with rte_kni in an emulated machine: no speeds to set beside the others" || status=1
{
	"$build/tandem-plot" table "${runs[@]}" || status=1
	for reason in "${missing[@]}"; do
		echo "not measured: $reason"
	done
	[ -z "$lab" ] || echo "rte_kni in an emulated machine: $lab (its speeds are the emulator's)"
} | tee "$out/table.txt"
"$build/tandem-plot" report "${runs[@]}" -o "$out/report.html" --title "What it costs to leave KNI" >/dev/null || status=1
echo "results: $out (report.html, table.txt, throughput, latency and cpu as *.svg and *.png)"
exit $status

#!/usr/bin/env bash
# The main job, start to finish, on one machine: tandem-dut and tandem-gen back to back over an embedded link, first the
# io path, then the kernel path, over all frame sizes; results, table and curves. `make run` calls it without options.
#
# Installed, it is tandem-run: PREFIX/share/tandem/scripts/run.sh with the programs in PREFIX/bin; results then go below the
# current folder.
set -u
me=${0##*/}
here=$(dirname "$(readlink -f "$0")")
. "$here/hugepages.sh"
. "$here/process.sh"
if [ -f "$here/../Makefile" ]; then
	cd "$here/.." || exit 1
	build=${BUILD:-build}
	calls=scripts/run.sh
else
	build=$(readlink -f "$here/../../../bin")
	calls=tandem-run
fi

link=${LINK:-vhost}
sizes=64,128,256,512,1024,1280,1518
rates=max,50%max
duration=4
paths=io,kernel
kernel_path=auto
name=tandem
out=
gen_extra=()

usage() {
	cat <<EOF
Usage: $calls [options]
Generator and DUT back to back on this machine: the io path, then the kernel path, over all frame sizes; results, table,
curves and report. What is made is removed at the end, but for the results.
  --sizes LIST        frame sizes, FCS included (default 64,128,256,512,1024,1280,1518)
  --rate LIST         rates at each size (default max,50%max)
  --duration TIME     of a trial (default 4 seconds)
  --paths LIST        io, kernel or both (default io,kernel)
  --kernel-path NAME  auto, af_xdp, af_packet or tap (default auto: a short probe picks the fastest)
  --link NAME         vhost or memif (default vhost; LINK=memif make run)
  --name NAME         last part of the results folder's name (default tandem)
  --out DIR           results folder (default results/<time>-<name>)
  -- OPTIONS          further options of tandem-gen sweep
Example: $calls --sizes 64,1518 --duration 10 --paths kernel --kernel-path tap --name tap
EOF
}

die() {
	echo "$me: $1" >&2
	exit "${2:-1}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--help | -h) usage && exit 0 ;;
	--) shift && gen_extra=("$@") && break ;;
	--sizes | --rate | --duration | --paths | --kernel-path | --link | --name | --out)
		[ $# -ge 2 ] || die "$1 needs a value" 2
		case $1 in
		--sizes) sizes=$2 ;;
		--rate) rates=$2 ;;
		--duration) duration=$2 ;;
		--paths) paths=$2 ;;
		--kernel-path) kernel_path=$2 ;;
		--link) link=$2 ;;
		--name) name=$2 ;;
		--out) out=$2 ;;
		esac
		shift 2
		;;
	*) die "unknown option $1; --help lists them" 2 ;;
	esac
done
case $link in vhost | memif) ;; *) die "--link $link: vhost or memif" 2 ;; esac
for path in ${paths//,/ }; do
	case $path in io | kernel) ;; *) die "--paths $path: io, kernel or both" 2 ;; esac
done
case ,$paths, in
*,kernel,*) [ "$(id -u)" -eq 0 ] || die "the kernel path needs root; --paths io does not" 2 ;;
esac
[ -x "$build/tandem-gen" ] || die "$build/tandem-gen is not there: run make" 2

out=${out:-results/$(date +%Y%m%d-%H%M%S)-$name}
tmp=$(mktemp -d)
prefix=tandem-run-$$
dut=
stopping=0

end_dut() {
	[ -n "$dut" ] || return 0
	end_program "$dut"
	dut=
}

clean_up() {
	end_dut
	hugepages_release
	rm -rf "$tmp" "/var/run/dpdk/$prefix-dut" "/var/run/dpdk/$prefix-gen"
}
trap clean_up EXIT
trap 'stopping=1' INT TERM

# Cores: the generator takes the first isolated or allowed one, the DUT the second.
mapfile -t cores < <({ cat /sys/devices/system/cpu/isolated; taskset -cp $$ | sed 's/.*: //'; } |
	tr ',' '\n' | awk -F- 'NF == 1 && $1 != "" {print $1} NF == 2 {for (i = $1; i <= $2; i++) print i}' | awk '!seen[$0]++')
gen_core=${cores[0]}
dut_core=${cores[1]:-$gen_core}
[ "$gen_core" != "$dut_core" ] ||
	echo "$me: one core only: generator and DUT take turns on it, figures are far below what two cores give" >&2

hugepages_reserve 384
eal=()
if [ "$HUGE" = no ]; then
	echo "$me: no hugepages to be had: running with --no-huge, slower" >&2
	eal=(--no-huge)
fi
case $link in
vhost)
	dut_vdev=net_vhost0,iface=$tmp/link.sock
	gen_vdev=net_virtio_user0,path=$tmp/link.sock,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0
	gen_eal=(--single-file-segments)
	;;
memif)
	dut_vdev=net_memif0,role=server,socket=$tmp/link.sock,socket-abstract=no,rsize=14
	gen_vdev=net_memif0,role=client,socket=$tmp/link.sock,socket-abstract=no,rsize=14
	gen_eal=()
	;;
esac

start_dut() { # PATH
	local options=(--forward-mode="$1" --stats "$tmp/dut-$1.json")
	[ "$1" = io ] || options+=(--kernel-path="$kernel_path" --kernel-netns "$prefix")
	# A process group of its own: Ctrl-C ends the generator first, then this script ends the DUT.
	# shellcheck disable=SC2086
	setsid "$build/tandem-dut" -l "$dut_core" "${eal[@]}" ${TANDEM_DUT_EAL:-} --file-prefix "$prefix-dut" --vdev "$dut_vdev" -- "${options[@]}" \
		>"$tmp/dut-$1.log" 2>&1 &
	dut=$!
	telemetry=/var/run/dpdk/$prefix-dut/dpdk_telemetry.v2
	for _ in $(seq 300); do
		[ ! -S "$tmp/link.sock" ] || [ ! -S "$telemetry" ] || ! grep -q waiting "$tmp/dut-$1.log" || return 0
		kill -0 "$dut" 2>/dev/null || break
		[ $stopping = 0 ] || return 1
		sleep 0.1
	done
	cat "$tmp/dut-$1.log" >&2
	return 1
}

status=0
for path in ${paths//,/ }; do
	[ $stopping = 0 ] || break
	start_dut "$path" || die "the DUT did not start ($path path)"
	grep -h 'kernel path' "$tmp/dut-$path.log" >&2 || true
	append=()
	[ ! -f "$out/run.json" ] || append=(--append)
	"$build/tandem-gen" -l "$gen_core" "${eal[@]}" "${gen_eal[@]}" --file-prefix "$prefix-gen" --vdev "$gen_vdev" -- sweep \
		--sizes "$sizes" --rate "$rates" --duration "$duration" --dut-telemetry "$telemetry" --out "$out" \
		"${append[@]}" --title "$name" "${gen_extra[@]}" >"$tmp/gen.out" || status=$?
	end_dut
	[ ! -f "$tmp/dut-$path.json" ] || [ ! -d "$out" ] || cp "$tmp/dut-$path.json" "$out/dut-$path.json"
	[ $status -lt 2 ] || break
done

if [ -s "$out/trials.jsonl" ]; then
	for verb in throughput latency percentiles cpu report table; do
		"$build/tandem-plot" "$verb" "$out" || status=1
	done
	case $out in
	results/*) ln -sfn "${out#results/}" results/latest ;;
	esac
	echo
	echo "results: $out (report.html, curves as *.svg and *.png, run.json trials.jsonl summary.csv *.hgrm)"
fi
[ $stopping = 0 ] || status=1
exit $status

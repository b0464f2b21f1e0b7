#!/bin/bash
# What is installed: the Debian package runs the main job from /usr with no source tree in reach, in a mount namespace
# whose /usr and /var are overlays; man pages and completion say what the tables of options say.
. "$(dirname "$0")/lib.sh"

tree=$PWD
build=$(readlink -f "$BUILD")

# --- man pages and completion

make --no-print-directory -s B="$BUILD" docs >"$T/docs.log" 2>&1
check_equal "man pages and completion are made" "$?" 0
for name in tandem-gen tandem-dut tandem-plot tandem-run; do
	page=$build/doc/$name.1
	mandoc -Tlint -W warning "$page" >"$T/lint" 2>&1
	check "$name(1): mandoc finds nothing to warn of" "$(head -n 2 "$T/lint")" test ! -s "$T/lint"
done
"$GEN" rfc2544 --help >"$T/help" && mandoc -Tascii "$build/doc/tandem-gen.1" | col -bx >"$T/page"
missing=$(grep -oE '^ +(-[a-z], )?--[a-z0-9-]+' "$T/help" | grep -oE -- '--[a-z0-9-]+' | while read -r option; do
	grep -q -- "$option" "$T/page" || echo "$option"
done)
check_equal "every option of tandem-gen rfc2544 is in its man page" "$missing" ""

# complete_words PROGRAM WORDS...: what bash offers for the last word.
complete_words() {
	bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_${1//-/_}
		echo "${COMPREPLY[@]}"' bash "$build/doc/$1.bash" "$@" 2>&1
}
check_equal "completion: verbs" "$(complete_words tandem-gen -l 0 -- mlr)" mlrsearch
check_equal "completion: options of a verb" "$(complete_words tandem-gen -- rfc2544 --loss-t)" --loss-tolerance
check_equal "completion: choices" "$(complete_words tandem-gen -- run --arrival p)" poisson
check_equal "completion: those of the DUT" "$(complete_words tandem-dut -l 1 -- --forward-mode k)" kernel
check_equal "completion: the doctor's" "$(complete_words tandem-dut doctor --kernel-path af_x)" af_xdp
check_equal "completion: of curves" "$(complete_words tandem-plot th)" throughput

# --- make install, make dist

umask 022
make --no-print-directory -s B="$BUILD" DESTDIR="$T/stage" PREFIX=/opt/tandem install >"$T/install.log" 2>&1
check_equal "make install DESTDIR= PREFIX=" "$?" 0
prefix=$T/stage/opt/tandem
check_equal "all is below the prefix" "$(ls "$T/stage")" opt
check "programs run from there" "$("$prefix/bin/tandem-gen" --version)" "$prefix/bin/tandem-dut" --help
check "and the main job" "$("$prefix/bin/tandem-run" --help 2>&1 | head -n 1)" grep -q '^Usage: tandem-run' \
	<("$prefix/bin/tandem-run" --help)
check "plans are shipped" "$(ls "$prefix/share/tandem")" test -s "$prefix/share/tandem/plans/acceptance.yaml"
check_equal "nothing is for others to write" "$(find "$prefix" ! -type l -perm /022 | head -n 3)" ""

if git rev-parse --verify -q HEAD >/dev/null 2>&1; then
	tarball=$(make --no-print-directory -s B="$T/dist" dist)
	first=$(sha256sum <"$tarball")
	sleep 1
	make --no-print-directory -s B="$T/dist" dist >/dev/null
	check_equal "make dist: the same commit, the same bytes" "$(sha256sum <"$tarball")" "$first"
	check "make dist: what make needs is in it" "$(tar -tzf "$tarball" | head -n 3)" \
		grep -q '^tandem-[0-9.]*/scripts/run.sh$' <(tar -tzf "$tarball")
else
	skip "make dist" "this is no git checkout"
fi

# --- the package

deb=$(readlink -f "$(make --no-print-directory -s B="$BUILD" deb 2>"$T/deb.err" | tail -n 1)")
check "make deb" "$(tail -n 2 "$T/deb.err")" dpkg-deb --info "$deb"
check_equal "the package's files are root's" "$(dpkg-deb -c "$deb" | awk '{print $2}' | sort -u)" root/root
check "DPDK's drivers are among its dependencies" "$(dpkg-deb -f "$deb" Depends)" \
	grep -Eq 'librte-eal[0-9]+ .*librte-net-vhost[0-9]+' <(dpkg-deb -f "$deb" Depends)

cat >"$T/inside" <<'IN'
# In a mount namespace of its own: T, tree, build, deb are told.
set -u
mkdir "$T/usr" "$T/usr.work" "$T/var" "$T/var.work" "$T/here"
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$T/usr,workdir=$T/usr.work" /usr || exit 77
mount -t overlay overlay -o "lowerdir=/var,upperdir=$T/var,workdir=$T/var.work" /var || exit 77
dpkg --no-triggers -i "$deb" >"$T/dpkg.log" 2>&1 || exit 78
cd "$T/here" || exit 1
mount -t tmpfs none "$tree" && mount -t tmpfs none "${build%/*}" || exit 79
[ ! -e "$tree/Makefile" ] || exit 79
unset BUILD
export PATH=/usr/sbin:/usr/bin
tandem-run --sizes 64,1518 --rate 20kpps --duration 200ms --paths io,kernel --kernel-path af_packet --name packed \
	-- --warmup 0 --drain 300ms >"$T/run.out" 2>"$T/run.err"
echo "run $?"
ls results/latest/ >"$T/run.ls"
cp results/latest/trials.jsonl "$T/trials.jsonl"
tandem-gen doctor --json | jq -r '"doctor " + .schema'
echo "man $(man -w tandem-gen 2>/dev/null)"
cd / && dpkg --no-triggers -r tandem >>"$T/dpkg.log" 2>&1
echo "remove $?"
echo "left $(find /usr -xdev -newer "$deb" \( -name '*tandem*' -o -path '*/tandem/*' \) -type f 2>/dev/null | head -n 3 | tr '\n' ' ')"
IN

if is_root && unshare -m true 2>/dev/null; then
	export T tree build deb
	timeout -k 5 100 unshare -m bash "$T/inside" >"$T/inside.out" 2>"$T/inside.err"
	status=$?
	if [ $status = 77 ]; then
		skip "the installed package" "no overlay file system can be mounted"
	else
		check_equal "the package is installed, run and removed" "$status" 0
		said() { sed -n "s/^$1 //p" "$T/inside.out"; }
		check "tandem-run does the main job from /usr, no source tree in reach" \
			"$(said run): $(tail -n 3 "$T/run.err") $(tail -n 3 "$T/dpkg.log")" test "$(said run)" = 0
		check_equal "both paths and sizes are in the results" \
			"$(jq -r '"\(.path) \(.frame_size)"' "$T/trials.jsonl" | sort | tr '\n' ' ')" "io 1518 io 64 kernel 1518 kernel 64 "
		check_json "frames came back" "$T/trials.jsonl" '.rx.received > 0 and .dut.config != null'
		check "curves and report too" "$(tr '\n' ' ' <"$T/run.ls")" \
			test "$(grep -c -e '^throughput.svg$' -e '^latency.png$' -e '^report.html$' "$T/run.ls")" = 3
		check_equal "doctor runs" "$(said doctor)" tandem.doctor/1
		case $(said man) in
		/usr/share/man/man1/tandem-gen.1.gz | "") ok "its man page is found" ;;
		*) fail "its man page is found" "$(said man)" ;;
		esac
		check_equal "it is removed whole" "$(said remove)$(said left)" 0
	fi
else
	skip "the installed package" "mount namespaces need root"
fi
check_no_traces "nothing of the programs is left"

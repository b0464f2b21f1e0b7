#!/usr/bin/env bash
# All tests of the tree: unit tests, the same under ASan and UBSan, whole programs, format and static checks. Ends with
# a line "N passed, N failed". `make test` builds first and calls this; SKIP="san lint" leaves parts out.
set -u
cd "$(dirname "$0")/.."
. scripts/hugepages.sh

build=${BUILD:-build}
skip=" ${SKIP:-} "
passed=0
failed=0

part() {
	case $skip in *" $1 "*) return 1 ;; esac
	printf '\n== %s\n' "$2"
}

count() { # STATUS NAME
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2"
	fi
}

# Runs every unit test program of a build folder and adds up what cmocka counts.
unit_tests() { # FOLDER
	local program log status n bad
	log=$(mktemp)
	for program in "$1"/tests/unit/test_*; do
		case $program in *.o | *.d) continue ;; esac
		timeout 300 "$program" >"$log" 2>&1 </dev/null
		status=$?
		n=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
		bad=$(grep -c '^\[  FAILED  \] [a-z_A-Z0-9]*$' "$log")
		[ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
		[ $status -ne 0 ] || bad=0
		passed=$((passed + ${n:-0}))
		failed=$((failed + bad))
		printf '%-40s %s passed, %s failed\n' "${program##*/}" "${n:-0}" "$bad"
		[ $status -eq 0 ] || cat "$log"
	done
	rm -f "$log"
}

# What needs no core to itself runs beside the system tests, which wait much: with low priority, in a process group of
# its own. Its output comes after theirs, its counts through a file.
beside() {
	passed=0
	failed=0
	if part san "unit tests under ASan and UBSan"; then
		if make --no-print-directory SAN=1 B="$build-san" units >"$aside/make" 2>&1; then
			unit_tests "$build-san"
		else
			tail -n 20 "$aside/make"
			count 1 "sanitizer build"
		fi
	fi
	if part lint "format and static checks"; then
		tests/lint.sh
		count $? "format and static checks"
	fi
	echo "$passed $failed" >"$aside/counts"
}

aside=$(mktemp -d)
aside_pid=
end() {
	[ -z "$aside_pid" ] || kill -- "-$aside_pid" 2>/dev/null
	rm -rf "$aside"
	hugepages_release
}
trap end EXIT
trap 'exit 1' INT TERM

hugepages_reserve 512

part unit "unit tests" && unit_tests "$build"

set -m
(
	renice -n 19 "$BASHPID" >/dev/null
	beside
) >"$aside/log" 2>&1 </dev/null &
aside_pid=$!
set +m

if part system "whole programs"; then
	log=$(mktemp)
	BUILD=$build tests/system/run.sh 2>&1 </dev/null | tee "$log"
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
	rm -f "$log"
	if [ -n "$line" ]; then
		passed=$((passed + $(echo "$line" | cut -d' ' -f1)))
		failed=$((failed + $(echo "$line" | cut -d' ' -f3)))
	else
		count 1 "the system tests did not end"
	fi
fi

wait "$aside_pid"
aside_pid=
cat "$aside/log"
if read -r n bad <"$aside/counts"; then
	passed=$((passed + n))
	failed=$((failed + bad))
else
	count 1 "sanitizers and static checks did not end"
fi

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

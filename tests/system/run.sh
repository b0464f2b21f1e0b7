#!/bin/bash
# Runs the system tests, all of them or those named (run.sh exact links), and counts.
#
# BUILD names the folder of the programs (default ./build). The last line is "N passed, N failed",
# with ", N skipped" when something could not be run; why is said where it was skipped.

cd "$(dirname "$0")/../.." || exit 1
export BUILD=${BUILD:-./build}
LIMIT_S=240 # of one file; it ends far sooner unless something hangs

for program in jq timeout; do
	if ! command -v "$program" >/dev/null; then
		echo "run.sh: $program is missing: run 'make deps'" >&2
		exit 1
	fi
done
for program in "$BUILD/tandem-gen" "$BUILD/tandem-dut"; do
	if [ ! -x "$program" ]; then
		echo "run.sh: $program is not built: run 'make'" >&2
		exit 1
	fi
done

files=()
for name in "$@"; do
	name=${name##*/}
	name=${name#test_}
	files+=("tests/system/test_${name%.sh}.sh")
done
[ $# -gt 0 ] || files=(tests/system/test_*.sh)

log=$(mktemp "${TMPDIR:-/tmp}/tandem-tests.XXXXXX")
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

for file in "${files[@]}"; do
	name=${file##*/test_}
	name=${name%.sh}
	begin=$SECONDS
	timeout -k 20 "$LIMIT_S" bash "$file" 2>&1 | sed -u "s/^\(ok\|FAIL\|skip\) /\1 $name: /" | tee -a "$log"
	status=${PIPESTATUS[0]}
	# A file that ends early must not pass for one that had little to check.
	[ "$status" = 0 ] || echo "FAIL $name: the file ended with status $status" | tee -a "$log"
	echo "-- $name: $((SECONDS - begin)) s"
done

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
skipped=$(grep -c '^skip ' "$log")
last="$passed passed, $failed failed"
[ "$skipped" = 0 ] || last="$last, $skipped skipped"
echo "$last"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]

#!/bin/bash
# Runs the fuzzers of a folder, each FUZZ_SECONDS (20) seconds, and prints a line each. They start from the committed
# corpus/NAME and from what earlier runs came upon, kept in the folder. Exits 1 when one of them found something: what it
# said, and the file with the input, stand above its line.
set -u
folder=${1:?usage: run.sh FOLDER}
seconds=${FUZZ_SECONDS:-20}
corpus=$(dirname "$0")/corpus
failed=0

case $seconds in
'' | *[!0-9]* | 0) echo "fuzz: FUZZ_SECONDS=$seconds is no number of seconds above 0" >&2 && exit 2 ;;
esac
for fuzzer in "$folder"/tests/fuzz/fuzz_*; do
	case $fuzzer in *.o | *.d) continue ;; esac
	name=${fuzzer##*/fuzz_}
	grown=$folder/corpus/$name
	log=$folder/$name.log
	mkdir -p "$grown" "$folder/findings"
	verdict=ok
	timeout $((seconds + 120)) "$fuzzer" -max_total_time="$seconds" -timeout=10 -max_len=4096 \
		-print_final_stats=1 -artifact_prefix="$folder/findings/$name-" \
		"$grown" "$corpus/$name" >"$log" 2>&1 </dev/null || verdict=FAILED
	if [ "$verdict" = FAILED ]; then
		grep -v '^#[0-9]' "$log" | tail -n 60
		failed=1
	fi
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	edges=$(sed -n 's/^#[0-9]*\t.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	printf 'fuzz %-12s %-6s %9s runs  %5s edges\n' "$name" "$verdict" "${runs:--}" "${edges:--}"
done
exit "$failed"

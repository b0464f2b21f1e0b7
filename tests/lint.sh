#!/bin/bash
# Static checks: format, a clang build with -Werror, cppcheck, clang-tidy. One line a check, what was
# found above it; exits 1 when one of them failed.
set -u
cd "$(dirname "$0")/.." || exit 1

mapfile -t sources < <(git ls-files '*.c')
mapfile -t headers < <(git ls-files '*.h')
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0

# check NAME COMMAND...: runs it, prints what it said when it failed, and one line.
check() {
	local name=$1 begin=$SECONDS verdict=ok
	shift
	if ! "$@" >"$out/said" 2>&1; then
		cat "$out/said"
		verdict=FAILED
		failed=1
	fi
	printf 'lint %-12s %-6s %3d s\n' "$name" "$verdict" $((SECONDS - begin))
}

format() {
	clang-format --dry-run -Werror "${sources[@]}" "${headers[@]}"
}

clang_build() {
	make --no-print-directory -j"$(nproc)" B=build/clang CC=clang all units
}

# cppcheck reads no system headers, so it is told what jansson's loops are. readdirCalled is left out:
# readdir_r, which it asks for, is deprecated in glibc.
cppcheck_all() {
	cat >"$out/macros.h" <<-'EOF'
		#define json_array_foreach(array, index, value) \
			for (index = 0; (value = json_array_get(array, index)); index++)
		#define json_object_foreach(object, key, value) \
			for (key = 0; (value = json_object_get(object, key));)
	EOF
	cppcheck --enable=warning,performance,portability --error-exitcode=1 --quiet \
		-j"$(nproc)" --std=c11 -I. -D_GNU_SOURCE -DTANDEM_VERSION='""' -DTANDEM_RELEASED='""' \
		--include="$out/macros.h" --suppress=readdirCalled "${sources[@]}"
}

tidy() {
	local flags
	read -ra flags < <(make --no-print-directory -s print-cflags CC=clang)
	# What it counts of warnings that it does not show says nothing.
	printf '%s\0' "${sources[@]}" | xargs -0 -P"$(nproc)" -I{} \
		clang-tidy --quiet {} -- "${flags[@]}" 2>"$out/counts"
}

check format format
check clang clang_build
check cppcheck cppcheck_all
check clang-tidy tidy
exit "$failed"

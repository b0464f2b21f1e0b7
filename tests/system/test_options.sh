# What is wrong on a command line costs one line and exit status 2; and both programs live with
# whatever stands behind their standard streams.
. "$(dirname "$0")/lib.sh"

# Wrong options are found before EAL starts: none of these needs a link.
refused() { # PROGRAM WORDS...
	local name

	name="$(basename "$1") ${*:2}"
	timeout -k 5 20 "$@" >"$T/bad.out" 2>"$T/bad.err" </dev/null
	check_equal "$name: status" "$?" 2
	check_line "$name: one line" "$T/bad.err"
	check "$name: the program is named" "$(head -c 200 "$T/bad.err")" \
		grep -q "^$(basename "$1"): ." "$T/bad.err"
	check_equal "$name: nothing on stdout" "$(head -c 200 "$T/bad.out")" ""
}

bad_gen() {
	refused "$GEN"
	refused "$GEN" -l 0 --
	refused "$GEN" -- walk
	refused "$GEN" -- run --size
	refused "$GEN" -- run --size 0
	refused "$GEN" -- run --size -64
	refused "$GEN" -- run --size 64x
	refused "$GEN" -- run --size 9999999999999999999999
	refused "$GEN" -- run --rate fast
	refused "$GEN" -- run --rate 0pps
	refused "$GEN" -- run --rate -1mpps
	refused "$GEN" -- run --rate nan
	refused "$GEN" -- run --rate ''
	refused "$GEN" -- run --duration 0
	refused "$GEN" -- run --duration 10parsec
	refused "$GEN" -- run --frames 0
	refused "$GEN" -- run --burst 513
	refused "$GEN" -- run --flows 1048577
	refused "$GEN" -- run --src-ip 198.18.0.256
	refused "$GEN" -- run --dst-mac 02:00:00:00:00
	refused "$GEN" -- run --gateway nowhere
	refused "$GEN" -- run --on-full maybe
	refused "$GEN" -- run --line-rate 10
	refused "$GEN" -- run --unknown
	refused "$GEN" -- run --siez 64
	refused "$GEN" -- run --json=yes
	refused "$GEN" -- run operand
	refused "$GEN" -- run --append
	refused "$GEN" -- run --tx-only --verify
	refused "$GEN" -- sweep --sizes ''
	refused "$GEN" -- sweep --sizes 64,,128
	refused "$GEN" -- sweep --rate 50%max,max
	refused "$GEN" -- run --rate "$(printf '1%.0s' {1..400})"
}

bad_dut() {
	refused "$DUT" -- --forward-mode=fly
	refused "$DUT" -- --forward-mode
	refused "$DUT" -- --port-topology=ring
	refused "$DUT" -- --burst=0
	refused "$DUT" -- --burst=513
	refused "$DUT" -- --rxd=x
	refused "$DUT" -- --mbcache=513
	refused "$DUT" -- --max-frame=20000
	refused "$DUT" -- --kernel-path=tap
	refused "$DUT" -- --kernel-netns=x
	refused "$DUT" -- --forward-mode=kernel --kernel-netns=a/b
	refused "$DUT" -- --forward-mode=kernel --kernel-netns=
	refused "$DUT" -- --stats=
	refused "$DUT" -- --unknown
	refused "$DUT" -- operand
}

# Help and version need neither hugepages nor a port, and say where they stand.
help_and_version() {
	local words

	for words in "$GEN -- --help" "$GEN -- --version" "$GEN -- run --help" "$GEN -- sweep --help" \
		"$GEN -- run --version" "$GEN --help" "$GEN --version" "$GEN run --help" "$GEN sweep --help" \
		"$DUT -- --help" "$DUT --help" "$DUT --version" "$DUT -- --version"; do
		# shellcheck disable=SC2086
		timeout -k 5 20 $words >"$T/help.out" 2>"$T/help.err" </dev/null
		check_equal "${words#"$BUILD/"}: status" "$?" 0
		check "${words#"$BUILD/"}: on stdout" "it is empty" test -s "$T/help.out"
		check_equal "${words#"$BUILD/"}: no word of EAL" "$(cat "$T/help.err")" ""
		[[ $words = *version ]] || continue
		check "${words#"$BUILD/"}: name and number" "$(cat "$T/help.out")" \
			grep -Eqx 'tandem-(gen|dut) [0-9]+\.[0-9]+\.[0-9]+' "$T/help.out"
	done
}

# What EAL refuses, and ports that cannot be had: not usage of ours, but one line too.
bad_eal() {
	local words

	for words in "--vdev net_nonsense0" "--vdev net_memif0,nonsense=1" "-l 99999" "--no-such-option" \
		"--vdev net_virtio_user0,path=/dev/nothing-there"; do
		# shellcheck disable=SC2086,SC2046
		timeout -k 5 30 "$GEN" --file-prefix "$PREFIX-gen" "${HUGE[@]}" $words -- run --frames 10 --wait-link 500ms \
			>"$T/eal.out" 2>"$T/eal.err" </dev/null
		status=$?
		check "EAL with $words: status 1 or 2" "$status" test "$status" = 1 -o "$status" = 2
		check_line "EAL with $words: one line" "$T/eal.err"
		check_equal "EAL with $words: nothing on stdout" "$(head -c 200 "$T/eal.out")" ""
	done
}

# A machine without hugepages, made from this one: an empty folder over sysfs' in a mount namespace.
no_hugepages() {
	if ! is_root || ! unshare -m true 2>/dev/null; then
		skip "no hugepages" "a mount namespace cannot be made here (root is needed)"
		return
	fi
	mkdir "$T/empty"
	for program in "$GEN -l 0 --vdev net_null0 -- run --frames 10" "$DUT -l 0 --vdev net_null0 --"; do
		timeout -k 5 20 unshare -m sh -c "mount --bind '$T/empty' /sys/kernel/mm/hugepages && exec $program" \
			>"$T/huge.out" 2>"$T/huge.err" </dev/null
		status=$?
		check_equal "no hugepages, $(basename "${program%% *}"): status" "$status" 2
		check_line "no hugepages, $(basename "${program%% *}"): one line" "$T/huge.err"
		check "no hugepages, $(basename "${program%% *}"): the line names the remedy" "$(cat "$T/huge.err")" \
			grep -Eq 'nr_hugepages.*--no-huge' "$T/huge.err"
	done
}

without_hugepages() {
	local HUGE=(--no-huge)

	for link in vhost memif; do
		use_link $link
		start_dut --on-full wait
		gen nohuge run --frames 5000 --json --verify "${WAIT[@]}"
		check_json "$link: --no-huge on both sides" "$T/nohuge.out" ".tx.sent == 5000 and $EXACT"
		stop_dut
		check_no_traces "$link: --no-huge leaves nothing"
	done
}

streams() {
	local run=(run --rate 20kpps --frames 1000 "${WAIT[@]}")

	use_link vhost
	start_dut --on-full wait
	# shellcheck disable=SC2046
	set -- "$GEN" $(gen_eal) "${GEN_LINK[@]}" --
	timeout -k 5 30 "$@" "${run[@]}" --json >"$T/closed.out" 2>"$T/closed.err" <&-
	check_equal "stdin closed: status" "$?" 0
	check_json "stdin closed: the record" "$T/closed.out" "$EXACT"
	timeout -k 5 30 "$@" "${run[@]}" --json </dev/null 2>"$T/pipe.err" | head -c 0
	status=${PIPESTATUS[0]}
	check "a pipe closed early: no crash" "status $status: $(tail -n 1 "$T/pipe.err")" \
		test "$status" = 0 -o "$status" = 1
	timeout -k 5 30 "$@" "${run[@]}" --json >/dev/full 2>"$T/full.err" </dev/null
	check_equal "a record that could not be written: status" "$?" 1
	check_line "a record that could not be written: one line" "$T/full.err"
	timeout -k 5 30 "$@" "${run[@]}" --json 2>&- >"$T/err.out" </dev/null
	check_equal "stderr closed: status" "$?" 0
	check_json "stderr closed: the record" "$T/err.out" "$EXACT"
	timeout -k 5 30 "$@" "${run[@]}" --json </dev/null 2>/dev/null | cat >"$T/cat.out"
	check_json "output in a pipe" "$T/cat.out" "$EXACT"
	for program in "$GEN -- run" "$DUT --"; do
		timeout -k 5 20 $program --help 2>"$T/help.err" | head -c 0
		status=${PIPESTATUS[0]}
		# 141 is SIGPIPE, the usual end of what writes to nobody.
		check "--help into a closed pipe, $(basename "${program%% *}"): no crash" "$status" \
			test "$status" -lt 128 -o "$status" = 141
	done
	stop_dut
	use_link vhost
	# shellcheck disable=SC2046
	"$DUT" $(dut_eal) "${DUT_LINK[@]}" -- --on-full wait --duration 60 >"$T/dut.out" 2>"$T/dut.err" <&- &
	dut_pid=$!
	STARTED+=("$dut_pid")
	within 30 dut_is_ready
	gen closed "${run[@]}" --json
	check_json "the DUT with stdin closed" "$T/closed.out" "$EXACT"
	stop_dut
	check_equal "the DUT with stdin closed ends cleanly" "$dut_status" 0
}

bad_gen
bad_dut
help_and_version
bad_eal
no_hugepages
without_hugepages
streams
check_no_traces "nothing is left"

# A known number of frames comes back complete, in order and unchanged: every size, both links, with
# both programs waiting for room instead of dropping, so that nothing may be lost by anybody.
. "$(dirname "$0")/lib.sh"

SIZES=64,128,256,512,1024,1280,1518

all_sizes() {
	start_dut --on-full wait
	gen sizes sweep --sizes "$SIZES" --rate max --frames 20000 --verify --json "${WAIT[@]}"
	check_equal "$LINK: every size runs" "$status $(wc -l <"$T/sizes.out")" "0 7"
	for size in ${SIZES//,/ }; do
		jq -c "select(.frame_size == $size)" "$T/sizes.out" >"$T/one.out"
		check_json "$LINK: $size bytes, 20000 sent and all back, in order, unchanged" "$T/one.out" \
			".tx.sent == 20000 and .rx.received == 20000 and .rx.corrupt == 0 and $EXACT and $ACCOUNTS"
	done
	check_json "$LINK: max offers what it sends" "$T/sizes.out" \
		'.tx.refused == 0 and .tx.unsent == 0 and .rate_requested_pps == null and .on_full == "wait"'
}

shapes() {
	gen flows run --frames 20000 --flows 1000 --verify --json "${WAIT[@]}"
	check_json "$LINK: a thousand flows" "$T/flows.out" \
		".tx.sent == 20000 and .flows == 1000 and .rx.corrupt == 0 and $EXACT and $ACCOUNTS"
	for burst in 1 512; do
		gen burst run --frames 20000 --burst "$burst" --verify --json "${WAIT[@]}"
		check_json "$LINK: bursts of $burst" "$T/burst.out" \
			".tx.sent == 20000 and .burst == $burst and .rx.corrupt == 0 and $EXACT and $ACCOUNTS"
	done
	gen odd run --size 65 --frames 2000 --verify --json "${WAIT[@]}"
	check_json "$LINK: an odd size, whose stamp starts at an odd offset" "$T/odd.out" \
		".tx.sent == 2000 and .rx.corrupt == 0 and $EXACT"
}

# A paced trial gives up frames that it cannot send in time (unsent), but of those it sent all return.
paced() {
	gen paced run --rate 50kpps --frames 10000 --verify --json "${WAIT[@]}"
	check_json "$LINK: paced, all that was sent is back" "$T/paced.out" \
		".tx.offered == 10000 and .tx.refused == 0 and .rx.corrupt == 0 and $EXACT and $ACCOUNTS"
	gen burst1 run --rate 50kpps --frames 5000 --burst 1 --json "${WAIT[@]}"
	check_json "$LINK: paced, a stamp for every frame" "$T/burst1.out" \
		".tx.offered == 5000 and $EXACT and $ACCOUNTS"
	check_json "$LINK: without --verify corruption is unknown" "$T/burst1.out" '.rx.corrupt == null'
	gen one run --rate 10kpps --frames 1 --json "${WAIT[@]}"
	check_json "$LINK: a trial of one frame" "$T/one.out" '.tx.offered == 1 and .rx.lost == 0'
}

limits() {
	gen tiny run --size 63 --frames 10
	check_equal "$LINK: 63 bytes are refused as usage" "$status" 2
	check_line "$LINK: 63 bytes are refused in one line" "$T/tiny.err"
	check "$LINK: ... that names the smallest size" "no 64 in: $(cat "$T/tiny.err")" grep -q 64 "$T/tiny.err"
	# A port that takes no frames above 1518 bytes says so; one that does carries them.
	gen jumbo run --size 9018 --frames 500 --verify --json "${WAIT[@]}"
	if [ "$status" = 0 ]; then
		check_json "$LINK: jumbo frames are carried" "$T/jumbo.out" ".frame_size == 9018 and $EXACT"
	else
		check_equal "$LINK: jumbo frames are refused without a record" "$(cat "$T/jumbo.out")" ""
		check_line "$LINK: jumbo frames are refused in one line" "$T/jumbo.err"
	fi
}

for link in vhost memif; do
	use_link $link
	all_sizes
	shapes
	paced
	limits
	stop_dut
	check_equal "$link: the DUT ends cleanly" "$dut_status" 0
done
check_no_traces "nothing is left"

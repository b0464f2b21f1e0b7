# The first frames of a trial keep the schedule as the later ones do. A frame's departure is its
# arrival less its round trip; over a ring no driver call takes long, so that whatever made a frame
# late stands in the record as a stall, and only a trial without one is held to the schedule.
. "$(dirname "$0")/lib.sh"

PPS=2000
SPACING_NS=$((1000000000 / PPS))
CLOCK_NS=10000 # schedule and figures are of two calibrations of the clock: 100 ppm of a trial
# A round of the loop has three gaps at most, and none is longer: no frame waits until the next one is due.
GAP=150us
GEN_LINK=(--vdev net_ring0)

# Departures against the schedule: how late the earliest and the latest frame were, then how many
# departed in each 10 ms, and their mean lateness there.
departures() { # CSV
	awk -F, -v spacing="$SPACING_NS" -v clock="$CLOCK_NS" '
	NR == 1 { next }
	{
		tx = $4 - $5
		late = tx - $3 * spacing
		if (NR == 2 || late < least) least = late
		if (NR == 2 || late > most) most = late
		window = int((tx + clock) / 1e7)
		n[window]++
		sum[window] += late
	}
	END {
		printf "{\"least\":%.1f,\"most\":%.1f,\"first\":{\"n\":%d,\"late\":%.1f},\"later\":[", least, most, n[0],
			n[0] ? sum[0] / n[0] : 0
		for (i = 1; i < 10; i++) printf "%s{\"n\":%d,\"late\":%.1f}", (i > 1 ? "," : ""), n[i], n[i] ? sum[i] / n[i] : 0
		print "]}"
	}' "$1"
}

# attempt NAME GEN_OPTIONS...: trials until one had no stall and sent every frame; false when none did.
attempt() {
	local i name=$1

	shift
	for ((i = 0; i < 5; i++)); do
		gen run run --json --samples "$T/samples.csv" --rate $PPS --duration 100ms --stall-threshold $GAP "$@" "${WAIT[@]}"
		[ "$status" = 0 ] || fail "$name: a trial" "status $status: $(tail -n 1 "$T/run.err")"
		departures "$T/samples.csv" >"$T/departures.out"
		# On any machine: nothing departs before its time.
		[ "$(jq '.tx.unsent' "$T/run.out")" != 0 ] ||
			check_json "$name: no frame is early" "$T/departures.out" ".least >= -$CLOCK_NS"
		jq -e '.stalls.count == 0 and .tx.unsent == 0 and .rx.lost == 0' "$T/run.out" >/dev/null && return 0
	done
	return 1
}

for burst in 1 32; do
	if attempt "burst $burst" --burst $burst; then
		check_json "burst $burst: the first 10 ms hold the frames that are due" "$T/departures.out" '.first.n == 20'
		check_json "burst $burst: and so do the later ones" "$T/departures.out" '.later | all(.n == 20)'
		check_json "burst $burst: no frame waits for the next one's time" "$T/departures.out" ".most < $SPACING_NS"
		echo "   mean lateness $(jq -c '[.first.late, (.later | map(.late) | add / length | round)]' "$T/departures.out") ns," \
			"in the first 10 ms and later"
	else
		skip "burst $burst: the first 10 ms" "stalls in each of five trials: $(jq -c .stalls "$T/run.out")"
	fi
done
check_no_traces "nothing is left"

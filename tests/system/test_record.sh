# The record of design section 7: one line of JSON, every field there, types right, sums closed.
. "$(dirname "$0")/lib.sh"

# What each field must be. "x" is a number, "N" a whole number, "s" text; "?" allows null.
FIELDS='
schema=s trial=N started=s path=s? direction=s stream=s frame_size=N rate_requested_pps=x burst=N
on_full=s seed=N tsc_hz=x duration_s.requested=x duration_s.actual=x
tx.offered=N tx.sent=N tx.refused=N tx.unsent=N tx.backpressured=N tx.pps=x tx.l1_bps=x tx.l2_bps=x
tx.rate_error_ppm=x
rx.received=N rx.lost=N rx.lost_in_gen_stall=N rx.lost_in_dut_stall=N? rx.longest_loss_run=N
rx.duplicate=N rx.reordered=N rx.corrupt=N? rx.foreign=N rx.gen_missed=N rx.pps=x rx.l1_bps=x
rx.l2_bps=x loss_ratio=x stalls.count=N stalls.max_ns=N stalls.total_ns=N verdict=s'
SPREAD='count=N min=N mean=x max=N stdev=x p50=N p90=N p99=N p999=N p9999=N pdv=N jitter=x'

# Prints the fields of FILE that are missing or of another type.
bad_fields() { # FILE PATH=TYPE...
	local file=$1 pair path kind

	shift
	for pair in "$@"; do
		path=${pair%%=*}
		case ${pair#*=} in
		N*) kind='type == "number" and . == floor and . >= 0' ;;
		x*) kind='type == "number"' ;;
		s*) kind='type == "string" and length > 0' ;;
		esac
		[[ $pair != *\? ]] || kind=". == null or ($kind)"
		jq -e "([paths] | any(. == (\"$path\" / \".\")))
			and (getpath(\"$path\" / \".\") | $kind)" "$file" >/dev/null ||
			echo "$path=$(jq -c ".$path" "$file" 2>&1)"
	done
}

check_fields() { # NAME FILE
	local name=$1 file=$2 part pair fields

	# shellcheck disable=SC2086
	check_equal "$name: fields there, types right" "$(bad_fields "$file" $FIELDS)" ""
	for part in latency_ns latency_clean_ns tx.lateness_ns tx.spacing_ns; do
		fields=()
		for pair in $SPREAD; do
			# All frames may have been in the shadow of a stall: then nothing is clean.
			[ "$part" != latency_clean_ns ] || [ "$pair" = count=N ] || pair=$pair?
			[ "$part" != tx.lateness_ns ] && [ "$part" != tx.spacing_ns ] ||
				[[ $pair != pdv* && $pair != jitter* ]] || continue
			fields+=("$part.$pair")
		done
		check_equal "$name: $part there, types right" "$(bad_fields "$file" "${fields[@]}")" ""
	done
}

ORDERED='.count == 0 or (.min <= .p50 and .p50 <= .p90 and .p90 <= .p99 and .p99 <= .p999
	and .p999 <= .p9999 and .p9999 <= .max and .min <= .mean and .mean <= .max)'

check_record() { # NAME FILE
	check_json "$1: accounts close" "$2" "$ACCOUNTS"
	check_json "$1: nothing lost, not invalid" "$2" '.rx.lost == 0 and .verdict != "invalid"'
	check_json "$1: as asked" "$2" '.schema == "tandem.trial/1" and .frame_size == 64
		and .rate_requested_pps == 20000 and .duration_s.requested == 2 and .tx.offered == 40000'
	for part in latency_ns latency_clean_ns tx.lateness_ns tx.spacing_ns; do
		check_json "$1: $part in order" "$2" ".$part | $ORDERED"
	done
	check_json "$1: a latency sample a frame" "$2" '.latency_ns.count == .rx.received
		and .latency_clean_ns.count <= .latency_ns.count and .latency_ns.min > 0'
	check_json "$1: PDV is p99.9 - min" "$2" \
		'.latency_ns | (.pdv - (.p999 - .min)) | fabs <= 1'
	check_json "$1: rates are sent over time, L1 is L2 + 20 bytes" "$2" \
		'(.tx.pps * .duration_s.actual / .tx.sent - 1 | fabs < 1e-6)
		and (.tx.l2_bps / (.tx.pps * 64 * 8) - 1 | fabs < 1e-6)
		and (.tx.l1_bps / (.tx.pps * 84 * 8) - 1 | fabs < 1e-6)'
	check_json "$1: a disturbed verdict has its reasons" "$2" \
		'(.reasons | type == "array") and (.verdict != "disturbed" or (.reasons | length > 0))'
	check_json "$1: no DUT asked, none told" "$2" '.dut == null and .path == null'
	check_json "$1: started is UTC in ISO 8601" "$2" \
		'.started | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z$")'
}

for link in vhost memif; do
	use_link $link
	start_dut --on-full wait
	# auto drops what finds the ring full and counts it: a stall of the DUT's may do that.
	gen record run --size 64 --rate 20kpps --duration 2 --json --on-full wait
	check_equal "$link: exit status" "$status" 0
	check_line "$link: one line on stdout" "$T/record.out"
	check_fields "$link" "$T/record.out"
	check_record "$link" "$T/record.out"
	check "$link: no control characters in a pipe" "$(head -c 200 "$T/record.err" | cat -v)" \
		sh -c "! grep -q '[[:cntrl:]]' '$T/record.err'"
	gen plain run --size 64 --rate 20kpps --frames 2000 --drain 500ms --on-full wait --path mine
	check "$link: the screen names verdict and loss" "$(head -c 300 "$T/plain.out")" \
		grep -Eq 'loss .*lost 0' "$T/plain.out"
	check "$link: the screen has no escapes in a pipe" "$(head -c 200 "$T/plain.out" | cat -v)" \
		sh -c "! grep -q '[[:cntrl:]]' '$T/plain.out'"
	gen path run --rate 20kpps --frames 2000 --drain 500ms --path mine --json --on-full drop
	check_json "$link: --path names the path" "$T/path.out" \
		'.path == "mine" and .on_full == "drop"'
	stop_dut
done
check_no_traces "nothing is left"

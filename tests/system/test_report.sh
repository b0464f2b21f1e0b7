# tandem-plot report of a real run, looked at in a browser: no error, nothing sticks out on a phone or a desk, and the
# figures in its tables are those of the records.
. "$(dirname "$0")/lib.sh"

R=$T/run

# The report in frames of both widths, and what the script beside this file sees there, in $T/seen.json.
browse() { # FILE
	local frames=

	frames=$(for width in 360 1280; do
		printf '<iframe style="border:0;width:%dpx;height:900px" srcdoc="' "$width"
		sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
		printf '"></iframe>'
	done)
	{
		printf '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>report</title><body><script>\n'
		cat "$(dirname "$0")/report_page.js"
		printf '</script>%s</body></html>' "$frames"
	} >"$T/frames.html"
	timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync --user-data-dir="$T/browser" \
		--enable-logging=stderr --hide-scrollbars --window-size=1400,1000 --dump-dom "file://$T/frames.html" \
		>"$T/dom.html" 2>"$T/browser.err" </dev/null
	sed -n 's/.*<pre id="seen">\(.*\)<\/pre>.*/\1/p' "$T/dom.html" |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&nbsp;/ /g; s/&amp;/\&/g' >"$T/seen.json"
}

seen() { # NAME FILTER: true of both frames
	check "$1" "$(jq -c '.frames[] | {width, scroll_width, sticks_out, headers_without_scope, pictures, dead_links,
		ids_twice, loads}' "$T/seen.json" 2>&1 | head -c 700)" jq -e "all(.frames[]; $2)" "$T/seen.json"
}

# Each cell of the summary's tables against trials.jsonl: the last trial of its kind, rounded as the cell is.
figures_match() {
	jq -en --slurpfile trials "$R/trials.jsonl" --slurpfile seen "$T/seen.json" '
		def number: gsub("[d!]$"; "") | tonumber;
		def near($value; $half): (number - $value | fabs) <= $half * 1.001;
		[$seen[0].frames[0].tables[] | select(.caption // "" | test(" path, ports [^,]*$")) | select(.rows[0] | length == 14)
			| . as $t | .rows[] | {path: ($t.caption | sub(" path.*"; "")), cells: .}] as $rows
		| ($rows | length) == 4 and all($rows[];
			.cells as $c
			| [$trials[] | select(.path == "io" and .frame_size == ($c[0] | tonumber))] as $own
			| ([$own[] | select(.rate_requested_pps == null)] | last) as $max
			| ([$own[] | select(.rate_requested_pps != null)] | last) as $paced
			| ($c[1] | near($max.rx.pps / 1e3; 0.0005) or near($max.rx.pps / 1e6; 0.0005))
			and ($c[2] | near($max.rx.l1_bps / 1e9; 0.0005))
			and ($c[3] | near($max.loss_ratio * 100; 0.00005))
			and ($c[5] | near($paced.rate_requested_pps / 1e3; 0.0005) or near($paced.rate_requested_pps / 1e6; 0.0005))
			and ($c[6] | near($paced.loss_ratio * 100; 0.00005))
			and ([$c[8:11], [$paced.latency_ns | .min, .p50, .p99]] | transpose
				| all(.[]; .[1] as $ns | .[0] | near($ns / 1e3; 0.005)))
			and ([$c[11:14], [$paced.latency_clean_ns | .min, .p50, .p99]] | transpose
				| all(.[]; .[1] as $ns | .[0] | near($ns / 1e3; 0.005)))
			and (($paced.verdict == "disturbed") == ($c[7] | endswith("d"))))' >/dev/null
}

# Counters of the folded details are the records', digit by digit.
counters_match() {
	jq -en --slurpfile trials "$R/trials.jsonl" --slurpfile seen "$T/seen.json" '
		[$seen[0].frames[0].tables[] | select(any(.rows[]; .[0] == "received, frames"))] as $details
		| ($details | length) == 4 and all($details[];
			(.rows | map({key: .[0], value: .[1:]}) | from_entries) as $d
			| all(range(2); . as $i
				| ($trials[] | select(.trial == ($d["number"][$i] | tonumber))) as $t
				| $d["sent, frames"][$i] == ($t.tx.sent | tostring)
				and $d["received, frames"][$i] == ($t.rx.received | tostring)
				and $d["lost, frames"][$i] == ($t.rx.lost | tostring)
				and $d["samples"][$i] == ($t.latency_clean_ns.count | tostring)
				and $d["verdict"][$i] == $t.verdict))' >/dev/null
}

in_a_browser() {
	browse "$R/report.html"
	check "in a browser: seen" "$(tail -n 3 "$T/browser.err")" jq -e '.frames | length == 2' "$T/seen.json"
	check_equal "in a browser: nothing on the console" "$(grep -c CONSOLE "$T/browser.err")" 0
	check "in a browser: no error" "$(jq -c .errors "$T/seen.json")" jq -e '.errors == []' "$T/seen.json"
	check_equal "in a browser: both widths" "$(jq -c '[.frames[].width]' "$T/seen.json")" "[360,1280]"
	seen "on a phone and on a desk nothing sticks out" '.scroll_width <= .width and .sticks_out == []'
	seen "nothing is loaded, nothing runs" '.loads == 0 and all(.links[]; test("^(#|[A-Za-z0-9])") and (test(":") | not))'
	seen "links within the page lead somewhere, each name once" '.dead_links == 0 and .ids_twice == 0'
	seen "pictures have a role, a name and a size" '(.pictures | length) >= 2 and
		all(.pictures[]; .role == "img" and (.name | length) > 5 and .width > 300)'
	seen "headers have a scope, boxes a name" '.headers_without_scope == 0 and .boxes_without_name == 0'
	seen "verdict first, then tables" '.sections[0] == "verdict" and (.sections | index("tables")) < (.sections | index("records"))'
	check "figures of the tables are those of the records" "$(jq -c '.frames[0].tables[0:2]' "$T/seen.json" | head -c 900)" \
		figures_match
	check "counters of the details are those of the records" "$(jq -c '.frames[0].tables[4]' "$T/seen.json" | head -c 900)" \
		counters_match
}

files_are_there() {
	local href

	while read -r href; do
		[ -f "$R/$href" ] || return 1
	done <"$T/links"
	[ "$(wc -l <"$T/links")" -ge 4 ]
}

report() {
	use_link vhost
	start_dut --on-full wait
	gen sweep sweep --sizes 64,256,512,1518 --rate max,20kpps --frames 4000 --out "$R" --title 'a <b>"run"</b> & more' \
		--path io "${WAIT[@]}"
	stop_dut
	check_equal "a run: status" "$status" 0
	timeout 60 "$PLOT" report "$R" >"$T/report.out" 2>"$T/report.err" </dev/null
	check_equal "report: status" "$?" 0
	check_equal "report: tells its file" "$(cat "$T/report.out")" "$R/report.html"
	check_equal "report: silent on stderr" "$(cat "$T/report.err")" ""
	tidy -q -e "$R/report.html" >"$T/tidy.out" 2>&1
	check_equal "report: valid HTML" "$(head -n 3 "$T/tidy.out")" ""
	cp "$R/report.html" "$T/first.html"
	timeout 60 "$PLOT" report "$R" >"$T/report.out" 2>&1 </dev/null
	check "report: same input, same bytes" "they differ" cmp "$R/report.html" "$T/first.html"
	in_a_browser
	jq -r '.frames[0].links[] | select(startswith("#") | not)' "$T/seen.json" >"$T/links"
	check "its links lead to files" "$(tr '\n' ' ' <"$T/links")" files_are_there
}

# The tables of all test methods, wide ones among them, from records made by hand.
methods() {
	local dir=$T/methods

	mkdir "$dir"
	cat tests/fuzz/corpus/report/* >"$dir/tests.jsonl"
	echo '{"schema":"tandem.trial/1","trial":1,"frame_size":64,"verdict":"valid","test":{"name":"soak"},"tx":{"pps":1}}' \
		>"$dir/trials.jsonl"
	timeout 60 "$PLOT" report "$dir" >"$T/methods.out" 2>"$T/methods.err" </dev/null
	check_equal "test methods: status" "$?" 0
	tidy -q -e "$dir/report.html" >"$T/tidy.out" 2>&1
	check_equal "test methods: valid HTML" "$(head -n 3 "$T/tidy.out")" ""
	browse "$dir/report.html"
	check_equal "test methods: nothing on the console" "$(grep -c CONSOLE "$T/browser.err")" 0
	seen "test methods: a table of each" '[.tables[].caption | strings] | map(sub(",? ?\\(.*|, .*"; "")) | unique | length == 8'
	seen "test methods: nothing sticks out" '.scroll_width <= .width and .sticks_out == []'
	seen "test methods: no section without content" '.dead_links == 0
		and (.sections | index("curves") != null) == (.pictures | length > 0)
		and ([.pictures[].name] | index("Throughput by frame size") != null)'
}

# A record cut in the middle or edited by hand takes nothing with it but itself, and the page says so.
edited() {
	sed -i '2s/"sent":/"sent":-/; 3s/.\{40\}$//' "$R/trials.jsonl"
	echo '{"host":' >"$R/run.json"
	timeout 60 "$PLOT" report "$R" -o "$T/edited.html" >"$T/edited.out" 2>"$T/edited.err" </dev/null
	check_equal "edited records: status" "$?" 0
	check "edited records: each is named" "$(cat "$T/edited.err")" sh -c "grep -q 'trials.jsonl, line 2: tx.sent is negative' \
		'$T/edited.err' && grep -q 'trials.jsonl, line 3: ' '$T/edited.err' && grep -q 'run.json, line ' '$T/edited.err'"
	check_equal "edited records: a line each" "$(wc -l <"$T/edited.err")" 3
	check "edited records: on the page too" "no" grep -q 'line 2: tx.sent is negative' "$T/edited.html"
	timeout 60 "$PLOT" report "$R" -o "$T/no/such/r.html" >"$T/nowhere.out" 2>"$T/nowhere.err" </dev/null
	check_equal "no such folder: status" "$?" 1
	tail -n 1 "$T/nowhere.err" >"$T/nowhere.last"
	check "no such folder: said" "$(cat "$T/nowhere.last")" grep -q 'no/such' "$T/nowhere.last"
}

for program in chromium tidy; do
	if ! command -v "$program" >/dev/null; then
		fail "report" "$program is missing: run 'make deps'"
		exit 0
	fi
done
report
methods
edited

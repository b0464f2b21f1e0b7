#!/usr/bin/env bash
# A man page of a script from its --help: "Usage:", a paragraph or none, options as "  --name ARG  text", "Example:".
#   man_of_help.sh NAME DATE BRIEF COMMAND...
set -eu
name=$1 date=$2 brief=$3
shift 3
help=$("$@" --help)

roff() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'; }
echo ".TH ${name^^} 1 $date \"Tandem\" \"User Commands\""
printf '.nh\n.ad l\n.SH NAME\n'
echo "$name - $brief" | sed 's/-/\\-/g'
echo .SH SYNOPSIS
sed -n "s/^Usage: //p; s/^   *or: //p" <<<"$help" | roff | sed '2,$i .br'
echo .SH DESCRIPTION
awk '/^Usage:/ || /^ *or:/ {next} /^  /  {exit} /^Example/ {exit} {print}' <<<"$help" | roff | sed '/^$/d'
echo .SH OPTIONS
awk '/^  -/ {
	text = $0
	sub(/^  +/, "", text)
	if (match(text, /   */)) {
		print ".TP"
		print "\\fB" substr(text, 1, RSTART - 1) "\\fR"
		print substr(text, RSTART + RLENGTH)
	}
	next
}
/^   +[^ -]/ {sub(/^ +/, ""); print}' <<<"$help" | sed 's/-/\\-/g; s/\\\\-/\\-/g'
if grep -q '^Example' <<<"$help"; then
	echo .SH EXAMPLES
	sed -n 's/^Examples*: //p' <<<"$help" | roff
fi
printf '.SH SEE ALSO\n.BR tandem\\-gen (1),\n.BR tandem\\-dut (1),\n.BR tandem\\-plot (1)\n'

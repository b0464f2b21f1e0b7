#!/usr/bin/env bash
# Installs the Debian packages named as arguments that are missing; quick and silent when none is.
set -eu

missing=()
for package in "$@"; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
	echo "missing packages: run 'sudo apt-get install ${missing[*]}'" >&2
	exit 1
fi
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
	tail -n 15 "$log" >&2
	echo "packages could not be installed (see above)" >&2
	exit 1
fi

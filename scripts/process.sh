#!/usr/bin/env bash
# Ending a program that a script started: sourced.

# end_program PID: asks it to end, waits at most five seconds, then ends it.
end_program() {
	kill -INT "$1" 2>/dev/null
	for _ in $(seq 100); do
		kill -0 "$1" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

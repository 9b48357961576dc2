#!/bin/sh
# `git perf check --run` of a program that waits for PERF_WAIT seconds, or ten
# times as long; with PERF_SPIN=1 on a machine of which other programs leave no
# processor idle.
. "$(dirname "$0")/../lib.sh"
need jq
wait=${PERF_WAIT:-0.1}

cat >.gitperf <<'END'
[job "waits"]
	cmd = "sleep $(cat seconds)"
	shell = true
	collector = time
END
# Of a run of a few milliseconds of processor time others may make twenty times
# as much on the clock.
echo "$wait" >seconds
must git add .
commit short
must git tag short
awk -v wait="$wait" 'BEGIN { print 10 * wait }' >seconds
must git add .
commit long
must git perf trust

# A sleep never takes less than its time on the clock, and hardly computes: what
# each pair has of both times has to stay with its name when wall becomes the
# judge.
git-perf check --run --json --tolerance=0.1% --max-runs=24 short short >"$out" 2>"$err"
check 'the values of a metric stay its own behind the sixth pair' json \
	'[.verdicts[] | select(.metric == "wall") | .pairs[][] >= '"$wait"' * 1e9] | [length > 12, all]' '[true,true]'

spinning=
[ -z "${PERF_SPIN:-}" ] ||
	for processor in $(seq $(($(getconf _NPROCESSORS_ONLN) + 1))); do
		timeout 60 sh -c 'while :; do :; done' &
		spinning="$spinning $!"
	done
check 'a program that sleeps ten times as long is slower' \
	exits 1 git perf check --run --time=90 short HEAD
# Processor time may have found a little, too: its longer sleep costs caches.
check 'the time on the clock says that it is slower' mentions out '^  (by wall, |wall: slower)'
check 'a program that sleeps as short as before is faster' \
	exits 0 git perf check --run --time=90 HEAD short
check 'the time on the clock says that it is faster' mentions out '^  (by wall, |wall: faster)'
[ -z "$spinning" ] || kill $spinning

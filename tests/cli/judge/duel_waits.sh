#!/bin/sh
# `git perf check --run` of a program that waits, on a machine of which other
# programs leave no processor idle.
. "$(dirname "$0")/../lib.sh"

cat >.gitperf <<'END'
[job "waits"]
	cmd = "sleep $(cat seconds)"
	shell = true
	collector = time
END
echo 0.02 >seconds
must git add .
commit short
must git tag short
echo 0.2 >seconds
must git add .
commit long
must git perf trust

spinning=
for processor in $(seq $(($(getconf _NPROCESSORS_ONLN) + 1))); do
	timeout 60 sh -c 'while :; do :; done' &
	spinning="$spinning $!"
done
check 'a program that sleeps ten times as long is slower on a full machine' \
	exits 1 git perf check --run --time=30 short HEAD
# Processor time may have found a little, too: its longer sleep costs caches.
check 'the time on the clock says so' mentions out '^  (by wall, |wall: slower)'
check 'a program that sleeps as short as before is faster' \
	exits 0 git perf check --run --time=30 HEAD short
check 'that, too, is told by the clock' mentions out '^  (by wall, |wall: faster)'
kill $spinning

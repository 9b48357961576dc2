#!/bin/sh
# Random histories of five clones and a server; see sharing.py.
# sharing.sh [<first seed> <number of seeds> [one_process]]
#
# With the third word in one process, on two cores and in memory where there is
# room for it.
. "$(dirname "$0")/../cli/lib.sh"
need python3
[ $# -gt 0 ] || set -- 1 3
bin=${PERF_BIN:-$root/build/bin}
KILLPOINT_SO=$bin/killpoint.so
export KILLPOINT_SO
TMPDIR=$scratch
leave()
{
	status=$?
	rm -rf "$memory"
	(exit $status)
	finish
}
program=$root/tests/property/sharing.py
if [ "${3-}" = one_process ]; then
	ONE_PROCESS=$bin/one_process
	export ONE_PROCESS
	memory=$(mktemp -d /dev/shm/git-perf-sharing.XXXXXX 2>"$err") &&
		TMPDIR=$memory && trap leave EXIT
fi
export TMPDIR

# Half of the seeds at the same time as the other half.
halves()
{
	half=$(($2 / 2))
	python3 -B "$program" "$1" "$half" >"$scratch/half" 2>&1 &
	python3 -B "$program" $(($1 + half)) $(($2 - half))
	code=$?
	wait $! || code=1
	cat "$scratch/half"
	return $code
}

check "seeds from $1, $2 of them" exits 0 halves "$1" "$2"
grep -E '^[0-9]+ histories|^seed ' "$out"

#!/bin/sh
# Random histories of five clones and a server; see sharing.py.
# sharing.sh [<first seed> <number of seeds> [<steps>]]
. "$(dirname "$0")/../cli/lib.sh"
need python3
[ $# -gt 0 ] || set -- 1 3
KILLPOINT_SO=${PERF_BIN:-$root/build/bin}/killpoint.so
export KILLPOINT_SO
TMPDIR=$scratch
export TMPDIR
check "seeds from $1, $2 of them" \
	exits 0 python3 -B "$root/tests/property/sharing.py" "$@"
grep -E '^[0-9]+ histories' "$out"

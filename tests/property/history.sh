#!/bin/sh
# What clones hold after random operations is what a model says.
# history.sh [<first seed> <number of seeds> <steps>]
. "$(dirname "$0")/../cli/lib.sh"
need python3
[ $# -eq 3 ] || set -- 1 1 50
check "seeds from $1, $2 of $3 steps" \
	exits 0 python3 "$root/tests/property/history.py" "$@"

#!/bin/sh
# Random damage to the notes' trees, lines and bodies: no command falls over it,
# and none loses a profile that was listed.
# notes.sh [<first seed> <number of seeds> <rounds>]
. "$(dirname "$0")/../cli/lib.sh"
need python3
[ $# -eq 3 ] || set -- 1 1 25
check "seeds from $1, $2 of $3 rounds" \
	exits 0 python3 "$root/tests/property/notes.py" "$@"

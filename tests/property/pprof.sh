#!/bin/sh
# Reports of random profiles with random options are those of go tool pprof.
# pprof.sh [<first seed> <profiles> <option sets>]
. "$(dirname "$0")/../cli/lib.sh"
need python3
need go
go tool pprof -h >/dev/null 2>&1 || [ $? -ne 127 ] || skip 'no go tool pprof'
[ $# -eq 3 ] || set -- 1 4 6
check "seeds from $1, $2 profiles, $3 sets of options" \
	exits 0 python3 "$root/tests/property/pprof.py" "$@"

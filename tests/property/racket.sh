#!/bin/sh
# The view graph of random stacks is what Racket's own profiler prints.
# racket.sh [<first seed> <cases>]
. "$(dirname "$0")/../cli/lib.sh"
need python3 racket
racket -l racket/base -l profile/render-text 2>"$err" || skip 'no profile of Racket'
[ $# -eq 2 ] || set -- 1 60
check "seeds from $1, $2 cases" exits 0 python3 "$root/tests/property/racket.py" \
	"$@" "$root/tests/peer/racket_graph.rkt"

#!/bin/sh
# Every measured file through every format that is written, and back: value
# types, totals, own and total costs of all functions are what they were, but
# for what a format is said not to hold; see tools/round_trip.c.
. "$(dirname "$0")/../lib.sh"
need round_trip

# The refusals of a format are of what it has no place for at all.
refused='needs? (stacks|samples with stacks|values in a unit of time)|no place in a Perun profile'

comes_back()
{
	round_trip "$1" >"$out" || return 1
	sed -n 's/.*: refused: //p' "$out" >reasons
	! grep -Evq "$refused" reasons && grep -q ': same$' "$out"
}

find "$measured" -type f \( -name '*.pb.gz' -o -name '*.legacy.txt*' -o \
	-name '*.folded' -o -name '*.perf.txt' -o -name '*.callgrind' -o \
	-name '*.cachegrind*' -o -name '*.prof' -o -name '*.zst' -o \
	-name '*.massif' -o -name '*.cpuprofile' -o -name '*.heapprofile' -o \
	-name 'trace-events.json' -o -name '*.gprof.txt' -o \
	-path '*/racket/*.json' -o -path '*/bench/*.json' -o \
	-path '*/bench/go-bench.txt' -o -name 'junit.xml' -o \
	-path '*/hyperfine/*.json' \) | sort >files
ls "$root"/tests/data/stackprof/* >>files
while read -r file; do
	check "${file#"$measured/"} comes back" comes_back "$file"
done <files
check 'more than 200 files were tried' test "$(wc -l <files)" -ge 200

#!/bin/sh
# Stacks in a line each, by LuaJIT -jp, uftrace dump and nytprofcalls: a
# function's own figure is the sum of the lines that end in it, its total that
# of the lines that have it.
. "$(dirname "$0")/../lib.sh"
need jq
need python3

# sums FILE: [name, own, total] of each function, by its text
sums()
{
	python3 - "$1" <<'END'
import collections, json, sys
own, total = collections.Counter(), collections.Counter()
for line in open(sys.argv[1]):
    stack, value = line.rsplit(" ", 1)
    frames = stack.split(";")
    own[frames[-1]] += int(value)
    for frame in set(frames):
        total[frame] += int(value)
for name in sorted(total):
    print(json.dumps([name, own[name], total[name]], separators=(",", ":")))
END
}

for file in luajit.txt uftrace.folded nytprofcalls.txt; do
	path=$root/tests/data/collapsed/$file
	sums "$path" | LC_ALL=C sort >expected
	check "$file is read" exits 0 git perf show --json --nodefraction=0 "$path"
	jq -c '.rows[] | [.name, .self, .total]' "$out" | LC_ALL=C sort >got
	check "$file has the sums of its lines" same expected got
	check "$file has the sum of all lines" is "$(jq .total "$out")" \
		"$(awk '{ sum += $NF } END { print sum }' "$path")"
done

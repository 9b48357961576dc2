#!/bin/sh
# 18.9 MB of perf script's text, beside FlameGraph's stackcollapse-perf.pl
# where it is installed; its figures are known to be found by tests/unit.
. "$(dirname "$0")/lib.sh"
head_row
runs=${BENCH_RUNS:-20}
cd "$scratch"
# whole records up to that size, and what is left of a comment goes
while [ "$(cat big.perf.txt 2>/dev/null | wc -c)" -lt 18900000 ]; do
	for file in "$measured"/perf/*.perf.txt; do
		cat "$file"
		echo
	done
done >>big.perf.txt
goal='<= 100 ms, 0.65 s of stackcollapse-perf.pl'
if command -v stackcollapse-perf.pl >/dev/null; then
	compare "perf script, 18.9 MB | stackcollapse-perf.pl" "$goal" \
		"git-perf export --to=collapsed -o /dev/null big.perf.txt" \
		"stackcollapse-perf.pl big.perf.txt"
else
	alone "perf script, 18.9 MB, to collapsed" "$goal" \
		"git-perf export --to=collapsed -o /dev/null big.perf.txt"
fi
alone 'the same, top' "$goal" 'git-perf show big.perf.txt'
memory 'the same, memory' '' git-perf show big.perf.txt

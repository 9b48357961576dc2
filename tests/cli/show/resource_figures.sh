#!/bin/sh
# Figures of the views of resources: each follows from a few written here.
. "$(dirname "$0")/../lib.sh"
need jq

# 1. Three runs of one program, b takes 10 and c 20 in each: one run takes that.
printf 'a;b 10\na;c 20\n' >s.folded
cp s.folded 2.folded
cp s.folded 3.folded
must git perf merge -t git-perf -o pooled.perf s.folded 2.folded 3.folded
repo=$scratch/told
must git init -q "$repo"
must git -C "$repo" commit -q --allow-empty -m a
for i in 1 2 3; do
	must git -C "$repo" perf add -n s "$PWD/s.folded"
done
must git -C "$repo" perf export -t git-perf -o "$PWD/told.perf" HEAD:s
for of in pooled told; do
	check "bars of runs, $of" exits 0 git perf show --view=bars --csv $of.perf
	check "cost of one of the runs, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
	check "the mean of runs, $of" exits 0 git perf show --view=bars --aggregate=mean --csv \
		$of.perf
	check "is the same, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
	check "numbers of resources of runs, $of" exits 0 git perf show --view=bars \
		--aggregate=count --csv $of.perf
	check "one run has one of each, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'b,1 c,1 '
	check "bars of runs say so, $of" exits 0 git perf show --view=bars $of.perf
	check "as other views do, $of" says out 'Runs: 3, figures are per run'
	check "JSON of runs, $of" exits 0 git perf show --view=bars --json $of.perf
	check "has their number, $of" json .runs 3
	check "a table of runs, $of" exits 0 git perf show --view=table --json $of.perf
	check "each row is of one, $of" json \
		'[.runs, ([.rows[]["samples/count"]] | unique)]' '[3,[10,20]]'
done
check 'bars by run' exits 0 git perf show --view=bars --by=perf::run --csv told.perf
check 'each run has its own' is "$(sed 1d "$out" | sort | tr '\n' ' ')" \
	'b,1,10 b,2,10 b,3,10 c,1,20 c,2,20 c,3,20 '
check 'bars of one of the runs' exits 0 git perf show --view=bars --filter-by=perf::run=2 \
	--csv told.perf
check 'it is whole' is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
check 'one profile is no run of several' exits 0 git perf show --view=bars --json s.folded
check 'nothing is said of runs' json 'has("runs")' false

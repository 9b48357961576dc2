#!/bin/sh
# Racket's JSON comes back with all nodes, edges and threads, whatever the
# order of the lists (profile-merge leaves the lists of callees empty).
. "$(dirname "$0")/../lib.sh"
need jq
data=$measured/racket

# Nodes by name and place, each edge once.
normal()
{
	jq -S '(.nodes | map([.id, .src])) as $names |
		[.nodes[] | .callers[], .callees[] | .caller = $names[.caller] | .callee = $names[.callee]] as $edges |
		{cpu_time, total_time, sample_number, thread_times, edges: ($edges | unique),
		 nodes: ([.nodes[] | {id, src, self, total, thread_ids}] | sort)}' "$1"
}

for name in run threads merged; do
	check "$name is written" exits 0 git perf export --to=racket -o "$name.json" "$data/$name.json"
	normal "$data/$name.json" >expected
	normal "$name.json" >got
	check "$name says the same" same expected got
done

# "[4] 146(98.6%)  52(35.5%) work" is total and self; Racket rounds half to
# even, says ??? where there is no name, and hides what weighs nothing.
for name in run threads; do
	sed -nE 's/^ *\[[0-9]+\] *([0-9]+)\([0-9.]+%\) *([0-9]+)\([0-9.]+%\) *([^ ]+) .*/\1 \2 \3/p' \
		"$data/$name.text" | sort >expected
	check "$name has a report" exits 0 test -s expected
	git perf show --nodefraction=0 --json "$data/$name.json" | jq -r '
		def even: floor as $f | . - $f |
			if . > .5 or (. == .5 and $f % 2 == 1) then $f + 1 else $f end;
		.rows[] | "\(.total | even) \(.self | even) \(.name | sub("<unknown>"; "???") | split(" ")[0])"' |
		sort >got
	check "$name has the times of the report" same expected got
done

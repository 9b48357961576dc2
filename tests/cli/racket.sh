#!/bin/sh
# Racket's JSON comes back with all nodes, edges and threads, whatever the
# order of the lists (profile-merge leaves the lists of callees empty).
. "$(dirname "$0")/lib.sh"
need jq
shared data/racket/run.json
data=$(dirname "$path")

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

# "[4] 146(98.6%)  52(35.5%) work": Racket rounds half to even
git perf show --json "$data/run.json" >top.json
check 'times are those of the text report' exits 0 jq -e \
	'.total == 148 and ([.rows[] | select(.name == "work") | .self, .total] == [52.5, 146])' top.json

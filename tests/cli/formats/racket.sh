#!/bin/sh
# Racket's JSON comes back with all nodes, edges and threads, whatever the
# order of the lists (profile-merge leaves the lists of callees empty).
. "$(dirname "$0")/../lib.sh"
need jq
data=$measured/racket

# Nodes by name and place, each edge once.
normal()
{
	jq '(.nodes | map([.id, .src])) as $names |
		[.nodes[] | .callers[], .callees[] | .caller = $names[.caller] | .callee = $names[.callee]] as $edges |
		{cpu_time, total_time, sample_number, thread_times, edges: ($edges | map(to_entries | sort_by(.key)) | unique),
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

# Of stacks the times of edges are divided as Racket divides them: of A > B > B
# > B > A in one second, A calls B for 1/3 of it as B sees it, for 1/2 as A does.
cat >stacks.json <<'EOF'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "A", "file": "a.rkt"}, {"name": "B"}]},
 "profiles": [{"type": "sampled", "name": "x", "unit": "milliseconds",
  "startValue": 0, "endValue": 1200, "samples": [[0, 1, 1, 1, 0]],
  "weights": [1200]}]}
EOF
check 'stacks of another format are written' exits 0 \
	git perf export --to=racket stacks.json
check 'what stands several times on a stack is divided among its places' json \
	'.nodes as $n | [.nodes[].callers[] | [$n[.caller].id, $n[.callee].id,
		.caller_time, .callee_time, .total]] | sort' \
	'[[false,"A",600,1200,1200],["A",false,1200,600,1200],["A","B",400,600,1200],["B","A",600,400,1200],["B","B",800,800,1200]]'
check 'times of all callers are the total of the function' json \
	'[.nodes[] | (.callers | map(.caller_time) | add) == .total] | all' true
check "all that Racket's own reader asks for is there" json \
	'[.total_time, .cpu_time, .sample_number, .thread_times] +
		[.nodes[] | [.src, .thread_ids]]' \
	'[1200,1200,1,[{"id":0,"time":1200}],[false,[]],["a.rkt:1:0",[0]],[false,[0]]]'

# What Racket itself makes of it: 1200 ms in all, of which A, the leaf, has all.
if command -v racket >/dev/null 2>&1 &&
	racket -l racket/base -l profile/render-json -e '' >/dev/null 2>&1; then
	must git perf export --to=racket -o own.json stacks.json
	cat >read.rkt <<-'END'
	#lang racket/base
	(require json racket/port profile/analyzer profile/render-json
		(prefix-in text: profile/render-text))
	(define p (json->profile (with-input-from-file "own.json" read-json)))
	(for ([n (profile-nodes p)])
		(printf "~a ~a ~a\n" (node-id n) (node-self n) (node-total n)))
	(printf "~a\n" (profile-total-time p))
	(parameterize ([current-output-port (open-output-nowhere)])
		(text:render p))
	END
	check 'Racket reads what is written, and renders it' exits 0 racket read.rkt
	check 'Racket has A as it is' mentions out '^A 1200(\.0)? 1200(\.0)?$'
	check 'Racket has B as it is' mentions out '^B 0(\.0)? 1200(\.0)?$'
	check 'Racket has all of the time' mentions out '^1200(\.0)?$'
fi

#!/bin/sh
# The view graph: Racket's profiles as its own renderers print them, and the
# edge times of stacks by its analyzer's rule.
. "$(dirname "$0")/../lib.sh"
need jq
data=$measured/racket

# The saved reports name the program from its folder.
named()
{
	sed 's| /home/user/project/prog.rkt:| prog.rkt:|' "$@"
}
graph()
{
	git perf show --view=graph "$@" | named
}
for name in run threads; do
	named "$data/$name.text" >expected
	graph "$data/$name.json" >got
	check "the graph of $name is Racket's text" same expected got
done
named "$data/run-self.text" >expected
graph --order=self "$data/run.json" >got
check "the graph by own time is Racket's text" same expected got
named "$data/run-total-nohide.text" >expected
graph --order=total --hide-self=0 --hide-subs=0 "$data/run.json" >got
check "the graph by total time, nothing hidden, is Racket's text" same expected got
must git perf show --view=graph -o run.dot "$data/run.json"
check "a file .dot is Racket's text for Graphviz" same "$data/run.dot" run.dot
if command -v dot >/dev/null; then
	check 'a picture is drawn by Graphviz' exits 0 git perf show --view=graph -o run.svg "$data/run.json"
	for name in run.png run.ps; do
		check "a picture is drawn by Graphviz as $name" \
			exits 0 git perf show --view=graph -o $name "$data/run.json"
		check "$name is there" test -s $name
	done
	check 'PostScript is written as such' is "$(head -c 4 run.ps)" %!PS
	check 'the picture is SVG' grep -q '<svg' run.svg
	check 'the picture has a dark theme' grep -q 'prefers-color-scheme: dark' run.svg
	must git perf show --view=graph -o run.dot "$data/run.json"
	dot -Tsvg run.dot >expected
	sed '/^<style>/,/^}<\/style>$/d' run.svg >"$out"
	check 'the picture is that of Graphviz but for its theme' same expected "$out"

	# Graphviz takes strings of up to 16,384 bytes.
	printf 'main;work 1\nmain;%0100000d 1\n' 0 >long.folded
	check 'a name of 100 kB is drawn' exits 0 git perf show --view=graph -o long.svg long.folded

	# Each of 16 functions calls each other one: 240 edges, more than dot is
	# let work on as long as it likes. Each of 33: 1,056.
	each_calls_each()
	{
		awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) for (j = 0; j < n; j++)
			if (i != j) print "f" i ";f" j " 10" }'
	}
	each_calls_each 16 >many.folded
	check 'many edges are drawn' exits 0 git perf show --view=graph -o many.svg many.folded
	check 'the picture has each of 240 edges' is "$(grep -c '^<g id="edge' many.svg)" 240
	each_calls_each 33 >more.folded
	check 'what dot would not come to an end with is refused' exits 128 git perf show \
		--view=graph -o more.svg more.folded
	check 'the message says how many edges there are' grep -q 'for 1056 edges (1000 at most)' "$err"
	check 'no picture is left' test ! -e more.svg
	check 'the graph itself is written' exits 0 git perf show --view=graph -o more.dot more.folded
fi

# A > B > B > B > A of one second: A calls B for 1/3 as B sees it, for 1/2 as A
# does; B calls itself for 2/3.
cat >stacks.json <<'EOF'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "A", "file": "a.rkt"}, {"name": "B"}]},
 "profiles": [{"type": "sampled", "name": "x", "unit": "milliseconds",
  "startValue": 0, "endValue": 1200, "samples": [[0, 1, 1, 1, 0]],
  "weights": [1200]}]}
EOF
check 'stacks are a graph' exits 0 git perf show --view=graph --json stacks.json
check 'each edge has the times of the analyzer' json '[.rows[] | .name as $n |
	.callers[] | select(.name) | [.name, $n, .caller_time, .callee_time, .total]] | sort' \
	'[["A","B",400,600,1200],["B","A",600,400,1200],["B","B",800,800,1200]]'
check 'the times of all callers are the total' json \
	'[.rows[] | (.callers | map(.caller_time) | add) == .total] | all' true
check 'stacks are a text' exits 0 git perf show --view=graph stacks.json
check 'the text has the shares' says out '                                A [1]  33.3%'

# Other formats: a call graph, and one whose values are no time.
check 'callgrind is a graph' exits 0 git perf show --view=graph "$measured/callgrind/wordfreq.callgrind"
check 'what is no time is in its own unit' mentions out '^  Total cpu time observed: [0-9]+count '
check 'merged profiles of Racket are sorted' exits 0 git perf show --view=graph --json "$data/merged.json"
check 'merged profiles have callees' json '[.rows[].callees | length] | add > 0' true
check 'an order must exist' exits 129 git perf show --view=graph --order=odd "$data/run.json"
check 'orders are listed' mentions err 'there are topological, self, total'
check 'a name is cut at no less than nothing' exits 129 git perf show --view=graph --truncate-source=-1 "$data/run.json"
printf 'a\033[31m"\\;b 3\n' >evil.folded
check 'names with escapes are shown' exits 0 git perf show --view=graph --format=collapsed evil.folded
check 'escapes are escaped' mentions out 'a\\x1b\[31m"'
must git perf show --view=graph -o evil.gv --format=collapsed evil.folded
check 'quotes are quoted for Graphviz' grep -qF 'a\\x1b[31m\"\\' evil.gv

#!/bin/sh
# What call graphs without stacks are shown as: functions that call each other,
# files, lines and addresses. All sums stand beside the calls.
. "$(dirname "$0")/../lib.sh"
need jq

# main (self 4) calls a (self 1), a calls b (self 2), b calls a, a calls b:
# 4 + 1 + 2 + 1 + 2 = 10. Of a's two calls of b the outer one cost 2 + 1 + 2,
# the inner one 2: together 7 of 10, though b was below a for 5 alone.
cat >recursion.callgrind <<'END'
# callgrind format
events: Ir
fl=one.c
fn=main
1 4
cfn=a
calls=1 5
2 6
fn=a
5 2
cfi=two.c
cfn=b
calls=2 9
6 7
fl=two.c
fn=b
9 4
cfi=one.c
cfn=a
calls=1 5
10 3
END

row()
{
	printf '[.rows[] | select(.name == "%s") | .self, .total]' "$1"
}

check 'a graph with mutual recursion is shown' exits 0 git perf show --json recursion.callgrind
check 'the total of all is the sum of what each costs itself' json .total 10
check 'the function that is called first has the total of the cycle' json "$(row a)" '[2,6]'
check 'the other one costs no more than the cycle' json "$(row b)" '[4,6]'
check 'what calls the cycle has its total' json "$(row main)" '[4,10]'

# gprof(1), "cycle as a whole": self 2 + 4, no calls out of it.
check 'edges of a cycle are shown' exits 0 git perf show --view=tree --nodefraction=0 --json recursion.callgrind
check 'no call within a cycle costs more than the cycle' \
	json '[.edges // [.rows[].callees[]?] | .[] | .weight // .value // .total] | max <= 6' true

# one.c has 4 + 2 itself, and below it is all of two.c: 10, though its calls of
# two.c add up to 7. two.c is b, which costs no more than the cycle of a and b.
check 'a graph is shown by files' exits 0 git perf show --granularity=files --json recursion.callgrind
check 'a file costs what its functions cost and what they call elsewhere' \
	json "$(row one.c)" '[6,10]'
check 'a file with one function has its total' \
	json "$(row two.c)" '[4,6]'
check 'no file costs more than all' json '[.rows[].total] | max' 10

check 'a graph is shown by lines' exits 0 git perf show --granularity=lines --nodefraction=0 --json recursion.callgrind
check 'a line has its own cost' json "$(row 'main one.c:1')" '[4,4]'
check 'a line that calls has what the call cost' json "$(row 'main one.c:2')" '[0,6]'
check 'a line of a cycle costs no more than the cycle' json "$(row 'a one.c:6')" '[0,6]'
check 'the costs of all lines are the total' json '[.rows[].self] | add' 10
check 'no function stands beside its lines' \
	json '[.rows[].name | select(test(":[0-9]+$") | not)] | length' 0

cat >inlined.callgrind <<'END'
# callgrind format
positions: instr line
events: Ir
ob=prog
fl=x.c
fn=f
0x10 1 5
0x14 1 6
fi=x.h
0x18 30 7
fe=x.c
cfn=g
calls=1 0x40 20
0x1c 2 9
fn=g
0x40 20 9
END

check 'a graph with addresses is shown' exits 0 git perf show --granularity=addresses --nodefraction=0 --json inlined.callgrind
check 'two instructions of a line are two rows' \
	json '[.rows[] | select(.name | test("x.c:1$")) | .self] | sort' '[5,6]'
check 'the costs of all addresses are the total' json '[.rows[].self] | add' 27
check 'the lines of inlined code are shown' exits 0 git perf show --granularity=lines --nodefraction=0 --json inlined.callgrind
check 'two instructions of a line are one line' json "$(row 'f x.c:1')" '[11,11]'
check 'what was inlined has the line of its file' json "$(row 'f x.h:30')" '[7,7]'
check 'a call has its line' json "$(row 'f x.c:2')" '[0,9]'

# cachegrind knows no calls: a file is the sum of its lines.
cat >flat.cachegrind <<'END'
cmd: ./prog
events: Ir
fl=x.c
fn=f
1 5
2 6
fn=g
20 9
summary: 20
END
check "cachegrind's lines are shown" exits 0 git perf show --granularity=lines --nodefraction=0 --json flat.cachegrind
check 'each line of cachegrind has its cost' json '[.rows[] | .self] | sort' '[5,6,9]'
check "cachegrind's files are shown" exits 0 git perf show --granularity=files --json flat.cachegrind
check 'a file is the sum of its functions' json "$(row x.c)" '[20,20]'

# Stacks and a graph in one profile: f in 2 samples below main, at lines 9 and
# 10, which the stacks do not say.
cat >both.json <<'END'
{"version":1.2,"mode":"wall","interval":1000,"samples":3,"gc_samples":0,
"missed_samples":0,"frames":{
"1":{"name":"main","file":"/a.rb","line":1,"total_samples":3,"samples":1,
 "edges":{"2":2},"lines":{"2":[2,0],"3":[1,1]}},
"2":{"name":"f","file":"/a.rb","line":8,"total_samples":2,"samples":2,
 "lines":{"9":[1,1],"10":[1,1]}}},
"raw":[2,1,2,2,1,1,1]}
END
check 'stacks are shown first' exits 0 git perf show both.json
check 'the graph beside them is told' says out \
	'Call graph of 2 functions besides the stacks: --call-graph shows it'
check 'the graph is shown' exits 0 \
	git perf show --call-graph --granularity=lines --json both.json
check "the graph's lines have their costs" json \
	'[.rows[] | select(.self > 0) | [.name, .self]] | sort' \
	'[["f /a.rb:10",1000],["f /a.rb:9",1000],["main /a.rb:3",1000]]'
check 'a graph that is not there is refused' exits 128 \
	git perf show --call-graph recursion.callgrind --view=traces
check 'samples alone have no graph' exits 0 \
	git perf export --to=pprof -o stacks.pb.gz both.json
check 'a graph that is left out is said' says err "warning: pprof has no \
place for both: its costs are those of the profile's stacks, its call graph is \
left out"
check 'no graph is made up' exits 128 git perf show --call-graph stacks.pb.gz
check 'the reason is given' says err \
	'fatal: the profile has stacks and no call graph of its own'
check 'a graph with stacks is written as a graph' exits 0 \
	git perf export --to=callgrind -o both.callgrind both.json
check 'stacks that are left out are said' mentions err 'its stacks are left out'
check "the graph's lines are in it" exits 0 git perf show --granularity=lines --json both.callgrind
check 'the costs by line are those of the graph' json \
	'[.rows[] | select(.self > 0) | .name] | sort' \
	'["f /a.rb:10","f /a.rb:9","main /a.rb:3"]'
check 'a filter leaves the stacks alone' exits 0 \
	git perf export --to=git-perf --focus=f -o f.perf both.json
check 'no cost of what was filtered is in the file' exits 128 \
	git perf show --call-graph f.perf
check 'two of both are merged as both' exits 0 git perf merge --to=git-perf -o two.perf both.json both.json
check 'the graphs of both are one' exits 0 git perf show --call-graph --json two.perf
check 'merged graphs cost by run, of which there are 2' json "$(row f)" '[2000,2000]'
check 'stacks without a graph are merged with both' exits 0 \
	git perf merge --to=git-perf -o three.perf both.json stacks.pb.gz
check 'a graph of one of two is no graph of both' exits 128 \
	git perf show --call-graph three.perf

# 3 + 5 samples of two stacks: what the view of metrics has of no metrics.
printf 'main;f 3\nmain;g 5\n' >two.folded
check 'metrics of a profile without any are shown' exits 0 \
	git perf show --view=metrics --json two.folded
check 'what costs add up to stands for metrics' json \
	'[.rows[] | [.name, .n, .median]]' '[["samples",1,8]]'

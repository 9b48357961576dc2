#!/bin/sh
# Profiles of one format in another and back: totals, own and total costs of
# functions stay as far as the format can hold them; what it cannot is said.
. "$(dirname "$0")/../lib.sh"
need jq python3
data=$measured

# "name self total" of each function in ns, by name, those without cost left out.
costs()
{
	git perf show --json --nodecount=0 --nodefraction=0 "$@" | jq -r '
		(if .unit == "milliseconds" then 1e6 elif .unit == "seconds"
		 then 1e9 elif .unit == "microseconds" then 1e3 else 1 end) as $k |
		"total \(.total * $k | round)",
		(.rows[] | select(.total != 0 and .name != "(root)") |
		 "\(.name) \(.self * $k | round) \(.total * $k | round)")' | sort
}

# comes_back FILE FORMAT: through the format and back
comes_back()
{
	must git perf export --to="$2" -o back "$1" 2>"$err"
	costs "$1" >expected
	costs back >got
	same expected got
}
for to in callgrind pstats racket speedscope pprof; do
	check "samples of Go come back through $to" \
		comes_back "$data/go/cpu.pb.gz" $to
done

# What stands around itself on a stack: a calls b, b calls a.
cat >around.json <<'EOF'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
 "profiles": [{"type": "sampled", "name": "x", "unit": "milliseconds",
  "startValue": 0, "endValue": 5, "samples": [[0, 1, 0], [0]],
  "weights": [3, 2]}]}
EOF
for to in callgrind pstats racket; do
	check "a function below itself costs no more through $to" \
		comes_back around.json $to
done

# e calls g, h and a, these one another and e: all samples are below each of
# them, and d's and b's are one each.
printf 'e;g;e;h;a;e;b 3\ne;a;g;h;g;d;e 1000\n' >woven.folded
check 'functions that call each other below one of them are written' \
	exits 0 git perf export --to=callgrind -o back woven.folded
costs back | grep -v root >got
cat >expected <<'EOF'
a 0 1003
b 3 3
d 0 1000
e 1000 1003
g 0 1003
h 0 1003
total 1003
EOF
check 'functions that call each other below one of them keep their totals' \
	same expected got
check 'nothing is said of totals that are kept' not mentions err 'total costs'

# A difference: of f and g, which call each other, g became faster by 5 ms where
# main calls it and f is below none of that. Python says what f costs.
must python3 -c 'import marshal
m, f, g = ("p.py", 1, "m"), ("p.py", 2, "f"), ("p.py", 3, "g")
marshal.dump({m: (1, 1, .0, .008, {}),
	f: (2, 2, .003, .013, {m: (1, 1, .0, .01), g: (1, 1, .003, .003)}),
	g: (2, 2, .005, .008, {m: (1, 1, -.005, -.002), f: (1, 1, .01, .01)})},
	open("difference.prof", "wb"))'
cat >expected <<'EOF'
f 3000000 13000000
g 5000000 8000000
m 0 8000000
total 8000000
EOF
costs difference.prof >got
check 'a cycle of a difference has no bound' same expected got

# f and g call each other, both below m by stacks m f g f and m g f g of 5 ms
# each, m f and m g of -5 ms each: 0 of each own cost and call from m, 5 ms below
# either. What is negative is seen in n alone.
must python3 -c 'import marshal
m, f, g, n = [("p.py", i, x) for i, x in enumerate("mfgn", 1)]
marshal.dump({m: (1, 1, .0, -.001, {}), n: (1, 1, -.001, -.001, {m: (1, 1, -.001, -.001)}),
	f: (3, 3, .0, .005, {m: (1, 1, .0, .0), g: (2, 2, .0, .01)}),
	g: (3, 3, .0, .005, {m: (1, 1, .0, .0), f: (2, 2, .0, .01)})},
	open("cancelled.prof", "wb"))'
cat >expected <<'EOF'
f 0 5000000
g 0 5000000
m 0 -1000000
n -1000000 -1000000
total 1000000
EOF
costs cancelled.prof >got
check 'costs of a difference that cancel each other are no bound' same expected got

# The module profile counts calls without their times: f and g call each other and
# h, which is what nearly all is spent in.
must python3 -c 'import marshal
m, f, g, h = [("p.py", i, x) for i, x in enumerate("mfgh", 1)]
marshal.dump({m: (1, 1, .001, .02, {}), h: (11, 11, .015, .015, {f: 6, g: 5}),
	f: (1, 6, .002, .019, {m: 1, g: 5}), g: (1, 5, .002, .017, {f: 5})},
	open("untimed.prof", "wb"))'
cat >expected <<'EOF'
f 2000000 19000000
g 2000000 17000000
h 15000000 15000000
m 1000000 20000000
total 20000000
EOF
costs untimed.prof >got
check 'calls without times leave the totals of a cycle as they are' same expected got

# Calls of one function from several lines are one call for pstats and Racket.
cat >lines.out <<'EOF'
version: 1
events: t_(nanoseconds)
fl=a.c
fn=main
1 10
cfn=f
calls=1 9
2 100
cfn=f
calls=2 9
3 200
fn=f
9 300
EOF
for to in pstats racket; do
	check "calls from two lines come back through $to" \
		comes_back lines.out $to
done
must git perf export --to=pstats -o back lines.out
check 'calls from two lines have one entry with their times and their number' \
	is "$(python3 -c 'import marshal
for (cc, nc, tt, ct, callers) in marshal.load(open("back", "rb")).values():
	for calls in callers.values():
		print(calls[0], round(calls[3] * 1e9))' 2>&1)" '3 300'

# Calls that are counted and not timed, as of the module profile: the share of
# each is that of its calls, 1 of 3 and 2 of 3.
must python3 -c 'import marshal
f, a, b = ("p.py", 1, "f"), ("p.py", 2, "a"), ("p.py", 3, "b")
marshal.dump({f: (3, 3, .03, .03, {a: 1, b: 2}), a: (1, 1, .01, .02, {}),
	b: (1, 1, .01, .03, {})}, open("pure.prof", "wb"))'
check 'calls without times are written with their share' \
	comes_back pure.prof callgrind

# What a format has no place for.
check 'two value types in a format of one' exits 0 \
	git perf export --to=pstats -o back "$data/go/cpu.pb.gz"
check 'the value type that is left out is said' says err \
	"warning: pstats has one value type: 1 of the profile's is left out"
check 'time in a format without units' exits 0 \
	git perf export --to=collapsed -o back "$data/go/cpu.pb.gz"
check 'the unit that is lost is said' says err "warning: \
collapsed has no place for units and names: its numbers are nanoseconds of 'cpu'"
check 'the name that is lost is said' exits 0 \
	git perf export --to=racket -o back "$data/go/cpu.pb.gz"
check 'the name that comes instead of a value type is said' says err "warning: racket has no place \
for the name of a value type: 'cpu' is read back as 'time'"
check 'one unit for all columns' exits 0 \
	git perf export --to=perun -o back "$data/go/mutex.pb.gz"
check 'no unit is lost where the others have none' \
	not mentions err 'place for one unit'
check 'a unit for two columns that have one' exits 0 \
	git perf export --to=perun -o back "$data/go/heap.pb.gz"
check 'the unit that is lost is said' says err \
	'warning: perun has a place for one unit: 1 value type is without its'

# f calls g and g calls f: each is called once by main, for 10 and 20 ms. A
# call costs what was below it, f's by g is part of g's by main.
must python3 -c 'import marshal
m, f, g = ("p.py", 1, "m"), ("p.py", 2, "f"), ("p.py", 3, "g")
marshal.dump({m: (1, 1, .0, .03, {}),
	f: (2, 2, .015, .025, {m: (1, 1, .005, .01, ), g: (1, 1, .01, .02)}),
	g: (2, 2, .015, .025, {m: (1, 1, .01, .02), f: (1, 1, .005, .01)})},
	open("cycle.prof", "wb"))'
check 'functions that call each other' exits 0 \
	git perf export --to=callgrind -o back cycle.prof
check 'functions that call each other have another total, which is said' says err "warning: callgrind has no \
place for total costs, its readers add up those of calls: that gives 2 \
functions another one"
check 'a graph without circles' exits 0 \
	git perf export --to=callgrind -o back lines.out
check 'a graph without circles has no other totals' silent err
check 'a format that holds all' exits 0 \
	git perf export --to=speedscope -o back "$data/go/cpu.pb.gz"
check 'nothing is said where all is held' silent err
must git perf export --to=git-perf -o back.perf "$root/tests/data/massif/small.massif"
check 'metrics and curves in a format of stacks' \
	exits 0 git perf export --to=pprof -o back back.perf
check 'the metrics and curves that are lost are said' says err \
	"warning: pprof has no place for metrics and curves: 'peak', 'heap-extra', 'stacks'"
check 'an export says that a peak is read back as a cost' says err \
	"warning: pprof does not say that 'heap' is a peak: of several files it is added up"
check 'a profile with curves is shown' exits 0 git perf show back.perf
check 'where they are shown is said' \
	says out 'Curves: heap, heap-extra, stacks (--view=flow)'
check 'metrics and curves in a format that has them' \
	exits 0 git perf export --to=git-perf -o back back.perf
check 'nothing is said where metrics and curves are held' silent err

# speedscope's schema has units of time, bytes and none.
must python3 -c '
def f(n, x):
	return bytes([n << 3, x]) if isinstance(x, int) else bytes([n << 3 | 2, len(x)]) + x
out = f(2, f(1, bytes([1])) + f(2, bytes([3, 5, 7, 9])))
for i in range(1, 9, 2):
	out += f(1, f(1, i) + f(2, i + 1))
out += f(4, f(1, 1) + f(4, f(1, 1))) + f(5, f(1, 1) + f(2, 9))
for s in b"", b"heap", b"kilobytes", b"hits", b"count", b"cpu", b"microseconds", b"pages", b"GCU", b"f":
	out += f(6, s)
open("units.pb", "wb").write(out)'
check 'units that speedscope has not' exits 0 git perf export --to=speedscope -o back units.pb
check 'the units that are lost are said' says err "warning: speedscope has no place for this unit: \
the numbers of 'heap' are kilobytes, and 1 more value type is without its unit"
check 'units that are lost are none in the file' is "$(jq -r '.profiles[].unit' back | sort | tr '\n' ' ')" \
	'microseconds none none none '

# Peaks and levels that are told by name are what they were: of two files the
# largest counts, 140 bytes of heaptrack's, and not 280.
heap=$root/tests/data/heaptrack/small.heaptrack
for format in pprof otlp speedscope callgrind; do
	check "a peak in $format" exits 0 git perf export --to=$format -o back "$heap"
	check "nothing is said of peaks in $format" not mentions err 'is a peak'
	check "two files of $format are merged" exits 0 git perf merge --to=git-perf -o both back back
	check 'the merge is shown' exits 0 git perf show --json both
	check "the peak of two files of $format is that of one" \
		json '[.type, .total]' '["peak",140]'
done
check 'times of samples in a format without them' exits 0 \
	git perf export --to=pprof -o back "$data/perf/gzip.perf.txt"
check 'the times that are lost are said' says err \
	'warning: pprof has no place for the times of samples'
check 'times of samples in what could hold them' exits 0 \
	git perf export --to=otlp -o back "$data/perf/gzip.perf.txt"
check "nothing is said of times in otlp" not mentions err "times"
check 'times of samples in a format that has them' exits 0 \
	git perf export --to=speedscope -o back "$data/perf/gzip.perf.txt"
check 'nothing is said where times are held' silent err
must python3 -c '
def v(n):
	return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + v(n >> 7)
def f(n, x):
	b = isinstance(x, bytes)
	return v(n << 3 | 2 * b) + v(len(x) if b else x) + (x if b else b"")
out = f(1, f(1, 1) + f(2, 2)) + f(1, f(1, 3) + f(2, 4))
# cpu of main and work, none of idle: 3 samples and 30 ns, 5 samples and 0 ns
out += f(2, f(1, v(2) + v(1)) + f(2, v(3) + v(30)))
out += f(2, f(1, v(3) + v(1)) + f(2, v(5) + v(0)))
for i in 1, 2, 3:
	out += f(5, f(1, i) + f(2, 4 + i)) + f(4, f(1, i) + f(4, f(1, i)))
for s in b"", b"samples", b"count", b"cpu", b"nanoseconds", b"main", b"work", b"idle":
	out += f(6, s)
open("free.pb", "wb").write(out)'
for format in collapsed pstats; do
	check "a function that costs nothing in $format" exits 0 \
		git perf export --to=$format -o back free.pb
	check "$format leaves it out, which is said" says err \
		"warning: $format has no place for what costs nothing: 1 function is left out"
done
check 'a function that costs nothing in racket' exits 0 \
	git perf export --to=racket -o back free.pb
check 'racket keeps a function that costs nothing' grep -q '"id":"idle"' back
check 'nothing is said of functions in racket' not mentions err 'costs nothing'

# ';' parts frames and an end of line stacks there: of three functions that are
# written two have one, one of them on two stacks.
cat >names.json <<'EOF'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "La/B;.run"}, {"name": "b"}, {"name": "x\ny"},
  {"name": "not;there"}]},
 "profiles": [{"type": "sampled", "name": "x", "unit": "none",
  "startValue": 0, "endValue": 6, "samples": [[0, 1, 0], [0], [2]],
  "weights": [3, 2, 1]}]}
EOF
check 'names that collapsed stacks cannot have' exits 0 \
	git perf export --to=collapsed -o back names.json
check 'the names that are written otherwise are told, once' prints err <<'EOF'
warning: collapsed has no place for ';' and ends of lines in names: 2 functions have ':' and blanks there
EOF
# a name of callgrind's is what is left of its line
check 'a name that callgrind cannot have' exits 0 \
	git perf export --to=callgrind -o names.callgrind names.json
check 'the name that callgrind has otherwise is told' prints err <<'EOF'
warning: callgrind has no place for control characters and outer blanks in names: 1 function has blanks or nothing there
EOF
printf 'main; f;f 1\nmain;g ;g 2\nmain;h h 3\n' >outer.folded
check 'names with blanks at their ends' exits 0 \
	git perf export --to=callgrind -o outer.callgrind outer.folded
check 'names without their outer blanks are told' prints err <<'EOF'
warning: callgrind has no place for control characters and outer blanks in names: 2 functions have blanks or nothing there
EOF
check 'callgrind has a blank for the end of a line' grep -q 'fn=([0-9]*) x y$' names.callgrind
check 'names that are written otherwise keep their lines' same back - <<'EOF'
La/B:.run;b;La/B:.run 3
La/B:.run 2
x y 1
EOF

# Nothing costs anything: of functions that is what is known, and a file without
# any is none to its readers (pstats.Stats raises a TypeError of "{}").
cat >zero.json <<'EOF'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
 "profiles": [{"type": "sampled", "name": "x", "unit": "milliseconds",
  "startValue": 0, "endValue": 0, "samples": [[0, 1], [0]],
  "weights": [0, 0]}]}
EOF
# The cpu time of free.pb's 3 samples, 0 now.
must python3 -c '
data = open("free.pb", "rb").read()
assert data.count(bytes([3, 30])) == 1
open("zero.pb", "wb").write(data.replace(bytes([3, 30]), bytes([3, 0])))'
for format in collapsed pstats racket; do
	for from in zero.json zero.pb; do
		check "$from without costs as $format" exits 0 \
			git perf export --to=$format -o back $from
		check "$format does not say that functions of $from are left out" \
			not mentions err 'costs nothing'
		check "$from comes back through $format" exits 0 \
			git perf show back
	done
done
must git perf export --to=pstats -o back zero.json 2>"$err"
check 'Python reads two functions without cost' is "$(python3 -c '
import pstats
print(sorted((k[2], v[2], v[3]) for k, v in pstats.Stats("back").stats.items()))')" \
	"[('a', 0.0, 0.0), ('b', 0.0, 0.0)]"
must git perf export --to=collapsed -o back zero.pb 2>"$err"
check 'stacks without cost are lines of 0' same back - <<'EOF'
main;work 0
main;idle 0
EOF
# What no column says anything of is in no call graph of samples.
for weight in 0 1; do
	sed "s/\"weights\": .*/\"weights\": [$weight, 2]}]}/" zero.json >some.json
	check "a function with a weight of $weight in racket" exits 0 \
		git perf export --to=racket -o back some.json
	check "b with a weight of $weight is in the file, or is said not to be" \
		is "$(grep -c '"id":"b"' back) $(grep -c \
			'racket has no place for what costs nothing: 1 function is left out' \
			"$err")" "$weight $((1 - weight))"
done
# b has a line of its own in the only column, and is not left out
printf 'a;b 0\na 3\n' >part.folded
check 'a function without cost in the only column' exits 0 \
	git perf export --to=collapsed -o back part.folded
check 'the line of a function without cost is there' same part.folded back
check 'nothing is said of a line that is there' silent err
# A filter that nothing passes leaves no functions, and so no file of them.
for format in pstats racket collapsed callgrind speedscope; do
	rm -f none
	check "nothing as $format is an error" exits 128 \
		git perf export --to=$format --focus=nothing -o none zero.json
	check "a file of $format without functions is not written" not test -e none
done

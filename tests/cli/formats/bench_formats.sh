#!/bin/sh
# Benchmark results that people have: the figures are those that the tool
# wrote beside its single values.
. "$(dirname "$0")/../lib.sh"
need jq
data=$measured

# Whether two lists of [name, figure...] agree to 1e-9 of each figure.
agree='def near($a; $b): ($a - $b | fabs) <= 1e-9 * ($b | fabs) + 1e-12;
	def agree($a; $b): ($a | length) == ($b | length) and
		all(range($a | length); . as $i | $a[$i][0] == $b[$i][0] and
			all(range(1; $b[$i] | length); near($a[$i][.]; $b[$i][.])));'

git perf show --json "$data/bench/pytest-benchmark.json" >got.json
check 'pytest-benchmark: median, mean, deviation, rounds' exits 0 jq -e --slurpfile peer "$data/bench/pytest-benchmark.json" "$agree
	agree([.rows[] | [.name, .median, .mean, .sd, .n]];
		[\$peer[0].benchmarks[] | [.fullname, .stats.median, .stats.mean, .stats.stddev, .stats.rounds]])" got.json

git perf show --json "$data/hyperfine/gzip-levels.json" >got.json
check 'hyperfine: median, mean, deviation, user, system' exits 0 jq -e --slurpfile peer "$data/hyperfine/gzip-levels.json" "$agree
	agree([.rows[] | select(.name | endswith(\" wall\")) | [.name, .median / 1e9, .mean / 1e9, .sd / 1e9]];
		[\$peer[0].results[] | [.command + \" wall\", .median, .mean, .stddev]])" got.json
check 'hyperfine: user time to the nanosecond' exits 0 jq -e --slurpfile peer "$data/hyperfine/gzip-levels.json" '
	[.rows[] | select(.name | endswith(" user")) | .median] == [$peer[0].results[] | .user * 1e9 | round]' got.json

git perf show --json "$data/bench/google-benchmark.json" >got.json
check 'Google Benchmark: median of the repetitions' exits 0 jq -e --slurpfile peer "$data/bench/google-benchmark.json" "$agree
	def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2] + .[length / 2 - 1]) / 2 end;
	agree([.rows[] | select(.name | endswith(\"real_time\")) | [.name, .median, .n]] | sort_by(.[0]);
		[\$peer[0].benchmarks | map(select(.run_type == \"iteration\")) | group_by(.run_name)[] |
			[.[0].run_name + \" real_time\", (map(.real_time) | median), length]] | sort_by(.[0]))" got.json

git perf show --json "$data/bench/go-bench.txt" >got.json
# three runs each: the middle one
awk '/^Benchmark/ && $4 == "ns/op" {print $1, $3}' "$data/bench/go-bench.txt" | sort -k1,1 -k2,2n |
	awk 'NR % 3 == 2' >expected
jq -r '.rows[] | select(.name | endswith(" ns/op")) | "\(.name | rtrimstr(" ns/op")) \(.median)"' got.json | sort >got
check 'go bench: the middle run of each' same expected got
check 'rates are better when more' exits 0 jq -e '[.rows[] | select(.unit == "MB/s") | .better] | unique == ["more"]' got.json

git perf show --json "$data/bench/junit.xml" >got.json
check 'JUnit: times of tests' exits 0 jq -e \
	'[.rows[] | [.name, .median]] ==
	[["test_b.test_fib", 3.002], ["test_b.test_json", 1.092], ["test_b.test_plain", 0]]' got.json

# perf stat with colons between fields, and in locales with decimal commas.
cat >colons.csv <<'END'
0.77:msec:task-clock:u:765162:100.00:0.461:CPUs utilized
3::sched:sched_switch:765162:100.00:0.000:/sec
END
figures()
{
	git perf show --json "$1" | jq -c '[.rows[] | [.name, .median, .unit]]'
}
check 'colons in the names of events are no separators' is \
	"$(figures colons.csv)" \
	'[["task-clock:u",0.77,"ms"],["sched:sched_switch",3,"count"]]'
printf '%s\n' '0,77;msec;task-clock;765162;100,00;0,461;CPUs utilized' \
	'1024;;cs;765162;100,00;0,000;/sec' >commas.csv
check 'decimal commas are read' is "$(figures commas.csv)" \
	'[["task-clock",0.77,"ms"],["cs",1024,"count"]]'
must sed 's/;/,/g' commas.csv >both.csv
check 'decimal commas between commas are refused' \
	exits 128 git perf show both.csv
check 'what can be told apart is said' says err "fatal: cannot read 'both.csv': \
line 1: decimal commas cannot be told from commas between fields, expected \
what perf stat writes with LC_ALL=C or -x\\;"
printf '%s\n' '     1,000116;5;;cs;1000;100,00;;' \
	'     2,000316;7;;cs;1000;100,00;;' >intervals.csv
check 'the time of an interval is no count' is "$(git perf show --json \
	intervals.csv | jq -c '.rows[0] | .name, .n, .min, .max')" '"cs"
2
5
7'
check 'intervals are shown' exits 0 git perf show intervals.csv
check 'where their curve is shown is said' says out 'Curves: cs (--view=flow)'

# A history of a JUnit file of 5,000 tests is read without opening it again.
must git init -q repo && cd repo && must git commit -q --allow-empty -m one
{
	echo '<testsuite name="s">'
	seq 5000 | sed 's/.*/<testcase classname="c" name="t&" time="0.&"\/>/'
	echo '</testsuite>'
} >big.xml
check 'a JUnit file with texts of many megabytes is added' \
	exits 0 git perf add big.xml
check 'all tests of a large JUnit file are logged' \
	exits 0 sh -c 'git perf log --json | jq -e ".commits[0].profiles[0].metrics | length == 5000"'

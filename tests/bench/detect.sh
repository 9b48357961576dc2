#!/bin/sh
# The detectors: time with the start of the program, and instructions without.
#
#	BENCH_PROTOTYPE  folder with history_hmm.py and history_hmm.c, the
#			 detector that ours began as: times beside its passes
#	BENCH_HISTORIES  the program bench_histories (build/tests/)
. "$(dirname "$0")/lib.sh"
need valgrind

# course COMMITS: noise of 1 %, a step of 3 % in the middle.
course()
{
	awk -v n="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < n; i++) {
			level = i >= n / 2 ? 103 : 100
			r = sqrt(-2 * log(rand() + 1e-12))
			printf "%.6g ", level * (1 + 0.01 * r * cos(6.2831853 * rand()))
		}
		print ""
	}'
}
# walk COMMITS: steps of 1 %, up or down.
walk()
{
	awk -v n="$1" 'BEGIN {
		srand(1)
		for (level = 100; n; n--) {
			level *= rand() < 0.5 ? 1.01 : 1 / 1.01
			printf "%.6g ", level
		}
		print ""
	}'
}
# correlated COMMITS RHO: noise of 1 % that follows the one before, a step of 5 %.
correlated()
{
	awk -v n="$1" -v rho="$2" 'BEGIN {
		srand(1)
		for (i = 0; i < n; i++) {
			r = sqrt(-2 * log(rand() + 1e-12)) * cos(6.2831853 * rand())
			e = rho * e + 0.01 * sqrt(1 - rho * rho) * r
			printf "%.6g ", (i >= n / 2 ? 105 : 100) * exp(e)
		}
		print ""
	}'
}
course 1000 >"$scratch/thousand"
correlated 1000 0.5 >"$scratch/correlated"
correlated 100000 0.5 >"$scratch/many_correlated"
walk 100000 >"$scratch/many_walked"
walk 1000 >"$scratch/walk"
course 100000 >"$scratch/many"
printf '%s\n' '10 10.2 9.9 10.1 10.3' '11 11.3 10.9 11.1 11.2' >"$scratch/pair"

count()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		git-perf detect "$1" <"$2" 2>&1 >/dev/null |
		awk '/Collected/ { print $NF }'
}
# instructions WHAT GOAL DETECTOR FILE
instructions()
{
	row "$1" "$(count "$3" "$4" | awk '{ printf "%.1f M", $1 / 1e6 }')" - - "$2"
}
detects()
{
	alone "$1" "$2" "sh -c 'git-perf detect $3 <$4'"
}

head_row
detects 'detect history, 1,000 commits, with start' '<= 5 ms' \
	history "$scratch/thousand"
detects 'detect history, 100,000 commits' '<= 1000 ms' \
	history "$scratch/many"
detects 'detect history, 1,000 commits of AR(1), with start' '<= 5 ms' \
	history "$scratch/correlated"
detects 'detect history, 100,000 commits of AR(1)' '<= 1000 ms' \
	history "$scratch/many_correlated"
detects 'detect history, 100,000 commits of a random walk' '<= 1000 ms' \
	history "$scratch/many_walked"
detects 'detect pair, 5 and 5 runs, with start' '<= 5 ms' pair "$scratch/pair"
instructions 'detect history, 1,000 commits, instructions' '<= 25 M' \
	history "$scratch/thousand"
instructions 'detect pair, 5 and 5 runs, instructions' '<= 3 M' \
	pair "$scratch/pair"
# 890 M before levels far from each value were left out.
instructions 'detect history, 1,000 commits of a random walk, instructions' \
	'<= 300 M' history "$scratch/walk"

# slow COMMITS: a state that is 5 % slower comes and goes, a step in the middle.
slow()
{
	awk -v n="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < n; i++) {
			if (rand() < 0.02)
				state = 1 - state
			r = sqrt(-2 * log(rand() + 1e-12)) * cos(6.2831853 * rand())
			printf "%.6g ", (i >= n / 2 ? 105 : 100) + 5 * state + r
		}
		print ""
	}'
}

# The passes of the prototype in C took 4 ms for the points of a plain history
# of 1,000 and 8 for those of the public histories where 2 is the goal: so the
# goals are ratios to them, in the same minute on this machine.
prototype=${BENCH_PROTOTYPE:-}
if [ ! -e "$prototype/history_hmm.c" ]; then
	echo "SKIPPED: the prototype's passes: BENCH_PROTOTYPE is no folder with history_hmm.c"
	exit 0
fi
need python3 cc
PYTHON=
for python in python3 /usr/bin/python3; do
	[ -n "$PYTHON" ] || ! "$python" -c 'import numpy' 2>/dev/null || PYTHON=$python
done
[ -n "$PYTHON" ] || {
	echo "SKIPPED: the prototype's passes: python3 has no numpy"
	exit 0
}
cc -O2 -shared -fPIC -o "$scratch/core.so" "$prototype/history_hmm.c" -lm
jq -r '(if type == "array" then . else .series end)[] | .values |
	map(. // "nan") | join(" ")' "$root/tests/data/detect-bench/series.json" >"$scratch/public"
correlated 1000 0.8 >"$scratch/correlated.8"
slow 1000 >"$scratch/slow"

# passes WHAT GOAL FILE: medians of five, one after the other
passes()
{
	for _ in 1 2 3 4 5; do
		"${BENCH_HISTORIES:-$root/build/tests/bench_histories}" "$3" >>"$scratch/ours"
		"$PYTHON" "$root/tests/bench/history_core.py" "$prototype" \
			"$scratch/core.so" "$3" >>"$scratch/theirs"
	done
	a=$(sort -n "$scratch/ours" | sed -n 3p)
	b=$(sort -n "$scratch/theirs" | sed -n 3p)
	rm "$scratch/ours" "$scratch/theirs"
	row "$1" "$a ms" "$b ms" "$(awk "BEGIN { printf \"%.3f\", $a / $b }")" "$2"
}
passes '1,000 points of the public histories' '<= .25x (2 of 8 ms)' "$scratch/public"
passes '1,000 points, a step' '<= .5x (2 of 4 ms)' "$scratch/thousand"
passes '1,000 points, AR(1) of .8' '<= .5x' "$scratch/correlated.8"
passes '1,000 points, slow states and a step' '<= .5x' "$scratch/slow"

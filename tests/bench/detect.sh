#!/bin/sh
# The detectors: time with the start of the program, and instructions without.
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

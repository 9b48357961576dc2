#!/bin/sh
# What finding changes in twice as many commits costs: twice the instructions,
# and what the start takes only once. What compares each value with each other
# costs four times as many: 100,000 commits took 7 s.
. "$(dirname "$0")/../lib.sh"
need valgrind
skip_sanitized

# course COMMITS: noise below 1.5 %, a step of 3 % in the middle
course()
{
	awk -v n="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < n; i++) {
			level = i < n / 2 ? 100 : 103
			printf "%.6g ", level + rand() + rand() + rand() - 1.5
		}
		print ""
	}'
}

# cost COMMITS: instructions
cost()
{
	course "$1" >values
	must instructions git-perf detect history <values
}

few=$(cost 4000)
many=$(cost 8000)
check 'the step of the long course is found' \
	mentions out '^4000$'
check "twice the commits cost twice as much: $few, $many" \
	test $((many * 2)) -lt $((few * 5))

#!/bin/sh
# A new commit in a history of 10,000 with 50 metrics each: time of check, which
# finds what it has read before in .git/perf/cache, and its instructions with and
# without. By callgrind: 235 M instructions (283 M without), 113 M of them in the
# histories of 300 commits.
. "$(dirname "$0")/lib.sh"
need valgrind

git init -q "$scratch/r"
cd "$scratch/r"
awk 'BEGIN {
	for (i = 1; i <= 10000; i++) {
		print "commit refs/heads/main\ncommitter b <b@example.com> " 1500000000 + 60 * i " +0000"
		print "data 2\nc\nM 644 inline x\ndata " length(i) + 1 "\n" i
	}
}' | git fast-import --quiet
mkdir ../f
awk -v dir=../f 'BEGIN {
	srand(1)
	for (i = 1; i <= 10000; i++) {
		file = dir "/" i
		printf "[" >file
		for (k = 0; k < 50; k++)
			printf "%s{\"name\":\"m%d\",\"unit\":\"ms\",\"value\":%.4f}", k ? "," : "", k,
				(100 + k) * (1 + .02 * (rand() + rand() - 1)) >file
		print "]" >file
		close(file)
	}
}'
git rev-list --reverse main | awk '{ print $1 "\t../f/" NR }' |
	git perf add --stdin --format=customSmallerIsBetter --name=b >/dev/null 2>&1
git repack -adq

head_row
alone 'check, 10,000 commits of 50 metrics' '<= 100 ms' 'git-perf check'
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
		awk '/Collected/ { printf "%.0f M", $NF / 1e6 }'
}
row 'check, the same, instructions' "$(instructions git-perf check)" - - '<= 400 M'
rm -rf .git/perf/cache
row 'check, for the first time, instructions' "$(instructions git-perf check)" - - '<= 500 M'
git-perf status >"$scratch/told"
row 'status, instructions' "$(instructions git-perf status)" - - '<= 4 M'

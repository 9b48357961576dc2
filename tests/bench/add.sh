#!/bin/sh
# One add of a 20 kB profile with everything on the disk, beside git notes add
# of one line without fsync.
. "$(dirname "$0")/lib.sh"
head_row
history "$scratch/r" 1000
cd "$scratch/r"
awk 'BEGIN { srand(1); for (i = 0; i < 400; i++) {
	printf "main;run;step_%d;leaf_number_%d_of_many %d\n",
		i % 40, i, rand() * 1000 } }' >../p.folded
ls -l ../p.folded | awk '{ print "(profile of " $5 " bytes)" }'
git perf add ../p.folded
compare 'add a 20 kB profile | git notes add' '<= 9 ms, <= 3x' \
	'git-perf add ../p.folded' \
	'git notes --ref=other add -f -m line HEAD'

#!/bin/sh
# Start-up: what every prompt and hook pays.
. "$(dirname "$0")/lib.sh"
head_row
compare 'git-perf --version | git --version' '<= 3 ms' \
	'git-perf --version' 'git --version'
history "$scratch/r" 100
cd "$scratch/r"
git read-tree HEAD
printf 'main;a 1\n' >../a.folded
git perf add ../a.folded
compare 'git-perf status | git status' '<= 4.5 ms' \
	'git-perf status' 'git status'
memory 'git-perf status, memory' '<= 12 MB' git-perf status

#!/bin/sh
# A job is one series by its name, whatever command its file has had for it:
# in log and status as in diff. Jobs of several commands are told by these.
. "$(dirname "$0")/../lib.sh"
need jq

# A profile of `$1` samples by a job whose arguments are `$2`.
measure()
{
	echo "main $1" >"../$2.folded"
	must git perf collect -q --add -r 1 -c command -O format=collapsed \
		-l job=fib -- cp "../$2.folded" '{output}' 2>"$err"
	rm -f '{output}'
}

# "<args> <median> <old> <distance>" of each series at HEAD.
changes()
{
	git perf log --json -n 1 | jq -r '.commits[0].series |
		sort_by(.args)[] | "\(.args | split("/")[-1] | split(".")[0]) \(
		.metrics[0].median) \(.metrics[0].old) \(.distance)"' |
		tr '\n' ','
}

commit one
measure 100 a
commit two
measure 110 b
check 'log compares a job with what it was by another command' \
	is "$(changes)" 'b 110 100 1,'
check 'status of a job whose command was changed' exits 0 git perf status
check 'status compares a job with what it was by another command' \
	mentions out 'samples  110  \+10\.0%$'
check 'diff of a job whose command was changed' exits 0 git perf diff
check 'diff has the same change in one line' mentions out \
	'^fib/command  samples  100  110  \+10\.0%'
commit three
commit four
measure 121 c
check 'the job is found behind commits that were not measured' \
	is "$(changes)" 'c 121 110 2,'
check 'log of a job with three commands' exits 0 git perf log --oneline
check 'one course has all commands of a job, and a gap' \
	is "$(grep -c '\.\.' "$out")" 1
check 'the course of a job goes from its least to its greatest' mentions out \
	'  fib.* samples +100 \.\. 121$'

# Several commands of one job are not each other's past.
commit five
measure 200 c
measure 300 d
check 'one of two commands has its own past, the other none' \
	is "$(changes)" 'c 200 121 1,d 300 null null,'
commit six
measure 210 c
measure 400 e
check 'a command that took the place of one of two is new' \
	is "$(changes)" 'c 210 200 1,e 400 null null,'
check 'diff of one command beside another' exits 0 git perf diff --json
check 'diff does not pair one of two commands with another' json \
	'[.rows[] | [(.metrics[0] | .old.median, .new.median)]] | sort' \
	'[[null,400],[200,210],[300,null]]'
commit seven
measure 500 f
check 'one command behind two others has no past' \
	is "$(changes)" 'f 500 null null,'

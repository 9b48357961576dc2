#!/bin/sh
# git perf log: whose figures are whose where a commit has several jobs.
. "$(dirname "$0")/../lib.sh"

stacks()
{
	printf 'main;f %d\n' "$1" >a.folded
	must git perf collect -c command -O format=collapsed --add \
		-- cp a.folded '{output}'
}

commit first
stacks 3
check 'log of one job' exits 0 git perf log --oneline
check 'one job is not named in log --oneline' \
	mentions out 'first  \| samples 3$'
must git perf collect -r 1 --add -- true
check 'log of several jobs' exits 0 git perf log --oneline
check 'several jobs begin with their commands' mentions out \
	'first  \| \[cp a\.folded .\{output\}.\] samples 3; \[true\] wall [0-9.]+ [mun]?s$'
check 'log of several jobs with chosen metrics' exits 0 \
	git perf log --oneline --metric='^(wall|user)$'
check 'several jobs are named before chosen metrics' mentions out \
	'first  \| \[cp a\.folded .\{output\}.\] wall [^;]*; \[true\] wall [^;]*, user [^;]*$'
must git perf collect -r 1 --add -- cp a.folded '{output}'
check 'log of two jobs of one command' exits 0 git perf log --oneline
check 'jobs of one command are told by their collectors' mentions out \
	"$(printf '%s' ' \[cp a\.folded .\{output\}.: command\] samples 3[^;]*' \
		'; \[true: time\] wall [^;]*; \[cp a\.folded .\{output\}.: time\] wall ')"

check 'log without --oneline of jobs of one command' exits 0 git perf log
check 'the long log names collector command before the machine' mentions out \
	'^    cp a\.folded .\{output\}.: command on .*:$'
check 'the long log names collector time before the machine' mentions out \
	'^    cp a\.folded .\{output\}.: time on .*:$'

# Their courses.
rm -f '{output}'
commit second
stacks 5
check 'log of one metric over two commits' \
	exits 0 git perf log --oneline --metric=samples
check 'the course of a single series is named by its command' mentions out \
	'^samples .* 3 \.\. 5  \[cp a\.folded .\{output\}.\]$'
must git perf add --name=one a.folded
check 'log of a profile that names no job' exits 0 git perf log --oneline -n 1
check 'a profile without a job stands apart from the job, by its name' mentions out \
	'second  \| \[cp a\.folded .\{output\}.\] samples 5; \[one\] samples 5$'

# Two of no command, and one of no machine either.
commit third
must git perf add --machine=mill a.folded
stacks 7
must git perf add --no-environment a.folded
check 'log of a profile that names no machine' exits 0 \
	git perf log -n 1 -o third.txt --metric=samples
check 'a profile without a machine stands below no machine' \
	is "$(sed -n '/^    [^ ]* on /,$p' third.txt |
	sed "s/on [0-9a-f]*:/on X:/;s/^  *//")" "a.folded on mill:
samples 5
cp a.folded '{output}' on X:
samples 7
a.folded:
samples 7"

# What is neither ours nor git's.
check 'an option that git log has not either is refused' \
	exits 128 git perf log --metrics=wall
check 'log suggests the nearest option of its own' \
	says err "did you mean '--metric'?"

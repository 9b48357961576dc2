#!/bin/sh
# git perf log: whose figures are whose where a commit has several jobs.
. "$(dirname "$0")/lib.sh"

stacks()
{
	printf 'main;f %d\n' "$1" >a.folded
	must git perf collect -c command -O format=collapsed --add \
		-- cp a.folded '{output}'
}

commit first
stacks 3
check 'one job' exits 0 git perf log --oneline
check 'needs no name' mentions out 'first  \| samples 3$'
must git perf collect -r 1 --add -- true
check 'several' exits 0 git perf log --oneline
check 'begin with theirs' mentions out \
	'first  \| \[cp a\.folded .\{output\}.\] samples 3; \[true\] wall [0-9.]+[mun]?s$'
check 'in what was chosen, too' exits 0 \
	git perf log --oneline --metric='^(wall|user)$'
check 'of both' mentions out \
	'first  \| \[cp a\.folded .\{output\}.\] wall [^;]*; \[true\] wall [^;]*, user [^;]*$'
must git perf collect -r 1 --add -- cp a.folded '{output}'
check 'two of one command' exits 0 git perf log --oneline
check 'bear the collector' mentions out \
	"$(printf '%s' ' \[cp a\.folded .\{output\}.: command\] samples 3[^;]*' \
		'; \[true: time\] wall [^;]*; \[cp a\.folded .\{output\}.: time\] wall ')"

check 'without --oneline' exits 0 git perf log
check 'too, before the machine' mentions out \
	'^    cp a\.folded .\{output\}.: command on .*:$'
check 'both of them' mentions out \
	'^    cp a\.folded .\{output\}.: time on .*:$'

# Their courses.
rm -f '{output}'
commit second
stacks 5
check 'a course' exits 0 git perf log --oneline --metric=samples
check 'alone is named by its command' mentions out \
	'^samples .* 3 \.\. 5  \[cp a\.folded .\{output\}.\]$'
must git perf add --name=one a.folded
check 'what says no job' exits 0 git perf log --oneline -n 1
check 'stands by itself' mentions out \
	'second  \| \[cp a\.folded .\{output\}.\] samples 5; samples 5$'

# Two of no command, and one of no machine either.
commit third
must git perf add --machine=mill a.folded
stacks 7
must git perf add --no-environment a.folded
check 'what no machine measured' exits 0 \
	git perf log -n 1 -o third.txt --metric=samples
check 'does not stand below one' is "$(sed -n '/^    [^ ]*on /,$p' third.txt |
	sed "s/on [0-9a-f]*:/on X:/;s/^  *//")" "on mill:
samples 5
cp a.folded '{output}' on X:
samples 7
on an unknown machine:
samples 7"
